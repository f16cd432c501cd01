package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/reading"
	"moobench/analysis/stats"
	"moobench/results"
	"moobench/results/summary"
)

// Pooled is others' arithmetic over calls: of the second halves of all invocations, or of the last loop alone,
// as the scenario's PoolKind says. It is printed to replicate papers; calls are no replicates, so that the
// intervals are far too narrow. The last loop has no test: MooBench's script (frameworks/statistics.r) makes
// none.
type Pooled struct {
	N    int64   `json:"n"`              // calls
	Mean float64 `json:"mean"`           // of these calls, in the metric's unit
	SD   float64 `json:"sd"`             // sample standard deviation of these calls
	Half float64 `json:"half_width"`     // 1.96 sd/√n
	Test *Test   `json:"test,omitempty"` // pooled two-sample t against the baseline; only for papers
	// TooNarrow is our interval's width divided by this one's; absent if either has no width.
	TooNarrow *float64 `json:"width_ratio,omitempty"`
}

const pseudoReplication = "a paper's arithmetic, for replication: every call of every invocation's second half " +
	"counts as an independent observation. Calls of one JVM are not independent (pseudo-replication), " +
	"so these intervals are far too narrow; ours, over invocations, stand beside them"

const pseudoReplicatedRequests = "a paper's arithmetic, for replication: " +
	"every request of every invocation counts as an independent observation. " +
	"Requests to one JVM are not independent (pseudo-replication), so these intervals are far too narrow; " +
	"ours, over invocations, stand beside them"

const lastLoopAlone = "what MooBench's own R script prints of these files, in the versions that write the calls " +
	"of each loop over those of the loop before: mean and 1.96 sd/√n of the second half of the last loop (of " +
	"its first thread, where there are several). n is the number of calls of one JVM. " +
	"They are not independent (pseudo-replication), and what JVMs differ by is not in them, " +
	"so these intervals are too narrow; ours, over all loops, stand beside them. " +
	"Newer versions pool the calls of all loops, as independent ones too, " +
	"and divide by the depth of the recursion"

const (
	z975     = 1.96              // the normal quantile that papers use for a 95 % interval
	qnorm975 = 1.959963984540054 // the same in MooBench's script: qnorm(0.975) in R
)

// pool adds others' arithmetic over calls to the cells, if the scenario asks for it. It returns its description
// and kind; "" if no cell has such calls.
func (r *reader) pool(cells []Cell) (about, kind string) {
	z, text := z975, pseudoReplication
	switch {
	case r.Scenario.Pool == results.PoolLastLoop:
		z, text = qnorm975, lastLoopAlone
	case r.Scenario.Pool != results.PoolCalls:
		return "", ""
	case r.Primary.Sample() == results.SampleRequest:
		text = pseudoReplicatedRequests
	}
	for i := range cells {
		c := &cells[i]
		calls := r.calls(c.ID)
		if calls.N == 0 {
			continue
		}
		p := &Pooled{
			N:    int64(calls.N),
			Mean: calls.Mean,
			SD:   calls.SD,
			Half: z * calls.SD / math.Sqrt(float64(calls.N)),
		}
		if r.Scenario.Pool == results.PoolCalls {
			p.Test = studentTest(calls, r.calls(c.Baseline))
		}
		if m := c.MetricNamed(r.Primary.Name); m.Mean != nil && m.Mean.Interval != nil {
			p.TooNarrow = infer.FinitePtr(m.Mean.Interval.Half() / p.Half)
		}
		c.Pooled, about, kind = p, text, r.Scenario.Pool
	}
	return about, kind
}

// studentTest is the pooled t test; nil if a sample has no value, or neither varies.
func studentTest(a, b stats.Sample) *Test {
	e, err := stats.Student(a, b, stats.TwoSided, reading.Confidence)
	if err != nil || e.Test == nil || !stats.Finite(e.Test.T, e.Test.P) {
		return nil
	}
	return &Test{T: e.Test.T, DF: e.Test.DF, P: e.Test.P, Kind: string(results.TestStudent)}
}

// calls pools the calls of a cell's invocations, or those of its last block alone, into one sample, as papers
// do. It is empty if samples cover several calls, or there are fewer than two.
func (r *reader) calls(cell string) (pooled stats.Sample) {
	if r.Primary.Series == "" || r.Invalid[cell] != "" {
		return pooled
	}
	var m summary.Moments
	es := r.Primaries(cell)
	if r.Scenario.Pool == results.PoolLastLoop && len(es) > 0 {
		es = []*evidence.Invocation{slices.MaxFunc(es, func(a, b *evidence.Invocation) int {
			return cmp.Compare(a.Block, b.Block)
		})}
	}
	for _, e := range es {
		if e.Batched[r.Primary.Name] {
			return pooled
		}
		m = m.Merge(e.Samples.Pool)
	}
	if m.N < 2 {
		return pooled
	}
	return stats.Sample{Mean: m.Mean(), SD: math.Sqrt(m.Variance()), N: int(m.N)}
}

// PooledRates compares two cells as Flaig (2014) compares lost transactions: each run's count L_i of S_i is
// scaled to L^_i = S L_i/S_i, and a pooled t test compares the L^ of both. It is printed to replicate papers;
// our own answer is the comparison of rates.
type PooledRates struct {
	Metric string      `json:"metric"`          // the count
	Of     string      `json:"exposure_scalar"` // scalar that counts the exposure: requests
	A      PooledArm   `json:"a"`               // the cell
	B      PooledArm   `json:"b"`               // its baseline
	Own    PooledScale `json:"own_scale"`       // S is each cell's own total, as printed in papers
	Common PooledScale `json:"common_scale"`    // S is one million for both
	Text   string      `json:"text"`            // in words
	Wrong  string      `json:"objection"`       // what is wrong with it
}

// PooledArm is one cell: its runs, and S, the total of S_i.
type PooledArm struct {
	Cell  string  `json:"cell"`  // ID
	N     int     `json:"n"`     // runs
	Total float64 `json:"total"` // exposure of all runs
}

// PooledScale has the L^ of both cells on one scale, with Student's test of A - B.
type PooledScale struct {
	// MeanA, SDA, MeanB and SDB are mean and standard deviation of the L^ of each cell.
	MeanA float64 `json:"mean_a"`
	SDA   float64 `json:"sd_a"`
	MeanB float64 `json:"mean_b"`
	SDB   float64 `json:"sd_b"`
	Test  *Test   `json:"test,omitempty"` // pooled, two-sided
	Bound float64 `json:"bound"`          // one-sided bound at 5 %: the papers reject below it
}

// notOurs says why the arithmetic of L^ is wrong.
const notOurs = "the paper's arithmetic, not ours: on its own scale each arm's losses are multiplied by its own " +
	"total, so that the arm that served more requests seems to lose more; " +
	"the t test takes counts for normal and the runs for unpaired. " +
	"Read the rates per million, which are compared by tests for rates"

// pooledRates compares each variant with its baseline, and the cells of each question about lost transactions,
// if the scenario counts them: readers of papers look for it, and find the objection beside it.
func (r *reader) pooledRates() []PooledRates {
	all := r.Scenario.Metrics
	// Papers pool the count of the whole load, ramp included. Use that if the scenario has it, else its first
	// key count, else its first count.
	m := cmp.Or(
		results.Find(all, func(m *results.Metric) bool { return strings.HasSuffix(m.Of, "_all") }),
		results.Find(all, func(m *results.Metric) bool { return m.Of != "" && m.Key }),
		results.Find(all, func(m *results.Metric) bool { return m.Of != "" }),
	)
	if from := r.Campaign.Source; m == nil || from != "" && from != "moobench" { // an import
		return nil
	}
	var pairs [][2]string
	add := func(a, b string) {
		if a != "" && b != "" && !slices.Contains(pairs, [2]string{a, b}) && r.Invalid[a] == "" && r.Invalid[b] == "" {
			pairs = append(pairs, [2]string{a, b})
		}
	}
	for _, q := range r.Scenario.Questions {
		if q.Asked && r.Metric(q.Metric).Of != "" {
			add(q.A, q.B)
		}
	}
	for _, c := range r.Cells {
		if c.Role == results.RoleVariant {
			add(c.ID, c.Baseline)
		}
	}
	var found []PooledRates
	for _, pair := range pairs {
		ca, cb := r.Campaign.Cell(pair[0]), r.Campaign.Cell(pair[1])
		x, y := r.Counts(pair[0], *m), r.Counts(pair[1], *m)
		_, sx := x.Total()
		_, sy := y.Total()
		own, ok := pooledScale(x.Rates(), sx, y.Rates(), sy)
		common, okCommon := pooledScale(x.Rates(), infer.Million, y.Rates(), infer.Million)
		if ca == nil || cb == nil || !ok || !okCommon {
			continue
		}
		found = append(found, PooledRates{
			Metric: m.Name, Of: m.Of, A: PooledArm{ca.ID, len(x.Events), sx},
			B: PooledArm{cb.ID, len(y.Events), sy}, Own: own, Common: common, Wrong: notOurs,
			Text: fmt.Sprintf("%s against %s, %s: on each one's own scale %s; per million %s; rejected below %s",
				ca.Label(), cb.Label(), prose.Spaced(m.Name), own.words(), common.words(), prose.Number(own.Bound)),
		})
	}
	return found
}

// pooledScale computes the L^ of both cells from their rates, with S as given.
func pooledScale(x []float64, sx float64, y []float64, sy float64) (PooledScale, bool) {
	scaled := func(rates []float64, s float64) (stats.Sample, error) {
		for i := range rates {
			rates[i] *= s
		}
		return stats.SampleOf(rates)
	}
	a, errA := scaled(x, sx)
	b, errB := scaled(y, sy)
	if errA != nil || errB != nil || !stats.Finite(a.Mean, a.SD, b.Mean, b.SD) {
		return PooledScale{}, false
	}
	return PooledScale{a.Mean, a.SD, b.Mean, b.SD, studentTest(a, b), -stats.TQuantile(0.05, float64(a.N+b.N-2))}, true
}

func (p PooledScale) words() string {
	test := "without spread and so without t"
	if p.Test != nil {
		test = fmt.Sprintf("pooled t = %s, df %s", prose.Number(p.Test.T), prose.Number(p.Test.DF))
	}
	return fmt.Sprintf("L^ = %s ± %s against %s ± %s (sd), %s",
		prose.Number(p.MeanA), prose.Number(p.SDA), prose.Number(p.MeanB), prose.Number(p.SDB), test)
}
