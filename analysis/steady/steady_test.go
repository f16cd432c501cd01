package steady

import (
	"math"
	"math/rand/v2"
	"testing"
)

func between(r *rand.Rand, low, high float64) float64 { return low + (high-low)*r.Float64() }

// sign is a coin.
func sign(r *rand.Rand) float64 { return float64(2*r.IntN(2) - 1) }

// shapes are the eight things that an invocation can do, as factors over time;
// share runs from 0 to 1. The truth is known because it is made.
var shapes = []struct {
	name string
	want Class
	draw func(r *rand.Rand) func(share float64) float64
}{
	{"flat", Flat, func(*rand.Rand) func(float64) float64 {
		return func(float64) float64 { return 1 }
	}},
	{"exponential", Warmup, func(r *rand.Rand) func(float64) float64 {
		height, tau := between(r, 0.2, 3), between(r, 0.01, 0.08)
		return func(s float64) float64 { return 1 + height*math.Exp(-s/tau) }
	}},
	{"step 20 %", Warmup, func(r *rand.Rand) func(float64) float64 { return step(between(r, 0.05, 0.7), 1.2, 1) }},
	{"step 2 %", Warmup, func(r *rand.Rand) func(float64) float64 { return step(between(r, 0.05, 0.7), 1.02, 1) }},
	{"slowdown", Slowdown, func(r *rand.Rand) func(float64) float64 {
		return step(between(r, 0.05, 0.7), 1, 1+between(r, 0.03, 0.3))
	}},
	{"late change", Unsteady, func(r *rand.Rand) func(float64) float64 {
		return step(between(r, 0.78, 0.97), 1, 1+sign(r)*between(r, 0.03, 0.2))
	}},
	{"cycle", Unsteady, func(r *rand.Rand) func(float64) float64 {
		height, period, phase := between(r, 0.03, 0.1), between(r, 0.25, 0.45), between(r, 0, 1)
		return func(s float64) float64 { return 1 + height*math.Sin(2*math.Pi*(s/period+phase)) }
	}},
	{"trend", Unsteady, func(r *rand.Rand) func(float64) float64 {
		slope := sign(r) * between(r, 0.02, 0.1)
		return func(s float64) float64 { return 1 + slope*s }
	}},
}

func step(at, before, after float64) func(float64) float64 {
	return func(s float64) float64 {
		if s < at {
			return before
		}
		return after
	}
}

// noisy is the shape in n batch means of about 1,000 ns: AR(1) noise with a
// standard deviation of sd and the lag-1 correlation phi, and collections that
// slow one batch in a hundred by up to a half.
func noisy(r *rand.Rand, n int, sd, phi float64, at func(float64) float64) []float64 {
	x := make([]float64, n)
	e := r.NormFloat64()
	for i := range x {
		e = phi*e + math.Sqrt(1-phi*phi)*r.NormFloat64()
		x[i] = 1000 * at(float64(i)/float64(n)) * (1 + sd*e)
		if r.Float64() < 0.01 {
			x[i] *= 1 + between(r, 0.02, 0.5)
		}
	}
	return x
}

func TestEightShapes(t *testing.T) {
	const each = 200
	for _, c := range []struct {
		n       int
		sd, phi float64
	}{{1000, 0.005, 0.3}, {1000, 0.005, 0.6}, {1000, 0.002, 0}, {1000, 0.01, 0.3}, {500, 0.005, 0.3}, {2000, 0.005, 0.3}} {
		if testing.Short() && c.n == 2000 {
			continue
		}
		for k, s := range shapes {
			r := rand.New(rand.NewPCG(20140901, uint64(k)))
			counts := map[Class]int{}
			for range each {
				f, err := Classify(noisy(r, c.n, c.sd, c.phi, s.draw(r)))
				if err != nil {
					t.Fatal(err)
				}
				counts[f.Class]++
			}
			if right := counts[s.want]; right < each*95/100 {
				t.Errorf("%+v, %s: %d of %d are %q: %v", c, s.name, right, each, s.want, counts)
			}
		}
	}
}

func BenchmarkClassify(b *testing.B) {
	for _, s := range shapes {
		for _, n := range []int{1000, 2000} {
			b.Run(s.name, func(b *testing.B) {
				r := rand.New(rand.NewPCG(1, 2))
				x := noisy(r, n, 0.005, 0.3, s.draw(r))
				for b.Loop() {
					if _, err := Classify(x); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
