package compare

import (
	"cmp"
	"math"
	"slices"

	"moobench/analysis"
	"moobench/analysis/history"
	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

// scales holds a cell's figures in one campaign on each scale of comparison; nil: not available.
type scales struct {
	// overhead is the logarithm of the ratio to the cell's own reference; added is the difference
	// from it, in the metric's unit.
	overhead, added *infer.Scale
	// logMean and mean are the cell's own figures.
	logMean, mean *infer.Scale
	alone         bool   // the cell has no reference
	plain         bool   // its reference is not monitored, so added is the cost of monitoring
	why           string // why there is no figure
}

const noCell = "it has no such cell"

// figures returns a cell's figures in one campaign, for printing and for comparing. means is the
// meaning of the metric in the first campaign.
func (j *judge) figures(s *side, q quantity, means string) (Side, scales) {
	if s == nil {
		return Side{Absent: noCell}, scales{why: noCell}
	}
	shown := Side{ID: s.cell.ID, Invalid: s.cell.Invalid, Marks: s.cell.Marks}
	a := s.cell.MetricNamed(q.metric.Name)
	switch {
	case a == nil:
		shown.Absent = notMeasured
	case s.cell.Invalid != "":
		shown.Absent = s.cell.Invalid
	case s.cell.Broken != "" && q.metric.Of == "":
		shown.Absent = s.cell.Broken
	case q.quantile != "":
		shown.Absent = s.noQuantile(q)
	default:
		if q.metric.Name == s.scenario.Primary && s.cell.PerExecution != nil {
			shown.Executions = s.cell.Executions
		}
		shown.Mean, shown.Ratio, shown.Difference, shown.Rate = a.Mean, a.Ratio, a.Difference, a.Rate
		shown.AtStandard = a.AtStandard
		if a.Mean == nil && a.Rate == nil {
			shown.Absent = a.Absent
		}
	}
	sc := scales{why: shown.Absent}
	if other := meaning(s.scenario, q.metric.Name); other != "" && other != means {
		sc.why = "its metric of this name is another one: " + other
	}
	if sc.why != "" {
		return shown, sc
	}
	if q.quantile == "" {
		return shown, s.meanScales(a)
	}
	sc = j.quantileScales(s, q)
	shown.tell(sc)
	return shown, sc
}

// notMeasured is the reason if a campaign does not measure a metric.
const notMeasured = "it does not measure this"

// meanScales returns the scales of a mean, from the campaign's own answers.
func (s *side) meanScales(a *analysis.MetricAnswer) scales {
	sc := scales{
		mean: a.Mean.ScaleFrom(false), logMean: logarithm(a),
		overhead: a.Ratio.ScaleFrom(true), added: a.Difference.ScaleFrom(false), alone: s.cell.Baseline == "",
	}
	switch {
	case a.Rate != nil:
		sc.why = "rates of events are not compared across campaigns: " +
			"each campaign's own report compares them with the baseline's"
	case a.Mean == nil:
		sc.why = "it has no figure"
	case !sc.alone && sc.overhead == nil && sc.added == nil:
		sc.why = cmp.Or(a.NoDifference, a.NoRatio, "it has no figure against its reference")
	}
	base := s.baseline()
	sc.plain = base != nil && base.Framework == ""
	if s.unordered && sc.added != nil { // without pairs, the ratio is the ratio of the means
		sc.overhead = nil
		if sc.logMean != nil && base != nil {
			if mean := logarithm(base.MetricNamed(a.Metric)); mean != nil {
				sc.overhead = new(sc.logMean.Minus(*mean))
			}
		}
	}
	return sc
}

// logarithm returns the logarithm of a mean, with standard error se/mean by the delta method; nil
// if there is no mean above 0.
func logarithm(a *analysis.MetricAnswer) *infer.Scale {
	if a == nil || a.Mean == nil || !(a.Mean.Value > 0) {
		return nil
	}
	s := a.Mean.ScaleFrom(false)
	s.SE, s.SD = s.SE/s.Value, s.SD/s.Value
	s.Value, s.Size = math.Log(s.Value), 1
	return s
}

// contrast is the difference of a cell between two campaigns, on a scale where 0 is no change, and
// the Change that reports it.
type contrast struct {
	infer.Scale
	*Change
	role results.Role
	// amount is the margin in the metric's unit, if not relative.
	amount float64
	// handed: calls and agent threads took turns, so another campaign may differ whatever the
	// interval.
	handed bool
	// next is the standard deviation between campaigns, on this scale; 0 if not carried to one
	// speed.
	next float64
}

// between compares a cell's figures in a later campaign with those in the first. A cost over an
// unmonitored program is compared in the metric's unit: its ratio to a baseline of few ns would
// carry the baseline's noise. Ratios to a monitored reference are compared as ratios, if available;
// figures of cells without a reference, as they are.
func (c *contrast) between(older, newer scales, titles [2]string, margin float64) {
	for i, s := range []scales{older, newer} {
		if s.why != "" {
			c.Why, c.Whose = s.why, titles[i]
			return
		}
	}
	c.Raw = older.alone || newer.alone
	switch {
	case c.Raw && older.logMean != nil && newer.logMean != nil:
		c.Relative, c.Scale = true, newer.logMean.Minus(*older.logMean)
	case c.Raw:
		c.Scale = newer.mean.Minus(*older.mean)
	case older.plain && newer.plain && older.added != nil && newer.added != nil:
		c.Scale = newer.added.Minus(*older.added)
	case older.overhead != nil && newer.overhead != nil:
		c.Relative, c.Scale = true, newer.overhead.Minus(*older.overhead)
	case older.added != nil && newer.added != nil:
		c.Scale = newer.added.Minus(*older.added)
	default:
		c.Why = "one has a ratio to its reference, and the other only a difference from it"
		return
	}
	c.amount = margin * min(math.Abs(older.mean.Value), math.Abs(newer.mean.Value))
}

// leastNights is the least number of nights for a variance between nights: with fewer, the spread
// itself is hardly known.
const leastNights = 5

// component holds the variances of the nights of one level: the total, and the part explained by
// their own standard errors, which is not known for differences.
type component struct {
	nights        int
	total, within stats.Variance
}

// component estimates the variation between nights of a cell's overhead in a metric, against its
// own reference, on the machine and JDK of the first campaign: of log ratios, or of differences. It
// returns nil if the history has too few such nights.
func (j *judge) component(cell matched, metric string, ratios bool) *component {
	own, first := cell.sides[0], j.table.columns[0]
	base := own.baseline()
	if j.Nights == nil || base == nil {
		return nil
	}
	for i := range j.Nights.Series {
		s := &j.Nights.Series[i]
		about := s.Reference == base.Variant && s.Metric == metric && s.Cell == cell.label &&
			s.Scenario == own.scenario.Label && s.Campaign == first.answers.Campaign.Name &&
			slices.Contains(j.machines, s.Machine) && slices.Contains(own.observed.runtimes, s.Runtime)
		if about {
			if c := j.levelOf(s, ratios); c != nil {
				return c
			}
		}
	}
	return nil
}

// levelOf returns the component of the judged nights of the current level. Nights that belong to
// the compared campaigns (same start) are left out, so that they don't widen or narrow their own
// comparison. Differences on another machine are left out too: they don't apply here.
func (j *judge) levelOf(s *history.Series, ratios bool) *component {
	if len(s.Segments) == 0 {
		return nil
	}
	last := s.Segments[len(s.Segments)-1]
	var values []float64
	var errors []stats.Variance
	for i := max(0, last.First); i <= last.Last && i < len(s.Nights); i++ {
		night := &s.Nights[i]
		own := slices.ContainsFunc(j.table.columns, func(c column) bool {
			start := c.answers.Campaign.Start
			return start != nil && start.Equal(night.When)
		})
		if own || !night.Judged() || !(night.DF > 0) || !stats.Finite(night.Log, night.SE) {
			continue
		}
		if ratios {
			log, se, df := night.Ratio(last.AtStandard)
			values = append(values, log)
			errors = append(errors, stats.VarianceOf(se, df))
		} else if !s.Carried(i) {
			values = append(values, night.Cost())
		}
	}
	sample, err := stats.SampleOf(values)
	if len(values) < leastNights || err != nil {
		return nil
	}
	n := float64(len(values))
	c := &component{nights: len(values), total: stats.VarianceOf(sample.SD, n-1)}
	if ratios {
		c.within = stats.SumOfVariances(errors...).Times(1 / n)
	}
	return c
}
