package stats

import (
	"fmt"
	"math"
)

// Sample is all that t tests need to know of independent values: their mean,
// sample standard deviation and number. A paper's table has it too.
type Sample struct {
	Mean, SD float64
	N        int
}

// SampleOf summarises two values or more.
func SampleOf(xs []float64) (Sample, error) {
	mean, err := Mean(xs)
	if err != nil {
		return Sample{}, err
	}
	sd, err := SD(xs)
	return Sample{mean, sd, len(xs)}, err
}

// check makes sure that such a sample can exist, and be compared.
func (s Sample) check() error {
	switch {
	case s.N < 2:
		return fmt.Errorf("%w: %d, and 2 are needed", ErrTooFew, s.N)
	case s.SD < 0:
		return fmt.Errorf("%w: a standard deviation of %v", ErrSpread, s.SD)
	}
	return finite(s.Mean, s.SD)
}

// se is the standard error of the mean.
func (s Sample) se() float64 { return s.SD / math.Sqrt(float64(s.N)) }

// checkBoth makes sure that two samples can be compared.
func checkBoth(x, y Sample, alt Alternative, level float64) error {
	if err := alt.check(); err != nil {
		return err
	}
	if err := checkLevel(level); err != nil {
		return err
	}
	if err := x.check(); err != nil {
		return fmt.Errorf("first sample: %w", err)
	}
	if err := y.check(); err != nil {
		return fmt.Errorf("second sample: %w", err)
	}
	return nil
}

// samplesOf summarises both samples of a comparison.
func samplesOf(x, y []float64) (sx, sy Sample, err error) {
	if sx, err = SampleOf(x); err != nil {
		return sx, sy, fmt.Errorf("first sample: %w", err)
	}
	if sy, err = SampleOf(y); err != nil {
		return sx, sy, fmt.Errorf("second sample: %w", err)
	}
	return sx, sy, nil
}

// difference is the studentised difference of two means. Means that are large
// against it leave rounding in it, which is no variation.
func difference(x, y Sample, se, sd, df float64, alt Alternative, level float64) (Estimate, error) {
	e := Studentised(x.Mean-y.Mean, se, df, alt, level)
	if IsRounding(se, max(math.Abs(x.Mean), math.Abs(y.Mean))) {
		e.Test = nil
	}
	e.N, e.SD = min(x.N, y.N), sd
	return e.checked(alt)
}
