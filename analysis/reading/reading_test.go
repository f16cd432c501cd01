package reading

import (
	"strings"
	"testing"

	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/results"
)

// ordinary is a scenario of a baseline at 100 ns, its second baseline, and two variants that add 10 and 20 ns, in
// six blocks.
func ordinary(design results.Design) *Reading {
	metric := results.Metric{Name: "x", Unit: "ns", Better: results.Lower, Primary: true}
	c := &results.Campaign{Design: design, Scenarios: []results.Scenario{{Label: "s", Metrics: []results.Metric{metric}}}}
	for i, role := range []results.Role{results.RoleBaseline, results.RoleAA, results.RoleVariant, results.RoleVariant} {
		cell := results.Cell{ID: string(rune('a' + i)), Scenario: "s", Variant: string(rune('A' + i)), Role: role}
		if i > 0 {
			cell.Baseline = "a"
		}
		c.Cells = append(c.Cells, cell)
	}
	byCell := map[string][]*evidence.Invocation{}
	noise := []float64{0.3, -0.2, 0.1, 0, -0.1, 0.2}
	for b, off := range noise {
		for i, adds := range []float64{0, 0, 10, 20} {
			id := string(rune('a' + i))
			e := &evidence.Invocation{Invocation: &results.Invocation{
				Identity: results.Identity{Block: b + 1, Slot: i}, Cell: id,
				Profile: results.ProfileTiming, Status: results.StatusOK,
				Scalars: map[string]float64{"x": 0},
			}}
			e.Values = map[string]float64{"x": 100 + adds + off*float64(i) + float64(b)}
			byCell[id] = append(byCell[id], e)
		}
	}
	references := []evidence.Reference{{Scenario: "s"}, {Scenario: "other"}}
	return New(c, &c.Scenarios[0], byCell, nil, references)
}

// A comparison is over blocks, and one of a family has a wider interval.
func TestCompare(t *testing.T) {
	r := ordinary("")
	if len(r.Speed) != 1 || r.Family("") != 2 {
		t.Fatalf("%d references, a family of %d", len(r.Speed), r.Family(""))
	}
	alone, together := r.Compare("c", "a", r.Primary, 1), r.Compare("c", "a", r.Primary, 2)
	if d := alone.Difference; d == nil || d.N != 6 || d.Value < 10 || d.Value > 10.2 || alone.Verdict != infer.Higher {
		t.Fatalf("%+v, %s", alone.Difference, alone.Verdict)
	}
	if !(together.Difference.Interval.Half() > alone.Difference.Interval.Half()) {
		t.Error("two comparisons have the interval of one")
	}
	within := r.CompareWithin(&results.Margin{Amount: 15}, "c", "a", r.Primary, 1)
	if within.Verdict != infer.Negligible {
		t.Errorf("10 of 15 ns is %s", within.Verdict)
	}
}

// A question about unpaired samples leaves pairs alone in a campaign that has blocks: what blocks have in common is in
// its spread. Without blocks every question is of that kind.
func TestUnpairedQuestions(t *testing.T) {
	r := ordinary("")
	vs, others := r.Values("c", r.Primary), r.Values("a", r.Primary)
	paired, apart := infer.Question{Alpha: Alpha}, infer.Question{Alpha: Alpha, Kind: results.TestWelch}
	narrow, wide := r.Ask(paired, vs, others, 0).Difference, r.Ask(apart, vs, others, 0).Difference
	if !(wide.Interval.Half() > 4*narrow.Interval.Half()) {
		t.Errorf("unpaired ± %v, paired ± %v", wide.Interval.Half(), narrow.Interval.Half())
	}
	unordered := ordinary(results.DesignUnordered)
	if d := unordered.Ask(paired, vs, others, 0).Difference; d.Interval.Half() != wide.Interval.Half() {
		t.Errorf("without blocks ± %v, unpaired ± %v", d.Interval.Half(), wide.Interval.Half())
	}
}

// What has no value, or no block with its counterpart, is not compared, and the answer says why.
func TestNotCompared(t *testing.T) {
	r := ordinary("")
	values := r.Values("a", r.Primary)
	for _, c := range []struct {
		name       string
		vs, others evidence.Values
		why        string
	}{
		{"no value", nil, values, infer.NoValue},
		{"none of the baseline", values, nil, "no invocation of the baseline observed it"},
		{"no block", values[:2], values[3:], NoPairs},
	} {
		a := r.Ask(infer.Question{Alpha: Alpha}, c.vs, c.others, 0)
		if a.Difference != nil || a.NoDifference != c.why || a.NoRatio != c.why || a.Verdict != infer.NoAnswer {
			t.Errorf("%s: %+v", c.name, a)
		}
	}
	r.Invalid["c"] = "not instrumented"
	if why := r.InvalidReason("a", "c"); !strings.HasSuffix(why, "is not instrumented") || r.InvalidReason("a", "b") != "" {
		t.Errorf("invalid: %q", why)
	}
}

// Without blocks there are two samples: a difference, and no ratio.
func TestUnordered(t *testing.T) {
	r := ordinary(results.DesignUnordered)
	a := r.Compare("d", "a", r.Primary, 1)
	if a.Difference == nil || a.Ratio != nil || a.NoRatio != UnorderedPairs || a.L.N != 0 {
		t.Errorf("%+v", a)
	}
}

// Invocations that are dropped count in no comparison.
func TestWithout(t *testing.T) {
	r := ordinary("")
	first := func(e *evidence.Invocation) bool { return e.Block == 1 }
	if d := r.Without(first).Compare("c", "a", r.Primary, 1).Difference; d.N != 5 {
		t.Errorf("n = %d", d.N)
	}
	if d := r.Compare("c", "a", r.Primary, 1).Difference; d.N != 6 {
		t.Errorf("the reading itself has n = %d", d.N)
	}
}

// The pilot's blocks come before those of the second stage, in a scenario that is sized.
func TestSecondStage(t *testing.T) {
	r := ordinary("")
	for b := 1; b <= 6; b++ {
		r.Campaign.Blocks = append(r.Campaign.Blocks, results.Block{
			Number: b, Kind: results.BlockPlanned, Profile: results.ProfileTiming, Order: []string{"a", "c"},
		})
	}
	if n := r.SecondStage(r.Primary); n != 0 {
		t.Errorf("a fixed number of blocks has a second stage from %d", n)
	}
	r.Scenario.Sizing = &results.Sizing{Precision: 0.01, Pilot: 4}
	if n := r.SecondStage(r.Primary); n != 5 {
		t.Errorf("it begins with block %d", n)
	}
	if n := r.SecondStage(results.Metric{Name: "other"}); n != 0 {
		t.Errorf("another metric keeps the pilot's spread from %d", n)
	}
	r.Scenario.Sizing.Pilot = 6
	if n := r.SecondStage(r.Primary); n != 0 {
		t.Errorf("a pilot alone has a second stage from %d", n)
	}
}

func TestNegligible(t *testing.T) {
	for unit, want := range map[string]results.Margin{
		"ns": {Share: 0.01, Amount: 1, ShareFrom: 100}, "B": {Share: 0.01, Amount: 1, ShareFrom: 100}, "1/s": {Share: 0.01},
	} {
		if got := *Negligible(results.Metric{Unit: unit}); got != want {
			t.Errorf("%s: %+v", unit, got)
		}
	}
	if AtLevel("depth=10") != " at depth=10" || AtLevel("") != "" {
		t.Error("the words for a level")
	}
}
