package doc

import (
	"bufio"
	"io"
	"slices"
	"strings"
)

// TextOptions describe a terminal and the wishes of its reader.
type TextOptions struct {
	Width int   // columns, 80 when 0
	Color bool  // never carries meaning alone
	Depth Depth // Brief, or Full with --all
}

// Text prints a document for a terminal. Everything goes through Clean: an untrusted label can only send
// printable characters.
func Text(w io.Writer, d *Document, o TextOptions) error {
	p := &printer{w: bufio.NewWriter(w), TextOptions: o}
	if d.Inset {
		p.inset = indent
	}
	if p.Width <= 0 {
		p.Width = 80
	}
	p.Width = max(p.Width, leastWidth)
	if d.Title != "" || len(d.Facts) > 0 {
		head := append([]string{d.Title}, d.Facts...)
		head = slices.DeleteFunc(head, func(s string) bool { return s == "" })
		p.paragraph(Strong, "", strings.Join(head, " · "))
	}
	p.blocks(d.Blocks, p.inset)
	return p.w.Flush()
}

// leastWidth is the minimum wrap width.
const leastWidth = 40

// The space between columns, and the indentation below a heading.
const gap, indent = 2, 2

// printer prints blocks.
type printer struct {
	w *bufio.Writer // remembers the first error
	TextOptions
	inset   int  // indentation of marks
	printed bool // something was printed
}

// colors are the escape codes of the tones.
var colors = map[Tone]string{Strong: "1", Soft: "2", Warning: "33", Bad: "31;1"}

// line prints one line.
func (p *printer) line(tone Tone, text string) {
	text = Clean(strings.TrimRight(text, " "))
	if code := colors[tone]; p.Color && code != "" && text != "" {
		text = "\x1b[" + code + "m" + text + "\x1b[0m"
	}
	p.write(text)
}

func (p *printer) write(line string) {
	p.printed = true
	p.w.WriteString(line + "\n")
}

// paragraph prints a text after a head.
func (p *printer) paragraph(tone Tone, head, text string) { p.hanging(tone, head, Entry{Term: text}) }

// hanging prints a term after a head, its first words struck out if there are colours, and what to do about it
// after that if it fits; further lines are indented to the text. A head that takes more than half of the line
// gets a line of its own.
func (p *printer) hanging(tone Tone, head string, e Entry) {
	hang := min(Width(head), p.Width/2)
	if Width(head) > hang {
		p.line(tone, head)
		head = pad("", hang)
	}
	lines := Wrap(e.Struck+" "+e.Term, p.Width-hang)
	if last := len(lines) - 1; e.Do != "" && Width(lines[last]+"  → "+e.Do) <= p.Width-hang {
		lines[last] += "  → " + e.Do
	} else if e.Do != "" {
		lines = append(lines, Wrap("→ "+e.Do, p.Width-hang)...)
	}
	out := len(strings.Fields(e.Struck))
	for _, line := range lines {
		if words := strings.Fields(line); p.Color && out > 0 {
			n := min(out, len(words))
			out -= n
			p.write(Clean(head) +
				strings.TrimRight("\x1b[9m"+strings.Join(words[:n], " ")+"\x1b[29m "+strings.Join(words[n:], " "), " "))
		} else {
			p.line(tone, head+line)
		}
		head = pad("", hang)
	}
}

// blocks prints the blocks that the reader asked for; in is the indentation of texts without a mark.
func (p *printer) blocks(all []Block, in int) {
	all = slices.DeleteFunc(slices.Clone(all), func(b Block) bool { return !b.depth().on(p.Depth) })
	slices.SortStableFunc(all, func(a, b Block) int { return lastOf(a) - lastOf(b) })
	var last Block
	for _, b := range all {
		switch b := b.(type) {
		case *Section:
			p.section(b)
		case Paragraph:
			head := pad("", in)
			if b.Mark != "" {
				head = pad("", p.inset) + b.Mark + " "
			}
			p.paragraph(b.Tone, head, b.Text)
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

// lastOf is the order of blocks at the end of a terminal's output.
func lastOf(b Block) int {
	if s, ok := b.(*Section); ok {
		return s.Last
	}
	return 0
}

func (p *printer) section(s *Section) {
	if s.Silent && !slices.ContainsFunc(s.Blocks, func(b Block) bool { return b.depth().on(p.Depth) }) {
		return
	}
	if p.printed && !s.Tight {
		p.line(Plain, "")
	}
	switch {
	case s.Silent:
	case s.Tight:
		p.line(Plain, s.Title)
	case s.Tone == Soft:
		p.line(Soft, pad("", indent)+s.Title)
	case s.About == "":
		p.paragraph(max(Strong, s.Tone), "", s.Title)
	default:
		p.paragraph(max(Strong, s.Tone), s.Title+"  ", s.About)
	}
	in := indent
	if s.Flush {
		in = 0
	}
	p.blocks(s.Blocks, in)
}

// entries prints each term on a line, with its explanation below; marks have a column of their own.
func (p *printer) entries(e *Entries, in int) {
	below := indent
	if e.Inner {
		in, below = in+indent, 2*indent
	}
	for _, item := range e.Items {
		head := pad("", in)
		if item.Mark != "" {
			head += " " + pad(item.Mark, 4)
		}
		if e.Names > 0 {
			head += pad(item.Name, e.Names) + " "
		}
		p.hanging(item.Tone, head, item)
		marks := 0
		for _, t := range item.Items {
			marks = max(marks, Width(t.Mark))
		}
		for _, t := range item.said() {
			head := pad("", in+below)
			if marks > 0 {
				head += pad(t.Mark, marks+gap)
			}
			if t.Depth.on(p.Depth) {
				p.paragraph(t.Tone, head, t.Text)
			}
		}
	}
}
