package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
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
		grown := slices.ContainsFunc(b.s.Growths, func(g analysis.Growth) bool {
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

// factorTitle is a factor with its unit.
func factorTitle(name, unit string) string {
	return name + textIf(unit != "" && unit != "1", ", "+unit)
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
		e, text := a.Mean, meanOf(a.Mean, primary(b.s).Unit).String()
		if overhead {
			e, text = a.Difference, difference(a.Difference, primary(b.s).Unit).String()
		}
		i := slices.IndexFunc(c.Factors, func(f results.Value) bool { return f.Name == factor })
		if i < 0 || e == nil || math.Abs(e.Value) >= math.MaxFloat64/10 {
			continue
		}
		x, _ := c.Factors[i].Number()
		at := (&results.Cell{Factors: slices.Delete(slices.Clone(c.Factors), i, i+1)}).Level()
		places = append(places, place{at, c.Variant, point(x, e, text)})
	}
	looks := unique(each(places, func(p place) string { return p.variant }))
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

// reach returns the places of lines, rising, and their values with the ends of their intervals. Low ends of 0
// or less, of values above 0, are left out unless low is true: they would prevent a logarithmic axis.
func reach(lines []plot.Series, low bool) (xs, ys []float64) {
	for _, s := range lines {
		for _, pt := range s.Points {
			xs, ys = append(xs, pt.X), append(ys, pt.Y, pt.High)
			if pt.Low > 0 || pt.Y <= 0 || low {
				ys = append(ys, pt.Low)
			}
		}
	}
	slices.Sort(xs)
	return slices.Compact(xs), ys
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
	xs, ys := reach(lines, overhead)
	x := plot.CloseAxis(xs, 0) // its ticks are the factor's levels
	if plot.SpansDecades(xs, 2) {
		x = plot.NewAxis(xs, true)
	}
	x.Values, x.Text, x.Title = xs, levelText, factorTitle(factor.Name, factor.Unit)+logRemark(x)
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
	y := inUnit(plot.NewAxis(ys, x.Log && !overhead && plot.SpansDecades(ys, 1)), name, m.Unit, ys)
	table := pointsTable(doc.Column{Head: "variant"}, xs, x.Text)
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
			table.Rows = append(table.Rows, pointsRow(label, xs, cells))
		}
		if len(panels) == 1 {
			chart = d.Chart()
		}
		svg += tile("tail", p.at,
			d.SVG()+textIf(p.more > 0, fmt.Sprintf("<small>%d more variants are not drawn</small>", p.more)))
	}
	more := len(all) - len(panels)
	about += textIf(more > 0, fmt.Sprintf(" %d more combinations of the other factors are not drawn.", more))
	return &doc.Section{Title: title, Depth: doc.Paged, Blocks: []doc.Block{
		chartedFigure(b.id+"-factor-"+strconv.Itoa(n), title+"; the table below has the same numbers",
			tiled(svg, lines), chart, about),
		&doc.Section{Title: title, About: "as a table", Folded: true, Depth: doc.Paged, Blocks: []doc.Block{table}},
	}}
}

// growths shows how metrics grow with factors: a line for each variant, its verdict, and the points below.
func (b *builder) growths() []*doc.Section {
	var all []*doc.Section
	axes := func(g analysis.Growth) [2]string { return [2]string{g.Metric, g.Factor} }
	for i, grown := range stats.Grouped(b.s.Growths, axes) {
		l := grown[0]
		g := growthGroup{title: l.Metric + " against " + l.Factor, factor: factorTitle(l.Factor, l.Unit), lines: grown}
		g.metric = metricNamed(b.s, l.Metric)
		slopes := &doc.Table{Columns: []doc.Column{
			{Head: "variant"},
			{Head: "slope per unit", Number: true},
			{Head: "verdict"},
			{Head: "lack of fit", Number: true, Rank: 1, Help: "of the means’ lying on a line but for chance"},
			{Head: "bend", Number: true, Rank: 2, Help: "of a square term"},
			{Head: "exponent", Number: true, Rank: 3, Help: "of the power law through the logarithms"},
		}}
		var lines []plot.Series // a point with its interval for each level
		for i, l := range g.lines {
			s := plot.Series{Name: growthLabel(l), Look: plot.LookOf(i), Dots: plot.Shapes}
			for _, p := range l.Points {
				if p.Mean != nil {
					s.Points = append(s.Points,
						point(p.X, p.Mean, s.Name+", "+levelText(p.X)+": "+meanOf(p.Mean, g.metric.Unit).String()))
				}
			}
			lines = append(lines, s)
		}
		xs, ys := reach(lines, false)
		points := pointsTable(doc.Column{Head: g.factor, Short: g.factor}, xs, levelText)
		points.Split = true
		for _, l := range g.lines {
			slopes.Rows = append(slopes.Rows, slopeRow(l, g.metric.Unit))
			cells := map[float64]doc.Cell{}
			for _, p := range l.Points {
				cells[p.X] = meanOf(p.Mean, g.metric.Unit)
			}
			points.Rows = append(points.Rows, pointsRow(growthLabel(l), xs, cells))
		}
		sec := &doc.Section{
			Title: "growth of " + g.title,
			About: "a line through one value per invocation; slopes with their 95 % intervals",
		}
		if b.paged && len(xs) > 0 {
			sec.Add(g.figure(b.id+"-growth-"+strconv.Itoa(i), lines, xs, ys))
		}
		points.Depth = doc.Full
		sec.Add(slopes, points)
		all = append(all, sec)
	}
	return all
}

// pointsTable is a table of lines, with a column for each x.
func pointsTable(first doc.Column, xs []float64, text func(float64) string) *doc.Table {
	places := each(xs, func(x float64) doc.Column { return doc.Column{Head: text(x), Number: true} })
	return &doc.Table{Columns: append([]doc.Column{first}, places...)}
}

// pointsRow is a line in such a table; points are its cells by x.
func pointsRow(label string, xs []float64, points map[float64]doc.Cell) doc.Row {
	return doc.Row{Cells: append(doc.Texts(label), each(xs, func(x float64) doc.Cell { return points[x] })...)}
}

// slopeRow is a line in the table of slopes. The reason for its verdict stands below.
func slopeRow(g analysis.Growth, unit string) doc.Row {
	slope := difference(g.Slope, unit)
	slope.Text = cmp.Or(slope.Text, "–")
	against := nonEmpty(each(g.Against, func(o analysis.SlopeRatio) string { return o.Text })...)
	remarks := slices.Concat([]string{g.Why}, each(g.Caveats, func(m analysis.Mark) string { return m.Text }), against)
	return doc.Row{Note: strings.Join(remarks, "; "), Cells: []doc.Cell{
		{Text: growthLabel(g)},
		slope,
		{Text: string(g.Verdict)},
		{Text: optional(g.LackOfFitP, figure.P)},
		{Text: optional(g.BendP, figure.P)},
		{Text: optional(g.Exponent, figure.Ratio)},
	}}
}

// growthLabel distinguishes the lines of a growth.
func growthLabel(g analysis.Growth) string { return join(g.Variant, g.At) }

// growthGroup is the growth of one metric with one factor: the lines of a drawing.
type growthGroup struct {
	title, factor string
	metric        results.Metric
	lines         []analysis.Growth
}

// fitSteps is the number of segments for a straight line to look round on logarithmic axes.
const fitSteps = 40

// figure draws the lines of a growth, whose points span xs and ys. Points of one level stand a little apart, so
// that equal lines don't hide each other.
func (g growthGroup) figure(id string, lines []plot.Series, xs, ys []float64) *doc.Figure {
	log := plot.SpansDecades(xs, 2)
	for i, l := range g.lines {
		if l.Slope == nil || l.Intercept == nil || len(l.Points) == 0 {
			continue
		}
		from, to := l.Points[0].X, l.Points[len(l.Points)-1].X // the fitted line ends at its first and its last level
		for k := range fitSteps + 1 {
			share := float64(k) / fitSteps
			x := from*(1-share) + to*share
			if log {
				x = from * math.Pow(to/from, share)
			}
			y := *l.Intercept + l.Slope.Value*x
			lines[i].Curve = append(lines[i].Curve, [2]float64{x, y})
			if y > 0 && y <= math.MaxFloat64/10 {
				ys = append(ys, y)
			}
		}
	}
	p := plot.XY{
		Alt:    "Growth of " + g.title + "; the tables below have the same numbers",
		Frame:  plot.Wide,
		X:      plot.NewAxis(xs, log),
		Series: lines,
	}
	p.X.Title = g.factor + logRemark(p.X)
	p.Y = inUnit(plot.NewAxis(ys, log && plot.SpansDecades(ys, 0)), g.metric.Name, g.metric.Unit, ys)
	p.Dodge()
	svg := `<div class="grown"><div class="scroll">` + p.SVG() + "</div>" + plot.Legend(p.Series) + "</div>"
	return chartedFigure(id, p.Alt, svg, p.Chart(),
		"Means over invocations with their 95 % intervals, and a line fitted through one value per "+
			"invocation. Points of one level stand a little apart, so that they can be told apart.")
}
