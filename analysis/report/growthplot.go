package report

import (
	"math"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
)

// The layout of the drawing of a growth, in the units of its view box.
const (
	plotWidth  = 960.0
	plotHeight = 420.0
	plotLeft   = 84.0
	plotRight  = 945.0
	plotTop    = 34.0
	plotBottom = 368.0
)

// tints is the number of colours of lines; it shares no divisor with the number
// of shapes, so that lines of the same colour have other shapes.
const tints = 8

// shapes tell lines apart where colours can't: the outline of their points, the
// dashes of their lines, and the kind of line that comes closest in a chart.
var shapes = []struct{ path, dashes, kind string }{
	{"M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z", "none", "solid"},
	{"M-4.5-4.5h9v9h-9z", "8 4", "dashed"},
	{"M0-6 6 5h-12z", "2 4", "dotted"},
	{"M0-6.5 6.5 0 0 6.5-6.5 0z", "10 4 2 4", "dashed"},
	{"M0 6 6-5h-12z", "5 3", "solid"},
	{"M-5.5-3-3-5.5 0-2.5 3-5.5 5.5-3 2.5 0 5.5 3 3 5.5 0 2.5-3 5.5-5.5 3-2.5 0z", "14 4", "dotted"},
	{"M-2-6h4v4h4v4h-4v4h-4v-4h-4v-4h4z", "4 2 1 2", "dashed"},
}

// plot is the drawing of a group: points with their intervals, and fitted lines.
type plot struct {
	Width, Height, Left, Right, Top, Bottom string
	XLabel, YLabel                          string
	MiddleX, LabelY                         string
	XTicks, YTicks                          []tick
	Lines                                   []plotLine
	x, y                                    scale
	factor                                  float64 // of the unit that y reads in
}

type plotLine struct {
	Tint   int
	Path   string // of its shape
	Dashes string
	Fit    string // points of the fitted line, "" without
	Dots   []plotDot
}

type plotDot struct{ X, Y, Low, High, Title string }

// newPlot draws a group; it has no lines when no point has a mean.
func newPlot(g *growthGroup) plot {
	xs, ys := g.extent()
	if len(xs) == 0 {
		return plot{}
	}
	log := spansDecades(xs, 2)
	p := plot{
		Width: px(plotWidth), Height: px(plotHeight), Left: px(plotLeft), Right: px(plotRight), Top: px(plotTop), Bottom: px(plotBottom),
		MiddleX: px((plotLeft + plotRight) / 2), LabelY: px(plotTop - 16),
		x: newScale(xs, log, plotLeft, plotRight-dodgeMost), y: newScale(ys, log && spansDecades(ys, 0), plotBottom, plotTop),
	}
	unit := figure.Fit(g.Metric.Unit, ys...)
	p.factor, p.XLabel, p.YLabel = unit.Factor, g.Factor+p.x.remark(), strings.TrimSuffix(g.Metric.Name+", "+unit.Unit, ", ")+p.y.remark()
	for _, v := range p.x.ticks() {
		p.XTicks = append(p.XTicks, tick{px(p.x.at(v)), tickText(v)})
	}
	for _, v := range p.y.ticks() {
		p.YTicks = append(p.YTicks, tick{px(p.y.at(v)), tickText(v / unit.Factor)})
	}
	for i, l := range g.Lines {
		p.Lines = append(p.Lines, p.line(l, dodge(i, len(g.Lines)), g.Metric.Unit))
	}
	return p
}

// dodgeMost is how far a point may stand from its place at most.
const dodgeMost = 15.0

// dodge is how far the points of the i-th of n lines stand beside their places.
func dodge(i, n int) float64 {
	step := min(6, 2*dodgeMost/float64(max(1, n-1)))
	return step * (float64(i) - float64(n-1)/2)
}

// extent are all coordinates that the drawing must hold.
func (g *growthGroup) extent() (xs, ys []float64) {
	for _, l := range g.Lines {
		for _, at := range fitted(l.Growth, false) {
			if at[1] > 0 && at[1] <= math.MaxFloat64 {
				ys = append(ys, at[1])
			}
		}
		for _, pt := range l.Points {
			if pt.Mean == nil {
				continue
			}
			xs, ys = append(xs, pt.X), append(ys, pt.Mean.Value)
			if i := pt.Mean.Interval; i != nil {
				ys = append(ys, i.High)
				if i.Low > 0 || pt.Mean.Value <= 0 {
					ys = append(ys, i.Low)
				}
			}
		}
	}
	return xs, ys
}

// line draws one line, its points moved sideways so that those of equal lines
// don't hide each other.
func (p *plot) line(l growthLine, sideways float64, unit string) plotLine {
	drawn := plotLine{Tint: l.Tint, Path: l.Path, Dashes: l.Dashes}
	for _, pt := range l.Points {
		if pt.Mean == nil {
			continue
		}
		low, high := pt.Mean.Value, pt.Mean.Value
		if i := pt.Mean.Interval; i != nil {
			low, high = i.Low, i.High
		}
		drawn.Dots = append(drawn.Dots, plotDot{
			px(p.x.at(pt.X) + sideways), px(p.y.at(pt.Mean.Value)), px(p.y.at(low)), px(p.y.at(high)),
			l.Label + ", " + levelText(pt.X) + ": " + meanOf(pt.Mean, unit),
		})
	}
	var points []string
	for _, at := range fitted(l.Growth, p.x.log) {
		if at[1] >= p.y.low && at[1] <= p.y.high {
			points = append(points, px(p.x.at(at[0]))+","+px(p.y.at(at[1])))
		}
	}
	drawn.Fit = strings.Join(points, " ")
	return drawn
}

// fitSteps are enough for a straight line to look round where axes are
// logarithmic.
const fitSteps = 40

// fitted are points of the fitted line between its first and its last level.
func fitted(g analysis.Growth, log bool) [][2]float64 {
	if g.Slope == nil || g.Intercept == nil || len(g.Points) == 0 {
		return nil
	}
	from, to := g.Points[0].X, g.Points[len(g.Points)-1].X
	var line [][2]float64
	for i := range fitSteps + 1 {
		share := float64(i) / fitSteps
		x := from*(1-share) + to*share
		if log {
			x = from * math.Pow(to/from, share)
		}
		line = append(line, [2]float64{x, *g.Intercept + g.Slope.Value*x})
	}
	return line
}
