package stats

import (
	"fmt"

	"github.com/montanaflynn/stats"
)

// Mean is the arithmetic mean: sum x / n, corrected for rounding in a second pass,
// so that the mean of equal values is exactly that value.
func Mean(xs []float64) (float64, error) {
	if err := finite(xs...); err != nil {
		return 0, err
	}
	m, err := stats.Mean(xs)
	if err != nil {
		return 0, fmt.Errorf("%w: a mean needs one", ErrTooFew)
	}
	if rest, err := stats.Mean(deviations(xs, m)); err == nil && finite(rest) == nil {
		m += rest
	}
	return m, finite(m)
}

// Median is the middle value, or the mean of the two middle ones.
func Median(xs []float64) (float64, error) {
	if err := finite(xs...); err != nil {
		return 0, err
	}
	m, err := stats.Median(xs)
	if err != nil {
		return 0, fmt.Errorf("%w: a median needs one", ErrTooFew)
	}
	return m, finite(m)
}

// SD is the sample standard deviation: sqrt(sum (x - mean)² / (n-1)). No square
// over- or underflows, because the library scales the deviations by a power of two.
func SD(xs []float64) (float64, error) {
	mean, err := Mean(xs)
	if err != nil {
		return 0, err
	}
	if len(xs) < 2 {
		return 0, fmt.Errorf("%w: a standard deviation needs two", ErrTooFew)
	}
	s, err := stats.StandardDeviationSample(deviations(xs, mean))
	if err != nil {
		return 0, err
	}
	return s, finite(s)
}

func deviations(xs []float64, mean float64) []float64 {
	d := make([]float64, len(xs))
	for i, x := range xs {
		d[i] = x - mean
	}
	return d
}
