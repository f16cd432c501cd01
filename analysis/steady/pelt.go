package steady

import (
	"math"
	"slices"
)

// shortest is the least number of values in a segment.
const shortest = 5

// cost is -2 log likelihood of normal values, by segment.
type cost struct {
	sum, square []float64 // of the first t values, centred
	inverse     []float64 // 1/k
	floor       float64   // least variance
	logFloor    float64
	logs        [256]float64 // log(1 + i/256)
}

// newCost takes a series in units of its median. The variance has a floor: noise below a tenth of
// delta cannot hide a relevant change, and a clock's rounding has variance quantum²/12 (Sheppard
// 1898).
func newCost(y []float64, quantum float64) *cost {
	n, floor := len(y), max(delta*delta/100, quantum*quantum/12)
	c := &cost{floor: floor, logFloor: math.Log(floor)}
	c.sum, c.square, c.inverse = make([]float64, n+1), make([]float64, n+1), make([]float64, n+1)
	// Centring at the median keeps most squares small, which reduces cancellation.
	centre := middle(slices.Sorted(slices.Values(y)))
	for i, v := range y {
		d := v - centre
		c.sum[i+1], c.square[i+1] = c.sum[i]+d, c.square[i]+d*d
		c.inverse[i+1] = 1 / float64(i+1)
	}
	for i := range c.logs {
		c.logs[i] = math.Log1p(float64(i) / 256)
	}
	return c
}

// variance returns the variance of the segment [s, t), divisor t - s. Rounding may make it
// negative.
func (c *cost) variance(s, t int) float64 {
	r := c.inverse[t-s]
	m := (c.sum[t] - c.sum[s]) * r
	return (c.square[t]-c.square[s])*r - m*m
}

// segment returns the cost of the segment [s, t).
func (c *cost) segment(s, t int) float64 { return c.likelihood(float64(t-s), max(0, c.variance(s, t))) }

// segmentBound returns a lower bound of the cost of the segment [s, t).
func (c *cost) segmentBound(s, t int) float64 { return c.bound(float64(t-s), c.variance(s, t)) }

// likelihood returns -2 log likelihood of k values whose variance (divisor k) about their fit is v:
// k (log v + 1). Below the floor it is k (log floor + v/floor), the optimum among variances not
// below the floor; so two parts never cost more than the whole, which pruning relies on. The
// constant k log 2 pi is omitted: its sum is the same for all segmentations.
func (c *cost) likelihood(k, v float64) float64 {
	if v > c.floor {
		return k * (math.Log(v) + 1)
	}
	return k * (c.logFloor + v/c.floor)
}

// bound returns a lower bound of likelihood without computing a logarithm: it uses the exponent and
// eight bits of the fraction, and truncates the rest.
func (c *cost) bound(k, v float64) float64 {
	if v <= c.floor {
		return k * c.logFloor
	}
	bits := math.Float64bits(v)
	return k * (math.Ln2*float64(int(bits>>52)-1023) + c.logs[bits>>44&255] + 1)
}

// pelt cuts the series where its mean or variance changes: PELT with the penalty beta = 15 log n
// (Killick, Fearnhead and Eckley 2012; the penalty is from Barrett et al. 2017). It returns the
// starts of the segments after the first, in the segmentation with the least sum of costs and beta
// per change, and that sum; of equal ones, the one with the longest last segments. A wave with one
// half shorter than about 60 batches of 1,000 is not worth two changes, however high it is, and
// counts as noise.
func (c *cost) pelt(beta float64) ([]int, float64) {
	n := len(c.sum) - 1
	p := partition{best: make([]float64, n+1), previous: make([]int, n+1)}
	p.best[0] = -beta
	for t := shortest; t <= n; t++ {
		if s := t - shortest; s == 0 || s >= shortest {
			p.add(c, s, n)
		}
		p.end(c, t, beta)
	}
	var at []int
	for t := p.previous[n]; t > 0; t = p.previous[t] {
		at = append(at, t)
	}
	slices.Reverse(at)
	return at, p.best[n]
}

// partition is the dynamic programme: best[t] = min over s of best[s] + cost(s, t) + beta is the
// cost of the first t values, with their last change at s = previous[t].
type partition struct {
	best     []float64
	previous []int
	groups   []group
	young    []int // candidates that don't fill a group yet
}

// group is a group of candidates tried together. Two parts never cost more than the whole, so no
// candidate s can be better at the end t than least + cost(last, t), where last is the last of the
// group: in a series without changes, where nothing is pruned, one bound replaces nearly all of the
// grouped ones.
type group struct {
	candidates []int
	least      float64 // minimum of best[s] + cost(s, last)
	until      int     // the last end at which they are tried
}

// grouped is the number of candidates in a group.
const grouped = 16

// add makes s a candidate for all ends up to n.
func (p *partition) add(c *cost, s, n int) {
	p.young = append(p.young, s)
	if len(p.young) < grouped {
		return
	}
	g := group{candidates: p.young, least: p.best[s], until: n}
	for _, earlier := range p.young[:grouped-1] {
		g.least = min(g.least, p.best[earlier]+c.segment(earlier, s))
	}
	p.groups, p.young = append(p.groups, g), nil
}

// end finds the last change before t. A candidate s with best[s] + cost(s, t) > best[t] loses to t
// at every later end; from t + shortest on, where a segment starting at t is long enough, it is not
// tried any more.
func (p *partition) end(c *cost, t int, beta float64) {
	// The previous end's winner is likely to be good, so that most others need no exact cost.
	last := p.previous[t-1]
	best := p.best[last] + c.segment(last, t) + beta
	slack := 1e-9 * (1 + math.Abs(best)) // rounding must not exclude equal candidates
	try := func(candidates []int) {
		for _, s := range candidates {
			if p.best[s]+c.segmentBound(s, t)+beta > best+slack {
				continue
			}
			if f := p.best[s] + c.segment(s, t) + beta; f < best || f == best && s < last {
				best, last = f, s
			}
		}
	}
	kept := p.groups[:0]
	for _, g := range p.groups {
		bound := g.least + c.segmentBound(g.candidates[grouped-1], t)
		if bound+beta <= best+slack {
			try(g.candidates)
		}
		if bound > best+slack {
			g.until = min(g.until, t+shortest-1)
		}
		if g.until > t {
			kept = append(kept, g)
		}
	}
	try(p.young)
	p.best[t], p.previous[t], p.groups = best, last, kept
}
