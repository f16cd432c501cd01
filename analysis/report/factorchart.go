package report

import (
	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"
)

// factorChart has a line with its band for each variant, of a plot that is one
// drawing; several stay as they are drawn.
func factorChart(p *factorPlot) map[string]any {
	axes := p.Panels[0].panelAxes
	c := lineChart(opts.XAxis{Type: axisType(p.x), Name: axes.XLabel, NameLocation: "middle", NameGap: 28}, opts.YAxis{Type: axisType(p.y), Name: axes.YLabel})
	c.SetGlobalOptions(charts.WithTooltipOpts(opts.Tooltip{Trigger: "item"}))
	bands := charts.NewCustom()
	for _, l := range p.Panels[0].Lines {
		var line []opts.LineData
		var band []opts.CustomData
		for i, pt := range l.points {
			line = append(line, opts.LineData{Value: []float64{digits(pt.x), digits(pt.estimate.Value / p.unit.Factor)}})
			if i > 0 {
				band = append(band, opts.CustomData{Name: l.Label, Value: p.between(l.points[i-1], pt)})
			}
		}
		c.AddSeries(l.Label, line, charts.WithLineChartOpts(opts.LineChart{Symbol: "path://" + l.Path, SymbolSize: 10, ShowSymbol: opts.Bool(true)}))
		bands.AddSeries(l.Label, band, charts.WithCustomChartOpts(opts.CustomChart{RenderItem: types.FuncStr("band")}), charts.WithEncodeOpts(opts.Encode{X: []int{0, 3}, Y: []int{1, 2, 4, 5}}))
	}
	c.Overlap(bands)
	c.Validate()
	return c.JSON()
}

// between is the band from one point to the next: the place and the ends of the
// interval of each.
func (p *factorPlot) between(a, b factorPoint) []float64 {
	var at []float64
	for _, pt := range []factorPoint{a, b} {
		low, high := ends(pt.estimate)
		if p.y.log {
			low = max(low, p.y.low)
		}
		at = append(at, digits(pt.x), digits(low/p.unit.Factor), digits(high/p.unit.Factor))
	}
	return at
}
