package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
	"moobench/analysis/steady"
	"moobench/results"
)

const (
	// tracePoints is the approximate number of points of all traces of a scenario: more would make the page
	// large, and could not be told apart.
	tracePoints = 8000
	// traceSteps and traceStepsLeast bound the number of points of a trace.
	traceSteps, traceStepsLeast = 100, 25
	// tracesLeast is the number of a cell's invocations that are drawn however many cells there are.
	tracesLeast = 3
)

// traces draws the inside of each cell's invocations.
func (b *builder) traces() *doc.Section {
	points := tracePoints
	if b.step > 0 { // make room for the table of all cells
		points /= 2
	}
	cells := each(b.s.Cells, func(c analysis.Cell) []analysis.Invocation {
		return slices.DeleteFunc(valued(b.a, c.ID), func(inv analysis.Invocation) bool { return len(inv.Trace) < 2 })
	})
	steps, most := traceRoom(points, len(slices.Concat(cells...)), len(cells))
	means := plot.XY{X: plot.Axis{High: 100, Step: 20, Title: "per cent of the invocation's samples"}}
	svg := traceLegend + `<div class="multiples">`
	var values []float64
	for i, runs := range cells {
		if len(runs) == 0 {
			continue
		}
		c := &b.s.Cells[i]
		drawn, mean := b.trace(c, runs, steps, most)
		svg += drawn
		line := plot.Series{Name: c.Label, Look: plot.LookOf(len(means.Series)), Line: true, Points: along(mean, 100)}
		means.Series, values = append(means.Series, line), append(values, mean...)
	}
	if len(means.Series) == 0 {
		return nil
	}
	means.Y = plot.InUnit(plot.NewAxis(values, plot.SpansDecades(values, math.Log10(20))),
		b.s.Primary, primary(b.s).Unit, values)
	return &doc.Section{Title: "Inside the invocations", Depth: doc.Paged, Blocks: []doc.Block{doc.ChartedFigure(
		b.id+"-traces", "Mean over invocations, from the first sample to the last", svg+"</div>", means.Chart(),
		"Every invocation from its first sample (left) to its last. "+
			"The darker the shade, the more invocations have their warm-up there.")}}
}

// settling says how the number of calls was found, and draws the runs of each cell behind it.
func (b *builder) settling() *doc.Section {
	z := b.s.Settling
	if z == nil || z.Decision == nil {
		return nil
	}
	sec := &doc.Section{Title: "Pilot: how many calls", Depth: doc.Full}
	svg := ""
	byGroup := each(z.Decision.Groups, func(g results.SettledGroup) []results.SettledCell { return g.Cells })
	for _, s := range slices.Concat(byGroup...) {
		c := b.s.Cell(s.Cell)
		runs := slices.DeleteFunc(slices.Clone(b.a.Invocations), func(inv analysis.Invocation) bool {
			return inv.Cell != s.Cell || inv.Profile != results.ProfilePilot || len(inv.Trace) < 2
		})
		if c == nil || !b.paged || len(runs) == 0 {
			continue
		}
		runs = runs[max(0, len(runs)-s.JVMs):]
		label := c.Label + ", " + figure.Plural(int(s.Tried), "call", "calls")
		drawn, _ := b.trace(&analysis.Cell{Label: label}, runs, traceStepsLeast, len(runs))
		svg += drawn
	}
	sec.Add(doc.Paragraph{Text: z.Decision.Reason})
	if svg != "" {
		sec.Add(doc.FigureOf(traceLegend+`<div class="multiples">`+svg+"</div>",
			"The last runs of the pilot of each cell, which are in no number, from the first call (left) to the last."))
	}
	return sec
}

// traceRoom shares points among the traces of cells: it returns the points of each trace, and the traces of
// each cell.
func traceRoom(points, lines, cells int) (steps, most int) {
	steps = min(traceSteps, max(traceStepsLeast, points/max(1, lines)))
	return steps, max(tracesLeast, points/steps/max(1, cells))
}

// traceLegend explains the lines of traces.
var traceLegend = plot.List("legend",
	plot.Key("44",
		`<path class="warming" d="M2 3L20 9"/><path class="resting" d="M20 9H42"/><path class="settled" d="M20 0v14"/>`,
		"warm-up, then the steady state that was found; the line is its begin in the median"),
	plot.Key("44", `<path class="never" d="M2 10L42 4"/>`, "no steady state"),
	plot.Key("44", `<rect class="before" x="2" y="0" width="40" height="14" fill-opacity=".3"/>`,
		"before the window: in no mean"),
)

// trace draws the invocations of one cell in a small drawing, and returns their mean.
func (b *builder) trace(c *analysis.Cell, runs []analysis.Invocation, steps, most int) (svg string, mean []float64) {
	var settled []float64
	for _, inv := range runs {
		if inv.SteadyFrom != nil {
			settled = append(settled, *inv.SteadyFrom)
		}
	}
	traces := each(runs, func(inv analysis.Invocation) []float64 { return coarser(inv.Trace, steps) })
	values := slices.Concat(traces...)
	low, high, unit := slices.Min(values), slices.Max(values), primary(b.s).Unit
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
	p := plot.XY{
		Frame: plot.Multiple,
		X:     plot.Axis{High: 1, Step: 1},
		Y:     plot.Axis{Low: low, High: high, Step: high - low},
	}
	p.Spans = shades(each(runs, func(inv analysis.Invocation) float64 { return inv.From }))
	n := min(most, len(runs))
	for k := range n {
		i := k * len(runs) / n
		p.Series = append(p.Series, strokes(runs[i], traces[i])...)
	}
	lines[0] += textIf(n < len(runs), fmt.Sprintf(", %d of %d drawn", n, len(runs)))
	lines = append(lines, prose.NonEmpty(steadyText(c.Steady))...)
	if len(settled) > 0 {
		slices.Sort(settled)
		at := min(1, max(0, settled[len(settled)/2]))
		p.Rules = append(p.Rules, plot.Rule{X: &at, Class: "settled"})
		some := textIf(len(settled) < len(runs), fmt.Sprintf(" (%d of %d)", len(settled), len(runs)))
		lines = append(lines, "steady from "+figure.Percent(at)+" on"+some)
	}
	p.Alt = c.Label + ": " + strings.Join(lines, "; ")
	shortest := slices.MinFunc(traces, func(a, b []float64) int { return len(a) - len(b) })
	mean = make([]float64, len(shortest))
	for _, t := range traces {
		for i := range mean {
			mean[i] += t[i] / float64(len(traces))
		}
	}
	return multiple(c.Label, p.SVG(), lines...), mean
}

// multiple is a small drawing among others, with lines of text below it.
func multiple(label, svg string, lines ...string) string {
	for _, line := range lines {
		svg += "<small><span>" + plot.Text(line) + "</span></small>"
	}
	return plot.Tile("multiple", label, svg)
}

// strokes draws one invocation, in two parts if its steady state begins inside it.
func strokes(inv analysis.Invocation, values []float64) []plot.Series {
	points := along(values, 1)
	switch {
	case inv.Class == string(steady.Unsteady):
		return []plot.Series{{Class: "never", Line: true, Points: points}}
	case inv.SteadyFrom == nil:
		return []plot.Series{{Class: "untold", Line: true, Points: points}}
	}
	begin, _ := slices.BinarySearchFunc(points, *inv.SteadyFrom, func(p plot.Point, from float64) int {
		return cmp.Compare(p.X, from)
	})
	var all []plot.Series
	if begin > 0 {
		all = append(all, plot.Series{Class: "warming", Line: true, Points: points[:min(begin+1, len(points))]})
	}
	if begin < len(points)-1 {
		all = append(all, plot.Series{Class: "resting", Line: true, Points: points[begin:]})
	}
	return all
}

// along spaces values evenly over a width.
func along(values []float64, width float64) []plot.Point {
	var points []plot.Point
	for i, v := range values {
		points = append(points, plot.Point{X: (float64(i) + 0.5) / float64(len(values)) * width, Y: v})
	}
	return points
}

// shades darkens a drawing before the windows; froms are their beginnings, as shares of its width. The more
// windows begin later, the darker.
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

// valued returns the invocations of a cell that have a value.
func valued(a *analysis.Answers, cell string) []analysis.Invocation {
	return slices.DeleteFunc(slices.Clone(a.Invocations), func(inv analysis.Invocation) bool {
		return inv.Cell != cell || inv.Value == nil
	})
}

// course is a cell block by block, relative to a mean.
type course struct {
	label  string
	points []plot.Point // X is the block
	band   *analysis.Interval
	about  string
}

// add adds an invocation, relative to mean. Unplanned outcomes get a marker: disturbed, failed or void.
func (c *course) add(inv analysis.Invocation, mean float64, m results.Metric) {
	pt := plot.Point{X: float64(inv.Block), Y: math.NaN()}
	switch {
	case inv.Value != nil:
		pt.Y = *inv.Value/mean - 1
		if inv.Disturbed != nil || inv.RepeatedBy != "" {
			pt.Kind = "disturbed"
			pt.Title = inv.ID + ": " + figure.Quantity(*inv.Value, m.Unit) + ", disturbed" +
				prefixed(", repeated as ", inv.RepeatedBy)
		}
	case m.Profile != "" && inv.Profile != m.Profile || m.Profile == "" && inv.Profile != results.ProfileTiming:
		return
	case inv.Status == results.StatusFailed:
		pt.Kind, pt.Title = "failed", inv.ID+": failed"
	case inv.Invalid != "":
		pt.Kind, pt.Title = "void", inv.ID+": invalid: "+inv.Invalid
	default:
		return
	}
	c.points = append(c.points, pt)
}

// selfTests are the second baselines relative to the first, block by block.
func (b *builder) selfTests() (tests []course) {
	for _, aa := range b.s.AA {
		c := b.s.Cell(aa.Cell)
		if c == nil || aa.Metric != "" {
			continue
		}
		line := course{label: join("A/A", aa.Level), about: "the second baseline less the first"}
		first := map[int]float64{}
		for _, inv := range valued(b.a, c.Baseline) {
			first[inv.Block] = *inv.Value
		}
		for _, inv := range valued(b.a, c.ID) {
			if first[inv.Block] != 0 {
				line.add(inv, first[inv.Block], primary(b.s))
			}
		}
		line.band = cmp.Or(aa.Ratio, &analysis.Estimate{}).Interval
		if len(line.points) > 0 {
			tests = append(tests, line)
		}
	}
	return tests
}

// drift draws each cell block by block, in per cent of its own mean, and the A/As: a movement of all cells is
// the machine's.
func (b *builder) drift() *doc.Section {
	if b.a.Campaign.Design == results.DesignUnordered {
		return nil
	}
	m := primary(b.s)
	var cells []course
	chart := plot.XY{
		X: plot.Axis{Title: "block", Step: 1, Whole: true},
		Y: plot.Axis{Title: "% of own mean", Factor: 0.01, Step: 1},
	}
	for _, c := range b.s.Cells {
		mean := metricOf(&c, m.Name).Mean
		if mean == nil || mean.Value == 0 {
			continue
		}
		line := course{label: c.Label, about: "each block in per cent of its mean"}
		for _, inv := range b.a.Invocations {
			if inv.Cell == c.ID {
				line.add(inv, mean.Value, m)
			}
		}
		chart.Series = append(chart.Series, plot.Series{
			Name:   c.Label,
			Look:   plot.LookOf(len(cells)),
			Line:   true,
			Points: line.points,
		})
		cells = append(cells, line)
	}
	sec := &doc.Section{Title: "Block by block", Depth: doc.Paged}
	sec.Add(doc.FigureOf(courses(b.selfTests()),
		"The A/A: by how much the second baseline exceeds the first in each block, all on one scale. "+
			"They are the same program, so that what shows here is the machine. "+
			"The band is the 90 % interval of their ratio."),
		doc.ChartedFigure(b.id+"-drift",
			"Each cell in per cent of its own mean, block by block; the table below has the values",
			courses(cells), chart.Chart(),
			"Each cell in per cent of its own mean, all on one scale. "+
				"What moves all cells alike is the machine, and cancels in the differences."),
		b.blockTables())
	return sec
}

// courses draws small drawings on the same axes; "" without any.
func courses(all []course) string {
	if len(all) == 0 {
		return ""
	}
	reach, last := 0.005, 1.0
	var kinds []string
	for _, c := range all {
		if c.band != nil {
			reach = max(reach, math.Abs(c.band.Low-1), math.Abs(c.band.High-1))
		}
		for _, p := range c.points {
			last = max(last, p.X)
			if !math.IsNaN(p.Y) {
				reach = max(reach, math.Abs(p.Y))
			}
			kinds = append(kinds, p.Kind)
		}
	}
	svg, ends := plot.OddLegend(kinds)+`<div class="multiples">`, "−"+figure.Percent(reach)+" … +"+figure.Percent(reach)
	for _, c := range all {
		p := plot.XY{
			Alt: c.label + ": " + c.about + ", between " + ends, Frame: plot.Multiple,
			X:      plot.Axis{Low: 0.5, High: last + 0.5, Step: 1},
			Y:      plot.Axis{Low: -reach * 1.06, High: reach * 1.06, Step: 1},
			Rules:  []plot.Rule{{Y: new(float64), Class: "rule"}},
			Series: []plot.Series{{Class: "line", Line: true, Dots: plot.Plain}},
		}
		if c.band != nil {
			p.Bands = []plot.Band{{Low: c.band.Low - 1, High: c.band.High - 1, Class: "band t0"}}
		}
		for _, pt := range c.points {
			if math.IsNaN(pt.Y) { // without a value it is drawn at the bottom
				pt.Y = -reach
				p.Series = append(p.Series, plot.Series{Points: []plot.Point{pt}})
				continue
			}
			p.Series[0].Points = append(p.Series[0].Points, pt)
		}
		svg += multiple(c.label, p.SVG(), ends)
	}
	return svg + "</div>"
}

// blockColumns is the number of cells in a table of blocks: print would cut off more.
const blockColumns = 8

// blockTables list the values of all cells block by block, or what became of them; a few cells in each table.
func (b *builder) blockTables() *doc.Section {
	sec := &doc.Section{Title: "Values block by block", Folded: true, Depth: doc.Paged}
	unit := primary(b.s).Unit
	for cells := range slices.Chunk(b.s.Cells, blockColumns) {
		t := &doc.Table{Legend: []string{"the value of each invocation"}, Columns: doc.NumberColumns("block")}
		column := map[string]int{}
		for i, c := range cells {
			t.Columns, column[c.ID] = append(t.Columns, doc.NumberColumns(c.Label)...), i+1
		}
		block := -1
		for _, inv := range b.a.Invocations {
			text := textIf(inv.Invalid != "", "invalid")
			switch {
			case inv.Value != nil:
				text = figure.Quantity(*inv.Value, unit) +
					textIf(inv.RepeatedBy != "" || inv.Disturbed != nil, " ! disturbed") +
					textIf(inv.RepeatedBy != "", ", repeated")
			case inv.Status != results.StatusOK:
				text = string(inv.Status)
			}
			at := column[inv.Cell]
			if at == 0 || text == "" {
				continue
			}
			if len(t.Rows) == 0 || block != inv.Block {
				block = inv.Block
				t.Rows = append(t.Rows, doc.Row{
					Cells: append(doc.Texts(strconv.Itoa(block)), make([]doc.Cell, len(cells))...),
				})
			}
			t.Rows[len(t.Rows)-1].Cells[at].Text = text
		}
		sec.Add(t)
	}
	return sec
}
