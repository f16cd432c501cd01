package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The library's median and percentiles are of type 7, as R's are.
func TestDescribe(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for n := 1; n < 40; n++ {
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = 100 * r.NormFloat64()
		}
		sorted := slices.Sorted(slices.Values(xs))
		for _, p := range []float64{0.1, 25, 50, 75, 90, 99, 99.9, 100} {
			want, err := Quantile(sorted, p/100, 7)
			got, err2 := Percentile(xs, p)
			if err != nil || err2 != nil || math.Abs(got-want) > 1e-9*math.Abs(want) {
				t.Errorf("n %d: percentile %v = %v (%v), want %v (%v)", n, p, got, err2, want, err)
			}
			if m, err := Median(xs); p == 50 && (err != nil || math.Abs(m-want) > 1e-9*math.Abs(want)) {
				t.Errorf("n %d: median %v (%v), want %v", n, m, err, want)
			}
		}
	}
}

func TestDescribeNothing(t *testing.T) {
	for _, xs := range [][]float64{nil, {math.NaN()}, {1, math.Inf(1)}} {
		if _, err := Median(xs); err == nil {
			t.Errorf("median of %v: want an error", xs)
		}
		if _, err := Percentile(xs, 50); err == nil {
			t.Errorf("percentile of %v: want an error", xs)
		}
	}
	for _, p := range []float64{0, -1, 101, math.NaN()} {
		if _, err := Percentile([]float64{1, 2}, p); !errors.Is(err, ErrQuantile) {
			t.Errorf("percentile %v: %v, want ErrQuantile", p, err)
		}
	}
}
