package nightly

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/cmd/internal/outcome"
	"moobench/results"
)

// TestVerdicts: what the answer to an alarm's question makes of it.
func TestVerdicts(t *testing.T) {
	end := time.Date(2026, 11, 22, 4, 5, 6, 789_123_456, time.UTC)
	ratio := func(value, low, high float64) *analysis.Estimate {
		df := 14.0
		se := math.Log(high/low) / 2 / stats.TQuantile(0.005, df)
		return &analysis.Estimate{N: 15, Value: value, SE: &se, DF: &df, Interval: &analysis.Interval{Low: low, High: high, Level: 0.99}}
	}
	for _, c := range []struct {
		name    string
		alarm   float64
		better  results.Better
		ratio   *analysis.Estimate
		aa      analysis.AAState
		want    infer.Settlement // "" is no record
		outcome error
		says    string
	}{
		{"dearer", 0.1, results.Lower, ratio(1.1, 1.08, 1.12), analysis.AAResolves, infer.Confirmed, outcome.ErrWorse, "new is +10 % against old (99 % interval +8.0 % … +12 %), and +11 % raised the alarm; 15 blocks; with the variation between nights, over 1 night: +10 % (99.98 % interval +6.7 % … +13 %) → fix it"},
		{"cheaper", -0.1, results.Lower, ratio(0.9, 0.88, 0.92), analysis.AAResolves, infer.Confirmed, nil, "new is −10 % against old"},
		{"less throughput", -0.1, results.Higher, ratio(0.9, 0.88, 0.92), analysis.AAResolves, infer.Confirmed, outcome.ErrWorse, "moobench history accept 's/m/mine'"},
		{"the same", 0.1, results.Lower, ratio(1, 0.98, 1.02), analysis.AAResolves, infer.Refuted, nil, "refuted: new is"},
		{"not clear", 0.1, results.Lower, ratio(1.05, 0.97, 1.13), analysis.AAResolves, infer.Open, outcome.ErrIncomplete, "it needs another night: moobench history check --confirm goes on"},
		{"the machine lies", 0.1, results.Lower, ratio(1.1, 1.08, 1.12), analysis.AAFailed, infer.Open, outcome.ErrIncomplete, "but the A/A failed: why"},
		{"no answer", 0.1, results.Lower, nil, analysis.AAResolves, "", outcome.ErrIncomplete, "stays unsettled: no answer: why"},
		{"one block", 0.1, results.Lower, &analysis.Estimate{N: 1, Value: 1.1}, analysis.AAResolves, "", outcome.ErrIncomplete, "stays unsettled"},
	} {
		a := results.Alarm{HistoryKey: results.HistoryKey{Scenario: "s", Cell: "mine", Metric: "m"}, Log: c.alarm, Better: c.better, Question: "q1", Scatter: &results.Scatter{SD: 0.004, DF: 30, Within: 0.006}}
		campaign := &results.Campaign{Confirm: &results.Confirm{Night: "n2", Against: "n1", NewCommit: "new", Alarms: []results.Alarm{a}}}
		answers := &analysis.Answers{Campaign: analysis.Campaign{End: &end}, Scenarios: []analysis.Scenario{{
			Label: "s", AA: []analysis.AA{{State: c.aa, Text: analysis.Sentence{Opening: "failed", Rest: "why"}}},
			Answers: []analysis.Answer{{ID: "q0"}, {ID: "q1", Alpha: 0.01, Ratio: c.ratio, Sentence: analysis.Sentence{Opening: "no answer", Rest: "why"}}},
		}}}
		got := judged(campaign, "confirmed", answers)
		if len(got) != 1 {
			t.Fatalf("%s: %d verdicts", c.name, len(got))
		}
		v := got[0]
		if !strings.Contains(v.sentence, c.says) || !errors.Is(v.outcome, c.outcome) {
			t.Errorf("%s: %v, %s; want %v, %s", c.name, v.outcome, v.sentence, c.outcome, c.says)
		}
		if (v.record == nil) != (c.want == "") {
			t.Fatalf("%s: record %+v", c.name, v.record)
		}
		if r := v.record; r != nil && (r.Verdict != c.want || r.Night != "n2" || r.Against != "n1" || r.NewCommit != "new" || r.Folder != "confirmed" ||
			r.N != 15 || r.Alpha != 0.01 || c.name != "not clear" && math.Abs(r.Low-math.Log(c.ratio.Interval.Low)) > 1e-3 || !r.When.Equal(end.Truncate(time.Millisecond))) {
			t.Errorf("%s: record %+v", c.name, r)
		}
	}
	asked := results.Alarm{HistoryKey: results.HistoryKey{Scenario: "s"}, Question: "q2"}
	none := judged(&results.Campaign{Confirm: &results.Confirm{Alarms: []results.Alarm{asked}}}, "d", &analysis.Answers{Scenarios: []analysis.Scenario{{Label: "s"}}})
	if len(none) != 1 || none[0].record != nil || !errors.Is(none[0].outcome, outcome.ErrIncomplete) {
		t.Errorf("nobody asked: %+v", none)
	}
}
