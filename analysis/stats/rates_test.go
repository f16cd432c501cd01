package stats

import (
	"errors"
	"math"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// unlike are the runs of testdata/rates.R.
func unlike() (a, b EventRuns) {
	a = EventRuns{[]int64{3, 0, 12, 5, 1, 40, 2, 9, 4, 3}, []float64{9e4, 1e5, 1.1e5, 1e5, 1e5, 1e5, 9.5e4, 1e5, 1e5, 1e5}}
	b = EventRuns{[]int64{0, 1, 0, 2, 0, 3, 0, 0, 1, 0}, nil}
	for range b.Events {
		b.Exposure = append(b.Exposure, 1.2e5)
	}
	return a, b
}

func TestRatesAgainstR(t *testing.T) {
	ends := func(i Interval, err error) []float64 { return append(one1(i.Low, err), i.High) }
	c, err := CompareRates(unlike2(unlike()))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]float64{
		"scattered": append(append(ends(ScatteredRateInterval(138, 1.2e6, 11.4, 9, 0.95)), ends(ScatteredRateInterval(7, 1e6, 1, math.Inf(1), 0.95))...),
			ends(ScatteredRateInterval(0, 2e6, 2.5, 18, 0.99))...),
		"exact":      {c.ExactP(TwoSided)},
		"tests":      {*c.Scatter.PPermuted, c.Scatter.F, c.Scatter.Dispersion},
		"ratio":      append(ends(c.RatioInterval(0.9)), ends(c.RatioInterval(0.8))...),
		"difference": append(ends(c.DifferenceInterval(0.9)), ends(c.DifferenceInterval(0.8))...),
		"detectable": append(append(one1(DetectableRate(0, 1.2e6, 1.2e6, 0.05, 0.8)), one1(DetectableRate(2e-6, 1.2e6, 1.3e6, 0.05, 0.8))...),
			append(one1(DetectableRate(2e-5, 1e6, 2e6, 0.05/3, 0.8)), one1(DetectableRate(0, 1e3, 4e3, 0.1, 0.9))...)...),
	}
	for name, want := range readModelData(t, "testdata/rates.txt") {
		for i, w := range want {
			if len(got[name]) != len(want) || math.Abs(got[name][i]-w) > 1e-8*math.Abs(w) {
				t.Fatalf("%s: got %v, R has %v", name, got[name], want)
			}
		}
	}
}

func unlike2(a, b EventRuns) (EventRuns, EventRuns, bool) { return a, b, true }

// drawnRuns are a few runs with a few events, of unlike exposures.
func drawnRuns(t *rapid.T, name string, n int) EventRuns {
	r := EventRuns{Events: rapid.SliceOfN(rapid.Int64Range(0, 40), n, n).Draw(t, name)}
	for i := range n {
		r.Exposure = append(r.Exposure, rapid.SampledFrom([]float64{50, 100, 1000}).Draw(t, name+" exposure"+string(rune('a'+i))))
	}
	return r
}

// However unlike the exposures are: the intervals hold what was seen, that of the
// difference holds 0 just when that of the ratio holds 1, and neither is
// contradicted by a test.
func TestRateIntervalsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 7).Draw(t, "n")
		a, b, paired := drawnRuns(t, "a", n), drawnRuns(t, "b", n), rapid.Bool().Draw(t, "paired")
		level := rapid.SampledFrom([]float64{0.6, 0.9, 0.95, 0.999}).Draw(t, "level")
		c, err := CompareRates(a, b, paired)
		if err != nil {
			t.Fatal(err)
		}
		ratio, err := c.RatioInterval(level)
		if errors.Is(err, ErrOpposite) {
			if !c.Opposite() || apart(c, level) {
				t.Fatalf("%v, and still a difference", err)
			}
			return
		}
		difference, err2 := c.DifferenceInterval(level)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		if !math.IsNaN(c.Ratio) && (c.Ratio < ratio.Low || c.Ratio > ratio.High) || c.Difference < difference.Low || c.Difference > difference.High {
			t.Fatalf("ratio %v in %v, difference %v in %v", c.Ratio, ratio, c.Difference, difference)
		}
		differ := apart(c, level)
		if differ != (ratio.Low > 1 || ratio.High < 1) || differ != (difference.Low > 0 || difference.High < 0) || differ && (ratio.Low > 1) != (difference.Low > 0) {
			t.Fatalf("differ: %v, ratio %v, difference %v", differ, ratio, difference)
		}
		alpha := (1 - level) * (1 + 1e-9)
		r, permuted := c.Scatter, 0.0
		shown := c.ExactP(TwoSided) <= alpha && r.PQuasi <= alpha
		if c.Scattered() {
			permuted = *r.PPermuted
			shown = shown && permuted <= max(alpha, c.orders.least())
		}
		for _, p := range []float64{c.ExactP(TwoSided), r.PQuasi, permuted} {
			if math.Abs(p-(1-level)) < 1e-6 {
				return // rounding decides
			}
		}
		if differ != (shown && !c.Opposite()) {
			t.Fatalf("differ: %v, but p = %v, %+v", differ, c.ExactP(TwoSided), r)
		}
	})
}

// Arms that change places have the ratio turned over, and the difference's sign.
func TestComparedRatesSwap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, paired := drawnRuns(t, "a", 4), drawnRuns(t, "b", 4), rapid.Bool().Draw(t, "paired")
		c, err := CompareRates(a, b, paired)
		d, err2 := CompareRates(b, a, paired)
		i, err3 := c.DifferenceInterval(0.95)
		j, err4 := d.DifferenceInterval(0.95)
		near := func(x, y float64) bool { return math.Abs(x-y) <= 1e-7*(math.Abs(x)+math.Abs(y)) }
		if err != nil || err2 != nil || (err3 == nil) != (err4 == nil) || !near(i.Low, -j.High) || !near(i.High, -j.Low) {
			t.Fatalf("%v, %v; %v, %v", i, j, err3, err4)
		}
	})
}

// The ratios of other arrangements give the p that counting them gives, at any
// ratio.
func TestArrangementsByCounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 5).Draw(t, "n")
		a, b := drawnRuns(t, "a", n), drawnRuns(t, "b", n)
		at := rapid.SampledFrom([]float64{0.31, 0.77, 1, 1.9, 4.3}).Draw(t, "ratio")
		ka, sa := a.Total()
		kb, sb := b.Total()
		beyond, d := make([]float64, 2*n), make([]float64, n)
		for i := range n {
			d[i] = float64(a.Events[i])/sa - at*float64(b.Events[i])/sb
			common := float64(ka+kb) / (at*sa + sb)
			beyond[i], beyond[n+i] = float64(a.Events[i])-common*at*a.Exposure[i], float64(b.Events[i])-common*b.Exposure[i]
		}
		nearly(t, "pairs", arrangePairs(a, b).p(at), flippedFar(d), 1)
		nearly(t, "runs", arrangeRuns(a, b).p(at), sharedFar(beyond), 1)
	})
}

// flippedFar is the share of signs with which the sum is as far from 0, either
// way.
func flippedFar(d []float64) float64 {
	seen, size, far := 0.0, 0.0, 0
	for _, v := range d {
		seen, size = seen+v, size+math.Abs(v)
	}
	for set := range 1 << len(d) {
		sum := 0.0
		for i, v := range d {
			if set>>i&1 == 1 {
				v = -v
			}
			sum += v
		}
		if math.Abs(sum) >= math.Abs(seen)-1e-9*size {
			far++
		}
	}
	return float64(far) / float64(int(1)<<len(d))
}

// sharedFar is the share of halves whose sum is as far from 0, either way.
func sharedFar(beyond []float64) float64 {
	n, far, ways := len(beyond)/2, 0, 0
	seen, size := 0.0, 0.0
	for i, v := range beyond {
		if size += math.Abs(v); i < n {
			seen += v
		}
	}
	for set := range 1 << len(beyond) {
		if bits.OnesCount(uint(set)) != n {
			continue
		}
		sum := 0.0
		for i, v := range beyond {
			if set>>i&1 == 1 {
				sum += v
			}
		}
		if ways++; math.Abs(sum) >= math.Abs(seen)-1e-9*size {
			far++
		}
	}
	return float64(far) / float64(ways)
}

// More runs than can all be arranged are drawn, and say nearly what all say.
func TestDrawnArrangements(t *testing.T) {
	a, b := unlike()
	all, err := CompareRates(a, b, true)
	twice := func(r EventRuns) EventRuns {
		return EventRuns{slices.Concat(r.Events, r.Events), slices.Concat(r.Exposure, r.Exposure)}
	}
	pairs, runs := arrangePairs(twice(a), twice(b)), arrangeRuns(twice(a), twice(b))
	if err != nil || !all.Scatter.Exact || pairs.exact || runs.exact || pairs.p(1) > *all.Scatter.PPermuted || math.Abs(pairs.p(1)-runs.p(1)) > 0.02 {
		t.Errorf("%v; of pairs %v, of runs %v, of half as many %v", err, pairs.p(1), runs.p(1), *all.Scatter.PPermuted)
	}
}

func TestRatesOfTooLittle(t *testing.T) {
	one := EventRuns{[]int64{120}, []float64{1e6}}
	c, err := CompareRates(one, EventRuns{[]int64{30}, []float64{1e6}}, true)
	if err != nil || c.Scatter != nil || apart(c, 0.5) || c.Ratio != 4 {
		t.Errorf("one pair: %+v, %v", c, err)
	}
	if _, err := c.DifferenceInterval(0.95); !errors.Is(err, ErrTooFew) {
		t.Errorf("the difference of one pair: %v", err)
	}
	if c, err := CompareRates(EventRuns{[]int64{0, 0}, []float64{1, 1}}, EventRuns{[]int64{0, 0}, []float64{1, 1}}, true); err != nil || !math.IsNaN(c.Ratio) || apart(c, 0.5) {
		t.Errorf("nothing lost: %+v, %v", c, err)
	}
	if _, err := DetectableRate(0, 0, 1, 0.05, 0.8); !errors.Is(err, ErrNotPositive) {
		t.Errorf("no exposure: %v", err)
	}
	if _, err := DetectableRate(0, 1e300, 1e-300, 0.05, 0.8); err == nil {
		t.Error("exposures without a ratio have a detectable rate")
	}
	if _, err := ScatteredRateInterval(3, 10, 0.5, 4, 0.95); !errors.Is(err, errSpread) {
		t.Errorf("less than Poisson's variance: %v", err)
	}
	if _, err := CompareRates(EventRuns{[]int64{1}, nil}, EventRuns{}, true); !errors.Is(err, ErrUnpaired) {
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
	one, err := CompareRates(EventRuns{[]int64{30, 0, 0, 0, 0, 0, 0, 0}, exposures}, none, true)
	if err != nil || !one.Scattered() || one.ExactP(TwoSided) > 1e-6 || apart(one, 0.95) {
		t.Errorf("one run with all events: %+v, %v", one, err)
	}
	all, err := CompareRates(EventRuns{[]int64{30, 2, 11, 5, 3, 19, 2, 8}, exposures}, none, true)
	if err != nil || !all.Scattered() || !apart(all, 0.95) {
		t.Errorf("all runs with more: %+v, %v", all, err)
	}
	if i, err := all.RatioInterval(0.95); err != nil || !math.IsInf(i.High, 1) {
		t.Errorf("a ratio to nothing: %v, %v", i, err)
	}
	calm, err := CompareRates(EventRuns{[]int64{5, 4, 7, 6, 5, 4, 5, 6}, exposures}, none, true)
	if err != nil || calm.Scattered() || !apart(calm, 0.95) {
		t.Errorf("calm: %+v, %v", calm, err)
	}
}

// apart says whether a difference is shown at 1 - level: the interval of the ratio has
// no 1 in it.
func apart(c RateComparison, level float64) bool {
	i, err := c.RatioInterval(level)
	return err == nil && (i.Low > 1 || i.High < 1)
}
