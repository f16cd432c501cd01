package report

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"moobench/analysis"
	"moobench/analysis/figure"
)

// markdownMost is what the summary of a CI job holds, in bytes.
const markdownMost = 1 << 20

// Markdown prints the answers as Markdown with the tables of GitHub, which the
// summary of a CI job shows: at most 1 MiB. It needs no HTML, and what it leaves
// out it says.
func Markdown(w io.Writer, a *analysis.Answers) error {
	d := &document{most: markdownMost}
	d.head(a)
	d.gate(a)
	for i := range a.Scenarios {
		d.scenario(&a.Scenarios[i])
	}
	d.payoffs(a)
	d.foot(a)
	_, err := io.WriteString(w, d.String())
	return err
}

// document is Markdown that is being written. Once it is full it only counts.
type document struct {
	text strings.Builder
	most int // bytes
	left int // lines that found no room
}

// reserved is room for the sentence that says what is left out.
const reserved = 300

// line adds a line.
func (d *document) line(text string) {
	if d.left > 0 || d.text.Len()+len(text)+1 > d.most-reserved {
		if text != "" {
			d.left++
		}
		return
	}
	d.text.WriteString(text + "\n")
}

// paragraph adds a line, and an empty one before it; nothing of no text.
func (d *document) paragraph(text string) {
	if text == "" {
		return
	}
	d.line("")
	d.line(text)
}

// String is the whole, with what was left out.
func (d *document) String() string {
	if d.left == 0 {
		return d.text.String()
	}
	return d.text.String() + fmt.Sprintf("\n**%s left out**: this summary holds at most %d bytes. All of it: `moobench report` with `--format html`, or `--format json`.\n",
		figure.Plural(d.left, "line is", "lines are"), d.most)
}

func (d *document) head(a *analysis.Answers) {
	parts := headline(a)
	title := md(parts[0])
	if title == "" {
		title = "campaign"
	}
	d.line("# " + title)
	d.paragraph(md(strings.Join(parts[1:], " · ")))
	for _, text := range stampTexts(a) {
		d.paragraph("> **! " + md(text) + "**")
	}
	for _, text := range a.Unanswered {
		d.paragraph("> ! incomplete: " + md(text))
	}
	if about := md(a.Campaign.About); about != "" {
		d.paragraph(about)
	}
}

// gate is what the gate says, before everything that it was read from.
func (d *document) gate(a *analysis.Answers) {
	g := newGate(a)
	if g == nil {
		return
	}
	d.paragraph("## " + md(g.Title) + ": " + md(string(g.Verdict)))
	d.paragraph(md(g.Sentence))
	for i, c := range a.Gate.Cells {
		if i == 0 {
			d.line("")
		}
		d.line("- " + strong(c.Label) + " " + md(c.Sentence))
	}
	d.paragraph(md(g.Asked) + ".")
}

func (d *document) scenario(s *analysis.Scenario) {
	d.paragraph("## " + md(s.Label))
	d.paragraph(md(describe(s)))
	for _, note := range s.Notes {
		d.paragraph("> ! " + md(note))
	}
	for i, q := range ordered(s.Answers) {
		if i == 0 {
			d.paragraph("### Questions and answers")
			d.line("")
		}
		d.answer(&q)
	}
	if s.Unseen != "" {
		d.line("- " + md(s.Unseen))
	}
	for _, t := range sheets(s) {
		d.table(t)
	}
	if t := pooledSheet(s); len(t.rows) > 0 {
		d.table(t.narrow())
	}
	for i, g := range s.Growths {
		if i == 0 {
			d.paragraph("### Growth")
			d.line("")
		}
		d.line("- " + md(strings.TrimSpace(g.Metric+" by "+g.Factor+", "+g.Variant+" "+g.At)+": "+g.Text))
	}
}

// answer is one item of a list.
func (d *document) answer(q *analysis.Answer) {
	text := q.Text
	if text == "" {
		text = q.ID
	}
	line := "- " + strong(text) + " " + md(q.Sentence)
	if q.Detail != "" {
		line += " (" + md(q.Detail) + ")"
	}
	d.line(line)
}

// table is a table with its heading above and its remarks below.
func (d *document) table(t sheet) {
	d.paragraph("### " + md(upper(t.title)))
	d.paragraph(md(t.about))
	d.line("")
	d.line(tableLine(t.head))
	var rule []string
	for _, text := range t.text {
		if text {
			rule = append(rule, ":--")
		} else {
			rule = append(rule, "--:")
		}
	}
	d.line("| " + strings.Join(rule, " | ") + " |")
	for _, r := range t.rows {
		d.line(tableLine(r))
	}
	for i, remark := range t.remarks {
		if i == 0 {
			d.line("")
		}
		d.line("- " + md(remark))
	}
}

func (d *document) payoffs(a *analysis.Answers) {
	for i, b := range newPayoffs(a) {
		if i == 0 {
			d.paragraph("## " + payoffTitle)
			d.line("")
		}
		d.line("- " + strong(b.Title) + " " + md(b.Text))
	}
}

func (d *document) foot(a *analysis.Answers) {
	for _, text := range a.Warnings {
		d.paragraph("> ! " + md(text))
	}
	d.paragraph("Measured by moobench: " + md(provenanceLine(a)) + ".")
}

// tableLine is a line of a table.
func tableLine(texts []string) string {
	marked := make([]string, len(texts))
	for i, t := range texts {
		marked[i] = md(t)
	}
	return "| " + strings.Join(marked, " | ") + " |"
}

// strong is a text in bold, nothing where there is none.
func strong(s string) string {
	if s = md(s); s != "" {
		return "**" + s + "**"
	}
	return ""
}

// md is a text that is nothing but text in Markdown, on one line: signs that
// mean something have a backslash before them, and so has what would begin a
// list or a heading.
func md(s string) string {
	s = oneLine(s)
	return numbered(plainMarkdown(s, func(i int, r rune) string {
		if i == 0 && beginsBlock(s) || strings.ContainsRune("\\`*_[]<>|~$&", r) {
			return "\\" + string(r)
		}
		return string(r)
	}))
}

// beginsBlock says whether a text begins like a heading, a rule or an item of a
// list; a number with its sign does not.
func beginsBlock(s string) bool {
	return strings.ContainsAny(s[:1], "#+-=") && (len(s) == 1 || s[1] < '0' || s[1] > '9')
}

// numbered keeps a text that begins with 1. or 1) from being an item of a list.
func numbered(s string) string {
	rest := strings.TrimLeft(s, "0123456789")
	if rest == s || !strings.HasPrefix(rest+" ", ". ") && !strings.HasPrefix(rest+" ", ") ") {
		return s
	}
	return s[:len(s)-len(rest)] + "\\" + rest
}

// upper begins with a capital.
func upper(s string) string {
	r := []rune(s)
	if len(r) > 0 {
		r[0] = unicode.ToUpper(r[0])
	}
	return string(r)
}
