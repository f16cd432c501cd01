package stats

import "math"

// PairedDifference estimates the mean of x - y over pairs, such as the
// invocations of a block: d ± t(n-1; level) s_d/sqrt(n). What hits both of a
// pair alike, such as drift between blocks, cancels.
func PairedDifference(x, y []float64, level float64) (Estimate, error) {
	if len(x) != len(y) {
		return Estimate{}, ErrUnpaired
	}
	if err := finite(append(append([]float64(nil), x...), y...)...); err != nil {
		return Estimate{}, err
	}
	d := make([]float64, len(x))
	for i := range x {
		d[i] = x[i] - y[i]
	}
	return MeanInterval(d, level)
}

// PairedLogRatio estimates the ratio x/y over pairs: with l = log(x/y),
// exp(mean l ± t(n-1; level) s_l/sqrt(n)). The ratio is a geometric mean; SD is
// that of l, and so is the test, of the ratio 1.
func PairedLogRatio(x, y []float64, level float64) (Estimate, error) {
	if len(x) != len(y) {
		return Estimate{}, ErrUnpaired
	}
	l := make([]float64, len(x))
	for i := range x {
		if !(x[i] > 0 && y[i] > 0) {
			return Estimate{}, ErrNotPositive
		}
		l[i] = math.Log(x[i]) - math.Log(y[i])
	}
	e, err := MeanInterval(l, level)
	if err != nil {
		return Estimate{}, err
	}
	e.Value = math.Exp(e.Value)
	e.Interval.Low, e.Interval.High = math.Exp(e.Interval.Low), math.Exp(e.Interval.High)
	return e, finite(e.Value, e.Interval.Low, e.Interval.High)
}
