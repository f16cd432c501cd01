package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The library's median is of type 7, as R's is.
func TestMedian(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for n := 1; n < 40; n++ {
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = 100 * r.NormFloat64()
		}
		want, err := quantile(slices.Sorted(slices.Values(xs)), 0.5, 7)
		got, err2 := Median(xs)
		if err != nil || err2 != nil || math.Abs(got-want) > 1e-9*math.Abs(want) {
			t.Errorf("n %d: median %v (%v), want %v (%v)", n, got, err2, want, err)
		}
	}
}

func TestMedianOfNothing(t *testing.T) {
	for _, xs := range [][]float64{nil, {math.NaN()}, {1, math.Inf(1)}} {
		if _, err := Median(xs); err == nil {
			t.Errorf("median of %v: want an error", xs)
		}
	}
}
