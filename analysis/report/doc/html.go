package doc

import (
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
)

// Page is a document as the parts of an HTML page.
type Page struct {
	Head   string     // the blocks before the first section, to be read first
	Body   string     // all other blocks
	Links  []*Section // sections of the first level, for links
	Charts []Chart    // in the order of their elements
}

// Chart is the options of one interactive chart, under the ID of its element.
type Chart struct {
	ID      string         `json:"id"`
	Options map[string]any `json:"options"`
}

// HTML renders all blocks, whatever their depth. It needs no script: a page's script finds the elements by
// their classes.
func HTML(d *Document) Page {
	first := slices.IndexFunc(d.Blocks, func(b Block) bool {
		s, ok := b.(*Section)
		return ok && s.Title != "" && !s.Folded
	})
	if first < 0 {
		first = len(d.Blocks)
	}
	h := &htmlBody{}
	h.blocks(d.Blocks[:first], 2)
	head := h.Len()
	h.blocks(d.Blocks[first:], 2)
	return Page{Head: h.String()[:head], Body: h.String()[head:], Links: h.links, Charts: h.charts}
}

// htmlBody is HTML being written.
type htmlBody struct {
	strings.Builder
	links  []*Section
	charts []Chart
}

func (h *htmlBody) printf(format string, args ...any) { fmt.Fprintf(h, format, args...) }

// escape makes a text safe in HTML.
func escape(s string) string { return html.EscapeString(Clean(s)) }

// Attribute formats ` name="value"`; "" without a value.
func Attribute(name, value string) string { return enclosed(" "+name+`="`, escape(value), `"`) }

// softly are the attributes of a text in the background.
const softly = ` class="soft"`

// element writes an element with its attributes; text is HTML. It writes nothing without a text.
func (h *htmlBody) element(name, attributes, text string) {
	if text != "" {
		h.printf("<%s%s>%s</%s>\n", name, attributes, text, name)
	}
}

// title writes a heading, or nothing without a text.
func (h *htmlBody) title(text, id string, level int) {
	h.element("h"+strconv.Itoa(min(level, 6)), Attribute("id", id), escape(upper(text)))
}

func (h *htmlBody) blocks(all []Block, level int) {
	for _, b := range all {
		if b.depth() < Brief {
			continue
		}
		switch b := b.(type) {
		case *Section:
			h.section(b, level)
		case Paragraph:
			h.paragraph(b)
		case *Entries:
			h.title(b.Title, "", level)
			h.entries(b, level)
		case *Table:
			h.title(b.Title, "", level)
			h.table(b)
		case *Figure:
			if b.chart == nil {
				h.printf("<figure>%s", b.SVG)
			} else {
				h.printf("<figure><div class=\"picture\">%s</div><details class=\"explore\">"+
					"<summary>Explore: zoom, point at values, hide what is not of interest</summary>"+
					"<div class=\"chart\"%s role=\"img\"%s></div></details>",
					b.SVG, Attribute("id", b.id), Attribute("aria-label", b.Alt))
				h.charts = append(h.charts, Chart{b.id, b.chart})
			}
			h.WriteString(enclosed("\n<figcaption>", escape(b.Caption), "</figcaption>") + "</figure>\n")
		case *Listing:
			h.printf("<details class=\"command\"><summary><b>%s</b> <span class=\"soft\">%s</span></summary>\n",
				escape(b.Title), escape(b.About))
			for _, note := range b.Notes {
				h.element("p", softly, escape(note))
			}
			words := make([]string, len(b.Words))
			for i, w := range b.Words {
				if words[i] = html.EscapeString(CleanLines(w.Text)); w.Marked {
					words[i] = "<mark>" + words[i] + "</mark>"
				}
			}
			h.printf("<pre>%s</pre>\n", strings.Join(words, " "))
			if b.Runs != nil {
				h.table(b.Runs)
			}
			h.WriteString("</details>\n")
		}
	}
}

func (h *htmlBody) section(s *Section, level int) {
	end, inner := "", level+1
	switch {
	case s.Title == "" && !s.Folded:
		h.blocks(s.Blocks, level)
		return
	case s.Folded:
		attributes := Attribute("id", s.ID) + Attribute("class", notes[s.Tone])
		if s.Open {
			attributes += " open"
		}
		title := escape(s.Title)
		if s.ID == "" && strings.Contains(title, " ") { // not the name of a metric or a series
			title = upper(title)
		}
		h.printf("<details%s><summary>%s<b>%s</b> <span class=\"soft\">%s</span></summary>\n", attributes,
			s.Badge.html(), title, escape(s.About))
		end, inner = "</details>\n", level // its title is not a heading
	case level == 2:
		if s.ID != "" {
			h.links = append(h.links, s)
		}
		h.printf("<section%s>\n<h2%s>%s</h2>\n", Attribute("aria-labelledby", s.ID), Attribute("id", s.ID),
			strings.TrimSpace(escape(s.Title)+" "+s.Badge.html()))
		end = "</section>\n"
	default:
		if s.Tone == Warning {
			h.WriteString("<div class=\"foreign\">\n")
			end = "</div>\n"
		}
		h.title(s.Title, s.ID, level)
	}
	if !s.Folded {
		h.element("p", softly, escape(s.About))
	}
	h.blocks(s.Blocks, inner)
	h.WriteString(end)
}

// notes are the classes of texts about distorted numbers, or trustworthy ones.
var notes = map[Tone]string{Warning: "note", Bad: "note bad", Good: "note good"}

func (h *htmlBody) paragraph(t Paragraph) {
	text, mark := escape(t.Text), escape(strings.TrimPrefix(t.Mark, "! "))
	switch class := notes[t.Tone]; {
	case text == "":
	case mark != t.Mark: // the mark names what spoils numbers
		h.printf("<p class=\"%s\" role=\"note\"><strong>%s</strong> %s</p>\n", class, upper(mark), text)
	case mark != "" && mark != "!": // a footnote
		h.element("p", softly, `<strong class="warn">`+mark+"</strong> "+text)
	case t.Tone == Bad:
		h.printf("<p class=\"%s\" role=\"alert\"><strong>%s</strong></p>\n", class, text)
	case class != "":
		h.printf("<p class=\"%s\" role=\"note\">%s</p>\n", class, text)
	case t.Tone == Soft:
		h.element("p", softly, text)
	case t.Tone == Strong:
		h.element("p", "", "<strong>"+text+"</strong>")
	default:
		h.element("p", "", text)
	}
}

// entries writes facts as lists in one line each, names with their texts as a table, and answers as cards with
// headings of a level.
func (h *htmlBody) entries(e *Entries, level int) {
	switch {
	case e.Facts:
		for _, item := range e.Items {
			h.printf("<ul class=\"facts\"><li>%s%s</li>", enclosed("<strong>", escape(item.Name), "</strong> "),
				linked(item.Link, escape(item.Term)))
			below := &htmlBody{} // warnings about the facts
			for _, t := range item.Items {
				if t.Tone < Warning {
					h.printf("<li>%s</li>", escape(strings.TrimPrefix(t.Mark+": "+t.Text, ": ")))
				} else {
					below.paragraph(t)
				}
			}
			h.printf("</ul>\n%s", below)
		}
	case e.Names == 0:
		if e.Title != "" {
			level++
		}
		h.WriteString("<ul class=\"answers\">\n")
		for _, item := range e.Items {
			h.printf("<li><h%d>%s</h%d>", level, linked(item.Link, escape(item.Term)), level)
			for i, t := range item.Items {
				text := enclosed(`<strong class="warn">`, escape(t.Mark), "</strong> ") + escape(t.Text)
				switch {
				case i == 0:
					if o := item.Opening; o != "" && o != item.Badge.Text {
						text = escape(o) + ": " + text
					}
					h.printf("<p>%s%s</p>", item.Badge.html(), text)
				case t.Fold != "":
					h.printf("<details><summary>%s</summary><p class=\"soft\">%s</p></details>", escape(t.Fold), text)
				default:
					h.printf("<p class=\"soft\">%s</p>", text)
				}
			}
			h.WriteString("</li>\n")
		}
		h.WriteString("</ul>\n")
	default:
		h.WriteString("<table class=\"dense\"><tbody>\n")
		for _, item := range e.Items {
			h.printf("<tr><th scope=\"row\">%s</th><td>%s%s</td></tr>\n", escape(item.label()),
				enclosed("<s>", escape(item.Struck), "</s> "), escape(item.text()))
		}
		h.WriteString("</tbody></table>\n")
	}
}

// linked is HTML that links to a section, or only the text without an ID.
func linked(id, text string) string {
	if id == "" {
		return text
	}
	return `<a href="#` + escape(id) + `">` + text + "</a>"
}

// html is the badge and a space; "" without a text.
func (b Badge) html() string {
	if b.Text == "" {
		return ""
	}
	return fmt.Sprintf(`<span class="%s">%s</span> `, strings.TrimSpace("badge "+b.Kind), escape(b.Text))
}

// htmlTable is a table being written, with only its non-empty columns.
type htmlTable struct {
	*Table
	keys    map[int]int // column → index among a row's sort keys
	figured bool        // all columns but the first are numbers: their cells need no class
}

func newHTMLTable(t *Table) *htmlTable {
	rows := *t
	rows.Rows = slices.DeleteFunc(slices.Clone(t.Rows), func(r Row) bool { return r.Depth < Brief })
	figured := t.Explore == "" && len(t.Columns) > 1 &&
		!slices.ContainsFunc(t.Columns[1:], func(c Column) bool { return !c.Number })
	h := &htmlTable{keys: map[int]int{}, figured: figured}
	h.Table = rows.shown(func(i int) bool {
		return t.Columns[i].Depth >= Brief &&
			(i == 0 && len(rows.Rows) > 0 || slices.ContainsFunc(rows.Rows, func(r Row) bool {
				c := r.cell(i)
				return i == 1 && r.Span != "" || c.Text != "" || len(c.Marks)+len(c.Codes) > 0 || c.Drawing != ""
			}))
	})
	for i := range h.Columns {
		if slices.ContainsFunc(h.Rows, func(r Row) bool { return r.Cells[i].Sort != nil }) {
			h.keys[i] = len(h.keys)
		}
	}
	return h
}

// table writes a table that scrolls if it is wider than its place. Rows that can be explored carry their sort
// keys, and the name of their group in their label, so that sorting separates none from its group.
func (h *htmlBody) table(of *Table) {
	t := newHTMLTable(of)
	class := "dense"
	switch {
	case t.Explore != "":
		class = "dense cells"
	case t.Runs:
		class = "dense runs"
	case t.Reads:
		class = "dense reads"
	case t.figured:
		class = "dense figured"
	}
	zero := ""
	for _, c := range of.Columns {
		zero += enclosed("--zero:", c.Zero, "%")
	}
	h.printf("<div class=\"scroll\"><table class=\"%s\"%s%s>\n", class,
		Attribute("data-rows", t.Explore), Attribute("style", zero))
	if len(t.Legend) > 0 {
		legend := escape(upper(strings.TrimSuffix(strings.Join(t.Legend, "; "), ".")) + ".")
		h.element("caption", "", `<span class="says">`+legend+"</span>")
	}
	if slices.ContainsFunc(of.Columns, func(c Column) bool { return c.Head != "" }) {
		h.WriteString("<thead><tr>")
		for i, c := range t.Columns {
			h.head(t, i, &c)
		}
		h.WriteString("</tr></thead>\n")
	}
	h.WriteString("<tbody>\n")
	group := ""
	for _, r := range t.Rows {
		switch {
		case r.Group != "" && t.Explore != "":
			group = r.Group
		case r.Group != "":
			h.printf("<tr><td class=\"level\" colspan=\"%d\">%s</td></tr>\n", len(t.Columns), escape(r.Group))
		case t.Reads: // there are very many rows: end tags that HTML does not need are left out
			h.printf("<tr><th scope=row>%s", escape(r.Cells[0].String()))
			for _, c := range r.Cells[1:] {
				h.printf("<td>%s", escape(c.String()))
			}
			h.WriteString("\n")
		default:
			h.row(t, r, group)
		}
	}
	h.WriteString("</tbody></table></div>\n")
	if notes := of.notes(func(int) bool { return true }); len(notes) > 0 {
		h.printf("<ul class=\"soft\">\n<li>%s</li>\n</ul>\n", escaped(notes, escape, "</li>\n<li>"))
	}
}

// head writes the head of the i-th column; an empty one becomes an ordinary cell.
func (h *htmlBody) head(t *htmlTable, i int, c *Column) {
	if c.Head == "" {
		h.WriteString("<td></td>")
		return
	}
	attributes := Attribute("class", c.classes(""))
	if slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Cells[i].Drawing != "" }) {
		attributes += " data-drawn"
	} else if at, ok := t.keys[i]; ok && t.Explore != "" {
		attributes += Attribute("data-key", strconv.Itoa(at))
	}
	h.printf("<th scope=\"col\"%s%s>%s</th>", attributes, Attribute("title", c.Help), escape(c.Head))
}

// classes are the classes of a column's head or cells, with a cell's own.
func (c *Column) classes(own string) string {
	if c.Foreign {
		own = "published " + own
	}
	if c.Number {
		own = "num " + own
	}
	if c.Wide {
		own = "wide " + own
	}
	return strings.TrimSpace(own)
}

// looks are the classes of texts in a table.
var looks = map[Tone]string{Soft: "soft", Warning: "warn", Bad: "badmark", Good: "equivalent"}

func (h *htmlBody) row(t *htmlTable, r Row, group string) {
	attributes, endCell, endRow := "", "</td>", "</tr>\n"
	if t.Explore != "" {
		endCell, endRow = "", "\n" // optional in HTML, and left out because there are very many
		sorted := make([]string, len(t.keys))
		for i, c := range r.Cells {
			if c.Sort != nil {
				sorted[t.keys[i]] = strings.Replace(strconv.FormatFloat(*c.Sort, 'g', 5, 64), "e+", "e", 1)
			}
		}
		attributes = ` data-v="` + strings.TrimRight(strings.Join(sorted, ","), ",") + `"`
	}
	below := strings.TrimSpace(escape(r.Under) + " " + escape(r.Note))
	if below != "" {
		attributes += ` class="joined"`
	}
	h.printf("<tr%s>", attributes)
	for i, c := range t.Columns {
		cell := r.Cells[i]
		if i == 0 {
			if label := strings.TrimSpace(cell.html() + " " + escape(group)); label != "" {
				h.printf("<th scope=\"row\"%s>%s</th>", Attribute("class", c.classes("")), label)
			} else { // an empty head is an ordinary cell
				h.WriteString("<td></td>")
			}
			if r.Span != "" {
				h.printf("<td%s colspan=\"%d\">%s</td>", Attribute("class", looks[r.Tone]),
					len(t.Columns)-1, escape(r.Span))
				break
			}
			continue
		}
		own := looks[cell.Tone]
		switch {
		case t.Explore != "" && !c.Number && own == "" && cell.Drawing == "":
			h.printf("<td class=t>%s", cell.html())
			continue
		case t.Explore != "" && !c.Number && cell.Drawing == "":
			own = "t " + own
		case t.Explore != "" || t.figured && !c.Foreign:
			c.Number = false
		}
		h.printf("<td%s>%s%s", Attribute("class", c.classes(own)), cell.html(), endCell)
	}
	h.WriteString(endRow)
	if below != "" {
		h.printf("<tr><td colspan=\"%d\"><div class=\"says\">%s</div></td></tr>\n", len(t.Columns), below)
	}
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
		text += enclosed(" <small>", escape(under), "</small>")
	}
	for _, m := range c.Marks {
		text += " " + strings.TrimSpace(Badge{"! " + m, "warn"}.html())
	}
	for _, code := range c.Codes {
		text += " <code>" + escape(code) + "</code>"
	}
	return text + c.Drawing
}
