package steady

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
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

// long asks for every row of TestEightShapes, as make soak does.
var long = flag.Bool("long", false, "classify all lengths, spreads and correlations")

func TestEightShapes(t *testing.T) {
	const each = 200
	for i, c := range []struct {
		n       int
		sd, phi float64
	}{{1000, 0.005, 0.3}, {1000, 0.005, 0.6}, {1000, 0.002, 0}, {1000, 0.01, 0.3}, {500, 0.005, 0.3}, {2000, 0.005, 0.3}} {
		if i > 0 && !*long {
			t.Log("only 1,000 batches with a standard deviation of 0.5 %: -long was not given")
			break
		}
		for k, s := range shapes {
			t.Run(fmt.Sprintf("%+v %s", c, s.name), func(t *testing.T) {
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
					t.Errorf("%d of %d are %q: %v", right, each, s.want, counts)
				}
			})
		}
	}
}

// The steady part begins where the change was made.
func TestWhereItBegins(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, at := range []float64{0.05, 0.2, 0.5, 0.7} {
		for _, before := range []float64{1.02, 1.2, 30, 0.9} {
			f, err := Classify(noisy(r, 1000, 0.005, 0.3, step(at, before, 1)))
			if err != nil {
				t.Fatal(err)
			}
			if d := math.Abs(float64(f.From) - 1000*at); d > 10 {
				t.Errorf("%v times slower until %v: steady from %d", before, at, f.From)
			}
		}
	}
}

// The first batch of a JVM may be all of its warm-up: it is not a spike.
func TestOneSlowBatchFirst(t *testing.T) {
	x := noisy(rand.New(rand.NewPCG(7, 8)), 1000, 0.005, 0.3, step(0.001, 40, 1))
	f, err := Classify(x)
	if err != nil || f.Class != Warmup || f.From != shortest {
		t.Errorf("%+v, %v, want a warm-up of %d batches", f, err, shortest)
	}
	x[0], x[500] = 1000, 40_000
	if f, err = Classify(x); err != nil || f.Class != Flat || f.From != 0 {
		t.Errorf("%+v, %v, want flat: one spike in the middle", f, err)
	}
}

// A coarse clock, one call a batch: the values are multiples of 10 ns.
func TestCoarseClock(t *testing.T) {
	for _, c := range []struct {
		name string
		want Class
		at   func(float64) float64 // ns
	}{
		{"one value only", Flat, step(0, 30, 30)},
		{"between two values", Flat, step(0, 25, 25)},
		{"nearly on a value", Flat, step(0, 29.9, 29.9)},
		{"slow first", Warmup, step(0.3, 60, 25)},
		{"one step, no noise", Warmup, step(0.3, 40, 30)},
		{"below the clock's resolution", Flat, step(0, 0.3, 0.3)},
		{"late", Unsteady, step(0.8, 25, 45)},
	} {
		for seed := range uint64(50) {
			r := rand.New(rand.NewPCG(9, seed))
			x := make([]float64, 1000)
			for i := range x {
				// The clock ticks somewhere inside the call.
				x[i] = 10 * math.Floor(c.at(float64(i)/1000)/10+r.Float64())
			}
			f, err := Classify(x)
			if err != nil || f.Class != c.want {
				t.Errorf("%s, seed %d: %+v, %v", c.name, seed, f, err)
			}
			if len(f.segments) > 3 {
				t.Errorf("%s, seed %d: %d segments", c.name, seed, len(f.segments))
			}
		}
	}
}

func TestBadSeries(t *testing.T) {
	series := func(change func(x []float64)) []float64 {
		x := make([]float64, 100)
		for i := range x {
			x[i] = 10 + float64(i%3)
		}
		change(x)
		return x
	}
	for name, c := range map[string]struct {
		x    []float64
		want error
	}{
		"none":     {nil, errTooFew},
		"49":       {make([]float64, 49), errTooFew},
		"NaN":      {series(func(x []float64) { x[3] = math.NaN() }), errValue},
		"infinite": {series(func(x []float64) { x[99] = math.Inf(1) }), errValue},
		"negative": {series(func(x []float64) { x[50] = -1 }), errValue},
		"50 zeros": {make([]float64, 50), nil},
	} {
		if _, err := Classify(c.x); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// Whatever the values are, the finding holds together and is not NaN; and it
// does not hang on the unit.
func TestFindingHoldsTogether(t *testing.T) {
	magnitudes := []float64{0, 5e-324, 1e-300, 1e-9, 1, 2, 3, 100, 1e9, 1e300, math.MaxFloat64}
	rapid.Check(t, func(t *rapid.T) {
		few := rapid.SliceOfN(rapid.SampledFrom(magnitudes), 1, 3).Draw(t, "magnitudes")
		x := rapid.SliceOfN(rapid.SampledFrom(few), 50, 150).Draw(t, "x")
		f, err := Classify(x)
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		for _, s := range f.segments {
			if s.From != at || s.To < s.From+shortest || !(s.Mean >= 0) || math.IsInf(s.Mean, 0) {
				t.Fatalf("segments %+v", f.segments)
			}
			at = s.To
		}
		if at != len(x) || f.From < 0 || f.From > len(x)*3/4 || (f.Class == Flat) != (f.From == 0) {
			t.Fatalf("%+v", f)
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Float64Range(1, 2), 50, 150).Draw(t, "x")
		y := make([]float64, len(x))
		for i := range x {
			y[i] = 1024 * x[i] // exactly
		}
		a, err := Classify(x)
		b, err2 := Classify(y)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		if a.Class != b.Class || a.From != b.From || len(a.segments) != len(b.segments) {
			t.Fatalf("%+v in one unit, %+v in another", a, b)
		}
	})
}

func FuzzClassify(f *testing.F) {
	f.Add(1.0, 1.0, uint8(50))
	f.Add(0.0, 1e300, uint8(3))
	f.Add(-1.0, math.NaN(), uint8(200))
	f.Fuzz(func(t *testing.T, a, b float64, every uint8) {
		x := make([]float64, 120)
		for i := range x {
			x[i] = a
			if i%(int(every)+1) == 0 {
				x[i] = b
			}
		}
		found, err := Classify(x)
		if err == nil && (found.From < 0 || found.From > len(x)*3/4) {
			t.Errorf("%v", found)
		}
	})
}

func BenchmarkClassify(b *testing.B) {
	for _, s := range shapes {
		for _, n := range []int{1000, 2000} {
			b.Run(fmt.Sprintf("%s/%d", s.name, n), func(b *testing.B) {
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
