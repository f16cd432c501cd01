package stats

import "math"

// Differences returns x - y, pair by pair. Errors: ErrUnpaired, ErrNotFinite.
func Differences(x, y []float64) ([]float64, error) {
	if len(x) != len(y) {
		return nil, ErrUnpaired
	}
	d := make([]float64, len(x))
	for i := range x {
		if err := finite(x[i], y[i], x[i]-y[i]); err != nil {
			return nil, err
		}
		d[i] = x[i] - y[i]
	}
	return d, nil
}

// LogRatios returns log(x/y), pair by pair, without loss near 1. Errors:
// ErrUnpaired, ErrNotPositive, ErrNotFinite.
func LogRatios(x, y []float64) ([]float64, error) {
	if len(x) != len(y) {
		return nil, ErrUnpaired
	}
	l := make([]float64, len(x))
	for i := range x {
		if err := finite(x[i], y[i]); err != nil {
			return nil, err
		}
		if !(x[i] > 0 && y[i] > 0) {
			return nil, ErrNotPositive
		}
		l[i] = logRatio(x[i], y[i])
	}
	return l, nil
}

// Logs returns natural logarithms. Errors: ErrNotPositive, ErrNotFinite.
func Logs(xs []float64) ([]float64, error) {
	l := make([]float64, len(xs))
	for i, x := range xs {
		if err := finite(x); err != nil {
			return nil, err
		}
		if x <= 0 {
			return nil, ErrNotPositive
		}
		l[i] = math.Log(x)
	}
	return l, nil
}

// logRatio is log(x/y) without loss near 1, or overflow of x/y.
func logRatio(x, y float64) float64 {
	if x < 2*y && y < 2*x {
		return math.Log1p((x - y) / y)
	}
	return math.Log(x) - math.Log(y)
}
