package report

import (
	"strings"
	"testing"

	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/internal/testdoc"
	"moobench/analysis/report/doc"
)

// Boxes and tails are of all cells that have calls, on the same axes; lines of
// a variant look alike at every level.
func TestDistributions(t *testing.T) {
	a := shared(t, testcampaign.Factored)
	shown := paged(a, 0).chapter("distributions")
	table, figures := testdoc.Blocks[*doc.Table](shown)[0], testdoc.Blocks[*doc.Figure](shown)
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
	none := paged(shared(t, testcampaign.Swapped), 1).chapter("distributions")
	if len(none) == 0 || len(testdoc.Blocks[*doc.Table](none)[0].Rows) == 0 {
		t.Error("durations of changes have no distribution")
	}
}
