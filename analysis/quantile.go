package analysis

import (
	"fmt"

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
		a := Quantile{Name: q.name, P: q.p, Estimate: median(numbers(vs))}
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
		if qs := e.quantiles[metric]; len(qs) > i && finite(qs[i]) {
			vs = append(vs, value{e.Block, qs[i]})
		}
	}
	return vs
}

// quantileOverhead compares the quantiles of the invocations of each block: the
// median of the differences, and of the ratios, with order-statistic intervals,
// which suppose nothing of their distribution. (The mean of differences would
// be at the mercy of one long pause in one JVM.)
func (r *reader) quantileOverhead(a *Quantile, vs, others []value) {
	if r.unordered() {
		a.NoDifference = "unordered: there are no pairs"
		return
	}
	ps := pairs(vs, others)
	if len(ps) == 0 {
		a.NoDifference = "no block holds it and its baseline"
		return
	}
	var ds, rs []float64
	for _, p := range ps {
		ds = append(ds, p.x-p.y)
		if p.x > 0 && p.y > 0 {
			rs = append(rs, p.x/p.y)
		}
	}
	d := median(ds)
	a.Difference = &d
	if len(rs) == len(ds) {
		ratio := median(rs)
		a.Ratio = &ratio
	}
}

// median estimates the median of the population that values come from.
func median(xs []float64) Estimate {
	s, err := stats.MedianInterval(xs, confidence)
	if err == nil {
		if e, _ := estimated(s, nil); e != nil {
			return *e
		}
	}
	return Estimate{N: len(xs), Value: s.Value, NoInterval: fmt.Sprintf("%d invocations: an interval of the median needs six", len(xs))}
}
