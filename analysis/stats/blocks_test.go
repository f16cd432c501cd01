package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// alikeNights are n values of a process of first order with standard deviation 1.
func alikeNights(r *rand.Rand, n int, phi float64) []float64 {
	xs, state := make([]float64, n), r.NormFloat64()
	for i := range xs {
		state = phi*state + math.Sqrt(1-phi*phi)*r.NormFloat64()
		xs[i] = state
	}
	return xs
}

func TestBlockLength(t *testing.T) {
	for _, c := range []struct {
		n     int
		lag1  float64
		least int
		want  int
	}{
		{100, 0, 5, 5}, {100, -0.4, 5, 5}, {100, 0.5, 5, 6}, {1000, 0.5, 5, 13}, {100, 0.8, 5, 13}, {20, 0.99, 5, 10}, {8, 0, 5, 4}, {1, 0, 5, 1},
	} {
		if got := BlockLength(c.n, c.lag1, c.least); got != c.want {
			t.Errorf("%d values, lag 1 %v, at least %d: %d, want %d", c.n, c.lag1, c.least, got, c.want)
		}
	}
}

// A stream scatters as its residuals do, and neighbours are as alike, but for what is lost
// where blocks are joined.
func TestStream(t *testing.T) {
	const n = 200_000
	for _, phi := range []float64{0, 0.5} {
		r := rand.New(rand.NewPCG(1, 1))
		xs := alikeNights(r, 400, phi)
		sd, _ := SD(xs)
		lag1, _, _ := Lag1(xs)
		b := NewBlocks(xs, make([]bool, len(xs)), sd, BlockLength(len(xs), lag1, 5), lag1)
		s := b.Stream(r)
		drawn, above := make([]float64, n), 0.0
		for i := range drawn {
			drawn[i], _ = s.Next()
			if drawn[i] > 1.5 {
				above++
			}
		}
		got, _ := SD(drawn)
		alike, _, _ := Lag1(drawn)
		if math.Abs(got/sd-1) > 0.03 || alike > lag1+0.02 || alike < 0.8*lag1-0.03 {
			t.Errorf("phi %v: sd %v, want %v; lag 1 %v, want %v", phi, got, sd, alike, lag1)
		}
		if tail := b.Tail(1.5, 1, 0); math.Abs(above/n-tail) > 0.006 {
			t.Errorf("phi %v: %v above 1.5, by the formula %v", phi, above/n, tail)
		}
	}
}

// Values that are far off stay as far; nothing scatters where residuals do not.
func TestFarResiduals(t *testing.T) {
	xs := []float64{1, -1, 1, -1, 30}
	b := NewBlocks(xs, []bool{false, false, false, false, true}, 1, 1, 0)
	if got := b.Tail(28, 1, 0); math.Abs(got-0.2) > 0.001 {
		t.Errorf("%v are above 28, want one in five", got)
	}
	if got := b.Tail(14, 0.5, 0.1); math.Abs(got-0.2) > 0.01 {
		t.Errorf("half of it: %v are above 14", got)
	}
	equal := NewBlocks([]float64{0, 0}, make([]bool, 2), 0, 1, 0)
	if got := equal.Tail(0, 1, 0); got != 0 {
		t.Errorf("equal values: %v are above", got)
	}
	if got := equal.Tail(-1, 1, 0); got != 1 {
		t.Errorf("equal values: %v are above -1", got)
	}
}

func TestCircularBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	seen := map[int]int{}
	for range 3000 {
		all := CircularBlocks(r, 7, 3)
		if len(all) != 7 || all[1] != (all[0]+1)%7 || all[2] != (all[0]+2)%7 || all[4] != (all[3]+1)%7 {
			t.Fatalf("%v", all)
		}
		for _, i := range all {
			seen[i]++
		}
	}
	for i := range 7 {
		if n := seen[i]; n < 2700 || n > 3300 {
			t.Errorf("%d was drawn %d times of about 3000", i, n)
		}
	}
}

// What simulating few events adds is taken out of what resamples differ by.
func TestSimulatedInterval(t *testing.T) {
	const years = 50
	r := rand.New(rand.NewPCG(1, 1))
	poisson := func(mean float64) (n float64) {
		for gap := r.ExpFloat64(); gap < mean; gap += r.ExpFloat64() {
			n++
		}
		return n
	}
	for name, c := range map[string]struct {
		sd        float64 // of the logarithm of the rate
		low, high [2]float64
	}{
		"one rate":       {0, [2]float64{0.46, 0.51}, [2]float64{0.49, 0.54}},
		"lognormal, .5":  {0.5, [2]float64{0.12, 0.26}, [2]float64{1.05, 1.6}},
		"lognormal, 1.0": {1, [2]float64{0.03, 0.12}, [2]float64{2.6, 4.8}},
	} {
		var s Simulated
		for range 400 {
			rate := 0.5 * math.Exp(c.sd*r.NormFloat64())
			n := poisson(rate * years)
			s.Add(n/years, n/years/years)
		}
		if i := s.Interval(0.95); i.Low < c.low[0] || i.Low > c.low[1] || i.High < c.high[0] || i.High > c.high[1] {
			t.Errorf("%s: %+v", name, i)
		}
	}
	var never Simulated
	never.Add(0, 0)
	never.Add(0, 0)
	if i := never.Interval(0.95); i.Low != 0 || i.High != 0 {
		t.Errorf("never: %+v", i)
	}
	sum := Simulated{[]float64{1, 2}, []float64{0.1, 0.2}}.Plus(Simulated{[]float64{3, 4}, []float64{0.3, 0.4}})
	if !slices.Equal(sum.rates, []float64{4, 6}) || math.Abs(sum.variances[1]-0.6) > 1e-12 {
		t.Errorf("%+v", sum)
	}
}

// Above says what Against does.
func TestAbove(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	above, quantiles := 0, NewTQuantiles(0.1)
	for range 500 {
		n, k := 6+r.IntN(60), 1+r.IntN(5)
		e, err := EarlierOf(alikeNights(r, n, 0), slices.Repeat([]float64{0.5}, n))
		if err != nil {
			t.Fatal(err)
		}
		xs, ses := alikeNights(r, k, 0), slices.Repeat([]float64{2 * r.Float64()}, k)
		for i := range xs {
			xs[i]++
		}
		want, err := Against(xs, ses, 14, e, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		value, got := e.Above(xs, ses, 14, quantiles)
		p := want.Test.P / 2
		if value != want.Value || got != (value > 0 && p < 0.1) && math.Abs(p-0.1) > 0.001 {
			t.Errorf("%v, %v; against: %v, p %v", value, got, want.Value, p)
		}
		if got {
			above++
		}
	}
	if above < 50 || above > 450 {
		t.Errorf("%d of 500 are above", above)
	}
}
