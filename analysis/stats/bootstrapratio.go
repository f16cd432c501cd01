package stats

import (
	"fmt"
	"math"
)

// LogRatio estimates of(x)/of(y) over pairs: both of a pair are drawn together,
// and the interval is studentised on the log scale by the jackknife that leaves
// out BlockLength neighbours at a time, in a circle (Künsch 1989). SD is the
// standard error times sqrt n, on the log scale; there is no test. ErrTooFew
// below 8 pairs; ErrNotPositive where a statistic has no logarithm. of must not
// keep or change its argument, and must be smooth, such as a mean, trimmed or
// not: the jackknife knows nothing of the spread of a median, for which
// RatioOfMedians stands. Source: Davison and Hinkley 1997, 2.7 and 3.8.
func (b Bootstrap) LogRatio(x, y []float64, of func([]float64) float64, level float64) (Estimate, error) {
	runs, err := b.checkPairs(x, y, level)
	if err != nil {
		return Estimate{}, err
	}
	value, se := newJackknife(len(x), b.BlockLength, of).logRatio(x, y)
	if err := finite(value, se); err != nil {
		return Estimate{}, fmt.Errorf("%w, or what was made of them", ErrNotPositive)
	}
	e := Estimate{N: len(x), Value: math.Exp(value), SD: se * math.Sqrt(float64(len(x)))}
	i := Interval{value, value, level}
	if se > 1e-15 {
		if i, err = studentInterval(value, se, b.logRatios(x, y, of, value, runs), level); err != nil {
			return Estimate{}, err
		}
	}
	e.Interval = Interval{math.Exp(i.Low), math.Exp(i.High), level}
	return e, finite(e.Value, e.Interval.Low, e.Interval.High)
}

func (b Bootstrap) checkPairs(x, y []float64, level float64) (runs int, err error) {
	if len(x) != len(y) {
		return 0, ErrUnpaired
	}
	if err := finite(append(append([]float64(nil), x...), y...)...); err != nil {
		return 0, err
	}
	return b.check(len(x), level)
}

// logRatios are (value* - value)/se* of all resamples.
func (b Bootstrap) logRatios(x, y []float64, of func([]float64) float64, value float64, runs int) []float64 {
	ts, j := make([]float64, 0, b.Resamples), newJackknife(len(x), b.BlockLength, of)
	b.pairs(x, y, runs, func(rx, ry []float64) {
		v, s := j.logRatio(rx, ry)
		ts = append(ts, studentRatio(v-value, s))
	})
	return ts
}

// pairs calls each with the pairs of every resample.
func (b Bootstrap) pairs(x, y []float64, runs int, each func(rx, ry []float64)) {
	n := len(x)
	rx, ry := make([]float64, n), make([]float64, n)
	b.starts(n, runs, func(starts []int) {
		for i := range n {
			from := (starts[i/b.BlockLength] + i%b.BlockLength) % n
			rx[i], ry[i] = x[from], y[from]
		}
		each(rx, ry)
	})
}

// jackknife leaves out `out` of n values at a time.
type jackknife struct {
	of     func([]float64) float64
	out    int
	kept   []float64
	values []float64
}

func newJackknife(n, out int, of func([]float64) float64) jackknife {
	return jackknife{of, out, make([]float64, n-out), make([]float64, n)}
}

// logRatio is log of(x)/of(y), and its standard error: sqrt((n-d)/d times the
// mean square of what leaving out d values changes).
func (j jackknife) logRatio(x, y []float64) (value, se float64) {
	mean := 0.0
	for i := range x {
		j.values[i] = math.Log(j.of(j.without(x, i))) - math.Log(j.of(j.without(y, i)))
		mean += j.values[i] / float64(len(x))
	}
	for _, v := range j.values {
		se += (v - mean) * (v - mean) / float64(len(x))
	}
	se = math.Sqrt(se * float64(len(j.kept)) / float64(j.out))
	return math.Log(j.of(x)) - math.Log(j.of(y)), se
}

// without leaves out the values from i on, in a circle.
func (j jackknife) without(xs []float64, i int) []float64 {
	for k := range j.kept {
		j.kept[k] = xs[(i+j.out+k)%len(xs)]
	}
	return j.kept
}
