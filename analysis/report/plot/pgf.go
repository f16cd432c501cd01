package plot

import (
	"fmt"
	"strings"

	"moobench/analysis/report/doc"
)

// tikz is an unfinished drawing in PGF's language. Letters are the document's own, in sizes of a figure that is
// as wide as a page's text.
type tikz struct{ body strings.Builder }

// The sizes of the units of a sheet, in points. Rows are higher than in SVG, because letters are larger in
// relation.
const tikzAcross, tikzDown = 0.295, 0.4

// Numbers of letters of TeX's small sizes that fit in a line of text, and in a label.
const tikzLetters, tikzLabel = 104, 32

// tikzHead says what a document needs, and defines the classes of a sheet.
const tikzHead = `%% A figure of moobench, for \input{...} in a document with
%%   \usepackage[T1]{fontenc}
%%   \usepackage{textcomp}        %% TeX Live before 2020
%%   \usepackage{tikz}
%% and, where it is too wide, \resizebox{\linewidth}{!}{\input{...}}.
\begin{tikzpicture}[
  x=%gpt, y=-%gpt, inner sep=0pt,
  title/.style={font=\small\bfseries},
  name/.style={font=\footnotesize\bfseries},
  label/.style={font=\scriptsize},
  quiet/.style={font=\scriptsize, text={rgb,255:red,85;green,85;blue,85}},
  small/.style={font=\tiny, text={rgb,255:red,85;green,85;blue,85}},
  spoilt/.style={font=\tiny, text={rgb,255:red,160;green,32;blue,0}},
  margin/.style={fill={rgb,255:red,238;green,238;blue,238}},
  rule/.style={draw={rgb,255:red,221;green,221;blue,221}},
  zero/.style={draw={rgb,255:red,136;green,136;blue,136}},
  ci/.style={draw={rgb,255:red,31;green,95;blue,191}, line width=1.2pt},
  dot/.style={fill={rgb,255:red,31;green,95;blue,191}},
]
`

// at formats a place.
func (*tikz) at(x, y float64) string { return "(" + px(x) + "," + px(y) + ")" }

func (c *tikz) line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&c.body, "\\path[%s] %s -- %s;\n", class, c.at(x1, y1), c.at(x2, y2))
}

func (c *tikz) rect(class string, x, y, width, height float64, _ string) {
	fmt.Fprintf(&c.body, "\\path[%s] %s rectangle %s;\n", class, c.at(x, y), c.at(x+max(0, width), y+max(0, height)))
}

func (c *tikz) circle(class string, x, y, r float64, _ string) {
	fmt.Fprintf(&c.body, "\\path[%s] %s circle[radius=%spt];\n", class, c.at(x, y), px(r*tikzAcross))
}

func (c *tikz) polygon(class string, places ...[2]float64) {
	fmt.Fprintf(&c.body, "\\path[%s] ", class)
	for _, p := range places {
		c.body.WriteString(c.at(p[0], p[1]) + " -- ")
	}
	c.body.WriteString("cycle;\n")
}

func (c *tikz) text(class, anchor string, x, y float64, text, _ string) {
	if text == "" {
		return
	}
	if class == "" {
		class = "label"
	}
	side := map[string]string{"start": "mid west", "middle": "mid", "end": "mid east"}[anchor]
	fmt.Fprintf(&c.body, "\\node[%s, anchor=%s] at %s {%s};\n", class, side, c.at(x, y), doc.EscapeLaTeX(text))
}

func (c *tikz) sheet(title string, height float64) string {
	frame := "\\path " + c.at(0, 0) + " rectangle " + c.at(sheetWidth, height) + ";\n"
	return doc.LaTeXComment(title) + fmt.Sprintf(tikzHead, tikzAcross, tikzDown) + frame + c.body.String() +
		"\\end{tikzpicture}\n"
}
