package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/montanaflynn/stats"
	"gonum.org/v1/gonum/floats"
)

// Mean is the arithmetic mean: sum x / n, corrected for rounding in a second pass, so that the mean
// of equal values is exactly that value.
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
	switch {
	case err != nil:
		return 0, err
	case len(xs) < 2:
		return 0, fmt.Errorf("%w: a standard deviation needs two", ErrTooFew)
	}
	s, err := stats.StandardDeviationSample(deviations(xs, mean))
	return s, cmp.Or(err, finite(s))
}

func deviations(xs []float64, mean float64) []float64 {
	d := slices.Clone(xs)
	floats.AddConst(-mean, d)
	return d
}

// quantile returns the p-quantile, p in [0, 1], of values in ascending order, by two of the
// definitions of Hyndman and Fan 1996, with their numbers: 6, Weibull's, and 7, the default of R
// and most tools. Only the values next to the quantile are checked to be finite.
func quantile(sorted []float64, p float64, kind int) (float64, error) {
	if len(sorted) == 0 {
		return 0, fmt.Errorf("%w: a quantile needs one", ErrTooFew)
	}
	n := float64(len(sorted))
	h := (n-1)*p + 1 // position of the quantile, counted from 1
	if kind == 6 {
		h = (n + 1) * p
	}
	// Rounding must not turn an integer h into the position below it.
	const fuzz = 4 * 0x1p-52
	j := math.Floor(h + fuzz)
	g := h - j
	if math.Abs(g) < fuzz {
		g = 0
	}
	// Positions outside are clamped to the first and the last.
	at := func(j float64) float64 { return sorted[int(min(max(j, 1), float64(len(sorted))))-1] }
	v := at(j)
	if next := at(j + 1); g > 0 && next != v {
		v = (1-g)*v + g*next
	}
	return v, finite(v)
}

// Differences returns x - y, pair by pair. Errors: ErrUnpaired, ErrNotFinite.
func Differences(x, y []float64) ([]float64, error) {
	if len(x) != len(y) {
		return nil, ErrUnpaired
	}
	d := floats.SubTo(make([]float64, len(x)), x, y)
	return d, cmp.Or(finite(x...), finite(y...), finite(d...))
}

// LogRatios returns log(x/y), pair by pair, without loss near 1. Errors:
// ErrUnpaired, ErrNotPositive, ErrNotFinite.
func LogRatios(x, y []float64) ([]float64, error) {
	if len(x) != len(y) {
		return nil, ErrUnpaired
	}
	l := make([]float64, len(x))
	if err := cmp.Or(positive(x), positive(y)); err != nil {
		return nil, err
	}
	for i := range x {
		if l[i] = math.Log(x[i]) - math.Log(y[i]); x[i] < 2*y[i] && y[i] < 2*x[i] { // else x/y may overflow
			l[i] = math.Log1p((x[i] - y[i]) / y[i])
		}
	}
	return l, nil
}

// Logs returns natural logarithms. Errors: ErrNotPositive, ErrNotFinite.
func Logs(xs []float64) ([]float64, error) {
	l := make([]float64, len(xs))
	for i, x := range xs {
		l[i] = math.Log(x)
	}
	return l, positive(xs)
}

// positive returns an error unless all values have a logarithm.
func positive(xs []float64) error {
	if slices.ContainsFunc(xs, func(x float64) bool { return x <= 0 }) {
		return ErrNotPositive
	}
	return finite(xs...)
}

// Grouped groups values by key, in order of first appearance.
func Grouped[K comparable, T any](all []T, key func(T) K) [][]T {
	var groups [][]T
	at := map[K]int{}
	for _, v := range all {
		i, known := at[key(v)]
		if !known {
			i = len(groups)
			at[key(v)], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], v)
	}
	return groups
}

// Sample summarises independent values as t tests need it, and as papers print it: mean, sample
// standard deviation and number.
type Sample struct {
	Mean, SD float64
	N        int
}

// SampleOf summarises two values or more.
func SampleOf(xs []float64) (Sample, error) {
	mean, _ := Mean(xs)
	sd, err := SD(xs) // includes the mean's error, if any
	return Sample{mean, sd, len(xs)}, err
}

// check returns an error unless the sample can exist and be compared.
func (s Sample) check() error {
	switch {
	case s.N < 2:
		return fmt.Errorf("%w: %d, and 2 are needed", ErrTooFew, s.N)
	case s.SD < 0:
		return fmt.Errorf("%w: a standard deviation of %v", errSpread, s.SD)
	}
	return finite(s.Mean, s.SD)
}

// se is the standard error of the mean.
func (s Sample) se() float64 { return s.SD / math.Sqrt(float64(s.N)) }
