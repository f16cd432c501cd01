package report

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/internal/testdoc"
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
	void.Value, void.Invalid = nil, "sent too late"
	other.Value, other.Status, other.Profile = nil, results.StatusFailed, results.ProfileResources
	var c course
	for _, inv := range []analysis.Invocation{run(1, 100), disturbed, out, failed, void, other} {
		c.add(inv, 100, results.Metric{Name: "duration", Unit: "ns"})
	}
	legend, drawn, _ := strings.Cut(courses([]course{c}), `<div class="multiples">`)
	if marked, told := oddKinds(drawn), oddKinds(legend); marked != "disturbed disturbed failed void" || told != "disturbed failed void" {
		t.Errorf("marked %q, legend %q", marked, told)
	}
	if n := len(testdoc.Points(drawn)); n != 3 {
		t.Errorf("%d points on the line", n)
	}
	if !strings.Contains(drawn, "<title>b: invalid: sent too late</title>") {
		t.Errorf("no title says why one is void: %s", drawn)
	}
}

// oddKinds are the points of a drawing that are not as planned.
func oddKinds(svg string) string {
	var kinds []string
	for _, found := range regexp.MustCompile(`class="(disturbed|failed|void)"`).FindAllStringSubmatch(svg, -1) {
		kinds = append(kinds, found[1])
	}
	return strings.Join(kinds, " ")
}

// The A/A shows the second baseline less the first in each block, and the
// interval of their ratio.
func TestSelfTestsAreDrawn(t *testing.T) {
	a := shared(t, testcampaign.Small)
	tests := paged(a, 0).selfTests()
	if len(tests) != 1 || len(tests[0].points) != 8 || tests[0].band == nil || tests[0].label != "A/A" {
		t.Fatalf("%+v", tests)
	}
	mean := 0.0
	for _, p := range tests[0].points {
		mean += p.Y / 8
	}
	if drawn := courses(tests); !strings.Contains(drawn, `<rect class="band t0"`) || len(testdoc.Points(drawn)) != 8 {
		t.Errorf("drawn as %s", drawn)
	}
	if want := a.Scenarios[0].AA[0].Ratio.Value - 1; mean-want > 0.001 || want-mean > 0.001 {
		t.Errorf("mean difference %v, the A/A says %v", mean, want)
	}
	if none := paged(shared(t, testcampaign.Unordered), 0).drift(); none != nil {
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
		var got []string
		for _, s := range strokes(analysis.Invocation{SteadyFrom: c.from, Class: c.class}, values) {
			got = append(got, s.Class+":"+strconv.Itoa(len(s.Points)))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestSettled(t *testing.T) {
	trace := func(froms ...*float64) string {
		var runs []analysis.Invocation
		for _, from := range froms {
			runs = append(runs, analysis.Invocation{SteadyFrom: from, Trace: []float64{2, 1}})
		}
		b := paged(shared(t, testcampaign.Tiny), 0)
		svg, _ := b.trace(&analysis.Cell{Label: "x"}, runs, traceSteps, tracesLeast)
		return svg
	}
	if svg := trace(ptr(0.5), ptr(0.1), ptr(0.2), nil); !strings.Contains(svg, `<line class="settled" x1="44"`) || !strings.Contains(svg, "steady from 20 % on (3 of 4)") {
		t.Errorf("%s", svg)
	}
	if svg := trace(nil, nil, nil, nil); strings.Contains(svg, "settled") || strings.Contains(svg, "steady from") {
		t.Errorf("%s", svg)
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
	if got := coarser([]float64{1, 3, 5, 7, 9}, 2); len(got) != 2 || got[0] != 2 || got[1] != 7 {
		t.Errorf("%v", got)
	}
	if got := coarser([]float64{1, 3}, 5); len(got) != 2 {
		t.Errorf("%v", got)
	}
}
