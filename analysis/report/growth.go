package report

import (
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/results"
)

// growthGroup is how one metric grows with one factor: the lines of a drawing.
type growthGroup struct {
	Title, Factor string
	Metric        results.Metric
	Lines         []growthLine
	Xs            []string // the levels of the factor, heads of the table of points
	Plot          plot
}

// growthLine is one variant, at one combination of the other factors.
type growthLine struct {
	analysis.Growth
	Label           string
	Slope           shown
	Fit, Bend       string   // p values
	Exponent        string   // of the power law
	Says            string   // Text without the slope and the verdict, which stand apart
	Values          []string // at each of the group's levels
	Shape, Tint     int      // of its points; of its colour
	Path, Dashes    string
	SlopeRatioTexts []string
}

func newGrowths(s *analysis.Scenario) []growthGroup {
	var groups []growthGroup
	for _, g := range s.Growths {
		i := slices.IndexFunc(groups, func(o growthGroup) bool {
			return o.Metric.Name == g.Metric && o.Lines[0].Factor == g.Factor
		})
		if i < 0 {
			i = len(groups)
			groups = append(groups, growthGroup{Title: g.Metric + " against " + g.Factor, Factor: factorText(g), Metric: metricNamed(s, g.Metric)})
		}
		groups[i].Lines = append(groups[i].Lines, newGrowthLine(g, groups[i].Metric.Unit, len(groups[i].Lines)))
	}
	for i := range groups {
		groups[i].points()
		groups[i].Plot = newPlot(&groups[i])
	}
	return groups
}

func factorText(g analysis.Growth) string {
	if g.Unit == "" || g.Unit == "1" {
		return g.Factor
	}
	return g.Factor + ", " + g.Unit
}

func metricNamed(s *analysis.Scenario, name string) results.Metric {
	for _, m := range s.Metrics {
		if m.Name == name {
			return m
		}
	}
	return results.Metric{Name: name}
}

func newGrowthLine(g analysis.Growth, unit string, n int) growthLine {
	l := growthLine{Growth: g, Label: strings.TrimSpace(g.Variant + " " + g.At), Slope: showDifference(g.Slope, unit)}
	l.Says = says(g, l.Slope)
	l.Shape, l.Tint = n%len(shapes), n%tints
	l.Path, l.Dashes = shapes[l.Shape].path, shapes[l.Shape].dashes
	if g.LackOfFitP != nil {
		l.Fit = figure.P(*g.LackOfFitP)
	}
	if g.BendP != nil {
		l.Bend = figure.P(*g.BendP)
	}
	if g.Exponent != nil {
		l.Exponent = figure.Ratio(*g.Exponent)
	}
	for _, caveat := range g.Caveats {
		l.Says += "; " + caveat.Text
	}
	for _, r := range g.Against {
		if r.Text != "" {
			l.SlopeRatioTexts = append(l.SlopeRatioTexts, r.Text)
		}
	}
	return l
}

// says is the sentence of a growth without its beginning, where that only
// repeats the slope and the verdict.
func says(g analysis.Growth, slope shown) string {
	verdict := string(g.Verdict) + ": "
	if _, rest, ok := strings.Cut(g.Text, "; "+verdict); ok && slope.Value != "" {
		return rest
	}
	return strings.TrimPrefix(g.Text, verdict)
}

// points are the table of all lines' means, a column for each level that any
// line has.
func (g *growthGroup) points() {
	var xs []float64
	for _, l := range g.Lines {
		for _, p := range l.Points {
			xs = append(xs, p.X)
		}
	}
	slices.Sort(xs)
	xs = slices.Compact(xs)
	for _, x := range xs {
		g.Xs = append(g.Xs, levelText(x))
	}
	for i := range g.Lines {
		l := &g.Lines[i]
		l.Values = make([]string, len(xs))
		for _, p := range l.Points {
			if at, ok := slices.BinarySearch(xs, p.X); ok {
				l.Values[at] = meanOf(p.Mean, g.Metric.Unit)
			}
		}
	}
}

// levelText is a level of a factor, exactly: 10,000.
func levelText(x float64) string {
	if n := int64(x); float64(n) == x && n < 1e15 && n > -1e15 {
		return figure.Count(n)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// growths prints a line for each fit, what it says, and the points below.
func (p *printer) growths(s *analysis.Scenario) {
	for _, g := range newGrowths(s) {
		p.print(plain, "")
		p.wrapped(bold, "growth of "+g.Title+"  ", "a line through one value per invocation; slopes with their 95 % intervals")
		rows := []row{{cells: []string{"", "slope per unit", "verdict", "lack of fit", "bend", "exponent"}, style: dim}}
		points := []row{{cells: append([]string{g.Factor}, g.Xs...), style: dim}}
		for _, l := range g.Lines {
			slope := l.Slope.String()
			if slope == "" {
				slope = "–"
			}
			rows = append(rows, row{
				cells: []string{l.Label, slope, string(l.Verdict), l.Fit, l.Bend, l.Exponent},
				note:  strings.Join(append([]string{l.Says}, l.SlopeRatioTexts...), "; "),
			})
			points = append(points, row{cells: append([]string{l.Label}, l.Values...)})
		}
		rows, _ = p.fit(rows, []int{0, 0, 0, 1, 2, 3})
		p.table(rows)
		p.print(plain, "")
		p.split(points)
	}
}
