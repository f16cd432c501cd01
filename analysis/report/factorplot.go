package report

import (
	"math"
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/results"
)

// panelAxes are what a small drawing's axes look like.
type panelAxes struct {
	Width, Height, Left, Right, Top, Bottom string
	XLabel, YLabel, MiddleX, Zero           string
	XTicks, YTicks                          []tick
}

// draw places all panels on the same axes, and fills in the table.
func (p *factorPlot) draw(factor results.Value, m results.Metric) {
	xs, ys := p.extent()
	p.x = newScale(xs, spansDecades(xs, 2), tailLeft+12, tailRight-12)
	if !p.x.log {
		p.x = closeScale(xs, tailLeft+12, tailRight-12)
	}
	p.y = newScale(ys, p.x.log && !p.Overhead && spansDecades(ys, 1), tailBottom, tailTop)
	p.unit = figure.Fit(m.Unit, ys...)
	axes := p.axes(factor, m)
	total := 0
	for i := range p.Panels {
		total += p.Panels[i].points()
	}
	for i := range p.Panels {
		p.Panels[i].panelAxes = axes
		for k := range p.Panels[i].Lines {
			p.Panels[i].Lines[k].draw(p, m.Unit, total <= factorNamed)
		}
	}
	p.table(m.Unit)
}

// extent are all coordinates that the panels must hold.
func (p *factorPlot) extent() (xs, ys []float64) {
	for _, f := range p.Panels {
		for _, l := range f.Lines {
			for _, pt := range l.points {
				low, high := ends(pt.estimate)
				xs, ys = append(xs, pt.x), append(ys, pt.estimate.Value, high)
				if low > 0 || pt.estimate.Value <= 0 || p.Overhead {
					ys = append(ys, low)
				}
			}
		}
	}
	return xs, ys
}

// ends are those of an estimate's interval, its value without one.
func ends(e *analysis.Estimate) (low, high float64) {
	low, high = e.Value, e.Value
	if e.Interval != nil {
		low, high = e.Interval.Low, e.Interval.High
	}
	return max(low, -math.MaxFloat64/10), min(high, math.MaxFloat64/10)
}

// closeScale is a linear one that need not hold 0: a factor's values stand as far
// apart as there is room.
func closeScale(vs []float64, from, to float64) scale {
	s := scale{low: slices.Min(vs), high: slices.Max(vs), from: from, to: to}
	if s.low == s.high {
		s.high = s.low + 1
	}
	return s
}

func (p *factorPlot) axes(factor results.Value, m results.Metric) panelAxes {
	a := panelAxes{
		Width: px(tailWidth), Height: px(tailHeight), Left: px(tailLeft), Right: px(tailRight), Top: px(tailTop), Bottom: px(tailBottom),
		MiddleX: px((tailLeft + tailRight) / 2), Zero: px(p.y.at(0)),
		XLabel: strings.TrimSuffix(factor.Name+", "+factor.Unit, ", ") + p.x.remark(), YLabel: strings.TrimSuffix(m.Name+", "+p.unit.Unit, ", ") + p.y.remark(),
	}
	if p.Overhead {
		a.YLabel = strings.TrimSuffix("more than the baseline, "+p.unit.Unit, ", ")
	}
	if factor.Unit == "1" {
		a.XLabel = factor.Name + p.x.remark()
	}
	right := 0.0
	for _, v := range p.levels() {
		if at := p.x.at(v); at-right >= 30 { // else the numbers would touch
			a.XTicks, right = append(a.XTicks, tick{px(at), readable(v, factor.Unit)}), at
		}
	}
	for _, v := range p.y.ticks() {
		a.YTicks = append(a.YTicks, tick{px(p.y.at(v)), tickText(v / p.unit.Factor)})
	}
	return a
}

// levels are the values of the factor, rising.
func (p *factorPlot) levels() []float64 {
	xs, _ := p.extent()
	slices.Sort(xs)
	return slices.Compact(xs)
}

// readable is a value of a factor as one says it.
func readable(v float64, unit string) string {
	if unit == "ns" {
		return figure.Exactly(v, unit)
	}
	return levelText(v)
}

// draw places the points of a line, its band behind them.
func (l *factorLine) draw(p *factorPlot, unit string, named bool) {
	var line, upper, lower []string
	for _, pt := range l.points {
		low, high := ends(pt.estimate)
		x := px(p.x.at(pt.x))
		at := x + "," + px(p.y.at(pt.estimate.Value))
		line = append(line, at)
		upper, lower = append(upper, x+","+px(p.y.at(high))), append(lower, x+","+px(p.y.at(low)))
		if named {
			l.Dots = append(l.Dots, dot{x, px(p.y.at(pt.estimate.Value)), pt.label + ": " + p.text(pt.estimate, unit)})
		} else {
			l.Plain += "M" + x + " " + px(p.y.at(pt.estimate.Value)) + "h0"
		}
	}
	slices.Reverse(lower)
	l.Line, l.Band = strings.Join(line, " "), strings.Join(append(upper, lower...), " ")
}

// text is an estimate with its interval.
func (p *factorPlot) text(e *analysis.Estimate, unit string) string {
	if p.Overhead {
		return showDifference(e, unit).String()
	}
	return meanOf(e, unit)
}

// table has a row for every drawn line.
func (p *factorPlot) table(unit string) {
	levels := p.levels()
	for _, v := range levels {
		p.Xs = append(p.Xs, readable(v, p.factorUnit))
	}
	for _, f := range p.Panels {
		for _, l := range f.Lines {
			row := factorRow{Label: strings.TrimSpace(l.Label + " " + f.At), Values: make([]string, len(levels))}
			for _, pt := range l.points {
				if i, ok := slices.BinarySearch(levels, pt.x); ok {
					row.Values[i] = p.text(pt.estimate, unit)
				}
			}
			p.Rows = append(p.Rows, row)
		}
	}
}
