package stats

import "math"

// Paired estimates the mean of x - y over pairs, such as the invocations of a
// block: d ± t(n-1; level) s_d/sqrt(n). What hits both of a pair alike, such as
// drift between blocks, cancels.
func Paired(x, y []float64, alt Alternative, level float64) (Estimate, error) {
	d, err := Differences(x, y)
	if err != nil {
		return Estimate{}, err
	}
	return meanInterval(d, alt, level)
}

// PairedDifference is the two-sided comparison of pairs.
func PairedDifference(x, y []float64, level float64) (Estimate, error) {
	return Paired(x, y, TwoSided, level)
}

// Differences are x - y, pair by pair: ErrUnpaired, ErrNotFinite.
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

// PairedLogRatio estimates the ratio x/y over pairs: with l = log(x/y),
// exp(mean l ± t(n-1; level) s_l/sqrt(n)). The ratio is a geometric mean; SD is
// that of l, and so is the test, of the ratio 1.
func PairedLogRatio(x, y []float64, level float64) (Estimate, error) {
	l, err := LogRatios(x, y)
	if err != nil {
		return Estimate{}, err
	}
	e, err := MeanInterval(l, level)
	if err != nil {
		return Estimate{}, err
	}
	return e.exp()
}

// LogRatios are log(x/y), pair by pair, without loss near 1: ErrUnpaired,
// ErrNotPositive, ErrNotFinite.
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

// logRatio is log(x/y) without loss near 1, or overflow of x/y.
func logRatio(x, y float64) float64 {
	if x < 2*y && y < 2*x {
		return math.Log1p((x - y) / y)
	}
	return math.Log(x) - math.Log(y)
}

// exp takes an estimate of a logarithm to the scale of the ratio.
func (e Estimate) exp() (Estimate, error) {
	e.Value = math.Exp(e.Value)
	e.Interval.Low, e.Interval.High = math.Exp(e.Interval.Low), math.Exp(e.Interval.High)
	return e.checked(TwoSided)
}
