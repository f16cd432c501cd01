package stats

import (
	"fmt"
	"math"
)

// Lag1 is the correlation of neighbours, r = sum (x_i - m)(x_(i+1) - m) / sum
// (x - m)², with the two-sided p of no correlation: r is compared with the normal
// distribution that has its mean -1/n and its variance (n-2)²/(n²(n-1)), which keeps
// the level from eight values on. Tests without these moments (n r², or Ljung and
// Box's) hardly ever find a positive correlation of so few values. Source: Dufour and Roy 1985.
func Lag1(xs []float64) (r, p float64, err error) {
	if err := check(xs, 0.5, 4); err != nil {
		return 0, 0, fmt.Errorf("correlation of neighbours: %w", err)
	}
	mean, d, err := centre(xs)
	if err != nil {
		return 0, 0, fmt.Errorf("correlation of neighbours: %w", err)
	}
	largest := 0.0
	for _, v := range d {
		largest = max(largest, math.Abs(v))
	}
	if !(largest > 1e-15*math.Abs(mean)) {
		return 0, 0, fmt.Errorf("correlation of neighbours: %w: all values are the same", ErrSpread)
	}
	for i := range d {
		d[i] /= largest // so that no square overflows
	}
	r = dot(d[1:], d[:len(d)-1]) / dot(d, d)
	n := float64(len(xs))
	z := (r + 1/n) * n * math.Sqrt(n-1) / (n - 2)
	return r, min(1, 2*normalTail(math.Abs(z))), nil
}
