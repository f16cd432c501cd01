package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// ordered is a set of n numbers, possibly too many to hold, such as all differences
// between two samples. It is given by the number of them that are at most v.
type ordered struct {
	n         int
	low, high float64 // the smallest and the largest
	upTo      func(v float64) int
}

// at is the k-th smallest, counted from 1, by bisection over the at most 2^64 floats
// between the smallest and the largest.
func (o ordered) at(k int) float64 {
	low, high := toOrder(o.low), toOrder(o.high)
	for low < high {
		middle := low + int64(uint64(high-low)/2)
		if o.upTo(fromOrder(middle)) >= k {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return fromOrder(low)
}

func (o ordered) median() float64 {
	a := o.at((o.n + 1) / 2)
	if o.n%2 == 1 {
		return a
	}
	return a/2 + o.at(o.n/2+1)/2
}

// bounds returns the k-th numbers from both ends; for k = 0 they are infinite.
func (o ordered) bounds(k int, alt Alternative) (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	if k > 0 && alt != Less {
		low = o.at(k)
	}
	if k > 0 && alt != Greater {
		high = o.at(o.n + 1 - k)
	}
	return low, high
}

// toOrder numbers the floats in ascending order.
func toOrder(v float64) int64 {
	if v == 0 {
		return 0 // of either sign
	}
	b := int64(math.Float64bits(v))
	if b < 0 {
		b ^= math.MaxInt64
	}
	return b
}

func fromOrder(b int64) float64 {
	if b < 0 {
		b ^= math.MaxInt64
	}
	return math.Float64frombits(uint64(b))
}

// exactDepth returns the largest k for which the probability of fewer than k is at
// most the tail of the level, and the actual level. p[2k] is the probability of k.
func exactDepth(p []float64, alt Alternative, level float64) (k int, exact float64) {
	sides := 2.0
	if alt != TwoSided {
		sides = 1
	}
	exact = 1
	fewer := 0.0
	for 2*k < len(p) && fewer+p[2*k] <= alt.tail(level) {
		fewer += p[2*k]
		exact = 1 - sides*fewer
		k++
	}
	return k, exact
}

// normalDepth is exactDepth where the distribution is nearly normal.
func normalDepth(mean, sd float64, alt Alternative, level float64) (k int, about float64) {
	z := distuv.UnitNormal.Quantile(alt.tail(level))
	if k = int(math.Floor(mean + 0.5 + z*sd)); k > 0 {
		return k, level
	}
	return 0, 1
}
