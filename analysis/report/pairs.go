package report

import (
	"slices"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
	"moobench/results"
)

// overPairs replaces the columns of a compared metric by figures over the blocks behind its difference: with
// unpaired invocations, figures of all would not add up to it.
func overPairs(r doc.Row, p *analysis.InPairs, m results.Metric) doc.Row {
	if p == nil {
		return r
	}
	value := func(x float64) doc.Cell { return brief(&analysis.Estimate{Value: x}, m.Unit, figure.Scale.Number) }
	r.Cells[1], r.Cells[2] = value(p.Without), value(p.With)
	return r
}

// overBound replaces the columns of a metric for which some runs give only a lower bound.
func overBound(r doc.Row, a *analysis.AtLeast, m results.Metric) doc.Row {
	if a == nil {
		return r
	}
	value := func(x float64) string { return brief(&analysis.Estimate{Value: x}, m.Unit, figure.Scale.Number).Text }
	r.Cells[2] = doc.Cell{Text: "> " + value(a.Bound), Sort: &a.Bound}
	if a.Median != nil {
		r.Cells[2] = doc.Cell{Text: "median " + value(*a.Median), Sort: a.Median}
	}
	r.Cells[3], r.Cells[4] = doc.Cell{}, doc.Cell{Text: string(a.Verdict)}
	if a.Difference != nil {
		r.Cells[3] = doc.Cell{Text: "≥ " + value(*a.Difference), Sort: a.Difference}
	}
	return r
}

// pairsAlone says that columns leave runs out, if they do.
func pairsAlone(variants []*analysis.Cell) string {
	apart := func(c *analysis.Cell) bool {
		return slices.ContainsFunc(c.Metrics, func(a analysis.MetricAnswer) bool { return a.InPairs != nil })
	}
	return textIf(slices.ContainsFunc(variants, apart),
		"columns are over the blocks that hold both a variant and its baseline, as the differences are: "+
			"runs without a partner are left out")
}

// hasNumbers reports whether a cell without an answer has numbers, of the primary metric or of others: they are
// shown, with the reason.
func hasNumbers(s *analysis.Scenario, c *analysis.Cell) bool {
	if c.Invalid != "" || c.GivenUp != "" {
		return false
	}
	if a := metricOf(c, s.Primary); a.Mean != nil {
		return true
	}
	for _, x := range measures(s) {
		if a := metricOf(c, x.Name); a.Mean != nil || a.AtLeast != nil {
			return true
		}
	}
	return false
}

// withoutResult says why rows of a cell have no answer, and removes reasons from the verdict column, which only
// has room for a verdict. If the application is broken, only counts keep their verdict.
func withoutResult(rows []doc.Row, why string, c *analysis.Cell, measured []measure) {
	const difference, verdict = 3, 4
	counted := func(title string) bool {
		return slices.ContainsFunc(measured, func(x measure) bool { return x.title == title && metricOf(c, x.Name).Rate != nil })
	}
	for i := range rows {
		r := &rows[i]
		if len(r.Cells) <= verdict || counted(r.Cells[0].Text) {
			continue
		}
		if r.Cells[difference].Text == "" || c.Broken != "" {
			r.Cells[verdict].Text = "no result"
		}
	}
	rows[0].Note, rows[0].Tone = why, doc.Bad
}
