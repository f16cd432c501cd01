package plot

import (
	"math"
	"slices"
	"strings"
)

// The layout of a grid, in the units of its view box.
const (
	gridWidth  = 1000.0
	gridLabel  = 250.0 // the columns begin here
	gridColumn = 187.5
	gridGap    = 22.0 // between them
	gridRow    = 18.0
	gridTop    = 40.0
	gridBottom = 26.0
)

// Column is one metric of a grid: a point with its interval for each row, NaN where
// there is none.
type Column struct {
	Name     string
	Axis     Axis
	Points   []Point
	Baseline *float64 // has a line
}

// Grid draws columns beside each other, which share their rows: each has an axis of
// its own.
func Grid(labels []string, columns []Column) string {
	c := &canvas{}
	bottom := gridTop + gridRow*float64(len(labels))
	at := func(i int) float64 { return gridTop + gridRow*(float64(i)+0.5) }
	for i, label := range labels {
		c.text("quiet", "end", gridLabel-12, at(i), shorten(label, 32), label)
	}
	var names []string
	for k, column := range columns {
		left := gridLabel + gridColumn*float64(k)
		right := left + gridColumn - gridGap
		names = append(names, column.Name)
		axis := column.Axis.between(left, right)
		c.text("", "start", left, 12, shorten(column.Name, 24), column.Name)
		c.text("quiet", "start", left, 28, axis.Title, "")
		c.path("rule", "M"+px(left)+" "+px(gridTop)+"V"+px(bottom)+"H"+px(right)+"V"+px(gridTop), "")
		if column.Baseline != nil {
			x := axis.place(*column.Baseline)
			c.path("zero", "M"+px(x)+" "+px(gridTop)+"V"+px(bottom), "")
		}
		var intervals, dots strings.Builder
		for i, pt := range column.Points {
			if math.IsNaN(pt.Y) {
				c.text("quiet", "start", left+4, at(i), "–", "")
				continue
			}
			if pt.Low < pt.High {
				intervals.WriteString("M" + px(axis.place(pt.Low)) + " " + px(at(i)) + "H" + px(axis.place(pt.High)))
			}
			dots.WriteString("M" + px(axis.place(pt.Y)) + " " + px(at(i)) + "h0")
		}
		c.path("ci", intervals.String(), "")
		c.path("dots", dots.String(), "")
		if ticks := axis.Ticks(); len(ticks) > 1 {
			first, last := ticks[0], ticks[len(ticks)-1]
			c.text("quiet", "start", axis.place(first), bottom+12, axis.text(first), "")
			c.text("quiet", "end", axis.place(last), bottom+12, axis.text(last), "")
		}
	}
	return c.svg("small", gridWidth, bottom+gridBottom, strings.Join(names, ", ")+" of each cell; the tables below have the same numbers")
}

// OddLegend tells the points apart that are not as they were planned; "" of none.
func OddLegend(kinds []string) string {
	c := &canvas{}
	for _, kind := range []string{"disturbed", "failed", "void"} {
		if slices.Contains(kinds, kind) {
			c.body.WriteString(`<li><svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">`)
			c.odd(kind, "7", "7", "")
			c.body.WriteString("</svg> " + kind + "</li>")
		}
	}
	if c.body.Len() == 0 {
		return ""
	}
	return `<ul class="legend">` + c.body.String() + "</ul>"
}
