package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
	"moobench/results"
)

// growths are how metrics grow with factors: a line for each variant, what it says,
// and the points below.
func (b *builder) growths() []*doc.Section {
	var all []*doc.Section
	for i, g := range growthGroups(b.s) {
		slopes := &doc.Table{Columns: []doc.Column{
			{Head: "variant"},
			{Head: "slope per unit", Number: true},
			{Head: "verdict"},
			{Head: "lack of fit", Number: true, Rank: 1, Help: "of the means’ lying on a line but for chance"},
			{Head: "bend", Number: true, Rank: 2, Help: "of a square term"},
			{Head: "exponent", Number: true, Rank: 3, Help: "of the power law through the logarithms"},
		}}
		points := &doc.Table{Split: true, Columns: []doc.Column{{Head: g.factor, Short: g.factor}}}
		xs := g.xs()
		for _, x := range xs {
			points.Columns = append(points.Columns, doc.Column{Head: levelText(x), Number: true})
		}
		for _, l := range g.lines {
			slopes.Rows = append(slopes.Rows, slopeRow(l, g.metric.Unit))
			r := doc.Row{Cells: make([]doc.Cell, len(xs)+1)}
			r.Cells[0].Text = growthLabel(l)
			for _, p := range l.Points {
				if at, ok := slices.BinarySearch(xs, p.X); ok {
					r.Cells[at+1] = meanOf(p.Mean, g.metric.Unit)
				}
			}
			points.Rows = append(points.Rows, r)
		}
		sec := &doc.Section{Title: "growth of " + g.title, About: "a line through one value per invocation; slopes with their 95 % intervals"}
		if b.paged {
			sec.Add(g.figure(b.id + "-growth-" + strconv.Itoa(i))...)
		}
		sec.Add(slopes, points)
		all = append(all, sec)
	}
	return all
}

// slopeRow is a line in the table of slopes. Why it has its verdict stands below.
func slopeRow(g analysis.Growth, unit string) doc.Row {
	r := doc.Row{Cells: []doc.Cell{
		{Text: growthLabel(g)},
		difference(g.Slope, unit),
		{Text: string(g.Verdict)},
		{Text: optional(g.LackOfFitP, figure.P)},
		{Text: optional(g.BendP, figure.P)},
		{Text: optional(g.Exponent, figure.Ratio)},
	}}
	if g.Slope == nil {
		r.Cells[1].Text = "–"
	}
	says := []string{g.Why}
	for _, caveat := range g.Caveats {
		says = append(says, caveat.Text)
	}
	for _, o := range g.Against {
		if o.Text != "" {
			says = append(says, o.Text)
		}
	}
	r.Note = strings.Join(says, "; ")
	return r
}

func growthLabel(g analysis.Growth) string { return join(g.Variant, g.At) }

// growthGroup is how one metric grows with one factor: the lines of a drawing.
type growthGroup struct {
	title, factor string
	metric        results.Metric
	lines         []analysis.Growth
}

func growthGroups(s *analysis.Scenario) []growthGroup {
	var groups []growthGroup
	for _, g := range s.Growths {
		i := slices.IndexFunc(groups, func(o growthGroup) bool { return o.metric.Name == g.Metric && o.lines[0].Factor == g.Factor })
		if i < 0 {
			i = len(groups)
			factor := g.Factor
			if g.Unit != "" && g.Unit != "1" {
				factor += ", " + g.Unit
			}
			groups = append(groups, growthGroup{title: g.Metric + " against " + g.Factor, factor: factor, metric: metricNamed(s, g.Metric)})
		}
		groups[i].lines = append(groups[i].lines, g)
	}
	return groups
}

// xs are the levels that any line has, rising.
func (g growthGroup) xs() []float64 {
	var xs []float64
	for _, l := range g.lines {
		for _, p := range l.Points {
			xs = append(xs, p.X)
		}
	}
	slices.Sort(xs)
	return slices.Compact(xs)
}

// figure draws the lines of a growth. Points of one level stand a little apart, so
// that those of equal lines don't hide each other.
func (g growthGroup) figure(id string) []doc.Block {
	xs := g.xs()
	if len(xs) == 0 {
		return nil
	}
	var ys []float64
	p := plot.XY{Alt: "Growth of " + g.title + "; the tables below have the same numbers", Frame: plot.Wide}
	log := plot.SpansDecades(xs, 2)
	for i, l := range g.lines {
		s := plot.Series{Name: growthLabel(l), Look: plot.LookOf(i), Dots: plot.Shapes, Curve: fitted(l, log)}
		for _, at := range s.Curve {
			if at[1] > 0 && at[1] <= math.MaxFloat64/10 {
				ys = append(ys, at[1])
			}
		}
		for _, pt := range l.Points {
			if pt.Mean == nil {
				continue
			}
			low, high := ends(pt.Mean)
			s.Points = append(s.Points, plot.Point{X: pt.X, Y: pt.Mean.Value, Low: low, High: high, Title: s.Name + ", " + levelText(pt.X) + ": " + meanOf(pt.Mean, g.metric.Unit).String()})
			ys = append(ys, pt.Mean.Value, high)
			if low > 0 || pt.Mean.Value <= 0 {
				ys = append(ys, low)
			}
		}
		p.Series = append(p.Series, s)
	}
	if len(ys) == 0 {
		return nil
	}
	p.X = plot.NewAxis(xs, log)
	p.X.Title = g.factor + logRemark(p.X)
	p.Y = inUnit(plot.NewAxis(ys, log && plot.SpansDecades(ys, 0)), g.metric.Name, g.metric.Unit, ys)
	p.Dodge()
	svg := `<div class="still grown"><div class="scroll">` + p.SVG() + "</div>" + plot.Legend(p.Series) + "</div>"
	return chartedFigure(id, p.Alt, svg, p.Chart(), "Means over invocations with their 95 % intervals, and a line fitted through one value per invocation. Points of one level stand a little apart, so that they can be told apart.")
}

// fitSteps are enough for a straight line to look round where axes are logarithmic.
const fitSteps = 40

// fitted are points of the fitted line between its first and its last level.
func fitted(g analysis.Growth, log bool) [][2]float64 {
	if g.Slope == nil || g.Intercept == nil || len(g.Points) == 0 {
		return nil
	}
	from, to := g.Points[0].X, g.Points[len(g.Points)-1].X
	line := make([][2]float64, 0, fitSteps+1)
	for i := range fitSteps + 1 {
		share := float64(i) / fitSteps
		x := from*(1-share) + to*share
		if log {
			x = from * math.Pow(to/from, share)
		}
		line = append(line, [2]float64{x, *g.Intercept + g.Slope.Value*x})
	}
	return line
}
