package report

import (
	"testing"
	"time"

	"moobench/analysis"
	"moobench/analysis/chapter/contrasts"
	"moobench/analysis/chapter/sizing"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

func ptr[T any](x T) *T { return &x }

func around(n int, value, half float64) *analysis.Estimate {
	return &analysis.Estimate{
		N: n, Value: value, SD: ptr(half), Interval: &analysis.Interval{Low: value - half, High: value + half, Level: 0.95},
		Test: &analysis.Test{T: value / half, DF: float64(n - 1), P: 1e-9}, Detectable: ptr(1.5 * half),
	}
}

// whole is a campaign with everything that answers can hold, filled in by hand.
func whole(t *testing.T) *analysis.Answers {
	t.Helper()
	return sharedBy(t, "whole", wholeAnew)
}

func wholeAnew(t *testing.T) *analysis.Answers {
	t.Helper()
	a := changeable(shared(t, testcampaign.Troubled))
	s := &a.Scenarios[0]
	a.Machines[0].Calibration = &results.Calibration{
		When: time.Date(2026, 11, 20, 1, 0, 0, 0, time.UTC), Runtime: "17.0.15+6", Moobench: "0.1.0", Blocks: 20,
		KnownNS: 2000, MeasuredNS: 2003, LowNS: 1998, HighNS: 2008, Level: 0.95, Recovered: true, AA: "resolves", Resolves: 0.004,
	}
	s.AA[0].State, s.AA[0].Resolves = analysis.AAFailed, nil
	s.AA[0].Text = analysis.Sentence{Opening: "failed", Rest: "two equal baselines differ by 3.1 % (p = 2.0e-05, 6 pairs of baselines): no difference below can be trusted"}
	a.Unanswered = append([]string{"overhead: the A/A failed"}, a.Unanswered...)
	sizes(s)
	s.Pooled = "a paper's arithmetic, for replication: every call counts as an independent observation"
	parts(s)
	for i := range s.Cells {
		cell(&s.Cells[i], i)
	}
	for i := range a.Invocations {
		a.Invocations[i].From = []float64{0, 0.05, 0.05, 0.3}[i%4]
	}
	asked := analysis.Answer{
		ID: "rq1", Text: "Does a large queue cost less than a small one?", Metric: "duration", A: "c03", B: "c02", FamilySize: 1, Asked: true, Alpha: 0.05,
		Difference: around(6, -2224, 60), Verdict: infer.Lower,
		Sentence: analysis.Sentence{Opening: "yes", Rest: "opentelemetry/bci/otlp-large costs 2.224 µs less than opentelemetry/bci/otlp (95 % CI 2.164 … 2.284 µs)"},
		Detail:   "paired t = −37.07, df 5, p = 2.5e-07, n = 6 pairs of invocations", Pooled: "over calls: t = −512.1, p < 1e-300",
	}
	free := asked
	free.ID, free.Text, free.Verdict, free.Sentence = "rq2", "Is an inactive probe free?", infer.Equivalent, analysis.Sentence{Rest: "equivalent within 1 %: the ratio lies within 0.997 … 1.004"}
	small := asked
	small.ID, small.Text, small.Verdict, small.Sentence = "rq3", "And a disabled one?", infer.Negligible, analysis.Sentence{Rest: "costs 3.1 ns more than none, which is within 1 %"}
	s.Answers = append(s.Answers, asked, free, small)
	return a
}

func sizes(s *analysis.Scenario) {
	s.Sizing = &sizing.Sizing{
		Sizing: results.Sizing{
			Precision: 0.02, Pilot: 10,
			Decision: &results.Decision{Blocks: 24, Wanted: 31, Cut: results.CutTime, Reason: "max_time", Cells: []results.CellSize{
				{Cell: "c02", Pairs: 10, Mean: 5310, SD: 90, Wanted: 31}, {Cell: "c05", Pairs: 10, Mean: 2072, SD: 400, Wanted: 412, SetAside: true},
			}},
		},
		Text: "wanted: each difference to ± 2 % of the cell's own mean. The pilot of 10 blocks asked for 31; max_time cut them to 24",
		Reached: []sizing.Reached{
			{Cell: "c02", Share: 0.018, PilotSD: 90, SD: 95, OK: true},
			{Cell: "c03", Share: 0.019, PilotSD: 40, SD: 71, OK: true},
			{Cell: "c05", Share: 0.093, PilotSD: 400, SD: 380},
		},
	}
}

func parts(s *analysis.Scenario) {
	s.Contrasts = []contrasts.Contrast{
		{Name: "I", About: "asking whether the probe is active", Framework: "kieker", Mode: "bci", Stage: "inactive", Route: contrasts.Route{A: "c07", B: "c00", Estimate: around(6, 160, 11)}},
		{Name: "C", About: "collecting the record", Framework: "kieker", Mode: "bci", Stage: "collect", Route: contrasts.Route{A: "c05", B: "c07", Estimate: around(6, 1352, 80)}},
		{Name: "W", About: "writing or sending the record", Framework: "kieker", Mode: "bci", Stage: "tcp", Route: contrasts.Route{A: "c08", B: "c05", Absent: "no block holds both cells"}},
	}
	s.Unisolated = []string{"kieker: nothing here isolates W"}
	s.Closures = []contrasts.Closure{
		{
			Name: "I", Framework: "kieker", First: contrasts.Route{A: "c07", B: "c00", Estimate: around(6, 22, 3)}, Second: contrasts.Route{A: "c05", B: "c07", Estimate: around(6, 342, 11)},
			Difference: around(6, -320, 12), Disagree: true, Text: "two routes to I disagree by −320.0 ns (−332.0 … −308.0 ns); 22.00 ns one way, 342.0 ns the other",
		},
		{Name: "C", Framework: "kieker", First: contrasts.Route{A: "c05", B: "c07"}, Second: contrasts.Route{A: "c08", B: "c05", Absent: "no block holds both cells"}, Absent: "no block holds both cells", Text: "two routes to C can't be compared: no block holds both cells"},
	}
}

// cell fills in what the i-th cell can hold.
func cell(c *analysis.Cell, i int) {
	kinds := []analysis.Steady{
		{Class: "flat", Counts: map[string]int{"flat": 6}},
		{Class: "warmup", Counts: map[string]int{"warmup": 6}, WarmupCalls: around(6, 12_000, 900), WarmupMean: around(6, 9000, 100)},
		{Class: "inconsistent", Counts: map[string]int{"flat": 4, "no steady state": 2}},
	}
	c.Steady = &kinds[i%3]
	c.Steady.Text = steadyText(c.Steady)
	c.Other = &analysis.OtherWindow{Window: results.WindowHalf, Mean: around(6, 2070, 41)}
	if i == 2 {
		c.Marks = append(c.Marks, analysis.Mark{Kind: "no steady state", Show: "no steady state 2 of 6", Text: "2 invocations never came to rest: their second halves were taken"})
	}
	if c.Records != nil && c.Records.Received > 0 {
		c.PerRecord = around(6, 1069, 30)
	} else {
		c.NoPerRecord = "no record was delivered"
	}
	c.Pooled = &analysis.Pooled{N: 6_000_000, Mean: 561.8 + 100*float64(i), SD: 190, Half: 0.152, TooNarrow: ptr(12.4 + float64(i))}
	if i > 1 {
		c.Pooled.Test = &analysis.Test{T: -10.07213, DF: 11_999_998, P: 3.7e-24, Kind: "student"}
	}
	m := metricOf(c, "duration")
	m.Components = &analysis.Components{BetweenSD: 8, WithinSD: 21, ICC: 0.127}
	if m.Mean != nil {
		m.Mean.Detectable = ptr(3.2)
	}
	for j, name := range []string{"p50", "p90", "p99", "p99.9", "max"} {
		if j == len(m.Quantiles) && m.NoQuantiles == "" {
			m.Quantiles = append(m.Quantiles, analysis.Quantile{Name: name})
		}
		if j < len(m.Quantiles) {
			m.Quantiles[j] = analysis.Quantile{Name: name, P: 0.5, Estimate: *around(6, 600*float64(j+1), 12), Difference: around(6, 40*float64(j+1), 12), Ratio: around(6, 1.07, 0.02)}
		}
	}
	if i == 3 && len(m.Quantiles) == 5 {
		m.Quantiles[4] = analysis.Quantile{Name: "max", P: 1, Estimate: analysis.Estimate{N: 3, Value: 1e6, NoInterval: "3 invocations: an interval of the median needs six"}, NoDifference: "no block holds it and its baseline"}
	}
}
