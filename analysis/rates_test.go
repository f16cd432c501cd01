package analysis_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/internal/testnumber"
	"moobench/results"
	"moobench/results/summary"
)

func served(t *testing.T, change func(*testcampaign.Store, *results.Scenario)) (*analysis.Answers, *analysis.Scenario) {
	t.Helper()
	s := testcampaign.Served()
	if change != nil {
		change(s, &s.Made.Scenarios[0])
	}
	a, err := analysis.Analyse(s)
	if err != nil {
		t.Fatal(err)
	}
	return a, &a.Scenarios[0]
}

func answerTo(t *testing.T, s *analysis.Scenario, id string) *analysis.Answer {
	t.Helper()
	for i := range s.Answers {
		if s.Answers[i].ID == id {
			return &s.Answers[i]
		}
	}
	t.Fatalf("no answer %q", id)
	return nil
}

// Nothing lost in either, a few lost, and many lost in some invocations are told
// apart by the tests that are right for each.
func TestRatesOfLosses(t *testing.T) {
	_, s := served(t, nil)
	for _, c := range []struct {
		id       string
		verdict  analysis.Verdict
		fails    bool
		sentence []string
	}{
		{"lost-c02", infer.Undecided, false, []string{"undecided: no requests are lost in either: 0 of 1,199,204", "fewer than 3.076 per million (95 %)", "could have detected 8.533 per million"}},
		{"lost-c03", infer.Higher, false, []string{"6.669 more of a million requests are lost with probe/hotswap/collect than with none", "simultaneous 95 % CI", "at least 1.221 times as often", "caveats: invalid 1 of 11"}},
		{"lost-c04", infer.Higher, true, []string{"114.9 more of a million requests are lost"}},
	} {
		a := answerTo(t, s, c.id)
		if a.Rates == nil || a.Verdict != c.verdict || a.Rates.Verdict != c.verdict || a.Rates.PoissonFails != c.fails || a.Difference != nil {
			t.Errorf("%s: %s, %+v", c.id, a.Verdict, a.Rates)
			continue
		}
		for _, want := range c.sentence {
			if !strings.Contains(a.Sentence.String(), want) {
				t.Errorf("%s: %q does not say %q", c.id, a.Sentence.String(), want)
			}
		}
		if c.fails != (a.Rates.Scatter != nil && a.Rates.Scatter.PPermuted != nil) || c.fails != strings.Contains(a.Detail, "struck out") {
			t.Errorf("%s: %s", c.id, a.Detail)
		}
	}
	for _, cell := range s.Cells {
		for _, m := range cell.Metrics {
			if counted := m.Rate != nil; counted && (m.Mean != nil || m.Difference != nil) {
				t.Errorf("%s: the count %s has a mean as well", cell.Label, m.Metric)
			}
		}
	}
}

// All are asked of one campaign, each in a family of its own.
func TestRatesAsked(t *testing.T) {
	cases := []struct {
		name, id, begins string
		verdict          analysis.Verdict
		change           func(*results.Question)
	}{
		{"equivalent within an amount", "lost-c02", "equivalent within 5 per million", infer.Equivalent, func(q *results.Question) { q.Margin = &results.Margin{Amount: 5} }},
		{"not equivalent within less", "lost-c02", "undecided", infer.Undecided, func(q *results.Question) { q.Margin = &results.Margin{Amount: 1} }},
		{"no share of nothing", "lost-c02", "undecided", infer.Undecided, func(q *results.Question) { q.Margin = &results.Margin{Share: 0.5} }},
		{"small", "lost-c03", "6.669 more", infer.Negligible, func(q *results.Question) { q.Margin = &results.Margin{Amount: 50} }},
		{"expected", "lost-c03", "yes: ", infer.Higher, func(q *results.Question) { q.Alternative = "greater" }},
		{"not expected", "lost-c04", "no: requests are not lost less often", infer.No, func(q *results.Question) { q.Alternative = "less" }},
		{"by a test of means", "lost-c03", "6.669 more", infer.Higher, func(q *results.Question) { q.Test = results.TestPaired }},
		{"no count", "lost-c03", "no answer: ", infer.NoAnswer, func(q *results.Question) { q.Metric = "service" }},
		{"nearly all", "lost-c03", "no answer: more than half", infer.NoAnswer, func(q *results.Question) { q.Metric = "right" }},
	}
	_, s := served(t, func(_ *testcampaign.Store, sc *results.Scenario) {
		asked := sc.Questions
		sc.Questions = nil
		for _, c := range cases {
			q := asked[slices.IndexFunc(asked, func(q results.Question) bool { return q.ID == c.id })]
			q.ID, q.Family = c.name, ""
			c.change(&q)
			sc.Questions = append(sc.Questions, q)
		}
	})
	for _, c := range cases {
		if a := answerTo(t, s, c.name); a.Verdict != c.verdict || !strings.HasPrefix(a.Sentence.String(), c.begins) {
			t.Errorf("%s: %s, %s", c.name, a.Verdict, a.Sentence.String())
		}
	}
}

// The void invocation is in no number, and the extra block's pair is in all.
func TestInvalidInvocations(t *testing.T) {
	a, s := served(t, nil)
	c := s.Cells[3]
	if c.OK != 10 || c.InvalidInvocations != 1 || c.Failed != 0 || a.Campaign.ExtraInvalid != 1 || len(a.Unanswered) != 0 {
		t.Errorf("%d OK, %d void, %d failed, %d extra, %q", c.OK, c.InvalidInvocations, c.Failed, a.Campaign.ExtraInvalid, a.Unanswered)
	}
	if len(c.Marks) != 2 || c.Marks[1].Show != "invalid 1 of 11" || !strings.Contains(c.Marks[1].Text, "lag p99 31 ms") {
		t.Errorf("marks %+v", c.Marks)
	}
	if d := c.Metrics[0].Difference; d == nil || d.N != 10 {
		t.Errorf("difference %+v, want the extra block's pair instead of the void one", d)
	}
	for _, inv := range a.Invocations {
		if inv.Invalid != "" && inv.Value != nil {
			t.Errorf("%s is void, and has a value", inv.ID)
		}
	}
	a, s = served(t, func(st *testcampaign.Store, _ *results.Scenario) {
		for _, inv := range st.Runs {
			if inv.Cell == "c03" {
				inv.Invalid = "late"
			}
		}
	})
	if m := s.Cells[3].Metrics[0]; m.Mean != nil || !strings.Contains(m.Absent, "none counts") || len(a.Unanswered) != 1 {
		t.Errorf("a cell of void ones: %+v, %q", m, a.Unanswered)
	}
}

// A late load costs an invocation its latencies and nothing else, and the figures of a row are
// over the pairs that its difference is of.
func TestVoidLatencies(t *testing.T) {
	void := func(blocks int, cells ...string) (*analysis.Answers, *analysis.Scenario) {
		return served(t, func(st *testcampaign.Store, _ *results.Scenario) {
			for _, inv := range st.Runs {
				if slices.Contains(cells, inv.Cell) && inv.Block <= blocks && inv.Profile == results.ProfileTiming {
					inv.Void = map[string]string{"latency": "sent 31ms late", "service": "sent 31ms late"}
				}
			}
		})
	}
	_, whole := void(0)
	_, s := void(3, "c02")
	was, is := whole.Cell("c02"), s.Cell("c02")
	d, pairs := is.MetricNamed("latency").Difference, is.MetricNamed("latency").InPairs
	if n := was.MetricNamed("latency").Difference.N; d.N != n-3 || pairs == nil || pairs.Blocks != d.N {
		t.Errorf("%d pairs in %+v, want %d", d.N, pairs, n-3)
	}
	if x := pairs.With - pairs.Without; math.Abs(x-d.Value) > 1e-9*pairs.With {
		t.Errorf("%v with and %v without differ by %v", pairs.With, pairs.Without, d.Value)
	}
	if c := is.MetricNamed("cpu_per_request"); c.Difference.Value != was.MetricNamed("cpu_per_request").Difference.Value || is.OK != was.OK {
		t.Errorf("CPU time hangs on the load: %+v", c)
	}
	if m := results.Find(is.Marks, func(m *analysis.Mark) bool { return m.Kind == "void values" }); m == nil || !strings.Contains(m.Text, "31ms") {
		t.Errorf("nothing says that latencies are void: %+v", is.Marks)
	}
	a, s := void(math.MaxInt, "c00")
	is = s.Cell("c02")
	if m := is.MetricNamed("latency"); m.Difference != nil || !strings.Contains(m.NoDifference, "none") ||
		!strings.Contains(m.NoDifference, "31ms late") || len(a.Unanswered) == 0 {
		t.Errorf("a baseline without latencies: %+v, %q", m, a.Unanswered)
	}
	if is.MetricNamed("cpu_per_request").Difference == nil {
		t.Error("CPU time went with the latencies")
	}
}

// A value that is only known to be larger than a bound is in no mean: medians and ranks answer.
func TestValuesOverABound(t *testing.T) {
	const metric = "cpu_per_request"
	over := func(bound float64, blocks int, cells ...string) (*analysis.Cell, *analysis.Scenario) {
		_, s := served(t, func(st *testcampaign.Store, _ *results.Scenario) {
			for _, inv := range st.Runs {
				if slices.Contains(cells, inv.Cell) && inv.Block <= blocks && inv.Profile == results.ProfileTiming {
					delete(inv.Scalars, metric)
					inv.AtLeast = map[string]float64{metric: bound}
				}
			}
		})
		return s.Cell("c02"), s
	}
	c, s := over(1e6, math.MaxInt, "c02")
	base := s.Cell("c00").MetricNamed(metric).Mean.Value
	m := c.MetricNamed(metric)
	a := m.AtLeast
	if m.Mean != nil || m.Difference != nil || a == nil || a.Runs != a.Of || a.Median != nil || a.Bound != 1e6 || a.Verdict != infer.Higher {
		t.Fatalf("all runs are over it: %+v, %+v", m, a)
	}
	if d := *a.Difference; d < 0.99*(1e6-base) || d > 1.01*1e6 || *a.Low > d || !strings.Contains(m.Absent, "in 10 of 10 runs it was over 1.000 ms, at least 9") {
		t.Errorf("at least %v and %v more than %v: %s", d, *a.Low, base, m.Absent)
	}
	if c, _ = over(1e6, 3, "c02"); c.MetricNamed(metric).AtLeast.Runs != 3 || c.MetricNamed(metric).AtLeast.Median == nil {
		t.Errorf("some are over it: %+v", c.MetricNamed(metric).AtLeast)
	}
	if c, _ = over(1, math.MaxInt, "c02"); c.MetricNamed(metric).AtLeast.Verdict != infer.Undecided {
		t.Errorf("a bound below the baseline shows nothing: %+v", c.MetricNamed(metric).AtLeast)
	}
	if c, _ = over(1e6, math.MaxInt, "c00", "c02"); c.MetricNamed(metric).AtLeast.Difference != nil {
		t.Errorf("nothing is known of the baseline: %+v", c.MetricNamed(metric).AtLeast)
	}
	if c, s = over(1e6, math.MaxInt, "c00"); c.MetricNamed(metric).Difference != nil {
		t.Errorf("the baseline is over it, and there is a difference: %+v", s.Cell("c02").MetricNamed(metric))
	}
}

// An agent that breaks the application has numbers, and no verdict but on what was counted.
func TestBrokenApplication(t *testing.T) {
	a, s := served(t, func(st *testcampaign.Store, sc *results.Scenario) {
		for i := range sc.Metrics {
			if sc.Metrics[i].Name == "wrong" {
				sc.Metrics[i].BaselineMost = 0.01
			}
		}
		for _, inv := range st.Runs {
			if inv.Cell == "c03" && inv.Profile == results.ProfileTiming {
				inv.Scalars["wrong"], inv.Scalars["lost"] = 70_000, 70_000
			}
		}
	})
	c := s.Cell("c03")
	if !strings.HasPrefix(c.Broken, "it breaks the application: with it 58 % of the requests are wrong (") || !strings.HasSuffix(c.Broken, "without it 0 %") ||
		c.Unanswered("latency") != c.Broken || len(a.Unanswered) != 1 || !strings.Contains(a.Unanswered[0], c.Broken) {
		t.Errorf("%q, %q", c.Broken, a.Unanswered)
	}
	if c.MetricNamed("latency").Mean == nil || s.Cell("c02").Broken != "" {
		t.Error("its numbers are gone, or it broke others")
	}
	for _, q := range s.Answers {
		if q.A == "c03" && q.Metric == "latency" && q.Verdict != infer.NoAnswer {
			t.Errorf("%s: %s", q.ID, q.Verdict)
		}
		if q.A == "c03" && q.Metric == "lost" && q.Verdict != infer.Higher {
			t.Errorf("%s: %s", q.ID, q.Verdict)
		}
	}
}

// What calibrates is told, and in no number of the cells.
func TestCalibrationsAreApart(t *testing.T) {
	_, s := served(t, nil)
	if len(s.Calibrations) != 1 || s.Calibrations[0].Median != 5740 || s.Calibrations[0].Unit != "1/s" || len(s.Calibrations[0].Found) != 3 {
		t.Errorf("calibrations %+v", s.Calibrations)
	}
	if m := s.Cells[0].Metrics[len(s.Cells[0].Metrics)-1]; m.Metric != "capacity" || m.Mean != nil || s.Cells[0].OK != 11 {
		t.Errorf("%+v of %d", m, s.Cells[0].OK)
	}
}

// The paper's arithmetic on its own scale and on the common one, from counts that
// can be followed by hand.
func TestPooledRates(t *testing.T) {
	_, s := served(t, func(st *testcampaign.Store, sc *results.Scenario) {
		sc.Pool = results.PoolCalls
		for _, inv := range st.Runs {
			if inv.Profile != results.ProfileTiming {
				continue
			}
			lost, all := map[string]float64{"c00": 4, "c02": 6}[inv.Cell], 1000.0
			if inv.Block%2 == 0 {
				lost += 2
			}
			if inv.Cell == "c02" {
				all = 500
			}
			inv.Scalars["lost_all"], inv.Scalars["requests_all"] = lost, all
		}
	})
	if len(s.PooledRates) != 3 {
		t.Fatalf("%d comparisons", len(s.PooledRates))
	}
	p := s.PooledRates[0]
	near := func(got, want float64) bool { return testnumber.Near(got, want, 1e-9) }
	// Ten runs of 500: L^ = 5000 L/500, 60 or 80; of the eleven runs of 1000, five are even.
	if p.A.Total != 5000 || p.B.Total != 11_000 || !near(p.Own.MeanA, 70) || !near(p.Own.MeanB, 11*(6*4+5*6)/11.0) || !near(p.Common.MeanA, 14_000) || !near(p.Common.MeanB, 1e3*54/11) {
		t.Errorf("%+v", p)
	}
	if p.Own.Test == nil || p.Own.Test.DF != 19 || p.Own.Test.T >= p.Common.Test.T || !near(p.Own.Bound, -1.7291328115213693) {
		t.Errorf("own %+v, common %+v", p.Own.Test, p.Common.Test)
	}
	if s.Pooled == "" || s.Cells[0].Pooled == nil || s.Cells[0].Pooled.N != 33_000 {
		t.Errorf("latencies pooled over all requests: %+v", s.Cells[0].Pooled)
	}
}

func TestTimelines(t *testing.T) {
	_, s := served(t, nil)
	if len(s.Timelines) != 4 || len(s.ToggleEffects) != 4 {
		t.Fatalf("%d timelines, %d effects", len(s.Timelines), len(s.ToggleEffects))
	}
	for i, line := range s.Timelines {
		if line.StepNS != 100e6 || len(line.Rows) != 400 || len(line.Toggles) != 39 || !line.Toggles[0].On || line.Toggles[1].On {
			t.Errorf("%s: step %v, %d rows, %d toggles", line.Cell, line.StepNS, len(line.Rows), len(line.Toggles))
		}
		none, e := i == 0, s.ToggleEffects[i].P99
		if holds := e.Interval.Low <= 0 && e.Interval.High >= 0; holds != none {
			t.Errorf("%s: a toggle makes p99 higher by %+v", line.Cell, e.Interval)
		}
	}
	// Steps of half a second are too coarse for toggles each second.
	_, s = served(t, func(st *testcampaign.Store, _ *results.Scenario) {
		for _, sum := range st.Summaries {
			for i := range sum.Columns {
				if c := &sum.Columns[i]; c.Series == results.SeriesTimeline && c.Name == "since" {
					scaleBy(c, 5)
				}
			}
		}
	})
	if len(s.ToggleEffects) != 0 || len(s.Timelines) != 4 {
		t.Errorf("coarse steps: %d effects, %d timelines", len(s.ToggleEffects), len(s.Timelines))
	}
}

func scaleBy(c *summary.Column, factor float64) {
	for i := range c.Sum {
		c.Sum[i] *= factor
	}
}
