package report

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// loaded is a course of n stretches of 100 ms with a toggle in every second one.
func loaded(label string, n int, latency float64) course {
	c := course{label: label, ramp: 1e9, end: float64(n) * 1e8}
	for i := range n {
		at := float64(i) * 1e8
		s := stretch{since: at, until: at + 1e8, requests: 400, p50: latency, p99: 2 * latency, worst: 5 * latency}
		if i%2 == 1 {
			t := toggled{since: at + 2e7, took: 1e6, on: i%4 == 1}
			c.toggles = append(c.toggles, t)
			s.longest = 1e6
			if t.on {
				s.on = 1
			} else {
				s.off, s.lost = 1, 3
			}
		}
		c.stretches = append(c.stretches, s)
	}
	return c
}

// All cells have the same axes: the same latency is at the same height.
func TestTimelinesHaveEqualAxes(t *testing.T) {
	fast, slow := loaded("none", 40, 1e6), loaded("agent", 20, 3e6)
	axes, ok := newTimelineAxes([]course{fast, slow})
	if !ok {
		t.Fatal("no axes")
	}
	a, b := fast.timeline(axes), slow.timeline(axes)
	if strings.Join(ticksOf(a.YTicks), " ") != strings.Join(ticksOf(b.YTicks), " ") || strings.Join(ticksOf(a.XTicks), " ") != strings.Join(ticksOf(b.XTicks), " ") {
		t.Errorf("axes differ: %v %v, %v %v", a.YTicks, b.YTicks, a.XTicks, b.XTicks)
	}
	if y, lower := height(t, a.Lines[2]), height(t, b.Lines[2]); y <= lower {
		t.Errorf("1 ms is drawn at %v, 3 ms at %v", y, lower)
	}
	if a.Ramp == nil || len(a.Losses) != 10 || len(a.On) != 10 || len(a.Toggles) != 20 || len(a.Hairs) != 20 {
		t.Errorf("%d losses, %d times in, %d toggles, %d hairs", len(a.Losses), len(a.On), len(a.Toggles), len(a.Hairs))
	}
	if got, want := a.Toggles[0].Title, "on at 120.0 ms, took 1.000 ms"; got != want {
		t.Errorf("toggle %q, want %q", got, want)
	}
}

func ticksOf(ts []tick) []string {
	var all []string
	for _, t := range ts {
		all = append(all, t.X+"="+t.Text)
	}
	return all
}

// height is the y of a line's first point.
func height(t *testing.T, l timelineLine) float64 {
	t.Helper()
	first, _, _ := strings.Cut(l.Points[0], " ")
	_, y, _ := strings.Cut(first, ",")
	v, err := strconv.ParseFloat(y, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A line ends where nothing was answered, and goes on behind it.
func TestTimelineInterrupted(t *testing.T) {
	c := loaded("dies", 10, 1e6)
	c.stretches[4].p50, c.stretches[4].p99, c.stretches[4].worst, c.stretches[4].lost = 0, 0, 0, 400
	axes, _ := newTimelineAxes([]course{c})
	drawn := c.timeline(axes)
	if n := len(drawn.Lines[0].Points); n != 2 {
		t.Errorf("%d lines", n)
	}
	if first := strings.Fields(drawn.Lines[0].Points[1]); len(first) != 6 {
		t.Errorf("the line behind it has the points %q", first)
	}
	if drawn.Rows[4].P99 != "–" || drawn.Rows[4].Lost != "400" || drawn.MostLost != "400" {
		t.Errorf("row %+v, most lost %s", drawn.Rows[4], drawn.MostLost)
	}
}

func TestNothingToDraw(t *testing.T) {
	if _, ok := newTimelineAxes([]course{{label: "none", end: 1e9, stretches: []stretch{{until: 1e9, requests: 3, lost: 3}}}}); ok {
		t.Error("axes of no latency")
	}
	if p := newLostPlot([]lostItem{{label: "none"}}); len(p.Rows) > 0 {
		t.Errorf("a drawing of no rate: %+v", p)
	}
}

// What is joined neither loses a request nor hides the longest.
func TestCoarser(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := loaded("x", rapid.IntRange(1, 300).Draw(t, "stretches"), 1e6)
		for i := range c.stretches {
			c.stretches[i].worst = rapid.Float64Range(1, 1e9).Draw(t, "worst")
		}
		most := rapid.IntRange(1, 50).Draw(t, "most")
		j := c.coarser(most)
		if len(j.stretches) > most || j.stretches[0].since != 0 || j.stretches[len(j.stretches)-1].until != c.end {
			t.Fatalf("%d stretches, until %v", len(j.stretches), j.stretches[len(j.stretches)-1].until)
		}
		if sums(c) != sums(j) {
			t.Fatalf("%v became %v", sums(c), sums(j))
		}
	})
}

func sums(c course) (all [5]float64) {
	for _, s := range c.stretches {
		all[0], all[1], all[2], all[3] = all[0]+s.requests, all[1]+s.lost, all[2]+s.on, all[3]+s.off
		all[4] = max(all[4], s.worst)
	}
	return all
}

// A rate of 0 is an arrow from its upper bound; others have a dot.
func TestLostPlot(t *testing.T) {
	p := newLostPlot([]lostItem{
		{label: "none", high: 2.5, known: true, text: "< 2.5"},
		{label: "agent", rate: 60, low: 50, high: 72, known: true},
		{label: "void"},
		{label: "few", rate: 1, low: 0, high: 5, known: true},
	})
	if len(p.Rows) != 4 || p.Rows[0].Arrow == "" || p.Rows[0].Dot || p.Rows[1].Arrow != "" || !p.Rows[1].Dot || p.Rows[2].High != "" || p.Rows[3].Arrow == "" || !p.Rows[3].Dot {
		t.Errorf("%+v", p.Rows)
	}
}

// No drawing has a place that is no number, whatever was measured.
func TestDrawingsHoldNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(0, math.MaxFloat64), rapid.Float64Range(0, 1e10))
		c := course{label: "x", ramp: value.Draw(t, "ramp"), end: value.Draw(t, "end")}
		for range rapid.IntRange(0, 5).Draw(t, "stretches") {
			at := value.Draw(t, "since")
			c.stretches = append(c.stretches, stretch{since: at, until: at + value.Draw(t, "length"), lost: value.Draw(t, "lost"), p50: value.Draw(t, "p50"), p99: value.Draw(t, "p99"), worst: value.Draw(t, "worst")})
			c.toggles = append(c.toggles, toggled{since: at, took: value.Draw(t, "took"), on: rapid.Bool().Draw(t, "on")})
		}
		axes, ok := newTimelineAxes([]course{c})
		if !ok {
			return
		}
		d := c.timeline(axes)
		for _, b := range append(append(d.Losses, d.On...), d.Toggles...) {
			for _, v := range []string{b.X, b.Width} {
				if f, err := strconv.ParseFloat(v, 64); err != nil || math.IsNaN(f) || f < 0 || f > timelineWidth {
					t.Fatalf("%+v lies outside the drawing", b)
				}
			}
		}
	})
}
