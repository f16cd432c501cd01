package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// byDefinition is Q of Matteson and James (2014), written as they do: the means
// over pairs, times nm/(n+m). A side of one value has no pairs.
func byDefinition(x, y []float64) float64 {
	apart := func(a, b []float64) float64 {
		sum := 0.0
		for _, v := range a {
			for _, w := range b {
				sum += math.Abs(v - w)
			}
		}
		return sum
	}
	inside := func(a []float64) float64 {
		if len(a) < 2 {
			return 0
		}
		pairs := float64(len(a)*(len(a)-1)) / 2
		return apart(a, a) / 2 / pairs
	}
	n, m := float64(len(x)), float64(len(y))
	return n * m / (n + m) * (2*apart(x, y)/(n*m) - inside(x) - inside(y))
}

func splitByDefinition(xs []float64, least int) ChangePoint {
	best := ChangePoint{Q: math.Inf(-1)}
	for tau := least; tau+least <= len(xs); tau++ {
		for kappa := tau + least; kappa <= len(xs); kappa++ {
			if q := byDefinition(xs[:tau], xs[tau:kappa]); q > best.Q {
				best = ChangePoint{tau, kappa, q}
			}
		}
	}
	return best
}

// Small enough to be followed by hand: X = {0, 1}, Y = {10, 11}. Between them the
// mean distance is 10, inside each 1: Q = 2*2/4 (2*10 - 1 - 1) = 18.
func TestEDivisiveByHand(t *testing.T) {
	got, err := EDivisive([]float64{0, 1, 10, 11}, 2)
	if err != nil || got.Index != 2 || got.End != 4 || math.Abs(got.Q-18) > 1e-12 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestEDivisiveByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		least := rapid.IntRange(1, 4).Draw(t, "least")
		xs := rapid.SliceOfN(rapid.Float64Range(-5, 5), 2*least, 24).Draw(t, "values")
		got, err := EDivisive(xs, least)
		want := splitByDefinition(xs, least)
		if err != nil || math.Abs(got.Q-want.Q) > 1e-9*(1+math.Abs(want.Q)) {
			t.Fatalf("%+v, %v, by definition %+v", got, err, want)
		}
		if q := byDefinition(xs[:got.Index], xs[got.Index:got.End]); math.Abs(q-got.Q) > 1e-9*(1+math.Abs(q)) {
			t.Fatalf("%+v is not a split with that Q: %v", got, q)
		}
	})
}

// Q grows with the unit, and does not hang on where 0 is.
func TestEDivisiveLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Float64Range(-1, 1), 6, 20).Draw(t, "values")
		scale := rapid.Float64Range(0.1, 10).Draw(t, "scale")
		shift := rapid.Float64Range(-3, 3).Draw(t, "shift")
		moved := make([]float64, len(xs))
		for i, x := range xs {
			moved[i] = shift + scale*x
		}
		a, errA := EDivisive(xs, 3)
		b, errB := EDivisive(moved, 3)
		if errA != nil || errB != nil || math.Abs(b.Q-scale*a.Q) > 1e-9*(1+scale*math.Abs(a.Q)) {
			t.Fatalf("%+v, %v and moved %+v, %v", a, errA, b, errB)
		}
	})
}

// A change that is undone is found with its end.
func TestEDivisiveFindsTheEnd(t *testing.T) {
	var xs []float64
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 40 {
		x := r.NormFloat64()
		if i >= 15 && i < 27 {
			x += 20
		}
		xs = append(xs, x)
	}
	if got, err := EDivisive(xs, 3); err != nil || got.Index != 15 || got.End != 27 {
		t.Errorf("%+v, %v, want 15 to 27", got, err)
	}
}

func TestEDivisiveOfTooLittle(t *testing.T) {
	for name, c := range map[string]struct {
		xs    []float64
		least int
		want  error
	}{
		"few":      {[]float64{1, 2, 3, 4, 5}, 3, ErrTooFew},
		"no side":  {[]float64{1, 2, 3}, 0, ErrTooFew},
		"NaN":      {[]float64{1, math.NaN(), 3, 4}, 1, ErrNotFinite},
		"overflow": {[]float64{-1e308, 1e308, 1, 2}, 1, ErrNotFinite},
	} {
		if _, err := EDivisive(c.xs, c.least); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// permutations calls each with every order of xs.
func permutations(xs []float64, each func([]float64)) {
	var place func(k int)
	place = func(k int) {
		if k == len(xs) {
			each(xs)
			return
		}
		for i := k; i < len(xs); i++ {
			xs[k], xs[i] = xs[i], xs[k]
			place(k + 1)
			xs[k], xs[i] = xs[i], xs[k]
		}
	}
	place(0)
}

// The drawn p agrees with that of all 5040 orders.
func TestPermuteSplitAgainstAllOrders(t *testing.T) {
	xs := []float64{0.3, 0.1, 0.45, 1.2, 1.05, 0.9, 1.4}
	point, err := EDivisive(xs, 2)
	if err != nil {
		t.Fatal(err)
	}
	hits, all := 0, 0
	permutations(slices.Clone(xs), func(order []float64) {
		all++
		if splitByDefinition(order, 2).Q >= point.Q*(1-1e-9) {
			hits++
		}
	})
	const draws = 20_000
	want := float64(hits) / float64(all)
	s, err := PermuteSplit(xs, 2, 1, rand.New(rand.NewPCG(7, 7)))
	if err != nil {
		t.Fatal(err)
	}
	got := s.P(draws, 1)
	if math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/draws) {
		t.Errorf("%v, of all orders %v", got, want)
	}
	if s.drawn != draws || s.Point() != point {
		t.Errorf("%d drawn of %+v", s.drawn, s.Point())
	}
}

// Of ten values in circular blocks of five there are ten cuts and two orders.
func TestPermuteSplitInBlocks(t *testing.T) {
	xs := []float64{1, 2, 1.5, 3, 2.5, 6, 7, 6.5, 8, 7.5}
	point, err := EDivisive(xs, 3)
	if err != nil {
		t.Fatal(err)
	}
	hits := 0
	for from := range 10 {
		turned := append(slices.Clone(xs[from:]), xs[:from]...)
		for _, order := range [][]float64{turned, append(slices.Clone(turned[5:]), turned[:5]...)} {
			if splitByDefinition(order, 3).Q >= point.Q*(1-1e-9) {
				hits++
			}
		}
	}
	want := float64(hits) / 20
	s, err := PermuteSplit(xs, 3, 5, rand.New(rand.NewPCG(3, 3)))
	if err != nil {
		t.Fatal(err)
	}
	const draws = 20_000
	if got := s.P(draws, 1); math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/draws)+1e-4 {
		t.Errorf("%v, of all twenty %v", got, want)
	}
}

// Asking for more goes on where it stopped; the same seed draws the same.
func TestPermuteSplitGoesOn(t *testing.T) {
	xs := make([]float64, 30)
	r := rand.New(rand.NewPCG(5, 5))
	for i := range xs {
		xs[i] = r.NormFloat64() + float64(i/15)
	}
	fresh := func() *SplitPermutation {
		s, err := PermuteSplit(xs, 3, 1, rand.New(rand.NewPCG(9, 9)))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	once, twice := fresh(), fresh()
	twice.P(300, 1)
	if a, b := once.P(2000, 1), twice.P(2000, 1); a != b || once.drawn != twice.drawn {
		t.Errorf("%v at once, %v in two steps", a, b)
	}
}

// One that cannot pass any more stops; without change p is below u in u of the
// cases, whether it stopped or not.
func TestPermuteSplitIsValid(t *testing.T) {
	const series, draws = 400, 199
	below := map[float64]int{0.05: 0, 0.2: 0, 0.5: 0}
	stopped := 0
	for i := range series {
		r := rand.New(rand.NewPCG(11, uint64(i)))
		xs := make([]float64, 16)
		for j := range xs {
			xs[j] = r.NormFloat64()
		}
		s, err := PermuteSplit(xs, 3, 1, r)
		if err != nil {
			t.Fatal(err)
		}
		p := s.P(draws, 0.05)
		if s.drawn < draws {
			stopped++
			if p <= 0.05 {
				t.Fatalf("stopped after %d with p = %v", s.drawn, p)
			}
		}
		for u := range below {
			if p <= u {
				below[u]++
			}
		}
	}
	if stopped < series/2 {
		t.Errorf("only %d of %d stopped early", stopped, series)
	}
	for u, n := range below {
		share := float64(n) / series
		if share > u+4*math.Sqrt(u*(1-u)/series) {
			t.Errorf("p is at most %v in %v of the series without change", u, share)
		}
	}
}

func TestPermuteSplitOfTooLittle(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	if _, err := PermuteSplit([]float64{1, 2, 3}, 3, 1, r); !errors.Is(err, ErrTooFew) {
		t.Error(err)
	}
	if _, err := PermuteSplit([]float64{1, 2, 3, 4}, 2, 0, r); !errors.Is(err, ErrTooFew) {
		t.Error(err)
	}
}

func BenchmarkEDivisive50(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	xs := make([]float64, 50)
	for i := range xs {
		xs[i] = r.NormFloat64()
	}
	e := newEnergy(len(xs), 3)
	for b.Loop() {
		e.split(xs)
	}
}
