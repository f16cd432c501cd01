package summary

import (
	"cmp"
	"slices"
)

// Median returns the median of values in any order, the mean of the two middle ones if
// their number is even; 0 without values.
func Median(values []int64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	low, high := sorted[(len(sorted)-1)/2], sorted[len(sorted)/2]
	return (float64(low) + float64(high)) / 2
}

// NearestRank returns the smallest of sorted values that at least a share q of them does
// not exceed; the zero value without values.
func NearestRank[T cmp.Ordered](sorted []T, q float64) T {
	var none T
	if len(sorted) == 0 {
		return none
	}
	rank := int(q * float64(len(sorted)))
	if float64(rank) == q*float64(len(sorted)) && rank > 0 {
		rank--
	}
	return sorted[min(rank, len(sorted)-1)]
}
