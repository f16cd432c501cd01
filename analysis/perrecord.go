package analysis

import (
	"math"

	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/reading"
	"moobench/results"
)

// perRecord is the cost of a delivered record: the cost of all calls beyond the baseline of their block,
// divided by all records that arrived. An agent that drops records is cheap per call, not per record; the JVM
// that delivered least has no more weight than another. The latency of a request does not price its records:
// most of it is waiting.
func (r *reader) perRecord(c *results.Cell) (*Estimate, string) {
	m := r.Primary
	switch {
	case c.Role != results.RoleVariant || c.Proof.Kind != results.ProofCount || m.Sample() != results.SampleCall:
		return nil, ""
	case r.Invalid[c.ID] != "":
		return nil, r.Invalid[c.ID]
	case r.Unordered():
		return nil, reading.UnorderedPairs
	}
	calls, delivered := map[int]float64{}, map[int]float64{} // by block
	for _, e := range r.Primaries(c.ID) {
		if e.Proof.Counted() && e.Samples.Calls > 0 {
			calls[e.Block] = float64(e.Samples.Calls)
			delivered[e.Block] = float64(e.Proof.ByExit) * measuredShare(c, e.Proof)
		}
	}
	var costs infer.Sample
	var records []float64
	pairs := evidence.PairsOf(r.Values(c.ID, m), r.Values(c.Baseline, m))
	for i, difference := range pairs.Differences() {
		n, counted := calls[pairs.Blocks[i]]
		if !counted {
			continue
		}
		costs.Values = append(costs.Values, difference*n)
		costs.Sensitivities = append(costs.Sensitivities, pairs.Sensitivities(i, n))
		records = append(records, delivered[pairs.Blocks[i]])
	}
	if len(records) == 0 {
		return nil, "no block holds a pair whose records were counted"
	}
	e, why := infer.RatioOfTotals(costs, records, true, reading.Confidence)
	if why == infer.NoDivisor {
		why = "no record arrived"
	}
	return e, why
}

// measuredShare is the share of an invocation's records that its measured calls made: a swapped-in probe is
// also called before, to warm up. The plan knows the records of measured calls; if it does not, there were no
// others.
func measuredShare(c *results.Cell, p results.Proof) float64 {
	switch {
	case p.Expected <= 0 || p.Expected == c.Proof.Expected:
		return 1
	case c.Launch.Deactivate != "": // taken out before the measurement
		return 0
	case c.Proof.Expected > 0:
		return float64(c.Proof.Expected) / float64(p.Expected)
	}
	return 1
}

// byRecords returns a metric's values per delivered record, each weighted by the records of its invocation:
// their mean is the ratio of the totals, and their variance the delta method's (Cochran 1977, 6.4). If records
// were not counted, values are returned unchanged.
func (r *reader) byRecords(c *results.Cell, m results.Metric) evidence.Values {
	vs := r.Values(c.ID, m)
	x, records := r.totals(c, m)
	sumX, sumY := 0.0, 0.0
	for i := range x {
		sumX, sumY = sumX+x[i], sumY+records[i]
	}
	if len(x) != len(vs) || !(sumY > 0) {
		return vs
	}
	ratio, mean := sumX/sumY, sumY/float64(len(records))
	for i := range vs {
		vs[i] = evidence.Value{Block: vs[i].Block, X: ratio + (x[i]-ratio*records[i])/mean}
	}
	return vs
}

// totals returns the sums behind a metric per delivered record, and the records, of each invocation that has
// both.
func (r *reader) totals(c *results.Cell, m results.Metric) (x, records []float64) {
	for _, e := range r.Succeeded(c.ID, evidence.ProfileOf(m)) {
		if v, n := e.Value(m.Name), float64(e.Proof.ByExit); !math.IsNaN(v) && e.Proof.Counted() && n > 0 {
			x, records = append(x, v*n), append(records, n)
		}
	}
	return x, records
}

// mean is a metric's mean over the invocations of a cell; per delivered record it is the ratio of totals.
func (r *reader) mean(c *results.Cell, m results.Metric, vs evidence.Values) (*Estimate, string) {
	if m.PerRecord() {
		if x, records := r.totals(c, m); len(x) == len(vs) && len(x) > 0 {
			return infer.RatioOfTotals(infer.Sample{Values: x}, records, !r.Unordered(), reading.Confidence)
		}
	}
	return infer.MeanOf(reading.SampleOf(vs), reading.Confidence, !r.Unordered())
}
