package stats

import (
	"fmt"
	"math"
	"slices"
)

// HedgesG is the difference of means in standard deviations, J (mx - my)/s, with
// the pooled s and J = Γ(v/2)/(sqrt(v/2) Γ((v-1)/2)), v = nx+ny-2, which takes
// off the bias of small samples. ErrSpread says that no value varies. Source:
// Hedges 1981.
func HedgesG(x, y []float64) (float64, error) {
	sx, sy, err := samplesOf(x, y)
	if err != nil {
		return 0, err
	}
	sd := pooledSD(sx, sy)
	if sd == 0 {
		return 0, fmt.Errorf("%w: a standard deviation of 0", ErrSpread)
	}
	d := (sx.Mean - sy.Mean) / sd
	if err := finite(d); err != nil {
		return 0, err
	}
	return d * smallSample(float64(sx.N+sy.N-2)), nil
}

// smallSample is J for v degrees of freedom, v at least 2. The gamma functions
// of a large v differ in their last digits only, so there it is a series.
func smallSample(v float64) float64 {
	if v < 100 {
		return math.Gamma(v/2) / (math.Sqrt(v/2) * math.Gamma((v-1)/2))
	}
	z := 1 / (v - 1)
	series := 1 - z/4 + z*z/32 + 5*z*z*z/128 - 21*z*z*z*z/2048 - 399*z*z*z*z*z/8192
	return math.Sqrt((v-1)/v) * series
}

// CliffDelta is P(x > y) - P(x < y) for one value of each sample: 1 when every x
// is above every y, -1 when below. Source: Cliff 1993.
func CliffDelta(x, y []float64) (float64, error) {
	if err := checkRanks(x, y, TwoSided, 0.5); err != nil {
		return 0, err
	}
	sorted := slices.Sorted(slices.Values(y))
	balance := 0
	for _, v := range x {
		below, found := slices.BinarySearch(sorted, v)
		upTo := below
		if found {
			upTo, _ = slices.BinarySearchFunc(sorted, v, after)
		}
		balance += below - (len(y) - upTo)
	}
	return float64(balance) / (float64(len(x)) * float64(len(y))), nil
}

// after finds the end of the values equal to v.
func after(x, v float64) int {
	if x <= v {
		return -1
	}
	return 1
}

// A12 is P(x > y) + P(x = y)/2 for one value of each sample: 1/2 when neither
// tends to be larger. Source: Vargha and Delaney 2000.
func A12(x, y []float64) (float64, error) {
	d, err := CliffDelta(x, y)
	if err != nil {
		return 0, err
	}
	return (d + 1) / 2, nil
}
