package doc

import (
	"encoding/json"
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
)

// Page is a document as the body of an HTML page, and what the page needs besides.
type Page struct {
	Body   string
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
	h := &htmlBody{}
	h.blocks(d.Blocks, 2)
	return Page{Body: h.text.String(), Links: h.links, Charts: h.charts}
}

type htmlBody struct {
	text   strings.Builder
	links  []Link
	charts []Chart
}

// escape is a text that is nothing but text in HTML.
func escape(s string) string { return html.EscapeString(Clean(s)) }

// element writes <name class>text</name>; text is HTML. Nothing of no text.
func (h *htmlBody) element(name, class, text string) {
	if text == "" {
		return
	}
	if class != "" {
		class = ` class="` + class + `"`
	}
	fmt.Fprintf(&h.text, "<%s%s>%s</%s>\n", name, class, text, name)
}

func (h *htmlBody) blocks(all []Block, level int) {
	for _, b := range all {
		switch b := b.(type) {
		case *Section:
			h.section(b, level)
		case Paragraph:
			h.paragraph(b)
		case *Entries:
			h.entries(b)
		case *Table:
			h.table(b)
		case *Figure:
			h.figure(b)
		case *Listing:
			h.listing(b)
		}
	}
}

func (h *htmlBody) section(s *Section, level int) {
	switch {
	case s.Folded:
		fmt.Fprintf(&h.text, "<details%s><summary><b>%s</b> <span class=\"soft\">%s</span></summary>\n", attribute("id", s.ID), escape(s.Title), escape(s.About))
		h.blocks(s.Blocks, level+1)
		h.text.WriteString("</details>\n")
	case level == 2:
		if s.ID != "" {
			h.links = append(h.links, Link{s.ID, s.Title})
		}
		fmt.Fprintf(&h.text, "<section%s>\n", attribute("aria-labelledby", s.ID))
		if s.Title != "" {
			fmt.Fprintf(&h.text, "<h2%s>%s</h2>\n", attribute("id", s.ID), strings.TrimSpace(escape(s.Title)+" "+s.Badge.html()))
		}
		h.element("p", "soft", escape(s.About))
		h.blocks(s.Blocks, level+1)
		h.text.WriteString("</section>\n")
	default:
		if s.Tone == Warning {
			h.text.WriteString("<div class=\"foreign\">\n")
		}
		fmt.Fprintf(&h.text, "<h%d%s>%s</h%d>\n", min(level, 6), attribute("id", s.ID), escape(upper(s.Title)), min(level, 6))
		h.element("p", "soft", escape(s.About))
		h.blocks(s.Blocks, level+1)
		if s.Tone == Warning {
			h.text.WriteString("</div>\n")
		}
	}
}

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
	text := escape(t.Text)
	switch class := notes[t.Tone]; {
	case text == "":
	case t.Mark != "" && t.Mark != "!": // a footnote
		h.element("p", "soft", `<strong class="warn">`+escape(t.Mark)+"</strong> "+text)
	case t.Tone == Bad:
		fmt.Fprintf(&h.text, "<p class=\"%s\" role=\"alert\"><strong>%s</strong></p>\n", class, text)
	case class != "":
		fmt.Fprintf(&h.text, "<p class=\"%s\" role=\"note\">%s</p>\n", class, text)
	case t.Tone == Soft:
		h.element("p", "soft", text)
	case t.Tone == Strong:
		h.element("p", "", "<strong>"+text+"</strong>")
	default:
		h.element("p", "", text)
	}
}

func (h *htmlBody) entries(e *Entries) {
	if e.Facts {
		h.facts(e)
		return
	}
	h.text.WriteString("<ul class=\"answers\">\n")
	for _, item := range e.Items {
		fmt.Fprintf(&h.text, "<li><h4>%s</h4>", escape(item.Term))
		badge := item.Badge.html()
		for i, t := range item.Items {
			text := escape(t.Text)
			if t.Mark != "" {
				text = `<strong class="warn">` + escape(t.Mark) + "</strong> " + text
			}
			switch {
			case i == 0:
				if e := item.Opening; e != "" && e != item.Badge.Text {
					text = escape(e) + ": " + text
				}
				fmt.Fprintf(&h.text, "<p>%s%s</p>", badge, text)
			case t.Depth > Brief:
				fmt.Fprintf(&h.text, "<details><summary>More</summary><p class=\"soft\">%s</p></details>", text)
			default:
				fmt.Fprintf(&h.text, "<p class=\"soft\">%s</p>", text)
			}
		}
		h.text.WriteString("</li>\n")
	}
	h.text.WriteString("</ul>\n")
}

// facts are lists in one line each, and below it what spoils them.
func (h *htmlBody) facts(e *Entries) {
	for _, item := range e.Items {
		fmt.Fprintf(&h.text, "<ul class=\"facts\"><li>%s</li>", escape(item.Term))
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

// table writes a table that scrolls when it is wider than its place. The rows of one
// that can be explored carry what numbers are sorted by; the names of their groups
// stand in their labels, so that sorting parts none from its group.
func (h *htmlBody) table(t *Table) {
	keep := make([]bool, len(t.Columns))
	keys := map[int]int{} // column → place among the keys of a row
	for i := range t.Columns {
		for _, r := range t.Rows {
			keep[i] = keep[i] || i == 0 || i == 1 && r.Span != ""
			if i >= len(r.Cells) {
				continue
			}
			c := r.Cells[i]
			keep[i] = keep[i] || c.Text != "" || len(c.Marks)+len(c.Codes) > 0 || c.Drawing != ""
			if _, ok := keys[i]; c.Sort != nil && !ok {
				keys[i] = len(keys)
			}
		}
	}
	class := "dense"
	if t.Explore {
		class = "dense cells"
	}
	if t.Runs {
		class = "dense runs"
	}
	figured := !t.Explore && len(t.Columns) > 1 // then its cells need no class
	for _, c := range t.Columns[1:] {
		figured = figured && c.Number
	}
	if figured {
		class += " figured"
	}
	fmt.Fprintf(&h.text, "<div class=\"scroll\"><table class=\"%s\">\n", class)
	if len(t.Legend) > 0 {
		h.element("caption", "", escape(upper(strings.Join(t.Legend, "; "))+"."))
	}
	h.text.WriteString("<thead><tr>")
	columns := 0
	for i, c := range t.Columns {
		if !keep[i] {
			continue
		}
		columns++
		number := ""
		if c.Number {
			number = ` class="num"`
		}
		key := ""
		if slices.ContainsFunc(t.Rows, func(r Row) bool { return i < len(r.Cells) && r.Cells[i].Drawing != "" }) {
			key = " data-drawn"
		}
		if at, ok := keys[i]; ok {
			key = attribute("data-key", strconv.Itoa(at))
		}
		fmt.Fprintf(&h.text, "<th scope=\"col\"%s%s%s>%s</th>", number, key, attribute("title", c.Help), escape(c.Head))
	}
	h.text.WriteString("</tr></thead>\n<tbody>\n")
	group := ""
	for _, r := range t.Rows {
		if r.Group != "" {
			if group = r.Group; !t.Explore {
				fmt.Fprintf(&h.text, "<tr><td class=\"level\" colspan=\"%d\">%s</td></tr>\n", columns, escape(group))
			}
			continue
		}
		label := ""
		if t.Explore {
			label = group
		}
		h.row(t, r, label, keep, keys, columns, figured)
	}
	h.text.WriteString("</tbody></table></div>\n")
}

func (h *htmlBody) row(t *Table, r Row, group string, keep []bool, keys map[int]int, columns int, figured bool) {
	sorted := make([]string, len(keys))
	for i, c := range r.Cells {
		if at, ok := keys[i]; ok && c.Sort != nil {
			sorted[at] = strings.Replace(strconv.FormatFloat(*c.Sort, 'g', 5, 64), "e+", "e", 1)
		}
	}
	class := ""
	if r.Under != "" || r.Note != "" {
		class = "joined"
	}
	fmt.Fprintf(&h.text, "<tr%s%s>", attribute("class", class), attribute("data-v", strings.TrimRight(strings.Join(sorted, ","), ",")))
	for i, c := range r.Cells {
		switch {
		case !keep[i]:
		case i == 0:
			text := c.html()
			if group != "" {
				text += " " + escape(group)
			}
			fmt.Fprintf(&h.text, "<th scope=\"row\">%s</th>", text)
			if r.Span != "" {
				fmt.Fprintf(&h.text, "<td class=\"%s\" colspan=\"%d\">%s</td>", toneClass(r.Tone), columns-1, escape(r.Span))
			}
		case r.Span != "":
		default:
			classes := []string{}
			if t.Columns[i].Number && !figured {
				classes = append(classes, "num")
			}
			if class := toneClass(c.Tone); class != "" {
				classes = append(classes, class)
			}
			fmt.Fprintf(&h.text, "<td%s>%s</td>", attribute("class", strings.Join(classes, " ")), c.html())
		}
	}
	h.text.WriteString("</tr>\n")
	if class != "" {
		text := escape(r.Under)
		if r.Note != "" {
			text += escape(r.Note)
		}
		fmt.Fprintf(&h.text, "<tr><td colspan=\"%d\"><div class=\"says\">%s</div></td></tr>\n", columns, text)
	}
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
	text := escape(c.Text)
	if c.Struck {
		text = "<s>" + text + "</s>"
	}
	for _, under := range []string{c.Half, c.Interval, c.Remark} {
		if under != "" {
			text += "<small>" + escape(under) + "</small>"
		}
	}
	for _, m := range c.Marks {
		text += " <b class=\"warn\">! " + escape(m) + "</b>"
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
		h.element("p", "soft", escape(note))
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
