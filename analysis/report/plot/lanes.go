package plot

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
)

// Lanes is a chart of what several threads did at the same time: a row for each, with blocks along an axis of
// time in ns.
type Lanes struct {
	Alt   string
	Axis  Axis
	Rows  []LaneRow
	Names []string // of blocks, by LaneBlock.Name
}

// LaneRow is one row. Blocks that are wide enough are drawn one by one; the others are drawn as the share of
// the time that they take together.
type LaneRow struct {
	Name, Text string
	Tint       int // index of its colour
	Blocks     []LaneBlock
	// Shares replace blocks if there are too many: shares of the time in each of equal parts of the axis, from
	// 0 to 1.
	Shares []float64
}

// LaneBlock is something that lasted, nested in others that lasted longer.
type LaneBlock struct {
	From, To float64
	Depth    int
	Name     int
	Odd      Oddness
}

// Oddness is what a block shows besides its length.
type Oddness int

// The oddnesses; a page's script knows them by their numbers.
const (
	Ordinary Oddness = iota
	Thrown           // it ended by an exception
	Open             // its end is not known
	Waiting          // in it, somebody waited for others
)

// look is the class of a block, and the text after its length.
func (o Oddness) look() (class, text string) {
	switch o {
	case Thrown:
		return "block thrown", ", by an exception"
	case Open:
		return "block open", ", at least"
	case Waiting:
		return "waiting", ", waiting"
	}
	return "block", ""
}

// The measures of a chart of lanes, in the units of its view box.
const (
	laneHeight  = 26.0
	laneInset   = 3.0 // of a block within another one, on each side
	laneDeepest = 3   // blocks nested deeper are as high as these
	laneShown   = 1.0 // width from which a block is drawn by itself
	laneNamed   = 1   // blocks nested deeper are too flat for their name
	laneWait    = 3.0 // height of the line that stands for waiting
	nameSize    = 11.0
	nameRoom    = 8.0 // around a name in a block
)

// laneLayout places the parts of a chart of lanes. A page's script uses it, too.
type laneLayout struct {
	Width float64 `json:"width"`
	Left  float64 `json:"left"` // beginning of the axis
	Right float64 `json:"right"`
	Above float64 `json:"above"` // room above each lane for its name; 0: the name stands beside it
}

var (
	wideLanes   = laneLayout{Width: 1000, Left: 190, Right: 890}
	narrowLanes = laneLayout{Width: 380, Left: 8, Right: 372, Above: 20}
)

func (y *laneLayout) top(row int) float64 {
	return rowsTop + (laneHeight+y.Above)*float64(row) + y.Above
}

// SVG draws the lanes twice, for wide and for narrow pages; "" without any.
func (l *Lanes) SVG() string {
	if len(l.Rows) == 0 {
		return ""
	}
	return twice(l.draw(&wideLanes, doc.Attribute("data-lanes", l.data())), l.draw(&narrowLanes, ""))
}

// twice has a drawing for wide pages, and another one of the same for narrow pages.
func twice(wide, narrow string) string {
	return `<div class="wide">` + wide + `</div><div class="narrow">` + narrow + "</div>"
}

func (l *Lanes) draw(y *laneLayout, data string) string {
	c, axis := &canvas{}, l.Axis.between(y.Left, y.Right)
	bottom := y.top(len(l.Rows)) - y.Above
	axis.grid(c, rowsTop-6, bottom, y.Width)
	for i := range l.Rows {
		row, top := &l.Rows[i], y.top(i)
		y.labels(c, row, top)
		c.line("rule", y.Left, top+laneHeight, y.Right, top+laneHeight)
		fmt.Fprintf(&c.body, `<g class="t%d">`, row.Tint%tints)
		row.draw(c, &axis, top+2, l.Names)
		c.body.WriteString("</g>")
	}
	c.text("quiet", "middle", (y.Left+y.Right)/2, bottom+30, axis.Title, "")
	layout, err := json.Marshal(y)
	if err != nil {
		return "" // cannot happen: it has only numbers
	}
	return c.svg(` class="lanes"`+doc.Attribute("data-layout", string(layout))+data, y.Width, bottom+rowsBottom, l.Alt)
}

// labels writes the name of a row and its text: at its sides, or above it.
func (y *laneLayout) labels(c *canvas, row *LaneRow, top float64) {
	if y.Above == 0 {
		c.text("lane", "end", y.Left-12, top+laneHeight/2, fitting(row.Name, y.Left-16, textSize), row.Name)
		c.text("lane quiet", "start", y.Right+12, top+laneHeight/2, row.Text, "")
		return
	}
	room := y.Right - y.Left - textWidth(row.Text, textSize) - nameRoom
	c.text("lane", "start", y.Left, top-y.Above/2, fitting(row.Name, room, textSize), row.Name)
	c.text("lane quiet", "end", y.Right, top-y.Above/2, row.Text, "")
}

// data has the numbers from which a page's script draws a part of the axis. A row has four numbers for each
// block, ordered by beginning (the time since the previous beginning, the duration, depth and oddness, the
// name), or its shares.
func (l *Lanes) data() string {
	type row struct {
		Tint   int       `json:"t"`
		Blocks []int64   `json:"b,omitempty"`
		Shares []float64 `json:"s,omitempty"`
	}
	all := struct {
		Low   float64  `json:"low"` // times at the ends
		High  float64  `json:"high"`
		Unit  string   `json:"unit"`
		Rows  []row    `json:"rows"`
		Names []string `json:"names"`
	}{Low: l.Axis.Low, High: l.Axis.High, Unit: l.Axis.Title, Names: l.Names}
	for _, r := range l.Rows {
		one, last := row{Tint: r.Tint % tints}, int64(0)
		for _, s := range r.Shares {
			if s > 0 {
				s = max(0.001, math.Round(s*1000)/1000) // a small share stays visible
			}
			one.Shares = append(one.Shares, s)
		}
		sorted := slices.Clone(r.Blocks)
		slices.SortStableFunc(sorted, func(a, b LaneBlock) int { return cmp.Compare(a.From, b.From) })
		for _, b := range sorted {
			from := int64(b.From)
			one.Blocks = append(one.Blocks, from-last, int64(b.To)-from,
				int64(4*min(b.Depth, laneDeepest))+int64(b.Odd), int64(b.Name))
			last = from
		}
		all.Rows = append(all.Rows, one)
	}
	text, err := json.Marshal(all)
	if err != nil {
		return "" // a number is not finite: the drawing stays static
	}
	return string(text)
}

func (r *LaneRow) draw(c *canvas, axis *Axis, top float64, names []string) {
	height := laneHeight - 4
	shares := make([]float64, int(axis.to-axis.from))
	for i, share := range r.Shares { // there may be many more shares
		shares[i*len(shares)/len(r.Shares)] += share * float64(len(shares)) / float64(len(r.Shares))
	}
	var seen []LaneBlock
	for _, b := range r.Blocks {
		switch from, to := axis.place(b.From), axis.place(b.To); {
		case to-from >= laneShown:
			seen = append(seen, b)
		case b.Depth == 0:
			i := min(max(0, int(from-axis.from)), len(shares)-1)
			shares[i] += to - from
		}
	}
	width := (axis.to - axis.from) / float64(len(shares))
	for i := 0; i < len(shares); { // neighbours of one shade are merged
		j, level := i, shade(shares[i])
		for j < len(shares) && shade(shares[j]) == level {
			j++
		}
		if level > 0 {
			fmt.Fprintf(&c.body, `<g opacity="%.2f">`, (float64(level)+shadeLeast)/(shades+shadeLeast))
			c.rect("share", axis.from+float64(i)*width, top, float64(j-i)*width, height, "")
			c.body.WriteString("</g>")
		}
		i = j
	}
	slices.SortStableFunc(seen, func(a, b LaneBlock) int { return a.Depth - b.Depth }) // the inner ones on top
	for _, b := range seen {
		class, text := b.Odd.look()
		depth := b.Depth
		if b.Odd == Waiting { // it takes the place of the enclosing block
			depth = max(0, depth-1)
		}
		from, to, inset := axis.place(b.From), axis.place(b.To), laneInset*float64(min(depth, laneDeepest))
		title := names[b.Name] + ": " + figure.Quantity(b.To-b.From, "ns") + text
		c.rect(class, from, top+inset, to-from, height-2*inset, title)
		if b.Odd == Waiting {
			c.rect("wait", from, top+height/2-laneWait/2, to-from, laneWait, title)
		}
	}
	for i, b := range seen {
		if b.Depth <= laneNamed && b.Odd != Waiting {
			if x, ok := nameAt(seen, i, axis, methodOf(names[b.Name])); ok {
				c.text("named", "start", x, top+height/2-0.5, methodOf(names[b.Name]), names[b.Name])
			}
		}
	}
}

// methodOf is the name of a method without its class.
func methodOf(qualified string) string { return qualified[strings.LastIndexByte(qualified, '.')+1:] }

// nameAt is the place for the name of a block: the first gap between the blocks that are drawn above it.
func nameAt(seen []LaneBlock, of int, axis *Axis, name string) (x float64, ok bool) {
	b, need := seen[of], textWidth(name, nameSize)+nameRoom
	x = axis.place(b.From)
	end := axis.place(b.To)
	if end-x < need {
		return 0, false
	}
	above := slices.DeleteFunc(slices.Clone(seen), func(o LaneBlock) bool {
		return o.From < b.From || o.To > b.To || o.Depth <= b.Depth && o.Odd != Waiting
	})
	slices.SortFunc(above, func(a, b LaneBlock) int { return cmp.Compare(a.From, b.From) })
	for _, o := range above {
		if axis.place(o.From)-x >= need {
			break
		}
		x = max(x, axis.place(o.To))
	}
	return x + nameRoom/2, end-x >= need
}

const (
	shades     = 10.0
	shadeLeast = 2.0 // levels added to the palest one, so that it is visible
)

// shade is the darkness of a share, 0 only for 0: a small share stays visible.
func shade(share float64) int {
	if share <= 0 {
		return 0
	}
	return min(shades, max(1, int(share*shades+0.5)))
}
