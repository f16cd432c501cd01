package results

import "cmp"

// Counted reports whether anybody counted records.
func (p Proof) Counted() bool { return p.Source != "" }

// NotInstrumented reports that records had to arrive and none did, which makes
// the invocation invalid. Only variants whose proof is a count can show it by
// themselves; when nobody counted it is not shown either way.
func (p Proof) NotInstrumented(plan ProofPlan) bool {
	return plan.Kind == ProofCount && p.Counted() && cmp.Or(p.Expected, plan.Expected) > 0 && p.ByExit == 0
}
