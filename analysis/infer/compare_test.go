package infer

import (
	"math"
	"testing"

	"moobench/analysis/stats"
	"moobench/results"
)

func pairsOf(x, y []float64) Data {
	return Data{X: Sample{Values: x}, Y: Sample{Values: y}, Paired: true}
}

// TestQuantilesAreAnsweredByOrderStatistics: one long pause in one of ten blocks
// moves the mean of the differences, and not the answer.
func TestQuantilesAreAnsweredByOrderStatistics(t *testing.T) {
	y := []float64{100, 101, 99, 100, 102, 98, 100, 101, 99, 100}
	x := []float64{110, 112, 109, 111, 113, 108, 110, 111, 109, 9000}
	sign := Solver{}.Compare(Question{Kind: results.TestSign, Alpha: 0.05}, pairsOf(x, y))
	mean := Solver{}.Compare(Question{Alpha: 0.05}, pairsOf(x, y))
	if sign.Verdict != Higher || sign.Difference.Value != 10 || mean.Verdict != Undecided {
		t.Errorf("order statistics %s %+v, mean %s", sign.Verdict, sign.Difference, mean.Verdict)
	}
	// 1 - 2 P(Bin(10, 1/2) < 2) = 0.978516, of ranks 2 and 9.
	if i := sign.Difference.Interval; i.Low != 10 || i.High != 11 || math.Abs(i.Level-0.978515625) > 1e-12 {
		t.Errorf("%+v", *i)
	}
	if few := (Solver{}).Compare(Question{Kind: results.TestSign, Alpha: 0.05}, pairsOf(x[:5], y[:5])); few.Verdict != NoAnswer || few.Difference.NoInterval == "" || !few.Has(CaveatFew) {
		t.Errorf("five blocks: %+v", few)
	}
}

// TestConstantValues: what does not vary has an interval of no width from six
// values on, and none below; a pilot without spread makes none of its own.
func TestConstantValues(t *testing.T) {
	constant := func(n int, v float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = v
		}
		return x
	}
	for n, want := range map[int]Verdict{5: NoAnswer, 6: Higher} {
		a := Solver{}.Compare(Question{Alpha: 0.05}, pairsOf(constant(n, 48), constant(n, 40)))
		if a.Verdict != want || !a.Has(CaveatStill) || a.Difference.Value != 8 {
			t.Errorf("%d constants: %s, %+v", n, a.Verdict, a.Difference)
		}
	}
	x, y := constant(20, 100), constant(20, 90)
	for i := 10; i < 20; i++ {
		x[i] += float64(i%3) - 1
	}
	d := pairsOf(x, y)
	d.Pilot = 10
	if a := (Solver{}).Compare(Question{Alpha: 0.05}, d); a.Difference.Interval.Half() < 0.1 || *a.Difference.DF != 9 {
		t.Errorf("a pilot without spread: %+v", *a.Difference.Interval)
	}
	if e := (Solver{}).Compare(Question{Alpha: 0.05, Margin: &results.Margin{Share: 0.01}}, pairsOf(constant(8, 5), constant(8, 5))).Equivalence; e == nil || !e.Within || e.P != 1.0/256 {
		t.Errorf("equal constants are equivalent with p = 2^-8: %+v", e)
	}
}

// TestFiellerFollowsTheTest: a set that is everything outside of two roots excludes
// 1 just where the difference is told from 0.
func TestFiellerFollowsTheTest(t *testing.T) {
	x := []float64{10, 12, 9, 11, 10, 13}
	y := []float64{-1, 4, 0.5, -3, 2, 1}
	a := Solver{}.Compare(Question{Kind: Fieller, Alpha: 0.05}, Data{X: Sample{Values: x}, Y: Sample{Values: y}})
	if a.Fieller == nil || a.Fieller.Bounded || !a.Has(CaveatUnbounded) {
		t.Fatalf("%+v", a.Fieller)
	}
	if (a.Ratio.Test.P < 0.05) != a.Verdict.Shown() {
		t.Errorf("p = %v, and %s", a.Ratio.Test.P, a.Verdict)
	}
}

// TestOneSided: yes, no, and neither.
func TestOneSided(t *testing.T) {
	base := []float64{100, 101, 99, 102, 98, 100, 101}
	by := func(d float64) []float64 {
		x := make([]float64, len(base))
		for i := range x {
			x[i] = base[i] + d + 0.1*float64(i%3)
		}
		return x
	}
	for _, c := range []struct {
		alt  stats.Alternative
		d    float64
		want Verdict
	}{{stats.Greater, 5, Higher}, {stats.Greater, -5, No}, {stats.Less, -5, Lower}, {stats.Less, 5, No}, {stats.Less, -0.1, Undecided}} {
		a := Solver{}.Compare(Question{Alpha: 0.05, Alternative: c.alt}, pairsOf(by(c.d), base))
		if a.Verdict != c.want || a.Level() != 0.9 {
			t.Errorf("%s of %v: %s at %v, want %s", c.alt, c.d, a.Verdict, a.Level(), c.want)
		}
	}
}
