package stats

import "fmt"

// Dispersion tests that the counts k of runs vary within their arm by no more than
// Poisson's law: chi² = sum (k_i - S_i r)²/(S_i r), with the exposures S and the
// rate r of the arm, on runs - arms degrees of freedom. If p is small, runs vary by
// more, and a Poisson test is anti-conservative.
// Source: Fisher 1950.
func Dispersion(k []int64, s []float64, arm []int) (chi2, df, p float64, err error) {
	if len(k) != len(s) || len(k) != len(arm) {
		return 0, 0, 0, fmt.Errorf("dispersion of counts: %w: %d counts, %d exposures, %d arms", ErrUnpaired, len(k), len(s), len(arm))
	}
	events, exposure, all := map[int]float64{}, map[int]float64{}, 0.0 // by arm
	for i := range k {
		if err := checkCount(k[i], s[i]); err != nil {
			return 0, 0, 0, fmt.Errorf("dispersion of counts: run %d: %w", i+1, err)
		}
		events[arm[i]] += float64(k[i])
		exposure[arm[i]] += s[i]
		all += s[i]
	}
	for i := range k {
		if expected := events[arm[i]] / exposure[arm[i]] * s[i]; expected > 0 {
			d := float64(k[i]) - expected
			chi2 += d * d / expected
		}
	}
	df = float64(len(k) - len(events))
	if df < 1 {
		return 0, 0, 0, fmt.Errorf("dispersion of counts: %w: %d runs of %d arms", ErrTooFew, len(k), len(events))
	}
	if err := finite(chi2, all); err != nil {
		return 0, 0, 0, fmt.Errorf("dispersion of counts: %w", err)
	}
	return chi2, df, chiSquareTail(chi2, df), nil
}
