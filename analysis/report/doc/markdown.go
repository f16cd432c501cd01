package doc

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// markdownMost is the largest size of the summary of a CI job, in bytes.
const markdownMost = 1 << 20

// markdownReserved is room for the sentence about what is left out, in bytes.
const markdownReserved = 300

// Markdown prints a document as Markdown with the tables of GitHub, which the summary of a CI job shows: at
// most 1 MiB. It needs no HTML, and says what it leaves out.
func Markdown(w io.Writer, d *Document, most Depth) error {
	m := &markdown{most: most}
	m.line("# " + cmp.Or(EscapeMarkdown(d.Title), "moobench"))
	m.paragraph(EscapeMarkdown(strings.Join(d.Facts, " · ")))
	m.blocks(d.Blocks, 2)
	m.paragraph(EscapeMarkdown(d.Foot))
	m.paragraph(EscapeMarkdown(d.Source))
	text := m.text.String()
	if m.left > 0 {
		lines := map[bool]string{true: "line is", false: "lines are"}[m.left == 1]
		text += fmt.Sprintf(
			"\n**%d %s left out**: this summary holds at most %d bytes. All of it: "+
				"`moobench report` with `--format html`, or `--format json`.\n",
			m.left, lines, markdownMost)
	}
	_, err := io.WriteString(w, text)
	return err
}

// markdown is a text being written. Once it is full it only counts.
type markdown struct {
	text strings.Builder
	left int // lines that found no room
	most Depth
}

func (m *markdown) line(text string) {
	if m.left > 0 || m.text.Len()+len(text)+1 > markdownMost-markdownReserved {
		if text != "" {
			m.left++
		}
		return
	}
	m.text.WriteString(text + "\n")
}

// paragraph adds an empty line and a line; nothing without a text.
func (m *markdown) paragraph(text string) {
	if text != "" {
		m.line("")
		m.line(text)
	}
}

// blocks writes the blocks of the wanted depth; headings begin at a level.
func (m *markdown) blocks(all []Block, level int) {
	item := false // the block before was an item of a list
	for _, b := range all {
		if !b.depth().written(m.most) {
			continue
		}
		was := item
		item = false
		switch b := b.(type) {
		case *Section:
			title, inner := b.Title+enclosed(": ", b.Badge.Text, ""), level+1
			if title == "" {
				inner = level
			}
			if level > 2 { // on the first level they are names
				title = upper(title)
			}
			m.title(title, level)
			m.paragraph(EscapeMarkdown(b.About))
			m.blocks(b.Blocks, inner)
		case Paragraph:
			item = m.marked(b, was)
		case *Entries:
			m.title(upper(b.Title), level)
			m.line("")
			for _, e := range b.Items {
				if b.Facts {
					m.fact(e)
				} else {
					m.entry(e)
				}
			}
		case *Table:
			m.title(upper(b.Title), level)
			m.table(b)
		}
	}
}

// title writes a heading, or nothing without a text.
func (m *markdown) title(text string, level int) {
	if text != "" {
		m.paragraph(strings.Repeat("#", min(level, 6)) + " " + EscapeMarkdown(text))
	}
}

// marked writes a paragraph: a distortion of numbers as a quotation, a footnote as an item of a list. It
// reports whether it was an item.
func (m *markdown) marked(t Paragraph, afterItem bool) bool {
	text := EscapeMarkdown(t.Text)
	switch {
	case t.Mark == "":
		m.paragraph(text)
	case t.Mark == "!" && t.Tone == Bad:
		m.paragraph("> **! " + text + "**")
	case t.Mark == "!":
		m.paragraph("> ! " + text)
	default:
		if !afterItem {
			m.line("")
		}
		m.line("- **" + EscapeMarkdown(t.Mark) + "** " + text)
		return true
	}
	return false
}

// fact is one item of a list, with its warnings below the list.
func (m *markdown) fact(e Entry) {
	line := "- " + enclosed("**", EscapeMarkdown(e.Name), "** ") + EscapeMarkdown(e.Term)
	for _, t := range e.Items {
		if t.Tone < Warning {
			line += " · " + EscapeMarkdown(t.Mark+": "+t.Text)
		}
	}
	m.line(line)
	for _, t := range e.Items {
		if t.Tone >= Warning {
			m.marked(t, false)
		}
	}
}

// entry is one item of a list.
func (m *markdown) entry(e Entry) {
	line := "-"
	switch name, term := EscapeMarkdown(e.label()), EscapeMarkdown(e.text()); {
	case e.Struck != "":
		line += " **" + name + "** ~~" + EscapeMarkdown(e.Struck) + "~~ " + term
	case name != "":
		line += " **" + name + "** " + term
	case term != "":
		line += " **" + term + "**"
	}
	for i, t := range e.said() {
		text := EscapeMarkdown(t.Mark + " " + t.Text)
		switch {
		case text == "" || !t.Depth.written(m.most):
		case i == 0:
			line += " " + text
		default:
			line += " (" + text + ")"
		}
	}
	m.line(line)
}

func (m *markdown) table(t *Table) {
	g := newGrid(t, m.most)
	if len(g.rows) == 0 {
		return
	}
	m.paragraph(EscapeMarkdown(strings.Join(t.Legend, ". ")))
	m.line("")
	m.row(g.head)
	rules := "|"
	for _, number := range g.numbers {
		rules += map[bool]string{true: " --: |", false: " :-- |"}[number]
	}
	m.line(rules)
	for _, r := range g.rows {
		m.row(r)
	}
	for i, note := range g.notes {
		if i == 0 {
			m.line("")
		}
		m.line("- " + EscapeMarkdown(note))
	}
}

func (m *markdown) row(texts []string) { m.line("| " + escaped(texts, EscapeMarkdown, " | ") + " |") }

// escaped joins the cells of a row, escaped, with a separator.
func escaped(texts []string, escape func(string) string, separator string) string {
	all := make([]string, len(texts))
	for i, t := range texts {
		all[i] = escape(t)
	}
	return strings.Join(all, separator)
}

// grid is a table for documents: every row consists of cells, the names of groups are a column, and empty
// columns are left out.
type grid struct {
	head    []string
	numbers []bool
	rows    [][]string
	notes   []string   // below the table: on its rows, then on all of it
	remarks []string   // those on all of it
	below   [][]string // those on rows, by row
	marks   []string   // by row, the numbers of its notes in LaTeX
}

func newGrid(t *Table, most Depth) grid {
	var g grid
	var rows [][]string
	group := ""
	for _, r := range t.Rows {
		if !r.Depth.written(most) {
			continue
		}
		if r.Group != "" {
			group = r.Group
			continue
		}
		texts := slices.Insert(r.texts(len(t.Columns)), 1, group)
		about := strings.TrimSpace(texts[0]+" "+group) + ": "
		if r.Span != "" { // under the first number
			texts[1+max(1, slices.IndexFunc(t.Columns, func(c Column) bool { return c.Number }))] = r.Span
		}
		rows = append(rows, texts)
		notes := slices.DeleteFunc([]string{r.Under, r.Note}, func(note string) bool { return note == "" })
		for _, note := range notes {
			g.notes = append(g.notes, about+note)
		}
		g.below = append(g.below, notes)
	}
	g.remarks = t.notes(func(i int) bool { return t.Columns[i].Depth.written(most) })
	g.notes = append(g.notes, g.remarks...)
	g.rows = make([][]string, len(rows))
	for i, c := range slices.Insert(slices.Clone(t.Columns), 1, Column{Head: cmp.Or(t.Groups, "level")}) {
		if i > 0 && !slices.ContainsFunc(rows, func(r []string) bool { return r[i] != "" }) || !c.Depth.written(most) {
			continue
		}
		g.head, g.numbers = append(g.head, c.Head), append(g.numbers, c.Number)
		for k, r := range rows {
			g.rows[k] = append(g.rows[k], r[i])
		}
	}
	return g
}

// upper capitalises the first letter.
func upper(s string) string {
	r := []rune(s)
	if len(r) > 0 {
		r[0] = unicode.ToUpper(r[0])
	}
	return string(r)
}

// EscapeMarkdown makes a text safe in Markdown, on one line: special characters get a backslash, and so do
// those that would begin a list or a heading. Nothing becomes a link: neither http://… and www.…, which
// GitHub's Markdown links without being asked to, nor @name, which notifies the user of that name.
func EscapeMarkdown(s string) string {
	s = OneLine(s)
	var b strings.Builder
	for i, r := range s {
		rest := s[i+utf8.RuneLen(r):]
		next, _ := utf8.DecodeRuneInString(rest)
		switch {
		case r == ':' && strings.HasPrefix(rest, "//"):
			b.WriteString(`\:`)
		case r == '.' && i >= 3 && strings.EqualFold(s[i-3:i], "www"):
			b.WriteString(`\.`)
		case r == '@' && (next == '_' || next == '-' || unicode.IsLetter(next) || unicode.IsDigit(next)):
			// GitHub looks for names and addresses after removing the escapes, but not across other elements:
			// here an empty comment.
			b.WriteString(`\@<!-- -->`)
		// Characters that begin a heading, a rule or an item of a list; a number with its sign begins none.
		case i == 0 && strings.ContainsRune("#+-=", r) && (next < '0' || next > '9'), strings.ContainsRune("\\`*_[]<>|~$&", r):
			b.WriteString("\\" + string(r))
		default:
			b.WriteRune(r)
		}
	}
	s = b.String()
	// A text that begins with 1. or 1) would be an item of a list.
	if rest := strings.TrimLeft(s, "0123456789"); rest != s && (strings.HasPrefix(rest+" ", ". ") || strings.HasPrefix(rest+" ", ") ")) {
		return s[:len(s)-len(rest)] + "\\" + rest
	}
	return s
}
