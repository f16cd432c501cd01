package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"moobench/analysis"
	"moobench/analysis/chapter/growth"
	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
	"moobench/analysis/stats"
	"moobench/results"
)

const (
	// factorPanels and factorLines limit the drawings of a factor: the panels, and the lines in each.
	factorPanels, factorLines = 12, 12
	// factorPoints limits the points in all drawings of a factor; up to factorNamed, each has a label.
	factorPoints, factorNamed = 200, 120
	// factorLevels is the least number of values for a line.
	factorLevels = 2
)

// panel is one small drawing of a factor, at one combination of the other factors.
type panel struct {
	at     string
	series []plot.Series
	more   int // lines that are not drawn
}

// factors draws the primary metric, and the cost over the baseline, against each numeric factor, unless a
// growth shows it already.
func (b *builder) factors() []*doc.Section {
	var all []*doc.Section
	for _, factor := range numericFactors(b.s) {
		grown := slices.ContainsFunc(b.s.Growths, func(g growth.Line) bool {
			return g.Factor == factor.Name && g.Metric == b.s.Primary
		})
		for _, overhead := range []bool{false, true} {
			if grown && !overhead {
				continue
			}
			if sec := b.factor(factor, overhead, len(all)); sec != nil {
				all = append(all, sec)
			}
		}
	}
	return all
}

// numericFactors are the factors with two values or more, all of them numbers, in the order of the first cell's
// factors.
func numericFactors(s *analysis.Scenario) []results.Value {
	var all []results.Value
	given := slices.Concat(each(s.Cells, func(c analysis.Cell) []results.Value { return c.Factors })...)
	for _, values := range stats.Grouped(given, func(f results.Value) string { return f.Name }) {
		levels := map[float64]bool{}
		text := slices.ContainsFunc(values, func(f results.Value) bool {
			x, ok := f.Number()
			levels[x] = true
			return !ok || math.Abs(x) >= math.MaxFloat64/10
		})
		if !text && len(levels) >= factorLevels {
			all = append(all, values[0])
		}
	}
	return all
}

// panels collects the lines of a factor: a panel for each combination of the other factors.
func (b *builder) panels(factor string, overhead bool) (all []panel) {
	type place struct {
		at, variant string
		plot.Point
	}
	var places []place
	for _, c := range counted(b.s) {
		a := metricOf(c, b.s.Primary)
		e, text := a.Mean, doc.Mean(a.Mean, primary(b.s).Unit).String()
		if overhead {
			e, text = a.Difference, doc.Difference(a.Difference, primary(b.s).Unit).String()
		}
		i := slices.IndexFunc(c.Factors, func(f results.Value) bool { return f.Name == factor })
		if i < 0 || e == nil || math.Abs(e.Value) >= math.MaxFloat64/10 {
			continue
		}
		x, _ := c.Factors[i].Number()
		at := (&results.Cell{Factors: slices.Delete(slices.Clone(c.Factors), i, i+1)}).Level()
		places = append(places, place{at, c.Variant, plot.Estimate(x, e, text)})
	}
	looks := prose.Unique(each(places, func(p place) string { return p.variant }))
	for _, some := range stats.Grouped(places, func(p place) string { return p.at }) {
		var lines []plot.Series
		for _, line := range stats.Grouped(some, func(p place) string { return p.variant }) {
			name := line[0].variant
			s := plot.Series{
				Name: name,
				Look: plot.LookOf(slices.Index(looks, name)),
				Line: true,
				Band: true,
				Dots: plot.Shapes,
			}
			s.Points = each(line, func(p place) plot.Point { return p.Point })
			slices.SortStableFunc(s.Points, func(a, b plot.Point) int { return cmp.Compare(a.X, b.X) })
			if len(s.Points) >= factorLevels {
				lines = append(lines, s)
			}
		}
		if drawn := min(factorLines, len(lines)); drawn > 0 {
			all = append(all, panel{some[0].at, lines[:drawn], len(lines) - drawn})
		}
	}
	return all
}

// thinned returns as many panels as can be told apart. Very many points become plain dots.
func thinned(panels []panel) []panel {
	points, shown := 0, 0
	for shown < min(factorPanels, len(panels)) {
		for _, s := range panels[shown].series {
			points += len(s.Points)
		}
		if shown > 0 && points > factorPoints {
			break
		}
		shown++
	}
	for _, p := range panels[:shown] {
		for i := range p.series {
			if points > factorNamed {
				p.series[i].Dots = plot.Plain
			}
		}
	}
	return panels[:shown]
}

// factor draws the panels of a factor on the same axes, with a table of their points; nil if there is nothing
// to draw.
func (b *builder) factor(factor results.Value, overhead bool, n int) *doc.Section {
	m, all := primary(b.s), b.panels(factor.Name, overhead)
	panels := thinned(all)
	if len(panels) == 0 {
		return nil
	}
	lines := slices.Concat(each(panels, func(p panel) []plot.Series { return p.series })...)
	xs, ys := plot.Reach(lines, overhead)
	x := plot.CloseAxis(xs, 0) // its ticks are the factor's levels
	if plot.SpansDecades(xs, 2) {
		x = plot.NewAxis(xs, true)
	}
	x.Values, x.Text, x.Title = xs, doc.Level, plot.FactorTitle(factor.Name, factor.Unit)+plot.LogRemark(x)
	if factor.Unit == "ns" {
		x.Text = func(v float64) string { return figure.Exactly(v, "ns") }
	}
	title, name := m.Name+" against "+factor.Name, b.s.Primary
	about := "Means over invocations with their 95 % intervals as bands."
	legend := "means ± half of their 95 % intervals, by " + factor.Name
	if overhead {
		title, name = "Overhead against "+factor.Name, "more than the baseline"
		about = "What is paid more than for the baseline of the same level, with its interval as a band."
		legend = "differences from the baseline with their intervals, by " + factor.Name
	}
	y := plot.InUnit(plot.NewAxis(ys, x.Log && !overhead && plot.SpansDecades(ys, 1)), name, m.Unit, ys)
	table := doc.PointsTable(doc.Column{Head: "variant"}, xs, x.Text)
	table.Legend = []string{legend}
	var svg string
	var chart map[string]any
	for _, p := range panels {
		d := plot.XY{
			Alt:    title + ", " + cmp.Or(p.at, "all of it") + "; the table below has the same numbers",
			Frame:  plot.Panel,
			X:      x,
			Y:      y,
			Series: p.series,
		}
		if overhead {
			d.Rules = []plot.Rule{{Y: new(float64), Class: "zero"}}
		}
		for i := range p.series {
			points, cells, label := p.series[i].Points, map[float64]doc.Cell{}, join(p.series[i].Name, p.at)
			for k, pt := range points {
				cells[pt.X] = doc.Cell{Text: pt.Title}
				points[k].Title = label + ", " + x.Text(pt.X) + ": " + pt.Title
			}
			table.Rows = append(table.Rows, doc.PointsRow(label, xs, cells))
		}
		if len(panels) == 1 {
			chart = d.Chart()
		}
		svg += plot.Tile("tail", p.at,
			d.SVG()+textIf(p.more > 0, fmt.Sprintf("<small>%d more variants are not drawn</small>", p.more)))
	}
	more := len(all) - len(panels)
	about += textIf(more > 0, fmt.Sprintf(" %d more combinations of the other factors are not drawn.", more))
	return &doc.Section{Title: title, Depth: doc.Paged, Blocks: []doc.Block{
		doc.ChartedFigure(b.id+"-factor-"+strconv.Itoa(n), title+"; the table below has the same numbers",
			plot.Tiled(svg, lines), chart, about),
		&doc.Section{Title: title, About: "as a table", Folded: true, Depth: doc.Paged, Blocks: []doc.Block{table}},
	}}
}
