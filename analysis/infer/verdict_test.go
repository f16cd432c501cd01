package infer

import (
	"math"
	"slices"
	"testing"

	"moobench/analysis/stats"
	"moobench/results"
)

// A gate is passed up to its limit, and failed beyond it.
func TestJudgeGate(t *testing.T) {
	for _, c := range []struct {
		low, high, allowed float64
		want               Judgement
	}{
		{1, 1.25, 0.25, Passed},
		{1, 1.26, 0.25, UndecidedYet},
		{1.25, 1.5, 0.25, UndecidedYet},
		{1.26, 1.5, 0.25, Regression},
		{0.5, 1, 0, Passed},
		{1, 1.1, 0, UndecidedYet},
	} {
		if got := JudgeGate(c.low, c.high, c.allowed); got != c.want {
			t.Errorf("%v … %v with %v allowed: %s, want %s", c.low, c.high, c.allowed, got, c.want)
		}
	}
}

// An interval that ends at the neutral value does not exclude it; what is within the margin is said to be.
func TestVerdictOf(t *testing.T) {
	within := &Equivalence{Equivalence: stats.Equivalence{Within: true}}
	in := func(low, high float64) *Estimate { return &Estimate{Interval: &Interval{Low: low, High: high}} }
	for _, c := range []struct {
		e    *Estimate
		alt  stats.Alternative
		q    *Equivalence
		want Verdict
	}{
		{nil, stats.TwoSided, nil, NoAnswer},
		{nil, stats.TwoSided, within, Equivalent},
		{&Estimate{}, stats.TwoSided, &Equivalence{}, NoAnswer},
		{in(0, 1), stats.TwoSided, nil, Undecided},
		{in(-1, 0), stats.TwoSided, nil, Undecided},
		{in(0.1, 1), stats.TwoSided, nil, Higher},
		{in(-1, -0.1), stats.TwoSided, nil, Lower},
		{in(0.1, 1), stats.Less, nil, No},
		{in(0.1, 1), stats.Greater, nil, Higher},
		{in(-1, -0.1), stats.Greater, nil, No},
		{in(-1, -0.1), stats.Less, nil, Lower},
		{in(-1, 1), stats.TwoSided, within, Equivalent},
		{in(0.1, 1), stats.TwoSided, within, Negligible},
		{in(-1, -0.1), stats.TwoSided, within, Negligible},
		{in(0.1, 1), stats.Less, within, No},
	} {
		if got := VerdictOf(c.e, 0, c.alt, c.q); got != c.want {
			t.Errorf("%+v, %s, %+v: %s, want %s", c.e, c.alt, c.q, got, c.want)
		}
	}
}

// A change is judged by its direction, from more than one night.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		v      Verdict
		better results.Better
		night  bool
		want   Judgement
	}{
		{NoAnswer, results.Lower, false, NotJudged},
		{Equivalent, results.Lower, true, Same},
		{Negligible, results.Lower, false, Same},
		{Undecided, results.Lower, false, UndecidedYet},
		{No, results.Lower, false, UndecidedYet},
		{Higher, results.Neither, false, Changed},
		{Higher, results.Lower, true, Differs},
		{Higher, results.Lower, false, Regression},
		{Lower, results.Lower, false, Improvement},
		{Higher, results.Higher, false, Improvement},
		{Lower, results.Higher, false, Regression},
	} {
		if got := Judge(c.v, c.better, c.night); got != c.want {
			t.Errorf("%s, better %s, one night %v: %s, want %s", c.v, c.better, c.night, got, c.want)
		}
	}
	for j, want := range map[Judgement]string{
		Regression: "worse", Improvement: "better", Differs: "unconfirmed", Same: "equivalent",
	} {
		if got := j.Word(); got != want {
			t.Errorf("%s is %s", j, got)
		}
	}
}

// Tests are offered in the order of their use, and those of benchmarks.toml by name.
func TestAskable(t *testing.T) {
	var names []results.Comparison
	for _, k := range Askable() {
		names = append(names, k.Name)
	}
	want := []results.Comparison{
		results.TestPaired, results.TestWelch, results.TestStudent, results.TestSignedRank, results.TestMannWhitney,
		results.TestSign, results.TestTOST, results.TestRates,
	}
	if !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
	if k, ok := KindOf(""); !ok || k.Name != results.TestPaired || k.Letter() != "t" || k.Ranks() {
		t.Errorf("%+v", k)
	}
	if k, ok := KindOf("none"); ok || k.Name != "" {
		t.Errorf("%+v", k)
	}
	for kind, want := range map[results.Comparison][2]bool{ // by ranks, unpaired
		results.TestSign: {true, false}, results.TestMannWhitney: {true, true}, results.TestWelch: {false, true},
		Fieller: {}, "none": {},
	} {
		q := Question{Kind: kind}
		if got := [2]bool{q.ByRanks(), q.Unpaired()}; got != want {
			t.Errorf("%s: %v", kind, got)
		}
	}
}

// A margin is a share if it has one, unless the baseline is so small that its amount counts instead.
func TestRelative(t *testing.T) {
	for _, c := range []struct {
		m         *results.Margin
		baseline  float64
		share, ok bool
	}{
		{nil, 1, false, false},
		{&results.Margin{}, 1, false, false},
		{&results.Margin{Share: 0.01}, 0, true, true},
		{&results.Margin{Amount: 1}, 1, false, true},
		{&results.Margin{Amount: math.Inf(1)}, 1, false, false},
		{&results.Margin{Share: 0.01, Amount: 1, ShareFrom: 100}, 100, true, true},
		{&results.Margin{Share: 0.01, Amount: 1, ShareFrom: 100}, 99.9, false, true},
	} {
		if share, ok := relative(c.m, c.baseline); share != c.share || ok != c.ok {
			t.Errorf("%+v of %v: %v, %v", c.m, c.baseline, share, ok)
		}
	}
}

// What is measured without the allowance counts if it is narrower, and restores only what was sure.
func TestByMeasured(t *testing.T) {
	in := func(half float64) *Estimate { return &Estimate{Interval: &Interval{Low: 1 - half, High: 1 + half}} }
	room := in(2).Interval
	for _, c := range []struct {
		name     string
		measured Answer
		want     Verdict
		taken    bool
	}{
		{"narrower", Answer{Difference: in(1), Verdict: Higher}, Higher, true},
		{"narrower, and another", Answer{Difference: in(1), Verdict: Lower}, Undecided, true},
		{"as wide", Answer{Difference: in(2), Verdict: Higher}, Undecided, false},
		{"no interval", Answer{Difference: &Estimate{}, Verdict: Higher}, Undecided, false},
		{"nothing", Answer{Verdict: Higher}, Undecided, false},
	} {
		a := Answer{Verdict: Undecided, Doubt: &Doubt{Interval: room, sure: Higher}}
		a.ByMeasured(c.measured)
		if a.Verdict != c.want || a.Doubt.Measured != c.taken || (a.Doubt.Interval != room) != c.taken {
			t.Errorf("%s: %s, %+v", c.name, a.Verdict, a.Doubt)
		}
	}
}
