package report

import (
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/results"
)

// Without a rate there is no drawing.
func TestNoRateToDraw(t *testing.T) {
	s := analysis.Scenario{Cells: []analysis.Cell{{Label: "none"}}}
	if p := paged(&analysis.Answers{Scenarios: []analysis.Scenario{s}}, 0).lostFigure(results.Metric{Name: "lost"}); p.SVG != "" {
		t.Errorf("a drawing of no rate: %+v", p)
	}
}

// A rate of 0 is an arrow from its upper bound; others have a dot.
func TestLostFigure(t *testing.T) {
	rate := func(label string, perMillion, low, high float64, known bool) analysis.Cell {
		c := analysis.Cell{Label: label}
		if known {
			c.Metrics = []analysis.MetricAnswer{{Metric: "lost", Rate: &analysis.Rate{Arm: infer.Arm{PerMillion: perMillion}, Interval: &analysis.Interval{Low: low, High: high}}}}
		}
		return c
	}
	s := analysis.Scenario{Cells: []analysis.Cell{rate("none", 0, 0, 2.5, true), rate("agent", 60, 50, 72, true), rate("void", 0, 0, 0, false), rate("few", 1, 0, 5, true)}}
	figure := paged(&analysis.Answers{Scenarios: []analysis.Scenario{s}}, 0).lostFigure(results.Metric{Name: "lost", Of: "requests"})
	var drawn []string
	wide, _, _ := strings.Cut(figure.SVG, `<div class="narrow">`)
	for _, row := range strings.Split(wide, `text-anchor="end">`)[1:] {
		label, _, _ := strings.Cut(row, "<")
		drawn = append(drawn, label+strings.Repeat(" arrow", strings.Count(row, "<polygon"))+strings.Repeat(" dot", strings.Count(row, "<circle")))
	}
	if got := strings.Join(drawn, ", "); got != "none arrow, agent dot, few arrow dot" {
		t.Errorf("%s", got)
	}
}
