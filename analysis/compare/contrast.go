package compare

import (
	"math"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
)

// contrast is what a cell differs by between two campaigns, on the scale on
// which it is compared with 0.
type contrast struct {
	infer.Scale
	relative, raw bool
	// amount is the margin in the metric's unit, of one that is not relative.
	amount  float64
	between *Between
	why     string // there is none
	whose   string // title of the campaign that why is about, "" when it is about both
}

const oneBlock = "one block: how much others would differ is not known"

// contrastOf sets a cell's figures in a later campaign against those in the
// first: overheads as ratios where they have one, else in the metric's unit;
// figures of cells without a reference as they are.
func contrastOf(older, newer scales, titles [2]string, margin float64) contrast {
	for i, s := range []scales{older, newer} {
		if s.why != "" {
			return contrast{why: s.why, whose: titles[i]}
		}
	}
	c := contrast{raw: older.alone || newer.alone}
	switch {
	case c.raw && older.logMean != nil && newer.logMean != nil:
		c.relative = true
		c.Scale = newer.logMean.Minus(*older.logMean)
	case c.raw:
		c.Scale = newer.mean.Minus(*older.mean)
	case older.overhead != nil && newer.overhead != nil:
		c.relative = true
		c.Scale = newer.overhead.Minus(*older.overhead)
	case older.added != nil && newer.added != nil:
		c.Scale = newer.added.Minus(*older.added)
	default:
		return contrast{why: "one has a ratio to its reference, and the other only a difference from it"}
	}
	c.amount = margin * min(math.Abs(older.mean.Value), math.Abs(newer.mean.Value))
	return c
}

// include adds what nights differ by of themselves: each campaign is one night.
func (c *contrast) include(n *component) {
	if n == nil || !c.Spread() || c.raw || !c.relative {
		return
	}
	c.between = &Between{SD: n.sd(), Nights: n.nights}
	if c.between.SD == 0 {
		return // the nights differ by no more than their own standard errors
	}
	v := stats.SumOfVariances(stats.VarianceOf(c.SE, c.DF), n.total.Times(2), n.within.Times(-2))
	c.SE, c.DF = v.SE(), v.DF
}

// estimate is the contrast with its interval at the level.
func (c *contrast) estimate(level float64) (*infer.Estimate, string) {
	told := c.Scale.Estimate
	if c.relative {
		told = c.Ratio
	}
	e, why := told(level)
	if e != nil && e.NoInterval == infer.OnePair {
		e.NoInterval = oneBlock
	}
	return e, why
}

// equivalence is about the margin within which a change does not matter; nil
// without spread, or of an amount that is a share of nothing.
func (c *contrast) equivalence(margin, alpha float64) *infer.Equivalence {
	if !c.relative {
		margin = c.amount
	}
	return c.Equivalent(margin, c.relative, alpha)
}

// neutral is what stands for no change.
func (c *contrast) neutral() float64 {
	if c.relative {
		return 1
	}
	return 0
}
