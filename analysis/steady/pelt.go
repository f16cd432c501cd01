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

// of is the cost of one segment [s, t).
func (c *cost) of(s, t int) float64 { return c.likelihood(float64(t-s), c.variance(s, t)) }

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

// bound is at most the cost, and saves its logarithm: the exponent and eight
// bits of the fraction are looked up, the rest is cut off.
func (c *cost) bound(s, t int) float64 {
	v := max(c.variance(s, t), c.floor)
	bits := math.Float64bits(v)
	log := math.Ln2*(float64(bits>>52)-1023) + c.logs[bits>>44&255]
	if v > c.floor {
		log++
	}
	return float64(t-s) * log
}

func (c *cost) variance(s, t int) float64 {
	r := c.inverse[t-s]
	m := (c.sum[t] - c.sum[s]) * r
	return max(0, (c.square[t]-c.square[s])*r-m*m)
}

// pelt cuts the series where its mean or variance changes: PELT with the penalty
// beta = 15 log n (Killick, Fearnhead and Eckley 2012; the penalty is that of
// Barrett et al. 2017). It returns where the segments after the first begin, in
// the segmentation that has the least sum of costs and beta per change, and that
// sum; of equals, the one whose last segments are longest. A wave of which one
// half is shorter than about 60 batches of 1,000 is not worth two changes,
// however high it is, and counts as noise.
//
// best[t] = min over s of best[s] + cost(s, t) + beta, the last change being at
// s. A candidate s with best[s] + cost(s, t) > best[t] loses to t at every later
// end: from t + shortest on, where a segment that begins at t is long enough, it
// is not tried any more.
func (c *cost) pelt(beta float64) ([]int, float64) {
	n := len(c.sum) - 1
	best, previous := make([]float64, n+1), make([]int, n+1)
	until := make([]int, n+1) // the last end at which a candidate is tried
	bounds := make([]float64, 0, n+1)
	best[0] = -beta
	var candidates []int
	for t := shortest; t <= n; t++ {
		if s := t - shortest; s == 0 || s >= shortest {
			candidates = append(candidates, s)
			until[s] = n
		}
		// The winner of the end before is likely to be good, and spares most of
		// the others an exact cost.
		s := previous[t-1]
		best[t], previous[t] = best[s]+c.of(s, t)+beta, s
		bounds = bounds[:0]
		for _, s := range candidates {
			b := best[s] + c.bound(s, t)
			bounds = append(bounds, b)
			if b+beta > best[t] {
				continue
			}
			if f := best[s] + c.of(s, t) + beta; f < best[t] || f == best[t] && s < previous[t] {
				best[t], previous[t] = f, s
			}
		}
		// Rounding must not retire an equal.
		candidates = retire(candidates, until, bounds, best[t]+1e-9*(1+math.Abs(best[t])), t)
	}
	var at []int
	for t := previous[n]; t > 0; t = previous[t] {
		at = append(at, t)
	}
	slices.Reverse(at)
	return at, best[n]
}

// retire drops the candidates that are not to be tried at t+1, after it has
// noted until when those above limit are.
func retire(candidates, until []int, bounds []float64, limit float64, t int) []int {
	kept := candidates[:0]
	for i, s := range candidates {
		if bounds[i] > limit {
			until[s] = min(until[s], t+shortest-1)
		}
		if until[s] > t {
			kept = append(kept, s)
		}
	}
	return kept
}
