package compare

import (
	"cmp"

	"moobench/analysis"
	"moobench/analysis/evidence"
	"moobench/analysis/prose"
	"moobench/results"
)

// quantity is the compared quantity: the mean of a metric, or a quantile of its samples.
type quantity struct {
	metric   results.Metric
	quantile string // p50; "" for the mean
}

// comparedQuantiles are the quantiles whose variation between campaigns of one program is known.
var comparedQuantiles = []string{"p50", "p90"}

// name returns the name used in questions: duration/p50.
func (q quantity) name() string { return q.metric.Name + prose.If(q.quantile != "", "/%s", q.quantile) }

// defined returns the metric under that name. A quantile is neither primary nor key.
func (q quantity) defined() results.Metric {
	m := q.metric
	if q.quantile != "" {
		m.Name, m.Primary, m.Key = q.name(), false, false
	}
	return m
}

// values returns the quantity in each invocation of a cell.
func (q quantity) values(c *analysis.Cell) evidence.Values {
	a := c.MetricNamed(q.metric.Name)
	switch {
	case a == nil:
		return nil
	case q.quantile == "":
		return a.Values
	}
	return cmp.Or(a.Quantile(q.quantile), &analysis.Quantile{}).Values
}

// noQuantile says why a side has no comparable quantile; "" if it has one.
func (s *side) noQuantile(q quantity) string {
	switch base := s.baseline(); {
	case s.unordered:
		return "there are no blocks, and so no pairs"
	case len(q.values(s.cell)) == 0:
		return cmp.Or(s.cell.MetricNamed(q.metric.Name).NoQuantiles, notMeasured)
	case base != nil && len(q.values(base)) == 0:
		return "its reference has no such quantile"
	}
	return ""
}

// quantileScales returns the scales of a quantile: its mean over invocations, and the mean over
// blocks of its difference from the reference. Means rather than medians, because means have
// standard errors.
func (j *judge) quantileScales(s *side, q quantity) scales {
	base := s.baseline()
	if base == nil {
		return scalesOfMean(q.values(s.cell))
	}
	sc := j.scalesOf(q.values(s.cell), q.values(base))
	sc.plain = base.Framework == ""
	return sc
}

// tell fills in the printed figures.
func (one *Side) tell(s scales) {
	if one.Absent = s.why; s.why != "" {
		return
	}
	one.Mean, one.Absent = s.mean.Estimate(confidence)
	if s.added != nil {
		one.Difference, _ = s.added.Estimate(confidence)
	}
	if s.overhead != nil {
		one.Ratio, _ = s.overhead.Ratio(confidence)
	}
}
