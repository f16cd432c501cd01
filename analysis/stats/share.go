package stats

import (
	"cmp"
	"fmt"
	"math"
)

// ScatteredShareInterval returns the interval of a share whose runs have dispersion times the
// binomial variance, estimated with df degrees of freedom: Clopper and Pearson's for k/dispersion
// of n/dispersion chances, at the level whose normal quantile equals t's. The binomial law has
// dispersion 1 and infinite df; then the interval is from the share at which k or more of n have
// probability (1-level)/2 to that at which k or fewer have, as in R's binom.test. Source: Clopper
// and Pearson 1934.
func ScatteredShareInterval(k int64, n, dispersion, df, level float64) (Interval, error) {
	switch err := cmp.Or(checkCount(k, n), checkLevel(level)); {
	case err != nil:
		return Interval{}, err
	case float64(k) > n:
		return Interval{}, fmt.Errorf("%w: %d of %v chances", ErrNotPositive, k, n)
	case n > mostEvents:
		const many = "%w: more than %d chances are beyond exact arithmetic"
		return Interval{}, fmt.Errorf(many, ErrNotFinite, int64(mostEvents))
	case !(dispersion >= 1) || !(df > 0):
		return Interval{}, fmt.Errorf("%w: a dispersion of %v with %v degrees of freedom", errSpread, dispersion, df)
	}
	tail := (1 - level) / 2
	if !math.IsInf(df, 1) {
		tail = max(normalTail(TQuantile(tail, df)), leastTail)
	}
	were, others := float64(k)/dispersion, (n-float64(k))/dispersion
	i := Interval{Low: 0, High: 1, Level: level}
	if k > 0 {
		i.Low = 1 / (1 + 1/leastOdds(were, others, tail))
	}
	if others > 0 {
		i.High = 1 / (1 + leastOdds(others, were, tail))
	}
	return i, finite(i.Low, i.High)
}

// ShareDispersion tests whether counts vary within one arm by more than the binomial law: chi² =
// sum (k_i - n_i p)²/(n_i p (1-p)) on runs - 1 degrees of freedom. For rare events it equals
// [Dispersion]. If p is 0 or 1, counts don't vary.
func ShareDispersion(runs EventRuns) (chi2, df, p float64, err error) {
	chi2, df, _, err = Dispersion(runs)
	if err != nil {
		return 0, 0, 0, err
	}
	events, chances := runs.Total()
	if others := 1 - float64(events)/chances; others > 0 {
		chi2 /= others
	}
	return chi2, df, chiSquareTail(chi2, df), nil
}
