package stats

import (
	"fmt"

	"github.com/montanaflynn/stats"
)

// Mean is the arithmetic mean: sum x / n.
func Mean(xs []float64) (float64, error) {
	if err := finite(xs...); err != nil {
		return 0, err
	}
	m, err := stats.Mean(xs)
	if err != nil {
		return 0, fmt.Errorf("%w: a mean needs one", ErrTooFew)
	}
	return m, finite(m)
}

// SD is the sample standard deviation: sqrt(sum (x - mean)² / (n-1)).
func SD(xs []float64) (float64, error) {
	if err := finite(xs...); err != nil {
		return 0, err
	}
	if len(xs) < 2 {
		return 0, fmt.Errorf("%w: a standard deviation needs two", ErrTooFew)
	}
	s, err := stats.StandardDeviationSample(xs)
	if err != nil {
		return 0, err
	}
	return s, finite(s)
}
