package report

import (
	"math"
	"slices"

	"moobench/analysis/figure"
)

// The layout of a timeline, in the units of its view box.
const (
	timelineWidth   = 340.0
	timelineHeight  = 196.0
	timelineLeft    = 48.0
	timelineRight   = 328.0
	timelineTop     = 20.0
	timelineBottom  = 112.0 // of the latencies
	timelineLosses  = 120.0 // the losses begin here
	timelineLost    = 150.0 // and end here
	timelineToggles = 156.0 // the toggles begin here
	timelineToggled = 165.0 // and end here

	// timelineSteps is how many stretches are drawn at most: more could not be
	// told apart, and make the page large.
	timelineSteps = 190
	// timelineRows is how many the table has at most.
	timelineRows = 20
	// togglesDrawn is up to how many toggles have a line across the latencies.
	togglesDrawn = 60
	// togglesApart is up to how many are drawn each by itself.
	togglesApart = 300
	// toggleLeast is how wide a toggle is drawn at least.
	toggleLeast = 1.2
)

// stretch is a part of a load: what was to be sent in it. Times in ns; the
// quantiles are 0 where nothing was answered.
type stretch struct {
	since, until     float64
	requests, lost   float64
	p50, p99, worst  float64
	on, off, longest float64 // toggles that began in it, and the longest of them
}

// toggled is one change of what is monitored, in ns since the load's begin.
type toggled struct {
	since, took float64
	on          bool
}

// course is what became of the load of a cell over time.
type course struct {
	label      string
	invocation string
	ramp, end  float64 // ns since the load's begin
	stretches  []stretch
	toggles    []toggled
}

// timelineAxes are shared by the timelines of a scenario.
type timelineAxes struct {
	time, latency, losses scale
	most                  float64 // lost in one drawn stretch
	timeUnit, unit        figure.Scale
}

// newTimelineAxes holds all courses; ok is false when there is nothing to draw.
func newTimelineAxes(all []course) (axes timelineAxes, ok bool) {
	var latencies []float64
	end := 0.0
	for _, c := range all {
		end = max(end, c.end)
		for _, s := range c.stretches {
			axes.most = max(axes.most, s.lost)
			for _, v := range []float64{s.p50, s.p99, s.worst} {
				if v > 0 {
					latencies = append(latencies, v)
				}
			}
		}
	}
	if len(latencies) == 0 || end <= 0 {
		return axes, false
	}
	axes.latency = newScale(latencies, spansDecades(latencies, 1), timelineBottom, timelineTop)
	axes.time = scale{low: 0, high: end, step: niceStep(end), from: timelineLeft, to: timelineRight}
	axes.losses = scale{low: 0, high: max(1, axes.most), from: timelineLost, to: timelineLosses}
	axes.unit, axes.timeUnit = figure.Fit("ns", slices.Max(latencies)), figure.Fit("ns", end)
	return axes, true
}

// timeline is the drawing of a course.
type timeline struct {
	Label, Short, Says  string // the name, as much of it as there is room for, and all in words
	Ramp                *block
	Lines               []timelineLine
	Losses, On, Toggles []block
	Hairs               []string // x of toggles, where they are few
	YTicks, XTicks      []tick
	MostLost            string
	LatencyOf, TimeOf   string // units of the axes
	Rows                []timelineRow
}

// block is a rectangle.
type block struct{ X, Y, Width, Height, Title string }

// timelineLine is a quantile; it is interrupted where nothing was answered.
type timelineLine struct {
	Class  string
	Points []string
}

// timelineRow is a line of the table.
type timelineRow struct{ Since, Requests, Lost, P50, P99, Worst, Toggles string }

func (c course) timeline(axes timelineAxes) timeline {
	t := timeline{Label: c.label, Short: shorten(c.label, 44), LatencyOf: axes.unit.Unit + axes.latency.remark(), TimeOf: axes.timeUnit.Unit}
	if c.ramp > 0 {
		t.Ramp = &block{X: px(timelineLeft), Width: px(axes.time.at(c.ramp) - timelineLeft)}
	}
	for _, of := range []struct {
		class string
		value func(stretch) float64
	}{
		{"worst", func(s stretch) float64 { return s.worst }},
		{"p99", func(s stretch) float64 { return s.p99 }},
		{"p50", func(s stretch) float64 { return s.p50 }},
	} {
		t.Lines = append(t.Lines, timelineLine{of.class, c.points(axes, of.value)})
	}
	for _, s := range c.stretches {
		if s.lost > 0 {
			x, y := axes.time.at(s.since), axes.losses.at(s.lost)
			t.Losses = append(t.Losses, block{px(x), px(y), px(max(toggleLeast, axes.time.at(s.until)-x-0.2)), px(timelineLost - y), figure.Count(int64(math.Ceil(s.lost))) + " lost from " + figure.Quantity(s.since, "ns") + " on"})
		}
	}
	t.marks(c, axes)
	t.ticks(axes)
	t.Rows, t.Says = c.table(), c.says()
	return t
}

// points are polylines through the middles of the stretches.
func (c course) points(axes timelineAxes, value func(stretch) float64) []string {
	var lines []string
	before := false
	for _, s := range c.stretches {
		v := value(s)
		at := px(axes.time.at((s.since+s.until)/2)) + "," + px(axes.latency.at(v))
		switch {
		case v <= 0:
		case before:
			lines[len(lines)-1] += " " + at
		default: // a line of one point would not be seen
			lines = append(lines, px(axes.time.at(s.since))+","+px(axes.latency.at(v))+" "+at)
		}
		before = v > 0
	}
	return lines
}

// marks draws the toggles, and between them when the probe was in.
func (t *timeline) marks(c course, axes timelineAxes) {
	if len(c.toggles) > togglesApart {
		t.Toggles = []block{{X: px(timelineLeft), Width: px(axes.time.at(c.end) - timelineLeft), Title: figure.Count(int64(len(c.toggles))) + " toggles: too many to be drawn apart"}}
		return
	}
	for i, s := range c.toggles {
		x := axes.time.at(s.since)
		if s.on {
			until := c.end
			if i+1 < len(c.toggles) {
				until = c.toggles[i+1].since
			}
			t.On = append(t.On, block{X: px(x), Width: px(max(0, axes.time.at(until)-x))})
		}
		t.Toggles = append(t.Toggles, block{X: px(x), Width: px(max(toggleLeast, axes.time.at(s.since+s.took)-x)), Title: s.String()})
		if len(c.toggles) <= togglesDrawn {
			t.Hairs = append(t.Hairs, px(x))
		}
	}
}

// says is b0003.s02.r0: 163,000 requests, 12 lost, 39 toggles.
func (c course) says() string {
	var whole stretch
	for _, s := range c.stretches {
		whole.requests, whole.lost = whole.requests+s.requests, whole.lost+s.lost
	}
	text := figure.Plural(int(whole.requests), "request", "requests") + ", " + figure.Count(int64(whole.lost)) + " lost, " + figure.Plural(len(c.toggles), "toggle", "toggles")
	if c.invocation != "" {
		text = c.invocation + ": " + text
	}
	return text
}

// String is on at 3 s, took 1.2 ms.
func (s toggled) String() string {
	text := "off at "
	if s.on {
		text = "on at "
	}
	return text + figure.Quantity(s.since, "ns") + ", took " + figure.Quantity(s.took, "ns")
}

func (t *timeline) ticks(axes timelineAxes) {
	last := 2 * timelineHeight
	for _, v := range axes.latency.ticks() {
		if y := axes.latency.at(v); last-y >= 11 { // else the numbers would touch
			t.YTicks, last = append(t.YTicks, tick{px(y), tickText(v / axes.unit.Factor)}), y
		}
	}
	for _, v := range axes.time.ticks() {
		if v <= axes.time.high {
			t.XTicks = append(t.XTicks, tick{px(axes.time.at(v)), tickText(v / axes.timeUnit.Factor)})
		}
	}
	t.MostLost = figure.Count(int64(math.Ceil(axes.most)))
}

// table has a row for every few stretches.
func (c course) table() []timelineRow {
	var rows []timelineRow
	for _, s := range c.coarser(timelineRows).stretches {
		row := timelineRow{
			Since: figure.Exactly(s.since, "ns"), Requests: figure.Count(int64(math.Round(s.requests))), Lost: figure.Count(int64(math.Ceil(s.lost))),
			P50: "–", P99: "–", Worst: "–",
		}
		if s.worst > 0 {
			row.P50, row.P99, row.Worst = figure.Quantity(s.p50, "ns"), figure.Quantity(s.p99, "ns"), figure.Quantity(s.worst, "ns")
		}
		if s.on+s.off > 0 {
			row.Toggles = figure.Count(int64(s.on)) + " on, " + figure.Count(int64(s.off)) + " off; the longest took " + figure.Quantity(s.longest, "ns")
		}
		rows = append(rows, row)
	}
	return rows
}

// coarser joins neighbouring stretches, so that there are most of them at most:
// counts add up, and of quantiles the largest stays, so that nothing that
// happened is hidden.
func (c course) coarser(most int) course {
	every := (len(c.stretches) + most - 1) / most
	joined := c
	joined.stretches = nil
	for some := range slices.Chunk(c.stretches, max(1, every)) {
		s := some[0]
		for _, o := range some[1:] {
			s.until, s.requests, s.lost = o.until, s.requests+o.requests, s.lost+o.lost
			s.p50, s.p99, s.worst = max(s.p50, o.p50), max(s.p99, o.p99), max(s.worst, o.worst)
			s.on, s.off, s.longest = s.on+o.on, s.off+o.off, max(s.longest, o.longest)
		}
		joined.stretches = append(joined.stretches, s)
	}
	return joined
}
