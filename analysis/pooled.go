package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"moobench/analysis/figure"
	"moobench/analysis/stats"
	"moobench/results"
	"moobench/results/summary"
)

const pseudoReplication = "a paper's arithmetic, for replication: every call of every invocation's second half counts as an independent observation. Calls of one JVM are not independent (pseudo-replication), so these intervals are far too narrow; ours, over invocations, stand beside them"

const pseudoReplicatedRequests = "a paper's arithmetic, for replication: every request of every invocation counts as an independent observation. Requests to one JVM are not independent (pseudo-replication), so these intervals are far too narrow; ours, over invocations, stand beside them"

const lastLoopAlone = "what MooBench's own R script prints of these files, in the versions that write the calls of each loop over those of the loop before: mean and 1.96 sd/√n of the second half of the last loop (of its first thread, where there are several). n is the number of calls of one JVM. They are not independent (pseudo-replication), and what JVMs differ by is not in them, so these intervals are too narrow; ours, over all loops, stand beside them. Newer versions pool the calls of all loops, as independent ones too, and divide by the depth of the recursion"

const (
	z975     = 1.96              // the normal quantile that papers take for a 95 % interval
	qnorm975 = 1.959963984540054 // the same of MooBench's script: qnorm(0.975) in R
)

// pool gives the cells others' arithmetic over calls, where the scenario asks for
// it, and returns what it is, in words and as it was asked for; "" when no cell has
// such calls.
func (r *reader) pool(cells []Cell) (about, kind string) {
	z := z975
	switch r.scenario.Pool {
	case results.PoolCalls:
	case results.PoolLastLoop:
		z = qnorm975
	default:
		return "", ""
	}
	found := false
	for i := range cells {
		c := &cells[i]
		own, ok := r.calls(c.ID)
		if !ok || own.N < 2 {
			continue
		}
		p := &Pooled{N: int64(own.N), Mean: own.Mean, SD: own.SD, Half: z * own.SD / math.Sqrt(float64(own.N))}
		if base, ok := r.calls(c.Baseline); ok && r.scenario.Pool == results.PoolCalls {
			p.Test = studentTest(own, base)
		}
		p.TooNarrow = r.tooNarrow(c, p.Half)
		c.Pooled, found = p, true
	}
	switch m := r.primary(); {
	case !found:
		return "", ""
	case r.scenario.Pool == results.PoolLastLoop:
		about = lastLoopAlone
	case m.Sample() == results.SampleRequest:
		about = pseudoReplicatedRequests
	default:
		about = pseudoReplication
	}
	return about, r.scenario.Pool
}

func studentTest(a, b stats.Sample) *Test {
	e, err := stats.Student(a, b, stats.TwoSided, confidence)
	if err != nil || e.Test == nil || !stats.Finite(e.Test.T, e.Test.P) {
		return nil
	}
	return &Test{T: e.Test.T, DF: e.Test.DF, P: e.Test.P, Kind: string(results.TestStudent)}
}

// calls are all calls of the second halves of a cell's invocations, or of the one
// of its last block, as one sample; false when a sample covers several calls, or there are none.
func (r *reader) calls(cell string) (stats.Sample, bool) {
	p := r.primary()
	if p == nil || p.Series == "" || r.void[cell] != "" {
		return stats.Sample{}, false
	}
	var m summary.Moments
	es := succeeded(r.all[cell], r.profile())
	if r.scenario.Pool == results.PoolLastLoop && len(es) > 0 {
		es = []evidence{slices.MaxFunc(es, func(a, b evidence) int { return cmp.Compare(a.Block, b.Block) })}
	}
	for _, e := range es {
		if e.batched[p.Name] {
			return stats.Sample{}, false
		}
		m = m.Merge(e.primary.half)
	}
	if m.N < 2 {
		return stats.Sample{}, false
	}
	return stats.Sample{Mean: m.Mean(), SD: math.Sqrt(m.Variance()), N: int(m.N)}, true
}

// tooNarrow is how many times wider our interval of the mean is.
func (r *reader) tooNarrow(c *Cell, half float64) *float64 {
	for _, a := range c.Metrics {
		if a.Metric != r.primary().Name || a.Mean == nil || a.Mean.Interval == nil || half <= 0 {
			continue
		}
		times := (a.Mean.Interval.High - a.Mean.Interval.Low) / 2 / half
		if stats.Finite(times) {
			return &times
		}
	}
	return nil
}

// pooled is a question answered the papers' way, "" unless it is asked for.
func (r *reader) pooled(a *Answer) string {
	if r.scenario.Pool != results.PoolCalls {
		return ""
	}
	x, okX := r.calls(a.A)
	y, okY := r.calls(a.B)
	if !okX || !okY {
		return ""
	}
	t := studentTest(x, y)
	if t == nil {
		return ""
	}
	return fmt.Sprintf("over calls, as papers do it (pseudo-replication): t = %s, df %s, %s, n = %s + %s calls",
		number(t.T), figure.Count(int64(t.DF)), figure.P(t.P), figure.Count(int64(x.N)), figure.Count(int64(y.N)))
}
