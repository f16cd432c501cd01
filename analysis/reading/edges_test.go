package reading

import (
	"math"
	"testing"

	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/results"
)

// TestFamilies: a family are the variants of a level, and nobody else.
func TestFamilies(t *testing.T) {
	r := ordinary("")
	if n := r.Family(""); n != 2 {
		t.Errorf("%d variants", n)
	}
	deep := []results.Value{{Name: "depth", Value: "10"}}
	r.Campaign.Cells[0].Factors, r.Campaign.Cells[3].Factors = deep, deep // a baseline and a variant
	for i := range r.Cells {
		*r.Cells[i] = r.Campaign.Cells[i]
	}
	for level, want := range map[string]int{"": 1, r.Cells[3].Level(): 1, "depth=9": 0} {
		if n := r.Family(level); n != want {
			t.Errorf("%q: %d variants, want %d", level, n, want)
		}
	}
}

// TestMediansOfBounds: a median is known while it lies among known values, and its interval while its ends do.
func TestMediansOfBounds(t *testing.T) {
	metric := results.Metric{Name: "x", Unit: "ns", Better: results.Lower, Profile: results.ProfileTiming}
	// Values are 200, or over 500: of six the median lies between the third and the fourth.
	for over, want := range map[int]float64{1: 200, 2: 200, 3: math.NaN(), 4: math.NaN(), 6: math.NaN()} {
		r := bounded(over)
		for _, e := range r.ByCell["c"][over:] {
			e.Values["x"] = 200
		}
		a := r.AtLeast(r.Campaign.Cell("c"), metric)
		if known := a.Median != nil; known != (want == want) || known && *a.Median != want || a.Runs != over ||
			a.Of != 6 {
			t.Errorf("%d over the bound: %+v", over, a)
		}
	}
	alone := bounded(2)
	c := *alone.Campaign.Cell("c")
	c.Baseline = ""
	if a := alone.AtLeast(&c, metric); a.Difference != nil || a.Blocks != 0 || a.Verdict != infer.NoAnswer {
		t.Errorf("without a baseline: %+v", a)
	}
	// The baseline's values are 100 more or less alike: two of them without an upper end leave the median, and not
	// the interval.
	for over, want := range map[int][2]bool{
		0: {true, true}, 1: {true, false}, 2: {true, false}, 3: {false, false}, 4: {false, false},
	} {
		r := bounded(2)
		for _, e := range r.ByCell["a"][:over] {
			e.AtLeast = map[string]float64{"x": 50}
			delete(e.Values, "x")
		}
		a := r.AtLeast(r.Campaign.Cell("c"), metric)
		if got := [2]bool{a.Difference != nil, a.Low != nil}; got != want {
			t.Errorf("%d of the baseline: a median and an interval are %v, want %v", over, got, want)
		}
	}
	// An end at 0 shows nothing.
	for value, want := range map[float64]infer.Verdict{100: infer.Undecided, 100.5: infer.Higher} {
		r := bounded(0)
		for i, e := range r.ByCell["a"] {
			e.Values["x"] = 100
			r.ByCell["c"][i].Values["x"] = value
		}
		first := r.ByCell["c"][0]
		first.AtLeast = map[string]float64{"x": value}
		delete(first.Values, "x")
		if a := r.AtLeast(r.Campaign.Cell("c"), metric); a.Verdict != want {
			t.Errorf("all %v: %s, %+v", value, a.Verdict, a)
		}
	}
}

// TestCountsAtTheirEdges: a count is whole, from 0 to 2^40, of something.
func TestCountsAtTheirEdges(t *testing.T) {
	metric := results.Metric{Name: "lost", Of: "sent", Unit: "1", Profile: results.ProfileTiming}
	for _, c := range []struct {
		lost, sent float64
		want       bool
	}{
		{0, 1, true},
		{-1, 1, false},
		{1 << 40, 1, true},
		{1<<40 + 1, 1, false},
		{0.5, 1, false},
		{1, 0, false},
		{1, -1, false},
		{1, math.Inf(1), false},
		{1, 1e-9, true},
	} {
		r := ordinary("")
		r.ByCell["c"] = []*evidence.Invocation{r.ByCell["c"][0]}
		e := r.ByCell["c"][0]
		e.Values["lost"], e.Scalars["sent"] = c.lost, c.sent
		if all := r.Counts("c", metric); (len(all.Events) == 1) != c.want {
			t.Errorf("%v of %v: %+v", c.lost, c.sent, all)
		}
	}
}

// TestSecondStageOfNoPrecision: what is cut by time alone has no pilot, and extra blocks and those of other cells
// are none of it.
func TestSecondStageOfNoPrecision(t *testing.T) {
	r := ordinary("")
	block := func(number int, kind results.BlockKind, profile results.Profile, cell string) results.Block {
		return results.Block{Number: number, Kind: kind, Profile: profile, Order: []string{cell}}
	}
	r.Campaign.Blocks = []results.Block{
		block(
			1, results.BlockPlanned, results.ProfileTiming, "a",
		), block(2, results.BlockExtra, results.ProfileTiming, "a"),
		block(
			3, results.BlockPlanned, results.ProfileResources, "a",
		), block(4, results.BlockPlanned, results.ProfileTiming, "z"),
		block(5, results.BlockPlanned, results.ProfileTiming, "c"),
	}
	for precision, want := range map[float64]int{0: 0, -1: 0, 1e-9: 5} {
		r.Scenario.Sizing = &results.Sizing{Precision: precision, Pilot: 1}
		if n := r.SecondStage(r.Primary); n != want {
			t.Errorf("precision %v: from %d on, want %d", precision, n, want)
		}
	}
}
