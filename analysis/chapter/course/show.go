package course

import (
	"fmt"
	"math"
	"slices"

	"moobench/analysis/chapter"
	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
	"moobench/analysis/rows"
	"moobench/results"
)

// Show draws the memory of a typical JVM of each cell over time, and tells how fast everything grows.
func (all Courses) Show(at *chapter.Scene) []doc.Block {
	sec := &doc.Section{Title: "Over time in a JVM"}
	if drawn := all.drawn(at); drawn != nil {
		sec.Add(drawn)
	}
	memory, others := all.table(at, true), all.table(at, false)
	others.Depth = doc.Full
	span := math.Inf(1)
	for _, s := range all.Slopes {
		if at.Cell(s.Cell) != nil {
			span = min(span, s.SpanNS)
		}
	}
	if len(memory.Rows)+len(others.Rows) == 0 {
		return nil
	}
	sec.About = fmt.Sprintf("growth per hour within a JVM: the slope of a line through the second half of its window, "+
		"%s or more; the mean over JVMs with its 95 %% interval. It says nothing about longer runs",
		figure.Quantity(span, "ns"))
	sec.Add(memory, others)
	return []doc.Block{sec}
}

// table has the slopes of the quantities that are memory, or of the others.
func (all Courses) table(at *chapter.Scene, memory bool) *doc.Table {
	t := &doc.Table{Columns: append(doc.TextColumns("quantity", "cell"), doc.NumberColumns("n", "per hour")...)}
	t.Columns = append(t.Columns, doc.Column{Head: "caveats", Depth: doc.Written})
	for _, q := range quantities() {
		for _, s := range all.Slopes {
			if c := at.Cell(s.Cell); c != nil && q.memory == memory && s.Quantity == q.name() {
				cells := append(doc.Texts(q.title, c.Label, doc.Count(s.PerHour)), doc.Difference(s.PerHour, s.Unit))
				t.Rows = append(t.Rows, doc.Row{Cells: append(cells, at.Marks(s.Cell))})
			}
		}
	}
	return t
}

// drawn draws the typical courses, all on the same axes; nil without a page, or without any.
func (all Courses) drawn(at *chapter.Scene) *doc.Figure {
	shown, more := chapter.Drawn(at, all.Typical, func(c Course) string { return c.Cell })
	var xs, ys []float64
	for _, c := range shown {
		for _, l := range c.Lines {
			xs, ys = append(xs, l.SinceNS...), append(ys, l.Values...)
		}
	}
	if len(xs) == 0 || !(slices.Max(xs) > 0) || !at.Paged {
		return nil
	}
	x, y := plot.InUnit(plot.NewAxis(xs, false), "", "ns", xs), plot.InUnit(plot.NewAxis(ys, false), "", "B", ys)
	x.Title += " since the window began"
	tiles, looks := "", []plot.Series(nil)
	for _, c := range shown {
		p := plot.XY{Frame: plot.Timeline, X: x, Y: y, Series: results.Each(c.Lines, series)}
		p.Alt = at.Label(c.Cell) + ", " + c.Invocation + ": memory over time"
		looks = append(looks, p.Series...)
		tiles += plot.Tile("timeline", at.Label(c.Cell), p.SVG())
	}
	return doc.FigureOf(plot.Legend(looks)+`<div class="timelines">`+tiles+"</div>",
		"Of each cell the invocation with the median value, or the first where none has one, all on the same axes."+
			prose.If(more > 0, " %d more cells are not drawn.", more))
}

// series returns a line as it is drawn.
func series(l Line) plot.Series {
	i := slices.IndexFunc(quantities(), func(q quantity) bool { return q.name() == l.Quantity })
	s := plot.Series{Name: quantities()[i].title, Look: plot.LookOf(i), Line: true}
	step := max(1, (len(l.SinceNS)+chapter.DrawnPoints-1)/chapter.DrawnPoints)
	for k := 0; k < len(l.SinceNS); k += step {
		s.Points = append(s.Points, plot.Point{X: l.SinceNS[k], Y: l.Values[k]})
	}
	return s
}

// Rows has each slope.
func (all Courses) Rows(at *chapter.Scene) []rows.Row {
	var found []rows.Row
	for _, s := range all.Slopes {
		cell, q := at.Cell(s.Cell), quantityNamed(s.Quantity)
		if cell == nil || q == nil {
			continue
		}
		found = append(found, rows.Row{
			Key:       cell.Key,
			Metric:    &results.Metric{Name: s.Quantity, Unit: s.Unit, Better: results.Neither, About: q.title},
			Statistic: "slope_per_hour",
			About:     "growth per hour within a JVM",
			Unit:      s.Unit,
			Estimate:  s.PerHour,
			Alone:     cell.Marks,
		})
	}
	return found
}
