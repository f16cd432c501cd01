package stats

import "fmt"

// powerT returns the power of a t test at alpha as a function of the noncentrality
// ncp = delta/se: P(T' > t(df; alpha)) for Greater, and P(|T'| > t(df; alpha/2)) for
// TwoSided. It is NaN where there is no such test.
func powerT(df, alpha float64, alt Alternative) func(ncp float64) float64 {
	if alt == TwoSided {
		t := TQuantile(alpha/2, df)
		return func(ncp float64) float64 { return min(1, noncentralTTail(t, df, ncp)+noncentralTTail(t, df, -ncp)) }
	}
	t := TQuantile(alpha, df)
	return func(ncp float64) float64 { return noncentralTTail(t, df, ncp) }
}

// Detectable is the smallest true |delta| that a two-sided t test at alpha
// finds with the given power, in the unit of se: for pairs, se = sd/sqrt(n) and
// df = n-1; for two samples, se = sd sqrt(2/n) and df = 2n-2.
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
		return 0, nil // any test reaches this power
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

func checkPower(alpha, power float64) error {
	if !(alpha > 0 && alpha < 1) || !(power > 0 && power < 1) {
		return fmt.Errorf("%w: alpha is %v, the power %v", ErrLevel, alpha, power)
	}
	return nil
}
