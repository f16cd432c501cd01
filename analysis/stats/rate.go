package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// RateInterval is the exact interval of a rate of which k events were seen in
// an exposure (calls, seconds): from m with P(X >= k; m) = (1-level)/2 to m with
// P(X <= k; m) = (1-level)/2, over the exposure. When there was no event, it is
// one-sided: from 0 to -log(1-level)/exposure. Source: Garwood 1936.
func RateInterval(k int64, exposure, level float64) (Interval, error) {
	if err := checkCount(k, exposure); err != nil {
		return Interval{}, err
	}
	if err := checkLevel(level); err != nil {
		return Interval{}, err
	}
	i := Interval{Level: level}
	if k == 0 {
		i.High = -math.Log1p(-level) / exposure
		return i, finite(i.High)
	}
	i = garwood(float64(k), level)
	i.Low, i.High = i.Low/exposure, i.High/exposure
	return i, finite(i.Low, i.High)
}

// ScatteredRateInterval is the interval of a rate whose runs have so many times
// Poisson's variance, which was estimated with df degrees of freedom: Garwood's of
// k/dispersion events in exposure/dispersion, at the level whose normal deviate is
// t's. A dispersion of 1 and infinite df are those of Poisson's law. Unlike
// RateInterval's, it is two-sided when there is no event.
func ScatteredRateInterval(k int64, exposure, dispersion, df, level float64) (Interval, error) {
	if err := checkCount(k, exposure); err != nil {
		return Interval{}, err
	}
	if err := checkLevel(level); err != nil {
		return Interval{}, err
	}
	if !(dispersion >= 1) || !(df > 0) {
		return Interval{}, fmt.Errorf("%w: a dispersion of %v with %v degrees of freedom", ErrSpread, dispersion, df)
	}
	wider := level
	if !math.IsInf(df, 1) {
		wider = 1 - 2*NormalTail(TQuantile((1-level)/2, df))
	}
	if !(wider < 1) {
		return Interval{}, fmt.Errorf("%w: %v with %v degrees of freedom", ErrLevel, level, df)
	}
	i := garwood(float64(k)/dispersion, wider)
	i.Low, i.High, i.Level = i.Low*dispersion/exposure, i.High*dispersion/exposure, level
	return i, finite(i.Low, i.High)
}

// garwood is the two-sided interval of the mean of a Poisson count n, which need
// not be whole: half of chi-square's quantiles with 2n and 2n+2 degrees of freedom.
func garwood(n, level float64) Interval {
	i, target := Interval{Level: level}, math.Log((1-level)/2)
	reach := 10 + 10*math.Sqrt(n)*math.Sqrt(-target)
	if n > 0 {
		i.Low = root(func(m float64) float64 { return math.Log(mathext.GammaIncReg(n, m)) - target }, 0, n)
	}
	i.High = root(func(m float64) float64 { return target - math.Log(mathext.GammaIncRegComp(n+1, m)) }, n, n+reach-target*2)
	return i
}

func checkCount(k int64, exposure float64) error {
	if k < 0 || !(exposure > 0) {
		return fmt.Errorf("%w: %d events in an exposure of %v", ErrNotPositive, k, exposure)
	}
	return finite(exposure)
}
