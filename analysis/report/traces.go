package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/steady"
)

const (
	// tracePoints is about how many points all traces of a scenario have
	// together: more would make the page large, and none could be told apart.
	tracePoints = 8000
	// traceSteps and traceStepsLeast are how many a trace has.
	traceSteps, traceStepsLeast = 100, 25
	// tracesLeast is how many invocations of a cell are drawn, however many
	// cells there are.
	tracesLeast = 3
)

// trace is the inside of the invocations of one cell.
type trace struct {
	Label, Short string
	Low, High    string // the least and the largest value
	Class        string // what the invocations do, "" when it is not told
	Steady       string // x of the median begin of the steady state, "" when there is none
	SteadySays   string
	Before       []shade // what lies before the windows
	Strokes      []stroke
	Drawn        string // how many of the invocations are drawn, "" when all are
	mean         []float64
}

// stroke is a part of a trace: before the steady state, in it, or of an
// invocation that has none.
type stroke struct{ Kind, Points string }

// shade is a part of a drawing that lies before the window of some invocations:
// the more of them, the darker.
type shade struct{ X, Width, Opacity string }

// newTraces draws the inside of the invocations of each cell, with about so many
// points in all.
func newTraces(a *analysis.Answers, s *analysis.Scenario, points int) (all []trace) {
	var cells [][]analysis.Invocation
	lines := 0
	for i := range s.Cells {
		runs := slices.DeleteFunc(valued(a, s.Cells[i].ID), func(inv analysis.Invocation) bool { return len(inv.Trace) < 2 })
		cells = append(cells, runs)
		lines += len(runs)
	}
	steps, most := traceRoom(points, lines, len(cells))
	for i, runs := range cells {
		if len(runs) == 0 {
			continue
		}
		c := &s.Cells[i]
		t := trace{Label: c.Label, Short: shorten(c.Label, 34), Class: steadyText(c.Steady)}
		t.draw(runs, steps, most, primary(s).Unit)
		all = append(all, t)
	}
	return all
}

// traceRoom is how many steps a trace may have, and how many invocations of a
// cell are drawn, to have about so many points in all.
func traceRoom(points, lines, cells int) (steps, most int) {
	steps = min(traceSteps, max(traceStepsLeast, points/max(1, lines)))
	return steps, max(tracesLeast, points/steps/max(1, cells))
}

func (t *trace) draw(runs []analysis.Invocation, steps, most int, unit string) {
	var froms, settled []float64
	var traces [][]float64
	for _, inv := range runs {
		froms = append(froms, inv.From)
		if inv.SteadyFrom != nil {
			settled = append(settled, *inv.SteadyFrom)
		}
		traces = append(traces, coarserTrace(inv.Trace, steps))
	}
	t.Before, t.mean = shades(froms), average(traces)
	t.settle(settled, len(runs))
	low, high := math.Inf(1), math.Inf(-1)
	for _, values := range traces {
		low, high = min(low, slices.Min(values)), max(high, slices.Max(values))
	}
	t.Low, t.High = figure.Quantity(low, unit), figure.Quantity(high, unit)
	if high == low {
		high = low + 1
	}
	n := min(most, len(runs))
	for k := range n {
		i := k * len(runs) / n
		t.stroke(runs[i], traces[i], func(v float64) float64 { return 2 + (multipleHeight-4)*(high-v)/(high-low) })
	}
	if n < len(runs) {
		t.Drawn = fmt.Sprintf("%d of %d drawn", n, len(runs))
	}
}

// settle marks where the steady state begins, in the median.
func (t *trace) settle(settled []float64, of int) {
	if len(settled) == 0 {
		return
	}
	slices.Sort(settled)
	at := min(1, max(0, settled[len(settled)/2]))
	t.Steady = px(multipleWidth * at)
	t.SteadySays = "steady from " + figure.Percent(at) + " on"
	if len(settled) < of {
		t.SteadySays += fmt.Sprintf(" (%d of %d)", len(settled), of)
	}
}

// stroke draws one invocation, in two parts where its steady state begins inside
// it.
func (t *trace) stroke(inv analysis.Invocation, values []float64, y func(float64) float64) {
	var points []string
	begin := 0
	for i, v := range values {
		at := (float64(i) + 0.5) / float64(len(values))
		points = append(points, px(multipleWidth*at)+","+px(y(v)))
		if inv.SteadyFrom != nil && at < *inv.SteadyFrom {
			begin = i + 1
		}
	}
	switch {
	case inv.Class == string(steady.Unsteady):
		t.Strokes = append(t.Strokes, stroke{"never", strings.Join(points, " ")})
	case inv.SteadyFrom == nil:
		t.Strokes = append(t.Strokes, stroke{"untold", strings.Join(points, " ")})
	default:
		if begin > 0 {
			t.Strokes = append(t.Strokes, stroke{"warming", strings.Join(points[:min(begin+1, len(points))], " ")})
		}
		if begin < len(points)-1 {
			t.Strokes = append(t.Strokes, stroke{"resting", strings.Join(points[begin:], " ")})
		}
	}
}

// shades cuts a drawing where windows begin; froms are shares of its width.
func shades(froms []float64) []shade {
	var all []shade
	slices.Sort(froms)
	at := 0.0
	for i, from := range froms {
		if from > at && from <= 1 {
			before := float64(len(froms)-i) / float64(len(froms))
			all = append(all, shade{px(multipleWidth * at), px(multipleWidth * (from - at)), strconv.FormatFloat(0.1+0.3*before, 'f', 2, 64)})
			at = from
		}
	}
	return all
}

// coarserTrace has n steps at most: means of neighbouring ones.
func coarserTrace(values []float64, n int) []float64 {
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

// average is the mean trace of invocations, as long as the shortest.
func average(traces [][]float64) []float64 {
	n := len(traces[0])
	for _, t := range traces {
		n = min(n, len(t))
	}
	mean := make([]float64, n)
	for _, t := range traces {
		for i := range mean {
			mean[i] += t[i] / float64(len(traces))
		}
	}
	return mean
}
