package report

import (
	"regexp"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/internal/testdoc"
	"moobench/analysis/report/plot"
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

// However many invocations there are, their traces have few points together.
func TestTracesAreThin(t *testing.T) {
	for _, c := range []struct{ lines, cells int }{{3, 3}, {160, 16}, {720, 48}, {10_000, 48}} {
		steps, most := traceRoom(tracePoints, c.lines, c.cells)
		drawn := min(c.lines, most*c.cells) * steps
		if steps < plot.TraceStepsLeast || steps > traceSteps || most < tracesLeast || drawn > tracePoints+tracesLeast*c.cells*plot.TraceStepsLeast {
			t.Errorf("%d lines of %d cells: %d steps, %d each, %d points", c.lines, c.cells, steps, most, drawn)
		}
	}
}
