package analysis

import (
	"math/rand/v2"
	"testing"
)

// TestLevelChange: a change is found where it is, also in the many nights of some years, and
// none in noise, however heavy its tails are.
func TestLevelChange(t *testing.T) {
	series := func(rng *rand.Rand, n, from, to int, ratio float64) []float64 {
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = 10 + rng.NormFloat64()/(0.3+rng.Float64())
			if i >= from && i < to {
				xs[i] *= ratio
			}
		}
		return xs
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for _, test := range []struct{ n, from, to int }{{40, 15, 40}, {100, 50, 100}, {1397, 700, 1397}, {900, 300, 600}} {
		from, to := levelChange(series(rng, test.n, test.from, test.to, 1.6), 7)
		if each := test.n/levelPoints + 2; max(test.from-from, from-test.from, test.to-to, to-test.to) > each {
			t.Errorf("%+v: it is seen from %d to %d", test, from, to)
		}
	}
	alarms := 0
	for i := range 300 {
		if from, to := levelChange(series(rng, 60, 0, 0, 1), uint64(i)); from != to {
			alarms++
		}
	}
	if alarms > 3 { // wanted: one in a thousand
		t.Errorf("%d of 300 series of noise change", alarms)
	}
	for _, n := range []int{0, 1, 9} {
		if from, to := levelChange(make([]float64, n), 7); from != to {
			t.Errorf("%d values change from %d to %d", n, from, to)
		}
	}
}
