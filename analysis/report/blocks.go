package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
	"moobench/results"
)

// course is a cell block by block, as shares of a mean.
type course struct {
	label  string
	points []plot.Point // X is the block
	band   *analysis.Interval
	says   string
}

// add places an invocation of a cell with this mean. One that is not as it was
// planned is an odd point: disturbed, failed or void.
func (c *course) add(inv analysis.Invocation, mean float64, m results.Metric) {
	pt := plot.Point{X: float64(inv.Block), Y: math.NaN()}
	switch {
	case inv.Value != nil:
		pt.Y = *inv.Value/mean - 1
		if inv.Disturbed != nil || inv.RepeatedBy != "" {
			pt.Kind, pt.Title = "disturbed", inv.ID+": "+figure.Quantity(*inv.Value, m.Unit)+", disturbed"
		}
		if inv.RepeatedBy != "" {
			pt.Title += ", repeated as " + inv.RepeatedBy
		}
	case m.Profile != "" && inv.Profile != m.Profile || m.Profile == "" && inv.Profile != results.ProfileTiming:
		return
	case inv.Status == results.StatusFailed:
		pt.Kind, pt.Title = "failed", inv.ID+": failed"
	case inv.Void != "":
		pt.Kind, pt.Title = "void", inv.ID+": void: "+inv.Void
	default:
		return
	}
	c.points = append(c.points, pt)
}

// selfTests are by how much the second baselines exceed the first, block by block.
func (b *builder) selfTests() (tests []course) {
	for _, aa := range b.s.AA {
		c := cellOf(b.s, aa.Cell)
		if c == nil || aa.Metric != "" {
			continue
		}
		line := course{label: join("A/A", aa.Level), says: "the second baseline less the first"}
		first := map[int]float64{}
		for _, inv := range valued(b.a, c.Baseline) {
			first[inv.Block] = *inv.Value
		}
		for _, inv := range valued(b.a, c.ID) {
			if first[inv.Block] != 0 {
				line.add(inv, first[inv.Block], primary(b.s))
			}
		}
		if aa.Ratio != nil {
			line.band = aa.Ratio.Interval
		}
		if len(line.points) > 0 {
			tests = append(tests, line)
		}
	}
	return tests
}

// drift draws each cell block by block, in per cent of its own mean, and the A/As:
// what moves all cells alike is the machine.
func (b *builder) drift() *doc.Section {
	if b.a.Campaign.Design == results.DesignUnordered {
		return nil
	}
	m := primary(b.s)
	var cells []course
	chart := plot.XY{X: plot.Axis{Title: "block", Step: 1}, Y: plot.Axis{Title: "% of own mean", Factor: 0.01, Step: 1}}
	for i := range b.s.Cells {
		c := &b.s.Cells[i]
		mean := metricOf(c, m.Name).Mean
		if mean == nil || mean.Value == 0 {
			continue
		}
		line := course{label: c.Label, says: "each block in per cent of its mean"}
		for _, inv := range b.a.Invocations {
			if inv.Cell == c.ID {
				line.add(inv, mean.Value, m)
			}
		}
		chart.Series = append(chart.Series, plot.Series{Name: c.Label, Look: plot.LookOf(len(cells)), Line: true, Points: line.points})
		cells = append(cells, line)
	}
	sec := &doc.Section{Title: "Block by block", Depth: doc.Paged}
	sec.Add(figureOf(courses(b.selfTests()), "The A/A: by how much the second baseline exceeds the first in each block, all on one scale. They are the same program, so that what shows here is the machine. The band is the 90 % interval of their ratio.")...)
	sec.Add(chartedFigure(b.id+"-drift", "Each cell in per cent of its own mean, block by block; the table below has the values", courses(cells), chart.Chart(),
		"Each cell in per cent of its own mean, all on one scale. What moves all cells alike is the machine, and cancels in the differences.")...)
	if tables := b.blockTables(); len(tables) > 0 {
		sec.Add(&doc.Section{Title: "Values block by block", Folded: true, Depth: doc.Paged, Blocks: tables})
	}
	if len(sec.Blocks) == 0 {
		return nil
	}
	return sec
}

// courses draws small drawings on the same axes; "" of none.
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
	var b strings.Builder
	b.WriteString(plot.OddLegend(kinds) + `<div class="multiples">`)
	ends := "−" + figure.Percent(reach) + " … +" + figure.Percent(reach)
	for _, c := range all {
		zero := 0.0
		p := plot.XY{
			Alt: c.label + ": " + c.says + ", between " + ends, Frame: plot.Multiple,
			X: plot.Axis{Low: 0.5, High: last + 0.5, Step: 1}, Y: plot.Axis{Low: -reach * 1.06, High: reach * 1.06, Step: 1},
			Rules: []plot.Rule{{Y: &zero, Class: "rule"}}, Series: []plot.Series{{Class: "line", Line: true, Dots: plot.Plain}},
		}
		if c.band != nil {
			p.Bands = []plot.Band{{Low: c.band.Low - 1, High: c.band.High - 1, Class: "band t0"}}
		}
		for _, pt := range c.points {
			if math.IsNaN(pt.Y) { // it has no value: it stands at the bottom
				pt.Y = -reach
				p.Series = append(p.Series, plot.Series{Points: []plot.Point{pt}})
				continue
			}
			p.Series[0].Points = append(p.Series[0].Points, pt)
		}
		b.WriteString(multiple(c.label, p.SVG(), ends))
	}
	return b.String() + "</div>"
}

// blockColumns is how many cells a table of blocks has: more would be cut off in
// print.
const blockColumns = 8

// blockTables are the values of all cells block by block, or what became of them; a
// few cells in each table.
func (b *builder) blockTables() []doc.Block {
	var all []doc.Block
	unit := primary(b.s).Unit
	for cells := range slices.Chunk(b.s.Cells, blockColumns) {
		t := &doc.Table{Legend: []string{"the value of each invocation"}, Columns: []doc.Column{{Head: "block", Number: true}}}
		column := map[string]int{}
		for _, c := range cells {
			t.Columns = append(t.Columns, doc.Column{Head: c.Label, Number: true})
			column[c.ID] = len(t.Columns) - 1
		}
		block := -1
		for _, inv := range b.a.Invocations {
			text := ""
			switch {
			case inv.Value != nil:
				text = figure.Quantity(*inv.Value, unit)
				if inv.RepeatedBy != "" {
					text += " ! disturbed, repeated"
				} else if inv.Disturbed != nil {
					text += " ! disturbed"
				}
			case inv.Status != results.StatusOK:
				text = string(inv.Status)
			case inv.Void != "":
				text = "void"
			}
			at := column[inv.Cell]
			if at == 0 || text == "" {
				continue
			}
			if n := len(t.Rows); n == 0 || block != inv.Block {
				block = inv.Block
				t.Rows = append(t.Rows, doc.Row{Cells: make([]doc.Cell, len(t.Columns))})
				t.Rows[n].Cells[0].Text = strconv.Itoa(block)
			}
			t.Rows[len(t.Rows)-1].Cells[at].Text = text
		}
		if len(t.Rows) > 0 {
			all = append(all, t)
		}
	}
	return all
}
