package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// exactSigns is the largest number of pairs whose signs are enumerated.
const exactSigns = 200

// SignedRank compares pairs by the ranks of |x - y|. Statistic is R's V: the sum of the ranks of
// the positive differences; zero differences are dropped first, as by Wilcoxon, with ErrTooFew if
// none is left. Up to 200 differences, P enumerates all signs of the actual ranks, ties included;
// beyond, it is normal, corrected for ties and continuity, as in R.
//
// Shift is the median of all Walsh averages (d_i + d_j)/2, i up to j (Hodges and Lehmann 1963), its
// interval [A_(k), A_(n(n+1)/2+1-k)] of the ordered averages with the largest k for which P(V < k)
// is at most the tail; with ties or zeros, which are not dropped here, the closed interval covers
// at least as often (Noether 1967). Source: Wilcoxon 1945.
func SignedRank(x, y []float64, alt Alternative, level float64) (RankTest, error) {
	d, err := rankedDifferences(x, y, alt, level)
	if err != nil {
		return RankTest{}, err
	}
	moved := slices.DeleteFunc(slices.Clone(d), func(v float64) bool { return v == 0 })
	sizes := make([]float64, len(moved))
	for i, v := range moved {
		sizes[i] = math.Abs(v)
	}
	ranks, ties := midranks(sizes)
	sum := 0
	for i, r := range ranks {
		if moved[i] > 0 {
			sum += r
		}
	}
	n, all := len(moved), len(d)
	t := RankTest{Statistic: float64(sum) / 2, NX: n, NY: n, Exact: n <= exactSigns}
	mean, sd := signedRankMoments(n, ties)
	if t.P = normalP(t.Statistic-mean, sd, alt); t.Exact {
		t.P = alt.p(tails(signedSums(ranks), sum))
	}
	e := &t.Shift
	e.N = all
	if e.SD, err = SD(d); err != nil && all > 1 {
		return RankTest{}, err
	}
	averages := ordered{all * (all + 1) / 2, d[0], d[all-1], func(v float64) int { return averagesUpTo(d, v) }}
	e.Value = averages.median()
	mean, sd = signedRankMoments(all, 0)
	depth, about := normalDepth(mean, sd, alt, level)
	if all <= exactSigns {
		depth, about = exactDepth(signedSums(plainRanks(all)), alt, level)
	}
	e.Interval = averages.interval(depth, alt, about)
	return t, nil
}

// rankedDifferences returns x - y in ascending order, or an error if all are 0.
func rankedDifferences(x, y []float64, alt Alternative, level float64) ([]float64, error) {
	d, err := Differences(x, y)
	if err := cmp.Or(alt.check(), err, check(d, level, 1)); err != nil {
		return nil, err
	}
	slices.Sort(d)
	if d[0] == 0 && d[len(d)-1] == 0 {
		return nil, fmt.Errorf("%w: all differences are 0", ErrTooFew)
	}
	return d, nil
}

// signedRankMoments returns mean and standard deviation of V; ties is the sum of
// t³ - t over groups of t equal sizes.
func signedRankMoments(n int, ties float64) (mean, sd float64) {
	m := float64(n)
	return m * (m + 1) / 4, math.Sqrt(m*(m+1)*(2*m+1)/24 - ties/48)
}

// averagesUpTo counts the averages of two of the sorted values, or of a value with
// itself, that are at most v.
func averagesUpTo(d []float64, v float64) int {
	count, j := 0, len(d)
	for i := range d {
		// With a larger d_i, fewer averages are small enough.
		for j > i && d[i]/2+d[j-1]/2 > v {
			j--
		}
		if j <= i {
			break
		}
		count += j - i
	}
	return count
}
