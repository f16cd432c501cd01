package report

import (
	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

// boxChart has a box from p25 to p75 and a whisker from p5 to p95 for every cell,
// and dots for p99, p99.9 and the longest call.
func boxChart(p *boxPlot) map[string]any {
	c := charts.NewBoxPlot()
	c.SetGlobalOptions(
		charts.WithGridOpts(opts.Grid{Left: "10", Right: "48", Top: "40", Bottom: "40", ContainLabel: opts.Bool(true)}),
		charts.WithTooltipOpts(opts.Tooltip{Trigger: "item"}),
		charts.WithLegendOpts(opts.Legend{Show: opts.Bool(true), Top: "0"}),
		charts.WithAnimation(false),
		charts.WithXAxisOpts(opts.XAxis{Type: axisType(p.scale), Name: p.unit.Unit + p.scale.remark(), NameLocation: "middle", NameGap: 28}),
		charts.WithYAxisOpts(opts.YAxis{Type: "category", Data: p.labels, Inverse: opts.Bool(true)}),
	)
	var boxes []opts.BoxPlotData
	for i, v := range p.values {
		boxes = append(boxes, opts.BoxPlotData{Name: p.labels[i], Value: v[:5]})
	}
	c.AddSeries("p5, p25, p50, p75, p95", boxes, charts.WithItemStyleOpts(opts.ItemStyle{Color: "transparent"}))
	dots := charts.NewScatter()
	for k, name := range []string{"p99", "p99.9", "max"} {
		var data []opts.ScatterData
		for i, v := range p.values {
			data = append(data, opts.ScatterData{Name: p.labels[i], Value: []any{v[5+k], i}, Symbol: []string{"diamond", "triangle", "circle"}[k], SymbolSize: 9})
		}
		dots.AddSeries(name, data)
	}
	c.Overlap(dots)
	c.Validate()
	return c.JSON()
}

// tailChart has a line for every cell.
func tailChart(d *distributions) map[string]any {
	x := opts.XAxis{Type: axisType(d.Boxes.scale), Name: d.unit.Unit + d.Boxes.scale.remark(), NameLocation: "middle", NameGap: 28, Scale: opts.Bool(true)}
	c := lineChart(x, opts.YAxis{Type: "log", Name: "share (log)"})
	for _, l := range d.chart {
		var data []opts.LineData
		for _, p := range l.points {
			data = append(data, opts.LineData{Value: []float64{digits(p.Value / d.unit.Factor), digits(p.Share)}})
		}
		c.AddSeries(l.label, data, charts.WithLineChartOpts(opts.LineChart{ShowSymbol: opts.Bool(false)}))
	}
	c.SetGlobalOptions(charts.WithTooltipOpts(opts.Tooltip{Trigger: "item"}))
	c.Validate()
	return c.JSON()
}
