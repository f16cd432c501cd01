package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"moobench/analysis/internal/testcampaign"
	"moobench/results"
	"moobench/results/summary"
)

// timed is a campaign of samples: shapes[i] says what the i-th cell's call
// costs at a share of the invocation.
type timed struct {
	testcampaign.Flat
	summaries map[results.Identity]*summary.Summary
}

func (s *timed) Summary(inv *results.Invocation) (*summary.Summary, error) {
	return s.summaries[inv.Identity], nil
}

const timedSamples = 20_000

type shape func(at float64) float64

func level(at float64) shape { return func(float64) float64 { return at } }

func warming(to float64) shape {
	return func(at float64) float64 {
		if at < 0.2 {
			return 3 * to
		}
		return to
	}
}

func cyclic(mean float64) shape {
	return func(at float64) float64 { return mean * (1 + 0.2*math.Sin(20*at)) }
}

func makeTimed(t *testing.T, blocks int, shapes ...shape) *timed {
	t.Helper()
	f := &timed{summaries: map[results.Identity]*summary.Summary{}}
	m := results.Metric{Name: "duration", Unit: "ns", Better: results.Lower, Primary: true, Series: "duration", Column: "t"}
	f.Made.Scenarios = []results.Scenario{{Label: "s", Metrics: []results.Metric{m}}}
	for i := range shapes {
		c := results.Cell{ID: fmt.Sprint("c", i), Scenario: "s", Variant: fmt.Sprint(i), Role: results.RoleVariant, Baseline: "c0"}
		c.Proof = results.ProofPlan{Kind: results.ProofCount, Source: "otlp", Expected: 10 * timedSamples}
		if i == 0 {
			c.Role, c.Baseline, c.Proof = results.RoleBaseline, "", results.ProofPlan{Kind: results.ProofBaseline}
		}
		f.Made.Cells = append(f.Made.Cells, c)
	}
	rng := rand.New(rand.NewPCG(8, 8))
	for b := 1; b <= blocks; b++ {
		for slot, s := range shapes {
			f.sample(t, rng, results.Identity{Block: b, Slot: slot}, s)
		}
	}
	return f
}

func (s *timed) sample(t *testing.T, rng *rand.Rand, id results.Identity, of shape) {
	t.Helper()
	values := make([]int64, timedSamples)
	effect := math.Exp(0.005 * rng.NormFloat64())
	for i := range values {
		values[i] = int64(math.Round(effect * of(float64(i)/timedSamples) * math.Exp(0.02*rng.NormFloat64())))
	}
	b := summary.NewBuilder(timedSamples)
	b.Add(values)
	col, err := b.Column()
	if err != nil {
		t.Fatal(err)
	}
	col.Series, col.Name = "duration", "t"
	s.summaries[id] = &summary.Summary{Columns: []summary.Column{col}}
	s.All = append(s.All, &results.Invocation{
		Identity: id, Cell: fmt.Sprint("c", id.Slot), Profile: results.ProfileTiming, Status: results.StatusOK,
		Series: []results.Series{{Name: "duration", Count: timedSamples, Batch: 1}},
		Proof:  results.Proof{Source: "otlp", Expected: 10 * timedSamples, ByExit: 10 * timedSamples, ByLoopEnd: 10 * timedSamples},
	})
}

func analysed(t *testing.T, f *timed) Scenario {
	t.Helper()
	a, err := Analyse(f)
	if err != nil {
		t.Fatal(err)
	}
	return a.Scenarios[0]
}

func TestSteadyStates(t *testing.T) {
	s := analysed(t, makeTimed(t, 6, level(1000), warming(2000), cyclic(3000)))
	for i, want := range []string{"flat", "warmup", "no steady state"} {
		if got := s.Cells[i].Steady; got == nil || got.Class != want || got.Counts[want] != 6 {
			t.Errorf("cell %d: %+v, want %s", i, got, want)
		}
	}
	warm := s.Cells[1].Steady
	if w := warm.WarmupCalls; w == nil || math.Abs(w.Value-0.2*timedSamples) > 0.01*timedSamples {
		t.Errorf("steady after %+v calls, want about %v", w, 0.2*timedSamples)
	}
	if w := warm.WarmupMean; w == nil || math.Abs(w.Value-6000) > 60 {
		t.Errorf("warm-up mean %+v, want about 6000", w)
	}
	if got := s.Cells[1].Metrics[0].Mean.Value; math.Abs(got-2000) > 20 {
		t.Errorf("mean %v: the warm-up is in it", got)
	}
	marks := s.Cells[2].Marks
	if len(marks) != 1 || marks[0].Show != "no steady state 6 of 6" {
		t.Errorf("marks: %+v", marks)
	}
	if len(s.Cells[1].Marks) > 0 {
		t.Errorf("a warm-up spoils nothing: %+v", s.Cells[1].Marks)
	}
}

func TestInconsistent(t *testing.T) {
	f := makeTimed(t, 4, level(1000), level(2000))
	mixed := makeTimed(t, 4, level(1000), warming(2000))
	for _, b := range []int{2, 4} {
		id := results.Identity{Block: b, Slot: 1}
		f.summaries[id] = mixed.summaries[id]
	}
	got := analysed(t, f).Cells[1].Steady
	if got.Class != "inconsistent" || got.Text != "inconsistent (2 flat, 2 warmup): steady after 2,000 calls of a thread (median)" {
		t.Errorf("%+v", got)
	}
}

func TestWindows(t *testing.T) {
	for kind, want := range map[results.Window]float64{
		"": 2000, results.WindowSteady: 2000, results.WindowHalf: 2000, results.WindowAll: 2000*0.8 + 6000*0.2,
	} {
		f := makeTimed(t, 3, level(1000), warming(2000))
		f.Made.Scenarios[0].Window = kind
		s := analysed(t, f)
		c := s.Cells[1]
		if got := c.Metrics[0].Mean.Value; math.Abs(got/want-1) > 0.01 {
			t.Errorf("window %q: mean %v, want %v", kind, got, want)
		}
		if c.Other == nil || c.Other.Window == s.WindowKind || s.Window == "" {
			t.Errorf("window %q: the other one is %+v", kind, c.Other)
		}
	}
}

// A record delivered costs what a call costs more, by the records of a call.
func TestPerRecord(t *testing.T) {
	f := makeTimed(t, 5, level(1000), level(3000))
	for _, inv := range f.All {
		if inv.Cell == "c1" {
			inv.Proof.ByExit /= 4 // the rest is lost
		}
	}
	c := analysed(t, f).Cells[1]
	if got := c.PerRecord; got == nil || math.Abs(got.Value/(2000/2.5)-1) > 0.02 || got.Interval == nil {
		t.Errorf("per record delivered: %+v, want about 800", got)
	}
}

func TestPool(t *testing.T) {
	f := makeTimed(t, 5, level(1000), level(3000))
	f.Made.Scenarios[0].Questions = []results.Question{{ID: "q", Metric: "duration", A: "c1", B: "c0"}}
	if s := analysed(t, f); s.Pooled != "" || s.Cells[1].Pooled != nil || s.Answers[0].Pooled != "" {
		t.Errorf("nobody asked for it: %+v", s.Cells[1].Pooled)
	}
	f.Made.Scenarios[0].Pool = results.PoolCalls
	s := analysed(t, f)
	p := s.Cells[1].Pooled
	if p == nil || p.N != 5*timedSamples/2 || math.Abs(p.Half-1.96*p.SD/math.Sqrt(float64(p.N))) > 1e-9 || *p.TooNarrow < 3 {
		t.Fatalf("pooled: %+v", p)
	}
	if !strings.Contains(s.Pooled, "pseudo-replication") || !strings.Contains(s.Answers[0].Pooled, "50,000 + 50,000 calls") {
		t.Errorf("%q, %q", s.Pooled, s.Answers[0].Pooled)
	}
}

func TestQuantileOverheads(t *testing.T) {
	s := analysed(t, makeTimed(t, 7, level(1000), level(3000)))
	qs := s.Cells[1].Metrics[0].Quantiles
	if len(qs) != 5 || qs[1].Name != "p90" || qs[3].Name != "p99.9" {
		t.Fatalf("quantiles: %+v", qs)
	}
	for _, q := range qs[:3] {
		d, r := q.Difference, q.Ratio
		if d == nil || d.Interval == nil || math.Abs(d.Value-2000) > 200 || math.Abs(r.Value-3) > 0.1 {
			t.Errorf("%s: %+v, %+v", q.Name, d, r)
		}
	}
	if got := s.Cells[1].Metrics[0].Components; got == nil || got.ICC <= 0.5 || math.Abs(got.BetweenSD-15) > 12 {
		t.Errorf("components: %+v, want most of it between invocations", got)
	}
}
