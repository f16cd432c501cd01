package stats

import (
	"fmt"
	"testing"

	"moobench/analysis/internal/testnumber"
)

// TestStep: the smallest distance between values of which some are equal, as those of a coarse clock.
func TestStep(t *testing.T) {
	for _, c := range []struct {
		sorted []float64
		want   float64
	}{
		{nil, 0},
		{[]float64{3}, 0},
		{[]float64{3, 3}, 0},
		{[]float64{1, 2, 4}, 0},
		{[]float64{1, 1, 3, 8}, 2},
		{[]float64{-4, 1, 2.5, 2.5}, 1.5},
	} {
		if got := Step(c.sorted); got != c.want {
			t.Errorf("%v: %v, want %v", c.sorted, got, c.want)
		}
	}
}

// TestFarTail: log P(Z > z) and the hazard on both sides of where they are computed another way. The values are
// those of erfc(z/√2)/2 of the C library.
func TestFarTail(t *testing.T) {
	for _, c := range []struct{ z, log, hazard float64 }{
		{29.99, -454.020961304468, 30.023270708803565},
		{30, -454.3212439563431, 30.033259667430148},
		{30.01, -454.62162649784113, 30.043248633370293},
		{37, -689.0305855768905, 37.02698768612336},
	} {
		testnumber.Check(t, fmt.Sprintf("log tail of %v", c.z), logNormalTail(c.z), c.log, 1e-13)
		testnumber.Check(t, fmt.Sprintf("hazard of %v", c.z), hazard(c.z), c.hazard, 1e-12)
	}
}
