package reading_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/internal/testchapter"
	"moobench/results"
)

func served(t *testing.T, change func(*testcampaign.Store, *results.Scenario)) (*analysis.Answers, *analysis.Scenario) {
	t.Helper()
	s := testcampaign.Served()
	if change != nil {
		change(s, &s.Made.Scenarios[0])
	}
	a := testchapter.Analyse(t, s)
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
