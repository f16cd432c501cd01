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
	"moobench/results"
)

const (
	// factorPanels and factorLines are how much of a factor is drawn: small drawings,
	// and lines in each.
	factorPanels, factorLines = 12, 12
	// factorPoints is how many points the drawings of a factor have together, and
	// factorNamed up to how many each say what they are.
	factorPoints, factorNamed = 200, 120
	// factorLevels is how many values a factor needs to have a line.
	factorLevels = 2
)

// panel is one small drawing of a factor: at are the other factors.
type panel struct {
	at     string
	series []plot.Series
	more   int // lines that are left out
}

// factors draw the primary metric, and what is paid more than for the baseline,
// against each numeric factor; those that a growth shows already are left out.
func (b *builder) factors() []*doc.Section {
	var all []*doc.Section
	for _, factor := range numericFactors(b.s) {
		grown := slices.ContainsFunc(b.s.Growths, func(g analysis.Growth) bool { return g.Factor == factor.Name && g.Metric == b.s.Primary })
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

// numericFactors are those with two values or more that are all numbers, in the order
// of the first cell's factors.
func numericFactors(s *analysis.Scenario) []results.Value {
	var order []results.Value
	levels, text := map[string][]float64{}, map[string]bool{}
	for _, c := range s.Cells {
		for _, f := range c.Factors {
			x, ok := numberOf(f)
			if levels[f.Name] == nil {
				order = append(order, f)
			}
			if text[f.Name] = text[f.Name] || !ok; !slices.Contains(levels[f.Name], x) {
				levels[f.Name] = append(levels[f.Name], x)
			}
		}
	}
	return slices.DeleteFunc(order, func(f results.Value) bool { return text[f.Name] || len(levels[f.Name]) < factorLevels })
}

// factorTitle is a factor with its unit.
func factorTitle(name, unit string) string { return name + when(unit != "" && unit != "1", ", "+unit) }

// numberOf is the value of a factor as a number.
func numberOf(v results.Value) (float64, bool) {
	x, ok := v.Number()
	return x, ok && math.Abs(x) < math.MaxFloat64/10
}

// panels collect the lines of a factor: a panel for each combination of the others.
func (b *builder) panels(factor string, overhead bool) (all []panel) {
	var looks []string
	for _, c := range counted(b.s) {
		a := metricOf(c, b.s.Primary)
		e, text := a.Mean, meanOf(a.Mean, primary(b.s).Unit).String()
		if overhead {
			e, text = a.Difference, difference(a.Difference, primary(b.s).Unit).String()
		}
		var rest []results.Value
		x, ok := 0.0, false
		for _, f := range c.Factors {
			if f.Name == factor {
				x, ok = numberOf(f)
			} else {
				rest = append(rest, f)
			}
		}
		if !ok || e == nil || math.Abs(e.Value) >= math.MaxFloat64/10 {
			continue
		}
		at := (&results.Cell{Factors: rest}).Level()
		k := slices.IndexFunc(all, func(p panel) bool { return p.at == at })
		if k < 0 {
			k, all = len(all), append(all, panel{at: at})
		}
		n := slices.IndexFunc(all[k].series, func(s plot.Series) bool { return s.Name == c.Variant })
		if n < 0 {
			looks = withNew(looks, c.Variant)
			n = len(all[k].series)
			all[k].series = append(all[k].series, plot.Series{Name: c.Variant, Look: plot.LookOf(slices.Index(looks, c.Variant)), Line: true, Band: true, Dots: plot.Shapes})
		}
		low, high := ends(e)
		s := &all[k].series[n]
		s.Points = append(s.Points, plot.Point{X: x, Y: e.Value, Low: low, High: high, Title: text})
	}
	for i := range all {
		p := &all[i]
		p.series = slices.DeleteFunc(p.series, func(s plot.Series) bool { return len(s.Points) < factorLevels })
		for k := range p.series {
			slices.SortStableFunc(p.series[k].Points, func(a, b plot.Point) int { return cmp.Compare(a.X, b.X) })
		}
		if more := len(p.series) - factorLines; more > 0 {
			p.series, p.more = p.series[:factorLines], more
		}
	}
	return slices.DeleteFunc(all, func(p panel) bool { return len(p.series) == 0 })
}

// factorAxes hold the points of all panels: xs are their levels, rising, ys their values.
func factorAxes(panels []panel, overhead bool) (x, y plot.Axis, xs, ys []float64) {
	for _, p := range panels {
		for _, s := range p.series {
			for _, pt := range s.Points {
				xs, ys = append(xs, pt.X), append(ys, pt.Y, pt.High)
				if pt.Low > 0 || pt.Y <= 0 || overhead {
					ys = append(ys, pt.Low)
				}
			}
		}
	}
	log := plot.SpansDecades(xs, 2)
	x, y = plot.CloseAxis(xs, 0), plot.NewAxis(ys, log && !overhead && plot.SpansDecades(ys, 1))
	if log {
		x = plot.NewAxis(xs, true)
	}
	slices.Sort(xs)
	return x, y, slices.Compact(xs), ys
}

// factor draws the panels of a factor on the same axes, with a table of their points;
// nil when there is nothing to draw.
func (b *builder) factor(factor results.Value, overhead bool, n int) *doc.Section {
	m := primary(b.s)
	panels := b.panels(factor.Name, overhead)
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
	more := len(panels) - shown
	if panels = panels[:shown]; len(panels) == 0 {
		return nil
	}
	x, y, xs, ys := factorAxes(panels, overhead)
	readable := func(v float64) string {
		if factor.Unit == "ns" {
			return figure.Exactly(v, "ns")
		}
		return levelText(v)
	}
	x.Values, x.Text, x.Title = xs, readable, factorTitle(factor.Name, factor.Unit)+logRemark(x)
	title, name := m.Name+" against "+factor.Name, b.s.Primary
	about, legend := "Means over invocations with their 95 % intervals as bands.", "means ± half of their 95 % intervals, by "+factor.Name
	if overhead {
		title, name = "Overhead against "+factor.Name, "more than the baseline"
		about, legend = "What is paid more than for the baseline of the same level, with its interval as a band.", "differences from the baseline with their intervals, by "+factor.Name
	}
	y = inUnit(y, name, m.Unit, ys)
	table := pointsTable(doc.Column{Head: "variant"}, xs, readable)
	table.Legend = []string{legend}
	var svg strings.Builder
	var chart map[string]any
	var looks []plot.Series
	svg.WriteString(`<div class="still tails">`)
	for _, p := range panels {
		d := plot.XY{Alt: title + ", " + cmp.Or(p.at, "all of it") + "; the table below has the same numbers", Frame: plot.Panel, X: x, Y: y, Series: p.series}
		if overhead {
			zero := 0.0
			d.Rules = []plot.Rule{{Y: &zero, Class: "zero"}}
		}
		for i := range p.series {
			s := &p.series[i]
			if points > factorNamed {
				s.Dots = plot.Plain
			}
			table.add(join(s.Name, p.at), len(s.Points), func(k int) (float64, doc.Cell) { return s.Points[k].X, doc.Cell{Text: s.Points[k].Title} })
			for k, pt := range s.Points {
				s.Points[k].Title = join(s.Name, p.at) + ", " + readable(pt.X) + ": " + pt.Title
			}
		}
		if looks = append(looks, p.series...); len(panels) == 1 {
			chart = d.Chart()
		}
		fmt.Fprintf(&svg, `<div class="tail">%s%s%s</div>`, plot.Heading(p.at), d.SVG(),
			when(p.more > 0, fmt.Sprintf("<small>%d more variants are not drawn</small>", p.more)))
	}
	svg.WriteString("</div>" + plot.Legend(looks))
	about += when(more > 0, fmt.Sprintf(" %d more combinations of the other factors are not drawn.", more))
	sec := &doc.Section{Title: title, Depth: doc.Paged}
	sec.Blocks = chartedFigure(b.id+"-factor-"+strconv.Itoa(n), title+"; the table below has the same numbers", svg.String(), chart, about)
	sec.Add(&doc.Section{Title: title, About: "as a table", Folded: true, Depth: doc.Paged, Blocks: []doc.Block{table.Table}})
	return sec
}

// growths are how metrics grow with factors: a line for each variant, what it says,
// and the points below.
func (b *builder) growths() []*doc.Section {
	var groups []growthGroup
	for _, g := range b.s.Growths {
		i := slices.IndexFunc(groups, func(o growthGroup) bool { return o.metric.Name == g.Metric && o.lines[0].Factor == g.Factor })
		if i < 0 {
			i = len(groups)
			groups = append(groups, growthGroup{title: g.Metric + " against " + g.Factor, factor: factorTitle(g.Factor, g.Unit), metric: metricNamed(b.s, g.Metric)})
		}
		groups[i].lines = append(groups[i].lines, g)
	}
	var all []*doc.Section
	for i, g := range groups {
		slopes := &doc.Table{Columns: []doc.Column{
			{Head: "variant"},
			{Head: "slope per unit", Number: true},
			{Head: "verdict"},
			{Head: "lack of fit", Number: true, Rank: 1, Help: "of the means’ lying on a line but for chance"},
			{Head: "bend", Number: true, Rank: 2, Help: "of a square term"},
			{Head: "exponent", Number: true, Rank: 3, Help: "of the power law through the logarithms"},
		}}
		points := pointsTable(doc.Column{Head: g.factor, Short: g.factor}, g.xs(), levelText)
		points.Split = true
		for _, l := range g.lines {
			slopes.Rows = append(slopes.Rows, slopeRow(l, g.metric.Unit))
			points.add(growthLabel(l), len(l.Points), func(i int) (float64, doc.Cell) {
				return l.Points[i].X, meanOf(l.Points[i].Mean, g.metric.Unit)
			})
		}
		sec := &doc.Section{Title: "growth of " + g.title, About: "a line through one value per invocation; slopes with their 95 % intervals"}
		if b.paged {
			sec.Add(g.figure(b.id + "-growth-" + strconv.Itoa(i))...)
		}
		sec.Add(slopes, points.Table)
		all = append(all, sec)
	}
	return all
}

// pointTable is a table of lines, a column for each place of their x axis.
type pointTable struct {
	*doc.Table
	xs []float64 // rising
}

func pointsTable(first doc.Column, xs []float64, text func(float64) string) pointTable {
	t := pointTable{&doc.Table{Columns: []doc.Column{first}}, xs}
	for _, x := range xs {
		t.Columns = append(t.Columns, doc.Column{Head: text(x), Number: true})
	}
	return t
}

// add adds a line of n points: where the i-th lies, and what it is.
func (t pointTable) add(label string, n int, point func(i int) (x float64, c doc.Cell)) {
	r := doc.Row{Cells: make([]doc.Cell, len(t.Columns))}
	r.Cells[0].Text = label
	for i := range n {
		x, c := point(i)
		if at, ok := slices.BinarySearch(t.xs, x); ok {
			r.Cells[at+1] = c
		}
	}
	t.Rows = append(t.Rows, r)
}

// slopeRow is a line in the table of slopes. Why it has its verdict stands below.
func slopeRow(g analysis.Growth, unit string) doc.Row {
	slope := difference(g.Slope, unit)
	if g.Slope == nil {
		slope.Text = "–"
	}
	remarks := []string{g.Why}
	for _, caveat := range g.Caveats {
		remarks = append(remarks, caveat.Text)
	}
	for _, o := range g.Against {
		remarks = append(remarks, nonEmpty(o.Text)...)
	}
	return doc.Row{Note: strings.Join(remarks, "; "), Cells: []doc.Cell{
		{Text: growthLabel(g)},
		slope,
		{Text: string(g.Verdict)},
		{Text: optional(g.LackOfFitP, figure.P)},
		{Text: optional(g.BendP, figure.P)},
		{Text: optional(g.Exponent, figure.Ratio)},
	}}
}

// growthLabel tells the lines of a growth apart.
func growthLabel(g analysis.Growth) string { return join(g.Variant, g.At) }

// growthGroup is how one metric grows with one factor: the lines of a drawing.
type growthGroup struct {
	title, factor string
	metric        results.Metric
	lines         []analysis.Growth
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
