package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/results"
)

// The layout of the figure, in the units of its view box.
const (
	svgWidth  = 1160.0
	svgEdge   = 20.0
	svgLabels = 370.0 // labels end here
	svgFrom   = 386.0 // the plot begins here
	svgTo     = 766.0 // and ends here
	svgTexts  = 782.0
	svgLine   = 16.0 // from one line of text to the next
	svgRow    = 10.0 // between two cells
)

// SVG draws the overhead of every cell of every scenario with its interval, as
// one figure that stands by itself: a light background, fonts of any system,
// and what spoils a number beside it.
func SVG(w io.Writer, a *analysis.Answers) error {
	d := &drawing{y: svgEdge}
	d.head(a)
	stamped := stamps(a)
	for i := range a.Scenarios {
		d.scenario(&a.Scenarios[i], stamped)
	}
	d.y += svgLine
	d.wrapped(svgEdge, "small", provenanceLine(a), 190)
	height := px(d.y + svgEdge)
	_, err := fmt.Fprintf(w, svgHead, px(svgWidth), height, px(svgWidth), height, escaped(strings.Join(headline(a), " · ")), d.body.String())
	return err
}

const svgHead = `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s" role="img" font-family="sans-serif" font-size="13" fill="#1a1a1a">
<title>%s</title>
<style>
.title { font-size: 18px; font-weight: bold }
.name { font-size: 15px; font-weight: bold }
.small { font-size: 11px; fill: #555555 }
.spoilt { fill: #a02000 }
.grid { stroke: #dddddd }
.zero { stroke: #888888 }
.interval { stroke: #1f5fbf; stroke-width: 3 }
.estimate { fill: #1f5fbf }
</style>
<rect width="100%%" height="100%%" fill="#ffffff"/>
%s</svg>
`

// drawing is the figure as far as it is drawn: y is where it goes on.
type drawing struct {
	body bytes.Buffer
	y    float64
}

// write writes a line of text in the middle of whose letters y lies.
func (d *drawing) write(x float64, class, anchor, text string) {
	if text != "" {
		fmt.Fprintf(&d.body, "<text x=\"%s\" y=\"%s\" class=\"%s\" text-anchor=\"%s\">%s</text>\n", px(x), px(d.y+4), class, anchor, escaped(text))
	}
}

// wrapped writes a text in lines of so many letters, and goes on below them.
func (d *drawing) wrapped(x float64, class, text string, letters int) {
	for _, line := range broken(text, letters) {
		d.write(x, class, "start", line)
		d.y += svgLine
	}
}

// broken breaks a text into lines; a word that is too long stands alone.
func broken(text string, letters int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(oneLine(text)) {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > letters {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

func (d *drawing) head(a *analysis.Answers) {
	parts := headline(a)
	d.y += svgLine / 2
	d.write(svgEdge, "title", "start", shorten(parts[0], 100))
	d.y += 1.5 * svgLine
	d.wrapped(svgEdge, "small", strings.Join(parts[1:], " · "), 190)
	for _, text := range headTexts(a) {
		d.wrapped(svgEdge, "spoilt", "! "+text, 160)
	}
}

// bar is a cell in the figure; without an estimate there is only its text.
type bar struct {
	label, text string
	spoilt      []string
	estimate    *analysis.Estimate
}

func (d *drawing) scenario(s *analysis.Scenario, stamped []spoil) {
	bars, unit := barsOf(s, stamped)
	d.y += svgLine
	d.write(svgEdge, "name", "start", shorten(s.Label, 60))
	d.y += 1.5 * svgLine
	d.wrapped(svgEdge, "small", describe(s), 190)
	for _, note := range s.Notes {
		d.wrapped(svgEdge, "spoilt", "! "+note, 160)
	}
	if len(bars) == 0 {
		d.wrapped(svgEdge, "small", "no cell is compared with a baseline", 190)
		return
	}
	axis, fit := axisOf(bars, unit)
	rows := &drawing{y: d.y}
	for _, b := range bars {
		rows.bar(b, axis)
	}
	d.grid(axis, fit, rows.y) // behind the bars, and as high as they are
	d.body.Write(rows.body.Bytes())
	d.y += 1.5 * svgLine
	d.write((svgFrom+svgTo)/2, "small", "middle", strings.TrimSuffix("more than the baseline, "+fit.Unit, ", "))
	d.y += 1.5 * svgLine
	d.wrapped(svgEdge, "small", intervalsSaid(s), 190)
}

// intervalsSaid is what the lines of the figure are.
func intervalsSaid(s *analysis.Scenario) string {
	if n := compared(s); n > 1 {
		return fmt.Sprintf("intervals: the %d comparisons of a level hold together at 95 %%; over %s", n, s.Window)
	}
	return "intervals: 95 %; over " + s.Window
}

// barsOf are the cells that are compared with a baseline, in the primary metric
// and its unit.
func barsOf(s *analysis.Scenario, stamped []spoil) ([]bar, string) {
	m := primary(s)
	unit := m.Unit
	if m.Of != "" {
		unit = perMillionUnit
	}
	var bars []bar
	for i := range s.Cells {
		c := &s.Cells[i]
		if c.Role != results.RoleVariant {
			continue
		}
		b := bar{label: c.Label}
		for _, p := range spoilsAgainst(s, c, stamped) {
			b.spoilt = append(b.spoilt, "! "+p.show)
		}
		b.estimate, b.text = barOf(c, metricOf(c, m.Name), unit)
		bars = append(bars, b)
	}
	return bars, unit
}

// barOf is what a cell differs by, in numbers and in words.
func barOf(c *analysis.Cell, a *analysis.MetricAnswer, unit string) (*analysis.Estimate, string) {
	if c.Void != "" || a == nil {
		return nil, "no answer"
	}
	e := a.Difference
	if r := a.Rate; r != nil && r.Versus != nil {
		e = &analysis.Estimate{Value: r.Versus.Difference, Interval: r.Versus.Interval}
	}
	if e == nil {
		return nil, "no answer"
	}
	text := showDifference(e, unit).String()
	if r := c.Records; r != nil && r.Proof == results.ProofCount && r.Expected > 0 {
		text += " · records " + figure.Share(r.Received, r.Expected)
	}
	return e, text
}

// axisOf is the axis that all bars fit on, and the unit of its ticks.
func axisOf(bars []bar, unit string) (scale, figure.Scale) {
	values := []float64{0}
	for _, b := range bars {
		if b.estimate == nil {
			continue
		}
		values = append(values, b.estimate.Value)
		if i := b.estimate.Interval; i != nil {
			values = append(values, i.Low, i.High)
		}
	}
	return newScale(values, false, svgFrom, svgTo), figure.Fit(unit, values...)
}

// bar draws one cell, and goes on below it.
func (d *drawing) bar(b bar, axis scale) {
	d.y += svgRow
	d.write(svgLabels, "label", "end", shorten(b.label, 54))
	if e := b.estimate; e != nil {
		if i := e.Interval; i != nil {
			fmt.Fprintf(&d.body, "<line class=\"interval\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>\n", px(axis.at(i.Low)), px(d.y), px(axis.at(i.High)), px(d.y))
		}
		fmt.Fprintf(&d.body, "<circle class=\"estimate\" cx=\"%s\" cy=\"%s\" r=\"4\"><title>%s</title></circle>\n", px(axis.at(e.Value)), px(d.y), escaped(b.label+": "+b.text))
	}
	d.wrapped(svgTexts, "value", b.text, 56)
	for _, text := range b.spoilt {
		d.wrapped(svgTexts, "spoilt", text, 56)
	}
}

// grid draws the ticks of an axis from here down to where the bars end, and goes
// on at the line of their texts.
func (d *drawing) grid(axis scale, fit figure.Scale, bottom float64) {
	top := d.y
	d.y = bottom + svgLine/2
	for _, v := range axis.ticks() {
		class := "grid"
		if v == 0 {
			class = "zero"
		}
		fmt.Fprintf(&d.body, "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>\n", class, px(axis.at(v)), px(top), px(axis.at(v)), px(bottom))
		d.write(axis.at(v), "small", "middle", tickText(v/fit.Factor))
	}
}

// escaped is a text in XML, of signs that print.
func escaped(s string) string {
	var b bytes.Buffer
	if err := xml.EscapeText(&b, []byte(Clean(s))); err != nil {
		return ""
	}
	return b.String()
}
