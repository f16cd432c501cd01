package stats

import (
	"fmt"
	"math"
	"slices"
)

// HedgesG returns the difference of means in standard deviations, J (mx - my)/s, with the pooled s
// and the small-sample bias correction J = Γ(v/2)/(sqrt(v/2) Γ((v-1)/2)), v = nx+ny-2. It returns
// errSpread if no value varies. Source: Hedges 1981.
func HedgesG(x, y []float64) (float64, error) {
	sx, sy, err := samplesOf(x, y)
	if err != nil {
		return 0, err
	}
	sd := pooledSD(sx, sy)
	if sd == 0 {
		return 0, fmt.Errorf("%w: a standard deviation of 0", errSpread)
	}
	d := (sx.Mean - sy.Mean) / sd
	v := float64(sx.N + sy.N - 2)
	j := math.Gamma(v/2) / (math.Sqrt(v/2) * math.Gamma((v-1)/2))
	if v >= 100 { // use a series, because the gamma functions differ only in their last digits
		z := 1 / (v - 1)
		series := 1 - z/4 + z*z/32 + 5*z*z*z/128 - 21*z*z*z*z/2048 - 399*z*z*z*z*z/8192
		j = math.Sqrt((v-1)/v) * series
	}
	return d * j, finite(d)
}

// CliffDelta returns P(x > y) - P(x < y) for one value of each sample: 1 if every x is above every
// y, -1 if below. Source: Cliff 1993.
func CliffDelta(x, y []float64) (float64, error) {
	if err := checkRanks(x, y, TwoSided, 0.5); err != nil {
		return 0, err
	}
	x, y = slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y))
	notBelow, notAbove := pairsUpTo(y, x, 0), pairsUpTo(x, y, 0)
	return float64(notBelow-notAbove) / (float64(len(x)) * float64(len(y))), nil
}

// A12 returns P(x > y) + P(x = y)/2 for one value of each sample: 1/2 if neither tends to be
// larger. Source: Vargha and Delaney 2000.
func A12(x, y []float64) (float64, error) {
	d, err := CliffDelta(x, y)
	return (d + 1) / 2, err
}
