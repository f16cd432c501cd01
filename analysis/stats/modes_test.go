package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// oneMode are distributions of one mode.
var oneMode = map[string]func(r *rand.Rand, xs []float64){
	"normal":             each(func(r *rand.Rand) float64 { return r.NormFloat64() }),
	"uniform":            each(func(r *rand.Rand) float64 { return r.Float64() }),
	"exponential":        each(func(r *rand.Rand) float64 { return r.ExpFloat64() }),
	"lognormal":          each(func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64()) }),
	"slightly lognormal": each(func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64() / 2) }),
	"t3": each(func(r *rand.Rand) float64 {
		a, b, c := r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
		return r.NormFloat64() / math.Sqrt((a*a+b*b+c*c)/3)
	}),
	"AR .6": func(r *rand.Rand, xs []float64) {
		e := r.NormFloat64()
		for i := range xs {
			xs[i], e = e, 0.6*e+0.8*r.NormFloat64()
		}
	},
}

func each(draw func(r *rand.Rand) float64) func(r *rand.Rand, xs []float64) {
	return func(r *rand.Rand, xs []float64) {
		for i := range xs {
			xs[i] = draw(r)
		}
	}
}

// Of values with one mode, at most 1 % are said to have two; three standard errors
// of the simulation are allowed.
func TestOneModeIsSeldomTwo(t *testing.T) {
	const samples = 8000
	for name, draw := range oneMode {
		for _, n := range []int{8, 9, 10, 12, 17, 20, 25, 40, 80} {
			r, xs, found := rand.New(rand.NewPCG(1, uint64(n))), make([]float64, n), 0
			for range samples {
				draw(r, xs)
				_, two, err := TwoModes(xs, 0)
				if err != nil {
					t.Fatal(err)
				}
				if two {
					found++
				}
			}
			if share := float64(found) / samples; share > 0.01+3*math.Sqrt(0.01*0.99/samples) {
				t.Errorf("%s, n = %d: two modes in %.2f %%", name, n, 100*share)
			}
		}
	}
}

// Values that were printed in steps, whatever these are to their scatter, have no two modes but for
// as few as others.
func TestStepsAreNoModes(t *testing.T) {
	const samples = 4000
	for _, step := range []float64{0.25, 0.5, 1, 1.5, 2, 3, 5} {
		for _, n := range []int{8, 10, 20} {
			r, xs, found := rand.New(rand.NewPCG(7, uint64(n))), make([]float64, n), 0
			for range samples {
				at := r.Float64()
				for i := range xs {
					xs[i] = math.Round((at+r.NormFloat64())/step) * step
				}
				if _, two, _ := TwoModes(xs, 0); two { // an error is not a mode
					found++
				}
			}
			if share := float64(found) / samples; share > 0.01+3*math.Sqrt(0.01*0.99/samples) {
				t.Errorf("steps of %v standard deviations, n = %d: two modes in %.2f %%", step, n, 100*share)
			}
		}
	}
}

// Modes that are far apart are found whenever each has two JVMs.
func TestTwoModesAreFound(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{10, 20} {
		for _, slow := range []int{1, 2, 3, 5} {
			found := 0
			const samples = 500
			for range samples {
				xs := make([]float64, n)
				for i := range xs {
					xs[i] = r.NormFloat64()
					if i < slow {
						xs[i] += 20
					}
				}
				m, two, err := TwoModes(xs, 0)
				if err != nil {
					t.Fatal(err)
				}
				if !two {
					continue
				}
				found++
				if m.Slower != slow || slices.Index(m.Slow, false) != slow {
					t.Fatalf("%d of %d: %+v", slow, n, m)
				}
			}
			if share := float64(found) / samples; (slow == 1 && share > 0.01) || (slow > 1 && share < 0.95) {
				t.Errorf("%d of %d: found in %.1f %%", slow, n, 100*share)
			}
		}
	}
}

func TestTwoModesOfLittle(t *testing.T) {
	if _, _, err := TwoModes(make([]float64, 7), 0); !errors.Is(err, ErrTooFew) {
		t.Error(err)
	}
	if _, _, err := TwoModes(make([]float64, 8), 0); !errors.Is(err, errSpread) {
		t.Error(err)
	}
	if _, _, err := TwoModes([]float64{1, 1, 1, 1, 1, 1, 1, math.NaN()}, 0); !errors.Is(err, ErrNotFinite) {
		t.Error(err)
	}
	coarse := []float64{1, 1, 1, 1, 1, 2, 2, 2, 2, 2}
	if m, two, err := TwoModes(coarse, 0.1); err != nil || two {
		t.Error("values in two neighbouring steps are no modes", m, err)
	}
	apart := []float64{1, 1, 1, 1, 2, 6, 6, 6, 6, 7}
	if m, two, err := TwoModes(apart, 0.5); err != nil || !two || m.Faster != 5 || m.Slower != 5 {
		t.Error(m, two, err)
	}
	if m, two, err := TwoModes(apart, 1.2); err != nil || two {
		t.Error("what is less than five standard errors apart is not a mode", m, err)
	}
}

// R: binom.test(2, 10)$conf.int ends at 0.5560955, binom.test(2, 20) at 0.3169827,
// binom.test(3, 30) at 0.2652885.
func TestSpreadOfModes(t *testing.T) {
	for _, c := range []struct {
		slower, of int
		share      float64
	}{{2, 10, 0.5}, {2, 20, 0.3169827}, {3, 30, 0.2652885}, {15, 30, 0.5}} {
		m := Modes{Faster: c.of - c.slower, Slower: c.slower, FastMean: 100, SlowMean: 110, Within: 3}
		got, err := m.Spread(0.95)
		if want := math.Sqrt(9 + c.share*(1-c.share)*100); err != nil || math.Abs(got/want-1) > 1e-6 {
			t.Errorf("%d of %d: %v, %v, want %v", c.slower, c.of, got, err, want)
		}
		m.Faster, m.Slower = m.Slower, m.Faster
		if mirrored, err := m.Spread(0.95); err != nil || mirrored != got {
			t.Errorf("%v mirrored is %v, %v", got, mirrored, err)
		}
	}
	if _, err := (Modes{Faster: 5, Slower: 5}).Spread(1); !errors.Is(err, errLevel) {
		t.Error(err)
	}
}

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
