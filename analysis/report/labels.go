package report

import (
	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
)

// labelsMost is the largest number of labels that a terminal shows unasked.
const labelsMost = 8

// labels are the requests of each cell by label; nil if they have one label.
func (b *builder) labels() *doc.Section {
	s, unit, most := b.s, primary(b.s).Unit, 0
	quantile := func(name string) func(*analysis.Stratum) doc.Cell {
		return func(l *analysis.Stratum) doc.Cell {
			a := &analysis.MetricAnswer{Quantiles: l.Quantiles}
			return brief(quantileOf(a, name), unit, figure.Scale.Number)
		}
	}
	columns := doc.View[*analysis.Stratum]{
		doc.TextColumn("label", func(l *analysis.Stratum) string {
			return l.Label + textIf(!l.Combined, bracketed(figure.Plural(l.Labels, "label", "labels")))
		}),
		doc.NumberColumn("share", func(l *analysis.Stratum) string { return figure.Percent(l.Share) }),
		doc.NewColumn(doc.Column{Head: "mean", Number: true}, func(l *analysis.Stratum) doc.Cell {
			return doc.Mean(l.Mean, unit)
		}),
		doc.NewColumn(doc.Column{Head: versus(s), Number: true}, func(l *analysis.Stratum) doc.Cell {
			return doc.Difference(l.Difference, unit)
		}),
		doc.NewColumn(doc.Column{
			Head:   "p50",
			Number: true,
			Rank:   1,
			Help:   "the median over all runs of the p50 of each run's requests of that label",
		}, quantile("p50")),
		doc.NewColumn(doc.Column{Head: "p99", Number: true, Rank: 2}, quantile("p99")),
		doc.NewColumn(doc.Column{Head: "combined", Rank: 3}, func(l *analysis.Stratum) doc.Cell {
			return doc.Cell{Text: map[bool]string{true: "yes", false: "no"}[l.Combined]}
		}),
	}
	t := &doc.Table{Joined: true, Columns: append(doc.TextColumns("cell"), columns.Heads()...)}
	for _, c := range counted(s) {
		most = max(most, len(c.Labels))
		for i := range c.Labels {
			row := columns.Row(&c.Labels[i])
			row.Cells = append(doc.Texts(c.Label), row.Cells...)
			t.Rows = append(t.Rows, row)
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	about := "right answers of each label, over invocations; each interval at 95 % by itself; " +
		"the mean above is of those that are combined, each with the same weight"
	sec := &doc.Section{Title: "labels of " + s.Primary, About: about, Blocks: []doc.Block{t}}
	if most > labelsMost {
		sec.Depth = doc.Full
	}
	return sec
}
