package analysis

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis/caveat"
	"moobench/analysis/evidence"
	"moobench/analysis/reading"
	"moobench/results"
	"moobench/results/summary"
)

// TestHosts: of each machine the latest settings are told, those that were not met, and what changed since.
func TestHosts(t *testing.T) {
	knob := func(name, found, wanted, got string, policy results.Policy, reason string) results.KnobState {
		return results.KnobState{Name: name, Found: found, Wanted: wanted, Got: got, Policy: policy, Reason: reason}
	}
	const require, try, observe = results.PolicyRequire, results.PolicyTry, results.PolicyObserve
	latest := &results.Machine{
		ID: "m1", Host: "one", Kernel: "6.2", OS: "debian", CPUs: 8,
		Facts: map[string]string{"ucode": "2", "bios": "1"},
		Knobs: []results.KnobState{
			knob("governor", "powersave", "performance", "performance", require, ""),
			knob("turbo", "off", "off", "off", try, ""),
			knob("smt", "on", "off", "on", try, "no permission"),
			knob("aslr", "2", "0", "", require, ""),
			knob("thp", "", "never", "", try, ""),
			knob("numa", "1", "", "", observe, ""),
		},
	}
	earlier := &results.Machine{
		ID: "m1", Host: "one", Kernel: "6.1", OS: "debian", CPUs: 8, Facts: map[string]string{"ucode": "2"},
		Knobs: []results.KnobState{knob("turbo", "on", "", "", observe, "")},
	}
	other := &results.Machine{ID: "m2", Host: "two"}
	want := []Host{
		{
			ID: "m1", Name: "one",
			Quiet: "governor performance · what was found is put back at the end · 1 knob stood so already",
			Unmet: []string{
				"smt stays on (no permission): recorded, went on", "aslr stays 2, not 0: it was required",
				"thp could not be set to never: recorded, went on",
			},
			Changed: []Changed{
				{"kernel", []string{"6.1", "6.2"}},
				{"turbo", []string{"on", "off"}},
				{"governor", []string{"", "performance"}},
				{"smt", []string{"", "on"}},
				{"aslr", []string{"", "2"}},
				{"numa", []string{"", "1"}},
				{"bios", []string{"", "1"}},
			},
		},
		{ID: "m2", Name: "two"},
	}
	got := hosts([]*results.Machine{latest, earlier, other}, nil)
	for i := range got {
		slices.SortFunc(got[i].Changed, func(a, b Changed) int { return strings.Compare(a.What, b.What) })
		slices.SortFunc(want[i].Changed, func(a, b Changed) int { return strings.Compare(a.What, b.What) })
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	fixed := &results.Control{Profile: results.ProfileFixedHardware}
	for _, c := range []struct {
		knobs   []results.KnobState
		control *results.Control
		want    string
	}{
		{nil, nil, ""},
		{nil, &results.Control{Profile: results.ProfileAsIs}, ""},
		{nil, fixed, "profile fixed-hardware"},
		{latest.Knobs[1:2], fixed, "profile fixed-hardware · 1 knob stood so already"},
		{latest.Knobs[:1], nil, "governor performance · what was found is put back at the end"},
	} {
		if got := quiet(c.knobs, c.control); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestTogetherOverHosts: answers by ranks, rates and growth take the invocations of all hosts together.
func TestTogetherOverHosts(t *testing.T) {
	asked := func(kind results.Comparison, asked bool) results.Question {
		return results.Question{Test: kind, Asked: asked}
	}
	for _, c := range []struct {
		questions []results.Question
		answers   []Answer
		want      string
	}{
		{nil, nil, ""},
		{[]results.Question{asked(results.TestPaired, true)}, []Answer{{}}, ""},
		{[]results.Question{asked(results.TestSignedRank, true), asked(results.TestSignedRank, true)}, nil, "ranks"},
		{[]results.Question{asked(results.TestSignedRank, false)}, nil, ""},
		{[]results.Question{asked(results.TestMannWhitney, true)}, []Answer{{Rates: &reading.Rates{}}}, "ranks, rates"},
	} {
		s := &Scenario{Answers: c.answers}
		if got := strings.Join(s.together(&results.Scenario{Questions: c.questions}), ", "); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestOnePlace: invocations are of one place if all have one machine and one JDK.
func TestOnePlace(t *testing.T) {
	on := func(machine, runtime string) *evidence.Invocation {
		return &evidence.Invocation{Invocation: &results.Invocation{Machine: machine, Runtime: runtime}}
	}
	for _, c := range []struct {
		es  []*evidence.Invocation
		one bool
	}{
		{nil, false},
		{[]*evidence.Invocation{on("a", "17")}, true},
		{[]*evidence.Invocation{on("a", "17"), on("a", "17")}, true},
		{[]*evidence.Invocation{on("a", "17"), on("b", "17")}, false},
		{[]*evidence.Invocation{on("a", "17"), on("a", "21")}, false},
	} {
		machine, runtime, one := onePlace(c.es)
		if one != c.one || one && (machine != "a" || runtime != "17") {
			t.Errorf("%d: %s, %s, %t", len(c.es), machine, runtime, one)
		}
	}
}

// TestSteadyOfACell: classes are counted. Only invocations with a steady state have a warm-up.
func TestSteadyOfACell(t *testing.T) {
	inv := func(class string, warm int64, warmMean, other, leftOut float64, trace ...float64) *evidence.Invocation {
		return &evidence.Invocation{
			Class: class, Values: map[string]float64{"m": 1},
			Samples: evidence.Samples{
				WarmCalls: warm, WarmMean: warmMean, Other: other, LeftOut: leftOut, Trace: trace,
			},
			Invocation: &results.Invocation{
				Cell: "c", Profile: results.ProfileTiming, Status: results.StatusOK,
			},
		}
	}
	nan := math.NaN()
	const unsteady, median = "no steady state", " of a thread (median)"
	untold := inv("flat", 9, 9, 9, 0)
	untold.Values = nil
	for _, c := range []struct {
		name         string
		es           []*evidence.Invocation
		class, text  string
		calls, means float64 // NaN: none
		other        float64
		drift        float64 // NaN: none
	}{
		{
			"all alike",
			[]*evidence.Invocation{inv("flat", 0, nan, 5, 0), inv("flat", 0, nan, 7, 0)},
			"flat", "flat", 0, nan, 6, nan,
		},
		{
			"warm-ups",
			[]*evidence.Invocation{inv("warmup", 10, 4, nan, 0), inv("warmup", 30, 8, nan, 0.1), untold},
			"warmup",
			"warmup: steady after 20 calls" + median + "; without the stretches in which compilers worked in 1 of them",
			20, 6, nan, nan,
		},
		{
			"one has none",
			[]*evidence.Invocation{inv("flat", 1, 3, 5, 0), inv(unsteady, 50, 9, 5, 0, 1, 2, 3, 7)},
			inconsistent, "inconsistent (1 flat, 1 no steady state): steady after 1 call" + median, 1, 3, 5, 2,
		},
		{
			"some are not told",
			[]*evidence.Invocation{inv("", 5, nan, 5, 0), inv("flat", 0, nan, 5, 0), inv("", 5, nan, 5, 0)},
			inconsistent, "inconsistent (2 not told, 1 flat)", 0, nan, 5, nan,
		},
		{"none has a value", []*evidence.Invocation{untold}, "", "", nan, nan, nan, nan},
	} {
		made := oneScenario(results.Cell{ID: "c"})
		made.Scenarios[0].Metrics[0].Series = "duration"
		r := readerOf(made, c.es...)
		a, other := r.steady(&made.Cells[0])
		if (a == nil) != (c.class == "") {
			t.Errorf("%s: %+v", c.name, a)
		}
		if a == nil {
			continue
		}
		if a.Class != c.class || a.Text != c.text {
			t.Errorf("%s: %s, %q; want %q", c.name, a.Class, a.Text, c.text)
		}
		near := func(e *Estimate, want float64) bool {
			return e == nil && math.IsNaN(want) || e != nil && math.Abs(e.Value-want) < 1e-9
		}
		if !near(a.WarmupCalls, c.calls) || !near(a.WarmupMean, c.means) {
			t.Errorf("%s: %+v, %+v", c.name, a.WarmupCalls, a.WarmupMean)
		}
		if other == nil {
			other = &OtherWindow{Window: results.WindowHalf}
		}
		if !near(other.Mean, c.other) || other.Window != results.WindowHalf {
			t.Errorf("%s: %+v", c.name, other)
		}
		if (a.Drift == nil) != math.IsNaN(c.drift) || a.Drift != nil && *a.Drift != c.drift {
			t.Errorf("%s: drift %v", c.name, a.Drift)
		}
		r.Invalid["c"] = "why"
		if a, other := r.steady(&made.Cells[0]); a != nil || other != nil {
			t.Errorf("%s: an invalid cell is steady", c.name)
		}
	}
}

// TestDisturbances: what stayed disturbed, was repeated, is invalid or void, or warned, is a caveat of its own.
func TestDisturbances(t *testing.T) {
	inv := completed
	disturbed := func(knobs ...string) func(*evidence.Invocation) {
		return func(e *evidence.Invocation) { e.Disturbed = &results.Disturbance{Reason: "noise", Knobs: knobs} }
	}
	for _, c := range []struct {
		name  string
		es    []*evidence.Invocation
		marks string
		text  string // of the first
	}{
		{"nothing", []*evidence.Invocation{inv(1, nil)}, "", ""},
		{
			"others",
			[]*evidence.Invocation{inv(1, nil), inv(2, nil), inv(3, disturbed())},
			"disturbed 1 of 3",
			"other processes took CPU time on the measured CPUs in 1 invocation: kept",
		},
		{
			"knobs",
			[]*evidence.Invocation{inv(1, disturbed("b", "a")), inv(2, disturbed("a"))},
			"disturbed 2 of 2",
			"a, b changed in or before 2 invocations: kept",
		},
		{
			"both",
			[]*evidence.Invocation{inv(1, disturbed("b")), inv(2, disturbed()), inv(3, disturbed())},
			"disturbed 3 of 3",
			"measured CPUs in 2 invocations, b changed in or before 1 invocation: kept",
		},
		{"repeated", []*evidence.Invocation{inv(1, func(e *evidence.Invocation) {
			disturbed()(e)
			e.RepeatedBy = "b0009.s00.r0"
		})}, "1 repeated", "still counts: b0001.s00.r0 (noise)"},
		{
			"invalid",
			[]*evidence.Invocation{inv(1, nil), inv(2, func(e *evidence.Invocation) { e.Invalid = "why" })},
			"invalid 1 of 2", "not what was planned, and in no number: b0002.s00.r0 (why); ",
		},
		{
			"void",
			[]*evidence.Invocation{inv(1, func(e *evidence.Invocation) { e.Void = map[string]string{"m": "why"} })},
			"m void 1 of 1", "m of them does not count, though their other numbers do: b0001.s00.r0 (why)",
		},
		{
			"warned",
			[]*evidence.Invocation{inv(1, nil), inv(2, func(e *evidence.Invocation) { e.Warnings = []string{"w"} })},
			"warned 1 of 2", "w (1 ×)",
		},
	} {
		ok := 0
		for _, e := range c.es {
			if e.Invalid == "" {
				ok++
			}
		}
		ms := readerOf(oneScenario(results.Cell{ID: "c"}), c.es...).disturbances(&Cell{ID: "c", OK: ok})
		got := strings.Join(results.Each(ms, func(m caveat.Mark) string { return m.Show }), ", ")
		if got != c.marks || len(ms) > 0 && !strings.Contains(ms[0].Text, c.text) {
			t.Errorf("%s: %s; %+v", c.name, got, ms)
		}
	}
}

// TestReferences: the reference of a level is the variant's cell there, or the baseline, and never a second baseline.
func TestReferences(t *testing.T) {
	at := func(id, variant, depth string, role results.Role) results.Cell {
		return results.Cell{ID: id, Variant: variant, Role: role, Factors: []results.Value{{Name: "d", Value: depth}}}
	}
	r := readerOf(oneScenario(
		at("c0", "none", "1", results.RoleBaseline), at("c1", "none", "1", results.RoleAA),
		at("c2", "agent", "1", results.RoleVariant), at("c3", "none", "2", results.RoleBaseline),
	))
	for variant, want := range map[string]string{"": "c0 c3", "none": "c0 c3", "agent": "c2 -", "gone": "- -"} {
		found := r.references(variant)
		var got []string
		for _, level := range []string{"d=1", "d=2"} {
			if c := found[level]; c != nil {
				got = append(got, c.ID)
			} else {
				got = append(got, "-")
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %s", variant, got, want)
		}
	}
	for variant, want := range map[string]string{"": "baseline", "x": "x"} {
		if got := noReference(variant); got != "there is no "+want+" at its factor level" {
			t.Errorf("%q: %s", variant, got)
		}
	}
}

// TestCallsOfPapers: papers pool the calls of all invocations, or of the last block's; batches have none.
func TestCallsOfPapers(t *testing.T) {
	inv := func(block int, values ...int64) *evidence.Invocation {
		b := summary.NewBuilder(int64(len(values)))
		b.Add(values)
		column, err := b.Column()
		if err != nil {
			t.Fatal(err)
		}
		e := &evidence.Invocation{Batched: map[string]bool{}, Invocation: &results.Invocation{
			Identity: results.Identity{Block: block}, Cell: "c",
			Profile: results.ProfileTiming, Status: results.StatusOK,
		}}
		e.Samples.Pool = column.Moments(column.Whole())
		return e
	}
	batched := inv(1, 1, 3)
	batched.Batched["m"] = true
	for _, c := range []struct {
		name string
		pool string
		es   []*evidence.Invocation
		n    int
		mean float64
	}{
		{"all", results.PoolCalls, []*evidence.Invocation{inv(1, 1, 3), inv(2, 5, 7)}, 4, 4},
		{"the last block", results.PoolLastLoop, []*evidence.Invocation{inv(2, 5, 7), inv(1, 1, 3)}, 2, 6},
		{"two calls", results.PoolCalls, []*evidence.Invocation{inv(1, 1), inv(2, 3)}, 2, 2},
		{"one call", results.PoolCalls, []*evidence.Invocation{inv(1, 1)}, 0, 0},
		{"batches", results.PoolCalls, []*evidence.Invocation{inv(1, 1, 3), batched}, 0, 0},
		{"none", results.PoolLastLoop, nil, 0, 0},
	} {
		made := oneScenario(results.Cell{ID: "c"})
		made.Scenarios[0].Metrics[0].Series, made.Scenarios[0].Pool = "duration", c.pool
		r := readerOf(made, c.es...)
		if got := r.calls("c"); got.N != c.n || math.Abs(got.Mean-c.mean) > 1e-12 {
			t.Errorf("%s: %+v", c.name, got)
		}
		r.Invalid["c"] = "why"
		if got := r.calls("c"); got.N != 0 {
			t.Errorf("%s: an invalid cell has %+v", c.name, got)
		}
	}
}
