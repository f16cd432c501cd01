package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
	"moobench/analysis/steady"
)

const (
	// tracePoints is about how many points all traces of a scenario have together:
	// more would make the page large, and none could be told apart.
	tracePoints = 8000
	// traceSteps and traceStepsLeast are how many a trace has.
	traceSteps, traceStepsLeast = 100, 25
	// tracesLeast is how many invocations of a cell are drawn, however many cells
	// there are.
	tracesLeast = 3
)

// traces draw the inside of the invocations of each cell.
func (b *builder) traces() *doc.Section {
	points := tracePoints
	if b.step > 0 { // the table of all cells takes its room
		points /= 2
	}
	var cells [][]analysis.Invocation
	lines := 0
	for i := range b.s.Cells {
		runs := slices.DeleteFunc(valued(b.a, b.s.Cells[i].ID), func(inv analysis.Invocation) bool { return len(inv.Trace) < 2 })
		cells = append(cells, runs)
		lines += len(runs)
	}
	steps, most := traceRoom(points, lines, len(cells))
	means := plot.XY{X: plot.Axis{High: 100, Step: 20, Title: "per cent of the invocation's samples"}}
	var svg strings.Builder
	var values []float64
	for i, runs := range cells {
		if len(runs) == 0 {
			continue
		}
		c := &b.s.Cells[i]
		drawn, mean := b.trace(c, runs, steps, most)
		svg.WriteString(drawn)
		line := plot.Series{Name: c.Label, Look: plot.LookOf(len(means.Series)), Line: true}
		for k, v := range mean {
			line.Points = append(line.Points, plot.Point{X: (float64(k) + 0.5) / float64(len(mean)) * 100, Y: v})
		}
		means.Series, values = append(means.Series, line), append(values, mean...)
	}
	if len(means.Series) == 0 {
		return nil
	}
	means.Y = inUnit(plot.NewAxis(values, plot.SpansDecades(values, math.Log10(20))), b.s.Primary, primary(b.s).Unit, values)
	sec := &doc.Section{Title: "Inside the invocations", Depth: doc.Paged}
	sec.Blocks = chartedFigure(b.id+"-traces", "Mean over invocations, from the first sample to the last", traceLegend+`<div class="multiples">`+svg.String()+"</div>", means.Chart(),
		"Every invocation from its first sample (left) to its last. The darker the shade, the more invocations have their warm-up there.")
	return sec
}

// traceRoom shares so many points out among the traces of so many cells: the points
// of each trace, and how many traces a cell has.
func traceRoom(points, lines, cells int) (steps, most int) {
	steps = min(traceSteps, max(traceStepsLeast, points/max(1, lines)))
	return steps, max(tracesLeast, points/steps/max(1, cells))
}

// traceLegend says what the lines of traces are.
const traceLegend = `<ul class="legend">` +
	`<li><svg viewBox="0 0 44 14" width="44" height="14" aria-hidden="true"><path class="warming" d="M2 3L20 9"/><path class="resting" d="M20 9H42"/><path class="settled" d="M20 0v14"/></svg> warm-up, then the steady state that was found; the line is its begin in the median</li>` +
	`<li><svg viewBox="0 0 44 14" width="44" height="14" aria-hidden="true"><path class="never" d="M2 10L42 4"/></svg> no steady state</li>` +
	`<li><svg viewBox="0 0 44 14" width="44" height="14" aria-hidden="true"><rect class="before" x="2" y="0" width="40" height="14" fill-opacity=".3"/></svg> before the window: in no mean</li></ul>`

// trace draws the invocations of one cell in a small drawing, and returns their mean.
func (b *builder) trace(c *analysis.Cell, runs []analysis.Invocation, steps, most int) (svg string, mean []float64) {
	var froms, settled []float64
	var traces [][]float64
	low, high := math.Inf(1), math.Inf(-1)
	for _, inv := range runs {
		froms = append(froms, inv.From)
		if inv.SteadyFrom != nil {
			settled = append(settled, *inv.SteadyFrom)
		}
		values := coarser(inv.Trace, steps)
		traces = append(traces, values)
		low, high = min(low, slices.Min(values)), max(high, slices.Max(values))
	}
	unit := primary(b.s).Unit
	says := []string{figure.Quantity(low, unit) + " … " + figure.Quantity(high, unit)}
	if high == low {
		high = low + 1
	}
	p := plot.XY{Frame: plot.Multiple, X: plot.Axis{High: 1, Step: 1}, Y: plot.Axis{Low: low, High: high, Step: high - low}}
	p.Spans = shades(froms)
	n := min(most, len(runs))
	for k := range n {
		i := k * len(runs) / n
		p.Series = append(p.Series, strokes(runs[i], traces[i])...)
	}
	if n < len(runs) {
		says[0] += fmt.Sprintf(", %d of %d drawn", n, len(runs))
	}
	if text := steadyText(c.Steady); text != "" {
		says = append(says, text)
	}
	if len(settled) > 0 {
		slices.Sort(settled)
		at := min(1, max(0, settled[len(settled)/2]))
		p.Rules = append(p.Rules, plot.Rule{X: &at, Class: "settled"})
		text := "steady from " + figure.Percent(at) + " on"
		if len(settled) < len(runs) {
			text += fmt.Sprintf(" (%d of %d)", len(settled), len(runs))
		}
		says = append(says, text)
	}
	p.Alt = c.Label + ": " + strings.Join(says, "; ")
	return multiple(c.Label, p.SVG(), says...), average(traces)
}

// multiple is a small drawing among others, with what is to be read below it.
func multiple(label, svg string, says ...string) string {
	var b strings.Builder
	b.WriteString(`<div class="multiple">` + plot.Heading(label) + svg)
	for _, text := range says {
		b.WriteString("<small><span>" + plot.Text(text) + "</span></small>")
	}
	return b.String() + "</div>"
}

// strokes are one invocation, in two parts where its steady state begins inside it.
func strokes(inv analysis.Invocation, values []float64) []plot.Series {
	var points []plot.Point
	begin := 0
	for i, v := range values {
		at := (float64(i) + 0.5) / float64(len(values))
		points = append(points, plot.Point{X: at, Y: v})
		if inv.SteadyFrom != nil && at < *inv.SteadyFrom {
			begin = i + 1
		}
	}
	line := func(class string, some []plot.Point) plot.Series {
		return plot.Series{Class: class, Line: true, Points: some}
	}
	switch {
	case inv.Class == string(steady.Unsteady):
		return []plot.Series{line("never", points)}
	case inv.SteadyFrom == nil:
		return []plot.Series{line("untold", points)}
	}
	var all []plot.Series
	if begin > 0 {
		all = append(all, line("warming", points[:min(begin+1, len(points))]))
	}
	if begin < len(points)-1 {
		all = append(all, line("resting", points[begin:]))
	}
	return all
}

// shades cut a drawing where windows begin; froms are shares of its width. The more
// invocations have their window later, the darker it is.
func shades(froms []float64) []plot.Span {
	var all []plot.Span
	slices.Sort(froms)
	at := 0.0
	for i, from := range froms {
		if from > at && from <= 1 {
			before := float64(len(froms)-i) / float64(len(froms))
			all = append(all, plot.Span{From: at, To: from, Class: "before", Opacity: 0.1 + 0.3*before})
			at = from
		}
	}
	return all
}

// coarser has n steps at most: means of neighbouring ones.
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

// valued are the invocations of a cell that have a value.
func valued(a *analysis.Answers, cell string) []analysis.Invocation {
	return slices.DeleteFunc(slices.Clone(a.Invocations), func(inv analysis.Invocation) bool { return inv.Cell != cell || inv.Value == nil })
}
