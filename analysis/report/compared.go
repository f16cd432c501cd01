package report

import (
	"cmp"
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/results"
)

// metricRow is a metric without and with monitoring: a row of the answer about few variants.
type metricRow struct {
	name                      string
	without, with, difference doc.Cell
	verdict                   string
	detectable                doc.Cell // the smallest true difference that would be found
	counted                   bool     // events or records, which have no mean
}

// compared compares each variant with its baseline, with a row for each metric.
func (b *builder) compared(variants []*analysis.Cell) *doc.Table {
	t := &doc.Table{Groups: "variant", Columns: []doc.Column{
		{Head: "metric"},
		{Head: "without", Number: true},
		{Head: "with", Number: true},
		{Head: "difference", Number: true},
		{Head: "verdict"},
		{
			Head: "could detect", Number: true, Rank: 1,
			Help: "the smallest true difference that such a design finds with 80 % power",
		},
		{Head: "caveats", Depth: doc.Written},
	}}
	said := map[string]bool{}
	for _, c := range variants {
		t.Rows = append(t.Rows, b.variantRows(c, said)...)
	}
	return t
}

// variantRows are the rows of one variant, or of a baseline without any, below its label. The first one has the
// caveats; reasons that were said before are not repeated.
func (b *builder) variantRows(c *analysis.Cell, said map[string]bool) []doc.Row {
	why := c.Unanswered(b.s.Primary)
	if why != "" && !hasNumbers(b.s, c) {
		return []doc.Row{{Cells: doc.Texts(c.Label), Span: "no result", Under: why, Tone: doc.Bad}}
	}
	head := doc.Row{Group: c.Label}
	base := cmp.Or(b.s.Cell(c.Baseline), &analysis.Cell{})
	if b.alone(c) {
		base, c = c, &analysis.Cell{}
	}
	all := b.metricRows(base, c)
	if why != "" {
		for i := range all {
			all[i].withoutResult(c.Broken != "")
		}
	}
	rows := each(all, metricRow.row)
	first := &rows[0]
	first.Cells = append(first.Cells, marksOf(c))
	notes := []string{prefixed("no result: ", why), misleadingCaveats(c, primary(b.s).Unit, said)}
	first.Note = strings.Join(prose.NonEmpty(notes...), "; ")
	switch {
	case why != "":
		first.Tone = doc.Bad
	case first.Note != "":
		first.Tone = doc.Warning
	}
	return append([]doc.Row{head}, rows...)
}

// metricRows compare a cell with its baseline: two quantiles and the mean of the primary metric, the metrics that
// people decide by, and the records.
func (b *builder) metricRows(base, c *analysis.Cell) []metricRow {
	m := primary(b.s)
	name, without, with := prose.Spaced(m.Name), metricOf(base, m.Name), metricOf(c, m.Name)
	var all []metricRow
	for _, q := range with.Quantiles {
		if q.Name != "p50" && q.Name != "p99" {
			continue
		}
		a := &analysis.MetricAnswer{
			Mean: &q.Estimate, Difference: q.Difference, Ratio: q.Ratio, NoDifference: q.NoDifference,
			Verdict: q.Verdict, Equivalence: q.Equivalence, InPairs: q.InPairs,
		}
		all = append(all, newMetricRow(name+" "+q.Name, quantileOf(without, q.Name), a, m))
	}
	all = append(all, newMetricRow(name+textIf(len(with.Quantiles) > 0, " mean"), without.Mean, with, m))
	for _, x := range measures(b.s) {
		without, with := metricOf(base, x.Name), metricOf(c, x.Name)
		if with.Rate != nil {
			all = append(all, b.countedRow(x, c, without.Rate, with.Rate))
			continue
		}
		all = append(all, newMetricRow(titleOf(x), without.Mean, with, x))
	}
	if text := c.Outcome.Brief(); text != "" {
		records := metricRow{name: "records", without: doc.Cell{Text: "–"}, with: doc.Cell{Text: text}, counted: true}
		all = append(all, records)
	}
	return all
}

// newMetricRow is the row of a metric. Its columns are figures over the blocks behind the difference if there are
// such: with unpaired invocations, figures of all would not add up to it. If some runs give only a lower bound, the
// row has bounds.
func newMetricRow(name string, without *analysis.Estimate, a *analysis.MetricAnswer, m results.Metric) metricRow {
	short := func(x float64) doc.Cell { return brief(&analysis.Estimate{Value: x}, m.Unit, figure.Scale.Number) }
	r := metricRow{
		name:       name,
		without:    brief(without, m.Unit, figure.Scale.Number),
		with:       brief(a.Mean, m.Unit, figure.Scale.Number),
		difference: added(a.Difference, m.Unit),
		verdict:    differenceVerdict(a, m),
	}
	switch {
	case a.Difference == nil && a.Mean != nil && without != nil:
		r.verdict = "not compared" // the reason is given below, or in a note
	case a.Difference != nil && a.Verdict == infer.Undecided:
		r.detectable = brief(doc.Detectable(a.Difference), m.Unit, figure.Scale.Number)
	}
	if p := a.InPairs; p != nil {
		r.without, r.with = short(p.Without), short(p.With)
	}
	if least := a.AtLeast; least != nil {
		r.with = doc.Cell{Text: "> " + short(least.Bound).Text, Sort: &least.Bound}
		if least.Median != nil {
			r.with = doc.Cell{Text: "median " + short(*least.Median).Text, Sort: least.Median}
		}
		r.difference, r.verdict = doc.Cell{}, string(least.Verdict)
		if least.Difference != nil {
			r.difference = doc.Cell{Text: "≥ " + short(*least.Difference).Text, Sort: least.Difference}
		}
	}
	return r
}

// countedRow is the row of a count, with the difference of the rates per million.
func (b *builder) countedRow(m results.Metric, c *analysis.Cell, without, with *analysis.Rate) metricRow {
	r := metricRow{name: titleOf(m), with: doc.Cell{Text: figure.Count(with.Events)}, counted: true}
	if without != nil {
		r.without.Text = figure.Count(without.Events)
	}
	for _, a := range b.s.Answers {
		if v := with.Versus; v != nil && a.Rates != nil && a.A == c.ID && a.Metric == m.Name {
			r.difference = added(&analysis.Estimate{Value: v.Difference, Interval: v.Interval}, "ppm")
			r.verdict = string(a.Verdict)
		}
	}
	switch {
	case with.Events == 0 && without != nil && without.Events > 0: // no merit of the variant
		had := "had"
		if m.Name == results.ScalarLost {
			had = "lost"
		}
		of := figure.Count(int64(min(without.Exposure, 1<<60)))
		r.verdict = "the baseline " + had + " " + figure.Count(without.Events) + " of " + of
	case with.Events == 0 && with.Interval != nil:
		r.difference, r.verdict = doc.Cell{Text: "< " + atMost(with.Interval.High)}, "none seen"
	}
	return r
}

// withoutResult removes the reason why there is no difference from the verdict, whose column only has room for a
// verdict. If the application is broken, only counts keep theirs.
func (r *metricRow) withoutResult(broken bool) {
	if !r.counted && (r.difference.Text == "" || broken) {
		r.verdict = "no result"
	}
}

// row is the row in the table.
func (r metricRow) row() doc.Row {
	return doc.Row{Cells: []doc.Cell{
		{Text: r.name}, r.without, r.with, r.difference, {Text: r.verdict}, r.detectable,
	}}
}

// pairsAlone says that columns leave runs out, if they do.
func pairsAlone(variants []*analysis.Cell) string {
	apart := func(c *analysis.Cell) bool {
		return slices.ContainsFunc(c.Metrics, func(a analysis.MetricAnswer) bool { return a.InPairs != nil })
	}
	return textIf(slices.ContainsFunc(variants, apart),
		"columns are over the blocks that hold both a variant and its baseline, as the differences are: "+
			"runs without a partner are excluded")
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
