package report

import (
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
)

// Boxes and tails are of all cells that have calls, on the same axes; lines of
// a variant look alike at every level.
func TestDistributions(t *testing.T) {
	a := analyse(t, testcampaign.Factored())
	d := newDistributions(&a.Scenarios[0])
	if len(d.Table) != 24 || len(d.Boxes.Rows) != 24 || len(d.Tails) != 8 || len(d.Lines) != 2 {
		t.Fatalf("%d rows, %d boxes, %d tails, %d variants", len(d.Table), len(d.Boxes.Rows), len(d.Tails), len(d.Lines))
	}
	if got := strings.Join(d.Names, " "); got != "p5 p25 p50 p75 p95 p99 p99.9 max" {
		t.Errorf("%s", got)
	}
	for _, p := range d.Tails {
		if len(p.Lines) != 3 || p.Lines[0].Tint != p.Lines[1].Tint || p.Lines[0].Tint == p.Lines[2].Tint {
			t.Errorf("%s: %+v", p.Title, p.Lines)
		}
		if len(p.YTicks) == 0 || p.YTicks[0].Text != "100 %" || len(p.XTicks) == 0 {
			t.Errorf("%s: ticks %v, %v", p.Title, p.XTicks, p.YTicks)
		}
	}
	if none := newDistributions(&analyse(t, testcampaign.Swapped()).Scenarios[1]); len(none.Table) == 0 {
		t.Error("durations of changes have no distribution")
	}
}

// A cell without calls of its own, or with numbers that no axis can hold, is not
// drawn.
func TestDrawable(t *testing.T) {
	a := analyse(t, testcampaign.Troubled())
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
	for exponent, want := range map[int]string{0: "100 %", 1: "10 %", 2: "1 %", 3: "0.1 %", 6: "10⁻⁶", 10: "10⁻¹⁰"} {
		if got := shareText(exponent); got != want {
			t.Errorf("%d: %q, want %q", exponent, got, want)
		}
	}
}
