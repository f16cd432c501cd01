package turnaround

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

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
	got := Scenario{}.Questions([]results.Cell{
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
		if parameter, why, hint := (Scenario{}).Check(cell); (why != "") != c.refused || (hint != "") != c.refused || (parameter == "at_load") != c.refused {
			t.Errorf("%+v: %s: %q (%s)", c, parameter, why, hint)
		}
	}
}

// TestCheckAtLoadHasNoHotMethod: what it takes to load a class is no price of a
// swap, and without a hot method there is none.
func TestCheckAtLoadHasNoHotMethod(t *testing.T) {
	for _, c := range []struct {
		atLoad, calls string
		refused       bool
	}{{"true", "0", false}, {"false", "1000", false}, {"true", "1000", true}} {
		cell := results.Cell{Parameters: []results.Value{{Name: "at_load", Value: c.atLoad}, {Name: "calls", Value: c.calls}}}
		if parameter, why, _ := (Scenario{}).Check(cell); (why != "") != c.refused || (parameter == "calls") != c.refused {
			t.Errorf("%+v: %s: %q", c, parameter, why)
		}
	}
}

// TestCheckNeedsAProbe: what makes no records has no turnaround.
func TestCheckNeedsAProbe(t *testing.T) {
	for kind, refused := range map[results.ProofKind]bool{results.ProofCount: false, results.ProofNone: false, results.ProofZero: true, results.ProofBaseline: true} {
		cell := results.Cell{Variant: "a/b/c", Proof: results.ProofPlan{Kind: kind}}
		if parameter, why, _ := (Scenario{}).Check(cell); (why != "") != refused || (parameter == "variants") != refused {
			t.Errorf("%s: %s: %q", kind, parameter, why)
		}
	}
}

// TestMetricsAreThoseOfTheMethod holds what is read elsewhere: the price of a
// change, and what stands in every report.
func TestMetricsAreThoseOfTheMethod(t *testing.T) {
	var names, once, keys, primary []string
	for _, m := range (Scenario{}).Metrics() {
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
		{Turnaround, Recovery},
		{Turnaround},
		{Match, Transform, Swap, Load, FirstCall, Stall, Sample1, OverBare, Safepoint, Residue, Recovery, Back20Calls, Back20NS, Back5Calls, Back5NS},
	}
	if diff := cmp.Diff(want, [][]string{once, primary, keys}); diff != "" {
		t.Errorf("once, primary and key (-want +got):\n%s", diff)
	}
}
