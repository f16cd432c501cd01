package report

import (
	"bytes"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// What is not told apart from 0 is an upper bound, never ±0; what is shown to be within the
// margin is ±0; what has no interval is a question mark.
func TestBesideBaseline(t *testing.T) {
	interval := func(low, high float64) *analysis.Interval {
		return &analysis.Interval{Low: low, High: high, Level: 0.95}
	}
	lower, higher := results.Metric{Unit: "ns", Better: results.Lower}, results.Metric{Unit: "1/s", Better: results.Higher}
	for _, c := range []struct {
		m       results.Metric
		value   float64
		i       *analysis.Interval
		verdict analysis.Verdict
		want    string
	}{
		{lower, 8418, interval(-19_361, 36_197), infer.Undecided, "< 37 µs"},
		{lower, 36_000, interval(-1, 36_000), infer.Undecided, "< 36 µs"},
		{lower, -3, interval(-5, 0), infer.Undecided, "≤ 0 ns"},
		{higher, -3, interval(-41.2, 8), infer.Undecided, "> −42 1/s"},
		{lower, 8, interval(2, 14), infer.Undecided, "?"}, // verdicts leave room beside the interval
		{lower, 8, nil, infer.NoAnswer, "?"},
		{lower, 0.2, interval(-0.3, 0.7), infer.Equivalent, "±0"},
		{lower, 0.5, interval(0.3, 0.7), infer.Negligible, "+0.500 ns"},
		{lower, -8418, interval(-9000, -8000), infer.Lower, "−8.42 µs"},
	} {
		a := &analysis.MetricAnswer{Difference: &analysis.Estimate{Value: c.value, Interval: c.i}, Verdict: c.verdict}
		if got := besideBaseline(&analysis.Cell{Baseline: "c00"}, a, c.m); got.Text != c.want {
			t.Errorf("%v %s: %q, want %q", c.i, c.verdict, got.Text, c.want)
		}
	}
}

// The table that is printed first says of a program what the question about it found: within
// its margin, and not undecided.
func TestComparedRowsSayTheVerdict(t *testing.T) {
	s := testcampaign.Small()
	sc := &s.Made.Scenarios[0]
	for i := range sc.Metrics {
		m := &sc.Metrics[i]
		m.Primary = m.Name == "startup_ns"
	}
	for i := range sc.Questions {
		q := &sc.Questions[i]
		q.Metric, q.Asked, q.Margin = "startup_ns", false, &results.Margin{Share: 0.01}
	}
	a := analyse(t, s)
	var b bytes.Buffer
	if err := Write(&b, "text", a, Options{Width: 140}); err != nil {
		t.Fatal(err)
	}
	free := results.Find(a.Scenarios[0].Answers, func(q *analysis.Answer) bool { return q.ID == "cost-c05" })
	if free.Verdict != infer.Equivalent || metricOf(a.Scenarios[0].Cell("c05"), "startup_ns").Verdict != free.Verdict {
		t.Fatalf("%+v", free)
	}
	_, after, _ := strings.Cut(b.String(), "probe/bci/disabled\n")
	if row, _, _ := strings.Cut(after, "\n"); !strings.Contains(row, "equivalent within 1 %") {
		t.Errorf("%s\n%s", row, b.String())
	}
}
