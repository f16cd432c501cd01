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
	t := &doc.Table{Joined: true, Columns: []doc.Column{
		{Head: "cell"},
		{Head: "label"},
		{Head: "share", Number: true},
		{Head: "mean", Number: true},
		{Head: versus(s), Number: true},
		{
			Head:   "p50",
			Number: true,
			Rank:   1,
			Help:   "the median over all runs of the p50 of each run's requests of that label",
		},
		{Head: "p99", Number: true, Rank: 2},
		{Head: "combined", Rank: 3},
	}}
	for _, c := range counted(s) {
		most = max(most, len(c.Labels))
		for _, l := range c.Labels {
			name, combined := l.Label, "yes"
			if !l.Combined {
				name, combined = l.Label+" ("+figure.Plural(l.Labels, "label", "labels")+")", "no"
			}
			a := &analysis.MetricAnswer{Quantiles: l.Quantiles}
			t.Rows = append(t.Rows, doc.Row{Cells: []doc.Cell{
				{Text: c.Label},
				{Text: name},
				{Text: figure.Percent(l.Share)},
				doc.Mean(l.Mean, unit), doc.Difference(l.Difference, unit),
				brief(quantileOf(a, "p50"), unit, figure.Scale.Number),
				brief(quantileOf(a, "p99"), unit, figure.Scale.Number),
				{Text: combined},
			}})
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
