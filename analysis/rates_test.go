package analysis_test

import (
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/internal/testnumber"
	"moobench/results"
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
