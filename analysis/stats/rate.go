package stats

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// RateInterval returns the exact interval of a rate from k events in an exposure (calls, seconds):
// from m with P(X >= k; m) = (1-level)/2 to m with P(X <= k; m) = (1-level)/2, divided by the
// exposure. Without events it is from 0 to -log((1-level)/2)/exposure: with the often given bound
// -log(1-level)/exposure, the coverage would fall below the level if the rate times the exposure is
// slightly above -log(1-level). Source: Garwood 1936; as R's poisson.test.
func RateInterval(k int64, exposure, level float64) (Interval, error) {
	return ScatteredRateInterval(k, exposure, 1, math.Inf(1), level)
}

// ScatteredRateInterval returns the interval of a rate whose runs have dispersion times Poisson's
// variance, estimated with df degrees of freedom: Garwood's interval for k/dispersion events in
// exposure/dispersion, at the level whose normal quantile equals t's. Poisson's law has dispersion
// 1 and infinite df.
func ScatteredRateInterval(k int64, exposure, dispersion, df, level float64) (Interval, error) {
	switch err := cmp.Or(checkCount(k, exposure), checkLevel(level)); {
	case err != nil:
		return Interval{}, err
	case !(dispersion >= 1) || !(df > 0):
		return Interval{}, fmt.Errorf("%w: a dispersion of %v with %v degrees of freedom", errSpread, dispersion, df)
	}
	tail := (1 - level) / 2
	if !math.IsInf(df, 1) {
		tail = normalTail(TQuantile(tail, df))
	}
	// The interval of the mean of a count n, which need not be an integer: half of the quantiles of
	// chi-square with 2n and 2n+2 degrees of freedom.
	n, i := float64(k)/dispersion, Interval{Level: level}
	target := math.Log(max(tail, leastTail))
	reach := 10 + 10*math.Sqrt(n)*math.Sqrt(-target)
	if n > 0 {
		i.Low = root(func(m float64) float64 { return math.Log(mathext.GammaIncReg(n, m)) - target }, 0, n)
	}
	above := func(m float64) float64 { return target - math.Log(mathext.GammaIncRegComp(n+1, m)) }
	i.High = root(above, n, n+reach-target*2)
	i.Low, i.High = i.Low*dispersion/exposure, i.High*dispersion/exposure
	return i, finite(i.Low, i.High)
}

// leastTail bounds tails from below: with a few runs, a high level could make the normal tail
// underflow.
const leastTail = 1e-300

// checkCount returns an error unless k events in the exposure are possible.
func checkCount(k int64, exposure float64) error {
	if k < 0 || !(exposure > 0) {
		return fmt.Errorf("%w: %d events in an exposure of %v", ErrNotPositive, k, exposure)
	}
	return finite(exposure)
}

// Dispersion tests whether the counts k of runs vary within their arms by more than Poisson's law:
// chi² = sum (k_i - S_i r)²/(S_i r), with the exposures S and the rate r of the arm, on runs - arms
// degrees of freedom. If p is small, runs are overdispersed, and a Poisson test is
// anti-conservative. Source: Fisher 1950.
func Dispersion(arms ...EventRuns) (chi2, df, p float64, err error) {
	all := 0.0
	for _, a := range arms {
		if len(a.Events) != len(a.Exposure) {
			const unpaired = "dispersion of counts: %w: %d counts, %d exposures"
			return 0, 0, 0, fmt.Errorf(unpaired, ErrUnpaired, len(a.Events), len(a.Exposure))
		}
		events, exposure := a.Total()
		for i, k := range a.Events {
			if err := checkCount(k, a.Exposure[i]); err != nil {
				return 0, 0, 0, fmt.Errorf("dispersion of counts: run %d: %w", i+1, err)
			}
			if expected := float64(events) / exposure * a.Exposure[i]; expected > 0 {
				d := float64(k) - expected
				chi2 += d * d / expected
			}
		}
		df, all = df+float64(len(a.Events)-1), all+exposure
	}
	if df < 1 {
		return 0, 0, 0, fmt.Errorf("dispersion of counts: %w: %v more runs than arms", ErrTooFew, df)
	}
	return chi2, df, chiSquareTail(chi2, df), in("dispersion of counts", finite(chi2, all))
}
