package stats

import (
	"fmt"
	"math"
)

// Lag1 is the correlation of neighbours, r = sum (x_i - m)(x_(i+1) - m) / sum
// (x - m)², with the two-sided p of no correlation: r is held against the
// normal distribution with its mean -1/n and its variance (n-2)²/(n²(n-1)),
// which keeps the level from eight values on. Without these moments a test of
// so few values (n r², or Ljung and Box's) finds hardly any positive
// correlation. Source: Dufour and Roy 1985.
func Lag1(xs []float64) (r, p float64, err error) {
	d, ss, err := centred(xs, 4)
	if err != nil {
		return 0, 0, fmt.Errorf("correlation of neighbours: %w", err)
	}
	r = autocovariance(d, 1) / ss
	n := float64(len(xs))
	z := (r + 1/n) * n * math.Sqrt(n-1) / (n - 2)
	return r, min(1, 2*normalTail(math.Abs(z))), nil
}

// centred are the deviations from the mean, scaled so that the largest is 1 and no
// square overflows, and the sum of their squares. ErrSpread when they are all
// the same.
func centred(xs []float64, least int) (d []float64, ss float64, err error) {
	if err := check(xs, 0.5, least); err != nil {
		return nil, 0, err
	}
	mean, d, err := about(xs)
	if err != nil {
		return nil, 0, err
	}
	largest := 0.0
	for _, v := range d {
		largest = max(largest, math.Abs(v))
	}
	if !(largest > 1e-15*math.Abs(mean)) {
		return nil, 0, fmt.Errorf("%w: all values are the same", ErrSpread)
	}
	for i := range d {
		d[i] /= largest
		ss += d[i] * d[i]
	}
	return d, ss, finite(ss)
}

// autocovariance is the sum of d_i d_(i+lag).
func autocovariance(d []float64, lag int) float64 {
	sum := 0.0
	for i := lag; i < len(d); i++ {
		sum += d[i] * d[i-lag]
	}
	return sum
}
