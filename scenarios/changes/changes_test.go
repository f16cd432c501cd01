package changes

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/plan"
	"moobench/results"
)

func TestQuestionsAreOneFamilyALevel(t *testing.T) {
	at := func(id string, role results.Role, watcher string) results.Cell {
		c := results.Cell{ID: id, Scenario: "turnaround", Variant: "x", Role: role, Factors: []results.Value{{Name: "watcher", Value: watcher}}}
		if role != results.RoleBaseline {
			c.Baseline = "c00"
		}
		return c
	}
	got := Kit{}.Questions([]results.Cell{
		at("c00", results.RoleBaseline, "false"), at("c01", results.RoleAA, "false"),
		at("c02", results.RoleVariant, "false"), at("c03", results.RoleVariant, "true"),
	})
	q := func(id, level string) results.Question {
		return results.Question{
			ID: "turnaround-" + id, Text: "How much longer does it take until x " + level + " is in effect?",
			Metric: Turnaround, A: id, B: "c00", Family: "turnaround/turnaround/" + level,
		}
	}
	if diff := cmp.Diff([]results.Question{q("c02", "watcher=false"), q("c03", "watcher=true")}, got); diff != "" {
		t.Errorf("questions (-want +got):\n%s", diff)
	}
}

// refused is what is wrong with a cell, one thing at most.
func refused(c *results.Cell) plan.Refusal {
	if all := (Kit{}).Check(&plan.Cell{Cell: *c, Work: (Kit{}).Work(c)}); len(all) > 0 {
		return all[0]
	}
	return plan.Refusal{}
}

// TestCheckAtLoad: of classes that are not loaded, only the agent and what is
// compiled in know.
func TestCheckAtLoad(t *testing.T) {
	for _, c := range []struct {
		activate, arg, atLoad string
		refused               bool
	}{
		{"+ {signature}", "-javaagent:a.jar", "true", false},
		{"", "-Dmoobench.swapper=a.List", "true", false},
		{"+ {signature}", "-Dmoobench.swapper=a.Redefine", "false", false},
		{"+ {signature}", "-Dmoobench.swapper=a.Redefine", "true", true},
	} {
		cell := results.Cell{
			Variant: "a/b/c", Parameters: []results.Value{{Name: "at_load", Value: c.atLoad}, {Name: "calls", Value: "0"}},
			Launch: results.Launch{Activate: c.activate, JVMArgs: []string{"-Da=b", c.arg}},
		}
		if got := refused(&cell); (got.Why != "") != c.refused || (got.Hint != "") != c.refused || (got.Key == "at_load") != c.refused {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

// TestCheckAtLoadHasNoHotMethod: what it takes to load a class is not part of the price of a
// swap, and without a hot method there is none.
func TestCheckAtLoadHasNoHotMethod(t *testing.T) {
	for _, c := range []struct {
		atLoad, calls string
		refused       bool
	}{{"true", "0", false}, {"false", "1000", false}, {"true", "1000", true}} {
		cell := results.Cell{Parameters: []results.Value{{Name: "at_load", Value: c.atLoad}, {Name: "calls", Value: c.calls}}}
		if got := refused(&cell); (got.Why != "") != c.refused || (got.Key == "calls") != c.refused {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

// TestCheckNeedsAProbe: what makes no records has no turnaround.
func TestCheckNeedsAProbe(t *testing.T) {
	for kind, wanted := range map[results.ProofKind]bool{results.ProofCount: false, results.ProofNone: false, results.ProofZero: true, results.ProofBaseline: true} {
		cell := results.Cell{Variant: "a/b/c", Proof: results.ProofPlan{Kind: kind}}
		if got := refused(&cell); (got.Why != "") != wanted || (got.Key == "variants") != wanted {
			t.Errorf("%s: %+v", kind, got)
		}
	}
}

// TestMetricsAreThoseOfTheMethod holds what is read elsewhere: the price of a
// change, and what stands in every report.
func TestMetricsAreThoseOfTheMethod(t *testing.T) {
	var names, once, keys, primary []string
	for _, m := range slices.Concat(Metrics(), HotMetrics(), ProcessMetrics()) {
		if slices.Contains(names, m.Name) {
			t.Errorf("%s stands there twice", m.Name)
		}
		names = append(names, m.Name)
		for list, is := range map[*[]string]bool{&once: m.Once, &keys: m.Key, &primary: m.Primary} {
			if is {
				*list = append(*list, m.Name)
			}
		}
	}
	want := [][]string{
		{Turnaround, results.DerivedRecovery},
		{Turnaround},
		{Match, "transform", Swap, "load", "first_call", "dump", "stall", "dump_stall", "undo_stall", results.DerivedSample1, results.DerivedOverBare, standstill, results.DerivedResidue, results.DerivedRecovery, results.DerivedBack20Calls, results.DerivedBack20NS, results.DerivedBack5Calls, results.DerivedBack5NS},
	}
	if diff := cmp.Diff(want, [][]string{once, primary, keys}); diff != "" {
		t.Errorf("once, primary and key (-want +got):\n%s", diff)
	}
}

// TestWork: what changes take, and the calls of a hot method beside them.
func TestWork(t *testing.T) {
	const pattern, ms, s = "+ {signature}", 1e6, 1e9
	of := func(activate string, parameters ...string) results.Cell {
		c := results.Cell{Launch: results.Launch{Activate: activate}}
		for i := 0; i < len(parameters); i += 2 {
			c.Parameters = append(c.Parameters, results.Value{Name: parameters[i], Value: parameters[i+1]})
		}
		return c
	}
	for name, c := range map[string]struct {
		cell         results.Cell
		may, takesNS float64
		values       int64
	}{
		"changes":         {of(pattern, "samples", "20", "at_once", "50"), 200 * s, 400 * ms, 180},
		"switches":        {of("", "samples", "20", "at_once", "50"), 200 * s, 2 * ms, 180},
		"one by one":      {of(pattern, "samples", "20", "at_once", "50", "one_by_one", "true"), 200 * s, 20 * s, 180},
		"bare and loaded": {of(pattern, "samples", "100", "bare", "true", "loaded", "10000"), 40 * s, 4 * s, 900},
		"many":            {of("", "samples", "500", "loaded", "10000"), 120 * s, 1050 * ms, 4500},
		"many at once":    {of("", "samples", "3", "at_once", "10000"), 6000 * s, 0.3 * ms, 27},
		"far too many":    {of(pattern, "samples", "1000000000", "at_once", "1000000000", "one_by_one", "true"), 200e24, 20e24, 9_000_000_000},
	} {
		w := Kit{}.Work(&c.cell)
		if w.MayTakeNS != c.may || w.TakesNS != c.takesNS || w.Values != c.values || w.Counted || w.Phases != 3 {
			t.Errorf("%s: %+v, want at most %v ns, roughly %v, and %d values", name, w, c.may, c.takesNS, c.values)
		}
	}
	hot := of(pattern, "samples", "10", "calls", "1000000", "depth", "5", "method_time", "7")
	if w := (Kit{}).Work(&hot); !w.Counted || w.Calls != 1_000_000 || w.Depth != 5 || w.WaitNS != 7 || w.Phases != 3 || w.Values != 90 || w.TakesNS != 200*ms {
		t.Errorf("a hot method: %+v", w)
	}
	without := of(pattern, "samples", "10", "calls", "0")
	if w := (Kit{}).Work(&without); !w.Counted || w.Calls != 0 {
		t.Errorf("a hot method that is left out: %+v", w)
	}
}

// TestSwapper: another swapper than the agent is named by a property of the JVM.
func TestSwapper(t *testing.T) {
	for _, c := range []struct {
		args []string
		want bool
	}{
		{nil, false},
		{[]string{"-Da=b", "-Dmoobench.swapper=a.List"}, true},
		{[]string{"-Dmoobench.swappers=a.List", "-javaagent:a.jar=-Dmoobench.swapper=a.List"}, false},
	} {
		if got := HasSwapper(c.args); got != c.want {
			t.Errorf("%q: %t", c.args, got)
		}
	}
}

// TestSchema: a scenario has its own number of samples and says whether it measures the bare exchange; every default
// is a value of its parameter.
func TestSchema(t *testing.T) {
	s := Schema("x", "7", true)
	defaults := map[string]string{}
	for _, p := range append(s.Parameters, HotParameters()...) {
		if _, known := defaults[p.Name]; known || p.About == "" {
			t.Errorf("%s stands there twice, or without a word", p.Name)
		}
		defaults[p.Name] = p.Default
	}
	want := map[string]string{
		"fixture": "classes", samples: "7", atOnce: "1", oneByOne: "false", atLoad: "false", loaded: "10_000",
		"methods": "1", "patterns": "0", bare: "true", "watcher": "false",
		calls: "1_000_000", depth: "10", methodTime: "0ns", "busy_wait": "lazy",
	}
	if diff := cmp.Diff(want, defaults); diff != "" || s.Window != results.WindowAll || s.Name != "x" {
		t.Errorf("%s, window %s (-want +got):\n%s", s.Name, s.Window, diff)
	}
}

// TestLeasts: one change of an invocation stands apart, so that it has two at least.
func TestLeasts(t *testing.T) {
	least := map[string]int64{samples: 2, atOnce: 1, "loaded": 1, "methods": 1}
	for _, p := range Schema("x", "7", true).Parameters {
		if int64(p.Min) != least[p.Name] {
			t.Errorf("%s: %v at least, want %d", p.Name, p.Min, least[p.Name])
		}
	}
}
