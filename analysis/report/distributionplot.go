package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
)

// boxValues is how many quantiles a box plot needs: p5, p25, p50, p75, p95, and
// marks for p99, p99.9 and the longest call.
const boxValues = 8

// The layout of a tail plot, in the units of its view box.
const (
	tailWidth  = 480.0
	tailHeight = 300.0
	tailLeft   = 64.0
	tailRight  = 468.0
	tailTop    = 28.0
	tailBottom = 250.0
)

// boxPlot has a box for every cell, below each other.
type boxPlot struct {
	Width, Height, Axis   string
	Left, LabelX, MiddleX string
	Unit                  string
	Rows                  []boxRow
	Ticks                 []tick
	scale                 scale
	unit                  figure.Scale
	values                [][]float64 // of each row, for the chart
	labels                []string
}

// boxRow is one box. From and Until are the ends of the whisker.
type boxRow struct {
	Label, Full, TextY, Y, Top, Says string
	From, Until, Box, Width, Median  string
	P99, P999, Most                  string
}

func newBoxPlot(cells []*analysis.Cell, unit string) boxPlot {
	var items []forestItem
	var all []float64
	for _, c := range cells {
		items = append(items, forestItem{label: c.Label})
		for _, p := range c.Distribution.Box {
			all = append(all, p.Value)
		}
	}
	begin, letters := roomForLabels(items)
	fit := figure.Fit(unit, middling(all))
	p := boxPlot{Width: px(forestWidth), Left: px(begin), LabelX: px(begin - 16), MiddleX: px((begin + forestWidth - 30) / 2), unit: fit}
	p.scale = newScale(all, spansDecades(all, 0.5), begin, forestWidth-30)
	p.Unit = axisUnit(p.scale, fit)
	y := forestTop
	for _, c := range cells {
		p.Rows = append(p.Rows, p.row(c, y, letters, unit))
		y += forestRow
	}
	for _, v := range p.scale.ticks() {
		p.Ticks = append(p.Ticks, tick{px(p.scale.at(v)), axisText(v, p.scale, fit, unit)})
	}
	p.Axis, p.Height = px(y+4), px(y+forestBottom)
	return p
}

// middling is the value whose unit fits most of them: the median.
func middling(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

func (p *boxPlot) row(c *analysis.Cell, y float64, letters int, unit string) boxRow {
	r := boxRow{Label: shorten(c.Label, letters), Full: c.Label, TextY: px(y + forestRow/2 + 5), Y: px(y + forestRow/2), Top: px(y + forestRow/2 - 7)}
	var x, values []float64
	var says []string
	for _, q := range c.Distribution.Box {
		x = append(x, p.scale.at(q.Value))
		values = append(values, digits(q.Value/p.unit.Factor))
		says = append(says, quantileName(q.P)+" "+figure.Quantity(q.Value, unit))
	}
	r.From, r.Box, r.Median, r.Until = px(x[0]), px(x[1]), px(x[2]), px(x[4])
	r.Width = px(max(0.5, x[3]-x[1]))
	r.P99, r.P999, r.Most = px(x[5]), px(x[6]), px(x[7])
	r.Says = c.Label + ": " + strings.Join(says, ", ")
	p.values, p.labels = append(p.values, values), append(p.labels, c.Label)
	return r
}

// tailPlot shows the tails of the cells of one level: to the right the value, on
// a logarithmic axis where that shows more, upwards the share of the calls that
// took at least so long, on a logarithmic one, because a tail is rare.
type tailPlot struct {
	Title                                   string // the level, "" without
	Width, Height, Left, Right, Top, Bottom string
	XLabel, MiddleX                         string
	XTicks, YTicks                          []tick
	Lines                                   []tailDrawn
}

type tailDrawn struct {
	legendLine
	Points string
}

// newTailPlots draws a plot for each level, all on the same axes.
func newTailPlots(lines []tailLine, unit string) []tailPlot {
	var values []float64
	least := 1.0
	for _, l := range lines {
		for _, p := range l.points {
			values, least = append(values, p.Value), min(least, p.Share)
		}
	}
	fit := figure.Fit(unit, middling(values))
	x := newScale(values, spansDecades(values, 0.5), tailLeft, tailRight)
	y := scale{low: least / 1.5, high: 1, from: tailBottom, to: tailTop, log: true}
	var plots []tailPlot
	for _, l := range lines {
		i := slices.IndexFunc(plots, func(p tailPlot) bool { return p.Title == l.level })
		if i < 0 {
			i = len(plots)
			plots = append(plots, newTailPlot(l.level, x, y, fit, unit))
		}
		var points []string
		for _, p := range l.points {
			points = append(points, px(x.at(p.Value))+","+px(y.at(p.Share)))
		}
		look := l.look
		look.Label = l.label
		plots[i].Lines = append(plots[i].Lines, tailDrawn{look, strings.Join(points, " ")})
	}
	return plots
}

func newTailPlot(level string, x, y scale, fit figure.Scale, unit string) tailPlot {
	p := tailPlot{
		Title: level, Width: px(tailWidth), Height: px(tailHeight), Left: px(tailLeft), Right: px(tailRight), Top: px(tailTop), Bottom: px(tailBottom),
		MiddleX: px((tailLeft + tailRight) / 2), XLabel: axisUnit(x, fit),
	}
	right := 0.0
	for _, v := range x.ticks() {
		if at := x.at(v); at-right >= 46 { // else the numbers would touch
			p.XTicks, right = append(p.XTicks, tick{px(at), axisText(v, x, fit, unit)}), at
		}
	}
	for exponent := 0; exponent < 12 && math.Pow10(-exponent) >= y.low; exponent++ {
		p.YTicks = append(p.YTicks, tick{px(y.at(math.Pow10(-exponent))), shareText(exponent)})
	}
	return p
}

// shareText is 10 %, or 10⁻⁶ of what is rare.
func shareText(exponent int) string {
	if exponent <= 3 {
		return tickText(100*math.Pow10(-exponent)) + " %"
	}
	return "10⁻" + strings.Map(func(r rune) rune { return superscripts[r-'0'] }, strconv.Itoa(exponent))
}

var superscripts = [...]rune{'⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'}

// axisText is a value at a tick: with its own unit where the axis spans several.
func axisText(v float64, s scale, fit figure.Scale, unit string) string {
	if s.log {
		return figure.Exactly(v, unit)
	}
	return tickText(v / fit.Factor)
}

// axisUnit is what the numbers at an axis are in.
func axisUnit(s scale, fit figure.Scale) string {
	if s.log {
		return "logarithmic axis"
	}
	return fit.Unit
}
