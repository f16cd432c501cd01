package replication

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"moobench/analysis/figure"
	"moobench/analysis/report"
)

// Text prints a replication for people, in lines of at most width characters
// where texts can be broken.
func Text(w io.Writer, r *Replication, width int) error {
	p := &printer{width: max(width, 60), stamp: stamp(r.Scale)}
	p.head(r)
	for _, t := range r.Tables {
		p.beside(t)
	}
	p.checks(r)
	for i, j := range r.Claims {
		if i == 0 {
			p.WriteString("\nclaims" + p.stamp + "\n")
		}
		p.judged(j)
	}
	_, err := io.WriteString(w, p.String())
	return err
}

type printer struct {
	strings.Builder
	width int
	stamp string // of a campaign that was shortened: it stands everywhere
}

// stamp is what every part of the output of a shortened campaign says.
func stamp(scale float64) string {
	if scale == 0 {
		return ""
	}
	return " · shortened to " + strconv.FormatFloat(scale, 'g', -1, 64)
}

func (p *printer) head(r *Replication) {
	p.wrapped("", r.Paper+p.stamp)
	p.wrapped("  ", r.Source)
	if r.Campaign != "" {
		p.wrapped("  ", "ours: "+strings.Join(slices.Concat([]string{r.Campaign}, r.Machines, prefixed("JDK ", r.Runtimes)), " · "))
	}
	for _, u := range r.Unanswered {
		p.wrapped("  ! ", "incomplete: "+u)
	}
	for _, warning := range r.Warnings {
		p.wrapped("  ! ", warning)
	}
}

func prefixed(head string, all []string) []string {
	var out []string
	for _, s := range all {
		out = append(out, head+s)
	}
	return out
}

// beside prints a table: for each column its figures as printed, ours in the
// same arithmetic, and ours over invocations.
func (p *printer) beside(t Beside) {
	p.WriteString("\n")
	p.wrapped("", t.Title+", "+t.Unit+p.stamp)
	p.wrapped("  ", "printed: "+t.Source)
	if t.Note != "" {
		p.wrapped("  ", t.Note)
	}
	names := statistics()
	rows := [][]string{append([]string{"", ""}, names...)}
	for _, c := range t.Columns {
		title := c.Title
		if len(c.Printed) > 0 {
			rows = append(rows, append([]string{title, "printed"}, texts(c.Printed, names, c.Doubts)...))
			title = ""
		}
		if c.Ours != nil {
			rows = append(rows, append([]string{title, "ours, same arithmetic"}, texts(c.Ours, names, nil)...))
		}
	}
	p.table(rows, 2)
	for _, c := range t.Columns {
		p.own(c)
	}
	for _, c := range t.Columns {
		for _, name := range names {
			if d := c.Doubts[name]; d != "" {
				p.wrapped("  ? ", c.Title+", "+name+" "+c.Printed[name].Text+": "+d)
			}
		}
	}
}

// own is our own method's line.
func (p *printer) own(c ColumnPair) {
	who := c.Title
	if c.Variant != "" {
		who += " (" + c.Variant + ")"
	}
	switch e, r := c.Mean, c.Rate; {
	case c.NoOurs != "":
		p.wrapped("  ", who+": no figures of ours: "+c.NoOurs)
	case r != nil && r.Interval != nil:
		p.wrapped("  ", fmt.Sprintf("%s, over invocations: %s (%s), n = %d", who, figure.Quantity(r.PerMillion, "per million"), figure.Range(r.Interval.Low, r.Interval.High, "per million"), r.N))
	case e != nil && e.Interval != nil:
		p.wrapped("  ", fmt.Sprintf("%s, over invocations: %s (%s), n = %d", who, figure.Quantity(e.Value, c.MeanUnit), figure.Range(e.Interval.Low, e.Interval.High, c.MeanUnit), e.N))
	case e != nil:
		p.wrapped("  ", fmt.Sprintf("%s, over invocations: %s, n = %d: no interval", who, figure.Quantity(e.Value, c.MeanUnit), e.N))
	}
}

// texts are figures in order; those in doubt have a ?.
func texts(of map[string]Number, names []string, doubts map[string]string) []string {
	var all []string
	for _, name := range names {
		n, ok := of[name]
		switch {
		case !ok:
			all = append(all, "")
		case doubts[name] != "":
			all = append(all, n.Text+" ?")
		default:
			all = append(all, n.Text)
		}
	}
	return all
}

// checks prints what is recomputed; the notes follow, by number.
func (p *printer) checks(r *Replication) {
	if len(r.Checks) == 0 {
		return
	}
	p.WriteString("\nrecomputed from the printed figures alone" + p.stamp + "\n")
	head := []string{"", "", "printed", "recomputed", "follows?"}
	if r.Campaign != "" {
		head = append(head, "from ours")
	}
	rows, notes := [][]string{head}, []string(nil)
	for _, c := range r.Checks {
		mark := ""
		if text := c.remark(); text != "" {
			notes = append(notes, text)
			mark = fmt.Sprintf("[%d]", len(notes))
		}
		rows = append(rows, c.row(mark, r.Campaign != ""))
	}
	p.table(rows, 2)
	for i, n := range notes {
		p.wrapped(fmt.Sprintf("  [%d] ", i+1), n)
	}
}

// remark is what a check needs to be said beside it.
func (r *Recomputed) remark() string {
	var all []string
	for _, text := range []string{r.Wrong, r.Note} {
		if text != "" {
			all = append(all, text)
		}
	}
	if r.NoOurs != "" {
		all = append(all, "none from ours: "+r.NoOurs)
	}
	return strings.Join(all, "; ")
}

func (r *Recomputed) row(mark string, beside bool) []string {
	name, printed, text := r.Name, "–", r.Text
	if r.Where != "" {
		name += " (" + r.Where + ")"
	}
	if r.Printed != nil {
		printed = r.Printed.Text
	}
	if r.Wrong != "" {
		mark += " !"
	}
	row := []string{name, mark, printed, text, string(r.Follows)}
	if !beside {
		return row
	}
	ours := ""
	switch {
	case r.Ours != nil:
		ours = strconv.FormatFloat(*r.Ours, 'g', 6, 64)
	case r.NoOurs != "":
		ours = "none"
	}
	return append(row, ours)
}

func (p *printer) judged(j Judged) {
	p.wrapped("  ", j.Text+" ("+j.Where+")")
	verdict := strings.ToUpper(string(j.Verdict))
	if j.Detectable != "" {
		verdict += " (" + j.Detectable + ")"
	}
	p.wrapped("    ", verdict+stamp(j.Scale)+": "+j.Because)
	if j.Note != "" {
		p.wrapped("    ", j.Note)
	}
}

// table aligns rows: the first columns to the left, numbers to the right.
func (p *printer) table(rows [][]string, left int) {
	var widths []int
	for _, r := range rows {
		for i, cell := range r {
			cell = report.Clean(cell)
			r[i] = cell
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, r := range rows {
		line := " "
		for i, cell := range r {
			if widths[i] == 0 {
				continue
			}
			space := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i < left {
				line += " " + cell + space
			} else {
				line += "  " + space + cell
			}
		}
		p.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// wrapped breaks a text between words; further lines begin below its start.
func (p *printer) wrapped(head, text string) {
	line, indent := head, strings.Repeat(" ", utf8.RuneCountInString(head))
	for i, word := range strings.Fields(text) {
		if i > 0 && utf8.RuneCountInString(line)+utf8.RuneCountInString(word) > p.width {
			p.WriteString(strings.TrimRight(line, " ") + "\n")
			line = indent
		}
		line += report.Clean(word) + " "
	}
	p.WriteString(strings.TrimRight(line, " ") + "\n")
}
