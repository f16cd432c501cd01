package plot

import (
	"cmp"
	"slices"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/analysis/steady"
	"moobench/results"
)

// TraceStepsLeast is the least number of points of a trace.
const TraceStepsLeast = 25

// TraceLegend explains the lines of traces.
var TraceLegend = List("legend",
	Key("44",
		`<path class="warming" d="M2 3L20 9"/><path class="resting" d="M20 9H42"/><path class="settled" d="M20 0v14"/>`,
		"warm-up, then the steady state that was found; the line is its median start"),
	Key("44", `<path class="never" d="M2 10L42 4"/>`, "no steady state"),
	Key("44", `<rect class="before" x="2" y="0" width="40" height="14" fill-opacity=".3"/>`,
		"before the window: in no mean"),
)

// Traces draws the invocations of one cell in a small drawing, and returns their mean. At most so many of them are
// drawn, in so many steps; about is said of all.
func Traces(
	label, unit string, runs []steady.Inside, steps, most int, about ...string,
) (svg string, mean []float64) {
	var settled []float64
	for _, inv := range runs {
		if inv.SteadyFrom != nil {
			settled = append(settled, *inv.SteadyFrom)
		}
	}
	traces := results.Each(runs, func(inv steady.Inside) []float64 { return coarser(inv.Trace, steps) })
	values := slices.Concat(traces...)
	low, high := slices.Min(values), slices.Max(values)
	lines := []string{figure.Quantity(low, unit) + " … " + figure.Quantity(high, unit)}
	// The window behind the mean must be visible: peaks of the warm-up would flatten it.
	var window []float64
	for i, t := range traces {
		window = append(window, t[max(0, min(len(t)-1, int(runs[i].From*float64(len(t))))):]...)
	}
	slices.Sort(window)
	if top := low + 1.25*(window[(len(window)-1)*99/100]-low); top < high && top > low {
		high = top
		lines[0] += ", drawn up to " + figure.Quantity(high, unit)
	}
	if high == low {
		high = low + 1
	}
	p := XY{
		Frame: Multiple,
		X:     Axis{High: 1, Step: 1},
		Y:     Axis{Low: low, High: high, Step: high - low},
	}
	p.Spans = darker(results.Each(runs, func(inv steady.Inside) float64 { return inv.From }))
	n := min(most, len(runs))
	for k := range n {
		i := k * len(runs) / n
		p.Series = append(p.Series, strokes(runs[i], traces[i])...)
	}
	lines[0] += prose.If(n < len(runs), ", %d of %d drawn", n, len(runs))
	lines = append(lines, prose.NonEmpty(about...)...)
	if len(settled) > 0 {
		slices.Sort(settled)
		at := min(1, max(0, settled[len(settled)/2]))
		p.Rules = append(p.Rules, Rule{X: &at, Class: "settled"})
		some := prose.If(len(settled) < len(runs), " (%d of %d)", len(settled), len(runs))
		lines = append(lines, "steady from "+figure.Percent(at)+" on"+some)
	}
	p.Alt = label + ": " + strings.Join(lines, "; ")
	shortest := slices.MinFunc(traces, func(a, b []float64) int { return len(a) - len(b) })
	mean = make([]float64, len(shortest))
	for _, t := range traces {
		for i := range mean {
			mean[i] += t[i] / float64(len(traces))
		}
	}
	return Tile("multiple", label, p.SVG(), lines...), mean
}

// strokes draws one invocation, in two parts if its steady state begins inside it.
func strokes(inv steady.Inside, values []float64) []Series {
	points := Along(values, 1)
	switch {
	case inv.Class == string(steady.Unsteady):
		return []Series{{Class: "never", Line: true, Points: points}}
	case inv.SteadyFrom == nil:
		return []Series{{Class: "untold", Line: true, Points: points}}
	}
	begin, _ := slices.BinarySearchFunc(points, *inv.SteadyFrom, func(p Point, from float64) int {
		return cmp.Compare(p.X, from)
	})
	var all []Series
	if begin > 0 {
		all = append(all, Series{Class: "warming", Line: true, Points: points[:min(begin+1, len(points))]})
	}
	if begin < len(points)-1 {
		all = append(all, Series{Class: "resting", Line: true, Points: points[begin:]})
	}
	return all
}

// Along spaces values evenly over a width.
func Along(values []float64, width float64) []Point {
	var points []Point
	for i, v := range values {
		points = append(points, Point{X: (float64(i) + 0.5) / float64(len(values)) * width, Y: v})
	}
	return points
}

// darker shades a drawing before the windows; froms are their beginnings, as shares of its width. The more
// windows begin later, the darker.
func darker(froms []float64) []Span {
	var all []Span
	slices.Sort(froms)
	at := 0.0
	for i, from := range froms {
		if from > at && from <= 1 {
			before := float64(len(froms)-i) / float64(len(froms))
			all = append(all, Span{From: at, To: from, Class: "before", opacity: 0.1 + 0.3*before})
			at = from
		}
	}
	return all
}

// coarser reduces values to n steps at most: means of neighbours.
func coarser(values []float64, n int) []float64 {
	if len(values) <= n {
		return values
	}
	coarse := make([]float64, n)
	for i := range coarse {
		from, to := i*len(values)/n, (i+1)*len(values)/n
		for _, v := range values[from:to] {
			coarse[i] += v / float64(to-from)
		}
	}
	return coarse
}
