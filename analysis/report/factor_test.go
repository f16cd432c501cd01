package report

import (
	"fmt"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/chapter/growth"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/internal/testdoc"
	"moobench/analysis/report/doc"
	"moobench/results"
)

// crossed is a scenario of two variants at depths 1, 10 and 100 and at one and
// two threads, with an order that is not a number.
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

// factorsOf are the sections about the factors of a scenario.
func factorsOf(s *analysis.Scenario) []*doc.Section {
	return paged(&analysis.Answers{Scenarios: []analysis.Scenario{*s}}, 0).factors()
}

// titlesOf are those of sections.
func titlesOf(all []*doc.Section) string {
	var titles []string
	for _, s := range all {
		titles = append(titles, s.Title)
	}
	return strings.Join(titles, ", ")
}

// Each numeric factor is drawn twice, its mean and its overhead: a drawing for
// each combination of the other factors, a line for each variant, its points in
// the order of the factor.
func TestFactors(t *testing.T) {
	all := factorsOf(crossed())
	if got := titlesOf(all); got != "duration against depth, Overhead against depth, duration against threads, Overhead against threads" {
		t.Fatalf("%s", got)
	}
	depth, panels := testdoc.Blocks[*doc.Table](all[0].Blocks)[0], panelsOf(all[0])
	var heads []string
	for _, c := range depth.Columns[1:] {
		heads = append(heads, c.Head)
	}
	if len(panels) != 2 || !strings.HasPrefix(panels[0], `<b title="threads=1 order=random">`) || strings.Join(heads, " ") != "1 10 100" || len(depth.Rows) != 4 {
		t.Errorf("%d panels, the first %.60s, table %v %v", len(panels), panels[0], heads, depth.Rows)
	}
	if legend := legendOfFigure(all[0]); len(legend) != 2 {
		t.Errorf("legend %q", legend)
	}
	lines := strings.Split(panels[0], `<polyline class="fit`)[1:]
	bands := strings.Split(panels[0], `<polygon class="band`)[1:]
	if len(lines) != 2 || len(bands) != 2 {
		t.Fatalf("%d lines, %d bands", len(lines), len(bands))
	}
	for i, l := range lines {
		var at []string
		for _, dot := range strings.Split(l, "order=random, ")[1:] {
			level, _, _ := strings.Cut(dot, ":")
			at = append(at, level)
		}
		if strings.Join(at, " ") != "1 10 100" || len(testdoc.Points(bands[i])) != 6 {
			t.Errorf("points at %q, a band of %d", at, len(testdoc.Points(bands[i])))
		}
	}
	if n := strings.Count(panelsOf(all[1])[0], `<polyline class="fit`); n != 1 {
		t.Errorf("%d lines of overhead", n)
	}
	if n := len(panelsOf(all[2])); n != 3 {
		t.Errorf("%d panels of threads, want one for each depth", n)
	}
}

// panelsOf are the small drawings of a section's figure.
func panelsOf(s *doc.Section) []string {
	svg, _, _ := strings.Cut(testdoc.Blocks[*doc.Figure](s.Blocks)[0].SVG, `<ul class="legend">`)
	return strings.Split(svg, `<div class="tail">`)[1:]
}

// legendOfFigure are the names in the legend of a section's figure.
func legendOfFigure(s *doc.Section) (names []string) {
	_, legend, _ := strings.Cut(testdoc.Blocks[*doc.Figure](s.Blocks)[0].SVG, `<ul class="legend">`)
	for _, item := range strings.Split(legend, "</svg> ")[1:] {
		name, _, _ := strings.Cut(item, "<")
		names = append(names, name)
	}
	return names
}

// Pictures leave out a factor without numbers or with one value, and a factor that a growth shows.
func TestFactorsNotDrawn(t *testing.T) {
	if all := paged(shared(t, testcampaign.Small), 0).factors(); all != nil {
		t.Errorf("no factor: %s", titlesOf(all))
	}
	all := paged(shared(t, testcampaign.Factored), 0).factors()
	for _, s := range all {
		if !strings.HasSuffix(s.Title, " against cpus") {
			t.Errorf("%s is drawn", s.Title)
		}
	}
	s := crossed()
	s.Growths = growth.Lines{{Factor: "depth", Metric: "duration"}}
	if got := titlesOf(factorsOf(s)); !strings.HasPrefix(got, "Overhead against depth, ") || strings.Count(got, " against ") != 3 {
		t.Errorf("drawn: %s", got)
	}
}

// What is too much is counted.
func TestFactorsAreFew(t *testing.T) {
	s := &analysis.Scenario{Primary: "duration", Metrics: []results.Metric{{Name: "duration", Unit: "ns"}}}
	add := func(at, variant string, x int) {
		s.Cells = append(s.Cells, analysis.Cell{
			Variant: variant, Role: results.RoleBaseline, Factors: []results.Value{{Name: "depth", Value: fmt.Sprint(x)}, {Name: "at", Value: at}},
			Metrics: []analysis.MetricAnswer{{Metric: "duration", Mean: around(6, 1, 1)}},
		})
	}
	for _, at := range strings.Fields("a b c d e f g h i j k l m n") {
		for _, variant := range strings.Fields("1 2 3 4 5 6 7 8 9 10 11 12 13") {
			add(at, variant, 1)
			add(at, variant, 2)
		}
		add(at, "lonely", 2)
	}
	all := factorsOf(s)
	panels, want := panelsOf(all[0]), factorPoints/(2*factorLines)
	figure := testdoc.Blocks[*doc.Figure](all[0].Blocks)[0]
	if len(panels) != want || !strings.Contains(figure.Caption, fmt.Sprintf(" %d more combinations", 14-want)) || strings.Count(panels[0], `<polyline class="fit`) != factorLines ||
		!strings.Contains(panels[0], "<small>1 more variants are not drawn</small>") || len(legendOfFigure(all[0])) != factorLines {
		t.Errorf("%d panels, %q, %d lines, %d in the legend", len(panels), figure.Caption, strings.Count(panels[0], `<polyline class="fit`), len(legendOfFigure(all[0])))
	}
}
