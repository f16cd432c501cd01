package threads

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"moobench/results/events"
)

// Node is a class in a call graph, or the start of threads.
type Node struct {
	Name  string
	Start bool  // a start; Name is the threads' name
	Calls int64 // executions of its methods
	// Threads is the number of threads of that name that start there.
	Threads int
	// Within counts the Calls that the class made itself: the innermost monitored execution around
	// them was of one of its own methods. All others are in edges.
	Within int64
}

// Label returns the node's name; for a start, with its number of threads.
func (n *Node) Label() string {
	switch {
	case !n.Start:
		return n.Name
	case n.Threads > 1:
		return fmt.Sprintf("START %s (%d threads)", n.Name, n.Threads)
	}
	return "START " + n.Name
}

// Edge says that methods of one class call those of another.
type Edge struct {
	From, To int // indices of nodes
	Calls    int64
	// Parameter says that a method of From has a parameter of type To, without calls.
	Parameter bool
}

// Graph is the call graph of the monitored classes. Calls within a class have no edge, as in Ferber
// 2016, because they are no dependencies: they are counted in the node, so that its edges and they
// add up to its calls.
type Graph struct {
	Nodes []Node
	Edges []Edge
}

// Call is one line of a table of calls: how often methods of one class called those of another, or
// of their own.
type Call struct {
	From, To int // indices of nodes; equal for calls within a class
	Calls    int64
}

// Calls returns the graph's calls, including those within a class, most frequent first. Their sum
// over one class equals its Calls.
func (g *Graph) Calls() []Call {
	var all []Call
	for _, e := range g.Edges {
		if !e.Parameter {
			all = append(all, Call{e.From, e.To, e.Calls})
		}
	}
	for i, n := range g.Nodes {
		if n.Within > 0 {
			all = append(all, Call{i, i, n.Within})
		}
	}
	slices.SortStableFunc(all, func(x, y Call) int { return cmp.Compare(y.Calls, x.Calls) })
	return all
}

// Shown returns the number of calls of an object that began in the order's window; Calls counts the
// whole log.
func (x *Object) Shown() int64 {
	var n int64
	for i := range x.Lanes {
		n += x.Lanes[i].Calls
	}
	return n
}

// readGraph builds the call graph of an event file, from the calls that begin in a window, in the
// JVM's ns.
func readGraph(r io.Reader, begin, end int64) (*Graph, error) {
	b := graphBuilder{begin: begin, end: end, at: map[string]int{}, edges: map[[2]int]int64{}, began: map[[2]int]bool{}}
	w := walker[int]{enter: b.enter, leave: func(int, frame[int], []frame[int], int64, bool, bool) {}}
	log, err := events.Scan(r, w.event)
	if err != nil {
		return nil, err
	}
	for pair, calls := range b.edges {
		b.graph.Edges = append(b.graph.Edges, Edge{From: pair[0], To: pair[1], Calls: calls})
	}
	called, drawn := slices.Clone(b.seen), map[[2]int]bool{}
	for method, seen := range called {
		if !seen {
			continue
		}
		from := b.at[b.classes.of(log, method)]
		for _, parameter := range parameters(log.Methods[method]) {
			to, known := b.at[strings.TrimRight(parameter, "[]")]
			e := Edge{From: from, To: to, Parameter: true}
			if known && to != from && !drawn[[2]int{from, to}] {
				drawn[[2]int{from, to}] = true
				b.graph.Edges = append(b.graph.Edges, e)
			}
		}
	}
	slices.SortFunc(b.graph.Edges, func(x, y Edge) int {
		return cmp.Or(cmp.Compare(x.From, y.From), cmp.Compare(x.To, y.To), cmp.Compare(y.Calls, x.Calls))
	})
	return b.graph.used(), nil
}

// used returns the graph without nodes that neither call nor are called in its window.
func (g *Graph) used() *Graph {
	at, some := make([]int, len(g.Nodes)), &Graph{}
	for i, n := range g.Nodes {
		at[i] = -1
		if n.Calls > 0 || slices.ContainsFunc(g.Edges, func(e Edge) bool { return e.Calls > 0 && e.From == i }) {
			at[i] = len(some.Nodes)
			some.Nodes = append(some.Nodes, n)
		}
	}
	for _, e := range g.Edges {
		if e.From, e.To = at[e.From], at[e.To]; e.From >= 0 && e.To >= 0 {
			some.Edges = append(some.Edges, e)
		}
	}
	return some
}

type graphBuilder struct {
	graph      Graph
	begin, end int64 // window
	classes    classes
	at         map[string]int // index of a node; keys of starts differ from all class names
	edges      map[[2]int]int64
	began      map[[2]int]bool // threads, by node: several may have one name
	seen       []bool          // methods that were called
}

func (b *graphBuilder) node(name string, start bool) int {
	known := name
	if start {
		known = "\x00" + name
	}
	i, ok := b.at[known]
	if !ok {
		i = len(b.graph.Nodes)
		b.at[known] = i
		b.graph.Nodes = append(b.graph.Nodes, Node{Name: name, Start: start})
	}
	return i
}

// enter returns the node of each execution.
func (b *graphBuilder) enter(l *events.Log, e events.Event, around []frame[int]) int {
	for len(b.seen) <= e.Method {
		b.seen = append(b.seen, false)
	}
	b.seen[e.Method] = true
	class := b.classes.of(l, e.Method)
	var from int
	if len(around) > 0 {
		from = around[len(around)-1].own
	} else {
		from = b.node(l.Threads[e.Thread], true)
		if thread := [2]int{from, e.Thread}; !b.began[thread] {
			b.began[thread] = true
			b.graph.Nodes[from].Threads++
		}
	}
	if e.Kind != events.Enter {
		return from
	}
	to := b.node(class, false)
	switch {
	case e.TimeNS < b.begin || e.TimeNS > b.end:
		return to
	case from == to:
		b.graph.Nodes[to].Within++
	default:
		b.edges[[2]int{from, to}]++
	}
	b.graph.Nodes[to].Calls++
	return to
}

// Layers places each node as many layers below the threads' starts as there are calls between, and
// sorts each layer so that nodes that call each other are near.
func (g *Graph) Layers() [][]int {
	depth := make([]int, len(g.Nodes))
	var next []int
	for i, n := range g.Nodes {
		if depth[i] = len(g.Nodes); n.Start {
			depth[i], next = 0, append(next, i)
		}
	}
	for len(next) > 0 {
		i := next[0]
		next = next[1:]
		for _, e := range g.Edges {
			if e.From == i && !e.Parameter && depth[e.To] == len(g.Nodes) {
				depth[e.To], next = depth[i]+1, append(next, e.To)
			}
		}
	}
	layers := make([][]int, slices.Max(append(depth, 0))+1)
	for i, d := range depth {
		layers[d] = append(layers[d], i)
	}
	place := make([]float64, len(g.Nodes))
	for range 4 { // order each layer by the mean position of its callers
		for _, layer := range layers {
			for at, i := range layer {
				place[i] = float64(at) - float64(len(layer)-1)/2
			}
		}
		for _, layer := range layers[min(1, len(layers)):] {
			middle := map[int]float64{}
			for _, i := range layer {
				sum, n := 0.0, 0.0
				for _, e := range g.Edges {
					if e.To == i && depth[e.From] < depth[i] {
						sum, n = sum+place[e.From], n+1
					}
				}
				middle[i] = sum / max(1, n)
			}
			slices.SortStableFunc(layer, func(a, b int) int { return cmp.Compare(middle[a], middle[b]) })
		}
	}
	return layers
}

// WriteDot writes the graph in Graphviz's language. Marked classes are red, and so are the calls to
// them.
func (g *Graph) WriteDot(w io.Writer, marked func(class string) bool) error {
	var b strings.Builder
	b.WriteString("digraph calls {\n\tnode [shape=ellipse fontname=\"sans-serif\"];\n")
	for i, n := range g.Nodes {
		label, look := n.Label(), ""
		switch {
		case n.Start:
			label = strings.Replace(label, " ", "\n", 1)
		case marked(n.Name):
			look = " color=red"
		}
		if n.Within > 0 {
			label += fmt.Sprintf("\n(and %d within)", n.Within)
		}
		fmt.Fprintf(&b, "\tn%d [label=%s%s];\n", i, quoted(label), look)
	}
	for _, e := range g.Edges {
		look := ""
		switch to := g.Nodes[e.To]; {
		case e.Parameter:
			look = " [style=dashed]"
		case marked(to.Name):
			look = fmt.Sprintf(" [label=%d color=red]", e.Calls)
		default:
			look = fmt.Sprintf(" [label=%d]", e.Calls)
		}
		fmt.Fprintf(&b, "\tn%d -> n%d%s;\n", e.From, e.To, look)
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// quoted returns a Graphviz string, in which only quotes and backslashes are special.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

// Stacks sums the self time in ns of each stack of monitored methods: lines of thread;outer;inner
// and a number, the input of flame graph tools.
func Stacks(r io.Reader, w io.Writer) error {
	b := stackBuilder{ns: map[string]int64{}}
	walk := walker[*stack]{enter: b.enter, leave: b.leave}
	var last int64
	log, err := events.Scan(r, func(l *events.Log, e events.Event) error {
		last = max(last, e.TimeNS)
		b.log = l
		return walk.event(l, e)
	})
	if err != nil {
		return err
	}
	b.log = log
	walk.finish(last)
	for _, path := range slices.Sorted(maps.Keys(b.ns)) {
		if _, err := fmt.Fprintf(w, "%s %d\n", path, b.ns[path]); err != nil {
			return err
		}
	}
	return nil
}

// stack is one execution with its path.
type stack struct {
	path    string
	innerNS int64 // of its callees
}

type stackBuilder struct {
	log  *events.Log
	ns   map[string]int64 // by path
	text int              // bytes of the paths
}

func (b *stackBuilder) enter(l *events.Log, e events.Event, around []frame[*stack]) *stack {
	outer := frameName(l.Threads[e.Thread])
	if len(around) > 0 {
		outer = around[len(around)-1].own.path
	}
	if e.Kind != events.Enter {
		return &stack{path: b.path(outer, "waiting", len(around))}
	}
	return &stack{path: b.path(outer, frameName(Qualified(l.Methods[e.Method])), len(around))}
}

func (b *stackBuilder) leave(_ int, f frame[*stack], around []frame[*stack], end int64, _, _ bool) {
	took := end - f.begin
	b.ns[f.own.path] += max(0, took-f.own.innerNS)
	if len(around) > 0 {
		around[len(around)-1].own.innerNS += took
	}
}

// frameName returns a name without the characters that separate names, and stacks from their
// numbers.
func frameName(s string) string { return strings.NewReplacer(";", ",", " ", "_", "\n", "_").Replace(s) }
