package report

import (
	"fmt"
	"io"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/report/plot"
	"moobench/results"
)

// SVG draws the overhead of every cell of every scenario with its interval, as one
// figure that stands by itself, with what spoils a number beside it.
func SVG(w io.Writer, a *analysis.Answers) error {
	facts := headline(a)
	sheet := plot.NewSheet(facts[0])
	sheet.Line("small", strings.Join(facts[1:], " · "))
	for _, text := range headTexts(a) {
		sheet.Line("spoilt", "! "+text)
	}
	stamped := stamps(a)
	for i := range a.Scenarios {
		s := &a.Scenarios[i]
		sheet.Line("name", s.Label)
		sheet.Line("small", describe(s))
		for _, note := range s.Notes {
			sheet.Line("spoilt", "! "+note)
		}
		if !sheet.Rows(overheads(s, stamped)) {
			sheet.Line("small", "no cell is compared with a baseline")
			continue
		}
		intervals := "intervals: 95 %; over " + s.Window
		if n := compared(s); n > 1 {
			intervals = fmt.Sprintf("intervals: the %d comparisons of a level hold together at 95 %%; over %s", n, s.Window)
		}
		sheet.Line("small", intervals)
	}
	sheet.Line("small", provenanceLine(a))
	_, err := io.WriteString(w, sheet.SVG())
	return err
}

// overheads are the cells that are compared with a baseline, in the primary metric and
// its unit.
func overheads(s *analysis.Scenario, stamped []spoil) *plot.Rows {
	m := primary(s)
	unit := m.Unit
	if m.Of != "" {
		unit = perMillionUnit
	}
	rows := &plot.Rows{Alt: "Overheads with their intervals", Zero: true}
	values := []float64{0}
	for i := range s.Cells {
		c := &s.Cells[i]
		if c.Role != results.RoleVariant {
			continue
		}
		row := plot.Row{Label: c.Label, Text: "no answer"}
		for _, p := range spoilsAgainst(s, c, stamped) {
			row.Notes = append(row.Notes, "! "+p.show)
		}
		if e := overheadIn(c, m); e != nil {
			low, high := ends(e)
			row.Value, row.Text = &e.Value, difference(e, unit).String()
			if e.Interval != nil {
				row.Low, row.High = &low, &high
			}
			if r := c.Records; r != nil && r.Proof == results.ProofCount && r.Expected > 0 {
				row.Text += " · records " + figure.Share(r.Received, r.Expected)
			}
			values = append(values, e.Value, low, high)
		}
		rows.Items = append(rows.Items, row)
	}
	rows.Axis = inUnit(rows.Axis, "more than the baseline", unit, values)
	return rows
}

// overheadIn is what a cell differs by from its baseline, of rates per million; nil
// when there is no answer.
func overheadIn(c *analysis.Cell, m results.Metric) *analysis.Estimate {
	a := metricOf(c, m.Name)
	switch {
	case c.Void != "" || a == nil:
		return nil
	case a.Rate != nil && a.Rate.Versus != nil:
		return &analysis.Estimate{Value: a.Rate.Versus.Difference, Interval: a.Rate.Versus.Interval}
	}
	return a.Difference
}
