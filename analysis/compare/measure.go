package compare

import (
	"cmp"
	"math"

	"moobench/analysis"
	"moobench/analysis/stats"
)

// measure is an estimate on a scale on which it is compared with 0.
type measure struct {
	n     int
	value float64
	// spread is the square of the standard error; nil when one value says
	// nothing of how others would differ.
	spread *stats.Variance
}

// scales are a cell's figures in one campaign, on each scale on which they can
// be compared; nil where they can't.
type scales struct {
	// overhead is the logarithm of the ratio to the cell's own reference, added
	// the difference from it in the metric's unit.
	overhead, added *measure
	// logMean and mean are the cell's own.
	logMean, mean *measure
	alone         bool   // the cell has no reference
	why           string // there is no figure
}

// scalesOf reads a side's figures of a metric.
func scalesOf(s side, metric string) scales {
	a := s.answer(metric)
	if a == nil {
		return scales{why: "it does not measure this"}
	}
	sc := scales{mean: linear(a.Mean), logMean: logarithm(a.Mean), overhead: exponential(a.Ratio), added: linear(a.Difference), alone: s.cell.Baseline == ""}
	switch {
	case s.cell.Void != "":
		return scales{why: s.cell.Void}
	case a.Rate != nil:
		sc.why = "rates of events are not compared across campaigns: each campaign's own report compares them with the baseline's"
	case a.Mean == nil:
		sc.why = cmp.Or(a.Absent, "it has no figure")
	case !sc.alone && sc.overhead == nil && sc.added == nil:
		sc.why = cmp.Or(a.NoDifference, a.NoRatio, "it has no figure against its reference")
	}
	if s.unordered && sc.added != nil {
		sc.overhead = unpaired(s, metric)
	}
	return sc
}

// unpaired is the logarithm of the ratio to the reference where there are no
// pairs: the difference of the logarithms of two means.
func unpaired(s side, metric string) *measure {
	base := s.baseline()
	if base == nil {
		return nil
	}
	x, y := s.answer(metric), side{scenario: s.scenario, cell: base}.answer(metric)
	if x == nil || y == nil {
		return nil
	}
	return logarithm(x.Mean).minus(logarithm(y.Mean))
}

// minus is the difference of two independent measures, nil when one is.
func (m *measure) minus(other *measure) *measure {
	if m == nil || other == nil {
		return nil
	}
	d := &measure{n: min(m.n, other.n), value: m.value - other.value}
	if m.spread != nil && other.spread != nil {
		v := stats.SumOfVariances(*m.spread, *other.spread)
		d.spread = &v
	}
	return d
}

// linear is an estimate as it stands.
func linear(e *analysis.Estimate) *measure {
	if e == nil {
		return nil
	}
	m := &measure{n: e.N, value: e.Value}
	if e.Interval != nil {
		m.spread = spread(e, e.Interval.Low, e.Interval.High, 1)
	}
	return m
}

// exponential is the logarithm of an estimate that was one: its interval is
// symmetric there.
func exponential(e *analysis.Estimate) *measure {
	if e == nil || !(e.Value > 0) {
		return nil
	}
	m := &measure{n: e.N, value: math.Log(e.Value)}
	if e.Interval != nil && e.Interval.Low > 0 {
		m.spread = spread(e, math.Log(e.Interval.Low), math.Log(e.Interval.High), 1)
	}
	return m
}

// logarithm is that of a mean, its standard error by the delta method: se/mean.
func logarithm(e *analysis.Estimate) *measure {
	if e == nil || !(e.Value > 0) {
		return nil
	}
	m := &measure{n: e.N, value: math.Log(e.Value)}
	if e.Interval != nil {
		m.spread = spread(e, e.Interval.Low, e.Interval.High, 1/e.Value)
	}
	return m
}

// spread is the variance that an interval was made from, by a factor on its
// scale: half of its width is t(df) standard errors. What does not vary has no
// test, and an interval of no width.
func spread(e *analysis.Estimate, low, high, factor float64) *stats.Variance {
	if e.Test == nil {
		return &stats.Variance{Value: 0, DF: float64(max(1, e.N-1))}
	}
	t := stats.TQuantile((1-e.Interval.Level)/2, e.Test.DF)
	se := (high - low) / 2 / t * factor
	if math.IsNaN(se) || math.IsInf(se, 0) {
		return nil
	}
	v := stats.VarianceOf(se, e.Test.DF)
	return &v
}
