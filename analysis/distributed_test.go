package analysis_test

import (
	"strings"
	"testing"

	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// The distribution of a cell holds the calls of the windows of all its
// invocations; without single calls there is none, and it is said why.
func TestDistributions(t *testing.T) {
	a := analyse(t, testcampaign.Troubled())
	d := cell(t, a, "none").Distribution
	if d == nil || d.Invocations != 6 || d.N < 6*1000 || d.N > 6*2000 {
		t.Fatalf("baseline: %+v", d)
	}
	if p50 := d.Box[2].Value; p50 < 500 || p50 > 620 {
		t.Errorf("the median call takes %v ns", p50)
	}
	if c := cell(t, a, "opentelemetry/bci/otlp"); c.Distribution != nil || !strings.Contains(c.NoDistribution, "several calls") {
		t.Errorf("batched: %+v, %q", c.Distribution, c.NoDistribution)
	}
	if c := cell(t, a, "kieker/bci/wrong-class"); c.Distribution != nil || c.NoDistribution != "" {
		t.Errorf("void: %+v, %q", c.Distribution, c.NoDistribution)
	}
	if c := cell(t, a, "kieker/bci/collect"); c.Distribution == nil || c.Distribution.Invocations != 3 {
		t.Errorf("three invocations failed: %+v", c.Distribution)
	}
}

// What the steady state is does not hang on the window that means are taken over.
func TestSteadyFromIsNotTheWindow(t *testing.T) {
	for _, window := range []results.Window{results.WindowSteady, results.WindowHalf, results.WindowAll} {
		s := testcampaign.Sized()
		s.Made.Scenarios[0].Window = window
		found, none := 0, 0
		for _, inv := range analyse(t, s).Invocations {
			switch {
			case inv.Class == "no steady state" && inv.SteadyFrom == nil:
				none++
			case inv.Class == "warmup" && inv.SteadyFrom != nil && *inv.SteadyFrom > 0 && *inv.SteadyFrom < 0.5:
				found++
			case inv.SteadyFrom != nil && inv.Class == "":
				t.Errorf("%s, %s: a steady state from %v without a class", window, inv.ID, *inv.SteadyFrom)
			}
		}
		if found < 20 || none != 2 {
			t.Errorf("%s: %d steady states behind a warm-up, %d without one", window, found, none)
		}
	}
}
