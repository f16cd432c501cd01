package stats

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mathext"
)

// MedianInterval estimates the median without distributional assumptions: the interval is [x_(k),
// x_(n-k+1)] with the largest k for which P(Bin(n, 1/2) < k) is at most (1-level)/2, so that it
// covers the median with at least the level; Level is the actual one. It returns ErrTooFew if no
// such k exists: 95 % needs six values. SD is the standard deviation of the values. Source: David
// and Nagaraja 2003, 7.1.
func MedianInterval(xs []float64, level float64) (Estimate, error) {
	if err := check(xs, level, 1); err != nil {
		return Estimate{}, err
	}
	e, err := medianOf(slices.Sorted(slices.Values(xs)), TwoSided, level)
	if err == nil && math.IsInf(e.Interval.Low, 0) {
		err = fmt.Errorf("%w: the median of %d has no interval at %v", ErrTooFew, e.N, level)
		return Estimate{N: e.N, Value: e.Value}, err
	}
	return e, err
}

// medianOf needs at least one sorted value. If no bound reaches the level, the interval is
// unbounded.
func medianOf(sorted []float64, alt Alternative, level float64) (Estimate, error) {
	n := len(sorted)
	middle, _ := quantile(sorted, 0.5, 7)
	sd, err := SD(sorted)
	if err != nil && n > 1 {
		return Estimate{}, err
	}
	e := Estimate{N: n, Value: middle, SD: sd, Interval: Interval{math.Inf(-1), math.Inf(1), 1}}
	k := sort.Search(n, func(i int) bool { return halfBinomial(i, n) > alt.tail(level) })
	if k > 0 && alt != Less {
		e.Interval.Low = sorted[k-1]
		e.Interval.Level -= halfBinomial(k-1, n)
	}
	if k > 0 && alt != Greater {
		e.Interval.High = sorted[n-k]
		e.Interval.Level -= halfBinomial(k-1, n)
	}
	return e, nil
}

// exactHalf is the largest n with an exact binomial: beyond, the incomplete beta function loses
// digits, and the normal distribution with continuity correction replaces it.
const exactHalf = 1_000_000

// halfBinomial returns P(Bin(n, 1/2) <= k), as I(1/2; n-k, k+1).
func halfBinomial(k, n int) float64 {
	if k >= n {
		return 1
	}
	if n > exactHalf {
		return math.Erfc((float64(n)-2*float64(k)-1)/math.Sqrt(2*float64(n))) / 2
	}
	return mathext.RegIncBeta(float64(n-k), float64(k+1), 0.5)
}

// Sign compares pairs by the signs of x - y alone: Statistic is the number of positive differences,
// which is binomial with 1/2, approximated by a normal beyond a million. Zero differences are
// dropped first; it returns ErrTooFew if none is left. Shift is the median of all differences with
// its order-statistic interval, as in MedianInterval. Source: Conover 1999, 3.4.
func Sign(x, y []float64, alt Alternative, level float64) (RankTest, error) {
	d, err := rankedDifferences(x, y, alt, level)
	if err != nil {
		return RankTest{}, err
	}
	positive := len(d) - sort.Search(len(d), func(i int) bool { return d[i] > 0 })
	n := positive + sort.SearchFloat64s(d, 0) // those below 0
	t := RankTest{Statistic: float64(positive), NX: n, NY: n, Exact: n <= exactHalf}
	t.P = alt.p(halfBinomial(positive, n), halfBinomial(n-positive, n))
	t.Shift, err = medianOf(d, alt, level)
	return t, err
}
