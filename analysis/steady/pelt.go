package steady

import (
	"math"
	"slices"
)

// shortest is the least number of values of a segment.
const shortest = 5

// cost is -2 log likelihood of normal values, segment by segment.
type cost struct {
	sum, square []float64 // of the first t values, centred
	inverse     []float64 // 1/k
	floor       float64   // least variance
	logFloor    float64
	logs        [256]float64 // log(1 + i/256)
}

// newCost takes a series whose unit is its median. Noise below a tenth of delta
// cannot hide a change that counts, and the rounding of a clock has a variance
// of quantum²/12 (Sheppard 1898): no variance is less.
func newCost(y []float64, quantum float64) *cost {
	n, floor := len(y), max(delta*delta/100, quantum*quantum/12)
	c := &cost{floor: floor, logFloor: math.Log(floor)}
	c.sum, c.square, c.inverse = make([]float64, n+1), make([]float64, n+1), make([]float64, n+1)
	// Centring at the median keeps most squares small: less is cancelled.
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

// segment is the cost of one segment [s, t).
func (c *cost) segment(s, t int) float64 {
	r := c.inverse[t-s]
	m := (c.sum[t] - c.sum[s]) * r
	return c.likelihood(float64(t-s), max(0, (c.square[t]-c.square[s])*r-m*m))
}

// likelihood is -2 log likelihood of k values whose variance (divisor k) about
// what is fitted to them is v: k (log v + 1). Below the floor it is
// k (log floor + v/floor), the best among variances that are not below it; so
// two parts never cost more than the whole, which pruning rests on. The constant
// k log 2 pi is left out: it adds up to the same for all segmentations.
func (c *cost) likelihood(k, v float64) float64 {
	if v > c.floor {
		return k * (math.Log(v) + 1)
	}
	return k * (c.logFloor + v/c.floor)
}

// bound is at most the likelihood, and spares the logarithm: the exponent and
// eight bits of the fraction are looked up, the rest is cut off.
func (c *cost) bound(k, v float64) float64 {
	if v <= c.floor {
		return k * c.logFloor
	}
	bits := math.Float64bits(v)
	return k * (math.Ln2*float64(int(bits>>52)-1023) + c.logs[bits>>44&255] + 1)
}

// pelt cuts the series where its mean or variance changes: PELT with the penalty
// beta = 15 log n (Killick, Fearnhead and Eckley 2012; the penalty is that of
// Barrett et al. 2017). It returns where the segments after the first begin, in
// the segmentation that has the least sum of costs and beta per change, and that
// sum; of equals, the one whose last segments are longest. A wave of which one
// half is shorter than about 60 batches of 1,000 is not worth two changes,
// however high it is, and counts as noise.
func (c *cost) pelt(beta float64) ([]int, float64) {
	n := len(c.sum) - 1
	p := partition{best: make([]float64, n+1), previous: make([]int, n+1), until: make([]int, n+1)}
	p.best[0] = -beta
	for t := shortest; t <= n; t++ {
		if s := t - shortest; s == 0 || s >= shortest {
			p.candidates = append(p.candidates, s)
			p.until[s] = n
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

// partition is the dynamic programme: best[t] = min over s of best[s] +
// cost(s, t) + beta is what the first t values cost, their last change being at
// s = previous[t].
type partition struct {
	best       []float64
	previous   []int
	candidates []int
	until      []int // the last end that a candidate is tried at
}

// end finds the last change before t. A candidate s with best[s] + cost(s, t) >
// best[t] loses to t at every later end: from t + shortest on, where a segment
// that begins at t is long enough, it is not tried any more.
func (p *partition) end(c *cost, t int, beta float64) {
	// The winner of the end before is likely to be good, and spares most of the
	// others an exact cost.
	last := p.previous[t-1]
	best := p.best[last] + c.segment(last, t) + beta
	slack := 1e-9 * (1 + math.Abs(best)) // rounding must not keep an equal out
	kept := p.candidates[:0]
	sum, square := c.sum[t], c.square[t]
	for _, s := range p.candidates {
		r := c.inverse[t-s]
		m := (sum - c.sum[s]) * r
		bound := p.best[s] + c.bound(float64(t-s), (square-c.square[s])*r-m*m)
		if bound+beta <= best+slack {
			if f := p.best[s] + c.segment(s, t) + beta; f < best || f == best && s < last {
				best, last = f, s
			}
		}
		if bound > best+slack {
			p.until[s] = min(p.until[s], t+shortest-1)
		}
		if p.until[s] > t {
			kept = append(kept, s)
		}
	}
	p.best[t], p.previous[t], p.candidates = best, last, kept
}
