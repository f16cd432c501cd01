package report

import "math"

// lostPlot is the drawing of rates below each other, on a logarithmic axis:
// one that is 0 is an arrow from its upper bound, for 0 has no place there.
type lostPlot struct {
	Width, Height, Axis, AxisText string
	LabelX, TextX, Middle         string
	Rows                          []lostLine
	Ticks                         []tick
}

type lostLine struct {
	Y, TextY, Label, Full, Text string
	Low, High, X                string
	Arrow                       string // points of its head, "" without
	Dot                         bool
}

// lostItem is what one line is about: a rate with its interval, per million. A
// rate of 0 has an upper bound only.
type lostItem struct {
	label, text     string
	rate, low, high float64
	known           bool
}

// newLostPlot has no rows when no rate is known.
func newLostPlot(items []lostItem) lostPlot {
	forestItems := make([]forestItem, len(items))
	var values []float64
	for i, item := range items {
		forestItems[i].label = item.label
		for _, v := range []float64{item.rate, item.low, item.high} {
			if item.known && v > 0 && v <= math.MaxFloat64 {
				values = append(values, v)
			}
		}
	}
	if len(values) == 0 {
		return lostPlot{}
	}
	begin, letters := roomForLabels(forestItems)
	x := newScale(values, true, begin, forestLabel+forestPlot)
	p := lostPlot{Width: px(forestWidth), LabelX: px(begin - 16), TextX: px(forestLabel + forestPlot + 20), Middle: px((begin + forestLabel + forestPlot) / 2)}
	y := forestTop
	for _, item := range items {
		p.Rows = append(p.Rows, item.line(x, y+forestRow/2, letters))
		y += forestRow
	}
	for _, v := range x.ticks() {
		p.Ticks = append(p.Ticks, tick{px(x.at(v)), tickText(v)})
	}
	p.Axis, p.AxisText, p.Height = px(y+4), px(y+38), px(y+forestBottom+4)
	return p
}

func (item lostItem) line(x scale, y float64, letters int) lostLine {
	l := lostLine{Y: px(y), TextY: px(y + 5), Label: shorten(item.label, letters), Full: item.label, Text: item.text}
	if !item.known || item.high <= 0 {
		return l
	}
	l.Low, l.High, l.Dot = px(x.at(item.low)), px(x.at(item.high)), item.rate > 0
	if item.rate > 0 {
		l.X = px(x.at(item.rate))
	}
	if item.low <= 0 {
		l.Low = px(x.from + 4)
		l.Arrow = px(x.from-4) + "," + px(y) + " " + px(x.from+6) + "," + px(y-5) + " " + px(x.from+6) + "," + px(y+5)
	}
	return l
}
