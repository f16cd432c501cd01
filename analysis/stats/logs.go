package stats

import "math"

// Logs are natural logarithms: ErrNotPositive, ErrNotFinite.
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
