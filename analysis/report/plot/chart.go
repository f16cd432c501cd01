package plot

import (
	"cmp"
	"math"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"
)

// Chart returns the rows as options of an interactive chart: plain data, in which drawing functions are named;
// nil if nothing can be drawn. Boxes go from p25 to p75, with whiskers from p5 to p95, and dots for p99,
// p99.9 and the longest.
func (r *Rows) Chart() map[string]any {
	if !r.place() {
		return nil
	}
	var labels []string
	var intervals []opts.CustomData
	var boxes []opts.BoxPlotData
	var dots [3][]opts.ScatterData
	shown, top := r.Axis.charted, "10"
	for _, item := range r.Items {
		at := len(labels)
		switch {
		case item.Box != nil:
			all := item.Box.Values
			for k, v := range all {
				all[k] = shown(v)
			}
			boxes, top = append(boxes, opts.BoxPlotData{Name: item.Label, Value: all[:5]}), "40"
			for k, symbol := range []string{"diamond", "triangle", "circle"} {
				dots[k] = append(dots[k], opts.ScatterData{
					Name:       item.Label,
					Value:      []any{all[5+k], at},
					Symbol:     symbol,
					SymbolSize: 9,
				})
			}
		case item.Value == nil:
			continue
		default:
			low, high := item.Value, item.Value
			if item.Low != nil && item.High != nil {
				low, high = item.Low, item.High
			}
			values := []float64{shown(*item.Value), shown(*low), shown(*high), float64(at)}
			intervals = append(intervals, opts.CustomData{Name: item.Label, Value: values})
		}
		labels = append(labels, item.Label)
	}
	grid := opts.Grid{Left: "10", Right: "48", Top: top, Bottom: "40"}
	legend := opts.Legend{Show: opts.Bool(boxes != nil), Top: "0"}
	options := append(r.Axis.options("item", grid, legend),
		charts.WithYAxisOpts(opts.YAxis{Type: "category", Data: labels, Inverse: opts.Bool(true)}))
	if boxes == nil {
		c := charts.NewCustom()
		c.SetGlobalOptions(options...)
		c.AddSeries("estimate", intervals,
			drawnBy("interval", opts.Encode{X: []int{0, 1, 2}, Y: 3, Tooltip: []int{0, 1, 2}})...)
		c.Validate()
		return c.JSON()
	}
	c, scatter := charts.NewBoxPlot(), charts.NewScatter()
	c.SetGlobalOptions(options...)
	c.AddSeries("p5, p25, p50, p75, p95", boxes, charts.WithItemStyleOpts(opts.ItemStyle{Color: "transparent"}))
	for k, name := range []string{"p99", "p99.9", "max"} {
		scatter.AddSeries(name, dots[k])
	}
	c.Overlap(scatter)
	c.Validate()
	return c.JSON()
}

// drawnBy are the options of a series that a function of the page's script draws.
func drawnBy(function string, e opts.Encode) []charts.SeriesOpts {
	return []charts.SeriesOpts{
		charts.WithCustomChartOpts(opts.CustomChart{RenderItem: types.FuncStr(function)}),
		charts.WithEncodeOpts(e),
	}
}

// options are the options of a chart with this x axis.
func (a *Axis) options(trigger string, g opts.Grid, l opts.Legend) []charts.GlobalOpts {
	g.ContainLabel = opts.Bool(true)
	x := opts.XAxis{Type: a.kind(), Name: a.Title, NameLocation: "middle", NameGap: 28, AxisLabel: a.labels()}
	if a.Whole {
		x.MinInterval = 1
	}
	if a.Names != nil {
		x.Data = a.Names
	}
	return []charts.GlobalOpts{
		charts.WithGridOpts(g), charts.WithTooltipOpts(opts.Tooltip{Trigger: trigger}), charts.WithLegendOpts(l),
		charts.WithAnimation(false), charts.WithXAxisOpts(x),
	}
}

// kind is the type of an axis.
func (a *Axis) kind() string {
	switch {
	case a.Names != nil:
		return "category"
	case a.Log:
		return "log"
	}
	return "value"
}

// labels are formatted by a function of the page's script; they never overlap.
func (a *Axis) labels() *opts.AxisLabel {
	return &opts.AxisLabel{Formatter: types.FuncStr(a.Labels), HideOverlap: opts.Bool(true)}
}

// Chart returns the lines as options of an interactive chart. The legend shows and hides a line with its
// points, intervals and curve together, because they share a name.
func (p *XY) Chart() map[string]any {
	trigger := "item"
	c, custom := charts.NewLine(), charts.NewCustom()
	for _, s := range p.Series {
		points, intervals := p.chartPoints(&s)
		symbol, shape := opts.LineChart{ShowSymbol: opts.Bool(s.Dots != NoDots)}, shapes[s.Look.shape]
		if s.Dots != NoDots {
			symbol.Symbol, symbol.SymbolSize = "path://"+shape.path, 10
		} else {
			trigger = "axis"
		}
		look := []charts.SeriesOpts{
			charts.WithLineChartOpts(symbol), charts.WithLineStyleOpts(opts.LineStyle{Type: shape.kind}),
		}
		if s.Curve != nil {
			look[1] = charts.WithLineStyleOpts(opts.LineStyle{Color: "transparent"})
		}
		c.AddSeries(s.Name, points, look...)
		if s.Curve != nil {
			var curve []opts.LineData // as far as the axis reaches
			for _, at := range s.Curve {
				if at[1] >= p.Y.Low && at[1] <= p.Y.High {
					curve = append(curve, opts.LineData{Value: []float64{p.X.charted(at[0]), p.Y.charted(at[1])}})
				}
			}
			c.AddSeries(s.Name, curve, charts.WithLineChartOpts(opts.LineChart{ShowSymbol: opts.Bool(false)}),
				charts.WithLineStyleOpts(opts.LineStyle{Type: shape.kind}))
		}
		switch {
		case len(intervals) == 0:
		case s.Band:
			custom.AddSeries(s.Name, intervals, drawnBy("band", opts.Encode{X: []int{0, 3}, Y: []int{1, 2, 4, 5}})...)
		default:
			custom.AddSeries(s.Name, intervals,
				drawnBy("whisker", opts.Encode{X: 0, Y: []int{1, 2, 3}, Tooltip: []int{1, 2, 3}})...)
		}
	}
	grid := opts.Grid{Left: "70", Right: "48", Top: "40", Bottom: "80"}
	legend := opts.Legend{Show: opts.Bool(true), Type: "scroll", Bottom: "0"}
	c.SetGlobalOptions(append(p.X.options(trigger, grid, legend),
		charts.WithDataZoomOpts(opts.DataZoom{Type: "inside"}),
		charts.WithYAxisOpts(opts.YAxis{
			Type: p.Y.kind(), Name: p.Y.Title, NameLocation: "middle",
			NameGap: 52, Scale: opts.Bool(true), AxisLabel: p.Y.labels(),
		}))...)
	c.XAxisList[0].Scale = opts.Bool(true)
	if len(custom.MultiSeries) > 0 {
		c.Overlap(custom)
	}
	c.Validate()
	return c.JSON()
}

// chartPoints are the points of a series, and its intervals: whiskers or, for a band, the piece from each point
// to the next.
func (p *XY) chartPoints(s *Series) (points []opts.LineData, intervals []opts.CustomData) {
	end := func(pt Point) []float64 {
		low := pt.Low
		if p.Y.Log {
			low = max(low, p.Y.Low)
		}
		return []float64{p.X.charted(pt.X), p.Y.charted(low), p.Y.charted(pt.High)}
	}
	for i, pt := range s.Points {
		if math.IsNaN(pt.Y) {
			continue
		}
		at := []float64{p.X.charted(pt.X), p.Y.charted(pt.Y)}
		points = append(points, opts.LineData{Value: at})
		switch {
		case s.Band && i > 0:
			intervals = append(intervals, opts.CustomData{Name: s.Name, Value: append(end(s.Points[i-1]), end(pt)...)})
		case !s.Band && pt.Low < pt.High && (!p.Y.Log || pt.Low > 0):
			intervals = append(intervals, opts.CustomData{
				Name:  s.Name,
				Value: append(at[:2:2], p.Y.charted(pt.Low), p.Y.charted(pt.High)),
			})
		}
	}
	return points, intervals
}

// charted is a value in the printed unit, with five significant digits: a chart shows no more. Overflow becomes
// the largest number.
func (a *Axis) charted(v float64) float64 {
	v /= cmp.Or(a.Factor, 1)
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
