package stats

import (
	"fmt"
	"math"
)

// Quantile is the p-quantile, p inside [0, 1], of values in ascending order, by
// the definitions of Hyndman and Fan 1996 with the numbers they gave them: 1,
// the inverse of the empirical distribution; 6, Weibull's; 7, the default of R and
// most tools; 8, median-unbiased whatever the distribution. ErrQuantile for another
// type or p. Only the values beside the quantile are checked to be finite.
func Quantile(sorted []float64, p float64, kind int) (float64, error) {
	if len(sorted) == 0 {
		return 0, fmt.Errorf("%w: a quantile needs one", ErrTooFew)
	}
	if !(p >= 0 && p <= 1) {
		return 0, fmt.Errorf("%w: %v", ErrQuantile, p)
	}
	n := float64(len(sorted))
	var h float64 // the quantile's place, counted from 1
	switch kind {
	case 1:
		return place(sorted, math.Ceil(n*p), 0)
	case 6:
		h = (n + 1) * p
	case 7:
		h = (n-1)*p + 1
	case 8:
		h = (n+1.0/3)*p + 1.0/3
	default:
		return 0, fmt.Errorf("%w: type %d", ErrQuantile, kind)
	}
	// Rounding must not turn a whole h into the place below it.
	const fuzz = 4 * 0x1p-52
	j := math.Floor(h + fuzz)
	g := h - j
	if math.Abs(g) < fuzz {
		g = 0
	}
	return place(sorted, j, g)
}

// place is the value at j, counted from 1, plus the share g of the step to the next
// one; places outside are those of the first and the last.
func place(sorted []float64, j, g float64) (float64, error) {
	at := func(j float64) float64 { return sorted[int(min(max(j, 1), float64(len(sorted))))-1] }
	v := at(j)
	if next := at(j + 1); g > 0 && next != v {
		v = (1-g)*v + g*next
	}
	return v, finite(v)
}
