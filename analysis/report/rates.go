package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
	"moobench/analysis/rows"
	"moobench/results"
)

// lost are the tables of counted events of requests: a table for each count. Counts that are no key metric are
// for readers who want everything.
func (b *builder) lost() []*doc.Section {
	s := b.s
	var all []*doc.Section
	var drawn []string // exposures that have a drawing already
	for _, m := range s.Metrics {
		main := m.Key || m.Name == s.Primary
		seen := slices.ContainsFunc(s.Cells, func(c analysis.Cell) bool {
			r := metricOf(&c, m.Name).Rate
			return r != nil && r.Events > 0
		})
		if m.Of == "" || !main && !seen {
			continue
		}
		rows := cellRows(s, func(c *analysis.Cell) doc.Row { return rateRow(c, metricOf(c, m.Name)) })
		if len(rows) == 0 {
			continue
		}
		sec := &doc.Section{
			Depth: doc.Full, Folded: !main, Title: m.Name,
			About: m.About + "; exact intervals, of none the bound; " +
				"finds: the smallest rate per million that so many find with 80 % power",
		}
		if b.paged && main && !slices.Contains(drawn, m.Of) {
			drawn = append(drawn, m.Of)
			sec.Add(b.lostFigure(m))
		}
		sec.Add(&doc.Table{Rows: rows, Columns: []doc.Column{
			{Head: "variant"},
			{Head: "n", Number: true, Rank: 2},
			{Head: m.Name + " of " + m.Of, Number: true},
			{Head: "per million (95 % CI)", Number: true},
			{Head: versus(s), Number: true, Rank: 1},
			{Head: "finds", Number: true, Rank: 3},
			{Head: "ratio", Number: true, Depth: doc.Paged},
			{
				Head:   "exact p",
				Number: true,
				Depth:  doc.Paged,
				Help: "exact conditional test of Poisson counts; struck out where " +
					"counts scatter more than chance makes them",
			},
			{Head: "scatter p", Number: true, Depth: doc.Paged, Help: "that counts vary as chance makes them"},
			{Head: "quasi-Poisson p", Number: true, Depth: doc.Paged},
			{Head: "permutation p", Number: true, Depth: doc.Paged},
			{Head: "decided by", Rank: 4},
			{
				Head:   "invalid",
				Number: true,
				Depth:  doc.Paged,
				Help:   "invocations of requests that the load itself sent too late, say: in no number",
			},
			{Head: "caveats", Depth: doc.Written},
		}})
		all = append(all, sec)
	}
	return all
}

// rateRow is the row of a cell in the table of a count.
func rateRow(c *analysis.Cell, a *analysis.MetricAnswer) doc.Row {
	r := a.Rate
	switch {
	case c.Invalid != "":
		return doc.Row{Cells: doc.Texts(c.Variant), Span: inPlace(c), Tone: doc.Bad}
	case r == nil:
		return doc.Row{Cells: doc.Texts(c.Variant), Span: cmp.Or(a.Absent, "not counted"), Tone: doc.Soft}
	}
	cells := make([]doc.Cell, 14)
	cells[0].Text, cells[1].Text, cells[13] = c.Variant, strconv.Itoa(r.N), marksOf(c)
	cells[2].Text, cells[3] = figure.Count(r.Events)+" of "+figure.Count(int64(min(r.Exposure, 1<<60))), perMillion(r)
	if c.InvalidInvocations > 0 {
		cells[12] = doc.Cell{Text: strconv.Itoa(c.InvalidInvocations), Tone: doc.Warning}
	}
	v := r.Versus
	if v == nil {
		cells[4].Text = textIf(r.NoVersus != "", "–")
		return doc.Row{Cells: cells}
	}
	cells[4] = doc.Difference(&analysis.Estimate{Value: v.Difference, Interval: v.Interval}, "")
	cells[5].Text = doc.Optional(v.Detectable, figure.Ratio)
	cells[6].Text, cells[7] = "–", doc.P(v.Poisson)
	if v.Ratio != nil { // a missing bound is open
		low, high := cmp.Or(doc.Optional(v.RatioLow, figure.Ratio), "0"), cmp.Or(doc.Optional(v.RatioHigh, figure.Ratio), "∞")
		cells[6] = doc.Cell{Text: "× " + figure.Ratio(*v.Ratio), Interval: low + " … " + high, Sort: v.Ratio}
	}
	cells[7].Struck = v.PoissonFails && v.Poisson != nil
	x := v.Scatter
	if x != nil {
		cells[8], cells[9], cells[10] = doc.P(&x.P), doc.P(&x.PQuasi), doc.P(x.PPermuted)
	}
	switch { // the p of the tests that decided; Poisson's is struck out if it is not valid
	case v.Poisson == nil:
	case x == nil || v.PoissonFails && x.PPermuted == nil:
		cells[11].Text = v.Decided
	case !v.PoissonFails:
		cells[11].Text = "exact, " + figure.P(*v.Poisson) + "; quasi-Poisson, " + figure.P(x.PQuasi)
	default:
		how := map[bool]string{true: "signs", false: "permuted"}[v.Blocked]
		cells[11].Text = fmt.Sprintf("quasi-Poisson %s, %s %s (exact: struck out)",
			figure.P(x.PQuasi), how, figure.P(*x.PPermuted))
	}
	return doc.Row{Cells: cells}
}

// perMillion formats a rate, 8.337 (4.162 … 14.92), or the bound of a rate without events.
func perMillion(r *analysis.Rate) doc.Cell {
	if r.Events == 0 && r.Interval != nil {
		return doc.Cell{Text: "< " + figure.Ratio(r.Interval.High), Sort: &r.PerMillion}
	}
	c := doc.Quantity(rows.RateOf(r), "")
	c.Remark = textIf(r.Interval != nil && r.Scattered, "scattered")
	return c
}

// lostFigure draws the rates of all cells on a logarithmic axis, where 0 is an arrow.
func (b *builder) lostFigure(m results.Metric) *doc.Figure {
	name := m.Name + " per million"
	p := plot.Rows{
		Alt:  name + " of each cell; the table below has the same numbers",
		Axis: plot.Axis{Log: true, Title: name + " " + m.Of + " (log)"},
	}
	for _, c := range counted(b.s) {
		if r := metricOf(c, m.Name).Rate; r != nil {
			p.Items = append(p.Items, plot.RowOf(c.Label, perMillion(r).String(), rows.RateOf(r)))
		}
	}
	return doc.FigureOf(p.SVG(), name+" "+m.Of+" with their 95 % intervals. An arrow is a rate of 0 and its upper bound.")
}

// pooledRates is a paper's arithmetic of scaled losses, kept away from ours.
func (b *builder) pooledRates() *doc.Section {
	s := b.s
	if len(s.PooledRates) == 0 {
		return nil
	}
	sec := &doc.Section{Title: "Lost transactions by a paper’s arithmetic", Silent: true, Tone: doc.Warning}
	tested := func(p analysis.PooledRates) bool { return p.Own.Test != nil || p.Common.Test != nil }
	if !slices.ContainsFunc(s.PooledRates, tested) {
		sec.Depth = doc.Full // every run lost none, or equally many
	}
	sec.Add(warning("the papers' t test of lost transactions: " + s.PooledRates[0].Wrong))
	t := &doc.Table{
		Depth:   doc.Paged,
		Columns: append(doc.TextColumns("cells", "scale"), doc.NumberColumns("first", "second", "t", "p", "bound")...),
	}
	t.Columns[6].Help = "one-sided, at 5 %: the papers reject below it"
	t.Legend = []string{
		"means ± standard deviations of the scaled losses of the invocations, and Student’s test of their difference",
	}
	for _, p := range s.PooledRates {
		sec.Add(doc.Paragraph{Text: p.Text, Tone: doc.Soft})
		for i, x := range []analysis.PooledScale{p.Own, p.Common} {
			scale := []string{"each cell’s own total", "one million for both"}[i]
			r := doc.Row{Cells: doc.Texts(labelOf(s, p.A.Cell)+" − "+labelOf(s, p.B.Cell), scale,
				figure.Quantity(x.MeanA, "")+" ± "+figure.Quantity(x.SDA, ""),
				figure.Quantity(x.MeanB, "")+" ± "+figure.Quantity(x.SDB, ""),
				"–", "–", figure.Ratio(x.Bound))}
			if test := x.Test; test != nil {
				r.Cells[4].Text, r.Cells[5] = figure.Ratio(test.T)+", df "+doc.Level(test.DF), doc.P(&test.P)
			}
			t.Rows = append(t.Rows, r)
		}
	}
	sec.Add(t)
	return sec
}
