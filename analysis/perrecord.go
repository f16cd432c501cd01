package analysis

import (
	"moobench/analysis/infer"
	"moobench/results"
)

// perRecord is what a delivered record costs: in each block, the difference
// from the baseline per call, divided by the records that arrived per call. An
// agent that drops records is cheap per call, not per record. The latency of a
// request is no price of its records: most of it is waiting.
func (r *reader) perRecord(c *results.Cell) (*Estimate, string) {
	m := r.primary()
	if m == nil || c.Role != results.RoleVariant || c.Proof.Kind != results.ProofCount || m.Sample() != results.SampleCall {
		return nil, ""
	}
	if why := r.void[c.ID]; why != "" {
		return nil, why
	}
	if r.unordered() {
		return nil, unorderedPairs
	}
	delivered := map[int]float64{} // per call, by block
	for _, e := range succeeded(r.all[c.ID], r.profile()) {
		if e.Proof.Counted() && e.Proof.ByExit > 0 && e.primary.calls > 0 {
			delivered[e.Block] = float64(e.Proof.ByExit) * measuredShare(c, e.Proof) / float64(e.primary.calls)
		}
	}
	var costs []float64
	for _, p := range pairs(r.values(c.ID, *m), r.values(c.Baseline, *m)) {
		if n := delivered[p.block]; n > 0 {
			costs = append(costs, (p.x-p.y)/n)
		}
	}
	if len(costs) == 0 {
		return nil, "no block holds a pair whose records were counted"
	}
	s, why := infer.ScaleOf(costs)
	if why != "" {
		return nil, why
	}
	return s.Estimate(confidence)
}

// measuredShare is the share of an invocation's records that its measured calls
// made: a probe that is swapped in is called before, so that it is warm. The
// plan knows how many those calls make; where it doesn't, there are no others.
func measuredShare(c *results.Cell, p results.Proof) float64 {
	switch {
	case p.Expected <= 0 || p.Expected == c.Proof.Expected:
		return 1
	case c.Launch.Deactivate != "": // taken out before it is measured
		return 0
	case c.Proof.Expected > 0:
		return float64(c.Proof.Expected) / float64(p.Expected)
	}
	return 1
}
