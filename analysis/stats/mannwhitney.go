package stats

import (
	"cmp"
	"math"
	"slices"
)

// RankTest is the result of a test of ranks or signs. Exact says that the null distribution is
// exact, not a normal approximation. NX and NY are the numbers of values in the statistic; for
// pairs, both are the number of pairs that differ. Shift is the estimated difference x - y with an
// interval that covers with at least the requested level; its Level is the actual one if the
// distribution is exact, and for samples too small for any interval it is unbounded at level 1.
// Shift has no Test.
type RankTest struct {
	Statistic, P float64
	Exact        bool
	NX, NY       int
	Shift        Estimate
}

// exactPairs is the largest nx ny whose null distribution is enumerated.
const exactPairs = 2500

// MannWhitney compares two independent samples of at least one value by ranks. Statistic is R's W:
// the number of pairs with x > y, plus half of those with x = y. Up to nx ny = 2,500, P enumerates
// all splits of the actual values, ties included, by the recursion of Klotz 1966; beyond, it is
// normal, corrected for ties and continuity, as in R. Two-sided is twice the smaller tail.
//
// Shift is the median of all x - y (Hodges and Lehmann 1963), its interval [D_(k), D_(nx ny+1-k)]
// of the ordered x - y with the largest k for which P(W < k) without ties is at most the tail; with
// ties, the closed interval covers at least as often (Noether 1967). SD is the pooled one, 0 for
// single values. Source: Mann and Whitney 1947.
func MannWhitney(x, y []float64, alt Alternative, level float64) (RankTest, error) {
	if err := checkRanks(x, y, alt, level); err != nil {
		return RankTest{}, err
	}
	x, y = slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y))
	ranks, ties := midranks(append(slices.Clone(x), y...))
	sum := 0
	for _, r := range ranks[:len(x)] {
		sum += r
	}
	m, n := len(x), len(y)
	t := RankTest{Statistic: float64(sum-m*(m+1)) / 2, NX: m, NY: n, Exact: m*n <= exactPairs}
	mean, sd := mannWhitneyMoments(m, n, ties)
	if t.P = normalP(t.Statistic-mean, sd, alt); t.Exact {
		t.P = alt.p(subsetTails(ranks, m, sum))
	}
	e := &t.Shift
	if e.N = min(m, n); e.N > 1 {
		sx, sy, err := samplesOf(x, y)
		if err != nil {
			return RankTest{}, err
		}
		e.SD = pooledSD(sx, sy)
	}
	d := ordered{m * n, x[0] - y[n-1], x[m-1] - y[0], func(d float64) int { return pairsUpTo(x, y, d) }}
	e.Value = d.median()
	mean, sd = mannWhitneyMoments(m, n, 0)
	depth, about := normalDepth(mean, sd, alt, level)
	if t.Exact {
		depth, about = exactDepth(subsetSums(plainRanks(m+n), e.N)[e.N*(e.N+1):], alt, level)
	}
	e.Interval = d.interval(depth, alt, about)
	return t, finite(e.Value, e.SD, d.low, d.high)
}

func checkRanks(x, y []float64, alt Alternative, level float64) error {
	return cmp.Or(alt.check(), in("first sample", check(x, level, 1)), in("second sample", check(y, level, 1)))
}

// mannWhitneyMoments returns mean and standard deviation of W; ties is the sum of
// t³ - t over tied groups of t values.
func mannWhitneyMoments(nx, ny int, ties float64) (mean, sd float64) {
	m, n := float64(nx), float64(ny)
	variance := m * n / 12 * (m + n + 1)
	if ties > 0 {
		variance -= m * n / 12 * ties / ((m + n) * (m + n - 1))
	}
	return m * n / 2, math.Sqrt(max(0, variance))
}

// pairsUpTo counts the pairs with x - y <= d in sorted samples.
func pairsUpTo(x, y []float64, d float64) int {
	count, j := 0, len(y)
	for i := len(x) - 1; i >= 0; i-- {
		// With a smaller x, more differences are small enough.
		for j > 0 && x[i]-y[j-1] <= d {
			j--
		}
		count += len(y) - j
	}
	return count
}
