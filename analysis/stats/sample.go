package stats

import (
	"fmt"
	"math"
)

// Sample summarises independent values as t tests need it, and as papers print it:
// mean, sample standard deviation and number.
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

// check returns an error unless such a sample can exist and be compared.
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
