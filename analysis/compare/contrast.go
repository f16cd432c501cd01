package compare

import (
	"math"

	"moobench/analysis"
	"moobench/analysis/stats"
)

// contrast is what a cell differs by between two campaigns, on the scale on
// which it is compared with 0.
type contrast struct {
	measure
	relative, raw bool
	// amount is the margin in the metric's unit, of one that is not relative.
	amount  float64
	between *Between
	why     string // there is none
}

const oneBlock = "one block: how much others would differ is not known"

// contrastOf sets a cell's figures in a later campaign against those in the
// first: overheads as ratios where they have one, else in the metric's unit;
// figures of cells without a reference as they are.
func contrastOf(older, newer scales, titles [2]string, margin float64) contrast {
	for i, s := range []scales{older, newer} {
		if s.why != "" {
			return contrast{why: titles[i] + ": " + s.why}
		}
	}
	c := contrast{raw: older.alone || newer.alone}
	switch {
	case c.raw && older.logMean != nil && newer.logMean != nil:
		c.relative = true
		c.measure = *newer.logMean.minus(older.logMean)
	case c.raw:
		c.measure = *newer.mean.minus(older.mean)
	case older.overhead != nil && newer.overhead != nil:
		c.relative = true
		c.measure = *newer.overhead.minus(older.overhead)
	case older.added != nil && newer.added != nil:
		c.measure = *newer.added.minus(older.added)
	default:
		return contrast{why: "one has a ratio to its reference, and the other only a difference from it"}
	}
	c.amount = margin * min(math.Abs(older.mean.value), math.Abs(newer.mean.value))
	return c
}

// include adds what nights differ by of themselves: each campaign is one night.
func (c *contrast) include(n *component) {
	if n == nil || c.spread == nil || c.raw || !c.relative {
		return
	}
	c.between = &Between{SD: n.sd(), Nights: n.nights}
	if c.between.SD == 0 {
		return // the nights differ by no more than their own standard errors
	}
	v := stats.SumOfVariances(*c.spread, n.total.Times(2), n.within.Times(-2))
	c.spread = &v
}

// estimate is the contrast with its interval at the level.
func (c *contrast) estimate(level float64) (*analysis.Estimate, string) {
	e := &analysis.Estimate{N: c.n, Value: c.value}
	if c.spread == nil {
		e.NoInterval = oneBlock
	} else {
		s := stats.Studentised(c.value, c.spread.SE(), c.spread.DF, stats.TwoSided, level)
		e.Interval = &analysis.Interval{Low: s.Interval.Low, High: s.Interval.High, Level: level}
		if s.Test != nil {
			e.Test = &analysis.Test{T: s.Test.T, DF: s.Test.DF, P: s.Test.P}
		}
	}
	if c.relative {
		e.Value = math.Exp(e.Value)
		if e.Interval != nil {
			e.Interval.Low, e.Interval.High = math.Exp(e.Interval.Low), math.Exp(e.Interval.High)
		}
	}
	if !finite(e.Value) || e.Interval != nil && !(finite(e.Interval.Low) && finite(e.Interval.High)) {
		return nil, "the values overflow"
	}
	return e, ""
}

// detectable is the smallest true change that such a pair of campaigns finds
// four times in five: of a relative one the excess over 1. It is nil when it
// can't be told.
func (c *contrast) detectable(by detector, level float64) *float64 {
	if c.spread == nil || c.spread.Value == 0 {
		return nil
	}
	d := by.smallest(*c.spread, level)
	if c.relative {
		d = math.Expm1(d)
	}
	if !finite(d) {
		return nil
	}
	return &d
}

// equivalence is about the margin within which a change does not matter; nil
// without spread, or of an amount that is a share of nothing.
func (c *contrast) equivalence(margin, alpha float64) *analysis.Equivalence {
	limit, size := math.Log1p(margin), margin
	if !c.relative {
		limit, size = c.amount, c.amount
	}
	if c.spread == nil || limit == 0 {
		return nil
	}
	e, err := stats.EquivalenceT(c.value, c.spread.SE(), c.spread.DF, -limit, limit, alpha)
	if err != nil {
		return nil
	}
	low, high := e.Interval.Low, e.Interval.High
	if c.relative {
		low, high = math.Exp(low), math.Exp(high)
	}
	if !finite(low) || !finite(high) {
		return nil
	}
	return &analysis.Equivalence{
		Margin: size, Relative: c.relative, P: e.P, Free: e.Equivalent,
		Interval: analysis.Interval{Low: low, High: high, Level: e.Interval.Level},
	}
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
