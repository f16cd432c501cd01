package doc

import (
	"slices"
	"strings"
)

// textTable is a table being printed on a terminal, with the columns that its reader asked for.
type textTable struct {
	*Table
	texts  [][]string // of the heads, and of each row
	widths []int      // of the columns
	kept   []bool     // the columns that are printed
	parts  bool       // the columns are spread over several tables
}

// newTextTable chooses the columns that fit: those of rank 0 always, then the others by rank, unless they are
// empty.
func newTextTable(of *Table, depth Depth, room int) *textTable {
	t := &textTable{Table: of.shown(func(column int) bool { return of.Columns[column].Depth.on(depth) })}
	t.kept, t.widths = make([]bool, len(t.Columns)), make([]int, len(t.Columns))
	heads, last := make([]string, len(t.Columns)), ""
	for i, c := range t.Columns {
		if c.Short != "" {
			heads[i] = strings.TrimSpace(c.Short)
		} else if i > 0 { // the first column needs no head
			heads[i] = c.Head
		}
	}
	t.Rows = slices.DeleteFunc(t.Rows, func(r Row) bool { return !r.Depth.on(depth) })
	t.Rows = slices.Insert(t.Rows, 0, Row{Tone: Soft})
	t.texts = [][]string{heads}
	for _, r := range t.Rows[1:] {
		texts := r.texts(len(t.Columns))
		if label := texts[0]; t.Joined && label == last {
			texts[0] = ""
		} else {
			last = label
		}
		t.texts = append(t.texts, texts)
	}
	for _, texts := range t.texts {
		for i, text := range texts {
			t.widths[i] = max(t.widths[i], Width(text))
		}
	}
	most := 0
	for _, c := range t.Columns {
		most = max(most, c.Rank)
	}
	for rank := range most + 1 {
		for i, c := range t.Columns {
			if c.Rank == rank && (i == 0 || t.filled(i)) {
				t.kept[i] = true
				t.kept[i] = rank == 0 || t.width() <= room
			}
		}
	}
	return t
}

// table prints a table: the columns that fit, or all of them in as many tables as they need. Each of these has
// the labels, and as many of the remaining columns as fit.
func (p *printer) table(of *Table) {
	t := newTextTable(of, p.Depth, p.Width)
	switch {
	case t.Split || p.Depth > Brief && t.Explore != "":
		t.parts = true
		var filled []int
		for i := 1; i < len(t.Columns); i++ {
			if t.filled(i) {
				filled = append(filled, i)
			}
		}
		for from := 0; from < len(filled); {
			if from > 0 {
				p.line(Plain, "")
			}
			clear(t.kept)
			t.kept[0], t.kept[filled[from]] = true, true
			for from++; from < len(filled) && t.width()+t.gap(filled[from])+t.widths[filled[from]] <= p.Width; from++ {
				t.kept[filled[from]] = true
			}
			p.rows(t)
		}
	case t.Unfold && t.width() > p.Width:
		for _, r := range of.Rows { // each in several lines
			p.paragraph(Plain, pad("", indent), strings.TrimSpace(r.Cells[0].Text+" "+r.Note))
			for i, c := range r.Cells[1:] {
				p.paragraph(Plain, pad("", 2*indent)+pad(of.Columns[i+1].Head, headLeast), c.String())
			}
		}
	default:
		p.rows(t)
	}
	for i, c := range t.Columns {
		if c.Instead != "" && t.left(i) && t.filled(i) {
			p.paragraph(Soft, pad("", indent), c.Instead)
		}
	}
	notes := t.notes(func(column int) bool { return !t.left(column) })
	for i, text := range slices.Concat(t.Legend, notes) {
		if i == len(t.Legend) {
			p.line(Plain, "")
		}
		p.paragraph(Soft, pad("", indent), text)
	}
}

// left reports whether the table has no room for a column.
func (t *textTable) left(column int) bool { return !t.parts && !t.kept[column] }

// filled reports whether a column has a text below its head; in a table that is set as in a paper, the head
// counts too.
func (t *textTable) filled(column int) bool {
	texts := t.texts
	if !t.Paper {
		texts = texts[1:]
	}
	return slices.ContainsFunc(texts, func(row []string) bool { return row[column] != "" })
}

// labelMost is the largest width of a column of labels; longer labels have lines of their own.
const labelMost = 40

// gap is the space before a column.
func (t *textTable) gap(column int) int {
	if t.Paper && column == 1 {
		return 1
	}
	return gap
}

// width is the width of all kept columns.
func (t *textTable) width() int {
	sum := indent + min(t.widths[0], labelMost)
	for i, w := range t.widths {
		if i > 0 && t.kept[i] {
			sum += t.gap(i) + w
		}
	}
	return sum
}

// rest is the label of rows that are left out.
const rest = "…"

// headLeast is the least width of the heads before unfolded cells.
const headLeast = 4

// rows prints the kept columns. A label that is too long gets a line of its own, so
// that nothing is cut off.
func (p *printer) rows(t *textTable) {
	label, headed := t.widths[0], false
	if !t.Paper {
		label = min(label, max(p.Width-(t.width()-min(label, labelMost)), 12))
	}
	for i, w := range t.widths[1:] {
		headed = headed || t.kept[i+1] && w > 0
	}
	for k, r := range t.Rows {
		begin, texts := pad("", indent), t.texts[k]
		if r.Tone >= Warning { // for readers without colours
			begin = pad("!", indent)
		}
		switch {
		case k == 0 && !headed: // the rows are a label and one text
			continue
		case r.Group != "":
			p.line(Strong, begin+r.Group)
			continue
		case Width(texts[0]) > label:
			p.line(r.Tone, begin+texts[0])
			begin = pad("", indent+label)
		default:
			begin += pad(texts[0], label)
		}
		if r.Span != "" && texts[0] == rest { // it needs no column
			p.paragraph(r.Tone, pad("", indent)+rest+" ", r.Span)
			continue
		}
		if r.Span != "" {
			p.paragraph(r.Tone, begin+pad("", gap), r.Span+enclosed(": ", r.Under, ""))
			continue
		}
		text := begin
		for i, cell := range texts {
			if i == 0 || !t.kept[i] {
				continue
			}
			if t.Paper && i > 1 || t.Columns[i].Number {
				cell = pad("", t.widths[i]-Width(cell)) + cell
			}
			text += pad("", t.gap(i)) + pad(cell, t.widths[i])
		}
		p.line(r.Tone, text)
		p.below(r, t.left, indent+label+gap)
	}
}

// below prints the parts of a row that have no room in it.
func (p *printer) below(r Row, left func(column int) bool, column int) {
	notes := []string{r.Note}
	for i, c := range r.Cells {
		if left(i) {
			notes = append(notes, c.Note)
		}
		if c.Below != "" && left(i) {
			p.paragraph(r.Tone, pad("", column), c.Below)
		}
	}
	if r.Under != "" {
		p.paragraph(r.Tone, pad("", column), r.Under)
	}
	for _, text := range notes {
		if text != "" {
			p.paragraph(Soft, pad("", 2*indent), text)
		}
	}
}
