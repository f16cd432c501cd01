package plot

import (
	"fmt"
	"math"
)

// Graph is a drawing of nodes in layers, with arrows between them.
type Graph struct {
	Alt    string
	Layers [][]Node
	Arrows []Arrow
}

// Node is a box with a name. Class is its look: start, marked, or "".
type Node struct {
	ID          int
	Name, Title string
	Below       string // a quiet line below the name
	Class       string
}

// Arrow leads from one node to another one, by their IDs.
type Arrow struct {
	From, To int
	Text     string // beside it
	Class    string // marked, dashed, or ""
}

// The layout of a graph, in the units of its view box.
const (
	nodeWidth   = 190.0
	nodeHeight  = 38.0
	nodeLine    = 15.0 // between a name and the line below it
	nodeGap     = 26.0
	layerGap    = 64.0
	nodeLetters = 26
	arrowHead   = 6.0
	graphLeast  = 0.7 // smallest scale at which names can be read
)

// SVG draws the graph; "" without a node.
func (g *Graph) SVG() string {
	widest := 0
	for _, layer := range g.Layers {
		widest = max(widest, len(layer))
	}
	if widest == 0 {
		return ""
	}
	width := float64(widest)*(nodeWidth+nodeGap) + nodeGap
	type place struct{ x, y float64 }
	at := map[int]place{} // centres
	for i, layer := range g.Layers {
		left := (width - float64(len(layer))*(nodeWidth+nodeGap) + nodeGap) / 2
		for j, n := range layer {
			at[n.ID] = place{
				left + float64(j)*(nodeWidth+nodeGap) + nodeWidth/2,
				nodeGap + float64(i)*(nodeHeight+layerGap) + nodeHeight/2,
			}
		}
	}
	c := &canvas{}
	for _, a := range g.Arrows {
		from, to := at[a.From], at[a.To]
		down := nodeHeight / 2
		x1, y1, x2, y2 := from.x, from.y+down, to.x, to.y-down
		bend := (y2 - y1) / 2
		if to.y <= from.y { // back, or to a neighbour: around the sides
			x1, y1, x2, y2 = from.x+nodeWidth/4, from.y-down, to.x-nodeWidth/4, to.y+down
			if to.y == from.y {
				y2 = to.y - down
			}
			bend = -layerGap / 2
		}
		class := "arrow"
		if a.Class != "" {
			class += " " + a.Class
		}
		fmt.Fprintf(&c.body, `<g class="%s">`, class)
		curve := fmt.Sprintf("M%s %sC%s %s %s %s %s %s",
			px(x1), px(y1), px(x1), px(y1+bend), px(x2), px(y2-bend), px(x2), px(y2))
		c.path("", curve, "")
		toward := math.Copysign(arrowHead, y2-y1)
		if to.y == from.y {
			toward = arrowHead
		}
		c.polygon("head", [2]float64{x2, y2}, [2]float64{x2 - arrowHead/2, y2 - toward},
			[2]float64{x2 + arrowHead/2, y2 - toward})
		c.text("quiet", "middle", (x1+x2)/2, (y1+y2)/2, a.Text, "")
		c.body.WriteString("</g>")
	}
	for _, layer := range g.Layers {
		for _, n := range layer {
			p := at[n.ID]
			fmt.Fprintf(&c.body, `<g class="node %s">`, n.Class)
			c.rect("", p.x-nodeWidth/2, p.y-nodeHeight/2, nodeWidth, nodeHeight, n.Title)
			y := p.y
			if n.Below != "" {
				y -= nodeLine / 2
				c.text("quiet", "middle", p.x, p.y+nodeLine/2+1, n.Below, "")
			}
			c.text("", "middle", p.x, y, shorten(n.Name, nodeLetters), n.Name)
			c.body.WriteString("</g>")
		}
	}
	// It is never drawn larger than its size, and scrolls if there is no room for it.
	size := fmt.Sprintf(` class="graph" style="max-width:%spx;min-width:%spx"`, px(width), px(graphLeast*width))
	return c.svg(size, width, nodeGap*2+float64(len(g.Layers))*(nodeHeight+layerGap)-layerGap, g.Alt)
}
