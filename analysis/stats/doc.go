// Package stats holds the statistics of the analysis as pure functions, one
// file each: formula, source, and reference values in the tests.
//
// A value is the mean of one invocation, never of one call: calls inside an
// invocation are correlated, and no interval here is meant for them.
package stats

import (
	"errors"
	"fmt"
	"math"
)

var (
	// ErrTooFew means that there are not enough values for the statistic.
	ErrTooFew = errors.New("too few values")
	// ErrNotFinite means that a value, or what follows from the values, is NaN
	// or infinite.
	ErrNotFinite = errors.New("a value is not finite")
	// ErrNotPositive means that a logarithm of a value was needed.
	ErrNotPositive = errors.New("a value is not positive")
	// ErrLevel means that a confidence level is not inside (0, 1).
	ErrLevel = errors.New("the confidence level is not between 0 and 1")
	// ErrUnpaired means that two samples of pairs differ in length.
	ErrUnpaired = errors.New("the pairs are not complete")
)

// Interval is a confidence interval at a level such as 0.95.
type Interval struct {
	Low, High, Level float64
}

// Test is a two-sided t test of the hypothesis that the estimated value is its
// neutral one: 0 of a mean or difference, 1 of a ratio.
type Test struct {
	T, DF, P float64
}

// Estimate is an estimated value with its interval. SD is the sample standard
// deviation of what was averaged. Test is nil when the values do not vary.
type Estimate struct {
	N        int
	Value    float64
	SD       float64
	Interval Interval
	Test     *Test
}

// check makes sure that an estimate can be made of these values.
func check(xs []float64, level float64, least int) error {
	if !(level > 0 && level < 1) {
		return fmt.Errorf("%w: %v", ErrLevel, level)
	}
	if len(xs) < least {
		return fmt.Errorf("%w: %d, and %d are needed", ErrTooFew, len(xs), least)
	}
	return finite(xs...)
}

func finite(xs ...float64) error {
	for _, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("%w: %v", ErrNotFinite, x)
		}
	}
	return nil
}
