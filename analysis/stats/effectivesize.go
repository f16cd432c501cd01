package stats

import (
	"fmt"
	"math"
)

// EffectiveSize is the number of independent values that would tell as much of
// the mean as these correlated ones, ess = n/tau, with tau = -1 + 2 sum
// (r_2k + r_(2k+1)), summed while the pairs are positive (Geyer 1992, initial
// positive sequence). Where neighbours alternate, tau is at least
// 1/max(1, log10 n) (Vehtari et al. 2021). It takes n operations a lag.
func EffectiveSize(xs []float64) (ess, tau float64, err error) {
	d, ss, err := centred(xs, 4)
	if err != nil {
		return 0, 0, fmt.Errorf("effective size: %w", err)
	}
	n := float64(len(xs))
	tau = -1
	for lag := 0; lag+1 < len(d); lag += 2 {
		pair := (autocovariance(d, lag) + autocovariance(d, lag+1)) / ss
		if pair <= 0 {
			break
		}
		tau += 2 * pair
	}
	tau = max(tau, 1/max(1, math.Log10(n)))
	return n / tau, tau, nil
}
