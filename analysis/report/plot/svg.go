package plot

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis/report/doc"
)

// pen draws in one language. Places are in the units of the drawing, y from its top; a class styles a mark, a
// title is its tooltip.
type pen interface {
	line(class string, x1, y1, x2, y2 float64)
	rect(class string, x, y, width, height float64, title string)
	circle(class string, x, y, r float64, title string)
	polygon(class string, places ...[2]float64)
	// text writes a text whose start, middle or end is at a place. full is the text before it was shortened.
	text(class, anchor string, x, y float64, text, full string)
	// sheet returns the whole drawing as a document.
	sheet(title string, height float64) string
}

// canvas is an unfinished drawing in SVG.
type canvas struct{ body strings.Builder }

// px formats a place in a drawing. Overflow lies at its edge.
func px(v float64) string {
	if math.IsNaN(v) || math.Abs(v) > 1e6 {
		v = 0
	}
	return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64)
}

// escaped makes a text safe in a drawing, and beside it.
func escaped(s string) string { return html.EscapeString(doc.Clean(s)) }

// shorten keeps a label within n characters by leaving out its middle.
func shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n/2]) + "…" + string(r[len(r)-(n-n/2-1):])
}

// The sizes of ordinary and of quiet letters in a drawing.
const textSize, smallSize = 14.0, 12.0

// textWidth is the largest width of a text in the fonts of a page: in DejaVu Sans, the widest of them.
func textWidth(s string, size float64) float64 {
	width := 0.0
	for _, c := range s {
		switch {
		case strings.ContainsRune("mwMW@%…—", c) || c >= 0x1100: // and letters of East Asia
			width += 1.0
		case strings.ContainsRune("iIjl.,:;|'!()[]{}/-frt1 ", c):
			width += 0.42
		case c >= 'A' && c <= 'Z':
			width += 0.76
		default:
			width += 0.64
		}
	}
	return width * size
}

// fitting shortens a text to as many of its first and last letters as fit.
func fitting(s string, room, size float64) string {
	n := len([]rune(s))
	for text := s; n > 3; text = shorten(s, n) {
		if textWidth(text, size) <= room {
			return text
		}
		n--
	}
	return shorten(s, n)
}

// heading is a label over a drawing, shortened, with the whole label as tooltip.
func heading(label string) string {
	if label == "" {
		return ""
	}
	return `<b title="` + escaped(label) + `">` + escaped(shorten(label, 44)) + "</b>"
}

// Key is a mark of drawings, in a picture of its width, with its meaning.
func Key(width, mark, text string) string {
	return `<li><svg viewBox="0 0 ` + width + ` 14" width="` + width + `" height="14" aria-hidden="true">` + mark +
		"</svg> " + text + "</li>"
}

// List is a list of keys in HTML; "" without any.
func List(class string, keys ...string) string {
	if len(keys) == 0 {
		return ""
	}
	return `<ul class="` + class + `">` + strings.Join(keys, "") + "</ul>"
}

// element writes an element. Its attributes are pairs of a name and a text or number; title is its tooltip.
func (c *canvas) element(name, title string, attributes ...any) {
	c.body.WriteString("<" + name)
	for pair := range slices.Chunk(attributes, 2) {
		value := pair[1]
		if v, number := value.(float64); number {
			value = px(v)
		}
		fmt.Fprintf(&c.body, ` %s="%s"`, pair[0], value)
	}
	if title == "" {
		c.body.WriteString("/>")
		return
	}
	fmt.Fprintf(&c.body, "><title>%s</title></%s>", escaped(title), name)
}

func (c *canvas) line(class string, x1, y1, x2, y2 float64) {
	c.element("line", "", "class", class, "x1", x1, "y1", y1, "x2", x2, "y2", y2)
}

// path draws path data; nothing for "".
func (c *canvas) path(class, d, title string) {
	if d != "" {
		c.element("path", title, "class", class, "d", d)
	}
}

// shape draws an outline around a place.
func (c *canvas) shape(class string, x, y float64, outline, title string) {
	c.element("path", title, "class", class, "transform", "translate("+px(x)+" "+px(y)+")", "d", outline)
}

func (c *canvas) rect(class string, x, y, width, height float64, title string) {
	c.element("rect", title, "class", class, "x", x, "y", y, "width", max(0, width), "height", max(0, height))
}

func (c *canvas) circle(class string, x, y, r float64, title string) {
	c.element("circle", title, "class", class, "cx", x, "cy", y, "r", r)
}

func (c *canvas) polygon(class string, places ...[2]float64) {
	points := ""
	for _, p := range places {
		points += " " + px(p[0]) + "," + px(p[1])
	}
	c.element("polygon", "", "class", class, "points", strings.TrimSpace(points))
}

// text writes a text with y in the middle of its letters; full is its tooltip if the text is shortened.
func (c *canvas) text(class, anchor string, x, y float64, text, full string) {
	if text == "" {
		return
	}
	fmt.Fprintf(&c.body, `<text%s x="%s" y="%s" text-anchor="%s">%s`, doc.Attribute("class", class), px(x),
		px(y+4.5), anchor, escaped(text))
	if full != "" && full != text {
		fmt.Fprintf(&c.body, "<title>%s</title>", escaped(full))
	}
	c.body.WriteString("</text>")
}

// svg is the whole drawing, with its own attributes.
func (c *canvas) svg(attributes string, width, height float64, alt string) string {
	return fmt.Sprintf("<svg%s viewBox=\"0 0 %s %s\" role=\"img\" aria-label=\"%s\">%s</svg>",
		attributes, px(width), px(height), escaped(alt), c.body.String())
}

// Sheet is a self-contained figure: texts and charts below each other, on a light background.
type Sheet struct {
	c     pen
	y     float64
	title string
	// Numbers of letters that fit in a line of text, and in a label.
	letters, label int
}

// The layout of a sheet, in the units of its view box.
const (
	sheetWidth   = 1160.0
	sheetEdge    = 20.0
	sheetLine    = 16.0
	sheetLetters = 180 // of a line of text
)

// NewSVG begins a figure in SVG, in fonts of any system.
func NewSVG(title string) *Sheet { return newSheet(title, &canvas{}, sheetLetters, labelLong) }

// NewPGF begins a figure in PGF's language, in the fonts of a LaTeX document.
func NewPGF(title string) *Sheet { return newSheet(title, &tikz{}, tikzLetters, tikzLabel) }

func newSheet(title string, c pen, letters, label int) *Sheet {
	s := &Sheet{c: c, y: sheetEdge + sheetLine/2, title: title, letters: letters, label: label}
	s.c.text("title", "start", sheetEdge, s.y, shorten(title, 100), title)
	s.y += 1.5 * sheetLine
	return s
}

// Line writes texts, each in as many lines as it needs. class is name, small or spoilt.
func (s *Sheet) Line(class string, texts ...string) {
	for _, text := range texts {
		if text == "" {
			continue
		}
		if class == "name" {
			s.y += sheetLine
		}
		for _, line := range doc.Wrap(text, s.letters) {
			s.c.text(class, "start", sheetEdge, s.y, line, "")
			s.y += sheetLine
		}
	}
}

// Rows draws a chart of rows; it is false if nothing can be drawn.
func (s *Sheet) Rows(r *Rows) bool {
	if !r.place() {
		return false
	}
	mark := func(item *Row, axis *Axis, y float64) { item.interval(s.c, axis, y) }
	s.y = r.draw(s.c, mark, s.y, rowsLabel+rowsMore-40, rowsRight+20, s.label)
	return true
}

// sheetStyle is the style of the page, for a drawing without one.
const sheetStyle = `.title { font-size: 18px; font-weight: bold }
.name { font-size: 15px; font-weight: bold }
.small, .quiet { font-size: 11px; fill: #555555 }
.spoilt { font-size: 11px; fill: #a02000 }
.rule { stroke: #dddddd }
.zero { stroke: #888888 }
.ci { stroke: #1f5fbf; stroke-width: 3 }
.dot { fill: #1f5fbf }
`

// String returns the whole figure as a document.
func (s *Sheet) String() string { return s.c.sheet(s.title, s.y+sheetEdge) }

func (c *canvas) sheet(title string, height float64) string {
	tall := px(height)
	return fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s" role="img" font-family="sans-serif" font-size="13" fill="#1a1a1a">
<title>%s</title>
<style>
%s</style>
<rect width="100%%" height="100%%" fill="#ffffff"/>
%s
</svg>
`, px(sheetWidth), tall, px(sheetWidth), tall, escaped(title), sheetStyle, strings.ReplaceAll(c.body.String(), "><", ">\n<"))
}
