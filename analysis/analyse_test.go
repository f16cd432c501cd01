package analysis_test

import (
	"cmp"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/proof"
	"moobench/results"
)

var _ analysis.Source = (*results.Store)(nil)

func analyse(t *testing.T, s *testcampaign.Store) *analysis.Answers {
	t.Helper()
	a, err := analysis.Analyse(s)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func cell(t *testing.T, a *analysis.Answers, variant string) *analysis.Cell {
	t.Helper()
	for i := range a.Scenarios[0].Cells {
		if c := &a.Scenarios[0].Cells[i]; c.Variant == variant {
			return c
		}
	}
	t.Fatalf("no cell %s", variant)
	return nil
}

// primary is the answer of the first metric, which is the primary one.
func primary(c *analysis.Cell) analysis.MetricAnswer { return c.Metrics[0] }

func TestHealthyCampaign(t *testing.T) {
	a := analyse(t, testcampaign.Small())
	if a.Incomplete() || len(a.Warnings) > 0 {
		t.Errorf("incomplete: %v, warnings: %v", a.Unanswered, a.Warnings)
	}
	for variant, want := range map[string]float64{"kieker/manual/inactive": 155, "kieker/bci/tcp": 1511, "probe/hotswap/collect": 340} {
		m := primary(cell(t, a, variant))
		if d := m.Difference; d.N != 8 || math.Abs(d.Value-want) > 0.03*want || d.Interval.Level != 1-0.05/4 {
			t.Errorf("%s: difference %+v at %+v, want about %v of 8 pairs at 98.75 %%", variant, *d, *d.Interval, want)
		}
	}
	if aa := a.Scenarios[0].AA; len(aa) != 1 || aa[0].State != analysis.AAResolves || *aa[0].Resolves > 0.02 {
		t.Errorf("A/A: %+v", aa)
	}
	if got := cell(t, a, "none"); got.Planned != 8 || got.OK != 8 || primary(got).Difference != nil {
		t.Errorf("baseline: %+v", got)
	}
}

func TestAnswersAreSentences(t *testing.T) {
	a := analyse(t, testcampaign.Small())
	got := a.Scenarios[0].Answers
	for i, want := range []analysis.Verdict{infer.Higher, infer.Higher, infer.Higher, infer.Undecided} {
		if got[i].Verdict != want || got[i].FamilySize != 4 || !strings.Contains(got[i].Sentence.String(), "simultaneous 95 % CI") {
			t.Errorf("answer %d: %+v, want %s", i, got[i], want)
		}
	}
	if want := "kieker/bci/tcp adds 1.520 µs over none (simultaneous 95 % CI 1.488 … 1.553 µs), 3.7 times as much"; got[1].Sentence.String() != want {
		t.Errorf("got  %s\nwant %s", got[1].Sentence.String(), want)
	}
}

func TestTroublesAreVisible(t *testing.T) {
	a := analyse(t, testcampaign.Troubled())
	for _, c := range []struct {
		variant string
		verdict proof.Proven
		pairs   int
		marks   []string
	}{
		{"opentelemetry/bci/otlp", proof.Lost, 6, []string{"lost 95.5 %"}},
		{"opentelemetry/bci/otlp-large", proof.Deferred, 6, []string{"cost deferred 43 %", "queue not filled"}},
		{"kieker/bci/wrong-class", proof.NotInstrumented, 0, []string{"not instrumented"}},
		{"kieker/bci/collect", proof.Instrumented, 3, []string{"failed 3 of 6", "only 3"}},
		{"mine/bci/default", "", 0, []string{"given up", "failed 6 of 6"}}, // no proof is what it lacks
		{"kieker/bci/inactive", proof.Instrumented, 6, []string{"oversubscribed"}},
	} {
		got := cell(t, a, c.variant)
		var marks []string
		for _, m := range got.Marks {
			marks = append(marks, m.Show)
		}
		if cmp.Or(got.Records, &proof.Records{}).Verdict != c.verdict || !slices.Equal(marks, c.marks) {
			t.Errorf("%s: %+v, marks %q, want %s, %q", c.variant, got.Records, marks, c.verdict, c.marks)
		}
		// A failed invocation takes away its own pair only.
		if d := primary(got).Difference; (d == nil) != (c.pairs == 0) || d != nil && d.N != c.pairs {
			t.Errorf("%s: difference %+v, want %d pairs", c.variant, d, c.pairs)
		}
	}
	if got := cell(t, a, "none"); got.Disturbed != 1 || len(got.Warnings) != 1 {
		t.Errorf("baseline: disturbed %d, warnings %v", got.Disturbed, got.Warnings)
	}
	if !slices.Contains(a.Scenarios[0].Notes, "the JVM has 1 CPU, so the agent's own threads compete with it") {
		t.Errorf("notes: %q", a.Scenarios[0].Notes)
	}
	if !a.Incomplete() || len(a.Unanswered) != 3 || a.Campaign.Superseded != 1 || len(a.Warnings) != 1 {
		t.Errorf("unanswered %q, warnings %q, superseded %d", a.Unanswered, a.Warnings, a.Campaign.Superseded)
	}
}

func TestInvalidCellHasNoNumbers(t *testing.T) {
	a := analyse(t, testcampaign.Troubled())
	c := cell(t, a, "kieker/bci/wrong-class")
	for _, m := range c.Metrics {
		if m.Mean != nil || m.Difference != nil || m.Ratio != nil || m.Quantiles != nil || m.Absent == "" {
			t.Errorf("%s: %+v", m.Metric, m)
		}
	}
	for _, inv := range a.Invocations {
		if inv.Cell == c.ID && (inv.Value != nil || inv.Trace != nil) {
			t.Errorf("invocation %s has a value", inv.ID)
		}
	}
}

func TestBatchesHaveNoQuantiles(t *testing.T) {
	a := analyse(t, testcampaign.Troubled())
	m := primary(cell(t, a, "opentelemetry/bci/otlp"))
	if m.Quantiles != nil || m.NoQuantiles == "" || math.Abs(m.Mean.Value-5310) > 200 {
		t.Errorf("batched: %+v, mean %v", m, m.Mean)
	}
	m = primary(cell(t, a, "none"))
	if len(m.Quantiles) != 5 || m.Quantiles[0].Estimate.Interval == nil {
		t.Errorf("single calls: %+v", m.Quantiles)
	}
}

func TestUnordered(t *testing.T) {
	a := analyse(t, testcampaign.Unordered())
	s := a.Scenarios[0]
	if len(s.AA) != 0 || !strings.HasPrefix(s.Notes[0], "unordered: imported from MooBench, no blocks, no A/A") {
		t.Errorf("A/A %v, notes %q", s.AA, s.Notes)
	}
	m := primary(cell(t, a, "kieker/bci/tcp"))
	if m.Ratio != nil || m.NoRatio == "" || m.Difference == nil || m.Difference.Test.DF == float64(m.Difference.N-1) {
		t.Errorf("want a Welch difference and no ratio: %+v %+v", m, m.Difference)
	}
	if !strings.HasPrefix(s.Answers[1].Detail, "Welch's t") || a.Incomplete() {
		t.Errorf("detail %q, unanswered %q", s.Answers[1].Detail, a.Unanswered)
	}
}

func TestOneBlockHasNoInterval(t *testing.T) {
	a := analyse(t, testcampaign.Single())
	m := primary(cell(t, a, "kieker/bci/tcp"))
	if m.Mean.Interval != nil || m.Mean.NoInterval == "" || m.Difference.Interval != nil || m.Difference.NoInterval == "" {
		t.Errorf("%+v %+v", m.Mean, m.Difference)
	}
	s := a.Scenarios[0]
	if s.AA[0].State != analysis.AATooFew || s.Answers[0].Verdict != infer.NoAnswer {
		t.Errorf("A/A %+v, answer %+v", s.AA[0], s.Answers[0])
	}
	if a.Incomplete() {
		t.Errorf("one planned block is not incomplete: %q", a.Unanswered)
	}
	if !strings.HasPrefix(s.Window, "all samples") {
		t.Errorf("30 samples have no half: %q", s.Window)
	}
}

func TestUnfinished(t *testing.T) {
	s := testcampaign.Tiny()
	s.Runs = slices.DeleteFunc(s.Runs, func(inv *results.Invocation) bool { return inv.Block == 3 })
	a := analyse(t, s)
	if c := cell(t, a, "kieker/bci/tcp"); c.Missing != 1 || c.Planned != 3 || !a.Incomplete() {
		t.Errorf("missing %d of %d, unanswered %q", c.Missing, c.Planned, a.Unanswered)
	}
}

func TestNothingMeasured(t *testing.T) {
	s := testcampaign.Tiny()
	s.Runs = nil
	a := analyse(t, s)
	if !a.Incomplete() || a.Loops.Absent == "" || a.Campaign.Start != nil {
		t.Errorf("%+v", a)
	}
	if _, err := analysis.Analyse(&testcampaign.Store{Made: &results.Campaign{}}); err == nil {
		t.Error("a campaign without scenario: want an error")
	}
}

func TestSummaryGone(t *testing.T) {
	s := testcampaign.Tiny()
	delete(s.Summaries, s.Runs[0].Identity)
	s.Runs[1].Cell = "c99"
	a := analyse(t, s)
	if len(a.Warnings) != 2 || !a.Incomplete() {
		t.Errorf("warnings %q", a.Warnings)
	}
}

// JSON holds no NaN and no infinity: encoding would fail.
func TestEverythingIsFinite(t *testing.T) {
	zero := testcampaign.Tiny()
	for _, inv := range zero.Runs {
		inv.Scalars = map[string]float64{"alloc_bytes": 0, "gc_count": math.NaN(), "loop_ns": math.Inf(1)}
	}
	huge := testcampaign.Small()
	for i, inv := range huge.Runs {
		inv.Scalars = map[string]float64{"alloc_bytes": 1e308 * math.Pow(-1, float64(i)), "rss_peak_bytes": 5e-324}
	}
	for _, s := range []*testcampaign.Store{zero, huge, testcampaign.Single(), testcampaign.Troubled(), testcampaign.Unordered(), testcampaign.Hostile()} {
		if _, err := json.Marshal(analyse(t, s)); err != nil {
			t.Error(err)
		}
	}
}

// Reading order is not part of the answer.
func TestOrderOfReadingDoesNotMatter(t *testing.T) {
	want := analyse(t, testcampaign.Small()).Scenarios[0].Answers
	s := testcampaign.Small()
	rand.New(rand.NewPCG(3, 4)).Shuffle(len(s.Runs), func(i, j int) { s.Runs[i], s.Runs[j] = s.Runs[j], s.Runs[i] })
	got := analyse(t, s).Scenarios[0].Answers
	if len(got) != len(want) {
		t.Fatalf("%d answers, want %d", len(got), len(want))
	}
	for i := range got {
		if got[i].Sentence != want[i].Sentence || math.Abs(got[i].Difference.Value/want[i].Difference.Value-1) > 1e-12 {
			t.Errorf("answer %d depends on the order of reading", i)
		}
	}
}

func TestLoops(t *testing.T) {
	a := analyse(t, testcampaign.Tiny())
	l := a.Loops
	if l.Share == nil || math.Abs(*l.Share-l.LoopNS/(l.WallNS-l.StartupNS)) > 1e-12 || l.LoopNS != 9*30e9 || l.WallNS != 9*42e9 {
		t.Errorf("loops: %+v", l)
	}
	// The agent starts 0.15 s slower than its baseline, in each of three blocks.
	if l.StartupNS < 0.40e9 || l.StartupNS > 0.50e9 {
		t.Errorf("agents' start-up: %v ns", l.StartupNS)
	}
}
