// Package order draws what the threads of a program did: for each class a picture of each of its objects and a
// table, and who calls whom.
package order

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis/chapter/threads"
	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
	"moobench/results/events"
)

// Limits of the drawings.
const (
	mostLanes = 40 // threads of an object
	mostNodes = 60 // classes of a call graph
	mostCalls = 15 // pairs of classes on a terminal, and unfolded on the page
	// mostOthers is the number of classes without a picture that a terminal prints.
	mostOthers = 10
	// mostListed is the number of those on a page.
	mostListed = 1000
)

// inFile says how to make a page.
const inFile = " (-o trace.html)"

// Legend explains the pictures.
const Legend = "A block is a call, in the colour of its thread, " +
	"and thin as a line where the thread waits for others; " +
	"blocks that are too narrow to be seen are drawn together, darker where they take more of the time. " +
	"An object is known from its constructor on; where only its identity hash is known, there may be several."

// Remarks say what a log of one JVM lacks; unmatched counts exits without an entry.
func Remarks(l *events.Log, unmatched int64, of string) []doc.Paragraph {
	var all []doc.Paragraph
	if missing := l.Lost + l.Unkept; missing > 0 {
		all = append(all, doc.Paragraph{
			Mark: "!",
			Tone: doc.Warning,
			Text: figure.Count(missing) + " events" + of + " are missing: " +
				"what is drawn has gaps. Monitor fewer methods, or give the log more room: " +
				"-Dmoobench.events.memory=256m, -Dmoobench.events.limit=16g",
		})
	}
	if !l.Whole {
		all = append(all, doc.Paragraph{
			Mark: "!",
			Tone: doc.Warning,
			Text: "The log" + of +
				" has no end: the JVM still runs, was killed, or its disk is full. " +
				"What it had not yet written is not here.",
		})
	}
	if unmatched > 0 {
		all = append(all, doc.Paragraph{
			Tone: doc.Soft,
			Text: figure.Plural(int(unmatched), "exit", "exits") + of +
				" had no entry: the method was entered before it was monitored, or the entry was lost. " +
				"They are in no number.",
		})
	}
	return all
}

// NotSeen says which parts of a program are not in the log, and why; calls is the word for its calls, or its
// locks.
func NotSeen(notes []string, calls, of string) []doc.Paragraph {
	const most = 5
	var all []doc.Paragraph
	for i, note := range notes {
		if i == most {
			rest := figure.Plural(len(notes)-most, "more note", "more notes") + " of this kind."
			return append(all, doc.Paragraph{
				Mark: "!",
				Tone: doc.Warning,
				Text: rest,
				Fold: strings.Join(notes[most:], "; "),
			})
		}
		all = append(all, doc.Paragraph{
			Mark: "!",
			Tone: doc.Warning,
			Text: calls + " are not seen" + of + " of " + note,
		})
	}
	return all
}

// Took says how much the log itself cost, as far as it was measured; callersNS went into finding callers.
func Took(l *events.Log, callersNS int64, of string) doc.Paragraph {
	if l.PricePS == 0 {
		return doc.Paragraph{
			Tone: doc.Soft,
			Text: "What the log took" + of + " was not measured: that is done at the program's end.",
		}
	}
	text := "The log" + of + ": " + figure.Count(l.Events) + " events of " +
		figure.Quantity(float64(l.PricePS)/1000, "ns") + " each, measured at the end"
	for _, part := range []struct {
		ns   int64
		what string
	}{
		{l.WovenNS, "to instrument classes"},
		{l.MadeNS, "to begin the logs of threads"},
		{callersNS, "to find callers"},
	} {
		if part.ns > 0 {
			text += ", " + figure.Quantity(float64(part.ns), "ns") + " " + part.what
		}
	}
	return doc.Paragraph{
		Tone: doc.Soft,
		Text: text + ". What else it costs, in caches and in what the compiler no longer does, is not in that.",
	}
}

// View says how to show a log.
type View struct {
	FromNS int64                   // begin of the order's window, from the first event
	Part   bool                    // the window is a part of the log
	Marked func(class string) bool // classes that the reader named; nil: none
	Suffix string                  // of titles, if there are several JVMs
}

func (v *View) marks(class string) bool { return v.Marked != nil && v.Marked(class) }

// Sections are the report on one JVM: a part for each class with its objects, and its call graph.
func Sections(o *threads.Order, g *threads.Graph, v View) []*doc.Section {
	var all []*doc.Section
	classes, rest := classesOf(o)
	for i := range classes {
		all = append(all, classSection(o, g, &classes[i], v))
	}
	all = append(all, otherClasses(rest, v), graphSection(g, v))
	if v.Part && len(g.Nodes) == 0 {
		silent := &doc.Section{}
		text := "No call begins in this part" + v.Suffix + ": choose another one by --from and --to."
		silent.Add(doc.Paragraph{Mark: "!", Tone: doc.Warning, Text: text})
		all = append([]*doc.Section{silent}, all...)
	}
	return all
}

// Object is the picture of the object with this hash, or nil.
func Object(o *threads.Order, hash uint32, v View) *doc.Figure {
	if o == nil {
		return nil
	}
	for i := range o.Objects {
		if x := &o.Objects[i]; x.Hash == hash {
			return picture(o, x, busiest(x), v)
		}
	}
	return nil
}

// title names an object with its class.
func title(x *threads.Object) string { return x.Class + ", " + label(x) }

// label names an object among those of its class. It is the one place that says how certain its identity is.
func label(x *threads.Object) string {
	if x.Hash == 0 {
		return "static methods"
	}
	name := "object " + strconv.FormatUint(uint64(x.Hash), 16)
	if x.Nth > 1 {
		name += " no. " + strconv.Itoa(x.Nth)
	}
	if x.Several {
		name += " (may be several)"
	}
	return name
}

// class has the objects of a class that have pictures, and a summary of its others.
type class struct {
	name    string
	objects []*threads.Object
	others  threads.Others
	shown   int64 // calls of the objects in the window
	calls   int64 // calls of all, in the whole log
}

// classesOf groups objects by class, most calls first; rest are the classes without a picture of any object. An
// object that no thread used in the window has no picture.
func classesOf(o *threads.Order) (all []class, rest []threads.Others) {
	at, others := map[string]int{}, slices.Clone(o.Others)
	for i := range o.Objects {
		x := &o.Objects[i]
		if len(busiest(x)) == 0 {
			others = withObject(others, x)
			continue
		}
		k, known := at[x.Class]
		if !known {
			k = len(all)
			at[x.Class] = k
			all = append(all, class{name: x.Class})
		}
		c := &all[k]
		c.objects = append(c.objects, x)
		c.shown, c.calls = c.shown+x.Shown(), c.calls+x.Calls
	}
	for _, x := range others {
		if k, known := at[x.Class]; known {
			all[k].others, all[k].calls = x, all[k].calls+x.Calls
		} else {
			rest = append(rest, x)
		}
	}
	slices.SortStableFunc(all, func(x, y class) int { return cmp.Compare(y.calls, x.calls) })
	return all, rest
}

// withObject adds an object to those of its class that have no picture.
func withObject(others []threads.Others, x *threads.Object) []threads.Others {
	i := slices.IndexFunc(others, func(o threads.Others) bool { return o.Class == x.Class })
	if i < 0 {
		i = len(others)
		others = append(others, threads.Others{Class: x.Class})
	}
	if x.Hash != 0 {
		others[i].Objects++
	}
	others[i].Calls += x.Calls
	return others
}

// busiest are the lanes of an object that are not empty, most calls first.
func busiest(x *threads.Object) []threads.Lane {
	lanes := slices.DeleteFunc(slices.Clone(x.Lanes), func(l threads.Lane) bool {
		return l.Calls == 0 && l.BusyNS == 0 && l.WaitNS == 0 && l.Spans == nil
	})
	slices.SortStableFunc(lanes, func(a, b threads.Lane) int { return cmp.Compare(b.Calls, a.Calls) })
	return lanes
}

// picture draws the first lanes of an object.
func picture(o *threads.Order, x *threads.Object, lanes []threads.Lane, v View) *doc.Figure {
	lanes = lanes[:min(len(lanes), mostLanes)]
	from, span := float64(v.FromNS), duration(o)
	scale := figure.Fit("ns", from+span)
	p := plot.Lanes{
		Alt:  "When " + figure.Plural(len(lanes), "thread", "threads") + " called " + title(x),
		Axis: plot.CloseAxis([]float64{from, from + span}, 1),
	}
	p.Axis.Title, p.Axis.Factor = scale.Unit+" since the first event", scale.Factor
	for i := range lanes {
		p.Rows = append(p.Rows, laneRow(o, &lanes[i], v.FromNS))
	}
	p.Names = named(o, p.Rows)
	return &doc.Figure{SVG: p.SVG(), Alt: p.Alt}
}

// duration is the length of the window, in ns.
func duration(o *threads.Order) float64 { return max(1, float64(o.End-o.Begin)) }

// classSection has the pictures of a class's objects, and a table of what each thread did with them.
func classSection(o *threads.Order, g *threads.Graph, c *class, v View) *doc.Section {
	s := &doc.Section{Title: c.name + v.Suffix, About: aboutClass(c, g, v)}
	t := objectTable()
	for _, x := range c.objects {
		lanes := busiest(x)
		p := picture(o, x, lanes, v)
		if len(c.objects) > 1 {
			own := &doc.Section{Title: label(x), Depth: doc.Paged}
			own.Add(p)
			s.Add(own)
		} else {
			s.Add(p)
		}
		t.Rows = append(t.Rows, doc.Row{Group: label(x)})
		t.Rows = append(t.Rows, laneRows(o, lanes)...)
	}
	if c.others.Calls > 0 {
		text := "and " + figure.Plural(c.others.Objects, "other object", "other objects") + " without a picture: "
		t.Rows = append(t.Rows, doc.Row{Cells: doc.Texts("…"), Span: text + callsOf(c.others.Calls) + inAll(v)})
	}
	s.Add(t)
	return s
}

// inAll says that a number is about the whole log, if the rest is about a part.
func inAll(v View) string {
	if v.Part {
		return " in the whole log"
	}
	return ""
}

// aboutClass says how many objects a class has, how often it was called, and how often from its own methods.
func aboutClass(c *class, g *threads.Graph, v View) string {
	text := callsOf(c.calls)
	if v.Part {
		text = figure.Count(c.shown) + " of " + text + " in this part"
	}
	for _, n := range g.Nodes {
		if !n.Start && n.Name == c.name && n.Within > 0 {
			text += ", " + figure.Count(n.Within) + " of them from methods of the class itself"
		}
	}
	objects := c.others.Objects
	for _, x := range c.objects {
		if x.Hash != 0 {
			objects++
		}
	}
	if objects > 0 {
		text += "; " + figure.Plural(objects, "object", "objects")
	}
	return text
}

// objectTable is an empty table for what each thread did with objects.
func objectTable() *doc.Table {
	return &doc.Table{Columns: []doc.Column{
		{Head: "thread"},
		{Head: "calls", Number: true},
		{Head: "mean", Number: true},
		{Head: "longest", Number: true, Rank: 1},
		{Head: "in it", Number: true, Rank: 2, Help: "share of the time in which the thread was in one of its methods"},
		{
			Head:   "of it waiting",
			Number: true,
			Rank:   1,
			Help:   "for other threads, in calls of the platform and at monitors",
		},
		{Head: "by exception", Number: true, Rank: 3},
	}}
}

// laneRows say what each thread did with one object.
func laneRows(o *threads.Order, lanes []threads.Lane) []doc.Row {
	var rows []doc.Row
	span := duration(o)
	for i := range lanes {
		l := &lanes[i]
		mean, longest := "", ""
		if l.Ended > 0 {
			mean = figure.Quantity(float64(l.TotalNS)/float64(l.Ended), "ns")
			longest = figure.Quantity(float64(l.LongestNS), "ns")
		}
		r := doc.Row{Cells: doc.Texts(o.Threads[l.Thread], figure.Count(l.Calls), mean, longest,
			figure.Percent(float64(l.BusyNS)/span),
			figure.Percent(float64(l.WaitNS)/max(1, float64(l.BusyNS))), figure.Count(l.Thrown))}
		if i >= mostLanes {
			r.Depth = doc.Full
		}
		rows = append(rows, r)
	}
	if n := len(lanes) - mostLanes; n > 0 {
		rest := figure.Plural(n, "thread", "threads") + " with fewer calls"
		rows = append(rows, doc.Row{
			Cells: doc.Texts("…"),
			Span:  "and " + rest + ": the page has them",
			Depth: doc.Terse,
		})
	}
	return rows
}

func callsOf(n int64) string {
	return figure.Count(n) + map[bool]string{true: " call", false: " calls"}[n == 1]
}

// laneRow is the row of one thread.
func laneRow(o *threads.Order, l *threads.Lane, fromNS int64) plot.LaneRow {
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
		from, to := float64(s.Begin-o.Begin+fromNS), float64(s.End-o.Begin+fromNS)
		row.Blocks = append(row.Blocks, plot.LaneBlock{From: from, To: to, Depth: s.Depth, Name: s.Method, Odd: odd})
	}
	return row
}

// otherClasses are the classes without a picture of any object.
func otherClasses(rest []threads.Others, v View) *doc.Section {
	s := &doc.Section{Title: "Other classes" + v.Suffix, Folded: true, About: "of which no object has a picture"}
	t := &doc.Table{Columns: []doc.Column{
		{Head: "class"},
		{Head: "objects", Number: true},
		{Head: "calls" + inAll(v), Number: true},
	}}
	slices.SortStableFunc(rest, func(x, y threads.Others) int { return cmp.Compare(y.Calls, x.Calls) })
	for i, x := range rest {
		if i == mostListed {
			more := "and " + figure.Plural(len(rest)-i, "class", "classes") + " with fewer calls"
			t.Rows = append(t.Rows, doc.Row{Cells: doc.Texts("…"), Span: more})
			break
		}
		t.Rows = append(t.Rows, doc.Row{
			Cells: doc.Texts(x.Class, figure.Count(int64(x.Objects)), figure.Count(x.Calls)),
		})
	}
	t.Shorten(mostOthers, "class", "classes", inFile)
	s.Add(t)
	return s
}

// graphSection says who called whom: as a picture, and as a table, which is folded if it is long.
func graphSection(g *threads.Graph, v View) *doc.Section {
	s := &doc.Section{Title: "Who calls whom" + v.Suffix}
	classes := 0
	for _, n := range g.Nodes {
		if !n.Start {
			classes++
		}
	}
	switch {
	case classes == 0:
		return s
	case len(g.Nodes) > mostNodes:
		many := figure.Plural(classes, "class", "classes")
		s.Add(doc.Paragraph{
			Text:  many + " are too many for a picture here: -o calls.dot writes them for Graphviz.",
			Depth: doc.Paged,
		})
	default:
		s.Add(graphPicture(g, classes, v))
	}
	s.Add(callTables(g)...)
	return s
}

// callTables are the calls between classes as a table: in part on terminals, and folded on the page if it is
// long.
func callTables(g *threads.Graph) []doc.Block {
	name := func(i int) string { return g.Nodes[i].Label() }
	t := &doc.Table{Columns: []doc.Column{
		{Head: "caller → callee", Short: "caller → callee"},
		{Head: "calls", Number: true},
	}}
	for _, c := range g.Calls() {
		callee := name(c.To)
		if c.From == c.To {
			callee = "itself"
		}
		t.Rows = append(t.Rows, doc.Row{Cells: doc.Texts(name(c.From)+" → "+callee, figure.Count(c.Calls))})
	}
	if len(t.Rows) <= mostCalls {
		return []doc.Block{t}
	}
	printed := *t
	printed.Depth, printed.Rows = doc.Unpaged, slices.Clone(t.Rows)
	printed.Shorten(mostCalls, "pair with fewer calls", "pairs with fewer calls", inFile)
	folded := &doc.Section{Title: "All calls as a table", Folded: true, Depth: doc.Paged}
	folded.About = figure.Plural(len(t.Rows), "pair of classes", "pairs of classes")
	folded.Add(t)
	return []doc.Block{&printed, folded}
}

func graphPicture(g *threads.Graph, classes int, v View) *doc.Figure {
	p := plot.Graph{Alt: "Calls between " + figure.Plural(classes, "class", "classes")}
	for _, layer := range g.Layers() {
		var nodes []plot.Node
		for _, i := range layer {
			nodes = append(nodes, graphNode(&g.Nodes[i], i, v))
		}
		p.Layers = append(p.Layers, nodes)
	}
	for _, e := range g.Edges {
		a := plot.Arrow{From: e.From, To: e.To, Text: figure.Count(e.Calls)}
		switch {
		case e.Parameter:
			a.Text, a.Class = "", "dashed"
		case v.marks(g.Nodes[e.To].Name):
			a.Class = "marked"
		}
		p.Arrows = append(p.Arrows, a)
	}
	caption := "Solid arrows are calls, with their number; dashed ones lead to the type of a parameter. " +
		"Calls within a class are in its box."
	return &doc.Figure{SVG: p.SVG(), Alt: p.Alt, Caption: caption}
}

func graphNode(n *threads.Node, id int, v View) plot.Node {
	node := plot.Node{ID: id, Name: n.Label(), Title: n.Name + ": " + callsOf(n.Calls)}
	if n.Within > 0 {
		node.Below = "and " + figure.Count(n.Within) + " within"
		node.Title += ", " + figure.Count(n.Within) + " of them within the class"
	}
	switch {
	case n.Start:
		node.Class, node.Title = "start", "start of "+figure.Plural(n.Threads, "thread", "threads")+" "+n.Name
	case v.marks(n.Name):
		node.Class = "marked"
	}
	return node
}
