package report

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"

	"moobench/analysis/figure"
)

// chart is the options of one chart, under the ID of its element.
type chart struct {
	ID      string         `json:"id"`
	Options map[string]any `json:"options"`
}

// chartOptions are the options of all charts as JSON. Nothing in them is a
// function: the page maps the names of drawing functions to its own.
func chartOptions(sections []section) ([]byte, error) {
	all := []chart{}
	for i := range sections {
		all = append(all, sections[i].charts()...)
	}
	data, err := json.Marshal(all)
	if err != nil {
		return nil, fmt.Errorf("writing chart options: %w", err)
	}
	return data, nil
}

// charts are those of one scenario, in the order of their elements.
func (s *section) charts() (all []chart) {
	add := func(name string, there bool, options func() map[string]any) {
		if there {
			all = append(all, chart{s.ID + "-" + name, options()})
		}
	}
	for i := range s.Factors {
		p := &s.Factors[i]
		add(fmt.Sprintf("factor-%d", i), len(p.Panels) == 1, func() map[string]any { return factorChart(p) })
	}
	for i := range s.Grown {
		add(fmt.Sprintf("growth-%d", i), len(s.Grown[i].Plot.Lines) > 0, func() map[string]any { return growthChart(&s.Grown[i]) })
	}
	add("boxes", len(s.Calls.Table) > 0, func() map[string]any { return boxChart(&s.Calls.Boxes) })
	add("tails", len(s.Calls.Table) > 0, func() map[string]any { return tailChart(&s.Calls) })
	add("traces", len(s.Traces) > 0, func() map[string]any { return traceChart(s) })
	add("drift", len(s.Drift) > 0, func() map[string]any { return driftChart(s.Drift) })
	add("split", len(s.Split.values) > 0, func() map[string]any { return forestChart(s.Split, "part of the cost") })
	return all
}

// forestChart has a dot and an interval for every estimate.
func forestChart(f forest, axis string) map[string]any {
	var labels []string
	var intervals []opts.CustomData
	for i, v := range f.values {
		labels = append(labels, v.label)
		intervals = append(intervals, opts.CustomData{Name: v.label, Value: []float64{digits(v.value), digits(v.low), digits(v.high), float64(i)}})
	}
	c := charts.NewCustom()
	c.SetGlobalOptions(
		charts.WithGridOpts(opts.Grid{Left: "10", Right: "30", Top: "10", Bottom: "40", ContainLabel: opts.Bool(true)}),
		charts.WithTooltipOpts(opts.Tooltip{Trigger: "item"}),
		charts.WithLegendOpts(opts.Legend{Show: opts.Bool(false)}),
		charts.WithAnimation(false),
		charts.WithXAxisOpts(opts.XAxis{Type: "value", Name: axis + ", " + f.Unit, NameLocation: "middle", NameGap: 28}),
		charts.WithYAxisOpts(opts.YAxis{Type: "category", Data: labels, Inverse: opts.Bool(true)}),
	)
	c.AddSeries("estimate", intervals,
		charts.WithCustomChartOpts(opts.CustomChart{RenderItem: types.FuncStr("interval")}),
		charts.WithEncodeOpts(opts.Encode{X: []int{0, 1, 2}, Y: 3, Tooltip: []int{0, 1, 2}}),
	)
	c.Validate()
	return c.JSON()
}

// driftChart has a line for every cell, in per cent of its own mean.
func driftChart(ms []multiple) map[string]any {
	c := lineChart(opts.XAxis{Type: "value", Name: "block", NameLocation: "middle", NameGap: 28, MinInterval: 1, Min: "dataMin", Max: "dataMax"}, opts.YAxis{Type: "value", Name: "% of own mean", Scale: opts.Bool(true)})
	for _, m := range ms {
		var data []opts.LineData
		for i, v := range m.series {
			data = append(data, opts.LineData{Value: []float64{float64(m.blocks[i]), digits(100 * v)}})
		}
		c.AddSeries(m.Label, data)
	}
	c.Validate()
	return c.JSON()
}

// traceChart has a line for every cell: the mean of its invocations.
func traceChart(s *section) map[string]any {
	low, top := math.Inf(1), 0.0
	for _, m := range s.Traces {
		for _, v := range m.mean {
			low, top = min(low, v), max(top, v)
		}
	}
	scale := figure.Fit(s.Metric.Unit, top)
	y := opts.YAxis{Type: "value", Name: scale.Unit}
	if low > 0 && top/20 > low {
		y.Type, y.Name = "log", scale.Unit+" (log)"
	}
	c := lineChart(opts.XAxis{Type: "value", Name: "per cent of the invocation's samples", NameLocation: "middle", NameGap: 28, Min: 0, Max: 100}, y)
	for _, m := range s.Traces {
		var data []opts.LineData
		for i, v := range m.mean {
			data = append(data, opts.LineData{Value: []float64{digits((float64(i) + 0.5) / float64(len(m.mean)) * 100), digits(v / scale.Factor)}})
		}
		c.AddSeries(m.Label, data, charts.WithLineChartOpts(opts.LineChart{ShowSymbol: opts.Bool(false)}))
	}
	c.Validate()
	return c.JSON()
}

func lineChart(x opts.XAxis, y opts.YAxis) *charts.Line {
	c := charts.NewLine()
	c.SetGlobalOptions(
		charts.WithGridOpts(opts.Grid{Left: "50", Right: "48", Top: "40", Bottom: "80", ContainLabel: opts.Bool(true)}),
		charts.WithTooltipOpts(opts.Tooltip{Trigger: "axis"}),
		charts.WithLegendOpts(opts.Legend{Show: opts.Bool(true), Type: "scroll", Bottom: "0"}),
		charts.WithAnimation(false),
		charts.WithXAxisOpts(x),
		charts.WithYAxisOpts(y),
	)
	return c
}

// digits keeps five significant digits: a chart shows no more. What overflows is
// the largest number.
func digits(v float64) float64 {
	switch {
	case v == 0 || math.IsNaN(v):
		return 0
	case math.IsInf(v, 0):
		return math.Copysign(math.MaxFloat64, v)
	}
	p := math.Pow(10, 4-math.Floor(math.Log10(math.Abs(v))))
	if r := math.Round(v*p) / p; !math.IsNaN(r) && !math.IsInf(r, 0) {
		return r
	}
	return v
}
