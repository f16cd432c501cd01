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
// figure that stands by itself, with the caveats of a number beside it.
func SVG(w io.Writer, a *analysis.Answers) error {
	facts := headline(a)
	sheet := plot.NewSheet(facts[0])
	sheet.Line("small", strings.Join(facts[1:], " · "))
	for _, text := range headTexts(a) {
		sheet.Line("spoilt", "! "+text)
	}
	campaign := campaignCaveats(a)
	for i := range a.Scenarios {
		s := &a.Scenarios[i]
		sheet.Line("name", s.Label)
		sheet.Line("small", describe(s))
		for _, note := range s.Notes {
			sheet.Line("spoilt", "! "+note)
		}
		if !sheet.Rows(overheads(s, campaign)) {
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
// its unit; rates of events per million.
func overheads(s *analysis.Scenario, campaign []caveat) *plot.Rows {
	m := primary(s)
	unit := m.Unit
	if m.Of != "" {
		unit = perMillionUnit
	}
	rows := &plot.Rows{Alt: "Overheads with their intervals", Zero: true}
	for i := range s.Cells {
		c := &s.Cells[i]
		if c.Role != results.RoleVariant {
			continue
		}
		a := metricOf(c, m.Name)
		e := a.Difference
		switch {
		case c.Void != "":
			e = nil
		case a.Rate != nil && a.Rate.Versus != nil:
			e = &analysis.Estimate{Value: a.Rate.Versus.Difference, Interval: a.Rate.Versus.Interval}
		}
		row := plotted(c.Label, difference(e, unit).String(), e)
		for _, p := range caveatsAgainst(s, c, campaign) {
			row.Notes = append(row.Notes, "! "+p.show)
		}
		if r := c.Records; e != nil && r != nil && r.Proof == results.ProofCount && r.Expected > 0 {
			row.Text += " · records " + figure.Share(r.Received, r.Expected)
		}
		rows.Items = append(rows.Items, row)
	}
	rows.Axis = inUnit(rows.Axis, "more than the baseline", unit, rows.Values())
	return rows
}
