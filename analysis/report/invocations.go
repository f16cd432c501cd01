package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
	"moobench/analysis/steady"
	"moobench/results"
)

const (
	// tracePoints is the approximate number of points of all traces of a scenario: more would make the page
	// large, and could not be told apart.
	tracePoints = 8000
	// traceSteps is the largest number of points of a trace.
	traceSteps = 100
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
	svg := plot.TraceLegend + `<div class="multiples">`
	var values []float64
	for i, runs := range cells {
		if len(runs) == 0 {
			continue
		}
		c := &b.s.Cells[i]
		insides := each(runs, func(inv analysis.Invocation) steady.Inside { return inv.Inside })
		drawn, mean := plot.Traces(c.Label, primary(b.s).Unit, insides, steps, most, steadyText(c.Steady))
		svg += drawn
		means.Series = append(means.Series, plot.Series{
			Name: c.Label, Look: plot.LookOf(len(means.Series)), Line: true, Points: plot.Along(mean, 100),
		})
		values = append(values, mean...)
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

// traceRoom shares points among the traces of cells: it returns the points of each trace, and the traces of
// each cell.
func traceRoom(points, lines, cells int) (steps, most int) {
	steps = min(traceSteps, max(plot.TraceStepsLeast, points/max(1, lines)))
	return steps, max(tracesLeast, points/steps/max(1, cells))
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
			"They are the same program, so what shows here is the machine. "+
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
		svg += plot.Tile("multiple", c.label, p.SVG(), ends)
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
