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
