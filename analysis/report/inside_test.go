package report

import (
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

func run(block int, value float64) analysis.Invocation {
	return analysis.Invocation{ID: "b", Cell: "c", Block: block, Profile: results.ProfileTiming, Status: results.StatusOK, Value: &value}
}

// What is not as planned is drawn, each kind by its own shape.
func TestOddInvocationsAreMarked(t *testing.T) {
	disturbed, out, failed, void, other := run(2, 103), run(3, 140), run(4, 0), run(5, 0), run(6, 0)
	disturbed.Disturbed, out.Disturbed = &results.Disturbance{}, &results.Disturbance{}
	out.RepeatedBy = "b0009.s00.r0"
	failed.Value, failed.Status = nil, results.StatusFailed
	void.Value, void.Void = nil, "sent too late"
	other.Value, other.Status, other.Profile = nil, results.StatusFailed, results.ProfileResources
	var m multiple
	for _, inv := range []analysis.Invocation{run(1, 100), disturbed, out, failed, void, other} {
		m.add(inv, 100, results.Metric{Name: "duration", Unit: "ns"})
	}
	all := []multiple{m}
	drawTogether(all)
	var kinds []string
	for _, o := range all[0].Odd {
		kinds = append(kinds, o.Kind)
	}
	if got := strings.Join(kinds, " "); got != "disturbed disturbed failed void" || strings.Join(odds(all), " ") != "disturbed failed void" {
		t.Errorf("marked %q, legend %q", got, odds(all))
	}
	if n := len(strings.Fields(all[0].Line)); n != 3 {
		t.Errorf("%d points on the line", n)
	}
	if title := all[0].Odd[3].Title; !strings.Contains(title, "sent too late") {
		t.Errorf("title %q", title)
	}
}

// The A/A shows the second baseline less the first in each block, and the
// interval of their ratio.
func TestSelfTestsAreDrawn(t *testing.T) {
	a := analyse(t, testcampaign.Small())
	ms := newSelfTestDrift(a, &a.Scenarios[0])
	if len(ms) != 1 || len(ms[0].series) != 8 || ms[0].Band == nil || ms[0].Label != "A/A" {
		t.Fatalf("%+v", ms)
	}
	mean := 0.0
	for _, v := range ms[0].series {
		mean += v / 8
	}
	if want := a.Scenarios[0].AA[0].Ratio.Value - 1; mean-want > 0.001 || want-mean > 0.001 {
		t.Errorf("mean difference %v, the A/A says %v", mean, want)
	}
	if none := newSelfTestDrift(analyse(t, testcampaign.Unordered()), &a.Scenarios[0]); none != nil {
		t.Errorf("unordered: %+v", none)
	}
}

// A trace changes its look where its steady state begins.
func TestStrokes(t *testing.T) {
	values := []float64{9, 7, 5, 5, 5, 5, 5, 5, 5, 5}
	for name, c := range map[string]struct {
		from  *float64
		class string
		want  string
	}{
		"warming up":  {ptr(0.2), "warmup", "warming:3 resting:8"},
		"at rest":     {ptr(0.0), "flat", "resting:10"},
		"never":       {nil, "no steady state", "never:10"},
		"not told":    {nil, "", "untold:10"},
		"at its end":  {ptr(1.0), "warmup", "warming:10"},
		"out of mind": {ptr(7.0), "warmup", "warming:10"},
	} {
		var tr trace
		tr.stroke(analysis.Invocation{SteadyFrom: c.from, Class: c.class}, values, func(v float64) float64 { return v })
		var got []string
		for _, s := range tr.Strokes {
			got = append(got, s.Kind+":"+tickText(float64(len(strings.Fields(s.Points)))))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestSettled(t *testing.T) {
	var tr trace
	tr.settle([]float64{0.5, 0.1, 0.2}, 4)
	if tr.Steady != px(multipleWidth*0.2) || tr.SteadySays != "steady from 20 % on (3 of 4)" {
		t.Errorf("%q, %q", tr.Steady, tr.SteadySays)
	}
	tr = trace{}
	if tr.settle(nil, 4); tr.Steady != "" {
		t.Errorf("%q", tr.Steady)
	}
}

// However many invocations there are, their traces have few points together, and
// neighbours' means are kept.
func TestTracesAreThin(t *testing.T) {
	for _, c := range []struct{ lines, cells int }{{3, 3}, {160, 16}, {720, 48}, {10_000, 48}} {
		steps, most := traceRoom(tracePoints, c.lines, c.cells)
		drawn := min(c.lines, most*c.cells) * steps
		if steps < traceStepsLeast || steps > traceSteps || most < tracesLeast || drawn > tracePoints+tracesLeast*c.cells*traceStepsLeast {
			t.Errorf("%d lines of %d cells: %d steps, %d each, %d points", c.lines, c.cells, steps, most, drawn)
		}
	}
	if got := coarserTrace([]float64{1, 3, 5, 7, 9}, 2); len(got) != 2 || got[0] != 2 || got[1] != 7 {
		t.Errorf("%v", got)
	}
	if got := coarserTrace([]float64{1, 3}, 5); len(got) != 2 {
		t.Errorf("%v", got)
	}
}
