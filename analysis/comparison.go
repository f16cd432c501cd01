package analysis

import (
	"math"

	"moobench/analysis/stats"
	"moobench/results"
)

// comparison is what two cells differ by: over blocks, as a difference and, of
// positive values, as the logarithm of a ratio; without blocks by Welch's way.
type comparison struct {
	difference, ratio     scale
	noDifference, noRatio string
	unordered             bool
	x, y                  []float64 // pairs, or two samples when unordered
	detector              detector
}

func incomparable(why string) comparison { return comparison{noDifference: why, noRatio: why} }

// compare sets values against those of another cell. The spread of a sized
// scenario's primary metric is that of its pilot.
func (r *reader) compare(vs []value, cell string, m results.Metric) comparison {
	return r.compareValues(vs, r.values(cell, m), r.sized(m))
}

func (r *reader) compareValues(vs, others []value, sized bool) comparison {
	switch {
	case len(vs) == 0:
		return incomparable("no invocation observed it")
	case len(others) == 0:
		return incomparable("no invocation of the baseline observed it")
	case r.unordered():
		return comparison{unordered: true, x: numbers(vs), y: numbers(others), noRatio: "unordered: there are no pairs"}
	}
	ps := pairs(vs, others)
	c := paired(ps)
	c.detector = r.detector
	if sized && c.noDifference == "" {
		if first := r.secondStage(); first > 0 {
			c.withPilot(paired(before(ps, first)))
		}
	}
	return c
}

// before are the pairs of the blocks with a lower number.
func before(ps []pair, block int) []pair {
	for i, p := range ps {
		if p.block >= block {
			return ps[:i]
		}
	}
	return ps
}

// paired compares pairs. What hits both of a pair alike, such as drift between
// blocks, cancels.
func paired(ps []pair) comparison {
	if len(ps) == 0 {
		return incomparable("no block holds both it and its baseline")
	}
	var c comparison
	var ds, ls []float64
	for _, p := range ps {
		c.x, c.y = append(c.x, p.x), append(c.y, p.y)
		ds = append(ds, p.x-p.y)
		if p.x > 0 && p.y > 0 {
			ls = append(ls, math.Log(p.x)-math.Log(p.y))
		}
	}
	c.difference, c.noDifference = described(ds)
	c.ratio, c.noRatio = described(ls)
	if len(ls) < len(ds) {
		c.ratio, c.noRatio = scale{}, reason(stats.ErrNotPositive)
	}
	return c
}

// described is the scale of some values; one alone has a value and no spread.
func described(xs []float64) (scale, string) {
	if len(xs) == 1 && finite(xs[0]) {
		return scale{n: 1, value: xs[0]}, ""
	}
	s, err := scaleOf(xs)
	if err != nil {
		return scale{}, reason(err)
	}
	return s, ""
}

// withPilot takes the spread of the pilot, where it has one.
func (c *comparison) withPilot(pilot comparison) {
	if pilot.difference.n > 1 {
		c.difference = c.difference.withSpread(pilot.difference)
	}
	if pilot.ratio.n > 1 {
		c.ratio = c.ratio.withSpread(pilot.ratio)
	}
}

// estimates are difference and ratio with their intervals.
func (c comparison) estimates(level float64) (d, ratio *Estimate, noD, noRatio string) {
	if c.unordered {
		d, noD = unpaired(c.x, c.y, level)
		return d, nil, noD, c.noRatio
	}
	noD, noRatio = c.noDifference, c.noRatio
	if noD == "" {
		if d, noD = c.difference.estimate(level); d != nil {
			d.Detectable = c.detector.smallest(c.difference, level)
		}
	}
	if noRatio == "" {
		if ratio, noRatio = c.ratio.ratio(level); ratio != nil {
			if l := c.detector.smallest(c.ratio, level); l != nil && finite(math.Expm1(*l)) {
				excess := math.Expm1(*l)
				ratio.Detectable = &excess
			}
		}
	}
	return d, ratio, noD, noRatio
}

// unpaired estimates the difference of campaigns without blocks.
func unpaired(x, y []float64, level float64) (*Estimate, string) {
	if len(x) < 2 || len(y) < 2 {
		if len(x) == 0 || len(y) == 0 {
			return nil, "it or its baseline has no value"
		}
		return nil, "one invocation of it or of its baseline: how much others would differ is not known"
	}
	return estimated(stats.WelchDifference(x, y, level))
}
