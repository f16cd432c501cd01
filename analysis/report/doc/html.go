package doc

import (
	"encoding/json"
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
)

// Page is a document as the parts of an HTML page.
type Page struct {
	Head   string  // what is to be known before anything else: the blocks before the first section
	Body   string  // all others
	Links  []Link  // to the sections of the first level
	Charts []Chart // in the order of their elements
}

// Link is the name of a section and its ID.
type Link struct{ ID, Title string }

// Chart is the options of one interactive chart, under the ID of its element.
type Chart struct {
	ID      string         `json:"id"`
	Options map[string]any `json:"options"`
}

// HTML renders all blocks, whatever their depth. It needs no script: what a page's
// script adds, it finds by the classes of the elements.
func HTML(d *Document) Page {
	first := slices.IndexFunc(d.Blocks, func(b Block) bool {
		s, ok := b.(*Section)
		return ok && s.Title != "" && !s.Folded
	})
	if first < 0 {
		first = len(d.Blocks)
	}
	head, body := &htmlBody{}, &htmlBody{}
	head.blocks(d.Blocks[:first], 2)
	body.blocks(d.Blocks[first:], 2)
	return Page{Head: head.text.String(), Body: body.text.String(), Links: body.links, Charts: body.charts}
}

type htmlBody struct {
	text   strings.Builder
	links  []Link
	charts []Chart
}

// escape is a text that is nothing but text in HTML.
func escape(s string) string { return html.EscapeString(Clean(s)) }

// element writes an element with its attributes; text is HTML. Nothing of no text.
func (h *htmlBody) element(name, attributes, text string) {
	if text != "" {
		fmt.Fprintf(&h.text, "<%s%s>%s</%s>\n", name, attributes, text, name)
	}
}

func (h *htmlBody) blocks(all []Block, level int) {
	for _, b := range all {
		switch b := b.(type) {
		case *Section:
			h.section(b, level)
		case Paragraph:
			h.paragraph(b)
		case *Entries:
			at := level
			if b.Title != "" {
				at++
			}
			h.title(b.Title, "", level)
			h.entries(b, at)
		case *Table:
			h.title(b.Title, "", level)
			h.table(b)
		case *Figure:
			h.figure(b)
		case *Listing:
			h.listing(b)
		}
	}
}

// title writes a heading, nothing of no text.
func (h *htmlBody) title(text, id string, level int) {
	h.element("h"+strconv.Itoa(min(level, 6)), attribute("id", id), escape(upper(text)))
}

func (h *htmlBody) section(s *Section, level int) {
	switch {
	case s.Folded:
		attributes := attribute("id", s.ID) + attribute("class", notes[s.Tone])
		if s.Open {
			attributes += " open"
		}
		fmt.Fprintf(&h.text, "<details%s><summary>%s<b>%s</b> <span class=\"soft\">%s</span></summary>\n", attributes, s.Badge.html(), escape(s.Title), escape(s.About))
		h.blocks(s.Blocks, level+1)
		h.text.WriteString("</details>\n")
	case s.Title == "":
		h.blocks(s.Blocks, level)
	case level == 2:
		if s.ID != "" {
			h.links = append(h.links, Link{s.ID, s.Title})
		}
		fmt.Fprintf(&h.text, "<section%s>\n<h2%s>%s</h2>\n", attribute("aria-labelledby", s.ID), attribute("id", s.ID), strings.TrimSpace(escape(s.Title)+" "+s.Badge.html()))
		h.element("p", softly, escape(s.About))
		h.blocks(s.Blocks, level+1)
		h.text.WriteString("</section>\n")
	default:
		if s.Tone == Warning {
			h.text.WriteString("<div class=\"foreign\">\n")
		}
		h.title(s.Title, s.ID, level)
		h.element("p", softly, escape(s.About))
		h.blocks(s.Blocks, level+1)
		if s.Tone == Warning {
			h.text.WriteString("</div>\n")
		}
	}
}

// softly are the attributes of a text that is not in front.
const softly = ` class="soft"`

// attribute is ` name="value"`, nothing without a value.
func attribute(name, value string) string {
	if value == "" {
		return ""
	}
	return " " + name + `="` + escape(value) + `"`
}

// notes are the classes of texts that spoil numbers, or vouch for them.
var notes = map[Tone]string{Warning: "note", Bad: "note bad", Good: "note good"}

func (h *htmlBody) paragraph(t Paragraph) {
	text, mark := escape(t.Text), escape(strings.TrimPrefix(t.Mark, "! "))
	switch class := notes[t.Tone]; {
	case text == "":
	case mark != t.Mark: // it says in a word what spoils numbers
		fmt.Fprintf(&h.text, "<p class=\"%s\" role=\"note\"><strong>%s</strong> %s</p>\n", class, upper(mark), text)
	case mark != "" && mark != "!": // a footnote
		h.element("p", softly, `<strong class="warn">`+mark+"</strong> "+text)
	case t.Tone == Bad:
		fmt.Fprintf(&h.text, "<p class=\"%s\" role=\"alert\"><strong>%s</strong></p>\n", class, text)
	case class != "":
		fmt.Fprintf(&h.text, "<p class=\"%s\" role=\"note\">%s</p>\n", class, text)
	case t.Tone == Soft:
		h.element("p", softly, text)
	case t.Tone == Strong:
		h.element("p", "", "<strong>"+text+"</strong>")
	default:
		h.element("p", "", text)
	}
}

// entries writes cards; their terms are headings of a level.
func (h *htmlBody) entries(e *Entries, level int) {
	switch {
	case e.Facts:
		h.facts(e)
		return
	case e.Names > 0:
		h.text.WriteString("<table class=\"dense\"><tbody>\n")
		for _, item := range e.Items {
			text := escape(item.Term)
			if item.Struck != "" {
				text = "<s>" + escape(item.Struck) + "</s> " + text
			}
			fmt.Fprintf(&h.text, "<tr><th scope=\"row\">%s</th><td>%s</td></tr>\n", escape(item.Name), text)
		}
		h.text.WriteString("</tbody></table>\n")
		return
	}
	h.text.WriteString("<ul class=\"answers\">\n")
	for _, item := range e.Items {
		fmt.Fprintf(&h.text, "<li><h%d>%s</h%d>", level, linked(item.Link, escape(item.Term)), level)
		for i, t := range item.Items {
			text := escape(t.Text)
			if t.Mark != "" {
				text = `<strong class="warn">` + escape(t.Mark) + "</strong> " + text
			}
			switch {
			case i == 0:
				if o := item.Opening; o != "" && o != item.Badge.Text {
					text = escape(o) + ": " + text
				}
				fmt.Fprintf(&h.text, "<p>%s%s</p>", item.Badge.html(), text)
			case t.Fold != "":
				fmt.Fprintf(&h.text, "<details><summary>%s</summary><p class=\"soft\">%s</p></details>", escape(t.Fold), text)
			default:
				fmt.Fprintf(&h.text, "<p class=\"soft\">%s</p>", text)
			}
		}
		h.text.WriteString("</li>\n")
	}
	h.text.WriteString("</ul>\n")
}

// linked is HTML that leads to a section, or stands there alone without its ID.
func linked(id, text string) string {
	if id == "" {
		return text
	}
	return `<a href="#` + escape(id) + `">` + text + "</a>"
}

// facts are lists in one line each, and below it what spoils them.
func (h *htmlBody) facts(e *Entries) {
	for _, item := range e.Items {
		term := linked(item.Link, escape(item.Term))
		if item.Name != "" {
			term = "<strong>" + escape(item.Name) + "</strong> " + term
		}
		fmt.Fprintf(&h.text, "<ul class=\"facts\"><li>%s</li>", term)
		for _, t := range item.Items {
			if t.Tone < Warning {
				fmt.Fprintf(&h.text, "<li>%s</li>", escape(strings.TrimPrefix(t.Mark+": "+t.Text, ": ")))
			}
		}
		h.text.WriteString("</ul>\n")
		for _, t := range item.Items {
			if t.Tone >= Warning {
				h.paragraph(t)
			}
		}
	}
}

// html is the badge and a space, nothing of none.
func (b Badge) html() string {
	if b.Text == "" {
		return ""
	}
	class := "badge"
	if b.Kind != "" {
		class += " " + b.Kind
	}
	return fmt.Sprintf(`<span class="%s">%s</span> `, class, escape(b.Text))
}

// htmlTable is a table that is being written.
type htmlTable struct {
	*Table
	keep    []bool      // columns that hold something
	columns int         // of these
	keys    map[int]int // column → place among what a row is sorted by
	figured bool        // all columns but the first are numbers: their cells need no class
}

func newHTMLTable(t *Table) *htmlTable {
	h := &htmlTable{Table: t, keep: make([]bool, len(t.Columns)), keys: map[int]int{}, figured: t.Explore == "" && len(t.Columns) > 1}
	for i, column := range t.Columns {
		for _, r := range t.Rows {
			h.keep[i] = h.keep[i] || i == 0 || i == 1 && r.Span != ""
			if i >= len(r.Cells) {
				continue
			}
			c := r.Cells[i]
			h.keep[i] = h.keep[i] || c.Text != "" || len(c.Marks)+len(c.Codes) > 0 || c.Drawing != ""
			if _, known := h.keys[i]; c.Sort != nil && !known {
				h.keys[i] = len(h.keys)
			}
		}
		if h.keep[i] {
			h.columns++
		}
		h.figured = h.figured && (i == 0 || column.Number)
	}
	return h
}

// table writes a table that scrolls when it is wider than its place. The rows of one
// that can be explored carry what numbers are sorted by; the names of their groups
// stand in their labels, so that sorting parts none from its group.
func (h *htmlBody) table(of *Table) {
	t := newHTMLTable(of)
	class, more := "dense", ""
	switch {
	case t.Explore != "":
		class, more = "dense cells", attribute("data-rows", t.Explore)
	case t.Runs:
		class = "dense runs"
	case t.Reads:
		class = "dense reads"
	case t.figured:
		class = "dense figured"
	}
	fmt.Fprintf(&h.text, "<div class=\"scroll\"><table class=\"%s\"%s>\n", class, more)
	if len(t.Legend) > 0 {
		h.element("caption", "", escape(upper(strings.TrimSuffix(strings.Join(t.Legend, "; "), "."))+"."))
	}
	heads := slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Head != "" })
	if heads {
		h.text.WriteString("<thead><tr>")
	}
	for i, c := range t.Columns {
		switch {
		case !t.keep[i] || !heads:
			continue
		case c.Head == "": // a head that says nothing is none
			h.text.WriteString("<td></td>")
			continue
		}
		attributes := attribute("class", strings.Join(c.classes(), " "))
		if slices.ContainsFunc(t.Rows, func(r Row) bool { return i < len(r.Cells) && r.Cells[i].Drawing != "" }) {
			attributes += " data-drawn"
		} else if at, ok := t.keys[i]; ok && t.Explore != "" {
			attributes += attribute("data-key", strconv.Itoa(at))
		}
		fmt.Fprintf(&h.text, "<th scope=\"col\"%s%s>%s</th>", attributes, attribute("title", c.Help), escape(c.Head))
	}
	if heads {
		h.text.WriteString("</tr></thead>\n")
	}
	h.text.WriteString("<tbody>\n")
	group := ""
	for _, r := range t.Rows {
		switch {
		case r.Group != "" && t.Explore != "":
			group = r.Group
		case r.Group != "":
			fmt.Fprintf(&h.text, "<tr><td class=\"level\" colspan=\"%d\">%s</td></tr>\n", t.columns, escape(r.Group))
		case t.Reads:
			h.shortRow(t, r)
		default:
			h.row(t, r, group)
		}
	}
	h.text.WriteString("</tbody></table></div>\n")
}

// classes are those of a column's head and cells.
func (c *Column) classes() []string {
	var all []string
	if c.Number {
		all = append(all, "num")
	}
	if c.Foreign {
		all = append(all, "published")
	}
	return all
}

func (h *htmlBody) row(t *htmlTable, r Row, group string) {
	attributes := ""
	if t.Explore != "" {
		sorted := make([]string, len(t.keys))
		for i, c := range r.Cells {
			if at, ok := t.keys[i]; ok && c.Sort != nil {
				sorted[at] = strings.Replace(strconv.FormatFloat(*c.Sort, 'g', 5, 64), "e+", "e", 1)
			}
		}
		attributes = ` data-v="` + strings.TrimRight(strings.Join(sorted, ","), ",") + `"`
	}
	below := strings.TrimSpace(escape(r.Under) + " " + escape(r.Note))
	if below != "" {
		attributes += ` class="joined"`
	}
	fmt.Fprintf(&h.text, "<tr%s>", attributes)
	for i, c := range t.Columns {
		switch {
		case !t.keep[i]:
		case i == 0:
			label := Cell{}
			if len(r.Cells) > 0 {
				label = r.Cells[0]
			}
			fmt.Fprintf(&h.text, "<th scope=\"row\"%s>%s</th>", attribute("class", strings.Join(c.classes(), " ")), strings.TrimSpace(label.html()+" "+escape(group)))
			if r.Span != "" {
				fmt.Fprintf(&h.text, "<td%s colspan=\"%d\">%s</td>", attribute("class", toneClass(r.Tone)), t.columns-1, escape(r.Span))
			}
		case r.Span == "":
			cell := Cell{}
			if i < len(r.Cells) {
				cell = r.Cells[i]
			}
			classes := c.classes()
			if t.figured && !c.Foreign {
				classes = nil
			}
			if class := toneClass(cell.Tone); class != "" {
				classes = append(classes, class)
			}
			fmt.Fprintf(&h.text, "<td%s>%s</td>", attribute("class", strings.Join(classes, " ")), cell.html())
		}
	}
	h.text.WriteString("</tr>\n")
	if below != "" {
		fmt.Fprintf(&h.text, "<tr><td colspan=\"%d\"><div class=\"says\">%s</div></td></tr>\n", t.columns, below)
	}
}

// shortRow is a row of a table with very many: end tags that HTML lets out are left out.
func (h *htmlBody) shortRow(t *htmlTable, r Row) {
	for i, c := range r.Cells {
		switch {
		case i == 0:
			h.text.WriteString("<tr><th scope=row>" + escape(c.String()))
		case t.keep[i]:
			h.text.WriteString("<td>" + escape(c.String()))
		}
	}
	h.text.WriteString("\n")
}

// toneClass is how a text in a table looks.
func toneClass(t Tone) string {
	switch t {
	case Soft:
		return "soft"
	case Warning:
		return "warn"
	case Bad:
		return "badmark"
	case Good:
		return "free"
	}
	return ""
}

// html is the cell with its interval, drawing and marks.
func (c Cell) html() string {
	text := linked(c.Link, escape(c.Text))
	switch {
	case c.Struck:
		text = "<s>" + text + "</s>"
	case c.Kind != "" && c.Text != "":
		text = strings.TrimSpace(Badge{c.Text, c.Kind}.html())
	}
	for _, under := range []string{c.Half, c.Interval, c.Remark} {
		if under != "" {
			text += " <small>" + escape(under) + "</small>"
		}
	}
	for _, m := range c.Marks {
		text += " " + strings.TrimSpace(Badge{"! " + m, "warn"}.html())
	}
	for _, code := range c.Codes {
		text += " <code>" + escape(code) + "</code>"
	}
	return text + c.Drawing
}

func (h *htmlBody) figure(f *Figure) {
	h.text.WriteString("<figure>" + f.SVG)
	if f.Chart != nil {
		fmt.Fprintf(&h.text, "<div class=\"chart\"%s role=\"img\"%s></div>", attribute("id", f.ID), attribute("aria-label", f.Alt))
		h.charts = append(h.charts, Chart{f.ID, f.Chart})
	}
	if f.Caption != "" {
		h.text.WriteString("\n<figcaption>" + escape(f.Caption) + "</figcaption>")
	}
	h.text.WriteString("</figure>\n")
}

func (h *htmlBody) listing(l *Listing) {
	fmt.Fprintf(&h.text, "<details class=\"command\"><summary><b>%s</b> <span class=\"soft\">%s</span></summary>\n", escape(l.Title), escape(l.About))
	for _, note := range l.Notes {
		h.element("p", softly, escape(note))
	}
	h.text.WriteString("<pre>")
	for i, w := range l.Words {
		text := html.EscapeString(CleanLines(w.Text))
		if w.Marked {
			text = "<mark>" + text + "</mark>"
		}
		if i > 0 {
			text = " " + text
		}
		h.text.WriteString(text)
	}
	h.text.WriteString("</pre>\n")
	if l.Runs != nil {
		h.table(l.Runs)
	}
	h.text.WriteString("</details>\n")
}

// JSON is the options of all charts; Go's encoder escapes every <, so that they can
// stand in a script.
func (p *Page) JSON() ([]byte, error) {
	charts := p.Charts
	if charts == nil {
		charts = []Chart{}
	}
	data, err := json.Marshal(charts)
	if err != nil {
		return nil, fmt.Errorf("writing the options of charts: %w", err)
	}
	return data, nil
}
