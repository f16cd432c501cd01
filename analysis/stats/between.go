package stats

import (
	"fmt"
	"math"
	"slices"
)

// Between estimates the median of interval-censored positive values: each lies between low and
// high. Low is 0 and High infinite if that side is unbounded.
type Between struct {
	N int
	// Low and High are the medians of the lower and of the upper ends: the median of the values
	// lies between them. Value is their geometric mean, NaN if one side is open.
	Low, High, Value float64
	// Interval covers the population median with at least its level: from the lower end of the
	// order-statistic interval of the lower ends to the upper end of that of the upper ends.
	Interval Interval
}

// MedianBetween estimates the median of values that lie between lows and highs, without
// distributional assumptions. If the values were known, their order statistics x_(k) and x_(n-k+1)
// would cover the median (MedianInterval); the k-th lower end is never above the k-th value, and
// the upper ends never below. With too few values for the level, the interval has level 0 and spans
// all values, and the error is ErrTooFew. Source: David and Nagaraja 2003, 7.1; the ends follow
// from partial identification (Manski 2003, 1.2).
func MedianBetween(lows, highs []float64, level float64) (Between, error) {
	n := len(lows)
	if n != len(highs) || n == 0 || !(level > 0 && level < 1) {
		const ends = "the median of %d values between %d and %d ends at %v: %w"
		return Between{}, fmt.Errorf(ends, n, n, len(highs), level, ErrTooFew)
	}
	for i := range lows {
		if !(lows[i] >= 0 && lows[i] <= highs[i]) {
			return Between{}, fmt.Errorf("no value lies between %v and %v", lows[i], highs[i])
		}
	}
	low, high := slices.Sorted(slices.Values(lows)), slices.Sorted(slices.Values(highs))
	middle := func(sorted []float64) float64 {
		a, b := sorted[(n-1)/2], sorted[n/2]
		if a == b { // infinite ones too
			return a
		}
		return (a + b) / 2
	}
	all := Interval{low[0], high[n-1], 0}
	e := Between{N: n, Low: middle(low), High: middle(high), Value: math.NaN(), Interval: all}
	if e.Low > 0 && !math.IsInf(e.High, 1) {
		e.Value = math.Sqrt(e.Low) * math.Sqrt(e.High)
	}
	ranks := make([]float64, n)
	for i := range ranks {
		ranks[i] = float64(i + 1)
	}
	r, err := MedianInterval(ranks, level)
	if err == nil {
		e.Interval = Interval{low[int(r.Interval.Low)-1], high[int(r.Interval.High)-1], r.Interval.Level}
	}
	return e, err
}
