package stats

import (
	"cmp"
	"math"
	"slices"
)

// adjusted replaces p values by what adjust makes of them in ascending order; the
// order of the result is that of the argument. A NaN stays one, and does not
// count, as in R's p.adjust.
func adjusted(ps []float64, adjust func(sorted []float64)) []float64 {
	result := slices.Clone(ps)
	order := make([]int, 0, len(ps))
	for i, p := range ps {
		if !math.IsNaN(p) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ps[a], ps[b]) })
	sorted := make([]float64, len(order))
	for rank, i := range order {
		sorted[rank] = ps[i]
	}
	adjust(sorted)
	for rank, i := range order {
		result[i] = sorted[rank]
	}
	return result
}

// stepUp makes each p, times its factor, at most the next larger one and 1.
// Ranks count from 1.
func stepUp(sorted []float64, factor func(rank int) float64) {
	least := 1.0
	for i := len(sorted) - 1; i >= 0; i-- {
		least = min(least, factor(i+1)*sorted[i])
		sorted[i] = least
	}
}
