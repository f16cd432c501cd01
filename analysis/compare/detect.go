package compare

import (
	"math"

	"moobench/analysis/stats"
)

// detector knows what was asked of it: the noncentral t distribution is dear, and
// its values, in standard errors by degrees of freedom and level, come up again
// and again.
type detector map[[2]float64]float64

// smallest is the smallest true value that is found four times in five by a test
// at 1 - level; not finite when it can't be told.
func (d detector) smallest(v stats.Variance, level float64) float64 {
	return d.between(v.DF, level) * v.SE()
}

// between is it in standard errors. It is computed at whole degrees of freedom,
// of less than eight at quarters, and interpolated in 1/df, in which it is as
// good as straight; of less than two it is computed as it is.
func (d detector) between(df, level float64) float64 {
	step := 1.0
	if df < 8 {
		step = 0.25
	}
	low := math.Floor(df/step) * step
	if df < 2 || low == df {
		return d.unit(df, level)
	}
	high := low + step
	a, b := d.unit(low, level), d.unit(high, level)
	return a + (b-a)*(1/low-1/df)/(1/low-1/high)
}

// unit is computed once.
func (d detector) unit(df, level float64) float64 {
	key := [2]float64{df, level}
	if x, known := d[key]; known {
		return x
	}
	x, err := stats.Detectable(1, df, 1-level, power)
	if err != nil {
		x = math.NaN()
	}
	d[key] = x
	return x
}
