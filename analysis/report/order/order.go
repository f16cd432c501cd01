// Package order draws what the threads of a program did: a picture and a table for each
// object, and a graph of who calls whom.
package order

import (
	"cmp"
	"slices"
	"strconv"

	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
	"moobench/analysis/threads"
	"moobench/results/events"
)

// How much of a program is drawn.
const (
	mostLanes = 40 // threads of an object
	mostNodes = 60 // classes of a call graph
	// mostOthers are the classes without a picture that are in a table.
	mostOthers = 1000
)

// Legend says how to read the pictures.
const Legend = "A block is a call, in the colour of its thread, light where it waits for other threads; blocks that are too narrow to be seen are drawn together, darker where they take more of the time."

// Remarks say what a log of one JVM lacks; unmatched are exits whose entry is not in it.
func Remarks(l *events.Log, unmatched int64, of string) []doc.Paragraph {
	var all []doc.Paragraph
	if missing := l.Lost + l.Unkept; missing > 0 {
		all = append(all, doc.Paragraph{Mark: "!", Tone: doc.Warning, Text: figure.Count(missing) + " events" + of + " are missing: " +
			"what is drawn has gaps. Monitor fewer methods, or give the log more room: -Dmoobench.events.memory=256m, -Dmoobench.events.limit=16g"})
	}
	if !l.Whole {
		all = append(all, doc.Paragraph{Mark: "!", Tone: doc.Warning, Text: "The log" + of + " has no end: the JVM was killed, or its disk is full. What it had not yet written is not here."})
	}
	if unmatched > 0 {
		all = append(all, doc.Paragraph{Tone: doc.Soft, Text: figure.Plural(int(unmatched), "exit", "exits") + of + " had no entry: the method was entered before it was monitored, or the entry was lost. They are in no number."})
	}
	return all
}

// Sections are the pictures of one JVM: of its objects, and its graph, in which those classes
// are marked that the caller says. Of is appended to the titles, where there are several.
func Sections(o *threads.Order, g *threads.Graph, marked func(class string) bool, of string) []*doc.Section {
	var all []*doc.Section
	for i := range o.Objects {
		all = append(all, objectSection(o, &o.Objects[i], of))
	}
	return append(all, otherObjects(o, of), graphSection(g, marked, of))
}

// Object is the picture of the object with this hash; nil where there is none.
func Object(o *threads.Order, hash uint32) *doc.Figure {
	if o == nil {
		return nil
	}
	for i := range o.Objects {
		if x := &o.Objects[i]; x.Hash == hash {
			return picture(o, title(x), busiest(x))
		}
	}
	return nil
}

func title(x *threads.Object) string {
	if x.Hash == 0 {
		return "Static methods of " + x.Class
	}
	return "Object " + x.Class + " " + strconv.FormatUint(uint64(x.Hash), 16)
}

// busiest are the lanes of an object, those with most calls first.
func busiest(x *threads.Object) []threads.Lane {
	lanes := slices.Clone(x.Lanes)
	slices.SortStableFunc(lanes, func(a, b threads.Lane) int { return cmp.Compare(b.Calls, a.Calls) })
	return lanes
}

// picture draws the first lanes of an object.
func picture(o *threads.Order, title string, lanes []threads.Lane) *doc.Figure {
	lanes = lanes[:min(len(lanes), mostLanes)]
	span := duration(o)
	scale := figure.Fit("ns", span)
	p := plot.Lanes{
		Alt:  "When " + figure.Plural(len(lanes), "thread", "threads") + " called " + title,
		Axis: plot.NewAxis([]float64{0, span}, false),
	}
	p.Axis.Title, p.Axis.Factor = scale.Unit+" since the first event", scale.Factor
	for i := range lanes {
		p.Rows = append(p.Rows, laneRow(o, &lanes[i]))
	}
	p.Names = named(o, p.Rows)
	return &doc.Figure{SVG: p.SVG(), Alt: p.Alt}
}

// duration is the length of the window, in ns.
func duration(o *threads.Order) float64 { return max(1, float64(o.End-o.Begin)) }

// objectSection is the picture of one object, and a table of what each thread did with it.
func objectSection(o *threads.Order, x *threads.Object, of string) *doc.Section {
	s := &doc.Section{Title: title(x) + of, Badge: doc.Badge{Text: callsOf(x.Calls)}}
	lanes, span := busiest(x), duration(o)
	t := &doc.Table{Columns: []doc.Column{
		{Head: "thread"},
		{Head: "calls", Number: true},
		{Head: "mean", Number: true},
		{Head: "longest", Number: true},
		{Head: "in it", Number: true, Help: "share of the time in which the thread was in one of its methods"},
		{Head: "of it waiting", Number: true, Help: "for other threads, in calls of the platform and at monitors"},
		{Head: "by exception", Number: true, Rank: 1},
	}}
	for i := range lanes {
		l := &lanes[i]
		mean, longest := "", ""
		if l.Ended > 0 {
			mean, longest = figure.Quantity(float64(l.TotalNS)/float64(l.Ended), "ns"), figure.Quantity(float64(l.LongestNS), "ns")
		}
		r := doc.Row{Cells: doc.Texts(o.Threads[l.Thread], figure.Count(l.Calls), mean, longest,
			figure.Percent(float64(l.BusyNS)/span), figure.Percent(float64(l.WaitNS)/max(1, float64(l.BusyNS))), figure.Count(l.Thrown))}
		if i >= mostLanes {
			r.Depth = doc.Full
		}
		t.Rows = append(t.Rows, r)
	}
	s.Add(picture(o, title(x), lanes))
	if n := len(lanes) - mostLanes; n > 0 {
		s.Add(doc.Paragraph{Text: figure.Plural(n, "thread", "threads") + " with fewer calls are in the table alone.", Depth: doc.Paged})
		t.Rows = append(t.Rows, doc.Row{Cells: doc.Texts("…"), Span: "and " + figure.Plural(n, "thread", "threads") + " with fewer calls: the page has them", Depth: doc.Terse})
	}
	s.Add(t)
	return s
}

func callsOf(n int64) string {
	return figure.Count(n) + map[bool]string{true: " call", false: " calls"}[n == 1]
}

// laneRow is the row of one thread.
func laneRow(o *threads.Order, l *threads.Lane) plot.LaneRow {
	row := plot.LaneRow{Name: o.Threads[l.Thread], Text: callsOf(l.Calls), Tint: l.Thread}
	if l.Spans == nil {
		width := float64(o.End-o.Begin) / float64(len(l.Columns))
		for _, ns := range l.Columns {
			row.Shares = append(row.Shares, min(1, float64(ns)/max(1, width)))
		}
		return row
	}
	for _, s := range l.Spans {
		odd := plot.Ordinary
		switch {
		case s.Waiting:
			odd = plot.Waiting
		case s.Open:
			odd = plot.Open
		case s.Thrown:
			odd = plot.Thrown
		}
		row.Blocks = append(row.Blocks, plot.LaneBlock{From: float64(s.Begin - o.Begin), To: float64(s.End - o.Begin), Depth: s.Depth, Name: s.Method, Odd: odd})
	}
	return row
}

// otherObjects are those that have no picture.
func otherObjects(o *threads.Order, of string) *doc.Section {
	s := &doc.Section{Title: "Other objects" + of, Folded: true}
	t := &doc.Table{Columns: []doc.Column{{Head: "class"}, {Head: "objects", Number: true}, {Head: "calls", Number: true}}}
	for i, x := range o.Others {
		if i == mostOthers {
			t.Rows = append(t.Rows, doc.Row{Cells: doc.Texts("…"), Span: "and " + figure.Plural(len(o.Others)-i, "class", "classes") + " more"})
			break
		}
		t.Rows = append(t.Rows, doc.Row{Cells: doc.Texts(x.Class, figure.Count(int64(x.Objects)), figure.Count(x.Calls))})
	}
	s.Add(t)
	return s
}

// graphSection draws who called whom.
func graphSection(g *threads.Graph, marked func(class string) bool, of string) *doc.Section {
	s := &doc.Section{Title: "Who calls whom" + of}
	classes := 0
	for _, n := range g.Nodes {
		if !n.Start {
			classes++
		}
	}
	if classes == 0 {
		return s
	}
	if len(g.Nodes) > mostNodes {
		s.Add(doc.Paragraph{Text: figure.Plural(classes, "class", "classes") + " are too many for a picture here: -o calls.dot writes them for Graphviz."})
		return s
	}
	p := plot.Graph{Alt: "Calls between " + figure.Plural(classes, "class", "classes")}
	for _, layer := range g.Layers() {
		var nodes []plot.Node
		for _, i := range layer {
			n := g.Nodes[i]
			node := plot.Node{ID: i, Name: n.Name, Title: n.Name + ": " + callsOf(n.Calls)}
			switch {
			case n.Start:
				node.Class, node.Name, node.Title = "start", "START "+n.Name, "start of thread "+n.Name
			case marked(n.Name):
				node.Class = "marked"
			}
			nodes = append(nodes, node)
		}
		p.Layers = append(p.Layers, nodes)
	}
	for _, e := range g.Edges {
		a := plot.Arrow{From: e.From, To: e.To, Text: figure.Count(e.Calls)}
		switch {
		case e.Parameter:
			a.Text, a.Class = "", "dashed"
		case marked(g.Nodes[e.To].Name):
			a.Class = "marked"
		}
		p.Arrows = append(p.Arrows, a)
	}
	s.Add(&doc.Figure{SVG: p.SVG(), Alt: p.Alt, Caption: "Solid arrows are calls, with their number; dashed ones lead to the type of a parameter."})
	return s
}
