package plot

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
	"unicode"
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
	fmt.Fprintf(&c.body, `<%s class="%s"`, element, class)
	if dashes != "" {
		c.body.WriteString(` stroke-dasharray="` + dashes + `"`)
	}
	c.body.WriteString(` points="` + points + `"`)
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
	if class != "" {
		class = ` class="` + class + `"`
	}
	fmt.Fprintf(&c.body, `<text%s x="%s" y="%s" text-anchor="%s">%s`, class, px(x), px(y+4.5), anchor, escape(text))
	if full != "" && full != text {
		fmt.Fprintf(&c.body, "<title>%s</title>", escape(full))
	}
	c.body.WriteString("</text>")
}

// svg is the whole drawing.
func (c *canvas) svg(class string, width, height float64, alt string) string {
	if class != "" {
		class = ` class="` + class + `"`
	}
	return fmt.Sprintf("<svg%s viewBox=\"0 0 %s %s\" role=\"img\" aria-label=\"%s\">%s</svg>", class, px(width), px(height), escape(alt), c.body.String())
}
