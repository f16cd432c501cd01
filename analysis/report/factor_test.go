package report

import (
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// crossed is a scenario of two variants at depths 1, 10 and 100 and at one and
// two threads, with an order that is no number.
func crossed() *analysis.Scenario {
	s := &analysis.Scenario{Primary: "duration", Metrics: []results.Metric{{Name: "duration", Unit: "ns"}}}
	for _, threads := range []string{"1", "2"} {
		for i, depth := range []string{"100", "1", "10"} {
			for _, variant := range []string{"none", "agent"} {
				m := analysis.MetricAnswer{Metric: "duration", Mean: around(6, float64(50*(i+1)), 3)}
				c := analysis.Cell{Variant: variant, Label: variant + " depth=" + depth, Role: results.RoleBaseline}
				if variant == "agent" {
					c.Role, m.Difference = results.RoleVariant, around(6, float64(20*(i+1)), 2)
				}
				c.Factors = []results.Value{{Name: "depth", Value: depth, Unit: "calls"}, {Name: "threads", Value: threads}, {Name: "order", Value: "random"}}
				c.Metrics = []analysis.MetricAnswer{m}
				s.Cells = append(s.Cells, c)
			}
		}
	}
	return s
}

// Each numeric factor is drawn twice, its mean and its overhead: a drawing for
// each combination of the other factors, a line for each variant, its points in
// the order of the factor.
func TestFactors(t *testing.T) {
	all := newFactors(crossed())
	var titles []string
	for _, p := range all {
		titles = append(titles, p.Title)
	}
	if got := strings.Join(titles, ", "); got != "duration against depth, overhead against depth, duration against threads, overhead against threads" {
		t.Fatalf("%s", got)
	}
	depth := all[0]
	if len(depth.Panels) != 2 || depth.Panels[0].At != "threads=1 order=random" || len(depth.Panels[0].Lines) != 2 || len(depth.Legend) != 2 || strings.Join(depth.Xs, " ") != "1 10 100" || len(depth.Rows) != 4 {
		t.Errorf("%d panels, %+v, table %v %v", len(depth.Panels), depth.Panels, depth.Xs, depth.Rows)
	}
	for _, l := range depth.Panels[0].Lines {
		if l.points[0].x != 1 || l.points[2].x != 100 || len(strings.Fields(l.Band)) != 6 || len(l.Dots) != 3 {
			t.Errorf("%s: %+v", l.Label, l.points)
		}
	}
	if n := len(all[1].Panels[0].Lines); n != 1 {
		t.Errorf("%d lines of overhead", n)
	}
	if n := len(all[2].Panels); n != 3 {
		t.Errorf("%d panels of threads, want one for each depth", n)
	}
}

// A factor that is no number, or has one value, is not drawn; nor is what a
// growth shows.
func TestFactorsNotDrawn(t *testing.T) {
	if all := newFactors(&analyse(t, testcampaign.Small()).Scenarios[0]); all != nil {
		t.Errorf("no factor: %+v", all)
	}
	a := analyse(t, testcampaign.Factored())
	for _, p := range newFactors(&a.Scenarios[0]) {
		if p.Factor != "cpus" {
			t.Errorf("%s is drawn", p.Title)
		}
	}
	s := crossed()
	s.Growths = []analysis.Growth{{Factor: "depth", Metric: "duration"}}
	if all := newFactors(s); len(all) != 3 || all[0].Title != "overhead against depth" {
		t.Errorf("%d plots, the first %s", len(all), all[0].Title)
	}
}

// What is too much is counted.
func TestFactorsAreFew(t *testing.T) {
	var p factorPlot
	for _, at := range strings.Fields("a b c d e f g h i j k l m n") {
		for _, variant := range strings.Fields("1 2 3 4 5 6 7 8 9 10 11 12 13") {
			p.add(at, variant, factorPoint{1, "", around(6, 1, 1)})
			p.add(at, variant, factorPoint{2, "", around(6, 1, 1)})
		}
		p.add(at, "lonely", factorPoint{2, "", around(6, 1, 1)})
	}
	p.trim()
	want := factorPoints / (2 * factorLines)
	if len(p.Panels) != want || p.MorePanels != 14-want || len(p.Panels[0].Lines) != factorLines || p.Panels[0].MoreLines != 1 || len(p.Legend) != factorLines {
		t.Errorf("%d panels and %d more, %d lines and %d more, %d in the legend", len(p.Panels), p.MorePanels, len(p.Panels[0].Lines), p.Panels[0].MoreLines, len(p.Legend))
	}
}
