// Package stats holds the statistics of the analysis as pure functions, one
// file each: formula, source, and reference values in the tests.
//
// A value is the mean of one invocation, never the time of one call: calls inside an
// invocation are correlated, and no interval here is meant for them.
//
// Where two samples are compared, the result is about the first against the
// second: x - y or x/y, with the baseline as y.
package stats

import (
	"errors"
	"fmt"
	"math"
)

var (
	// ErrTooFew means that there are not enough values for the statistic.
	ErrTooFew = errors.New("too few values")
	// ErrNotFinite means that a value, or a result of the values, is NaN or
	// infinite.
	ErrNotFinite = errors.New("a value is not finite")
	// ErrNotPositive means that a logarithm of a value was needed.
	ErrNotPositive = errors.New("a value is not positive")
	// ErrLevel means that a confidence level is not inside (0, 1).
	ErrLevel = errors.New("the confidence level is not between 0 and 1")
	// ErrUnpaired means that two samples of pairs differ in length.
	ErrUnpaired = errors.New("the pairs are not complete")
	// ErrAlternative means that an alternative is none of the three.
	ErrAlternative = errors.New("the alternative is not two-sided, less or greater")
	// ErrSpread means that a standard deviation or error is negative, or that
	// values which are divided by their spread have none.
	ErrSpread = errors.New("the spread of the values is of no use")
	// ErrOpposite means that the rates of two arms, and the means of the rates of
	// their runs, point in opposite directions.
	ErrOpposite = errors.New("pooled and run by run, the rates differ in opposite directions")
	// ErrMargin means that no value lies inside a margin of equivalence.
	ErrMargin = errors.New("the margin is empty")
	// ErrAlpha means that an alpha of two one-sided tests is not inside (0, 0.5).
	ErrAlpha = errors.New("alpha is not between 0 and 0.5")
	// ErrQuantile means that a quantile is not inside [0, 1], or of no known type.
	ErrQuantile = errors.New("there is no such quantile")
)

// Interval is a confidence interval at a level such as 0.95. One-sided ones are
// unbounded on one side.
type Interval struct {
	Low, High, Level float64
}

// Test is a t test of the hypothesis that the estimated value is its neutral
// one: 0 of a mean or difference, 1 of a ratio.
type Test struct {
	T, DF, P float64
}

// Estimate is an estimated value with its interval. N is the number of values or
// pairs, or that of the smaller of two samples. SD is the sample standard deviation of
// the averaged values, SE the standard error of Value (for a ratio, of its logarithm)
// with DF degrees of freedom; SE and DF are 0 for ranks. Test is nil when the values
// don't vary by more than rounding.
type Estimate struct {
	N        int
	Value    float64
	SD       float64
	SE, DF   float64
	Interval Interval
	Test     *Test
}

// check returns an error unless an estimate can be made from these values.
func check(xs []float64, level float64, least int) error {
	if err := checkLevel(level); err != nil {
		return err
	}
	if len(xs) < least {
		return fmt.Errorf("%w: %d, and %d are needed", ErrTooFew, len(xs), least)
	}
	return finite(xs...)
}

func checkLevel(level float64) error {
	if !(level > 0 && level < 1) {
		return fmt.Errorf("%w: %v", ErrLevel, level)
	}
	return nil
}

// Finite reports whether none of xs is NaN or infinite.
func Finite(xs ...float64) bool { return finite(xs...) == nil }

func finite(xs ...float64) error {
	for _, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("%w: %v", ErrNotFinite, x)
		}
	}
	return nil
}

// checked returns e, or an error if some arithmetic overflowed. An interval may be
// unbounded where the alternative makes it so.
func (e Estimate) checked(alt Alternative) (Estimate, error) {
	low, high := e.Interval.Low, e.Interval.High
	switch alt {
	case Less:
		low = high
	case Greater:
		high = low
	}
	if err := finite(e.Value, e.SD, low, high); err != nil {
		return Estimate{}, err
	}
	return e, nil
}
