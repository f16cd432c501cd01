package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// midranks returns twice the ranks of the values, so that the mean ranks of ties are integers too.
// ties is the sum of t³ - t over the groups of t equal values.
func midranks(xs []float64) (doubled []int, ties float64) {
	order := ascending(xs)
	doubled = make([]int, len(xs))
	for from, to := 0, 0; from < len(order); from = to {
		for to = from; to < len(order) && xs[order[to]] == xs[order[from]]; to++ {
		}
		for _, i := range order[from:to] {
			doubled[i] = from + 1 + to
		}
		t := float64(to - from)
		ties += t*t*t - t
	}
	return doubled, ties
}

// plainRanks returns twice the ranks of n values without ties.
func plainRanks(n int) []int {
	doubled := make([]int, n)
	for i := range doubled {
		doubled[i] = 2 * (i + 1)
	}
	return doubled
}

// subsetTails returns the probabilities that the sum of m of the ranks is at most, and at least,
// sum, if all subsets are equally likely.
func subsetTails(ranks []int, m, sum int) (below, above float64) {
	rest := len(ranks) - m
	if m <= rest {
		return tails(subsetSums(ranks, m), sum)
	}
	total := 0
	for _, r := range ranks {
		total += r
	}
	above, below = tails(subsetSums(ranks, rest), total-sum)
	return below, above
}

// subsetSums returns the distribution of the sum of m of the ranks: element s is the probability of
// the sum s. The recursion adds one rank at a time to all smaller subsets; it is fast if m is at
// most half of the ranks.
func subsetSums(ranks []int, m int) []float64 {
	counts, reach := make([][]float64, m+1), make([]int, m+1) // by the size of the subset
	sorted := slices.Sorted(slices.Values(ranks))
	most := 0
	for k := range counts {
		if k > 0 {
			most += sorted[len(sorted)-k]
		}
		counts[k] = make([]float64, most+1)
	}
	counts[0][0] = 1
	for i, r := range sorted {
		for k := min(i+1, m); k > 0; k-- {
			for s, c := range counts[k-1][:reach[k-1]+1] {
				counts[k][s+r] += c
			}
			reach[k] = reach[k-1] + r
		}
	}
	all := 0.0
	for _, c := range counts[m] {
		all += c
	}
	for i := range counts[m] {
		counts[m][i] /= all
	}
	return counts[m]
}

// signedSums returns the distribution of the sum of the ranks with positive sign, if all sign
// patterns are equally likely.
func signedSums(ranks []int) []float64 {
	total := 0
	for _, r := range ranks {
		total += r
	}
	p, reach := make([]float64, total+1), 0
	p[0] = 1
	for _, r := range ranks {
		reach += r
		for s := reach; s >= 0; s-- {
			p[s] /= 2
			if s >= r {
				p[s] += p[s-r] / 2
			}
		}
	}
	return p
}

// tails returns the probabilities of at most, and of at least, the sum s. Each is summed from its
// own end, so that a small one is not lost in 1 - p.
func tails(p []float64, s int) (below, above float64) {
	for _, v := range p[:s+1] {
		below += v
	}
	for i := len(p) - 1; i >= s; i-- {
		above += p[i]
	}
	return below, above
}

// normalP returns the p of a statistic's distance from its mean, with continuity correction; 1 if
// the statistic can't vary.
func normalP(distance, sd float64, alt Alternative) float64 {
	if sd == 0 {
		return 1
	}
	return alt.p(normalTail((-distance-0.5)/sd), normalTail((distance-0.5)/sd))
}

// ordered is a set of n numbers, possibly too many to store, such as all differences between two
// samples. It is given by a function that counts those at most v.
type ordered struct {
	n         int
	low, high float64 // the smallest and the largest
	upTo      func(v float64) int
}

// at returns the k-th smallest, counted from 1, by bisection over the at most 2^64 floats between
// the smallest and the largest.
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

// interval returns the k-th numbers from both ends; for k = 0 it is unbounded.
func (o ordered) interval(k int, alt Alternative, level float64) Interval {
	i := Interval{math.Inf(-1), math.Inf(1), level}
	if k > 0 && alt != Less {
		i.Low = o.at(k)
	}
	if k > 0 && alt != Greater {
		i.High = o.at(o.n + 1 - k)
	}
	return i
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

// exactDepth returns the largest k for which the probability of fewer than k is at most the tail of
// the level, and the actual level. p[2k] is the probability of k.
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

// normalDepth is exactDepth for a nearly normal distribution.
func normalDepth(mean, sd float64, alt Alternative, level float64) (k int, about float64) {
	z := distuv.UnitNormal.Quantile(alt.tail(level))
	if k = int(math.Floor(mean + 0.5 + z*sd)); k > 0 {
		return k, level
	}
	return 0, 1
}
