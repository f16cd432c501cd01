package report

import (
	"math"
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
)

const (
	// tailPoints is about how many points all tails of a scenario have together.
	tailPoints = 4000
	tailLeast  = 20
)

// distributions are the calls of all cells of a scenario, drawn.
type distributions struct {
	Boxes boxPlot
	Tails []tailPlot
	Lines []legendLine // what the tails' lines are
	Names []string     // heads of the table: p5, p25, …
	Table []distributionRow
	chart []tailLine
	unit  figure.Scale
}

// distributionRow is one cell in the table behind the drawings.
type distributionRow struct {
	Label, Calls string
	Values       []string
}

// legendLine is a variant, and how its lines look.
type legendLine struct {
	Label, Dashes string
	Tint          int
}

// tailLine is the tail of one cell: shares of calls that took at least a value.
type tailLine struct {
	label, level string
	look         legendLine
	points       []analysis.TailPoint
}

// newDistributions draws the cells that have one.
func newDistributions(s *analysis.Scenario) distributions {
	var d distributions
	var cells []*analysis.Cell
	for i := range s.Cells {
		if c := &s.Cells[i]; drawable(c) {
			cells = append(cells, c)
		}
	}
	if len(cells) == 0 {
		return d
	}
	unit := primary(s).Unit
	most := max(tailLeast, tailPoints/len(cells))
	for _, c := range cells {
		row := distributionRow{Label: c.Label, Calls: figure.Count(c.Distribution.N)}
		for _, p := range c.Distribution.Box {
			row.Values = append(row.Values, figure.Quantity(p.Value, unit))
		}
		d.Table = append(d.Table, row)
		d.chart = append(d.chart, tailLine{c.Label, c.Level, d.look(c.Variant), thinTail(c.Distribution.Tail, most)})
	}
	for _, p := range cells[0].Distribution.Box {
		d.Names = append(d.Names, quantileName(p.P))
	}
	d.Boxes = newBoxPlot(cells, unit)
	d.unit = d.Boxes.unit
	d.Tails = newTailPlots(d.chart, unit)
	return d
}

// drawable says whether all of a cell's distribution can stand on a logarithmic
// axis as well as on a linear one.
func drawable(c *analysis.Cell) bool {
	d := c.Distribution
	if d == nil || c.Void != "" || d.N < 1 || len(d.Box) != boxValues || len(d.Tail) == 0 {
		return false
	}
	return !slices.ContainsFunc(d.Box, func(p analysis.BoxPoint) bool { return !(p.Value >= 0) || p.Value > math.MaxFloat64/10 }) &&
		!slices.ContainsFunc(d.Tail, func(p analysis.TailPoint) bool {
			return !(p.Value >= 0) || p.Value > math.MaxFloat64/10 || !(p.Share > 0) || p.Share > 1
		})
}

// look is how the lines of a variant look, the same at every level.
func (d *distributions) look(variant string) legendLine { return lookOf(&d.Lines, variant) }

// lookOf finds the line of a label in a legend, and gives a new label the next
// look that is free.
func lookOf(legend *[]legendLine, label string) legendLine {
	i := slices.IndexFunc(*legend, func(l legendLine) bool { return l.Label == label })
	if i < 0 {
		i = len(*legend)
		*legend = append(*legend, legendLine{label, shapes[i%len(shapes)].dashes, i % tints})
	}
	return (*legend)[i]
}

// quantileName is p99.9.
func quantileName(p float64) string {
	if p == 1 {
		return "max"
	}
	return "p" + strings.TrimSuffix(figure.Level(p), " %")
}

// thinTail keeps at most about so many points, its ends among them.
func thinTail(points []analysis.TailPoint, most int) []analysis.TailPoint {
	if len(points) <= most {
		return points
	}
	var some []analysis.TailPoint
	for i := range most {
		some = append(some, points[i*(len(points)-1)/(most-1)])
	}
	return some
}
