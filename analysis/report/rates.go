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
	"moobench/analysis/stats"
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
		columns := rateColumns(s, m)
		t := &doc.Table{Columns: columns.Heads(), Rows: cellRows(s, func(c *analysis.Cell) doc.Row {
			switch a := metricOf(c, m.Name); {
			case c.Invalid != "":
				return doc.Row{Cells: doc.Texts(c.Variant), Span: inPlace(c), Tone: doc.Bad}
			case a.Rate == nil:
				return doc.Row{Cells: doc.Texts(c.Variant), Span: cmp.Or(a.Absent, "not counted"), Tone: doc.Soft}
			}
			return columns.Row(c)
		})}
		if len(t.Rows) == 0 {
			continue
		}
		sec := &doc.Section{
			Depth: doc.Full, Folded: !main, Title: m.Name,
			About: m.About + "; exact intervals, an upper bound where none were seen; " +
				"finds: the smallest rate per million that this many detect with 80 % power",
		}
		if b.paged && main && !slices.Contains(drawn, m.Of) {
			drawn = append(drawn, m.Of)
			sec.Add(b.lostFigure(m))
		}
		sec.Add(t)
		all = append(all, sec)
	}
	return all
}

// rateColumns are the columns of a count, for cells that have it: how often it happened, how that differs from the
// baseline, and which test decided.
func rateColumns(s *analysis.Scenario, m results.Metric) doc.View[*analysis.Cell] {
	type column = doc.ColumnOf[*analysis.Cell]
	rate := func(c *analysis.Cell) *analysis.Rate { return metricOf(c, m.Name).Rate }
	versusBaseline := func(head doc.Column, cell func(*analysis.Rates) doc.Cell) column {
		return doc.NewColumn(head, func(c *analysis.Cell) doc.Cell {
			if v := rate(c).Versus; v != nil {
				return cell(v)
			}
			return doc.Cell{}
		})
	}
	scatter := func(head, help string, p func(*stats.RateScatter) *float64) column {
		return versusBaseline(doc.Column{Head: head, Number: true, Depth: doc.Paged, Help: help},
			func(v *analysis.Rates) doc.Cell {
				if v.Scatter == nil {
					return doc.Cell{}
				}
				return doc.P(p(v.Scatter))
			})
	}
	return doc.View[*analysis.Cell]{
		variantColumn(),
		doc.NewColumn(doc.Column{Head: "n", Number: true, Rank: 2}, func(c *analysis.Cell) doc.Cell {
			return doc.Cell{Text: strconv.Itoa(rate(c).N)}
		}),
		doc.NumberColumn(m.Name+" of "+m.Of, func(c *analysis.Cell) string {
			return figure.Count(rate(c).Events) + " of " + figure.Count(int64(min(rate(c).Exposure, 1<<60)))
		}),
		doc.NewColumn(doc.Column{Head: "per million (95 % CI)", Number: true}, func(c *analysis.Cell) doc.Cell {
			return perMillion(rate(c))
		}),
		doc.NewColumn(doc.Column{Head: versus(s), Number: true, Rank: 1}, func(c *analysis.Cell) doc.Cell {
			if v := rate(c).Versus; v != nil {
				return doc.Difference(&analysis.Estimate{Value: v.Difference, Interval: v.Interval}, "")
			}
			return doc.Cell{Text: textIf(rate(c).NoVersus != "", "–")}
		}),
		versusBaseline(doc.Column{Head: "finds", Number: true, Rank: 3}, func(v *analysis.Rates) doc.Cell {
			return doc.Cell{Text: doc.Optional(v.Detectable, figure.Ratio)}
		}),
		versusBaseline(doc.Column{Head: "ratio", Number: true, Depth: doc.Paged}, rateRatio),
		versusBaseline(doc.Column{
			Head:   "exact p",
			Number: true,
			Depth:  doc.Paged,
			Help: "exact conditional test of Poisson counts; struck out where " +
				"counts scatter more than chance makes them",
		}, func(v *analysis.Rates) doc.Cell {
			p := doc.P(v.Poisson)
			p.Struck = v.PoissonFails && v.Poisson != nil
			return p
		}),
		scatter("scatter p", "that counts vary as chance makes them", func(x *stats.RateScatter) *float64 { return &x.P }),
		scatter("quasi-Poisson p", "", func(x *stats.RateScatter) *float64 { return &x.PQuasi }),
		scatter("permutation p", "", func(x *stats.RateScatter) *float64 { return x.PPermuted }),
		versusBaseline(doc.Column{Head: "decided by", Rank: 4}, func(v *analysis.Rates) doc.Cell {
			return doc.Cell{Text: decidedBy(v)}
		}),
		doc.NewColumn(doc.Column{
			Head:   "invalid",
			Number: true,
			Depth:  doc.Paged,
			Help:   "invocations of requests that the load itself sent too late, say: in no number",
		}, func(c *analysis.Cell) doc.Cell {
			if c.InvalidInvocations == 0 {
				return doc.Cell{}
			}
			return doc.Cell{Text: strconv.Itoa(c.InvalidInvocations), Tone: doc.Warning}
		}),
		marksColumn(),
	}
}

// rateRatio formats the ratio of two rates; a missing bound is open.
func rateRatio(v *analysis.Rates) doc.Cell {
	if v.Ratio == nil {
		return doc.Cell{Text: "–"}
	}
	low, high := doc.Optional(v.RatioLow, figure.Ratio), doc.Optional(v.RatioHigh, figure.Ratio)
	return doc.Cell{
		Text:     "× " + figure.Ratio(*v.Ratio),
		Interval: cmp.Or(low, "0") + " … " + cmp.Or(high, "∞"),
		Sort:     v.Ratio,
	}
}

// decidedBy has the p of the tests that decided; Poisson's is struck out if it is not valid.
func decidedBy(v *analysis.Rates) string {
	x := v.Scatter
	switch {
	case v.Poisson == nil:
		return ""
	case x == nil || v.PoissonFails && x.PPermuted == nil:
		return v.Decided
	case !v.PoissonFails:
		return "exact, " + figure.P(*v.Poisson) + "; quasi-Poisson, " + figure.P(x.PQuasi)
	}
	how := map[bool]string{true: "signs", false: "permuted"}[v.Blocked]
	return fmt.Sprintf("quasi-Poisson %s, %s %s (exact: struck out)",
		figure.P(x.PQuasi), how, figure.P(*x.PPermuted))
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
