package results

import "testing"

func TestNotInstrumented(t *testing.T) {
	count, zero := ProofPlan{Kind: ProofCount, Expected: 100}, ProofPlan{Kind: ProofZero}
	for _, tt := range []struct {
		name string
		p    Proof
		plan ProofPlan
		want bool
	}{
		{"all in time", Proof{Source: "x", Expected: 100, ByLoopEnd: 100, ByExit: 100}, count, false},
		{"a quarter late", Proof{Source: "x", Expected: 100, ByLoopEnd: 75, ByExit: 100}, count, false},
		{"half lost, all late", Proof{Source: "x", Expected: 100, ByExit: 50}, count, false},
		{"none", Proof{Source: "x", Expected: 100}, count, true},
		{"none, expected by the plan alone", Proof{Source: "x"}, count, true},
		{"none, of nobody knows how many", Proof{Source: "x"}, ProofPlan{Kind: ProofCount}, true},
		{"none, where none may be right", Proof{Source: "x"}, ProofPlan{Kind: ProofCount, Optional: true}, false},
		{"too many", Proof{Source: "x", Expected: 100, ByLoopEnd: 101, ByExit: 101}, count, false},
		{"nobody counted", Proof{Expected: 100}, count, false},
		{"zero and none", Proof{Source: "x"}, zero, false},
		{"zero and one", Proof{Source: "x", ByExit: 1}, zero, false},
		{"no proof", Proof{Source: "x", ByExit: 1}, ProofPlan{Kind: ProofNone}, false},
	} {
		if got := tt.p.notInstrumented(tt.plan); got != tt.want {
			t.Errorf("%s: not instrumented is %v", tt.name, got)
		}
	}
}
