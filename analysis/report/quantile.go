package report

import (
	"moobench/analysis"
	"moobench/results"
)

// quantiles prints the quantiles of calls and what monitoring adds to them.
func (p *printer) quantiles(s *analysis.Scenario) {
	m := primary(s)
	rows := []row{{cells: []string{"", "", "median over invocations", versus(s), "ratio"}, style: dim}}
	for _, c := range newQuantiles(s) {
		label, why := c.Label, c.Why
		for _, q := range c.Rows {
			rows = append(rows, row{cells: []string{label, q.Name, q.Median.String(), q.Difference.String(), q.Ratio.String()}})
			label = ""
		}
		if why != "" {
			rows = append(rows, row{cells: []string{label}, span: why, style: dim})
		}
	}
	if len(rows) == 1 {
		return
	}
	p.print(plain, "")
	p.wrapped(bold, "quantiles of "+m.Name+"  ", "of the window of each invocation; medians over invocations and blocks with order-statistic 95 % intervals")
	rows, _ = p.fit(rows, []int{0, 0, 0, 0, 1})
	p.table(rows)
}

// cellQuantiles are the quantiles of one cell.
type cellQuantiles struct {
	Label, Why string
	Rows       []quantileRow
	Compared   bool // with a baseline
}

type quantileRow struct {
	Name                      string
	N                         int
	Median, Difference, Ratio shown
	Why                       string
}

// newQuantiles are those of the primary metric, where it is a series.
func newQuantiles(s *analysis.Scenario) []cellQuantiles {
	var all []cellQuantiles
	unit := primary(s).Unit
	for i := range s.Cells {
		c := &s.Cells[i]
		a := metricOf(c, s.Primary)
		if a == nil || c.Void != "" || c.Role == results.RoleAA || len(a.Quantiles) == 0 && a.NoQuantiles == "" {
			continue
		}
		qs := cellQuantiles{Label: c.Label, Why: a.NoQuantiles, Compared: c.Baseline != "" && len(a.Quantiles) > 0}
		for _, q := range a.Quantiles {
			qs.Rows = append(qs.Rows, quantileRow{q.Name, q.Estimate.N, showQuantity(&q.Estimate, unit), showDifference(q.Difference, unit), showRatio(q.Ratio), whyNot(q)})
		}
		all = append(all, qs)
	}
	return all
}

func whyNot(q analysis.Quantile) string {
	if q.NoDifference != "" {
		return q.NoDifference
	}
	return q.Estimate.NoInterval
}

// quantileNames are the quantiles that any cell has, in their order.
func quantileNames(s *analysis.Scenario) []string {
	var names []string
	for i := range s.Cells {
		if a := metricOf(&s.Cells[i], s.Primary); a != nil && len(a.Quantiles) > len(names) {
			names = names[:0]
			for _, q := range a.Quantiles {
				names = append(names, q.Name)
			}
		}
	}
	return names
}
