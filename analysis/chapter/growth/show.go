package growth

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis/caveat"
	"moobench/analysis/chapter"
	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
	"moobench/analysis/rows"
	"moobench/analysis/stats"
	"moobench/results"
)

// Show shows how metrics grow with factors: a line for each variant, its verdict, and the points below.
func (all Lines) Show(at *chapter.Scene) []doc.Block {
	var blocks []doc.Block
	axes := func(g Line) [2]string { return [2]string{g.Metric, g.Factor} }
	for i, grown := range stats.Grouped(all, axes) {
		l := grown[0]
		g := growthGroup{title: l.Metric + " against " + l.Factor, factor: plot.FactorTitle(l.Factor, l.Unit), lines: grown}
		g.metric = at.Metric(l.Metric)
		slopes := &doc.Table{Columns: []doc.Column{
			{Head: "variant"},
			{Head: "slope per unit", Number: true},
			{Head: "verdict"},
			{Head: "lack of fit", Number: true, Rank: 1, Help: "that the means lie on a line, apart from chance"},
			{Head: "bend", Number: true, Rank: 2, Help: "of a square term"},
			{Head: "exponent", Number: true, Rank: 3, Help: "of the power law through the logarithms"},
		}}
		var lines []plot.Series // a point with its interval for each level
		for i, l := range g.lines {
			s := plot.Series{Name: growthLabel(l), Look: plot.LookOf(i), Dots: plot.Shapes}
			for _, p := range l.Points {
				if p.Mean != nil {
					s.Points = append(s.Points,
						plot.Estimate(p.X, p.Mean, s.Name+", "+doc.Level(p.X)+": "+doc.Mean(p.Mean, g.metric.Unit).String()))
				}
			}
			lines = append(lines, s)
		}
		xs, ys := plot.Reach(lines, false)
		points := doc.PointsTable(doc.Column{Head: g.factor, Short: g.factor}, xs, doc.Level)
		points.Split = true
		for _, l := range g.lines {
			slopes.Rows = append(slopes.Rows, slopeRow(l, g.metric.Unit))
			cells := map[float64]doc.Cell{}
			for _, p := range l.Points {
				cells[p.X] = doc.Mean(p.Mean, g.metric.Unit)
			}
			points.Rows = append(points.Rows, doc.PointsRow(growthLabel(l), xs, cells))
		}
		sec := &doc.Section{
			Title: "growth of " + g.title,
			About: "a line through one value per invocation; slopes with their 95 % intervals",
		}
		if at.Paged && len(xs) > 0 {
			sec.Add(g.figure(at.ID+"-growth-"+strconv.Itoa(i), lines, xs, ys))
		}
		points.Depth = doc.Full
		sec.Add(slopes, points)
		blocks = append(blocks, sec)
	}
	return blocks
}

// slopeRow is a line in the table of slopes. The reason for its verdict stands below.
func slopeRow(g Line, unit string) doc.Row {
	slope := doc.Difference(g.Slope, unit)
	slope.Text = cmp.Or(slope.Text, "–")
	against := results.Each(g.Against, func(o SlopeRatio) string { return o.Text })
	remarks := slices.Concat([]string{g.Why}, results.Each(g.Caveats, func(m caveat.Mark) string { return m.Text }), against)
	remarks = slices.DeleteFunc(remarks, func(text string) bool { return text == "" })
	return doc.Row{Note: strings.Join(remarks, "; "), Cells: []doc.Cell{
		{Text: growthLabel(g)},
		slope,
		{Text: string(g.Verdict)},
		{Text: doc.Optional(g.LackOfFitP, figure.P)},
		{Text: doc.Optional(g.BendP, figure.P)},
		{Text: doc.Optional(g.Exponent, figure.Ratio)},
	}}
}

// growthLabel distinguishes the lines of a growth.
func growthLabel(g Line) string { return strings.TrimSpace(g.Variant + " " + g.At) }

// growthGroup is the growth of one metric with one factor: the lines of a drawing.
type growthGroup struct {
	title, factor string
	metric        *results.Metric
	lines         []Line
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
	p.X.Title = g.factor + plot.LogRemark(p.X)
	p.Y = plot.InUnit(plot.NewAxis(ys, log && plot.SpansDecades(ys, 0)), g.metric.Name, g.metric.Unit, ys)
	p.Dodge()
	svg := `<div class="grown"><div class="scroll">` + p.SVG() + "</div>" + plot.Legend(p.Series) + "</div>"
	return doc.ChartedFigure(id, p.Alt, svg, p.Chart(),
		"Means over invocations with their 95 % intervals, and a line fitted through one value per "+
			"invocation. Points of one level are set a little apart, so that each can be seen.")
}

// Rows has the slope of each line.
func (all Lines) Rows(at *chapter.Scene) []rows.Row {
	var found []rows.Row
	for _, l := range all {
		if l.Slope == nil {
			continue
		}
		found = append(found, rows.Row{
			Key:       rows.Key{Scenario: at.Scenario, Label: growthLabel(l), Variant: l.Variant, Level: l.At},
			Metric:    at.Metric(l.Metric),
			Statistic: rows.Statistic("slope_per_" + l.Factor),
			About:     "growth per unit of " + l.Factor,
			Unit:      at.Metric(l.Metric).Unit,
			Estimate:  l.Slope,
			Alone:     l.Caveats,
		})
	}
	return found
}
