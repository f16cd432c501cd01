package stats

import (
	"fmt"
	"math"
)

// PowerT is the chance that a t test at alpha finds what it looks for, when the
// noncentrality is ncp = delta/se: P(T' > t(df; alpha)), and two-sided
// P(|T'| > t(df; alpha/2)), both tails counted. NaN for what is no test.
func PowerT(ncp, df, alpha float64, alt Alternative) float64 { return powerT(df, alpha, alt)(ncp) }

// powerT is PowerT as a function of the noncentrality: the quantile is taken
// once.
func powerT(df, alpha float64, alt Alternative) func(ncp float64) float64 {
	if alt == TwoSided {
		t := TQuantile(alpha/2, df)
		return func(ncp float64) float64 { return min(1, NoncentralTTail(t, df, ncp)+NoncentralTTail(t, df, -ncp)) }
	}
	t := TQuantile(alpha, df)
	return func(ncp float64) float64 {
		if alt == Less {
			ncp = -ncp
		}
		return NoncentralTTail(t, df, ncp)
	}
}

// Detectable is the smallest true |delta| that a two-sided t test at alpha
// finds with the given power, in the unit of se: of pairs, se = sd/sqrt(n) and
// df = n-1; of two samples, se = sd sqrt(2/n) and df = 2n-2.
func Detectable(se, df, alpha, power float64) (float64, error) {
	return detectable(se, df, alpha, power, TwoSided)
}

// DetectableAbove is the smallest true value above 0 that a one-sided t test at
// alpha shows to be above 0 with the given power, in the unit of se.
func DetectableAbove(se, df, alpha, power float64) (float64, error) {
	return detectable(se, df, alpha, power, Greater)
}

func detectable(se, df, alpha, power float64, alt Alternative) (float64, error) {
	if err := checkPower(alpha, power); err != nil {
		return 0, err
	}
	if err := finite(se, df); err != nil {
		return 0, err
	}
	if se < 0 || df < leastDF {
		return 0, fmt.Errorf("%w: a standard error of %v with %v degrees of freedom", ErrNotPositive, se, df)
	}
	if power <= alpha {
		return 0, nil // a test of nothing is as powerful
	}
	chance := powerT(df, alpha, alt)
	missing := func(ncp float64) float64 { return chance(ncp) - power }
	high := 4.0
	for missing(high) < 0 {
		if high *= 2; high > 1e300 {
			return 0, fmt.Errorf("detectable effect: %w", ErrNotFinite)
		}
	}
	delta := se * root(missing, 0, high)
	return delta, finite(delta)
}

// PairedPower is the power of a paired t test with n pairs whose differences
// have the mean delta and the standard deviation sd.
func PairedPower(delta, sd float64, n int, alpha float64, alt Alternative) (float64, error) {
	if err := checkEffect(delta, sd, n, alpha); err != nil {
		return 0, err
	}
	power := PowerT(delta/sd*math.Sqrt(float64(n)), float64(n-1), alpha, alt)
	return power, finite(power)
}

func checkEffect(delta, sd float64, n int, alpha float64) error {
	if n < 2 {
		return fmt.Errorf("%w: a t test of %d", ErrTooFew, n)
	}
	if !(sd > 0) {
		return fmt.Errorf("%w: a standard deviation of %v", ErrNotPositive, sd)
	}
	if !(alpha > 0 && alpha < 1) {
		return fmt.Errorf("%w: alpha is %v", ErrLevel, alpha)
	}
	return finite(delta, sd, delta/sd)
}

func checkPower(alpha, power float64) error {
	if !(alpha > 0 && alpha < 1) || !(power > 0 && power < 1) {
		return fmt.Errorf("%w: alpha is %v, the power %v", ErrLevel, alpha, power)
	}
	return nil
}
