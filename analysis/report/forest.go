package report

import (
	"math"
	"strconv"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/results"
)

// The layout of the forest plot, in the units of its view box.
const (
	forestWidth  = 1000.0
	forestLabel  = 290.0 // the plot begins here
	forestPlot   = 440.0 // and is so wide
	forestMore   = 150.0 // that labels may have of it when they are long
	forestRow    = 28.0
	forestTop    = 14.0
	forestBottom = 44.0
)

// forest is the drawing of all overheads with their intervals.
type forest struct {
	Width, Height, Axis string
	Zero                string
	Unit                string
	LabelX, TextX       string
	Left, Right, Span   string
	Rows                []forestLine
	Ticks               []tick
	values              []forestValue // for the chart
}

type forestLine struct {
	ID                          string // of the cell, "" of what is none
	Y, TextY, Label, Full, Text string
	Low, High, X                string
	Dot, Line, Mark             bool
}

type forestValue struct {
	label            string
	value, low, high float64
}

type tick struct{ X, Text string }

// forestItem is what one line of the drawing is about; without an estimate
// there is only its text.
type forestItem struct {
	id          string
	label, text string
	mark        bool
	estimate    *analysis.Estimate
}

// newForest draws the differences of the primary metric; it has no rows when
// there are none.
func newForest(s *analysis.Scenario) forest {
	var items []forestItem
	m := primary(s)
	for i := range s.Cells {
		c := &s.Cells[i]
		a := metricOf(c, s.Primary)
		if c.Role != results.RoleVariant || a == nil {
			continue
		}
		item := forestItem{id: c.ID, label: c.Label, text: differenceOf(a, m.Unit).String(), mark: len(c.Marks) > 0}
		switch {
		case c.Void != "":
			item.text = "not instrumented"
		case a.Difference == nil:
			item.text = "no answer"
		default:
			item.estimate = a.Difference
		}
		items = append(items, item)
	}
	return drawForest(items, m.Unit)
}

// drawForest draws estimates with their intervals below each other, on an axis
// that holds 0.
func drawForest(items []forestItem, unit string) forest {
	begin, letters := roomForLabels(items)
	f := forest{Width: px(forestWidth), LabelX: px(begin - 16), TextX: px(forestLabel + forestPlot + 20), Left: px(begin), Right: px(forestLabel + forestPlot), Span: px(forestLabel + forestPlot - begin)}
	low, high := reach(items)
	scale := figure.Fit(unit, low, high)
	f.Unit = scale.Unit
	step := niceStep(high - low)
	low, high = math.Floor(low/step)*step, math.Ceil(high/step)*step
	x := func(v float64) string { return px(begin + (forestLabel+forestPlot-begin)*(v-low)/(high-low)) }
	y := forestTop
	for _, item := range items {
		line := forestLine{ID: item.id, Y: px(y + forestRow/2), TextY: px(y + forestRow/2 + 5), Label: shorten(item.label, letters), Full: item.label, Text: item.text, Mark: item.mark}
		if d := item.estimate; d != nil {
			line.Dot, line.X = true, x(d.Value)
			v := forestValue{item.label, d.Value / scale.Factor, d.Value / scale.Factor, d.Value / scale.Factor}
			if d.Interval != nil {
				line.Line, line.Low, line.High = true, x(d.Interval.Low), x(d.Interval.High)
				v.low, v.high = d.Interval.Low/scale.Factor, d.Interval.High/scale.Factor
			}
			f.values = append(f.values, v)
		}
		f.Rows = append(f.Rows, line)
		y += forestRow
	}
	for i := range 12 {
		if v := low + float64(i)*step; v <= high+step/2 && math.Abs(v) <= math.MaxFloat64 {
			f.Ticks = append(f.Ticks, tick{x(v), tickText(v / scale.Factor)})
		}
	}
	f.Zero, f.Axis, f.Height = x(0), px(y+4), px(y+forestBottom)
	return f
}

// roomForLabels is where the plot begins, and how many letters a label has.
func roomForLabels(items []forestItem) (begin float64, letters int) {
	for _, item := range items {
		if len([]rune(item.label)) > 34 {
			return forestLabel + forestMore, 52
		}
	}
	return forestLabel, 34
}

func tickText(v float64) string {
	if math.Abs(v) >= 1e9 {
		return strconv.FormatFloat(v, 'g', 4, 64)
	}
	return strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64)
}

// reach is the range of all intervals and 0.
func reach(items []forestItem) (low, high float64) {
	for _, item := range items {
		d := item.estimate
		if d == nil {
			continue
		}
		low, high = min(low, d.Value), max(high, d.Value)
		if d.Interval != nil {
			low, high = min(low, d.Interval.Low), max(high, d.Interval.High)
		}
	}
	if low == high {
		high = low + 1
	}
	return low, high
}

// niceStep is 1, 2 or 5 times a power of ten, for about five steps.
func niceStep(span float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(span/5)))
	for _, k := range []float64{1, 2, 5} {
		if span/(k*p) <= 6 {
			return k * p
		}
	}
	return 10 * p
}

// px is a place in a drawing. What overflows lies at its edge.
func px(v float64) string {
	if math.IsNaN(v) || math.Abs(v) > 1e6 {
		v = 0
	}
	return strconv.FormatFloat(v, 'f', 1, 64)
}

// shorten keeps a label within n characters, in the middle of which the rest is
// left out.
func shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n/2]) + "…" + string(r[len(r)-(n-n/2-1):])
}
