package report

import (
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/internal/testdoc"
	"moobench/analysis/report/doc"
)

// Boxes and tails are of all cells that have calls, on the same axes; lines of
// a variant look alike at every level.
func TestDistributions(t *testing.T) {
	a := shared(t, testcampaign.Factored)
	sec := paged(a, 0).distribution()
	table, figures := testdoc.Blocks[*doc.Table]([]doc.Block{sec})[0], testdoc.Blocks[*doc.Figure]([]doc.Block{sec})
	boxes, tails := figures[0], figures[1]
	if len(table.Rows) != 24 || strings.Count(boxes.SVG, `class="whisk" d="M`) != 24+1 || strings.Count(tails.SVG, `<div class="tail">`) != 8 {
		t.Fatalf("%d rows, %d boxes, %d tails", len(table.Rows), strings.Count(boxes.SVG, `class="whisk" d="M`)-1, strings.Count(tails.SVG, `<div class="tail">`))
	}
	_, legend, _ := strings.Cut(tails.SVG, `<ul class="legend">`)
	if n := strings.Count(legend, "<li>"); n != 2 {
		t.Errorf("%d variants in the legend", n)
	}
	var names []string
	for _, c := range table.Columns[2:] {
		names = append(names, c.Head)
	}
	if got := strings.Join(names, " "); got != "p5 p25 p50 p75 p95 p99 p99.9 max" {
		t.Errorf("%s", got)
	}
	for _, panel := range strings.Split(tails.SVG, `<div class="tail">`)[1:] {
		panel, _, _ = strings.Cut(panel, "</svg>")
		var tints []string
		for _, line := range strings.Split(panel, `<polyline class="fit `)[1:] {
			tint, _, _ := strings.Cut(line, `"`)
			tints = append(tints, tint)
		}
		if len(tints) != 3 || tints[0] != tints[1] || tints[0] == tints[2] {
			t.Errorf("lines have the tints %q", tints)
		}
		if !strings.Contains(panel, ">100 %</text>") || strings.Count(panel, `text-anchor="middle"`) < 2 {
			t.Errorf("axes without ticks: %s", panel)
		}
	}
	if none := paged(shared(t, testcampaign.Swapped), 1).distribution(); none == nil || len(testdoc.Blocks[*doc.Table]([]doc.Block{none})[0].Rows) == 0 {
		t.Error("durations of changes have no distribution")
	}
}

// A cell without calls of its own, or with numbers that no axis can hold, is not
// drawn.
func TestDrawable(t *testing.T) {
	a := shared(t, testcampaign.Troubled)
	drawn := map[string]bool{}
	for i := range a.Scenarios[0].Cells {
		c := &a.Scenarios[0].Cells[i]
		drawn[c.Variant] = drawable(c)
	}
	if !drawn["none"] || drawn["opentelemetry/bci/otlp"] || drawn["kieker/bci/wrong-class"] {
		t.Errorf("%v", drawn)
	}
	c := a.Scenarios[0].Cells[0]
	for _, spoil := range []func(d *analysis.Distribution){
		func(d *analysis.Distribution) { d.Box = d.Box[1:] },
		func(d *analysis.Distribution) { d.Box[3].Value = -1 },
		func(d *analysis.Distribution) { d.Tail = nil },
		func(d *analysis.Distribution) { d.Tail[1].Share = 0 },
	} {
		d := *c.Distribution
		d.Box, d.Tail = append([]analysis.BoxPoint(nil), d.Box...), append([]analysis.TailPoint(nil), d.Tail...)
		spoil(&d)
		if other := c; drawable(with(&other, &d)) {
			t.Errorf("%+v is drawn", d)
		}
	}
}

func with(c *analysis.Cell, d *analysis.Distribution) *analysis.Cell {
	c.Distribution = d
	return c
}

func TestThinTail(t *testing.T) {
	var points []analysis.TailPoint
	for i := range 100 {
		points = append(points, analysis.TailPoint{Value: float64(i), Share: 1 - float64(i)/100})
	}
	got := thinTail(points, 20)
	if len(got) != 20 || got[0] != points[0] || got[19] != points[99] {
		t.Errorf("%d points, from %v to %v", len(got), got[0], got[len(got)-1])
	}
	if got := thinTail(points[:5], 20); len(got) != 5 {
		t.Errorf("%d points of 5", len(got))
	}
}

func TestShareText(t *testing.T) {
	for share, want := range map[float64]string{1: "100 %", 0.1: "10 %", 0.01: "1 %", 0.001: "0.1 %", 1e-6: "10⁻⁶", 1e-10: "10⁻¹⁰"} {
		if got := shareText(share); got != want {
			t.Errorf("%v: %q, want %q", share, got, want)
		}
	}
}
