package analysis

import (
	"fmt"
	"slices"
	"strings"

	"moobench/analysis/stats"
	"moobench/results"
)

// PooledRates compares two cells as Flaig (2014) compares lost transactions: each
// run's count L_i of S_i is scaled to L^_i = S L_i/S_i, and a pooled t test
// compares the L^ of both. It is printed to replicate papers, and is not our
// answer: that is the comparison of rates.
type PooledRates struct {
	Metric string      `json:"metric"`       // the count
	Of     string      `json:"of"`           // the scalar that says how often it could have been
	A      PooledArm   `json:"a"`            // the cell
	B      PooledArm   `json:"b"`            // its baseline
	Own    PooledScale `json:"own_scale"`    // S is each cell's own total, as printed in papers
	Common PooledScale `json:"common_scale"` // S is one million for both
	Text   string      `json:"text"`         // in words
	Wrong  string      `json:"wrong"`        // what is wrong with it
}

// PooledArm is one cell: its runs, and S, the total of S_i.
type PooledArm struct {
	Cell  string  `json:"cell"`  // ID
	N     int     `json:"n"`     // runs
	Total float64 `json:"total"` // chances of all runs
}

// PooledScale is L^ of both cells on a scale, with Student's test of A - B.
type PooledScale struct {
	// MeanA, SDA, MeanB and SDB are mean and standard deviation of L^ of both cells.
	MeanA float64 `json:"mean_a"`
	SDA   float64 `json:"sd_a"`
	MeanB float64 `json:"mean_b"`
	SDB   float64 `json:"sd_b"`
	Test  *Test   `json:"test,omitempty"` // pooled, two-sided
	Bound float64 `json:"bound"`          // one-sided bound at 5 %: the papers reject below it
}

// notOurs says what is wrong with the arithmetic of L^.
const notOurs = "the paper's arithmetic, not ours: on its own scale each arm's losses are multiplied by its own total, so that the arm that served more requests seems to lose more; " +
	"the t test takes counts for normal and the runs for unpaired. Read the rates per million, which are compared by tests for rates"

// pooledRates compares each variant with its baseline, and the cells of each
// question about lost ones, wherever transactions are lost: readers of papers look
// for it, and find beside it what is wrong with it.
func (r *reader) pooledRates() []PooledRates {
	m := r.lostMetric()
	if m == nil {
		return nil
	}
	var pairs [][2]string
	add := func(a, b string) {
		if a != "" && b != "" && !slices.Contains(pairs, [2]string{a, b}) && r.void[a] == "" && r.void[b] == "" {
			pairs = append(pairs, [2]string{a, b})
		}
	}
	for _, q := range r.scenario.Questions {
		if asked := r.metric(q.Metric); asked != nil && asked.Of != "" && q.Asked {
			add(q.A, q.B)
		}
	}
	for _, c := range r.cells() {
		if c.Role == results.RoleVariant {
			add(c.ID, c.Baseline)
		}
	}
	var all []PooledRates
	for _, p := range pairs {
		if x := r.pooledPair(p[0], p[1], *m); x != nil {
			all = append(all, *x)
		}
	}
	return all
}

// lostMetric is the count that papers pool: that of the whole load, ramp included,
// where the scenario has it, else its first key count, else its first.
func (r *reader) lostMetric() *results.Metric {
	var first, key *results.Metric
	for i := range r.scenario.Metrics {
		m := &r.scenario.Metrics[i]
		switch {
		case m.Of == "":
			continue
		case strings.HasSuffix(m.Of, "_all"):
			return m
		case key == nil && m.Key:
			key = m
		case first == nil:
			first = m
		}
	}
	if key != nil {
		return key
	}
	return first
}

func (r *reader) pooledPair(a, b string, m results.Metric) *PooledRates {
	ca, cb := r.campaign.Cell(a), r.campaign.Cell(b)
	x, y := runsOf(r.counts(a, m)), runsOf(r.counts(b, m))
	if ca == nil || cb == nil || len(x.Events) < 2 || len(y.Events) < 2 {
		return nil
	}
	_, sx := x.Total()
	_, sy := y.Total()
	p := &PooledRates{Metric: m.Name, Of: m.Of, A: PooledArm{a, len(x.Events), sx}, B: PooledArm{b, len(y.Events), sy}}
	p.Wrong = notOurs
	var ok, common bool
	p.Own, ok = pooledScale(x, sx, y, sy)
	p.Common, common = pooledScale(x, million, y, million)
	if !ok || !common {
		return nil
	}
	p.Text = fmt.Sprintf("%s against %s, %s: on each one's own scale %s; per million %s; rejected below %s",
		ca.Label(), cb.Label(), spaced(m.Name), p.Own.words(), p.Common.words(), number(p.Own.Bound))
	return p
}

// pooledScale is L^ of both with S as given.
func pooledScale(x stats.EventRuns, sx float64, y stats.EventRuns, sy float64) (PooledScale, bool) {
	scaled := func(r stats.EventRuns, s float64) (stats.Sample, error) {
		rates := r.Rates()
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
	p := PooledScale{MeanA: a.Mean, SDA: a.SD, MeanB: b.Mean, SDB: b.SD, Test: studentTest(a, b)}
	p.Bound = -stats.TQuantile(0.05, float64(a.N+b.N-2))
	return p, true
}

func (p PooledScale) words() string {
	text := fmt.Sprintf("L^ = %s ± %s against %s ± %s (sd)", number(p.MeanA), number(p.SDA), number(p.MeanB), number(p.SDB))
	if p.Test == nil {
		return text + ", without spread and so without t"
	}
	return text + fmt.Sprintf(", pooled t = %s, df %s", number(p.Test.T), number(p.Test.DF))
}
