package analysis

import (
	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

const batchedSamples = "a sample covers several calls, so quantiles of calls were not observed"

// quantilesOf estimates, for each quantile of an invocation's calls, its median
// over invocations.
func (r *reader) quantilesOf(c *results.Cell, m results.Metric) ([]Quantile, string) {
	if m.Series == "" {
		return nil, ""
	}
	es := succeeded(r.all[c.ID], profile(m))
	for _, e := range es {
		if e.batched[m.Name] {
			return nil, batchedSamples
		}
	}
	var found []Quantile
	for i, q := range quantiles {
		vs := quantileValues(es, m.Name, i)
		if len(vs) == 0 {
			continue
		}
		e, _ := infer.Median(numbers(vs), confidence)
		if e == nil {
			continue
		}
		a := Quantile{Name: q.name, P: q.p, Estimate: *e}
		if c.Baseline != "" {
			r.quantileOverhead(&a, vs, quantileValues(succeeded(r.all[c.Baseline], profile(m)), m.Name, i))
		}
		found = append(found, a)
	}
	return found, ""
}

// quantileValues are the i-th quantile of each invocation, by block.
func quantileValues(es []evidence, metric string, i int) []value {
	var vs []value
	for _, e := range es {
		if qs := e.quantiles[metric]; len(qs) > i && stats.Finite(qs[i]) {
			vs = append(vs, value{e.Block, qs[i]})
		}
	}
	return vs
}

// quantileOverhead compares the quantiles of the invocations of each block: the
// median of the differences, and of the ratios, with order-statistic intervals,
// which suppose nothing of their distribution. (The mean of differences would
// be at the mercy of one long pause in one JVM.) A registered question about a
// quantile is answered the same way.
func (r *reader) quantileOverhead(a *Quantile, vs, others []value) {
	if r.unordered() {
		a.NoDifference = unorderedPairs
		return
	}
	of := r.ask(infer.Question{Kind: results.TestSign, Alpha: alpha}, vs, others, false)
	a.Difference, a.Ratio, a.NoDifference = of.Difference, of.Ratio, of.NoDifference
}
