package stats

import (
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"moobench/analysis/internal/testnumber"
)

// Smallest effects that are found with power 0.8 at 0.05, in standard
// deviations, as tables of power have them.
func TestDetectableAgainstTables(t *testing.T) {
	for _, c := range []struct{ n, paired, two float64 }{{5, 1.68, 2.02}, {10, 0.996, 1.32}, {20, 0.660, 0.909}, {30, 0.529, 0.736}} {
		p, err := Detectable(1/math.Sqrt(c.n), c.n-1, 0.05, 0.8, TwoSided)
		s, err2 := Detectable(math.Sqrt(2/c.n), 2*c.n-2, 0.05, 0.8, TwoSided)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		testnumber.Check(t, "paired", p, c.paired, 4e-3)
		testnumber.Check(t, "two samples", s, c.two, 4e-3)
	}
}

func TestNoncentralT(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, df := rapid.Float64Range(-20, 20).Draw(t, "t"), rapid.Float64Range(1, 1e4).Draw(t, "df")
		ncp := rapid.Float64Range(-15, 15).Draw(t, "ncp")
		p := noncentralTTail(x, df, ncp)
		nearly(t, "both tails", p+noncentralTTail(-x, df, -ncp), 1, 1e-3)
		if central := noncentralTTail(x, df, 0); math.Abs(central-TTail(x, df)) > 1e-9*central {
			t.Fatalf("central: %v, want %v", central, TTail(x, df))
		}
		if q := noncentralTTail(x, df, ncp+0.1); q < p*(1-1e-12) {
			t.Fatalf("a larger ncp lowers the tail from %v to %v", p, q)
		}
		if q := noncentralTTail(x+0.1, df, ncp); q > p*(1+1e-12) {
			t.Fatalf("a larger t raises the tail from %v to %v", p, q)
		}
	})
}

// Far out, Z or S alone decides: chi² of one and of nine degrees of freedom.
func TestNoncentralTFarOut(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct{ t, df, ncp, want float64 }{
		{1e5, 9, 1.0001e5, 0.5628919590188505850},
		{1e300, 1, 1e300, 0.68268949213708585},
		{-1e200, 9, -1e200, 0.43727418891386693},
		{-2e5, 9, -1, 1},
		{30, 9, -1e6, 0},
		{-30, 9, 1e7, 1},
		{1e200, 9, -3, 0},
		{inf, 9, 3, 0},
		{-inf, 9, 3, 1},
		{2.5, inf, 1, normalTail(1.5)},
	} {
		if got := noncentralTTail(c.t, c.df, c.ncp); math.Abs(got-c.want) > 1e-8 {
			t.Errorf("P(T' > %v), df %v, ncp %v = %.17g, want %v", c.t, c.df, c.ncp, got, c.want)
		}
	}
	if p := noncentralTTail(1, -1, 0); !math.IsNaN(p) {
		t.Errorf("a negative df: %v", p)
	}
	if fTail(-1, 2, 3) != 1 || fTail(0, 2, 3) != 1 || chiSquareTail(0, 3) != 1 {
		t.Error("all of F and chi² lies above 0")
	}
}

// A detectable effect is found with just the power that was asked for.
func TestDetectableHasItsPower(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, alpha := rapid.IntRange(2, 200).Draw(t, "n"), rapid.Float64Range(0.001, 0.2).Draw(t, "alpha")
		power := rapid.Float64Range(0.3, 0.99).Draw(t, "power")
		delta, err := Detectable(1/math.Sqrt(float64(n)), float64(n-1), alpha, power, TwoSided)
		if err != nil {
			t.Fatal(err)
		}
		nearly(t, "power", powerT(float64(n-1), alpha, TwoSided)(delta*math.Sqrt(float64(n))), power, 10)
	})
}

func TestComponentsScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, n := rapid.Float64Range(0.5, 4).Draw(t, "k"), rapid.IntRange(2, 8).Draw(t, "n")
		var all, scaled []Sample
		for range n {
			x, err := SampleOf(values(t, 2))
			if err != nil {
				t.Fatal(err)
			}
			all, scaled = append(all, x), append(scaled, Sample{Mean: k*x.Mean + 7, SD: k * x.SD, N: x.N})
		}
		a, err := ComponentsOf(all)
		slices.Reverse(scaled)
		b, err2 := ComponentsOf(scaled)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		nearly(t, "within", b.Within, k*k*a.Within, 1e13)
		nearly(t, "between", b.Between, k*k*a.Between, 1e13)
	})
}

func TestRunsByCounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 12).Draw(t, "n")
		xs := rapid.SliceOfNDistinct(rapid.Float64Range(0, 1), n, n, rapid.ID).Draw(t, "values")
		got, err := Runs(xs)
		if err != nil {
			t.Fatal(err)
		}
		median, _ := quantile(slices.Sorted(slices.Values(xs)), 0.5, 7)
		xs = slices.DeleteFunc(xs, func(x float64) bool { return x == median })
		_, _, seen := signRuns(xs, median)
		counts, all := map[int]int{}, 0
		for set := range 1 << len(xs) {
			if 2*bits.OnesCount(uint(set)) == len(xs) {
				edges := (set ^ set>>1) & (1<<(len(xs)-1) - 1)
				counts[bits.OnesCount(uint(edges))+1]++
				all++
			}
		}
		want := 0
		for _, c := range counts {
			if c <= counts[seen] {
				want += c
			}
		}
		nearly(t, "p", got, float64(want)/float64(all), 1)
	})
}

func TestNeighboursKeepTheirLevel(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const rounds = 4000
	for _, n := range []int{10, 30} {
		var lag, drift int
		for range rounds {
			xs, drifting := make([]float64, n), make([]float64, n)
			for i := range xs {
				xs[i] = rng.NormFloat64()
				drifting[i] = xs[i] + 4*float64(i)/float64(n)
			}
			if _, p, err := Lag1(xs); err != nil || p < 0.05 {
				lag++
			}
			if _, p, err := Lag1(drifting); err != nil || p < 0.05 {
				drift++
			}
		}
		if share := float64(lag) / rounds; share < 0.03 || share > 0.06 {
			t.Errorf("%d independent values: %.3f alarms, want about 0.05", n, share)
		}
		if drift < 4*lag {
			t.Errorf("%d drifting values: %d alarms of %d, %d without drift", n, drift, rounds, lag)
		}
	}
}

// Below -log((1-level)/2) events, the one-sided bound of none costs a little.
func TestRateIntervalsCover(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mean, level := rapid.Float64Range(5.4, 60).Draw(t, "mean"), rapid.Float64Range(0.8, 0.99).Draw(t, "level")
		covered := 0.0
		for k := range int64(mean + 8*math.Sqrt(mean) + 15) {
			i, err := RateInterval(k, 2, level)
			if err != nil {
				t.Fatal(err)
			}
			if i.Low <= mean/2 && mean/2 <= i.High {
				gamma, _ := math.Lgamma(float64(k + 1))
				covered += math.Exp(float64(k)*math.Log(mean) - mean - gamma)
			}
		}
		if covered < level-1e-9 {
			t.Fatalf("covers %v", covered)
		}
	})
}

func TestFisherByCounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SliceOfN(rapid.IntRange(0, 30), 4, 4).Draw(t, "table")
		a, b, c, d := n[0], n[1], n[2], n[3]
		p, err := FisherExact(a, b, c, d)
		if err != nil {
			t.Fatal(err)
		}
		chance := func(a int) float64 {
			return math.Exp(logChoose(n[0]+b, a) + logChoose(c+d, n[0]+c-a) - logChoose(n[0]+b+c+d, n[0]+c))
		}
		want := 0.0
		for x := range a + min(b, c) + 1 {
			if chance(x) <= chance(a)*(1+1e-7) {
				want += chance(x)
			}
		}
		nearly(t, "p", p, want, 1)
		turned, _ := FisherExact(a, c, b, d)
		swapped, _ := FisherExact(c, d, a, b)
		nearly(t, "turned", turned, p, 1)
		nearly(t, "swapped", swapped, p, 1)
	})
}

func TestBootstrapFollowsShiftAndScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SliceOfNDistinct(rapid.Float64Range(1, 100), 8, 20, rapid.ID).Draw(t, "values")
		b := Bootstrap{Resamples: 199, Seed: rapid.Uint64().Draw(t, "seed"), BlockLength: rapid.IntRange(1, 2).Draw(t, "block")}
		moved := make([]float64, len(d))
		for i := range d {
			moved[i] = 4*d[i] + 16
		}
		i, err := b.Mean(d, 0.9)
		j, err2 := b.Mean(moved, 0.9)
		if (err == nil) != (err2 == nil) {
			t.Fatal(err, err2)
		}
		if err != nil {
			return // values that hardly differ
		}
		nearly(t, "low", j.Low, 4*i.Low+16, 1e3*(1+math.Abs(i.Low)))
		nearly(t, "high", j.High, 4*i.High+16, 1e3*(1+math.Abs(i.High)))
		wide, err := b.Mean(d, 0.95)
		if err == nil && (wide.Low > i.Low || wide.High < i.High) {
			t.Fatalf("at 90 %%: %v, at 95 %%: %v", i, wide)
		}
	})
}

// Campaigns whose blocks drift: intervals of log ratios by bootstrap cover
// about what they say.
func TestBootstrapCovers(t *testing.T) {
	const campaigns, blocks = 400, 12
	rng := rand.New(rand.NewPCG(11, 12))
	hits := 0
	x, y, d := make([]float64, blocks), make([]float64, blocks), make([]float64, blocks)
	for c := range campaigns {
		for i := range x {
			drift := 0.03 * rng.NormFloat64()
			x[i], y[i] = math.Exp(drift+0.13+0.01*rng.NormFloat64()), math.Exp(drift+0.01*rng.NormFloat64())
			d[i] = math.Log(x[i] / y[i])
		}
		b := Bootstrap{Resamples: 499, Seed: uint64(c), BlockLength: 1}
		mean, err := b.Mean(d, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		hits += within(Estimate{Interval: mean}, 0.13)
	}
	if share := float64(hits) / campaigns; share < 0.92 || share > 0.98 {
		t.Errorf("covers %.3f, want about 0.95", share)
	}
}
