package doc

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// TextOptions are what a terminal gives and asks for.
type TextOptions struct {
	Width int   // columns, 80 when 0
	Color bool  // never carries meaning alone
	Depth Depth // Brief, or Full with --all
}

// Text prints a document for a terminal. Everything goes through Clean: an untrusted
// label can't send a terminal anything but characters that print.
func Text(w io.Writer, d *Document, o TextOptions) error {
	p := &printer{w: w, width: o.Width, color: o.Color, depth: o.Depth}
	if p.width <= 0 {
		p.width = 80
	}
	p.width = max(p.width, leastWidth)
	if d.Title != "" || len(d.Facts) > 0 {
		p.paragraph(Strong, "", strings.Join(slices.DeleteFunc(append([]string{d.Title}, d.Facts...), func(s string) bool { return s == "" }), " · "))
	}
	p.blocks(d.Blocks, 0)
	return p.err
}

// leastWidth is what lines are broken to on a terminal that is narrower still.
const leastWidth = 40

// The space between columns, and before what stands below a heading.
const gap, indent = 2, 2

// printer prints blocks.
type printer struct {
	w       io.Writer
	width   int
	color   bool
	depth   Depth
	printed bool // anything
	err     error
}

// colors are the escape codes of the tones.
var colors = map[Tone]string{Strong: "1", Soft: "2", Warning: "33", Bad: "31;1"}

// line prints one line.
func (p *printer) line(tone Tone, text string) {
	text = Clean(strings.TrimRight(text, " "))
	if code := colors[tone]; p.color && code != "" && text != "" {
		text = "\x1b[" + code + "m" + text + "\x1b[0m"
	}
	p.write(text)
}

func (p *printer) write(line string) {
	p.printed = true
	if p.err == nil {
		_, p.err = fmt.Fprintln(p.w, line)
	}
}

// paragraph prints a text behind a head.
func (p *printer) paragraph(tone Tone, head, text string) { p.hanging(tone, head, "", text) }

// hanging prints a text behind a head, its first words struck out where there are
// colours; the lines after the first hang below the text. A head that takes more than
// half of the line stands on its own.
func (p *printer) hanging(tone Tone, head, struck, text string) {
	hang := min(Width(head), p.width/2)
	if Width(head) > hang {
		p.line(tone, head)
		head = strings.Repeat(" ", hang)
	}
	out := len(strings.Fields(struck))
	for _, line := range Wrap(struck+" "+text, p.width-hang) {
		if words := strings.Fields(line); p.color && out > 0 {
			n := min(out, len(words))
			out -= n
			p.write(Clean(head) + strings.TrimRight("\x1b[9m"+strings.Join(words[:n], " ")+"\x1b[29m "+strings.Join(words[n:], " "), " "))
		} else {
			p.line(tone, head+line)
		}
		head = strings.Repeat(" ", hang)
	}
}

// blocks prints what the reader asked for; in is how far texts without a mark are
// indented.
func (p *printer) blocks(all []Block, in int) {
	all = slices.DeleteFunc(slices.Clone(all), func(b Block) bool { return !depthOf(b).on(p.depth) })
	slices.SortStableFunc(all, func(a, b Block) int { return lastOf(a) - lastOf(b) })
	var last Block
	for _, b := range all {
		switch b := b.(type) {
		case *Section:
			p.section(b)
		case Paragraph:
			p.marked(b, in)
		case *Entries:
			p.entries(b, in)
		case *Table:
			if _, ok := last.(*Table); ok {
				p.line(Plain, "")
			}
			p.table(b)
		}
		last = b
	}
}

// lastOf is the order of what stands at the end of a terminal's output.
func lastOf(b Block) int {
	if s, ok := b.(*Section); ok {
		return s.Last
	}
	return 0
}

func (p *printer) section(s *Section) {
	if s.Silent && !slices.ContainsFunc(s.Blocks, func(b Block) bool { return depthOf(b).on(p.depth) }) {
		return
	}
	if p.printed {
		p.line(Plain, "")
	}
	switch {
	case s.Silent:
	case s.Tone == Soft:
		p.line(Soft, strings.Repeat(" ", indent)+s.Title)
	default:
		p.paragraph(max(Strong, s.Tone), s.Title+"  ", s.About)
	}
	in := indent
	if s.Flush {
		in = 0
	}
	p.blocks(s.Blocks, in)
}

func (p *printer) marked(t Paragraph, in int) {
	if t.Mark != "" {
		p.paragraph(t.Tone, t.Mark+" ", t.Text)
		return
	}
	p.paragraph(t.Tone, strings.Repeat(" ", in), t.Text)
}

// entries prints a term in a line, and what is said of it below; marks stand in a
// column of their own.
func (p *printer) entries(e *Entries, in int) {
	below, names := indent, 0
	if e.Inner {
		in, below = in+indent, 2*indent
	}
	for _, item := range e.Items {
		if item.Name != "" {
			names = max(names, nameLeast+gap, Width(item.Name)+gap)
		}
	}
	for _, item := range e.Items {
		p.paragraph(item.Tone, strings.Repeat(" ", in)+pad(item.Name, names), item.Term)
		marks := 0
		for _, t := range item.Items {
			marks = max(marks, Width(t.Mark))
		}
		opening := item.Opening
		for _, t := range item.Items {
			if !t.Depth.on(p.depth) {
				continue
			}
			head, text := strings.Repeat(" ", in+below), t.Text
			if marks > 0 {
				head += pad(t.Mark, marks+gap)
			}
			if opening != "" {
				text, opening = opening+": "+text, ""
			}
			p.paragraph(t.Tone, head, text)
		}
	}
}

// table prints a table: as many of its columns as there is room for, or all of them
// in as many tables as they need.
func (p *printer) table(t *Table) {
	rows := p.lines(t)
	n := len(t.Columns)
	kept := p.fit(t, rows)
	switch {
	case t.Split:
		p.split(rows, n)
	case t.Unfold && tableWidth(rows, kept) > p.width:
		p.unfold(t)
	default:
		p.print(rows, kept)
	}
	for i, c := range t.Columns {
		for _, text := range c.Instead {
			if !t.Split && !kept[i] && hasText(rows, i) {
				p.marked(text, indent)
			}
		}
	}
	for _, text := range t.Legend {
		p.paragraph(Soft, strings.Repeat(" ", indent), text)
	}
}

// nameLeast is how wide the names of facts are at least.
const nameLeast = 3

// unfold prints each row in lines.
func (p *printer) unfold(t *Table) {
	heads := nameLeast
	for _, c := range t.Columns[1:] {
		heads = max(heads, Width(c.Head))
	}
	for _, r := range t.Rows {
		p.paragraph(Plain, pad("", indent), strings.TrimSpace(r.Cells[0].Text+" "+r.Note))
		for i, c := range r.Cells[1:] {
			p.paragraph(Plain, pad("", 2*indent)+pad(t.Columns[i+1].Head, heads+1), c.String())
		}
	}
}

// line is a row of a table as a terminal shows it.
type line struct {
	Row
	texts  []string
	head   bool
	rights []bool
}

// lines are the rows of a table below its head.
func (p *printer) lines(t *Table) []line {
	head := line{head: true, Row: Row{Tone: Soft}}
	for i, c := range t.Columns {
		text := c.Head
		if c.Short != "" {
			text = strings.TrimSpace(c.Short)
		} else if i == 0 {
			text = "" // it is what the rows are of
		}
		head.texts, head.rights = append(head.texts, text), append(head.rights, c.Right)
	}
	all := []line{head}
	for _, r := range t.Rows {
		l := line{Row: r, rights: head.rights}
		for i, c := range r.Cells {
			if t.Columns[i].Depth.on(p.depth) {
				l.texts = append(l.texts, c.String())
			} else {
				l.texts = append(l.texts, "")
			}
		}
		for len(l.texts) < len(t.Columns) {
			l.texts = append(l.texts, "")
		}
		all = append(all, l)
	}
	return all
}

// hasText says whether a column has a text below its head.
func hasText(rows []line, column int) bool {
	return slices.ContainsFunc(rows, func(l line) bool { return !l.head && l.Group == "" && l.texts[column] != "" })
}

// fit chooses the columns that a table has room for: those of rank 0 in any case,
// then the others by rank, where they are not empty below their heads.
func (p *printer) fit(t *Table, rows []line) []bool {
	kept := make([]bool, len(t.Columns))
	most := 0
	for _, c := range t.Columns {
		most = max(most, c.Rank)
	}
	for rank := range most + 1 {
		for i, c := range t.Columns {
			if c.Rank != rank || i > 0 && !hasText(rows, i) {
				continue
			}
			kept[i] = true
			kept[i] = rank == 0 || tableWidth(rows, kept) <= p.width
		}
	}
	return kept
}

// labelMost is up to which width labels get a column; longer ones have lines of
// their own.
const labelMost = 40

// tableWidth is how wide the kept columns are.
func tableWidth(rows []line, kept []bool) int {
	widths := columnWidths(rows, kept)
	sum := indent + min(widths[0], labelMost)
	for i, w := range widths[1:] {
		if kept[i+1] {
			sum += gap + w
		}
	}
	return sum
}

// columnWidths are those of all columns; rows that are one text have no part in them.
func columnWidths(rows []line, kept []bool) []int {
	widths := make([]int, len(kept))
	for _, l := range rows {
		if l.Group != "" {
			continue
		}
		for i, text := range l.texts {
			if kept[i] {
				widths[i] = max(widths[i], Width(text))
			}
		}
	}
	return widths
}

// split prints rows in as many tables as their columns need: each has the labels, and
// as many of the columns that are left as there is room for.
func (p *printer) split(rows []line, n int) {
	for from := 1; from < n; {
		kept := make([]bool, n)
		kept[0], kept[from] = true, true
		to := from + 1
		for ; to < n; to++ {
			if kept[to] = true; tableWidth(rows, kept) > p.width {
				kept[to] = false
				break
			}
		}
		if from > 1 {
			p.line(Plain, "")
		}
		p.print(rows, kept)
		from = to
	}
}

// print prints the kept columns. A label that is too long gets a line of its own, so
// that nothing is cut off.
func (p *printer) print(rows []line, kept []bool) {
	widths := columnWidths(rows, kept)
	rest := indent
	for i, w := range widths[1:] {
		if kept[i+1] {
			rest += gap + w
		}
	}
	label := min(widths[0], max(p.width-rest, 12))
	for _, l := range rows {
		begin := strings.Repeat(" ", indent)
		if l.head && !slices.ContainsFunc(widths[1:], func(w int) bool { return w > 0 }) {
			continue // rows of a label and one text
		}
		if l.Group != "" {
			p.line(Strong, begin+l.Group)
			continue
		}
		if Width(l.texts[0]) > label {
			p.line(l.Tone, begin+l.texts[0])
			begin = pad("", indent+label)
		} else {
			begin += pad(l.texts[0], label)
		}
		if l.Span != "" {
			p.hanging(l.Tone, begin+pad("", gap), l.Struck, l.Span)
			continue
		}
		text := begin
		for i := range widths[1:] {
			if !kept[i+1] {
				continue
			}
			cell, room := l.texts[i+1], widths[i+1]
			if l.rights[i+1] {
				cell = pad("", room-Width(cell)) + cell
			}
			text += pad("", gap) + pad(cell, room)
		}
		p.line(l.Tone, text)
		p.below(l, kept, indent+label+gap)
	}
}

// below prints what belongs to a row and has no room in it.
func (p *printer) below(l line, kept []bool, column int) {
	for i, c := range l.Cells {
		if c.Below != "" && !kept[i] {
			p.paragraph(l.Tone, pad("", column), c.Below)
		}
	}
	if l.Under != "" {
		p.paragraph(l.Tone, pad("", column), l.Under)
	}
	notes := []string{l.Note}
	for i, c := range l.Cells {
		if !kept[i] {
			notes = append(notes, c.Note)
		}
	}
	for _, text := range notes {
		if text != "" {
			p.paragraph(Soft, pad("", 2*indent), text)
		}
	}
}
