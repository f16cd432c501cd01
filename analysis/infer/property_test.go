package infer

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"moobench/analysis/stats"
	"moobench/results"
)

// drawnPairs are at least two pairs of positive values.
func drawnPairs(t *rapid.T) (x, y []float64) {
	x = rapid.SliceOfN(rapid.Float64Range(1, 1e6), 2, 40).Draw(t, "x")
	return x, rapid.SliceOfN(rapid.Float64Range(1, 1e6), len(x), len(x)).Draw(t, "y")
}

func nearly(t *rapid.T, what string, got, want, scale float64) {
	if math.Abs(got-want) > 1e-9*scale {
		t.Fatalf("%s = %v, want %v", what, got, want)
	}
}

// bounds are those of an interval, and NaN, which no comparison takes for wrong,
// where there is none, as of values that do not vary.
func bounds(e *Estimate) (low, high float64) {
	if e == nil || e.Interval == nil {
		return math.NaN(), math.NaN()
	}
	return e.Interval.Low, e.Interval.High
}

func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, _ := drawnPairs(t)
		a, _ := Mean(x, 0.95)
		b, _ := Mean(rapid.Permutation(x).Draw(t, "shuffled"), 0.95)
		low, high := bounds(a)
		low2, high2 := bounds(b)
		nearly(t, "low", low2, low, 1e6)
		nearly(t, "high", high2, high, 1e6)
	})
}

// Another unit and another zero move an answer with them; another unit leaves a
// ratio as it is.
func TestScaleAndShift(t *testing.T) {
	solver := Solver{}
	rapid.Check(t, func(t *rapid.T) {
		x, y := drawnPairs(t)
		k, shift := rapid.Float64Range(0.5, 4).Draw(t, "k"), rapid.Float64Range(0, 1e5).Draw(t, "shift")
		moved := func(xs []float64, shift float64) []float64 {
			m := make([]float64, len(xs))
			for i := range xs {
				m[i] = k*xs[i] + shift
			}
			return m
		}
		a := solver.Compare(Question{Alpha: 0.05}, pairsOf(x, y))
		b := solver.Compare(Question{Alpha: 0.05}, pairsOf(moved(x, shift), moved(y, shift)))
		nearly(t, "difference", b.Difference.Value, k*a.Difference.Value, 1e7)
		low, _ := bounds(a.Difference)
		low2, _ := bounds(b.Difference)
		nearly(t, "low", low2, k*low, 1e8)
		c := solver.Compare(Question{Alpha: 0.05}, pairsOf(moved(x, 0), moved(y, 0)))
		if a.Ratio != nil && c.Ratio != nil { // else an interval that overflows
			nearly(t, "ratio", math.Log(c.Ratio.Value), math.Log(a.Ratio.Value), 1e3)
		}
	})
}

// Samples that change places have the difference's sign turned round, and the
// ratio turned over, with their intervals and with the verdict.
func TestSwappedSamplesInvert(t *testing.T) {
	solver, other := Solver{}, map[Verdict]Verdict{Higher: Lower, Lower: Higher}
	rapid.Check(t, func(t *rapid.T) {
		x, y := drawnPairs(t)
		for _, kind := range []results.Comparison{results.TestPaired, results.TestWelch, results.TestStudent} {
			there, back := pairsOf(x, y), pairsOf(y, x)
			there.Paired, back.Paired = kind == results.TestPaired, kind == results.TestPaired
			a := solver.Compare(Question{Kind: kind, Alpha: 0.05}, there)
			b := solver.Compare(Question{Kind: kind, Alpha: 0.05}, back)
			low, _ := bounds(a.Difference)
			_, high := bounds(b.Difference)
			nearly(t, string(kind), low, -high, 1e8)
			if a.Ratio != nil && b.Ratio != nil {
				nearly(t, string(kind)+" ratio", math.Log(a.Ratio.Value), -math.Log(b.Ratio.Value), 1)
			}
			want, turned := other[a.Verdict]
			if !turned {
				want = a.Verdict
			}
			if b.Verdict != want {
				t.Fatalf("%s: %s, and %s the other way", kind, a.Verdict, b.Verdict)
			}
		}
	})
}

// A smaller alpha never makes an interval narrower.
func TestLevelsNest(t *testing.T) {
	solver := Solver{}
	rapid.Check(t, func(t *rapid.T) {
		x, y := drawnPairs(t)
		alphas := []float64{0.001, 0.01, 0.05, 0.1, 0.5, 0.9}
		more := rapid.IntRange(1, len(alphas)-1).Draw(t, "alpha")
		alpha, less := alphas[more], alphas[rapid.IntRange(0, more-1).Draw(t, "smaller alpha")]
		for _, paired := range []bool{false, true} {
			d := pairsOf(x, y)
			d.Paired = paired
			a, b := solver.Compare(Question{Alpha: alpha}, d), solver.Compare(Question{Alpha: less}, d)
			for _, c := range [][2]*Estimate{{a.Difference, b.Difference}, {a.Ratio, b.Ratio}} {
				low, high := bounds(c[0])
				low2, high2 := bounds(c[1])
				if low2 > low || high2 < high {
					t.Fatalf("%v to %v at %v, %v to %v at %v", low, high, alpha, low2, high2, less)
				}
			}
		}
	})
}

func TestReasons(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	mean := func(level float64, xs ...float64) string {
		e, why := Mean(xs, level)
		if e != nil {
			return e.NoInterval
		}
		return why
	}
	compare := func(x, y []float64) Answer { return Solver{}.Compare(Question{Alpha: 0.05}, pairsOf(x, y)) }
	one := []float64{1}
	for name, c := range map[string]struct{ got, want string }{
		"nothing":       {mean(0.95), NoValue},
		"one":           {mean(0.95, 1), oneInvocation},
		"NaN":           {mean(0.95, 1, nan), overflow},
		"overflow":      {mean(0.95, 1e308, -1e308, 1e308, 1e308), overflow},
		"level 1":       {mean(1, 1, 2), overflow},
		"level NaN":     {mean(nan, 1, 2), overflow},
		"infinite":      {compare([]float64{inf, 1}, []float64{inf, 1}).NoDifference, overflow},
		"zero in ratio": {compare([]float64{1, 2}, []float64{0, 1}).NoRatio, notPositive},
		"unpaired":      {compare([]float64{1, 2}, one).NoDifference, stats.ErrUnpaired.Error()},
		"one pair":      {compare(one, one).Difference.NoInterval, OnePair},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", name, c.got, c.want)
		}
	}
}

// Campaigns of ten blocks with invocation effects and a drift between blocks
// that is three times as large: paired intervals cover the truth as they say.
func TestCoverage(t *testing.T) {
	const campaigns, blocks, truth = 4000, 10, 1.13
	rng, solver := rand.New(rand.NewPCG(1, 2)), Solver{}
	var difference, ratio int
	for range campaigns {
		x, y := make([]float64, blocks), make([]float64, blocks)
		for b := range x {
			drift := math.Exp(0.03 * rng.NormFloat64())
			y[b] = 100 * drift * math.Exp(0.01*rng.NormFloat64())
			x[b] = 100 * truth * drift * math.Exp(0.01*rng.NormFloat64())
		}
		a := solver.Compare(Question{Alpha: 0.05}, pairsOf(x, y))
		mean := 100 * (truth - 1) * math.Exp((0.03*0.03+0.01*0.01)/2)
		if low, high := bounds(a.Difference); low <= mean && mean <= high {
			difference++
		}
		if low, high := bounds(a.Ratio); low <= truth && truth <= high {
			ratio++
		}
	}
	for name, hits := range map[string]int{"difference": difference, "ratio": ratio} {
		if share := float64(hits) / campaigns; share < 0.94 || share > 0.96 {
			t.Errorf("%s intervals cover %.3f, want about 0.95", name, share)
		}
	}
}

// FuzzCompare asks every kind of question of any values: what is answered has no
// NaN and no infinity, which JSON could not hold, and nothing panics.
func FuzzCompare(f *testing.F) {
	for _, xs := range [][]float64{{}, {1, 2, 3, 4, 5, 6, 7, 8}, {1e308, -1e308, 5e-324, 0}, {math.NaN(), math.Inf(1), 1, 1}, {3, 3, 3, 3}, {0, 0, 0}, {1e6, 9e-308}} {
		var data []byte
		for _, x := range xs {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
		}
		for _, alpha := range []float64{0.05, 1e-300, 0.9999999999999999, -1, math.NaN()} {
			f.Add(data, alpha, 0.01)
		}
	}
	f.Add([]byte("0000000A0000000\x0000000000"), 0.49999999999999994, 0.01)
	f.Fuzz(func(t *testing.T, data []byte, alpha, margin float64) {
		var xs []float64
		for ; len(data) >= 8 && len(xs) < 40; data = data[8:] {
			xs = append(xs, math.Float64frombits(binary.LittleEndian.Uint64(data)))
		}
		d := pairsOf(xs[:len(xs)/2], xs[len(xs)/2:])
		for _, k := range Kinds() {
			kind := k.Name
			for _, alt := range []stats.Alternative{stats.TwoSided, stats.Less} {
				for _, m := range []results.Margin{{Amount: margin}, {Share: margin}} {
					for _, d.Paired = range []bool{false, true} {
						a := Solver{}.Compare(Question{Kind: kind, Alternative: alt, Alpha: alpha, Margin: &m}, d)
						if _, err := json.Marshal([]any{a.Difference, a.Ratio, a.Equivalence}); err != nil {
							t.Errorf("%s, %s of %v: %v", kind, alt, d, err)
						}
					}
				}
			}
		}
	})
}

// TestOneDegreeStays: a fit to the values of two blocks and more never leaves less than one degree of freedom, with
// which t has a quantile that somebody can use.
func TestOneDegreeStays(t *testing.T) {
	for _, lost := range []float64{0, 0.5, 0.999, 1} {
		law := &stats.Elasticity{Value: 1, Variance: 1e-9, Lost: lost}
		for n, want := range map[int]float64{2: 1, 3: 2 - lost} {
			s := Sample{Values: []float64{101, 103, 102}[:n]}
			for range s.Values {
				s.Sensitivities = append(s.Sensitivities, []Sensitivity{{On: law, By: 1}})
			}
			e, why := MeanOf(s, 0.95, false)
			if why != "" || math.Abs(*e.DF-want) > 1e-12 || e.Interval == nil {
				t.Errorf("%d blocks, %v lost: %+v (%s), want %v degrees", n, lost, e, why, want)
				continue
			}
			half := stats.TQuantile(0.025, want) * *e.SE
			if got := (e.Interval.High - e.Interval.Low) / 2; math.Abs(got-half) > 1e-9*half {
				t.Errorf("%d blocks, %v lost: half width %v, want %v", n, lost, got, half)
			}
		}
	}
}
