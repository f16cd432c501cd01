package doctor

import (
	_ "embed"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"moobench/analysis"
	"moobench/results"
)

// resolvesJSON is what R says: see resolves.R beside it.
//
//go:embed testdata/resolves.json
var resolvesJSON []byte

func TestResolvedWithin(t *testing.T) {
	var want []struct {
		Blocks int
		Delta  float64
	}
	if err := json.Unmarshal(resolvesJSON, &want); err != nil || len(want) < 10 || want[0].Blocks != 2 {
		t.Fatal(err, len(want))
	}
	for _, w := range want {
		if got, err := resolved(3, w.Blocks); err != nil || math.Abs(got/(3*w.Delta)-1) > 1e-6 {
			t.Errorf("%d blocks: %v, %v, want %v", w.Blocks, got, err, 3*w.Delta)
		}
	}
}

func TestLengthOfBaseline(t *testing.T) {
	start := time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)
	at := func(cell string, from, to float64, sitting string, s results.Status) *results.Invocation {
		second := func(s float64) time.Time { return start.Add(time.Duration(s * 1e9)) }
		return &results.Invocation{Cell: cell, Status: s, Session: sitting, Start: second(from), End: second(to)}
	}
	c := &results.Campaign{Cells: []results.Cell{{ID: "base", Role: results.RoleBaseline}, {ID: "aa", Role: results.RoleAA}, {ID: "x", Role: results.RoleVariant}}}
	ok := results.StatusOK
	all := []*results.Invocation{
		at("aa", 100, 102, "b", ok), // the last of all: 2 s
		at("base", 0, 2, "a", ok),   // until the next one: 3 s
		at("x", 3, 9, "a", ok),
		at("aa", 10, 11, "a", results.StatusFailed),
		at("base", 12, 13, "a", ok), // the last of its sitting: 1 s
	}
	if got := lengthOfBaseline(c, all); got != 2*time.Second {
		t.Errorf("%v, want 2 s", got)
	}
	if got := lengthOfBaseline(c, nil); got != 0 {
		t.Errorf("%v of nothing", got)
	}
}

// answered has an A/A whose pairs have a standard deviation of sd.
func answered(state analysis.AAState, sd *float64) *analysis.Answers {
	mean, d := &analysis.Estimate{Value: 1000}, &analysis.Estimate{SD: sd}
	return &analysis.Answers{Scenarios: []analysis.Scenario{{
		Primary: "duration", AA: []analysis.AA{{State: state, Cell: "aa", Text: analysis.Sentence{Opening: "failed", Rest: "they differ"}}},
		Cells: []analysis.Cell{
			{ID: "base", Metrics: []analysis.MetricAnswer{{Metric: "duration", Mean: mean}}},
			{ID: "aa", Baseline: "base", Metrics: []analysis.MetricAnswer{{Metric: "cpu_ns"}, {Metric: "duration", Difference: d}}},
		},
	}}}
}

func TestResolution(t *testing.T) {
	sd := func(v float64) *float64 { return &v }
	for _, tt := range []struct {
		name         string
		state        analysis.AAState
		sd           *float64
		each, within time.Duration
		want         string
	}{
		{"30 blocks", analysis.AAResolves, sd(10), 2 * time.Second, 3 * time.Minute, "in 3 min this machine resolves an overhead of about 5.3 ns a call (0.5 % of 1 µs), with 80 % power: 30 blocks of 6 s"},
		{"two blocks", analysis.AAResolves, sd(10), 30 * time.Second, 3 * time.Minute, "in 3 min this machine resolves an overhead of about 120 ns a call (12 % of 1 µs), with 80 % power: 2 blocks of 90 s"},
		{"no time", analysis.AAResolves, sd(10), 2 * time.Second, 11 * time.Second, "two blocks are needed, and one takes 6 s"},
		{"no spread", analysis.AAResolves, sd(0), time.Second, time.Minute, "don't vary"},
		{"not measured", analysis.AAResolves, nil, time.Second, time.Minute, "no figures"},
		{"no length", analysis.AAResolves, sd(1), 0, time.Minute, "took no time"},
		{"failed", analysis.AAFailed, sd(1), time.Second, time.Minute, "the A/A failed: they differ"},
	} {
		r, why := resolutionOf(answered(tt.state, tt.sd), tt.each, tt.within)
		if (r == nil) != (why != "") {
			t.Errorf("%s: %+v, %q", tt.name, r, why)
		}
		if r != nil {
			why = r.String()
		}
		if !strings.Contains(why, tt.want) {
			t.Errorf("%s: %s", tt.name, why)
		}
	}
}
