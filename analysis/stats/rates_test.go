package stats

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// flipped are the pairs of testdata/rates.R.
func flipped() (x, y []float64) {
	return []float64{3, 0, 12, 5, 1, 40, 2, 9, 4, 3}, []float64{0, 1, 0, 2, 0, 3, 0, 0, 1, 0}
}

func TestRatesAgainstR(t *testing.T) {
	ends := func(i Interval, err error) []float64 { return append(one1(i.Low, err), i.High) }
	between := func(k1 int64, s1 float64, k2 int64, s2, level float64) []float64 {
		i, err := ScatteredRateInterval(k1, s1, 1, math.Inf(1), level)
		j, err2 := ScatteredRateInterval(k2, s2, 1, math.Inf(1), level)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		return ends(RateDifference(float64(k1)/s1, i, float64(k2)/s2, j))
	}
	got := map[string][]float64{
		"scattered": append(append(ends(ScatteredRateInterval(138, 1.2e6, 11.4, 9, 0.95)), ends(ScatteredRateInterval(7, 1e6, 1, math.Inf(1), 0.95))...),
			ends(ScatteredRateInterval(0, 2e6, 2.5, 18, 0.99))...),
		"difference": append(append(between(11, 1.32e6, 0, 1.31e6, 0.95), between(0, 1e6, 0, 1.2e6, 0.9)...), between(120, 1e6, 80, 2e6, 0.99)...),
		"detectable": append(append(one1(DetectableRate(0, 1.2e6, 1.2e6, 0.05, 0.8)), one1(DetectableRate(2e-6, 1.2e6, 1.3e6, 0.05, 0.8))...),
			append(one1(DetectableRate(2e-5, 1e6, 2e6, 0.05/3, 0.8)), one1(DetectableRate(0, 1e3, 4e3, 0.1, 0.9))...)...),
	}
	f, err := NewFlipInterval(flipped())
	if err != nil {
		t.Fatal(err)
	}
	for _, level := range []float64{0.95, 0.9, 1 - 0.05/3} {
		got["flips"] = append(got["flips"], ends(f.At(level))...)
	}
	for name, want := range readModelData(t, "testdata/rates.txt") {
		for i, w := range want {
			if len(got[name]) != len(want) || math.Abs(got[name][i]-w) > 1e-9*math.Abs(w) {
				t.Fatalf("%s: got %v, R has %v", name, got[name], want)
			}
		}
	}
}

// The interval and the permutation agree: a difference is outside just when the
// signs of what is left without it show something.
func TestFlipIntervalInvertsPermuteBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(6, 10).Draw(t, "n")
		x, zero := rapid.SliceOfN(rapid.Float64Range(-3, 9), n, n).Draw(t, "x"), make([]float64, n)
		at := rapid.Float64Range(-2, 8).Draw(t, "at")
		f, err := NewFlipInterval(x, zero)
		if err != nil {
			t.Fatal(err)
		}
		i, err := f.At(0.95)
		if err != nil {
			t.Fatal(err)
		}
		for _, bound := range []float64{i.Low, i.High} {
			if math.Abs(at-bound) < 1e-6 {
				return // rounding decides
			}
		}
		for k := range zero {
			zero[k] = at
		}
		p, _, err := PermuteBlocks(x, zero)
		if outside := at < i.Low || at > i.High; err != nil || outside != (p <= 0.05) {
			t.Fatalf("%v in %v: p = %v, %v", at, i, p, err)
		}
	})
}

func TestFlipIntervalOfMany(t *testing.T) {
	x, y := make([]float64, 40), make([]float64, 40)
	for i := range x {
		x[i] = 10 + math.Sin(float64(i)*1.7)
	}
	f, err := NewFlipInterval(x, y)
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := f.At(0.95)
	usual, err2 := PairedDifference(x, y, 0.95)
	if err != nil || err2 != nil || math.Abs(drawn.Low-usual.Interval.Low) > 0.05 || math.Abs(drawn.High-usual.Interval.High) > 0.05 {
		t.Errorf("%v, the t interval is %v", drawn, usual.Interval)
	}
}

func TestRatesOfTooLittle(t *testing.T) {
	f, err := NewFlipInterval([]float64{1, 2, 3, 4, 5}, make([]float64, 5))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.At(0.95); !errors.Is(err, ErrTooFew) {
		t.Errorf("five pairs: %v", err)
	}
	if i, err := f.At(0.9); err != nil || i.Low != 1 || i.High != 5 {
		t.Errorf("five pairs at 90 %%: %v, %v", i, err)
	}
	if _, err := NewFlipInterval([]float64{1}, []float64{2}); !errors.Is(err, ErrTooFew) {
		t.Errorf("one pair: %v", err)
	}
	if _, err := NewFlipInterval([]float64{1, 2}, []float64{2}); !errors.Is(err, ErrUnpaired) {
		t.Errorf("half a pair: %v", err)
	}
	if _, err := DetectableRate(0, 0, 1, 0.05, 0.8); !errors.Is(err, ErrNotPositive) {
		t.Errorf("no exposure: %v", err)
	}
	if _, err := DetectableRate(0, 1e300, 1e-300, 0.05, 0.8); err == nil {
		t.Error("exposures without a ratio have a detectable rate")
	}
	if _, err := ScatteredRateInterval(3, 10, 0.5, 4, 0.95); !errors.Is(err, ErrSpread) {
		t.Errorf("less than Poisson's variance: %v", err)
	}
	if _, err := CompareRates(EventRuns{[]int64{1}, nil}, EventRuns{}, true, TwoSided, 0.95); !errors.Is(err, ErrUnpaired) {
		t.Errorf("a count without exposure: %v", err)
	}
}

// What more runs show, fewer don't show more of: the detectable rate falls with
// the exposure, and rises with what the baseline has.
func TestDetectableRateIsOrdered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.SampledFrom([]float64{0, 1e-6, 1e-4, 1e-2}).Draw(t, "base")
		s := rapid.Float64Range(1e3, 1e7).Draw(t, "exposure")
		r, err := DetectableRate(base, s, s, 0.05, 0.8)
		if err != nil || r <= base {
			t.Fatal(r, err)
		}
		if more, err := DetectableRate(base, 2*s, 2*s, 0.05, 0.8); err != nil || more >= r {
			t.Errorf("%v with twice the exposure, %v, %v without", more, err, r)
		}
		if higher, err := DetectableRate(2*base+1/s, s, s, 0.05, 0.8); err != nil || higher <= r {
			t.Errorf("%v above a higher rate, %v, %v above a lower one", higher, err, r)
		}
	})
}

// TestScatteredRates: one run with all events convinces Poisson alone; all runs
// with more convince everyone.
func TestScatteredRates(t *testing.T) {
	exposures := []float64{1e5, 1e5, 1e5, 1e5, 1e5, 1e5, 1e5, 1e5}
	none := EventRuns{make([]int64, 8), exposures}
	one, err := CompareRates(EventRuns{[]int64{30, 0, 0, 0, 0, 0, 0, 0}, exposures}, none, true, TwoSided, 0.95)
	if err != nil || !one.Scattered() || one.Poisson.P > 1e-6 || one.Differ() {
		t.Errorf("one run with all events: %+v, %v", one, err)
	}
	all, err := CompareRates(EventRuns{[]int64{30, 2, 11, 5, 3, 19, 2, 8}, exposures}, none, true, TwoSided, 0.95)
	if err != nil || !all.Scattered() || !all.Differ() {
		t.Errorf("all runs with more: %+v, %v", all, err)
	}
	if _, bounded := all.Interval(); bounded {
		t.Error("a ratio to nothing has an interval under scatter")
	}
	calm, err := CompareRates(EventRuns{[]int64{5, 4, 7, 6, 5, 4, 5, 6}, exposures}, none, true, TwoSided, 0.95)
	if err != nil || calm.Scattered() || !calm.Differ() {
		t.Errorf("calm: %+v, %v", calm, err)
	}
}
