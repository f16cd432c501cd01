package report

import (
	"math"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/results"
)

// footnotes numbers the marks of a table; cells with the same share one.
type footnotes struct{ notes []footnote }

type footnote struct {
	Mark  analysis.Mark
	Cells []string
}

func (n footnote) text() string {
	return strings.Join(n.Cells, ", ") + ": " + n.Mark.Show + ": " + n.Mark.Text
}

func (f *footnotes) number(m analysis.Mark, cell string) int {
	for i := range f.notes {
		if f.notes[i].Mark == m {
			f.notes[i].Cells = append(f.notes[i].Cells, cell)
			return i + 1
		}
	}
	f.notes = append(f.notes, footnote{m, []string{cell}})
	return len(f.notes)
}

// refer returns the references to a cell's marks: "!1,2".
func (f *footnotes) refer(c *analysis.Cell) string {
	var refs []string
	for _, m := range c.Marks {
		refs = append(refs, strconv.Itoa(f.number(m, c.Label)))
	}
	if len(refs) == 0 {
		return ""
	}
	return "!" + strings.Join(refs, ",")
}

// rows are the lines of the table of one metric, level by level. Without
// footnotes there is no column for records.
func (p *printer) rows(s *analysis.Scenario, m results.Metric, notes *footnotes) []row {
	head := []string{"", "n", unitHead(m), versus(s), "ratio", "records"}
	rows := []row{{cells: p.fit(head, notes), style: dim}}
	for _, level := range levels(s) {
		if level != "" {
			rows = append(rows, row{cells: []string{level}, style: bold})
		}
		for i := range s.Cells {
			if c := &s.Cells[i]; c.Level == level && c.Role != results.RoleAA {
				rows = append(rows, p.cellRow(c, m, notes))
			}
		}
		for _, aa := range s.AA {
			if aa.Level == level && notes != nil {
				rows = append(rows, row{cells: []string{"A/A"}, span: aa.Text, style: aaStyle(aa)})
			}
		}
	}
	return rows
}

// fit leaves out what a narrow terminal has no room for.
func (p *printer) fit(cells []string, notes *footnotes) []string {
	if notes == nil {
		cells = cells[:5]
	}
	if p.width < wide {
		cells = append([]string{cells[0], cells[2], cells[3]}, cells[5:]...)
	}
	return cells
}

func unitHead(m results.Metric) string {
	if m.Series != "" {
		return "per call"
	}
	return "mean"
}

func versus(s *analysis.Scenario) string {
	name := ""
	for _, c := range s.Cells {
		if c.Role == results.RoleBaseline && name == "" {
			name = c.Variant
		} else if c.Role == results.RoleBaseline && c.Variant != name {
			name = "baseline"
		}
	}
	if name == "" {
		return ""
	}
	return "vs " + name + " (95 % CI)"
}

// levels in the order of their first cells.
func levels(s *analysis.Scenario) []string {
	var found []string
	seen := map[string]bool{}
	for _, c := range s.Cells {
		if !seen[c.Level] {
			seen[c.Level] = true
			found = append(found, c.Level)
		}
	}
	return found
}

func aaStyle(aa analysis.AA) style {
	if aa.State == analysis.AAFailed {
		return bad
	}
	return dim
}

func (p *printer) cellRow(c *analysis.Cell, m results.Metric, notes *footnotes) row {
	r := row{style: plain}
	last := ""
	if notes != nil {
		last = join(recordsText(c), notes.refer(c))
		if p.width >= wide && len(c.Marks) > 0 {
			last = join(last, shows(c))
		}
		if len(c.Marks) > 0 {
			r.style = warn
		}
	}
	cells := []string{c.Variant, "", "", "", "", last}
	if c.Void != "" {
		r.style, cells[2], cells[3] = bad, "not instrumented", "–"
	} else if a := metricOf(c, m.Name); a != nil {
		cells[1], cells[2] = count(a.Mean), meanText(a, m.Unit)
		cells[3], cells[4] = differenceText(a, m.Unit), ratioText(a)
	}
	r.cells = p.fit(cells, notes)
	return r
}

func shows(c *analysis.Cell) string {
	var all []string
	for _, m := range c.Marks {
		if m.Show != recordsText(c) && c.Void == "" {
			all = append(all, m.Show)
		}
	}
	return strings.Join(all, ", ")
}

func join(a, b string) string { return strings.TrimSpace(a + " " + b) }

func count(e *analysis.Estimate) string {
	if e == nil {
		return ""
	}
	return strconv.Itoa(e.N)
}

// meanText is 2.072 µs ± 1.7 %.
func meanText(a *analysis.MetricAnswer, unit string) string {
	if a.Mean == nil {
		return "–"
	}
	text := figure.Quantity(a.Mean.Value, unit)
	i := a.Mean.Interval
	if i == nil || a.Mean.Value == 0 {
		return text
	}
	return text + " ± " + figure.Percent((i.High-i.Low)/2/math.Abs(a.Mean.Value))
}

// differenceText is +2.016 µs (1.981 … 2.052).
func differenceText(a *analysis.MetricAnswer, unit string) string {
	d := a.Difference
	switch {
	case d == nil && a.NoDifference != "":
		return "–"
	case d == nil:
		return ""
	case d.Interval == nil:
		s := figure.Fit(unit, d.Value)
		return s.WithUnit(s.Signed(d.Value))
	}
	s := figure.Fit(unit, d.Value, d.Interval.Low, d.Interval.High)
	return s.WithUnit(s.Signed(d.Value)) + " (" + s.Number(d.Interval.Low) + " … " + s.Number(d.Interval.High) + ")"
}

// ratioText is × 36.94 (36.20 … 37.70).
func ratioText(a *analysis.MetricAnswer) string {
	r := a.Ratio
	if r == nil {
		return ""
	}
	if r.Interval == nil {
		return "× " + figure.Ratio(r.Value)
	}
	s := figure.Fit("", r.Value, r.Interval.Low, r.Interval.High)
	return "× " + s.Number(r.Value) + " (" + s.Number(r.Interval.Low) + " … " + s.Number(r.Interval.High) + ")"
}

// recordsText is what the records column says.
func recordsText(c *analysis.Cell) string {
	r := c.Records
	if r == nil {
		return ""
	}
	switch {
	case r.Verdict == analysis.NotInstrumented:
		return "none"
	case r.Verdict == analysis.NotProven:
		return string(r.Verdict)
	case r.Proof == results.ProofSibling:
		return "sibling"
	case r.Proof == results.ProofZero:
		return figure.Count(r.Received) + " of 0"
	}
	if r.Expected == 0 {
		return ""
	}
	return figure.Share(r.Received, r.Expected)
}
