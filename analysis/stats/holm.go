package stats

import (
	"cmp"
	"slices"
)

// Holm adjusts p values so that the chance of one false rejection among them
// stays at the level: sorted, p_(i) becomes the largest of (m-j+1) p_(j), j up
// to i, at most 1. The order of the result is that of the argument.
// Source: Holm 1979.
func Holm(ps []float64) []float64 {
	order := make([]int, len(ps))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(ps[a], ps[b]) })
	adjusted, top := make([]float64, len(ps)), 0.0
	for rank, i := range order {
		top = max(top, min(1, float64(len(ps)-rank)*ps[i]))
		adjusted[i] = top
	}
	return adjusted
}
