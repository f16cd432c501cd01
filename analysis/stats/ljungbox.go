package stats

import "fmt"

// LjungBox tests that the values are uncorrelated up to lag `lags`:
// q = n(n+2) sum r_k²/(n-k), against chi-square with that many degrees of
// freedom. Source: Ljung and Box 1978.
func LjungBox(xs []float64, lags int) (q, p float64, err error) {
	if lags < 1 || lags >= len(xs) {
		return 0, 0, fmt.Errorf("%w: %d for %d lags", ErrTooFew, len(xs), lags)
	}
	d, ss, err := centred(xs, 3)
	if err != nil {
		return 0, 0, fmt.Errorf("correlation up to lag %d: %w", lags, err)
	}
	n := float64(len(xs))
	for k := 1; k <= lags; k++ {
		r := autocovariance(d, k) / ss
		q += n * (n + 2) * r * r / (n - float64(k))
	}
	return q, ChiSquareTail(q, float64(lags)), nil
}
