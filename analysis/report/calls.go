package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
)

const (
	// tailPoints is the approximate number of points of all tails of a scenario.
	tailPoints = 4000
	tailLeast  = 20
)

// distribution draws the calls of all cells together: a shape, without intervals. Only the page has it.
func (b *builder) distribution() *doc.Section {
	if !b.paged {
		return nil
	}
	cells := cellsOf(b.s, drawable)
	if len(cells) == 0 {
		return nil
	}
	unit := primary(b.s).Unit
	boxes := plot.Rows{Alt: "Box plot of the calls of each cell; the table below has the same numbers"}
	quantiles := each(cells[0].Distribution.Box, func(p analysis.BoxPoint) string { return quantileName(p.P) })
	table := &doc.Table{
		Columns: append(doc.TextColumns("cell"), doc.NumberColumns(append([]string{"calls"}, quantiles...)...)...),
	}
	table.Legend = []string{"quantiles of the calls of the windows of all invocations together"}
	for _, c := range cells {
		r, box := doc.Row{Cells: doc.Texts(c.Label, figure.Count(c.Distribution.N))}, &plot.Box{}
		var texts []string
		for k, p := range c.Distribution.Box {
			box.Values[k] = p.Value
			text := figure.Quantity(p.Value, unit)
			r.Cells = append(r.Cells, doc.Cell{Text: text, Sort: &p.Value})
			texts = append(texts, quantileName(p.P)+" "+text)
		}
		table.Rows = append(table.Rows, r)
		box.Title = c.Label + ": " + strings.Join(texts, ", ")
		boxes.Items = append(boxes.Items, plot.Row{Label: c.Label, Box: box})
	}
	boxes.Axis = b.callsAxis(boxes.Values())
	sec := &doc.Section{Title: "Distribution of calls", Depth: doc.Paged}
	sec.Add(doc.ChartedFigure(b.id+"-boxes", boxes.Alt,
		`<div class="scroll">`+boxes.SVG()+"</div>"+boxLegend, boxes.Chart(),
		"The calls of the windows of all invocations of a cell together. A shape: "+
			"calls of one invocation are correlated, so that it has no intervals; "+
			"the quantiles with intervals are below."))
	sec.Add(b.tails(cells))
	sec.Add(&doc.Section{
		Title:  "Quantiles of all calls",
		About:  "the numbers of the drawings",
		Folded: true,
		Depth:  doc.Paged,
		Blocks: []doc.Block{table},
	})
	return sec
}

// boxLegend explains the marks of a box plot.
var boxLegend = plot.List("legend",
	plot.Key("44",
		`<path class="whisk" d="M2 7H42"/><rect class="boxed" x="12" y="1" width="18" height="12"/>`+
			`<path class="median" d="M20 1v12"/>`, "box: p25, median, p75; line: p5 to p95"),
	plot.Key("14", `<path class="far" d="M7 2l5 5-5 5-5-5z"/>`, "p99"),
	plot.Key("14", `<path class="far" d="M7 2l5 9h-10z"/>`, "p99.9"),
	plot.Key("14", `<circle class="far" cx="7" cy="7" r="4"/>`, "longest"),
)

// drawable reports whether all of a cell's distribution fits on a logarithmic axis as well as on a linear one.
func drawable(c *analysis.Cell) bool {
	d := c.Distribution
	if d == nil || c.Invalid != "" || d.N < 1 || len(d.Box) != len(plot.Box{}.Values) || len(d.Tail) == 0 {
		return false
	}
	drawn := func(v float64) bool { return v >= 0 && v <= math.MaxFloat64/10 }
	badBox := func(p analysis.BoxPoint) bool { return !drawn(p.Value) }
	badTail := func(p analysis.TailPoint) bool { return !drawn(p.Value) || !(p.Share > 0) || p.Share > 1 }
	return !slices.ContainsFunc(d.Box, badBox) && !slices.ContainsFunc(d.Tail, badTail)
}

// quantileName formats the name of a quantile: p99.9.
func quantileName(p float64) string {
	if p == 1 {
		return "max"
	}
	return "p" + strings.TrimSuffix(figure.Level(p), " %")
}

// tails draws the share of calls that took at least so long: a panel for each level, all on the same axes, with
// a logarithmic scale because a tail is rare.
func (b *builder) tails(cells []*analysis.Cell) *doc.Figure {
	most := max(tailLeast, tailPoints/len(cells))
	var values []float64
	least := 1.0
	names := prose.Unique(each(cells, func(c *analysis.Cell) string { return c.Variant }))
	panels := map[string][]plot.Series{}
	var looks []plot.Series
	var all plot.XY // the chart has all levels on one axis, and a reader hides some
	for _, c := range cells {
		line := plot.Series{Name: c.Variant, Look: plot.LookOf(slices.Index(names, c.Variant)), Line: true}
		for _, p := range thinTail(c.Distribution.Tail, most) {
			line.Points = append(line.Points, plot.Point{X: p.Value, Y: p.Share})
			values, least = append(values, p.Value), min(least, p.Share)
		}
		panels[c.Level], looks = append(panels[c.Level], line), append(looks, line)
		line.Name = c.Label
		all.Series = append(all.Series, line)
	}
	x := b.callsAxis(values)
	y := plot.Axis{
		Low:    least / 1.5,
		High:   1,
		Log:    true,
		Title:  "share of the calls that took at least so long",
		Labels: "share",
		Text:   shareText,
	}
	for exponent := 0; exponent < 12 && math.Pow10(-exponent) >= y.Low; exponent++ {
		y.Values = append(y.Values, math.Pow10(-exponent))
	}
	svg := ""
	for _, at := range prose.Unique(each(cells, func(c *analysis.Cell) string { return c.Level })) {
		p := plot.XY{
			Alt:    "Tail of the calls " + at + "; the table below has quantiles",
			Frame:  plot.Panel,
			X:      x,
			Y:      y,
			Series: panels[at],
		}
		svg += plot.Tile("tail", at, p.SVG())
	}
	all.X, all.Y = x, y
	return doc.ChartedFigure(b.id+"-tails",
		"Share of the calls that took at least so long, of each cell; the table below has the same numbers",
		plot.Tiled(svg, looks), all.Chart(),
		"The tail: which share of the calls took at least so long, on a logarithmic scale. "+
			"A line that ends further to the right has longer pauses; "+
			"a flat part is something that hits a fixed share of the calls.")
}

// callsAxis is an axis for the values of calls. If these span several units, each tick has its own.
func (b *builder) callsAxis(values []float64) plot.Axis {
	unit := primary(b.s).Unit
	x := plot.InUnit(plot.NewAxis(values, plot.SpansDecades(values, 0.5)), b.s.Primary, unit,
		[]float64{slices.Sorted(slices.Values(values))[len(values)/2]})
	if x.Log {
		x.Factor, x.Title, x.Labels = 1, "logarithmic axis", "quantity "+unit
		x.Text = func(v float64) string { return figure.Exactly(v, unit) }
	}
	return x
}

// thinTail keeps at most so many points of a tail: the first, the last, and others evenly between them.
func thinTail(tail []analysis.TailPoint, most int) []analysis.TailPoint {
	if len(tail) <= most {
		return tail
	}
	var thin []analysis.TailPoint
	for i := range most {
		thin = append(thin, tail[i*(len(tail)-1)/(most-1)])
	}
	return thin
}

// shareText formats a share: 10 %, or 10⁻⁶ if it is rare.
func shareText(share float64) string {
	exponent := int(math.Round(-math.Log10(share)))
	if exponent <= 3 {
		return plot.Number(100*share) + " %"
	}
	superscripts := []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")
	return "10⁻" + strings.Map(func(r rune) rune { return superscripts[r-'0'] }, strconv.Itoa(exponent))
}
