package stats

import "math"

// LogRatio estimates the ratio x/y of two independent samples: Welch's
// comparison of their logarithms, taken to the power of e. The ratio is one of
// geometric means; SD and test, of the ratio 1, are those of the logarithms.
func LogRatio(x, y []float64, level float64) (Estimate, error) {
	lx, err := Logs(x)
	if err != nil {
		return Estimate{}, err
	}
	ly, err := Logs(y)
	if err != nil {
		return Estimate{}, err
	}
	e, err := WelchDifference(lx, ly, level)
	if err != nil {
		return Estimate{}, err
	}
	return e.exp()
}

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
