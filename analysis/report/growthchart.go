package report

import (
	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"
)

// growthChart has the points of every line with their intervals, and the fitted
// line; the legend shows and hides all three together, because they share a
// name.
func growthChart(g *growthGroup) map[string]any {
	p := &g.Plot
	x := opts.XAxis{Type: axisType(p.x), Name: p.XLabel, NameLocation: "middle", NameGap: 28}
	c := lineChart(x, opts.YAxis{Type: axisType(p.y), Name: p.YLabel})
	c.SetGlobalOptions(charts.WithTooltipOpts(opts.Tooltip{Trigger: "item"}))
	whiskers := charts.NewCustom()
	for _, l := range g.Lines {
		var fit, points []opts.LineData
		for _, at := range fitted(l.Growth, p.x.log) {
			if at[1] >= p.y.low && at[1] <= p.y.high {
				fit = append(fit, opts.LineData{Value: []float64{digits(at[0]), digits(at[1] / p.factor)}})
			}
		}
		var intervals []opts.CustomData
		for _, pt := range l.Points {
			if pt.Mean == nil {
				continue
			}
			mean := digits(pt.Mean.Value / p.factor)
			points = append(points, opts.LineData{Value: []float64{digits(pt.X), mean}})
			if i := pt.Mean.Interval; i != nil && (!p.y.log || i.Low > 0) {
				intervals = append(intervals, opts.CustomData{Name: l.Label, Value: []float64{digits(pt.X), mean, digits(i.Low / p.factor), digits(i.High / p.factor)}})
			}
		}
		c.AddSeries(l.Label, points, charts.WithLineChartOpts(opts.LineChart{Symbol: "path://" + l.Path, SymbolSize: 11, ShowSymbol: opts.Bool(true)}), charts.WithLineStyleOpts(opts.LineStyle{Color: "transparent"}))
		c.AddSeries(l.Label, fit, charts.WithLineChartOpts(opts.LineChart{ShowSymbol: opts.Bool(false)}), charts.WithLineStyleOpts(opts.LineStyle{Type: shapes[l.Shape].kind}))
		whiskers.AddSeries(l.Label, intervals, charts.WithCustomChartOpts(opts.CustomChart{RenderItem: types.FuncStr("whisker")}), charts.WithEncodeOpts(opts.Encode{X: 0, Y: []int{1, 2, 3}, Tooltip: []int{1, 2, 3}}))
	}
	c.Overlap(whiskers)
	c.Validate()
	return c.JSON()
}

func axisType(s scale) string {
	if s.log {
		return "log"
	}
	return "value"
}
