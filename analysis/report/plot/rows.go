package plot

import (
	"math"
	"slices"
	"strings"

	"moobench/analysis/report/doc"
)

// Rows is a chart of labelled rows below each other, on one axis: estimates with
// their intervals, rates, boxes.
type Rows struct {
	Alt   string
	Axis  Axis        // Low and High are set from the rows
	Band  *[2]float64 // a range that is drawn behind the rows
	Zero  bool        // draw a line at 0
	Items []Row
}

// Row is one row of a chart. Without a value it only has its text.
type Row struct {
	Label, Text string
	Notes       []string // below the text, as loud as warnings
	Remarks     []string // below those, quieter than the text
	Class       string   // colours the row
	Value       *float64
	Bar         bool     // the value is the length of a bar from 0
	Low, High   *float64 // its interval; Low 0 on a logarithmic axis is an arrow
	Box         *Box
}

// Box is the shape of many values: their p5, p25, p50, p75, p95, p99, p99.9 and maximum.
type Box struct {
	Values [8]float64
	Title  string
}

// The layout of a chart of rows, in the units of its view box.
const (
	rowsWidth  = 1000.0
	rowsLabel  = 290.0 // labels end before this
	rowsMore   = 150.0 // extra room for long labels
	rowsRight  = 730.0 // the axis ends, and texts begin after it
	rowHeight  = 28.0
	rowsTop    = 14.0
	rowsBottom = 44.0
	noteHeight = 15.0
	labelShort = 34 // characters of a label
	labelLong  = 52
)

// Values are all values that the axis must span.
func (r *Rows) Values() []float64 {
	var vs []float64
	for _, item := range r.Items {
		for _, v := range []*float64{item.Value, item.Low, item.High} {
			if v != nil {
				vs = append(vs, *v)
			}
		}
		if item.Box != nil {
			vs = append(vs, item.Box.Values[:]...)
		}
	}
	vs = slices.DeleteFunc(vs, func(v float64) bool {
		return !(math.Abs(v) <= math.MaxFloat64/10) || r.Axis.Log && v <= 0
	})
	if r.Band != nil {
		vs = append(vs, r.Band[0], r.Band[1])
	}
	return vs
}

// place sets the ends of the axis; it is false if nothing can be drawn.
func (r *Rows) place() bool {
	vs := r.Values()
	if len(vs) == 0 {
		return false
	}
	a := NewAxis(vs, r.Axis.Log)
	r.Axis.Low, r.Axis.High, r.Axis.Step = a.Low, a.High, a.Step
	return true
}

// SVG draws the rows and, unless they are boxes, again for narrow pages; "" if nothing can be drawn.
func (r *Rows) SVG() string {
	if !r.place() {
		return ""
	}
	begin, letters, right := rowsLabel, labelShort, rowsWidth-30
	for _, item := range r.Items {
		if len([]rune(item.Label)) > labelShort {
			begin, letters = rowsLabel+rowsMore, labelLong
		}
		if item.Text != "" {
			right = rowsRight
		}
	}
	c := &canvas{}
	mark := func(item *Row, axis *Axis, y float64) { item.draw(c, axis, y) }
	wide := c.svg(` class="still"`, rowsWidth, r.draw(c, mark, 0, begin, right, letters), r.Alt)
	if slices.ContainsFunc(r.Items, func(item Row) bool { return item.Box != nil }) {
		return wide // boxes are too fine for less
	}
	return twice(wide, r.narrow())
}

// The layout of a narrow chart of rows, in the units of its view box.
const (
	narrowWidth = 380.0
	narrowEdge  = 14.0
	narrowLabel = 18.0 // height of a label
	narrowMark  = 20.0 // height of the marks
	narrowGap   = 8.0  // between rows
	// narrowLetters is the number of small letters that fit in a line.
	narrowLetters = 48
)

// narrow draws the rows with their labels above the marks and their texts below.
func (r *Rows) narrow() string {
	c, axis := &canvas{}, r.Axis.between(narrowEdge, narrowWidth-narrowEdge)
	bottom := rowsTop
	for i := range r.Items {
		bottom += narrowLabel + narrowMark + noteHeight*float64(len(r.Items[i].below())) + narrowGap
	}
	if r.Band != nil {
		from, to := axis.place(r.Band[0]), axis.place(r.Band[1])
		c.rect("margin", from, rowsTop-6, to-from, bottom-rowsTop+6, "")
	}
	axis.grid(c, rowsTop-6, bottom, narrowWidth)
	if r.Zero {
		c.line("zero", axis.place(0), rowsTop-6, axis.place(0), bottom)
	}
	y := rowsTop
	for i := range r.Items {
		item := &r.Items[i]
		c.text("", "start", 0, y+narrowLabel/2, fitting(item.Label, narrowWidth, textSize), item.Label)
		y += narrowLabel
		marks := *item
		marks.Label, marks.Text = "", "" // they are printed separately, so that the marks need no titles
		marks.draw(c, &axis, y+narrowMark/2)
		y += narrowMark
		for _, line := range item.below() {
			c.text(line.class, "start", 0, y+noteHeight/2, line.text, "")
			y += noteHeight
		}
		y += narrowGap
	}
	c.text("quiet", "middle", narrowWidth/2, bottom+30, axis.Title, "")
	return c.svg("", narrowWidth, bottom+rowsBottom, r.Alt)
}

// rowLine is a line below the marks of a narrow row.
type rowLine struct{ class, text string }

// below are the texts of a row, wrapped into lines of a narrow chart.
func (item *Row) below() (all []rowLine) {
	add := func(class string, texts ...string) {
		for _, text := range texts {
			for _, line := range doc.Wrap(text, narrowLetters) {
				all = append(all, rowLine{class, line})
			}
		}
	}
	if item.Text != "" {
		add("quiet", item.Text)
	}
	add("spoilt", item.Notes...)
	add("small", item.Remarks...)
	return all
}

// grid draws a line at each tick, with its text below if that fits beside the others.
func (a *Axis) grid(c *canvas, top, bottom, width float64) {
	last := 0.0
	for _, v := range a.ticks() {
		x, text := a.place(v), a.text(v)
		c.line("rule", x, top, x, bottom)
		if half := textWidth(text, smallSize) / 2; x-half >= last && x+half <= width {
			c.text("quiet", "middle", x, bottom+12, text, "")
			last = x + half + 6
		}
	}
}

// draw draws the rows from top down, between two places, with the function mark for the marks of each; it
// returns the bottom.
func (r *Rows) draw(
	c pen, mark func(item *Row, axis *Axis, y float64), top, begin, right float64, letters int,
) float64 {
	axis := r.Axis.between(begin, right)
	bottom := top + rowsTop + 4
	for _, item := range r.Items {
		bottom += rowHeight + noteHeight*float64(len(item.Notes)+len(item.Remarks))
	}
	if r.Band != nil {
		from, to := axis.place(r.Band[0]), axis.place(r.Band[1])
		c.rect("margin", from, top+6, to-from, bottom-top-6, "")
	}
	for _, v := range axis.ticks() {
		x := axis.place(v)
		c.line("rule", x, top+6, x, bottom)
		c.text("quiet", "middle", x, bottom+12, axis.text(v), "")
	}
	if r.Zero {
		c.line("zero", axis.place(0), top+6, axis.place(0), bottom)
	}
	y := top + rowsTop + rowHeight/2
	for _, item := range r.Items {
		c.text("", "end", begin-16, y, shorten(item.Label, letters), item.Label)
		mark(&item, &axis, y)
		c.text("quiet", "start", right+20, y, item.Text, "")
		below := func(class string, notes []string) {
			for _, note := range notes {
				y += noteHeight
				c.text(class, "start", right+20, y, note, "")
			}
		}
		below("spoilt", item.Notes)
		below("small", item.Remarks)
		y += rowHeight
	}
	c.text("quiet", "middle", (begin+right)/2, bottom+30, axis.Title, "")
	return bottom + rowsBottom
}

// draw draws the marks of a row around its height y.
func (item *Row) draw(c *canvas, axis *Axis, y float64) {
	if item.Class != "" {
		c.body.WriteString(`<g class="` + item.Class + `">`)
		defer c.body.WriteString("</g>")
	}
	if b := item.Box; b != nil {
		var at [len(b.Values)]float64
		for i, v := range b.Values {
			at[i] = axis.place(v)
		}
		c.path("whisk", "M"+px(at[0])+" "+px(y)+"H"+px(at[4]), "")
		c.rect("boxed", at[1], y-7, max(0.5, at[3]-at[1]), 14, b.Title)
		c.path("median", "M"+px(at[2])+" "+px(y-7)+"v14", "")
		c.path("far", "M"+px(at[5])+" "+px(y-5)+"l5 5-5 5-5-5z", "")
		c.path("far", "M"+px(at[6])+" "+px(y-5)+"l5 9h-10z", "")
		c.circle("far", at[7], y, 4, "")
		return
	}
	if item.Bar && item.Value != nil {
		c.rect("bar", axis.place(0), y-7, axis.place(*item.Value)-axis.place(0), 14,
			strings.Trim(item.Label+": "+item.Text, ": "))
		return
	}
	item.interval(c, axis, y)
}

// interval draws the value of a row with its interval around its height y.
func (item *Row) interval(c pen, axis *Axis, y float64) {
	if item.Low != nil && item.High != nil {
		from := axis.place(*item.Low)
		if axis.Log && *item.Low <= 0 { // 0 has no place: an arrow points to it
			from = axis.from + 4
			c.polygon("dot", [2]float64{from - 8, y}, [2]float64{from + 2, y - 5}, [2]float64{from + 2, y + 5})
		}
		c.line("ci", from, y, axis.place(*item.High), y)
	}
	if v := item.Value; v != nil && (!axis.Log || *v > 0) {
		c.circle("dot", axis.place(*v), y, 5, strings.Trim(item.Label+": "+item.Text, ": "))
	}
}

// Strip is a value with its interval as a picture in a table, on an axis that all rows of the table share. It
// is 100 wide and 9 high.
func Strip(axis Axis, value, low, high *float64) string {
	if value == nil {
		return ""
	}
	svg := `<svg viewBox="0 0 100 9">`
	if low != nil && high != nil {
		svg += `<path d="M` + px(100*axis.At(*low)) + " 4H" + px(100*axis.At(*high)) + `"/>`
	}
	return svg + `<path d="M` + px(100*axis.At(*value)) + ` 4h0"/></svg>`
}

// StripZero is the position of 0 in the strips of an axis, in per cent of their width.
func StripZero(axis Axis) string { return px(100 * axis.At(0)) }

// The layout of a grid, in the units of its view box.
const (
	gridWidth  = 1000.0
	gridLabel  = 250.0 // the columns begin here
	gridColumn = 187.5
	gridGap    = 22.0 // between them
	gridRow    = 18.0
	gridTop    = 40.0
	gridBottom = 26.0
)

// Column is one metric of a grid: a point with its interval for each row, NaN if there is none.
type Column struct {
	Name     string
	Axis     Axis
	Points   []Point
	Baseline *float64 // drawn as a line
}

// Grid draws columns beside each other, which share their rows; each has its own axis.
func Grid(labels []string, columns []Column) string {
	c := &canvas{}
	bottom := gridTop + gridRow*float64(len(labels))
	at := func(i int) float64 { return gridTop + gridRow*(float64(i)+0.5) }
	for i, label := range labels {
		c.text("quiet", "end", gridLabel-12, at(i), shorten(label, 32), label)
	}
	var names []string
	for k, column := range columns {
		left := gridLabel + gridColumn*float64(k)
		right := left + gridColumn - gridGap
		names = append(names, column.Name)
		axis := column.Axis.between(left, right)
		c.text("", "start", left, 12, shorten(column.Name, 24), column.Name)
		c.text("quiet", "start", left, 28, axis.Title, "")
		c.path("rule", "M"+px(left)+" "+px(gridTop)+"V"+px(bottom)+"H"+px(right)+"V"+px(gridTop), "")
		if column.Baseline != nil {
			x := axis.place(*column.Baseline)
			c.path("zero", "M"+px(x)+" "+px(gridTop)+"V"+px(bottom), "")
		}
		var intervals, dots strings.Builder
		for i, pt := range column.Points {
			if math.IsNaN(pt.Y) {
				c.text("quiet", "start", left+4, at(i), "–", "")
				continue
			}
			if pt.Low < pt.High {
				intervals.WriteString("M" + px(axis.place(pt.Low)) + " " + px(at(i)) + "H" + px(axis.place(pt.High)))
			}
			dots.WriteString("M" + px(axis.place(pt.Y)) + " " + px(at(i)) + "h0")
		}
		c.path("ci", intervals.String(), "")
		c.path("dots", dots.String(), "")
		if ticks := axis.ticks(); len(ticks) > 1 {
			first, last := ticks[0], ticks[len(ticks)-1]
			c.text("quiet", "start", axis.place(first), bottom+12, axis.text(first), "")
			c.text("quiet", "end", axis.place(last), bottom+12, axis.text(last), "")
		}
	}
	alt := strings.Join(names, ", ") + " of each cell; the tables below have the same numbers"
	return c.svg(` class="small"`, gridWidth, bottom+gridBottom, alt)
}

// OddLegend explains the markers of unplanned outcomes; "" without any.
func OddLegend(kinds []string) string {
	var keys []string
	for _, kind := range []string{"disturbed", "failed", "void"} {
		if c := (&canvas{}); slices.Contains(kinds, kind) {
			c.odd(kind, 7, 7, "")
			keys = append(keys, Key("14", c.body.String(), kind))
		}
	}
	return List("legend", keys...)
}
