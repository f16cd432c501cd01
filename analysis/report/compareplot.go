package report

import (
	"math"

	"moobench/analysis/compare"
)

// changePlot draws all changes in per cent, with the margin as a band. It has no
// rows when nothing can be drawn.
type changePlot struct {
	Width, Height, Axis string
	Zero                string
	BandX, BandWidth    string
	BandHeight          string
	LabelX, TextX       string
	Rows                []changeLine
	Ticks               []tick
}

type changeLine struct {
	Y, TextY, Label, Full, Text, Class string
	Low, High, X                       string
}

// changeItem is what one line of the drawing is about, in per cent.
type changeItem struct {
	label, text, class string
	value, low, high   float64
}

// newChangePlot draws what is plotted, in the order of the table.
func newChangePlot(c *compare.Comparison, m *compare.Metric) changePlot {
	var items []changeItem
	for i := range m.Rows {
		r := &m.Rows[i]
		for j := range r.Changes {
			change := &r.Changes[j]
			if !plotted(r, change) {
				continue
			}
			label := fullLabel(r)
			if len(c.Campaigns) > 2 {
				label += " · " + change.Campaign
			}
			e := change.Estimate
			items = append(items, changeItem{
				label: label, text: join(changeOf(change, m.Metric).Value, comparedVerdict(change.Verdict, c.Margin)), class: comparedClass(change.Verdict),
				value: 100 * (e.Value - 1), low: 100 * (e.Interval.Low - 1), high: 100 * (e.Interval.High - 1),
			})
		}
	}
	if len(items) == 0 {
		return changePlot{}
	}
	return drawChanges(items, 100*(1/(1+c.Margin)-1), 100*c.Margin)
}

// drawChanges draws intervals below each other on an axis that holds 0 and the
// margin.
func drawChanges(items []changeItem, marginLow, marginHigh float64) changePlot {
	low, high := marginLow, marginHigh
	long := false
	for _, item := range items {
		low, high = min(low, item.low), max(high, item.high)
		long = long || len([]rune(item.label)) > 34
	}
	step := niceStep(high - low)
	low, high = math.Floor(low/step)*step, math.Ceil(high/step)*step
	begin, letters := forestLabel, 34
	if long {
		begin, letters = forestLabel+forestMore, 52
	}
	place := func(v float64) float64 { return begin + (forestLabel+forestPlot-begin)*(v-low)/(high-low) }
	x := func(v float64) string { return px(place(v)) }
	p := changePlot{
		Width: px(forestWidth), LabelX: px(begin - 16), TextX: px(forestLabel + forestPlot + 20), Zero: x(0),
		BandX: x(marginLow), BandWidth: px(place(marginHigh) - place(marginLow)),
	}
	y := forestTop
	for _, item := range items {
		p.Rows = append(p.Rows, changeLine{
			Y: px(y + forestRow/2), TextY: px(y + forestRow/2 + 5), Label: shorten(item.label, letters), Full: item.label, Text: item.text, Class: item.class,
			Low: x(item.low), High: x(item.high), X: x(item.value),
		})
		y += forestRow
	}
	for i := range 12 {
		if v := low + float64(i)*step; v <= high+step/2 && math.Abs(v) <= math.MaxFloat64 {
			p.Ticks = append(p.Ticks, tick{x(v), tickText(v)})
		}
	}
	p.Axis, p.BandHeight, p.Height = px(y+4), px(y-2), px(y+forestBottom)
	return p
}
