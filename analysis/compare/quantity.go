package compare

import (
	"cmp"

	"moobench/analysis"
	"moobench/analysis/evidence"
	"moobench/analysis/prose"
	"moobench/results"
)

// quantity is what campaigns are compared in: the mean of a metric, or a quantile of its samples.
type quantity struct {
	metric   results.Metric
	quantile string // p50; "" is the mean
}

// comparedQuantiles are those of which it is known what campaigns differ by of themselves.
var comparedQuantiles = []string{"p50", "p90"}

// name is as questions have it, duration/p50.
func (q quantity) name() string { return q.metric.Name + prose.If(q.quantile != "", "/%s", q.quantile) }

// defined is the metric under that name. A quantile of it is neither primary nor key.
func (q quantity) defined() results.Metric {
	m := q.metric
	if q.quantile != "" {
		m.Name, m.Primary, m.Key = q.name(), false, false
	}
	return m
}

// values are those of a cell's invocations.
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

// noQuantile says why a side has no quantile that could be compared; "" where it has one.
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

// quantileScales are those of a quantile of each invocation's samples: of its mean over
// invocations, and of the mean over blocks of what it differs by from the reference's. These are
// means as those of the metric itself are, so that their standard errors are known.
func (j *judge) quantileScales(s *side, q quantity) scales {
	base := s.baseline()
	if base == nil {
		return scalesOfMean(q.values(s.cell))
	}
	sc := j.scalesOf(q.values(s.cell), q.values(base))
	sc.plain = base.Framework == ""
	return sc
}

// tell fills in what is printed of scales.
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
