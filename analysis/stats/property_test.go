package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func values(t *rapid.T, least int) []float64 {
	return rapid.SliceOfN(rapid.Float64Range(1, 1e6), least, 40).Draw(t, "values")
}

func nearly(t *rapid.T, what string, got, want, scale float64) {
	if math.Abs(got-want) > 1e-9*scale {
		t.Fatalf("%s = %v, want %v", what, got, want)
	}
}

func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := values(t, 2)
		a, err := MeanInterval(xs, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		b, err := MeanInterval(rapid.Permutation(xs).Draw(t, "shuffled"), 0.95)
		if err != nil {
			t.Fatal(err)
		}
		nearly(t, "low", b.Interval.Low, a.Interval.Low, 1e6)
		nearly(t, "high", b.Interval.High, a.Interval.High, 1e6)
	})
}

func TestScaleAndShift(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := values(t, 2)
		ys := rapid.SliceOfN(rapid.Float64Range(1, 1e6), len(xs), len(xs)).Draw(t, "pairs")
		k, shift := rapid.Float64Range(0.5, 4).Draw(t, "k"), rapid.Float64Range(0, 1e5).Draw(t, "shift")
		sx, sy := make([]float64, len(xs)), make([]float64, len(xs))
		for i := range xs {
			sx[i], sy[i] = k*xs[i]+shift, k*ys[i]+shift
		}
		a, err := PairedDifference(xs, ys, 0.95)
		b, err2 := PairedDifference(sx, sy, 0.95)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		nearly(t, "difference", b.Value, k*a.Value, 1e7)
		nearly(t, "low", b.Interval.Low, k*a.Interval.Low, 1e8)
		for i := range xs {
			sx[i], sy[i] = k*xs[i], k*ys[i]
		}
		r, err := PairedLogRatio(xs, ys, 0.95)
		s, err2 := PairedLogRatio(sx, sy, 0.95)
		if err != nil || err2 != nil {
			return // an interval that overflows
		}
		nearly(t, "ratio", math.Log(s.Value), math.Log(r.Value), 1e3)
	})
}

func TestSwappedPairsInvert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := values(t, 2)
		ys := rapid.SliceOfN(rapid.Float64Range(1, 1e6), len(xs), len(xs)).Draw(t, "pairs")
		a, _ := PairedDifference(xs, ys, 0.95)
		b, _ := PairedDifference(ys, xs, 0.95)
		nearly(t, "low", a.Interval.Low, -b.Interval.High, 1e8)
		w, _ := WelchDifference(xs, ys, 0.95)
		v, _ := WelchDifference(ys, xs, 0.95)
		nearly(t, "welch", w.Interval.Low, -v.Interval.High, 1e8)
	})
}

func TestQuantileInvertsTail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		df := rapid.Float64Range(1, 1e4).Draw(t, "df")
		p := math.Pow(10, rapid.Float64Range(-12, math.Log10(0.49)).Draw(t, "log p"))
		if got := TTail(TQuantile(p, df), df); math.Abs(got-p) > 1e-9*p {
			t.Fatalf("TTail(TQuantile(%v, %v)) = %v", p, df, got)
		}
	})
}

func TestBadValues(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, c := range map[string]struct {
		made func() (Estimate, error)
		want error
	}{
		"nothing":       {func() (Estimate, error) { return MeanInterval(nil, 0.95) }, ErrTooFew},
		"one":           {func() (Estimate, error) { return MeanInterval([]float64{1}, 0.95) }, ErrTooFew},
		"NaN":           {func() (Estimate, error) { return MeanInterval([]float64{1, nan}, 0.95) }, ErrNotFinite},
		"infinite":      {func() (Estimate, error) { return PairedDifference([]float64{inf, 1}, []float64{inf, 1}, 0.95) }, ErrNotFinite},
		"overflow":      {func() (Estimate, error) { return MeanInterval([]float64{1e308, -1e308, 1e308, 1e308}, 0.95) }, ErrNotFinite},
		"level 1":       {func() (Estimate, error) { return MeanInterval([]float64{1, 2}, 1) }, ErrLevel},
		"level NaN":     {func() (Estimate, error) { return MeanInterval([]float64{1, 2}, nan) }, ErrLevel},
		"zero in ratio": {func() (Estimate, error) { return PairedLogRatio([]float64{1, 2}, []float64{0, 1}, 0.95) }, ErrNotPositive},
		"unpaired":      {func() (Estimate, error) { return PairedDifference([]float64{1, 2}, []float64{1}, 0.95) }, ErrUnpaired},
		"five medians":  {func() (Estimate, error) { return MedianInterval([]float64{1, 2, 3, 4, 5}, 0.95) }, ErrTooFew},
		"one to welch":  {func() (Estimate, error) { return WelchDifference([]float64{1, 2}, []float64{1}, 0.95) }, ErrTooFew},
	} {
		if _, err := c.made(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestConstantValuesHaveNoTest(t *testing.T) {
	e, err := PairedDifference([]float64{3, 3, 3}, []float64{1, 1, 1}, 0.95)
	if err != nil || e.Test != nil || e.Interval.Low != 2 || e.Interval.High != 2 {
		t.Errorf("got %+v, %v", e, err)
	}
	w, err := WelchDifference([]float64{3, 3, 3}, []float64{1, 1}, 0.95)
	if err != nil || w.Test != nil || w.Interval.Low != 2 {
		t.Errorf("welch: got %+v, %v", w, err)
	}
}

// Campaigns of ten blocks with invocation effects and a drift between blocks
// that is three times as large: paired intervals cover the truth as they say.
func TestCoverage(t *testing.T) {
	const campaigns, blocks, truth = 4000, 10, 1.13
	rng := rand.New(rand.NewPCG(1, 2))
	var difference, ratio int
	for range campaigns {
		x, y := make([]float64, blocks), make([]float64, blocks)
		for b := range x {
			drift := math.Exp(0.03 * rng.NormFloat64())
			y[b] = 100 * drift * math.Exp(0.01*rng.NormFloat64())
			x[b] = 100 * truth * drift * math.Exp(0.01*rng.NormFloat64())
		}
		d, err := PairedDifference(x, y, 0.95)
		r, err2 := PairedLogRatio(x, y, 0.95)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		mean := 100 * (truth - 1) * math.Exp((0.03*0.03+0.01*0.01)/2)
		difference += within(d, mean)
		ratio += within(r, truth)
	}
	for name, hits := range map[string]int{"difference": difference, "ratio": ratio} {
		if share := float64(hits) / campaigns; share < 0.94 || share > 0.96 {
			t.Errorf("%s intervals cover %.3f, want about 0.95", name, share)
		}
	}
}

func within(e Estimate, truth float64) int {
	if e.Interval.Low <= truth && truth <= e.Interval.High {
		return 1
	}
	return 0
}
