package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis/report/doc"
)

// XY is a chart of lines over a number: growth, a factor, time, nights.
type XY struct {
	Alt    string
	Frame  Frame
	X, Y   Axis
	Spans  []Span // behind everything
	Bands  []Band
	Series []Series
	Rules  []Rule
	Lanes  []Lane // below the axis
}

// Frame is a size of drawings: that of the view box, and of the plot in it.
type Frame struct {
	width, height, left, right, top, bottom float64
	class                                   string
	plain                                   bool // no ticks, no titles
	read                                    bool // a page's script reads out the place below the pointer
}

// The sizes of drawings.
var (
	Wide   = Frame{width: 960, height: 420, left: 84, right: 930, top: 34, bottom: 368}
	Panel  = Frame{width: 480, height: 300, left: 64, right: 468, top: 28, bottom: 250}
	Nights = Frame{
		width:  960,
		height: 250,
		left:   76,
		right:  944,
		top:    22,
		bottom: 216,
		class:  "nightplot",
		read:   true,
	}
	Under    = Frame{width: 960, height: 100, left: 76, right: 944, top: 6, bottom: 94, class: "nightplot", read: true}
	Timeline = Frame{width: 340, height: 196, left: 48, right: 328, top: 20, bottom: 112}
	Multiple = Frame{width: 220, height: 70, left: 0, right: 220, top: 2, bottom: 68, plain: true}
	Spark    = Frame{width: 240, height: 44, left: 3, right: 237, top: 3, bottom: 41, plain: true, class: "spark"}
)

// Span is a range along the x axis, as high as the plot.
type Span struct {
	From, To float64
	Class    string
	opacity  float64 // 0: the class's
}

// Band is a range along the y axis between two places of the x axis; as wide as the plot if both are 0.
type Band struct {
	FromX, ToX, Low, High float64
	Class                 string
}

// Rule is a line across the plot, at a place of the x axis or the y axis.
type Rule struct {
	X, Y   *float64
	Class  string
	Letter string // above it
	Title  string
}

// Lane is a strip below the plot with bars or blocks along the x axis.
type Lane struct {
	Top, Bottom float64 // in the units of the view box
	High        float64 // value of a bar as high as the lane; 0: all bars are
	Blocks      []Block
	Label       string // at its upper end, to the left
}

// Block is a bar in a lane.
type Block struct {
	From, To, Value float64
	Class, Title    string
}

// Series is a line of a chart with its points.
type Series struct {
	Name   string
	Look   Look
	Class  string // of the line, in place of its look
	Points []Point
	Curve  [][2]float64 // a fitted line, in place of one through the points
	Line   bool
	Band   bool // the intervals as a band, else as whiskers
	Dots   Dots
	aside  float64 // horizontal offset of its points
}

// Dots is the look of points.
type Dots int

// The ways to draw points.
const (
	NoDots Dots = iota
	Shapes      // shapes of the look, each with its title
	Plain       // one path of dots, if they are too many for titles
)

// Point is a value with its interval. A NaN for Y interrupts the line.
type Point struct {
	X, Y, Low, High float64
	Title           string
	Kind            string // "": like the series; else a marker: disturbed, failed, void, ring
}

// Look distinguishes lines, even without colours: a tint, the outline of the points, the dashes of the line.
type Look struct{ tint, shape int }

// tints is the number of colours of lines. It shares no divisor with the number of shapes, so that lines of the
// same colour have different shapes.
const tints = 8

// shapes are the outlines of points, the dashes of lines, and the closest kind of line in an interactive chart.
var shapes = []struct{ path, dashes, kind string }{
	{"M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z", "none", "solid"},
	{"M-4.5-4.5h9v9h-9z", "8 4", "dashed"},
	{"M0-6 6 5h-12z", "2 4", "dotted"},
	{"M0-6.5 6.5 0 0 6.5-6.5 0z", "10 4 2 4", "dashed"},
	{"M0 6 6-5h-12z", "5 3", "solid"},
	{"M-5.5-3-3-5.5 0-2.5 3-5.5 5.5-3 2.5 0 5.5 3 3 5.5 0 2.5-3 5.5-5.5 3-2.5 0z", "14 4", "dotted"},
	{"M-2-6h4v4h4v4h-4v4h-4v-4h-4v-4h4z", "4 2 1 2", "dashed"},
}

// LookOf is the look of the i-th line of a chart.
func LookOf(i int) Look { return Look{i % tints, i % len(shapes)} }

// Class returns the CSS class of its tint.
func (l Look) Class() string { return "t" + strconv.Itoa(l.tint) }

// Legend lists looks with their names, in HTML.
func Legend(all []Series) string {
	var keys []string
	seen := map[string]bool{"": true}
	for _, s := range all {
		if seen[s.Name] {
			continue
		}
		seen[s.Name] = true
		c, tint, shape := &canvas{}, s.Look.Class(), shapes[s.Look.shape]
		if s.Band {
			c.rect("band "+tint, 0, 2, 44, 10, "")
		}
		c.element("line", "", "class", "fit "+tint, "x1", "0", "x2", "44", "y1", "7", "y2", "7",
			"stroke-dasharray", shape.dashes)
		if s.Dots == Shapes {
			c.shape("point "+tint, 22, 7, shape.path, "")
		}
		keys = append(keys, Key("44", c.body.String(), escaped(s.Name)))
	}
	return List("legend", keys...)
}

// dodgeMost is the largest offset of a point from its place, in the units of the view box.
const dodgeMost = 15.0

// Dodge offsets the points of each line a little, so that those of equal lines don't hide each other.
func (p *XY) Dodge() {
	step := min(6, 2*dodgeMost/float64(max(1, len(p.Series)-1)))
	for i := range p.Series {
		p.Series[i].aside = step * (float64(i) - float64(len(p.Series)-1)/2)
	}
}

// SVG draws the chart.
func (p *XY) SVG() string {
	f := p.Frame
	x, y := p.X.between(f.left, f.right), p.Y.between(f.bottom, f.top)
	c := &canvas{}
	for _, s := range p.Spans {
		from := x.place(s.From)
		if s.opacity > 0 {
			fmt.Fprintf(&c.body, `<g opacity="%.2f">`, s.opacity)
		}
		c.rect(s.Class, from, f.top, x.place(s.To)-from, f.bottom-f.top, "")
		if s.opacity > 0 {
			c.body.WriteString("</g>")
		}
	}
	if !f.plain {
		p.ticks(c, &x, &y)
	}
	for _, b := range p.Bands {
		from, to := f.left, f.right
		if b.FromX != 0 || b.ToX != 0 {
			from, to = x.place(b.FromX), x.place(b.ToX)
		}
		top := y.place(b.High)
		c.rect(b.Class, from, top, to-from, y.place(b.Low)-top, "")
	}
	for _, s := range p.Series {
		if !s.Band {
			continue
		}
		var upper, lower []string // the outline: the upper ends forth, the lower ones back
		for _, pt := range s.Points {
			at := px(x.place(pt.X))
			upper, lower = append(upper, at+","+px(y.place(pt.High))), append(lower, at+","+px(y.place(pt.Low)))
		}
		slices.Reverse(lower)
		if len(upper) > 0 {
			c.element("polygon", "", "class", "band "+s.Look.Class(), "points",
				strings.Join(append(upper, lower...), " "))
		}
	}
	for _, r := range p.Rules {
		r.draw(c, f, &x, &y)
	}
	for i := range p.Series {
		p.Series[i].draw(c, &x, &y)
	}
	for _, l := range p.Lanes {
		l.draw(c, f, &x)
	}
	attributes := doc.Attribute("class", f.class)
	if f.read {
		attributes += doc.Attribute("data-from", px(f.left)) + doc.Attribute("data-to", px(f.right))
	}
	return c.svg(attributes, f.width, f.height, p.Alt)
}

// ticks draws the axes. Ticks too close to the one before are left out.
func (p *XY) ticks(c *canvas, x, y *Axis) {
	f := p.Frame
	last := math.Inf(1)
	for _, v := range y.ticks() {
		at := y.place(v)
		if last-at < 11 {
			continue
		}
		last = at
		c.line("rule", f.left, at, f.right, at)
		c.text("quiet", "end", f.left-6, at, y.text(v), "")
	}
	below := f.bottom // below the lanes, too
	for _, l := range p.Lanes {
		below = max(below, l.Bottom)
	}
	last = math.Inf(-1)
	for _, v := range x.ticks() {
		at, text := x.place(v), x.text(v)
		if at-last < 8*float64(len([]rune(text)))+6 {
			continue
		}
		last = at
		c.text("quiet", "middle", at, below+16, text, "")
	}
	c.text("quiet", "start", 4, f.top-17, y.Title, "")
	c.text("quiet", "middle", (f.left+f.right)/2, below+34, x.Title, "")
}

func (r *Rule) draw(c *canvas, f Frame, x, y *Axis) {
	if r.Y != nil {
		c.line(r.Class, f.left, y.place(*r.Y), f.right, y.place(*r.Y))
		return
	}
	at := x.place(*r.X)
	if r.Title == "" {
		c.line(r.Class, at, f.top, at, f.bottom)
		return
	}
	fmt.Fprintf(&c.body, "<g class=\"%s\"><title>%s</title>", r.Class, escaped(r.Title))
	c.line("", at, f.top, at, f.bottom)
	c.text("", "middle", at, f.top-10, r.Letter, "")
	c.body.WriteString("</g>")
}

func (s *Series) draw(c *canvas, x, y *Axis) {
	look := []any{"class", "fit " + s.Look.Class(), "stroke-dasharray", shapes[s.Look.shape].dashes}
	if s.Class != "" {
		look = []any{"class", s.Class}
	}
	through := s.Curve // or through the points
	if s.Line && s.Curve == nil {
		for _, pt := range s.Points {
			through = append(through, [2]float64{pt.X, pt.Y})
		}
	}
	var run []string
	for _, at := range append(slices.Clone(through), [2]float64{0, math.NaN()}) { // the last NaN ends the last run
		if !math.IsNaN(at[1]) {
			run = append(run, px(x.place(at[0]))+","+px(y.place(at[1])))
			continue
		}
		if len(run) > 0 {
			c.element("polyline", s.Name, append(look, "points", strings.Join(run, " "))...)
		}
		run = run[:0]
	}
	var plain, whiskers strings.Builder
	for _, pt := range s.Points {
		if math.IsNaN(pt.Y) {
			continue
		}
		at, height := x.place(pt.X)+s.aside, y.place(pt.Y)
		if !s.Band && pt.Low < pt.High {
			whiskers.WriteString("M" + px(at) + " " + px(y.place(pt.Low)) + "V" + px(y.place(pt.High)))
		}
		switch {
		case pt.Kind != "":
			c.odd(pt.Kind, at, height, pt.Title)
		case s.Dots == Shapes:
			c.shape("point "+s.Look.Class(), at, height, shapes[s.Look.shape].path, pt.Title)
		case s.Dots == Plain:
			plain.WriteString("M" + px(at) + " " + px(height) + "h0")
		}
	}
	c.path("whisker "+s.Look.Class(), whiskers.String(), "")
	c.path("plain "+s.Look.Class(), plain.String(), "")
}

// odd draws the marker of an unplanned outcome.
func (c *canvas) odd(kind string, x, y float64, title string) {
	outlines := map[string]string{"failed": "M-4-4l8 8M4-4l-8 8", "void": "M-4-4h8v8h-8z"}
	c.shape(kind, x, y, cmp.Or(outlines[kind], "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z"), title)
}

// leastBlock is the least width of a block.
const leastBlock = 1.2

func (l *Lane) draw(c *canvas, f Frame, x *Axis) {
	for _, b := range l.Blocks {
		from, top := x.place(b.From), l.Top
		if l.High > 0 {
			top = l.Bottom - (l.Bottom-l.Top)*min(1, b.Value/l.High)
		}
		c.rect(b.Class, from, top, max(leastBlock, x.place(b.To)-from), l.Bottom-top, b.Title)
	}
	if l.Label != "" {
		c.line("rule", f.left, l.Bottom, f.right, l.Bottom)
		c.text("quiet", "end", f.left-4, l.Top+6, l.Label, "")
	}
}
