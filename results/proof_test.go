package results

import "testing"

func TestProof(t *testing.T) {
	count, zero := ProofPlan{Kind: ProofCount, Expected: 100}, ProofPlan{Kind: ProofZero}
	tests := []struct {
		name                string
		p                   Proof
		plan                ProofPlan
		delivered, deferred float64 // -1: not known
		missing, unexpected bool
	}{
		{"all in time", Proof{Source: "x", Expected: 100, ByLoopEnd: 100, ByExit: 100}, count, 1, 0, false, false},
		{"a quarter late", Proof{Source: "x", Expected: 100, ByLoopEnd: 75, ByExit: 100}, count, 1, .25, false, false},
		{"half lost, all late", Proof{Source: "x", Expected: 100, ByExit: 50}, count, .5, 1, false, false},
		{"none", Proof{Source: "x", Expected: 100}, count, 0, -1, true, false},
		{"none, expected by the plan alone", Proof{Source: "x"}, count, -1, -1, true, false},
		{"too many", Proof{Source: "x", Expected: 100, ByLoopEnd: 101, ByExit: 101}, count, 1.01, 0, false, true},
		{"nobody counted", Proof{Expected: 100}, count, -1, -1, false, false},
		{"zero and none", Proof{Source: "x"}, zero, -1, -1, false, false},
		{"zero and one", Proof{Source: "x", ByExit: 1}, zero, -1, 1, false, true},
		{"no proof", Proof{Source: "x", ByExit: 1}, ProofPlan{Kind: ProofNone}, -1, 1, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			known := func(v float64, ok bool) float64 {
				if !ok {
					return -1
				}
				return v
			}
			if got := known(tt.p.Delivered()); got != tt.delivered {
				t.Errorf("delivered %v, want %v", got, tt.delivered)
			}
			if got := known(tt.p.Deferred()); got != tt.deferred {
				t.Errorf("deferred %v, want %v", got, tt.deferred)
			}
			if got := tt.p.NotInstrumented(tt.plan); got != tt.missing {
				t.Errorf("not instrumented: %v", got)
			}
			if got := tt.p.Unexpected(tt.plan); got != tt.unexpected {
				t.Errorf("unexpected: %v", got)
			}
		})
	}
}
