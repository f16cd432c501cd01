package stats

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Earlier summarises N earlier values: their mean, their standard deviation SD with DF degrees of
// freedom, and Within, the part of SD due to the standard errors of the single values (the root of
// their mean square). If the mean is weighted, N is the effective number: an unweighted mean of N
// values has the same variance.
type Earlier struct {
	Mean   float64
	N      float64
	SD, DF float64
	Within float64
	// Carried is the variance of shifts applied to the values, as far as it is in Mean and not in
	// the later values; 0 if nothing was shifted.
	Carried Variance
}

// EarlierOf summarises values with their standard errors.
func EarlierOf(xs, ses []float64) (Earlier, error) {
	if len(xs) != len(ses) {
		return Earlier{}, ErrUnpaired
	}
	s, err := SampleOf(xs)
	if err != nil {
		return Earlier{}, err
	}
	e := Earlier{Mean: s.Mean, N: float64(s.N), SD: s.SD, DF: float64(s.N - 1), Within: RootMeanSquare(ses)}
	return e, finite(e.Mean, e.SD, e.Within)
}

// Against estimates the difference of the mean of k later values from earlier ones, each later
// value with its own standard error ses of seDF degrees of freedom: mean(xs) - Mean ± t(df) v,
//
//	v² = SD² (1/k + 1/N) + Carried + max(0, mean ses² - Within²)/k
//
// as in a prediction interval: values scatter by SD, which includes their own errors, and values
// measured less precisely than the earlier ones scatter more. More precise values get no credit,
// because SD is that of the earlier ones. The degrees of freedom are DF, or Satterthwaite's if the
// values' own errors, or Carried, add to v. For errors no larger than Within, this is Student's
// two-sample t with the standard deviation of the earlier sample. SD of the result is v. Sources:
// Student 1908; Hahn and Meeker 1991, 4.7; Satterthwaite 1946.
func Against(xs, ses []float64, seDF float64, e Earlier, level float64) (Estimate, error) {
	if err := e.comparable(xs, ses, level); err != nil {
		return Estimate{}, fmt.Errorf("%d values against %.0f earlier ones: %w", len(xs), e.N, err)
	}
	difference, v, df, err := e.difference(xs, ses, seDF)
	if err != nil {
		return Estimate{}, err
	}
	est := studentised(difference, v, df, TwoSided, level)
	est.N, est.SD = int(math.Round(e.N)), v
	return est.checked(TwoSided)
}

// difference returns mean(xs) - Mean, with its v and degrees of freedom.
func (e Earlier) difference(xs, ses []float64, seDF float64) (value, v, df float64, err error) {
	mean, err := Mean(xs)
	own, k := RootMeanSquare(ses), float64(len(xs))
	v, df = e.Spread(k)
	if own > e.Within && seDF > 0 {
		extra := math.Sqrt((own-e.Within)*(own+e.Within)) / math.Sqrt(k)
		scatter := v
		v = math.Hypot(scatter, extra)
		a, b := (scatter/v)*(scatter/v), (extra/v)*(extra/v)
		df = 1 / (a*a/df + b*b/(k*seDF))
	}
	return mean - e.Mean, v, df, err
}

// Spread returns v of Against, the standard deviation of the difference of the mean of k later
// values from Mean, with its degrees of freedom, for values measured as precisely as the earlier
// ones.
func (e Earlier) Spread(k float64) (v, df float64) {
	v = e.SD * math.Sqrt(1/k+1/e.N)
	if e.Carried.Value == 0 {
		return v, e.DF
	}
	sum := SumOfVariances(Variance{v * v, e.DF}, e.Carried)
	return sum.SE(), sum.DF
}

// Above returns the difference of the mean of later values from Mean, and whether it is above 0 at
// the one-sided level of the quantiles: Against without an interval, for simulations that call it
// millions of times.
func (e Earlier) Above(xs, ses []float64, seDF float64, quantiles *TQuantiles) (value float64, above bool) {
	value, v, df, err := e.difference(xs, ses, seDF)
	return value, err == nil && df > 0 && value > v*quantiles.At(df)
}

// RootMeanSquare avoids squares that could over- or underflow.
func RootMeanSquare(xs []float64) float64 {
	return floats.Norm(xs, 2) / math.Sqrt(float64(len(xs)))
}

// comparable returns an error unless the values can be compared with the earlier ones.
func (e Earlier) comparable(xs, ses []float64, level float64) error {
	useless := func(v float64) bool { return !(v >= 0) }
	switch err := check(xs, level, 1); {
	case len(xs) != len(ses):
		return ErrUnpaired
	case err != nil:
		return err
	case !(e.N > 0) || !(e.DF > 0):
		return ErrTooFew
	case useless(e.SD) || useless(e.Within) || useless(e.Carried.Value) || slices.ContainsFunc(ses, useless):
		return errSpread
	}
	return finite(append([]float64{e.Mean, e.SD, e.Within}, ses...)...)
}
