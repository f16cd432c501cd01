package summary

import "slices"

// Median is the middle of values in any order, the mean of the two middle ones
// where their number is even; 0 of no value.
func Median(values []int64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	low, high := sorted[(len(sorted)-1)/2], sorted[len(sorted)/2]
	return (float64(low) + float64(high)) / 2
}
