package stats

import (
	"cmp"
	"math"
	"slices"
)

// Holm adjusts p values so that the probability of any false rejection among them is at most the
// level: sorted, p_(i) becomes the largest of (m-j+1) p_(j), j up to i, at most 1. The result is in
// the order of ps; a NaN stays NaN and does not count, as in R's p.adjust. Source: Holm 1979.
func Holm(ps []float64) []float64 {
	result, order, top := slices.Clone(ps), ascending(ps), 0.0
	for rank, i := range order {
		top = max(top, min(1, float64(len(order)-rank)*ps[i]))
		result[i] = top
	}
	return result
}

// BenjaminiHochberg adjusts p values to control the false discovery rate, the expected share of
// false rejections, for independent or positively dependent tests: sorted, p_(i) becomes the
// smallest of m p_(j)/j, j from i, at most 1. Order and NaN are as in Holm. Source: Benjamini and
// Hochberg 1995.
func BenjaminiHochberg(ps []float64) []float64 {
	result, order, least := slices.Clone(ps), ascending(ps), 1.0
	for rank, i := range slices.Backward(order) {
		least = min(least, float64(len(order))/float64(rank+1)*ps[i])
		result[i] = least
	}
	return result
}

// ascending returns the indices of xs by ascending value, without those of NaN.
func ascending(xs []float64) []int {
	order := make([]int, 0, len(xs))
	for i, x := range xs {
		if !math.IsNaN(x) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(xs[a], xs[b]) })
	return order
}
