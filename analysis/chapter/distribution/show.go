package distribution

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis/chapter"
	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
	"moobench/analysis/rows"
	"moobench/results"
)

const (
	// tailPoints is the approximate number of points of all tails of a scenario.
	tailPoints = 4000
	tailLeast  = 20
)

// Show draws the calls of all cells together: a shape, without intervals. Only the page has it.
func (all Cells) Show(at *chapter.Scene) []doc.Block {
	if !at.Paged {
		return nil
	}
	cells := slices.DeleteFunc(slices.Clone(all), func(c Cell) bool { return at.Cell(c.ID) == nil || !c.drawable() })
	if len(cells) == 0 {
		return nil
	}
	unit := at.Metric(at.Primary).Unit
	boxes := plot.Rows{Alt: "Box plot of the calls of each cell; the table below has the same numbers"}
	quantiles := results.Each(cells[0].Box, func(p BoxPoint) string { return quantileName(p.P) })
	table := &doc.Table{
		Columns: append(doc.TextColumns("cell"), doc.NumberColumns(append([]string{"calls"}, quantiles...)...)...),
	}
	table.Legend = []string{"quantiles of the calls of the windows of all invocations together"}
	for _, c := range cells {
		r, box := doc.Row{Cells: doc.Texts(at.Label(c.ID), figure.Count(c.N))}, &plot.Box{}
		var texts []string
		for k, p := range c.Box {
			box.Values[k] = p.Value
			text := figure.Quantity(p.Value, unit)
			r.Cells = append(r.Cells, doc.Cell{Text: text, Sort: &p.Value})
			texts = append(texts, quantileName(p.P)+" "+text)
		}
		table.Rows = append(table.Rows, r)
		box.Title = at.Label(c.ID) + ": " + strings.Join(texts, ", ")
		boxes.Items = append(boxes.Items, plot.Row{Label: at.Label(c.ID), Box: box})
	}
	boxes.Axis = callsAxis(at, boxes.Values())
	sec := &doc.Section{Title: "Distribution of calls", Depth: doc.Paged}
	sec.Add(doc.ChartedFigure(at.ID+"-boxes", boxes.Alt,
		`<div class="scroll">`+boxes.SVG()+"</div>"+boxLegend, boxes.Chart(),
		"The calls of the windows of all invocations of a cell together. They show the shape: "+
			"calls of one invocation are correlated, so there are no intervals; "+
			"the quantiles with intervals are below."))
	sec.Add(tails(at, cells))
	sec.Add(&doc.Section{
		Title:  "Quantiles of all calls",
		About:  "the numbers of the drawings",
		Folded: true,
		Depth:  doc.Paged,
		Blocks: []doc.Block{table},
	})
	return []doc.Block{sec}
}

// Rows is empty: a distribution is a shape.
func (all Cells) Rows(*chapter.Scene) []rows.Row { return nil }

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
func (c Cell) drawable() bool {
	d := c.Distribution
	if d.N < 1 || len(d.Box) != len(plot.Box{}.Values) || len(d.Tail) == 0 {
		return false
	}
	drawn := func(v float64) bool { return v >= 0 && v <= math.MaxFloat64/10 }
	badBox := func(p BoxPoint) bool { return !drawn(p.Value) }
	badTail := func(p TailPoint) bool { return !drawn(p.Value) || !(p.Share > 0) || p.Share > 1 }
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
func tails(at *chapter.Scene, cells Cells) *doc.Figure {
	most := max(tailLeast, tailPoints/len(cells))
	var values []float64
	least := 1.0
	names := prose.Unique(results.Each(cells, func(c Cell) string { return at.Cell(c.ID).Variant }))
	panels := map[string][]plot.Series{}
	var looks []plot.Series
	var all plot.XY // the chart has all levels on one axis, and a reader hides some
	for _, d := range cells {
		c := at.Cell(d.ID)
		line := plot.Series{Name: c.Variant, Look: plot.LookOf(slices.Index(names, c.Variant)), Line: true}
		for _, p := range thinTail(d.Tail, most) {
			line.Points = append(line.Points, plot.Point{X: p.Value, Y: p.Share})
			values, least = append(values, p.Value), min(least, p.Share)
		}
		panels[c.Level], looks = append(panels[c.Level], line), append(looks, line)
		line.Name = c.Label
		all.Series = append(all.Series, line)
	}
	x := callsAxis(at, values)
	y := plot.Axis{
		Low:    least / 1.5,
		High:   1,
		Log:    true,
		Title:  "share of the calls that took at least that long",
		Labels: "share",
		Text:   shareText,
	}
	for exponent := 0; exponent < 12 && math.Pow10(-exponent) >= y.Low; exponent++ {
		y.Values = append(y.Values, math.Pow10(-exponent))
	}
	svg := ""
	for _, level := range prose.Unique(results.Each(cells, func(c Cell) string { return at.Cell(c.ID).Level })) {
		p := plot.XY{
			Alt:    "Tail of the calls " + level + "; the table below has quantiles",
			Frame:  plot.Panel,
			X:      x,
			Y:      y,
			Series: panels[level],
		}
		svg += plot.Tile("tail", level, p.SVG())
	}
	all.X, all.Y = x, y
	return doc.ChartedFigure(at.ID+"-tails",
		"Share of the calls that took at least that long, of each cell; the table below has the same numbers",
		plot.Tiled(svg, looks), all.Chart(),
		"The tail: which share of the calls took at least that long, on a logarithmic scale. "+
			"A line that ends further to the right has longer pauses; "+
			"a flat part shows something that hits a fixed share of the calls.")
}

// callsAxis is an axis for the values of calls. If these span several units, each tick has its own.
func callsAxis(at *chapter.Scene, values []float64) plot.Axis {
	unit := at.Metric(at.Primary).Unit
	x := plot.InUnit(plot.NewAxis(values, plot.SpansDecades(values, 0.5)), at.Primary, unit,
		[]float64{slices.Sorted(slices.Values(values))[len(values)/2]})
	if x.Log {
		x.Factor, x.Title, x.Labels = 1, "logarithmic axis", "quantity "+unit
		x.Text = func(v float64) string { return figure.Exactly(v, unit) }
	}
	return x
}

// thinTail keeps at most so many points of a tail: the first, the last, and others evenly between them.
func thinTail(tail []TailPoint, most int) []TailPoint {
	if len(tail) <= most {
		return tail
	}
	var thin []TailPoint
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
