package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/results"
)

// footnotes numbers the marks of a table; cells with the same share one.
type footnotes struct{ notes []footnote }

// footnote is one text, and the cells that it is about with what stands at
// their numbers.
type footnote struct {
	Mark         analysis.Mark
	Cells, Shows []string
}

func (n footnote) text() string { return n.Who() + ": " + n.Mark.Text }

// Who names the cells with what stands at their numbers, once where that is the
// same of all.
func (n footnote) Who() string {
	if len(slices.Compact(slices.Clone(n.Shows))) < 2 {
		return named(n.Cells, ", ") + ": " + n.Mark.Show
	}
	each := make([]string, len(n.Cells))
	for i, c := range n.Cells {
		each[i] = c + ": " + n.Shows[i]
	}
	return named(each, "; ")
}

// named are the first of some names, and how many more there are.
func named(names []string, between string) string {
	if more := len(names) - namesMost; more > 0 {
		return strings.Join(names[:namesMost], between) + between + "and " + figure.Count(int64(more)) + " more"
	}
	return strings.Join(names, between)
}

func (f *footnotes) number(m analysis.Mark, cell string) int {
	for i := range f.notes {
		if f.notes[i].Mark.Kind == m.Kind && f.notes[i].Mark.Text == m.Text {
			f.notes[i].Cells = append(f.notes[i].Cells, cell)
			f.notes[i].Shows = append(f.notes[i].Shows, m.Show)
			return i + 1
		}
	}
	f.notes = append(f.notes, footnote{m, []string{cell}, []string{m.Show}})
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

// The columns of a table of cells that are asked for by name.
const (
	columnSteady    = 6
	columnPerRecord = 7
)

// rows are the lines of the table of one metric, level by level, as many
// columns as there is room for. Without footnotes the columns that are about
// the cell, not the metric, are empty. It also says which columns are there.
func (p *printer) rows(s *analysis.Scenario, m results.Metric, notes *footnotes) ([]row, []bool) {
	head := []string{"", "n", unitHead(m), versus(s), "ratio", "records", "steady state", "per record", ""}
	rows := []row{{cells: head, style: dim}}
	for _, level := range levels(s) {
		if level != "" {
			rows = append(rows, row{cells: []string{level}, style: bold})
		}
		for i := range s.Cells {
			if c := &s.Cells[i]; c.Level == level && c.Role != results.RoleAA {
				rows = append(rows, cellRow(c, m, notes))
			}
		}
		for _, aa := range s.AA {
			if aa.Level == level && notes != nil {
				rows = append(rows, row{cells: []string{aa.Name()}, span: aa.Text, style: aaStyle(aa)})
			}
		}
	}
	rows, kept := p.fit(rows, []int{0, 1, 0, 0, 3, 0, 4, 5, 2})
	if kept[columnPerRecord] {
		for i := range rows {
			rows[i].under = ""
		}
	}
	return rows, kept
}

func unitHead(m results.Metric) string {
	switch m.Sample() {
	case results.SampleRequest:
		return "per request"
	case results.SampleCall:
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

func cellRow(c *analysis.Cell, m results.Metric, notes *footnotes) row {
	r := row{cells: []string{c.Variant, "", "", "", "", "", "", "", ""}}
	if notes != nil {
		r.cells[5], r.cells[8] = join(recordsText(c), notes.refer(c)), shows(c)
		if c.Void == "" {
			r.cells[columnSteady] = steadyText(c.Steady)
			if !m.Once {
				r.cells[columnPerRecord], r.under = showDifference(c.PerRecord, m.Unit).String(), dearRecords(c, m)
			}
		}
		if len(c.Marks) > 0 {
			r.style = warn
		}
	}
	if c.Void != "" {
		r.style, r.cells[2], r.cells[3] = bad, "not instrumented", "–"
	} else if a := metricOf(c, m.Name); a != nil {
		r.cells[1], r.cells[2] = count(a.Mean), meanText(a, m.Unit)
		r.cells[3], r.cells[4] = differenceOf(a, m.Unit).String(), showRatio(a.Ratio).String()
	}
	return r
}

// dearRecords is what a delivered record costs in a cell that lost some.
func dearRecords(c *analysis.Cell, m results.Metric) string {
	if c.PerRecord == nil || c.Records == nil || c.Records.Lost == 0 {
		return ""
	}
	return "per record delivered " + showDifference(c.PerRecord, m.Unit).String()
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
func meanText(a *analysis.MetricAnswer, unit string) string { return meanOf(a.Mean, unit) }

func meanOf(e *analysis.Estimate, unit string) string {
	if e == nil {
		return "–"
	}
	text := figure.Quantity(e.Value, unit)
	i := e.Interval
	if i == nil || e.Value == 0 {
		return text
	}
	return text + " ± " + figure.Percent((i.High-i.Low)/2/math.Abs(e.Value))
}

// shown is an estimate in words: its value, and its interval where it has one.
type shown struct{ Value, Interval string }

// String is +2.016 µs (1.981 … 2.052).
func (s shown) String() string {
	if s.Interval == "" {
		return s.Value
	}
	return s.Value + " (" + s.Interval + ")"
}

// showAs writes an estimate in a unit, its value by a function of the scale.
func showAs(e *analysis.Estimate, unit string, value func(figure.Scale, float64) string) shown {
	if e == nil {
		return shown{}
	}
	if e.Interval == nil {
		s := figure.Fit(unit, e.Value)
		return shown{Value: s.WithUnit(value(s, e.Value))}
	}
	s := figure.Fit(unit, e.Value, e.Interval.Low, e.Interval.High)
	return shown{s.WithUnit(value(s, e.Value)), s.Number(e.Interval.Low) + " … " + s.Number(e.Interval.High)}
}

// showDifference has a sign: +2.016 µs (1.981 … 2.052).
func showDifference(e *analysis.Estimate, unit string) shown {
	return showAs(e, unit, figure.Scale.Signed)
}

// showQuantity is 2.072 µs (2.036 … 2.108).
func showQuantity(e *analysis.Estimate, unit string) shown {
	return showAs(e, unit, figure.Scale.Number)
}

// showRatio is × 36.94 (36.20 … 37.70).
func showRatio(e *analysis.Estimate) shown {
	s := showQuantity(e, "")
	if s.Value != "" {
		s.Value = "× " + s.Value
	}
	return s
}

// differenceOf is that of a metric, a dash where there should be one.
func differenceOf(a *analysis.MetricAnswer, unit string) shown {
	if a.Difference == nil && a.NoDifference != "" {
		return shown{Value: "–"}
	}
	return showDifference(a.Difference, unit)
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
