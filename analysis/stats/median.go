package stats

import (
	"slices"

	"github.com/montanaflynn/stats"
	"gonum.org/v1/gonum/mathext"
)

// MedianInterval estimates the median without a distribution: the interval is
// [x_(k), x_(n-k+1)] with the largest k for which P(Bin(n, 1/2) < k) is at most
// (1-level)/2, so that it covers the median with at least the level; Level is
// the exact one. ErrTooFew says that no k exists: 95 % needs six values.
// SD is that of the values. Source: David and Nagaraja 2003, 7.1.
func MedianInterval(xs []float64, level float64) (Estimate, error) {
	if err := check(xs, level, 1); err != nil {
		return Estimate{}, err
	}
	median, err := stats.Median(xs)
	if err != nil {
		return Estimate{}, err
	}
	e := Estimate{N: len(xs), Value: median}
	k := 0
	for k < len(xs)/2 && 2*halfBinomial(k, len(xs)) <= 1-level {
		k++
	}
	if k == 0 {
		return e, ErrTooFew
	}
	if e.SD, err = SD(xs); err != nil {
		return e, err
	}
	sorted := slices.Sorted(slices.Values(xs))
	e.Interval = Interval{sorted[k-1], sorted[len(xs)-k], 1 - 2*halfBinomial(k-1, len(xs))}
	return e, nil
}

// halfBinomial is P(Bin(n, 1/2) <= k), as I(1/2; n-k, k+1).
func halfBinomial(k, n int) float64 {
	return mathext.RegIncBeta(float64(n-k), float64(k+1), 0.5)
}
