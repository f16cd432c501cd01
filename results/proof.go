package results

import "cmp"

// Counted reports whether anybody counted records.
func (p Proof) Counted() bool { return p.Source != "" }

// Delivered is the share of the expected records that had arrived when the
// subject was gone: 1 is all of them, above 1 more than expected. It is not
// known (ok is false) when nobody counted or none was expected.
func (p Proof) Delivered() (share float64, ok bool) {
	if !p.Counted() || p.Expected <= 0 {
		return 0, false
	}
	return float64(p.ByExit) / float64(p.Expected), true
}

// Deferred is the share of the records that arrived at all which arrived only
// after the last call had returned: their export was outside the measured loop.
// It is not known when nobody counted or none arrived.
func (p Proof) Deferred() (share float64, ok bool) {
	if !p.Counted() || p.ByExit <= 0 {
		return 0, false
	}
	return float64(p.ByExit-p.ByLoopEnd) / float64(p.ByExit), true
}

// NotInstrumented reports that records had to arrive and none did, which voids
// the measurement. Only variants whose proof is a count can show it by
// themselves; when nobody counted it is not shown either way.
func (p Proof) NotInstrumented(plan ProofPlan) bool {
	return plan.Kind == ProofCount && p.Counted() && cmp.Or(p.Expected, plan.Expected) > 0 && p.ByExit == 0
}

// Unexpected reports records that should not exist: some where the proof is
// that none arrive, or more than expected where they are counted.
func (p Proof) Unexpected(plan ProofPlan) bool {
	if !p.Counted() {
		return false
	}
	switch plan.Kind {
	case ProofZero:
		return p.ByExit > 0
	case ProofCount:
		expected := cmp.Or(p.Expected, plan.Expected)
		return expected > 0 && p.ByExit > expected
	}
	return false
}
