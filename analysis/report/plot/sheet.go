package plot

import (
	"fmt"
	"strings"

	"moobench/analysis/report/doc"
)

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
