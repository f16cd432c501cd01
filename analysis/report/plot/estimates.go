package plot

import (
	"math"
	"slices"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
)

// LogRemark marks a logarithmic axis.
func LogRemark(a Axis) string { return prose.If(a.Log, " (log)") }

// ends are the ends of an estimate's interval, or its value without one.
func ends(e *infer.Estimate) (low, high float64) {
	low, high = e.Value, e.Value
	if e.Interval != nil {
		low, high = e.Interval.Low, e.Interval.High
	}
	return max(low, -math.MaxFloat64/10), min(high, math.MaxFloat64/10)
}

// InUnit names an axis, and puts it in the unit that fits its values.
func InUnit(a Axis, name, unit string, values []float64) Axis {
	fit := figure.Fit(unit, values...)
	if !a.Log && a.Low <= 0 && a.High >= 0 { // round its ends in the printed unit: 15,000,000 B would be 14.305 MiB
		round := NewAxis([]float64{a.Low / fit.Factor, a.High / fit.Factor}, false)
		a.Low, a.High, a.Step = round.Low*fit.Factor, round.High*fit.Factor, round.Step*fit.Factor
	}
	a.Factor, a.Title = fit.Factor, strings.TrimSpace(strings.Trim(name+", "+fit.Unit, ", ")+LogRemark(a))
	return a
}

// Estimate is an estimate with its interval at x.
func Estimate(x float64, e *infer.Estimate, title string) Point {
	low, high := ends(e)
	return Point{X: x, Y: e.Value, Low: low, High: high, Title: title}
}

// RowOf is a row of a drawing: an estimate with its interval, and its text.
func RowOf(label, text string, e *infer.Estimate) Row {
	if e == nil {
		return Row{Label: label, Text: "no answer"}
	}
	row := Row{Label: label, Text: text, Value: &e.Value}
	if e.Interval != nil {
		low, high := ends(e)
		row.Low, row.High = &low, &high
	}
	return row
}

// Tile is one drawing among others of its class, below its label, with lines of text below it.
func Tile(class, label, svg string, lines ...string) string {
	for _, line := range lines {
		svg += "<small><span>" + escaped(line) + "</span></small>"
	}
	return `<div class="` + class + `">` + heading(label) + svg + "</div>"
}

// Reach returns the places of lines, rising, and their values with the ends of their intervals. Low ends of 0
// or less, of values above 0, are left out unless low is true: they would prevent a logarithmic axis.
func Reach(lines []Series, low bool) (xs, ys []float64) {
	for _, s := range lines {
		for _, pt := range s.Points {
			xs, ys = append(xs, pt.X), append(ys, pt.Y, pt.High)
			if pt.Low > 0 || pt.Y <= 0 || low {
				ys = append(ys, pt.Low)
			}
		}
	}
	slices.Sort(xs)
	return slices.Compact(xs), ys
}

// Tiled joins small drawings of lines on the same axes, and adds a legend.
func Tiled(tiles string, looks []Series) string {
	return `<div class="tails">` + tiles + "</div>" + Legend(looks)
}

// FactorTitle is a factor with its unit.
func FactorTitle(name, unit string) string {
	return name + prose.If(unit != "" && unit != "1", ", %s", unit)
}
