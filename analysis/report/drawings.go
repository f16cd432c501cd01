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
	"moobench/analysis/steady"
	"moobench/results"
)

// logRemark says when an axis is logarithmic.
func logRemark(a plot.Axis) string {
	if a.Log {
		return " (log)"
	}
	return ""
}

// ends are those of an estimate's interval, its value without one.
func ends(e *analysis.Estimate) (low, high float64) {
	low, high = e.Value, e.Value
	if e.Interval != nil {
		low, high = e.Interval.Low, e.Interval.High
	}
	return max(low, -math.MaxFloat64/10), min(high, math.MaxFloat64/10)
}

// inUnit is an axis with its name, in the unit that fits its values.
func inUnit(a plot.Axis, name, unit string, values []float64) plot.Axis {
	fit := figure.Fit(unit, values...)
	a.Factor, a.Title = fit.Factor, strings.Trim(name+", "+fit.Unit, ", ")+logRemark(a)
	return a
}

// strips are the differences of the primary metric, each drawn as a picture of 100 by
// 9 on one axis, and the title of their column.
func (b *builder) strips() (of map[string]string, title string) {
	m := primary(b.s)
	values := []float64{0}
	estimates := map[string]*analysis.Estimate{}
	for i := range b.s.Cells {
		c := &b.s.Cells[i]
		if a := metricOf(c, m.Name); a != nil && c.Role == results.RoleVariant && c.Void == "" && a.Difference != nil {
			estimates[c.ID] = a.Difference
			low, high := ends(a.Difference)
			values = append(values, a.Difference.Value, low, high)
		}
	}
	if len(estimates) == 0 {
		return nil, ""
	}
	axis := plot.NewAxis(values, false)
	of = map[string]string{}
	for id, e := range estimates {
		var low, high *float64
		if e.Interval != nil {
			low, high = &e.Interval.Low, &e.Interval.High
		}
		of[id] = plot.Strip(axis, &e.Value, low, high)
	}
	fit := figure.Fit(m.Unit, values...)
	return of, "more than the baseline, " + plot.Number(axis.Low/fit.Factor) + " … " + strings.TrimSpace(plot.Number(axis.High/fit.Factor)+" "+fit.Unit)
}

// partsFigure draws the parts of the cost.
func (b *builder) partsFigure() []doc.Block {
	p := plot.Rows{Alt: "Parts of the cost with their intervals; the table below has the same numbers", Zero: true}
	unit, values := primary(b.s).Unit, []float64{0}
	for _, c := range b.s.Contrasts {
		label := partName(c) + "  " + strings.Trim(c.Framework+"/"+c.Mode+"/"+c.Stage, "/")
		if c.Level != "" {
			label += ", " + c.Level
		}
		row := plot.Row{Label: label, Text: "no answer"}
		if e := c.Estimate; e != nil {
			row.Text, row.Value = difference(e, unit).String(), &e.Value
			values = append(values, e.Value)
			if i := e.Interval; i != nil {
				row.Low, row.High = &i.Low, &i.High
				values = append(values, i.Low, i.High)
			}
		}
		p.Items = append(p.Items, row)
	}
	p.Axis = inUnit(p.Axis, "part of the cost", unit, values)
	return chartedFigure(b.id+"-split", p.Alt, p.SVG(), p.Chart(), "The difference of two cells over blocks, each with its own 95 % interval.")
}

// chartedFigure is a drawing that a page with the ECharts script replaces by a chart.
func chartedFigure(id, alt, svg string, chart map[string]any, caption string) []doc.Block {
	if svg == "" {
		return nil
	}
	return []doc.Block{&doc.Figure{ID: id, SVG: svg, Alt: alt, Chart: chart, Caption: caption}}
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
func numericFactors(s *analysis.Scenario) (all []results.Value) {
	values, order := map[string]map[float64]bool{}, []results.Value{}
	for i := range s.Cells {
		for _, f := range s.Cells[i].Factors {
			if values[f.Name] == nil {
				values[f.Name], order = map[float64]bool{}, append(order, f)
			}
			if x, ok := numberOf(f); ok {
				values[f.Name][x] = true
			} else {
				values[f.Name][math.NaN()] = true
			}
		}
	}
	return slices.DeleteFunc(order, func(f results.Value) bool {
		for x := range values[f.Name] {
			if math.IsNaN(x) {
				return true
			}
		}
		return len(values[f.Name]) < factorLevels
	})
}

// numberOf is the value of a factor as a number.
func numberOf(v results.Value) (float64, bool) {
	x, err := strconv.ParseFloat(strings.ReplaceAll(v.Value, "_", ""), 64)
	return x, err == nil && !math.IsNaN(x) && math.Abs(x) < math.MaxFloat64/10
}

// panels collect the lines of a factor: a panel for each combination of the others.
func (b *builder) panels(factor string, overhead bool) (all []panel, looks []string) {
	for i := range b.s.Cells {
		c := &b.s.Cells[i]
		a := metricOf(c, b.s.Primary)
		if a == nil || c.Void != "" || c.Role == results.RoleAA {
			continue
		}
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
			if !slices.Contains(looks, c.Variant) {
				looks = append(looks, c.Variant)
			}
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
	return slices.DeleteFunc(all, func(p panel) bool { return len(p.series) == 0 }), looks
}

// factor draws the panels of a factor on the same axes, with a table of their points;
// nil when there is nothing to draw.
func (b *builder) factor(factor results.Value, overhead bool, n int) *doc.Section {
	m := primary(b.s)
	panels, _ := b.panels(factor.Name, overhead)
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
	var xs, ys []float64
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
	x, y := plot.CloseAxis(xs, 0), plot.NewAxis(ys, log && !overhead && plot.SpansDecades(ys, 1))
	if log {
		x = plot.NewAxis(xs, true)
	}
	slices.Sort(xs)
	xs = slices.Compact(xs)
	readable := func(v float64) string {
		if factor.Unit == "ns" {
			return figure.Exactly(v, "ns")
		}
		return levelText(v)
	}
	x.Values, x.Text, x.Title = xs, readable, factor.Name+logRemark(x)
	if factor.Unit != "1" {
		x.Title = strings.TrimSuffix(factor.Name+", "+factor.Unit, ", ") + logRemark(x)
	}
	name, about, legend := b.s.Primary, "Means over invocations with their 95 % intervals as bands.", "means ± half of their 95 % intervals, by "+factor.Name
	if overhead {
		name, about, legend = "more than the baseline", "What is paid more than for the baseline of the same level, with its interval as a band.", "differences from the baseline with their intervals, by "+factor.Name
	}
	y = inUnit(y, name, m.Unit, ys)
	title := m.Name + " against " + factor.Name
	if overhead {
		title = "Overhead against " + factor.Name
	}
	table := &doc.Table{Legend: []string{legend}, Columns: []doc.Column{{Head: "variant"}}}
	for _, v := range xs {
		table.Columns = append(table.Columns, doc.Column{Head: readable(v), Number: true})
	}
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
			r := doc.Row{Cells: make([]doc.Cell, len(xs)+1)}
			r.Cells[0].Text = join(s.Name, p.at)
			for k, pt := range s.Points {
				if at, ok := slices.BinarySearch(xs, pt.X); ok {
					r.Cells[at+1].Text = pt.Title
				}
				s.Points[k].Title = join(s.Name, p.at) + ", " + readable(pt.X) + ": " + pt.Title
			}
			table.Rows = append(table.Rows, r)
		}
		if looks = append(looks, p.series...); len(panels) == 1 {
			chart = d.Chart()
		}
		small := ""
		if p.more > 0 {
			small = fmt.Sprintf("<small>%d more variants are not drawn</small>", p.more)
		}
		fmt.Fprintf(&svg, `<div class="tail">%s%s%s</div>`, plot.Heading(p.at), d.SVG(), small)
	}
	svg.WriteString("</div>" + plot.Legend(looks))
	if more > 0 {
		about += fmt.Sprintf(" %d more combinations of the other factors are not drawn.", more)
	}
	sec := &doc.Section{Title: title, Depth: doc.Paged}
	sec.Blocks = chartedFigure(b.id+"-factor-"+strconv.Itoa(n), title+"; the table below has the same numbers", svg.String(), chart, about)
	sec.Add(&doc.Section{Title: title, About: "as a table", Folded: true, Depth: doc.Paged, Blocks: []doc.Block{table}})
	return sec
}

// boxValues is how many quantiles a box plot needs: p5, p25, p50, p75, p95, and marks
// for p99, p99.9 and the longest call.
const boxValues = 8

const (
	// tailPoints is about how many points all tails of a scenario have together.
	tailPoints = 4000
	tailLeast  = 20
)

// distribution draws the calls of all cells together: a shape, without intervals. It
// is on the page alone.
func (b *builder) distribution() *doc.Section {
	if !b.paged {
		return nil
	}
	var cells []*analysis.Cell
	var values []float64
	for i := range b.s.Cells {
		if c := &b.s.Cells[i]; drawable(c) {
			cells = append(cells, c)
			for _, p := range c.Distribution.Box {
				values = append(values, p.Value)
			}
		}
	}
	if len(cells) == 0 {
		return nil
	}
	unit := primary(b.s).Unit
	log := plot.SpansDecades(values, 0.5)
	x := inUnit(plot.NewAxis(values, log), b.s.Primary, unit, []float64{slices.Sorted(slices.Values(values))[len(values)/2]})
	if log { // ticks of several units read better in their own
		x.Text, x.Title = func(v float64) string { return figure.Exactly(v, unit) }, "logarithmic axis"
	}
	boxes := plot.Rows{Alt: "Box plot of the calls of each cell; the table below has the same numbers", Axis: x}
	table := &doc.Table{
		Legend:  []string{"quantiles of the calls of the windows of all invocations together"},
		Columns: []doc.Column{{Head: "cell"}, {Head: "calls", Number: true}},
	}
	for _, p := range cells[0].Distribution.Box {
		table.Columns = append(table.Columns, doc.Column{Head: quantileName(p.P), Number: true})
	}
	for _, c := range cells {
		r := doc.Row{Cells: doc.Texts(c.Label, figure.Count(c.Distribution.N))}
		var says []string
		q := c.Distribution.Box
		for _, p := range q {
			r.Cells = append(r.Cells, doc.Cell{Text: figure.Quantity(p.Value, unit), Sort: &p.Value})
			says = append(says, quantileName(p.P)+" "+figure.Quantity(p.Value, unit))
		}
		table.Rows = append(table.Rows, r)
		boxes.Items = append(boxes.Items, plot.Row{Label: c.Label, Box: &plot.Box{
			P5: q[0].Value, P25: q[1].Value, P50: q[2].Value, P75: q[3].Value, P95: q[4].Value, P99: q[5].Value, P999: q[6].Value, Max: q[7].Value,
			Title: c.Label + ": " + strings.Join(says, ", "),
		}})
	}
	sec := &doc.Section{Title: "Distribution of calls", Depth: doc.Paged}
	sec.Blocks = chartedFigure(b.id+"-boxes", boxes.Alt, `<div class="still scroll">`+boxes.SVG()+"</div>"+boxLegend, boxes.Chart(),
		"The calls of the windows of all invocations of a cell together. A shape: calls of one invocation are correlated, so that it has no intervals; the quantiles with intervals are below.")
	sec.Blocks = append(sec.Blocks, b.tails(cells)...)
	sec.Add(&doc.Section{Title: "Quantiles of all calls", About: "the numbers of the drawings", Folded: true, Depth: doc.Paged, Blocks: []doc.Block{table}})
	return sec
}

// boxLegend says what the marks of a box plot are.
const boxLegend = `<ul class="legend">` +
	`<li><svg viewBox="0 0 44 14" width="44" height="14" aria-hidden="true"><path class="whisk" d="M2 7H42"/><rect class="boxed" x="12" y="1" width="18" height="12"/><path class="median" d="M20 1v12"/></svg> box: p25, median, p75; line: p5 to p95</li>` +
	`<li><svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><path class="far" d="M7 2l5 5-5 5-5-5z"/></svg> p99</li>` +
	`<li><svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><path class="far" d="M7 2l5 9h-10z"/></svg> p99.9</li>` +
	`<li><svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><circle class="far" cx="7" cy="7" r="4"/></svg> longest</li></ul>`

// drawable says whether all of a cell's distribution can stand on a logarithmic axis
// as well as on a linear one.
func drawable(c *analysis.Cell) bool {
	d := c.Distribution
	if d == nil || c.Void != "" || d.N < 1 || len(d.Box) != boxValues || len(d.Tail) == 0 {
		return false
	}
	return !slices.ContainsFunc(d.Box, func(p analysis.BoxPoint) bool { return !(p.Value >= 0) || p.Value > math.MaxFloat64/10 }) &&
		!slices.ContainsFunc(d.Tail, func(p analysis.TailPoint) bool {
			return !(p.Value >= 0) || p.Value > math.MaxFloat64/10 || !(p.Share > 0) || p.Share > 1
		})
}

// quantileName is p99.9.
func quantileName(p float64) string {
	if p == 1 {
		return "max"
	}
	return "p" + strings.TrimSuffix(figure.Level(p), " %")
}

// tails draw which share of the calls took at least so long: a panel a level, all on
// the same axes, on a logarithmic scale because a tail is rare.
func (b *builder) tails(cells []*analysis.Cell) []doc.Block {
	unit := primary(b.s).Unit
	most := max(tailLeast, tailPoints/len(cells))
	var values []float64
	least := 1.0
	var names, ats []string
	panels := map[string][]plot.Series{}
	var looks []plot.Series
	for _, c := range cells {
		if !slices.Contains(names, c.Variant) {
			names = append(names, c.Variant)
		}
		if panels[c.Level] == nil {
			ats = append(ats, c.Level)
		}
		line := plot.Series{Name: c.Variant, Look: plot.LookOf(slices.Index(names, c.Variant)), Line: true}
		tail := c.Distribution.Tail
		for i := range min(most, len(tail)) {
			p := tail[i]
			if len(tail) > most {
				p = tail[i*(len(tail)-1)/(most-1)]
			}
			line.Points = append(line.Points, plot.Point{X: p.Value, Y: p.Share})
			values, least = append(values, p.Value), min(least, p.Share)
		}
		panels[c.Level], looks = append(panels[c.Level], line), append(looks, line)
	}
	x := inUnit(plot.NewAxis(values, plot.SpansDecades(values, 0.5)), b.s.Primary, unit, []float64{slices.Sorted(slices.Values(values))[len(values)/2]})
	if x.Log {
		x.Text, x.Title = func(v float64) string { return figure.Exactly(v, unit) }, "logarithmic axis"
	}
	y := plot.Axis{Low: least / 1.5, High: 1, Log: true, Title: "share of the calls that took at least so long", Text: shareText}
	for exponent := 0; exponent < 12 && math.Pow10(-exponent) >= y.Low; exponent++ {
		y.Values = append(y.Values, math.Pow10(-exponent))
	}
	var svg strings.Builder
	svg.WriteString(`<div class="still tails">`)
	for _, at := range ats {
		p := plot.XY{Alt: "Tail of the calls " + at + "; the table below has quantiles", Frame: plot.Panel, X: x, Y: y, Series: panels[at]}
		fmt.Fprintf(&svg, `<div class="tail">%s%s</div>`, plot.Heading(at), p.SVG())
	}
	svg.WriteString("</div>" + plot.Legend(looks))
	all := plot.XY{X: x, Y: y}
	for _, c := range cells { // the chart has all levels on one axis, and a reader hides some
		for _, s := range panels[c.Level] {
			if s.Name == c.Variant {
				s.Name = c.Label
				all.Series = append(all.Series, s)
			}
		}
	}
	return chartedFigure(b.id+"-tails", "Share of the calls that took at least so long, of each cell; the table below has the same numbers", svg.String(), all.Chart(),
		"The tail: which share of the calls took at least so long, on a logarithmic scale. A line that ends farther to the right has longer pauses; a flat part is something that hits a fixed share of the calls.")
}

// shareText is 10 %, or 10⁻⁶ of what is rare.
func shareText(share float64) string {
	exponent := int(math.Round(-math.Log10(share)))
	if exponent <= 3 {
		return plot.Number(100*share) + " %"
	}
	superscripts := []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")
	return "10⁻" + strings.Map(func(r rune) rune { return superscripts[r-'0'] }, strconv.Itoa(exponent))
}

const (
	// tracePoints is about how many points all traces of a scenario have together:
	// more would make the page large, and none could be told apart.
	tracePoints = 8000
	// traceSteps and traceStepsLeast are how many a trace has.
	traceSteps, traceStepsLeast = 100, 25
	// tracesLeast is how many invocations of a cell are drawn, however many cells
	// there are.
	tracesLeast = 3
)

// traces draw the inside of the invocations of each cell.
func (b *builder) traces() *doc.Section {
	points := tracePoints
	if b.step > 0 { // the table of all cells takes its room
		points /= 2
	}
	var cells [][]analysis.Invocation
	lines := 0
	for i := range b.s.Cells {
		runs := slices.DeleteFunc(valued(b.a, b.s.Cells[i].ID), func(inv analysis.Invocation) bool { return len(inv.Trace) < 2 })
		cells = append(cells, runs)
		lines += len(runs)
	}
	steps := min(traceSteps, max(traceStepsLeast, points/max(1, lines)))
	most := max(tracesLeast, points/steps/max(1, len(cells)))
	means := plot.XY{X: plot.Axis{High: 100, Step: 20, Title: "per cent of the invocation's samples"}}
	var svg strings.Builder
	var values []float64
	for i, runs := range cells {
		if len(runs) == 0 {
			continue
		}
		c := &b.s.Cells[i]
		drawn, mean := b.trace(c, runs, steps, most)
		svg.WriteString(drawn)
		line := plot.Series{Name: c.Label, Look: plot.LookOf(len(means.Series)), Line: true}
		for k, v := range mean {
			line.Points = append(line.Points, plot.Point{X: (float64(k) + 0.5) / float64(len(mean)) * 100, Y: v})
		}
		means.Series, values = append(means.Series, line), append(values, mean...)
	}
	if len(means.Series) == 0 {
		return nil
	}
	means.Y = inUnit(plot.NewAxis(values, plot.SpansDecades(values, math.Log10(20))), b.s.Primary, primary(b.s).Unit, values)
	sec := &doc.Section{Title: "Inside the invocations", Depth: doc.Paged}
	sec.Blocks = chartedFigure(b.id+"-traces", "Mean over invocations, from the first sample to the last", traceLegend+`<div class="multiples">`+svg.String()+"</div>", means.Chart(),
		"Every invocation from its first sample (left) to its last. The darker the shade, the more invocations have their warm-up there.")
	return sec
}

// traceLegend says what the lines of traces are.
const traceLegend = `<ul class="legend">` +
	`<li><svg viewBox="0 0 44 14" width="44" height="14" aria-hidden="true"><path class="warming" d="M2 3L20 9"/><path class="resting" d="M20 9H42"/><path class="settled" d="M20 0v14"/></svg> warm-up, then the steady state that was found; the line is its begin in the median</li>` +
	`<li><svg viewBox="0 0 44 14" width="44" height="14" aria-hidden="true"><path class="never" d="M2 10L42 4"/></svg> no steady state</li>` +
	`<li><svg viewBox="0 0 44 14" width="44" height="14" aria-hidden="true"><rect class="before" x="2" y="0" width="40" height="14" fill-opacity=".3"/></svg> before the window: in no mean</li></ul>`

// trace draws the invocations of one cell in a small drawing, and returns their mean.
func (b *builder) trace(c *analysis.Cell, runs []analysis.Invocation, steps, most int) (svg string, mean []float64) {
	var froms, settled []float64
	var traces [][]float64
	low, high := math.Inf(1), math.Inf(-1)
	for _, inv := range runs {
		froms = append(froms, inv.From)
		if inv.SteadyFrom != nil {
			settled = append(settled, *inv.SteadyFrom)
		}
		values := coarser(inv.Trace, steps)
		traces = append(traces, values)
		low, high = min(low, slices.Min(values)), max(high, slices.Max(values))
	}
	unit := primary(b.s).Unit
	says := []string{figure.Quantity(low, unit) + " … " + figure.Quantity(high, unit)}
	if high == low {
		high = low + 1
	}
	p := plot.XY{Frame: plot.Multiple, X: plot.Axis{High: 1, Step: 1}, Y: plot.Axis{Low: low, High: high, Step: high - low}}
	p.Spans = shades(froms)
	n := min(most, len(runs))
	for k := range n {
		i := k * len(runs) / n
		p.Series = append(p.Series, strokes(runs[i], traces[i])...)
	}
	if n < len(runs) {
		says[0] += fmt.Sprintf(", %d of %d drawn", n, len(runs))
	}
	if text := steadyText(c.Steady); text != "" {
		says = append(says, text)
	}
	if len(settled) > 0 {
		slices.Sort(settled)
		at := min(1, max(0, settled[len(settled)/2]))
		p.Rules = append(p.Rules, plot.Rule{X: &at, Class: "settled"})
		text := "steady from " + figure.Percent(at) + " on"
		if len(settled) < len(runs) {
			text += fmt.Sprintf(" (%d of %d)", len(settled), len(runs))
		}
		says = append(says, text)
	}
	p.Alt = c.Label + ": " + strings.Join(says, "; ")
	return multiple(c.Label, p.SVG(), says...), average(traces)
}

// multiple is a small drawing among others, with what is to be read below it.
func multiple(label, svg string, says ...string) string {
	var b strings.Builder
	b.WriteString(`<div class="multiple">` + plot.Heading(label) + svg)
	for _, text := range says {
		b.WriteString("<small><span>" + plot.Text(text) + "</span></small>")
	}
	return b.String() + "</div>"
}

// strokes are one invocation, in two parts where its steady state begins inside it.
func strokes(inv analysis.Invocation, values []float64) []plot.Series {
	var points []plot.Point
	begin := 0
	for i, v := range values {
		at := (float64(i) + 0.5) / float64(len(values))
		points = append(points, plot.Point{X: at, Y: v})
		if inv.SteadyFrom != nil && at < *inv.SteadyFrom {
			begin = i + 1
		}
	}
	line := func(class string, some []plot.Point) plot.Series {
		return plot.Series{Class: class, Line: true, Points: some}
	}
	switch {
	case inv.Class == string(steady.Unsteady):
		return []plot.Series{line("never", points)}
	case inv.SteadyFrom == nil:
		return []plot.Series{line("untold", points)}
	}
	var all []plot.Series
	if begin > 0 {
		all = append(all, line("warming", points[:min(begin+1, len(points))]))
	}
	if begin < len(points)-1 {
		all = append(all, line("resting", points[begin:]))
	}
	return all
}

// shades cut a drawing where windows begin; froms are shares of its width. The more
// invocations have their window later, the darker it is.
func shades(froms []float64) []plot.Span {
	var all []plot.Span
	slices.Sort(froms)
	at := 0.0
	for i, from := range froms {
		if from > at && from <= 1 {
			before := float64(len(froms)-i) / float64(len(froms))
			all = append(all, plot.Span{From: at, To: from, Class: "before", Opacity: 0.1 + 0.3*before})
			at = from
		}
	}
	return all
}

// coarser has n steps at most: means of neighbouring ones.
func coarser(values []float64, n int) []float64 {
	if len(values) <= n {
		return values
	}
	coarse := make([]float64, n)
	for i := range coarse {
		from, to := i*len(values)/n, (i+1)*len(values)/n
		for _, v := range values[from:to] {
			coarse[i] += v / float64(to-from)
		}
	}
	return coarse
}

// average is the mean trace of invocations, as long as the shortest.
func average(traces [][]float64) []float64 {
	n := len(traces[0])
	for _, t := range traces {
		n = min(n, len(t))
	}
	mean := make([]float64, n)
	for _, t := range traces {
		for i := range mean {
			mean[i] += t[i] / float64(len(traces))
		}
	}
	return mean
}

// valued are the invocations of a cell that have a value.
func valued(a *analysis.Answers, cell string) []analysis.Invocation {
	return slices.DeleteFunc(slices.Clone(a.Invocations), func(inv analysis.Invocation) bool { return inv.Cell != cell || inv.Value == nil })
}

// course is a cell block by block, as shares of a mean.
type course struct {
	label    string
	points   []plot.Point // X is the block
	band     *analysis.Interval
	says     string
	oddKinds []string
}

// add places an invocation of a cell with this mean. One that is not as it was
// planned is an odd point: disturbed, failed or void.
func (c *course) add(inv analysis.Invocation, mean float64, m results.Metric) {
	pt := plot.Point{X: float64(inv.Block), Y: math.NaN()}
	switch {
	case inv.Value != nil:
		pt.Y = *inv.Value/mean - 1
		if inv.Disturbed != nil || inv.RepeatedBy != "" {
			pt.Kind, pt.Title = "disturbed", inv.ID+": "+figure.Quantity(*inv.Value, m.Unit)+", disturbed"
		}
		if inv.RepeatedBy != "" {
			pt.Title += ", repeated as " + inv.RepeatedBy
		}
	case m.Profile != "" && inv.Profile != m.Profile || m.Profile == "" && inv.Profile != results.ProfileTiming:
		return
	case inv.Status == results.StatusFailed:
		pt.Kind, pt.Title = "failed", inv.ID+": failed"
	case inv.Void != "":
		pt.Kind, pt.Title = "void", inv.ID+": void: "+inv.Void
	default:
		return
	}
	if pt.Kind != "" && !slices.Contains(c.oddKinds, pt.Kind) {
		c.oddKinds = append(c.oddKinds, pt.Kind)
	}
	c.points = append(c.points, pt)
}

// drift draws each cell block by block, in per cent of its own mean, and the A/As:
// what moves all cells alike is the machine.
func (b *builder) drift() *doc.Section {
	if b.a.Campaign.Design == results.DesignUnordered {
		return nil
	}
	m := primary(b.s)
	var cells, tests []course
	for i := range b.s.Cells {
		c := &b.s.Cells[i]
		a := metricOf(c, m.Name)
		if a == nil || a.Mean == nil || a.Mean.Value == 0 {
			continue
		}
		line := course{label: c.Label, says: "each block in per cent of its mean"}
		for _, inv := range b.a.Invocations {
			if inv.Cell == c.ID {
				line.add(inv, a.Mean.Value, m)
			}
		}
		cells = append(cells, line)
	}
	for _, aa := range b.s.AA {
		c := cellOf(b.s, aa.Cell)
		if c == nil || aa.Metric != "" {
			continue
		}
		line := course{label: join("A/A", aa.Level), says: "the second baseline less the first"}
		first := map[int]float64{}
		for _, inv := range valued(b.a, c.Baseline) {
			first[inv.Block] = *inv.Value
		}
		for _, inv := range valued(b.a, c.ID) {
			if first[inv.Block] != 0 {
				line.add(inv, first[inv.Block], m)
			}
		}
		if aa.Ratio != nil {
			line.band = aa.Ratio.Interval
		}
		if len(line.points) > 0 {
			tests = append(tests, line)
		}
	}
	sec := &doc.Section{Title: "Block by block", Depth: doc.Paged}
	sec.Blocks = figureOf(courses(tests), "The A/A: by how much the second baseline exceeds the first in each block, all on one scale. They are the same program, so that what shows here is the machine. The band is the 90 % interval of their ratio.")
	if len(cells) > 0 {
		chart := plot.XY{X: plot.Axis{Title: "block", Step: 1}, Y: plot.Axis{Title: "% of own mean", Factor: 0.01, Step: 1}}
		for i, c := range cells {
			chart.Series = append(chart.Series, plot.Series{Name: c.label, Look: plot.LookOf(i), Line: true, Points: c.points})
		}
		sec.Blocks = append(sec.Blocks, chartedFigure(b.id+"-drift", "Each cell in per cent of its own mean, block by block; the table below has the values", courses(cells), chart.Chart(),
			"Each cell in per cent of its own mean, all on one scale. What moves all cells alike is the machine, and cancels in the differences.")...)
	}
	if tables := b.blockTables(); len(tables) > 0 {
		sec.Add(&doc.Section{Title: "Values block by block", Folded: true, Depth: doc.Paged, Blocks: tables})
	}
	if len(sec.Blocks) == 0 {
		return nil
	}
	return sec
}

// courses draws small drawings on the same axes; "" of none.
func courses(all []course) string {
	if len(all) == 0 {
		return ""
	}
	reach, last := 0.005, 1.0
	var kinds []string
	for _, c := range all {
		if c.band != nil {
			reach = max(reach, math.Abs(c.band.Low-1), math.Abs(c.band.High-1))
		}
		for _, p := range c.points {
			last = max(last, p.X)
			if !math.IsNaN(p.Y) {
				reach = max(reach, math.Abs(p.Y))
			}
		}
		kinds = append(kinds, c.oddKinds...)
	}
	var b strings.Builder
	b.WriteString(plot.OddLegend(kinds) + `<div class="multiples">`)
	ends := "−" + figure.Percent(reach) + " … +" + figure.Percent(reach)
	for _, c := range all {
		zero := 0.0
		p := plot.XY{
			Alt: c.label + ": " + c.says + ", between " + ends, Frame: plot.Multiple,
			X: plot.Axis{Low: 0.5, High: last + 0.5, Step: 1}, Y: plot.Axis{Low: -reach * 1.06, High: reach * 1.06, Step: 1},
			Rules: []plot.Rule{{Y: &zero, Class: "rule"}}, Series: []plot.Series{{Class: "line", Line: true, Dots: plot.Plain}},
		}
		if c.band != nil {
			p.Bands = []plot.Band{{Low: c.band.Low - 1, High: c.band.High - 1, Class: "band t0"}}
		}
		for _, pt := range c.points {
			if math.IsNaN(pt.Y) { // it has no value: it stands at the bottom
				p.Series = append(p.Series, plot.Series{Points: []plot.Point{{X: pt.X, Y: -reach, Kind: pt.Kind, Title: pt.Title}}})
				continue
			}
			p.Series[0].Points = append(p.Series[0].Points, pt)
		}
		b.WriteString(multiple(c.label, p.SVG(), ends))
	}
	return b.String() + "</div>"
}

// blockColumns is how many cells a table of blocks has: more would be cut off in
// print.
const blockColumns = 8

// blockTables are the values of all cells block by block, a few cells in each table.
func (b *builder) blockTables() []doc.Block {
	var all []doc.Block
	m := primary(b.s)
	for cells := range slices.Chunk(b.s.Cells, blockColumns) {
		t := &doc.Table{Legend: []string{"the value of each invocation"}, Columns: []doc.Column{{Head: "block", Number: true}}}
		column := map[string]int{}
		for _, c := range cells {
			t.Columns = append(t.Columns, doc.Column{Head: c.Label, Number: true})
			column[c.ID] = len(t.Columns) - 1
		}
		block := -1
		for _, inv := range b.a.Invocations {
			at := column[inv.Cell]
			text := blockText(inv, m)
			if at == 0 || text == "" {
				continue
			}
			if n := len(t.Rows); n == 0 || block != inv.Block {
				block = inv.Block
				t.Rows = append(t.Rows, doc.Row{Cells: make([]doc.Cell, len(t.Columns))})
				t.Rows[n].Cells[0].Text = strconv.Itoa(block)
			}
			t.Rows[len(t.Rows)-1].Cells[at].Text = text
		}
		if len(t.Rows) > 0 {
			all = append(all, t)
		}
	}
	return all
}

// blockText is the value of an invocation, or what became of it.
func blockText(inv analysis.Invocation, m results.Metric) string {
	switch {
	case inv.Value != nil && inv.RepeatedBy != "":
		return figure.Quantity(*inv.Value, m.Unit) + " ! disturbed, repeated"
	case inv.Value != nil && inv.Disturbed != nil:
		return figure.Quantity(*inv.Value, m.Unit) + " ! disturbed"
	case inv.Value != nil:
		return figure.Quantity(*inv.Value, m.Unit)
	case inv.Status != results.StatusOK:
		return string(inv.Status)
	case inv.Void != "":
		return "void"
	}
	return ""
}

// smallAcross is how many metrics stand beside each other.
const smallAcross = 4

// smalls draw the metrics that have a better direction or are key ones: a dot with its
// interval for each cell, in one row with the cell's label.
func (b *builder) smalls() []doc.Block {
	var columns []plot.Column
	var labels []string
	var cells []*analysis.Cell
	for i := range b.s.Cells {
		if c := &b.s.Cells[i]; c.Role != results.RoleAA && c.Void == "" {
			cells, labels = append(cells, c), append(labels, c.Label)
		}
	}
	for _, m := range b.s.Metrics {
		if m.Name == b.s.Primary || m.Better == results.Neither && !m.Key || !observed(b.s, m.Name) {
			continue
		}
		column := plot.Column{Name: m.Name}
		var values []float64
		for _, c := range cells {
			pt := plot.Point{Y: math.NaN()}
			if a := metricOf(c, m.Name); a != nil && a.Mean != nil {
				pt.Y = a.Mean.Value
				pt.Low, pt.High = ends(a.Mean)
				values = append(values, pt.Low, pt.High)
				if c.Role == results.RoleBaseline && column.Baseline == nil {
					column.Baseline = &pt.Y
				}
			}
			column.Points = append(column.Points, pt)
		}
		if len(values) == 0 {
			continue
		}
		fit := figure.Fit(m.Unit, values...)
		column.Axis = plot.NewAxis(values, plot.SpansDecades(values, 2))
		column.Axis.Factor, column.Axis.Title = fit.Factor, strings.TrimSpace(fit.Unit+logRemark(column.Axis))
		columns = append(columns, column)
	}
	var svg strings.Builder
	for some := range slices.Chunk(columns, smallAcross) {
		svg.WriteString(`<div class="scroll">` + plot.Grid(labels, some) + "</div>")
	}
	if svg.Len() == 0 {
		return nil
	}
	return figureOf(svg.String(), "Means with their 95 % intervals, each metric on its own axis; the dashed line is the first baseline. A – is a cell without a value.")
}
