package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
)

// style is how a piece of text looks on a terminal with colours.
type style string

const (
	plain style = ""
	bold  style = "1"
	dim   style = "2"
	warn  style = "33"
	bad   style = "31;1"
)

// printer prints styled lines. Whatever it prints goes through clean: an
// untrusted label can't send a terminal anything but letters.
type printer struct {
	w      io.Writer
	width  int
	colour bool
	err    error
}

func (p *printer) print(s style, line string) {
	if p.err == nil {
		_, p.err = fmt.Fprintln(p.w, p.paint(s, strings.TrimRight(line, " ")))
	}
}

func (p *printer) paint(s style, line string) string {
	line = Clean(line)
	if !p.colour || s == plain || line == "" {
		return line
	}
	return "\x1b[" + string(s) + "m" + line + "\x1b[0m"
}

// width is the number of columns that a text takes.
func width(s string) int {
	n := 0
	for _, r := range Clean(s) {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me):
		case unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana):
			n += 2
		default:
			n++
		}
	}
	return n
}

func pad(s string, n int) string { return s + strings.Repeat(" ", max(0, n-width(s))) }

// wrapped prints a paragraph behind a head; the lines after the first hang
// below the text.
func (p *printer) wrapped(s style, head, paragraph string) {
	indent := min(width(head), p.width/2)
	line, used := head, width(head)
	if used > indent {
		p.print(s, line)
		line, used = strings.Repeat(" ", indent), indent
	}
	empty := true
	for _, word := range strings.Fields(Clean(paragraph)) {
		if n := width(word); !empty && used+1+n > p.width {
			p.print(s, line)
			line, used, empty = strings.Repeat(" ", indent), indent, true
		}
		if !empty {
			line, used = line+" ", used+1
		}
		line, used, empty = line+word, used+width(word), false
	}
	p.print(s, line)
}

// row is one line of a table; its first cell is the label.
type row struct {
	cells []string
	style style
	// span is one text across all cells but the label.
	span string
	// under is a line below the row, under its cells; note one under its label.
	under, note string
}

func (r row) heading() bool { return len(r.cells) == 1 && r.span == "" }

// The space between columns, and before the first.
const gap, indent = 2, 2

// fit chooses the columns that a table has room for: those of rank 0 in any
// case, then the others by rank, where they are not empty below their head. It
// returns which columns are there.
func (p *printer) fit(rows []row, ranks []int) ([]row, []bool) {
	has, kept := filled(rows, len(ranks)), make([]bool, len(ranks))
	for rank := range slices.Max(ranks) + 1 {
		for i, r := range ranks {
			if r != rank || !has[i] {
				continue
			}
			kept[i] = true
			kept[i] = rank == 0 || tableWidth(rows, kept) <= p.width
		}
	}
	return cut(rows, kept), kept
}

// filled says which of n columns have text below the first row; the first
// column counts as filled.
func filled(rows []row, n int) []bool {
	has := make([]bool, n)
	has[0] = true
	for _, r := range rows[1:] {
		for i, c := range r.cells {
			has[i] = has[i] || c != ""
		}
	}
	return has
}

// tableWidth is how wide a table is; a label of over 40 columns gets its own line.
func tableWidth(rows []row, kept []bool) int {
	sum := indent
	for i, w := range columnWidths(rows) {
		switch {
		case i == 0:
			sum += min(w, 40)
		case kept[i]:
			sum += gap + w
		}
	}
	return sum
}

func keep(cells []string, kept []bool) []string {
	var some []string
	for i, c := range cells {
		if kept[i] {
			some = append(some, c)
		}
	}
	return some
}

// table prints rows in columns. A label that is too long gets a line of its
// own, so that nothing is cut off.
func (p *printer) table(rows []row) {
	widths := columnWidths(rows)
	rest := indent
	for _, w := range widths[1:] {
		rest += gap + w
	}
	label := min(widths[0], max(p.width-rest, 12))
	for _, r := range rows {
		line := strings.Repeat(" ", indent)
		if r.heading() {
			p.print(r.style, line+r.cells[0])
			continue
		}
		if n := width(r.cells[0]); n > label {
			p.print(r.style, line+r.cells[0])
			line = pad("", indent+label)
		} else {
			line += pad(r.cells[0], label)
		}
		if r.span != "" {
			p.wrapped(r.style, line+pad("", gap), r.span)
			continue
		}
		for i, c := range r.cells[1:] {
			line += pad("", gap) + pad(c, widths[i+1])
		}
		p.print(r.style, line)
		if r.under != "" {
			p.wrapped(r.style, pad("", indent+label+gap), r.under)
		}
		if r.note != "" {
			p.wrapped(dim, pad("", 2*indent), r.note)
		}
	}
}

func columnWidths(rows []row) []int {
	widths := []int{0} // there may be headings only
	for _, r := range rows {
		for i, c := range r.cells {
			if r.heading() {
				break
			}
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], width(c))
		}
	}
	return widths
}

// split prints rows in as many tables as their columns need: each has the
// labels, and as many of the columns that are left as there is room for.
func (p *printer) split(rows []row) {
	n := len(columnWidths(rows))
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
			p.print(plain, "")
		}
		p.table(cut(rows, kept))
		from = to
	}
}

// cut leaves the kept columns of a table.
func cut(rows []row, kept []bool) []row {
	var some []row
	for _, r := range rows {
		if !r.heading() && r.span == "" {
			r.cells = keep(r.cells, kept)
		}
		some = append(some, r)
	}
	return some
}
