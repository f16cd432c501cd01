package doc

import (
	"math"
	"strconv"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

// Count formats the number of invocations behind an estimate; "" without one.
func Count(e *infer.Estimate) string {
	if e == nil {
		return ""
	}
	return strconv.Itoa(e.N)
}

// Mean formats a mean with the half-width of its interval: 2.072 µs ± 1.7 %.
func Mean(e *infer.Estimate, unit string) Cell {
	if e == nil {
		return Cell{Text: "–"}
	}
	c := Cell{Text: figure.Quantity(e.Value, unit), Sort: &e.Value}
	if i := e.Interval; i != nil && e.Value != 0 {
		half := max(i.High-e.Value, e.Value-i.Low) // the interval of a time ends at 0
		c.Half = "± " + figure.Percent(half/math.Abs(e.Value))
	}
	return c
}

// estimated formats an estimate in a unit, its value by a function of the scale; an empty cell for nil.
func estimated(e *infer.Estimate, unit string, value func(figure.Scale, float64) string) Cell {
	if e == nil {
		return Cell{}
	}
	s, c := figure.Fit(unit, e.Value), Cell{Sort: &e.Value}
	if i := e.Interval; i != nil {
		s = figure.Fit(unit, e.Value, i.Low, i.High)
		c.Interval = s.Number(i.Low) + " … " + s.Number(i.High)
	}
	c.Text = s.WithUnit(value(s, e.Value))
	return c
}

// Difference formats an estimate with a sign: +2.016 µs (1.981 … 2.052).
func Difference(e *infer.Estimate, unit string) Cell {
	return estimated(e, unit, figure.Scale.Signed)
}

// Quantity formats an estimate: 2.072 µs (2.036 … 2.108).
func Quantity(e *infer.Estimate, unit string) Cell {
	return estimated(e, unit, figure.Scale.Number)
}

// Ratio formats a ratio: × 36.94 (36.20 … 37.70).
func Ratio(e *infer.Estimate) Cell {
	c := Quantity(e, "")
	if e != nil {
		c.Text = "× " + c.Text
	}
	return c
}

// Optional formats a number that may be missing; "" if it is.
func Optional(v *float64, write func(float64) string) string {
	if v == nil {
		return ""
	}
	return write(*v)
}

// Detectable is the smallest true difference that would be found; nil if unknown.
func Detectable(e *infer.Estimate) *infer.Estimate {
	if e == nil || e.Detectable == nil {
		return nil
	}
	return &infer.Estimate{Value: *e.Detectable}
}

// P formats p without "p =", for columns titled p.
func P(p *float64) Cell {
	return Cell{Text: strings.TrimPrefix(strings.TrimPrefix(Optional(p, figure.P), "p = "), "p ")}
}

// Level formats a level of a factor exactly: 10,000.
func Level(x float64) string {
	if n := int64(x); float64(n) == x && n < 1e15 && n > -1e15 {
		return figure.Count(n)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// TextColumns and numberColumns are columns with only a head.
func TextColumns(heads ...string) []Column {
	return results.Each(heads, func(head string) Column { return Column{Head: head} })
}

func NumberColumns(heads ...string) []Column {
	return results.Each(heads, func(head string) Column { return Column{Head: head, Number: true} })
}

// FigureOf is a drawing with its caption.
func FigureOf(svg, caption string) *Figure { return &Figure{SVG: svg, Caption: caption} }

// ChartedFigure is a drawing that a page with the ECharts script replaces by a chart.
func ChartedFigure(id, alt, svg string, chart map[string]any, caption string) *Figure {
	return &Figure{id: id, SVG: svg, Alt: alt, chart: chart, Caption: caption}
}

// PointsTable is a table of lines, with a column for each x.
func PointsTable(first Column, xs []float64, text func(float64) string) *Table {
	places := results.Each(xs, func(x float64) Column { return Column{Head: text(x), Number: true} })
	return &Table{Columns: append([]Column{first}, places...)}
}

// PointsRow is a line in such a table; points are its cells by x.
func PointsRow(label string, xs []float64, points map[float64]Cell) Row {
	return Row{Cells: append(Texts(label), results.Each(xs, func(x float64) Cell { return points[x] })...)}
}

// ByLevel groups the rows of a table by level.
func ByLevel[T any](all []T, level func(T) string, row func(T) Row) []Row {
	var rows []Row
	for _, some := range stats.Grouped(all, level) {
		if name := level(some[0]); name != "" {
			rows = append(rows, Row{Group: name})
		}
		rows = append(rows, results.Each(some, row)...)
	}
	return rows
}
