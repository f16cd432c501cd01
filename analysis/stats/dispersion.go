package stats

import "fmt"

// Dispersion tests that the counts k of runs vary as chance alone makes them
// within their arm: chi² = sum (k_i - S_i r)²/(S_i r), with the exposures S and
// the rate r of the arm, on runs - arms degrees of freedom. A small p says that
// runs differ by more, so that a Poisson test is too bold.
// Source: Fisher 1950.
func Dispersion(k []int64, s []float64, arm []int) (chi2, df, p float64, err error) {
	c, err := countRuns(k, s, arm)
	if err != nil {
		return 0, 0, 0, fmt.Errorf("dispersion of counts: %w", err)
	}
	return c.chi2, c.df, ChiSquareTail(c.chi2, c.df), nil
}

// tally is how many events were seen in which exposure.
type tally struct{ events, exposure float64 }

// counted are the runs of arms, with Pearson's chi² within the arms.
type counted struct {
	arms     map[int]tally
	all      tally
	chi2, df float64
}

func countRuns(k []int64, s []float64, arm []int) (counted, error) {
	c := counted{arms: map[int]tally{}}
	if len(k) != len(s) || len(k) != len(arm) {
		return c, fmt.Errorf("%w: %d counts, %d exposures, %d arms", ErrUnpaired, len(k), len(s), len(arm))
	}
	for i := range k {
		if err := checkCount(k[i], s[i]); err != nil {
			return c, fmt.Errorf("run %d: %w", i+1, err)
		}
		a := c.arms[arm[i]]
		c.arms[arm[i]] = tally{a.events + float64(k[i]), a.exposure + s[i]}
		c.all = tally{c.all.events + float64(k[i]), c.all.exposure + s[i]}
	}
	for i := range k {
		a := c.arms[arm[i]]
		if expected := a.events / a.exposure * s[i]; expected > 0 {
			d := float64(k[i]) - expected
			c.chi2 += d * d / expected
		}
	}
	c.df = float64(len(k) - len(c.arms))
	if c.df < 1 {
		return c, fmt.Errorf("%w: %d runs of %d arms", ErrTooFew, len(k), len(c.arms))
	}
	return c, finite(c.chi2, c.all.exposure)
}
