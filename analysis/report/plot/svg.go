package plot

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
	"unicode"

	"moobench/analysis/report/doc"
)

// canvas is a drawing as far as it is drawn.
type canvas struct{ body strings.Builder }

// px is a place in a drawing. What overflows lies at its edge.
func px(v float64) string {
	if math.IsNaN(v) || math.Abs(v) > 1e6 {
		v = 0
	}
	return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64)
}

// escape is a text that is nothing but text in SVG.
func escape(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, s))
}

// shorten keeps a label within n characters; what is left out is its middle.
func shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n/2]) + "…" + string(r[len(r)-(n-n/2-1):])
}

// Text is a text that is nothing but text beside a drawing.
func Text(s string) string { return escape(s) }

// Heading is a label over a drawing, shortened; a pointer over it is told all of it.
func Heading(label string) string {
	if label == "" {
		return ""
	}
	return `<b title="` + escape(label) + `">` + escape(shorten(label, 44)) + "</b>"
}

func (c *canvas) line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&c.body, `<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`, class, px(x1), px(y1), px(x2), px(y2))
}

// path draws path data; title is what a pointer over it is told.
func (c *canvas) path(class, d, title string) {
	if d != "" {
		c.body.WriteString(`<path class="` + class + `" d="` + d + `"`)
		c.titled("path", title)
	}
}

// titled ends an element, with a title where there is one.
func (c *canvas) titled(element, title string) {
	if title == "" {
		c.body.WriteString("/>")
		return
	}
	fmt.Fprintf(&c.body, "><title>%s</title></%s>", escape(title), element)
}

// polyline draws points that are written already; dashes "" is the class's.
func (c *canvas) polyline(element, class, dashes, points, title string) {
	if points == "" {
		return
	}
	if dashes != "" {
		dashes = ` stroke-dasharray="` + dashes + `"`
	}
	fmt.Fprintf(&c.body, `<%s class="%s"%s points="%s"`, element, class, dashes, points)
	c.titled(element, title)
}

func (c *canvas) rect(class string, x, y, width, height float64, title string) {
	fmt.Fprintf(&c.body, `<rect class="%s" x="%s" y="%s" width="%s" height="%s"`, class, px(x), px(y), px(max(0, width)), px(max(0, height)))
	c.titled("rect", title)
}

func (c *canvas) circle(class string, x, y, r float64, title string) {
	fmt.Fprintf(&c.body, `<circle class="%s" cx="%s" cy="%s" r="%s"`, class, px(x), px(y), px(r))
	c.titled("circle", title)
}

// text writes a text whose letters have y in their middle; full is what a pointer
// over it is told where the text is shortened.
func (c *canvas) text(class, anchor string, x, y float64, text, full string) {
	if text == "" {
		return
	}
	fmt.Fprintf(&c.body, `<text%s x="%s" y="%s" text-anchor="%s">%s`, classed(class), px(x), px(y+4.5), anchor, escape(text))
	if full != "" && full != text {
		fmt.Fprintf(&c.body, "<title>%s</title>", escape(full))
	}
	c.body.WriteString("</text>")
}

// classed is a class as an attribute, "" of none.
func classed(class string) string {
	if class == "" {
		return ""
	}
	return ` class="` + class + `"`
}

// svg is the whole drawing.
func (c *canvas) svg(class string, width, height float64, alt string) string {
	return fmt.Sprintf("<svg%s viewBox=\"0 0 %s %s\" role=\"img\" aria-label=\"%s\">%s</svg>", classed(class), px(width), px(height), escape(alt), c.body.String())
}

// Sheet is a figure that stands by itself: texts and charts below each other, on a
// light background, in fonts of any system.
type Sheet struct {
	c     canvas
	y     float64
	title string
}

// The layout of a sheet, in the units of its view box.
const (
	sheetWidth   = 1160.0
	sheetEdge    = 20.0
	sheetLine    = 16.0
	sheetLetters = 180 // of a line of text
)

// NewSheet begins a figure.
func NewSheet(title string) *Sheet {
	s := &Sheet{y: sheetEdge + sheetLine/2, title: title}
	s.c.text("title", "start", sheetEdge, s.y, shorten(title, 100), title)
	s.y += 1.5 * sheetLine
	return s
}

// Line writes a text, in as many lines as it needs. Its class is name, small or
// spoilt.
func (s *Sheet) Line(class, text string) {
	if text == "" {
		return
	}
	if class == "name" {
		s.y += sheetLine
	}
	for _, line := range doc.Wrap(text, sheetLetters) {
		s.c.text(class, "start", sheetEdge, s.y, line, "")
		s.y += sheetLine
	}
}

// Rows draws a chart of rows; it is false when there is nothing to draw.
func (s *Sheet) Rows(r *Rows) bool {
	if !r.place() {
		return false
	}
	s.y = r.draw(&s.c, s.y, rowsLabel+rowsMore-40, rowsRight+20, labelLong)
	return true
}

// sheetStyle is that of the page, for a drawing without one.
const sheetStyle = `.title { font-size: 18px; font-weight: bold }
.name { font-size: 15px; font-weight: bold }
.small, .quiet { font-size: 11px; fill: #555555 }
.spoilt { font-size: 11px; fill: #a02000 }
.rule { stroke: #dddddd }
.zero { stroke: #888888 }
.ci { stroke: #1f5fbf; stroke-width: 3 }
.dot { fill: #1f5fbf }
`

// SVG is the whole figure as a document.
func (s *Sheet) SVG() string {
	height := px(s.y + sheetEdge)
	return fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s" role="img" font-family="sans-serif" font-size="13" fill="#1a1a1a">
<title>%s</title>
<style>
%s</style>
<rect width="100%%" height="100%%" fill="#ffffff"/>
%s
</svg>
`, px(sheetWidth), height, px(sheetWidth), height, escape(s.title), sheetStyle, strings.ReplaceAll(s.c.body.String(), "><", ">\n<"))
}
