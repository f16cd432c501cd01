package analysis_test

import (
	"testing"

	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

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
