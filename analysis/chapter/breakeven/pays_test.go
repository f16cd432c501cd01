package breakeven

import (
	"math/rand/v2"
	"testing"

	"moobench/analysis/infer"
	"moobench/analysis/reading"
)

// TestBreakEvenHoldsTheTruth: 95 of 100 sets hold the true number of calls,
// bounded or not; a probe that saves nothing is seldom said to pay, and one that
// costs more is not.
func TestBreakEvenHoldsTheTruth(t *testing.T) {
	const n = 4000
	rng := rand.New(rand.NewPCG(54, 1))
	draw := func(mean, sd float64, n int) infer.Scale {
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = mean + sd*rng.NormFloat64()
		}
		s, why := infer.ScaleOf(xs)
		if why != "" {
			t.Fatal(why)
		}
		return s
	}
	for _, tt := range []struct {
		name       string
		price, sd  float64
		saved, by  float64
		bounded    float64 // share of answers that pay, at most
		holds      float64 // share of sets that hold the truth, at least
		neverAtAll float64 // share of plain nevers, at most
	}{
		{"saves much", 40e6, 4e6, 10, 3, 1, 0.94, 0.001},
		{"saves little", 40e6, 4e6, 10, 15, 1, 0.94, 0.001},
		{"price hardly known", 4e6, 3e6, 10, 6, 1, 0.94, 0.001},
		{"saves nothing", 40e6, 4e6, 0, 5, 0.03, 0, 0.03},
		{"costs more", 40e6, 4e6, -10, 5, 0, 0, 1},
	} {
		var holds, pays, never int
		for range n {
			p, s := draw(tt.price, tt.sd, 8), draw(tt.saved, tt.by, 10)
			saved, _ := s.Estimate(reading.Confidence)
			b := Answer{Saved: saved}
			b.pays(p, s)
			switch {
			case b.Low == nil:
				never++
			case b.High != nil:
				pays++
			}
			if truth := tt.price / tt.saved; b.Low != nil && *b.Low <= truth && (b.High == nil || truth <= *b.High) {
				holds++
			}
		}
		if h, p, v := float64(holds)/n, float64(pays)/n, float64(never)/n; h < tt.holds || p > tt.bounded || v > tt.neverAtAll {
			t.Errorf("%s: %.1f %% hold the truth, %.1f %% pay, %.1f %% never do", tt.name, 100*h, 100*p, 100*v)
		} else {
			t.Logf("%s: %.1f %% hold the truth, %.1f %% pay, %.1f %% never do", tt.name, 100*h, 100*p, 100*v)
		}
	}
}

// TestBreakEvenWithoutScatter: values that don't vary have an answer all the same.
func TestBreakEvenWithoutScatter(t *testing.T) {
	saved, _ := infer.Scale{N: 6, Value: 10, DF: 5}.Estimate(reading.Confidence)
	b := Answer{Saved: saved}
	b.pays(infer.Scale{N: 6, Value: 4e7, DF: 5}, infer.Scale{N: 6, Value: 10, DF: 5})
	if want := "pays for itself after 4.0 million calls (4.0 … 4.0 million)"; b.Text != want {
		t.Errorf("%q, want %q", b.Text, want)
	}
}
