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

// scales are a cell's figures in one campaign, on each scale on which they can
// be compared; nil where they can't.
type scales struct {
	// overhead is the logarithm of the ratio to the cell's own reference, added
	// the difference from it in the metric's unit.
	overhead, added *infer.Scale
	// logMean and mean are the cell's own.
	logMean, mean *infer.Scale
	alone         bool   // the cell has no reference
	plain         bool   // its reference is not monitored: what is added is what monitoring costs
	why           string // there is no figure
}

const noCell = "it has no such cell"

// figures returns what a campaign says of a cell, as it is printed and as it is compared;
// means is the meaning of the metric in the first campaign.
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

// notMeasured is why a campaign says nothing about a metric.
const notMeasured = "it does not measure this"

// meanScales returns the scales of a mean, from the campaign's own answers.
func (s *side) meanScales(a *analysis.MetricAnswer) scales {
	sc := scales{
		mean: a.Mean.ScaleFrom(false), logMean: logarithm(a),
		overhead: a.Ratio.ScaleFrom(true), added: a.Difference.ScaleFrom(false), alone: s.cell.Baseline == "",
	}
	switch {
	case a.Rate != nil:
		sc.why = "rates of events are not compared across campaigns: each campaign's own report compares them with the baseline's"
	case a.Mean == nil:
		sc.why = "it has no figure"
	case !sc.alone && sc.overhead == nil && sc.added == nil:
		sc.why = cmp.Or(a.NoDifference, a.NoRatio, "it has no figure against its reference")
	}
	base := s.baseline()
	sc.plain = base != nil && base.Framework == ""
	if s.unordered && sc.added != nil { // without pairs the ratio is that of the means
		sc.overhead = nil
		if sc.logMean != nil && base != nil {
			if mean := logarithm(base.MetricNamed(a.Metric)); mean != nil {
				sc.overhead = new(sc.logMean.Minus(*mean))
			}
		}
	}
	return sc
}

// logarithm is the logarithm of a mean, with its standard error by the delta method,
// se/mean; nil without a mean above 0.
func logarithm(a *analysis.MetricAnswer) *infer.Scale {
	if a == nil || a.Mean == nil || !(a.Mean.Value > 0) {
		return nil
	}
	s := a.Mean.ScaleFrom(false)
	s.SE, s.SD = s.SE/s.Value, s.SD/s.Value
	s.Value, s.Size = math.Log(s.Value), 1
	return s
}

// contrast is what a cell differs by between two campaigns, on the scale on
// which it is compared with 0, and the change that is told of it.
type contrast struct {
	infer.Scale
	*Change
	role results.Role
	// amount is the margin in the metric's unit, of one that is not relative.
	amount float64
	// handed says that the next campaign may find another number whatever the interval is.
	handed bool
	// next is what a campaign differs by of itself, on this scale; 0 of what was not carried to
	// one speed.
	next float64
}

// between sets a cell's figures in a later campaign against those in the
// first. What is added to an unmonitored program is compared in the metric's unit: its
// ratio to a baseline of few ns has the noise of that. Ratios to a reference that is
// monitored itself are compared as ratios, where there are any; figures of cells without
// a reference as they are.
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

// leastNights are needed to say what nights differ by: the spread of fewer is
// itself hardly known.
const leastNights = 5

// component is the variance of the nights of one level: in total, and what their
// own standard errors make of it, which is not known of differences.
type component struct {
	nights        int
	total, within stats.Variance
}

// component estimates what nights of a cell's overhead differ by in a metric, against its own
// reference, on the machine and JDK of the first campaign: as logarithms of ratios, or as
// differences. nil when the history has too few nights of that.
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

// levelOf is the component of the current level's nights that are judged. Those that
// are compared, which began with the same invocation as a campaign, are left out: they
// must not decide themselves how much they may differ. Differences on another machine tell nothing of those here.
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
