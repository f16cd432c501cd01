package report

import (
	"math"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/results"
)

// pooledTitle keeps others' arithmetic from being taken for ours.
func pooledTitle(s *analysis.Scenario) string {
	title := "the papers' arithmetic over calls: pseudo-replication"
	if s.PoolKind == results.PoolLastLoop {
		title = "what MooBench itself prints, of the last loop alone: pseudo-replication"
	}
	least, most := math.Inf(1), 0.0
	for _, c := range s.Cells {
		if c.Pooled != nil && c.Pooled.TooNarrow != nil && *c.Pooled.TooNarrow > 1 {
			least, most = min(least, *c.Pooled.TooNarrow), max(most, *c.Pooled.TooNarrow)
		}
	}
	switch {
	case most <= 1:
		return title
	case figure.Ratio(least) == figure.Ratio(most):
		return title + ", intervals " + figure.Ratio(most) + " times too narrow"
	}
	return title + ", intervals " + figure.Ratio(least) + " to " + figure.Ratio(most) + " times too narrow"
}

// pooledRow is others' arithmetic for one cell.
type pooledRow struct{ Label, N, Mean, Half, SD, T, TooNarrow string }

func newPooled(s *analysis.Scenario) []pooledRow {
	var rows []pooledRow
	unit := primary(s).Unit
	for _, c := range s.Cells {
		p := c.Pooled
		if p == nil || c.Void != "" {
			continue
		}
		r := pooledRow{Label: c.Label, N: figure.Count(p.N), Mean: figure.Quantity(p.Mean, unit), Half: figure.Quantity(p.Half, unit), SD: figure.Quantity(p.SD, unit)}
		if p.Test != nil {
			r.T = strings.Replace(strconv.FormatFloat(p.Test.T, 'g', 6, 64), "-", "−", 1) + ", " + figure.P(p.Test.P)
		}
		if p.TooNarrow != nil && *p.TooNarrow > 1 {
			r.TooNarrow = "× " + figure.Ratio(*p.TooNarrow)
		}
		rows = append(rows, r)
	}
	return rows
}

// pooledSheet is others' arithmetic as a table.
func pooledSheet(s *analysis.Scenario) sheet {
	t := sheet{
		key: "pooled", title: pooledTitle(s), about: s.Pooled,
		head: []string{"cell", "n", "mean", "± 1.96 sd/√n", "sd", "t against baseline", "too narrow"},
		text: []bool{true, false, false, false, false, false, false},
	}
	for _, r := range newPooled(s) {
		t.rows = append(t.rows, []string{r.Label, r.N, r.Mean, "± " + r.Half, r.SD, r.T, r.TooNarrow})
	}
	return t
}

// pooled prints others' arithmetic, far from ours.
func (p *printer) pooled(s *analysis.Scenario) {
	t := pooledSheet(s)
	if len(t.rows) == 0 {
		return
	}
	p.print(plain, "")
	p.wrapped(warn, "! ", t.title)
	if t.about != "" {
		p.wrapped(dim, "  ", t.about)
	}
	t.head[0] = ""
	rows := []row{{cells: t.head, style: dim}}
	for _, cells := range t.rows {
		rows = append(rows, row{cells: cells, style: dim})
	}
	rows, _ = p.fit(rows, []int{0, 1, 0, 0, 3, 2, 1})
	p.table(rows)
}
