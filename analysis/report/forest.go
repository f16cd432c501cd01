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
	Left, Right         string
	Rows                []forestLine
	Ticks               []tick
	values              []forestValue // for the chart
}

type forestLine struct {
	Y, TextY, Label, Full, Text string
	Low, High, X                string
	Dot, Line, Mark             bool
}

type forestValue struct {
	label            string
	value, low, high float64
}

type tick struct{ X, Text string }

// newForest draws the differences of the primary metric; it has no rows when
// there are none.
func newForest(s *analysis.Scenario) forest {
	m := primary(s)
	f := forest{Width: px(forestWidth), LabelX: px(forestLabel - 16), TextX: px(forestLabel + forestPlot + 20), Left: px(forestLabel), Right: px(forestLabel + forestPlot)}
	low, high := reach(s)
	scale := figure.Fit(m.Unit, low, high)
	f.Unit = scale.Unit
	step := niceStep(high - low)
	low, high = math.Floor(low/step)*step, math.Ceil(high/step)*step
	x := func(v float64) string { return px(forestLabel + forestPlot*(v-low)/(high-low)) }
	y := forestTop
	for i := range s.Cells {
		c := &s.Cells[i]
		a := metricOf(c, s.Primary)
		if c.Role != results.RoleVariant || a == nil {
			continue
		}
		line := forestLine{Y: px(y + forestRow/2), TextY: px(y + forestRow/2 + 5), Label: shorten(c.Label, 34), Full: c.Label, Text: differenceText(a, m.Unit), Mark: len(c.Marks) > 0}
		switch d := a.Difference; {
		case c.Void != "":
			line.Text = "not instrumented"
		case d == nil:
			line.Text = "no answer"
		default:
			line.Dot, line.X = true, x(d.Value)
			v := forestValue{c.Label, d.Value / scale.Factor, d.Value / scale.Factor, d.Value / scale.Factor}
			if d.Interval != nil {
				line.Line, line.Low, line.High = true, x(d.Interval.Low), x(d.Interval.High)
				v.low, v.high = d.Interval.Low/scale.Factor, d.Interval.High/scale.Factor
			}
			f.values = append(f.values, v)
		}
		f.Rows = append(f.Rows, line)
		y += forestRow
	}
	for v := low; v <= high+step/2; v += step {
		f.Ticks = append(f.Ticks, tick{x(v), strconv.FormatFloat(math.Round(v/scale.Factor*1e6)/1e6, 'f', -1, 64)})
	}
	f.Zero, f.Axis, f.Height = x(0), px(y+4), px(y+forestBottom)
	return f
}

// reach is the range of all intervals and 0.
func reach(s *analysis.Scenario) (low, high float64) {
	for i := range s.Cells {
		a := metricOf(&s.Cells[i], s.Primary)
		if a == nil || a.Difference == nil || s.Cells[i].Role != results.RoleVariant {
			continue
		}
		d := a.Difference
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

func px(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

// shorten keeps a label within n characters, in the middle of which the rest is
// left out.
func shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n/2]) + "…" + string(r[len(r)-(n-n/2-1):])
}
