// Package stats holds the statistics of the analysis as pure functions, one file each: formula,
// source, and reference values in the tests.
//
// A value is the mean of one invocation, never the time of one call: calls inside an invocation are
// correlated, and no interval here is valid for them.
//
// Comparisons of two samples compare the first with the second: x - y or x/y, with the baseline as
// y.
package stats

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

var (
	// ErrTooFew means that there are not enough values for the statistic.
	ErrTooFew = errors.New("too few values")
	// ErrNotFinite means that a value, or a result of the values, is NaN or
	// infinite.
	ErrNotFinite = errors.New("a value is not finite")
	// ErrZeroBelow means division of a ratio by 0; it wraps ErrNotFinite.
	ErrZeroBelow = fmt.Errorf("%w: 0 below the line", ErrNotFinite)
	// ErrNotPositive means that a value had no logarithm.
	ErrNotPositive = errors.New("a value is not positive")
	// errLevel means that a confidence level is not inside (0, 1).
	errLevel = errors.New("the confidence level is not between 0 and 1")
	// ErrUnpaired means that paired samples differ in length.
	ErrUnpaired = errors.New("the pairs are not complete")
	// errAlternative means an unknown alternative.
	errAlternative = errors.New("the alternative is not two-sided, less or greater")
	// errSpread means that a standard deviation or error is negative, or that values to be divided
	// by their spread don't vary.
	errSpread = errors.New("the spread of the values is of no use")
	// ErrOpposite means that the rates of two arms and the mean rates of their runs differ in
	// opposite directions.
	ErrOpposite = errors.New("pooled and run by run, the rates differ in opposite directions")
	// errMargin means that an equivalence margin is empty.
	errMargin = errors.New("the margin is empty")
	// errAlpha means that an alpha of two one-sided tests is not inside (0, 0.5).
	errAlpha = errors.New("alpha is not between 0 and 0.5")
)

// Interval is a confidence interval at a level such as 0.95. A one-sided one is unbounded on one
// side.
type Interval struct {
	Low   float64 `json:"low"`   // lower bound
	High  float64 `json:"high"`  // upper bound
	Level float64 `json:"level"` // its own level: above 0.95 for simultaneous intervals
}

// Half is the half-width.
func (i Interval) Half() float64 { return (i.High - i.Low) / 2 }

// Side returns 1 if the whole interval is above x, -1 if it is below, and 0 if it contains x.
func (i Interval) Side(x float64) int {
	switch {
	case i.Low > x:
		return 1
	case i.High < x:
		return -1
	}
	return 0
}

// Test is a t test of the hypothesis that the estimated value is its neutral
// one: 0 of a mean or difference, 1 of a ratio.
type Test struct {
	T, DF, P float64
}

// Estimate is an estimated value with its interval. N is the number of values or pairs, or that of
// the smaller of two samples. SD is the sample standard deviation of the averaged values, SE the
// standard error of Value (for a ratio, of its logarithm) with DF degrees of freedom; SE and DF are
// 0 for ranks. Test is nil if the values don't vary by more than rounding.
type Estimate struct {
	N        int
	Value    float64
	SD       float64
	SE, DF   float64
	Interval Interval
	Test     *Test
}

// check returns an error unless these values allow an estimate.
func check(xs []float64, level float64, least int) error {
	err := checkLevel(level)
	if err == nil && len(xs) < least {
		err = fmt.Errorf("%w: %d, and %d are needed", ErrTooFew, len(xs), least)
	}
	return cmp.Or(err, finite(xs...))
}

func checkLevel(level float64) error {
	if !(level > 0 && level < 1) {
		return fmt.Errorf("%w: %v", errLevel, level)
	}
	return nil
}

// in adds a subject to an error; nil stays nil.
func in(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}

// Finite reports whether none of xs is NaN or infinite.
func Finite(xs ...float64) bool { return !slices.ContainsFunc(xs, notFinite) }

func notFinite(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }

func finite(xs ...float64) error {
	for _, x := range xs {
		if notFinite(x) {
			return fmt.Errorf("%w: %v", ErrNotFinite, x)
		}
	}
	return nil
}

// checked returns e, or an error if some arithmetic overflowed. An interval may be unbounded on the
// side where the alternative makes it so.
func (e Estimate) checked(alt Alternative) (Estimate, error) {
	low, high := e.Interval.Low, e.Interval.High
	switch alt {
	case Less:
		low = high
	case Greater:
		high = low
	}
	return e, finite(e.Value, e.SD, low, high)
}

// Alternative is the alternative hypothesis of a test.
type Alternative string

const (
	// TwoSided: the value differs from the neutral one.
	TwoSided Alternative = "two-sided"
	// Less: the value is below it; the interval is bounded above only.
	Less Alternative = "less"
	// Greater: the value is above it; the interval is bounded below only.
	Greater Alternative = "greater"
)

// ParseAlternative parses two-sided, less or greater; other texts return errAlternative.
func ParseAlternative(text string) (Alternative, error) {
	a := Alternative(text)
	return a, a.check()
}

func (a Alternative) check() error {
	switch a {
	case TwoSided, Less, Greater:
		return nil
	}
	return fmt.Errorf("%w: %q", errAlternative, string(a))
}

// p combines the two tails of a test: below is P(at most the observed value), above is P(at least
// it). Two-sided is twice the smaller, at most 1, as in R.
func (a Alternative) p(below, above float64) float64 {
	switch a {
	case Less:
		return min(1, below)
	case Greater:
		return min(1, above)
	}
	return min(1, 2*min(below, above))
}

// tail returns the one-sided miss probability of an interval at the level.
func (a Alternative) tail(level float64) float64 {
	if a == TwoSided {
		return (1 - level) / 2
	}
	return 1 - level
}

// negligible is the largest relative standard error that rounding alone can cause; the limit is
// that of R's t.test.
const negligible = 10 * 0x1p-52

// IsRounding reports whether a standard error is no larger than rounding causes in values of this
// size.
func IsRounding(se, size float64) bool { return !(se > negligible*math.Abs(size)) }

// studentised returns the interval and the test of a value: [IntervalT] and [TestT]. The caller
// sets N and SD.
func studentised(value, se, df float64, alt Alternative, level float64) Estimate {
	interval, test := IntervalT(value, se, df, alt, level), TestT(value, se, df, alt)
	return Estimate{Value: value, SE: se, DF: df, Interval: interval, Test: test}
}

// IntervalT returns value ± t(df; level) se; a one-sided interval is unbounded on the other side.
// The arguments must be finite, se at least 0, df positive and the level inside (0, 1).
func IntervalT(value, se, df float64, alt Alternative, level float64) Interval {
	h := TQuantile(alt.tail(level), df) * se
	if se == 0 {
		h = 0
	}
	i := Interval{value - h, value + h, level}
	switch alt {
	case Less:
		i.Low = math.Inf(-1)
	case Greater:
		i.High = math.Inf(1)
	}
	return i
}

// TestT returns the t test of the value 0, nil if the standard error is mere rounding.
func TestT(value, se, df float64, alt Alternative) *Test {
	t := value / se
	if IsRounding(se, value) || math.IsInf(t, 0) {
		return nil
	}
	far := TTail(math.Abs(t), df)
	below, above := 1-far, far
	if t < 0 {
		below, above = far, 1-far
	}
	return &Test{T: t, DF: df, P: alt.p(below, above)}
}
