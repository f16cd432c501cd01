package order

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis/chapter/threads"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
	"moobench/results/events"
)

// lines are paragraphs with their marks, and with what a page shows on demand.
func lines(all []doc.Paragraph) (texts []string) {
	for _, p := range all {
		text := strings.TrimSpace(p.Mark + " " + p.Text)
		if p.Fold != "" {
			text += " [" + p.Fold + "]"
		}
		texts = append(texts, text)
	}
	return texts
}

// TestRemarks: what a log lacks is said, and nothing of a whole one.
func TestRemarks(t *testing.T) {
	notes := strings.Fields("n1 n2 n3 n4 n5 n6 n7")
	const missing = " events of b are missing: what is drawn has gaps. Monitor fewer methods, or give the log more room: -Dmoobench.events.memory=256m, -Dmoobench.events.limit=16g"
	const cut = "! The log of b has no end: the JVM still runs, was killed, or its disk is full. What it had not yet written is not here."
	const entry = " of b had no entry: the method was entered before it was monitored, or the entry was lost. They are in no number."
	for name, c := range map[string]struct {
		got  []doc.Paragraph
		want []string
	}{
		"a whole log":      {Remarks(&events.Log{Whole: true}, 0, " of b"), nil},
		"lost and unkept":  {Remarks(&events.Log{Whole: true, Lost: 1000, Unkept: 234}, 0, " of b"), []string{"! 1,234" + missing}},
		"lost":             {Remarks(&events.Log{Whole: true, Lost: 1}, 0, " of b"), []string{"! 1" + missing}},
		"without its end":  {Remarks(&events.Log{}, 0, " of b"), []string{cut}},
		"one exit":         {Remarks(&events.Log{Whole: true}, 1, " of b"), []string{"1 exit" + entry}},
		"several exits":    {Remarks(&events.Log{Whole: true}, 2, " of b"), []string{"2 exits" + entry}},
		"everything is":    {Beyond(&events.Log{}, 0, " of b"), nil},
		"too many names":   {Beyond(&events.Log{Beyond: events.Beyond{Names: 1, Events: 2000}}, 0, " of b"), []string{"! The log of b has more names of methods, threads and objects than are kept in memory: 1 are not, and 2,000 events of theirs are in no number. Monitor fewer methods."}},
		"too deep":         {Beyond(&events.Log{}, 1, " of b"), []string{"! 1 executions of b lay in more others than are followed: they are in no picture and no number."}},
		"a lane for each":  {Laneless(&threads.Order{}, " of b"), nil},
		"one without":      {Laneless(&threads.Order{Laneless: 1}, " of b"), []string{"! 1 thread of objects of b came after too many others, and have no row: their calls are in the object's number alone."}},
		"everything seen":  {NotSeen(nil, "Calls", " of b"), nil},
		"five notes":       {NotSeen(notes[:5], "Calls", " of b"), []string{"! Calls are not seen of b of n1", "! Calls are not seen of b of n2", "! Calls are not seen of b of n3", "! Calls are not seen of b of n4", "! Calls are not seen of b of n5"}},
		"one more than so": {NotSeen(notes[:6], "Calls", "")[4:], []string{"! Calls are not seen of n5", "! 1 more note of this kind. [n6]"}},
		"many notes":       {NotSeen(notes, "Calls", "")[5:], []string{"! 2 more notes of this kind. [n6; n7]"}},
		"no price": {
			[]doc.Paragraph{Took(&events.Log{Events: 7}, 0, " of b")}, []string{"What the log took of b was not measured: that is done at the program's end."},
		},
		"a price": {
			[]doc.Paragraph{Took(&events.Log{Events: 1200, PricePS: 26_000}, 0, " of b")},
			[]string{"The log of b: 1,200 events of 26.00 ns each, measured at the end. What else it costs, in caches and in what the compiler no longer does, is not in that."},
		},
		"all prices": {
			[]doc.Paragraph{Took(&events.Log{Events: 1, PricePS: 26_000, WovenNS: 1, MadeNS: 2000}, 3, "")},
			[]string{
				"The log: 1 events of 26.00 ns each, measured at the end, 1.000 ns to instrument classes, 2.000 µs to begin the logs of threads, 3.000 ns to find callers. " +
					"What else it costs, in caches and in what the compiler no longer does, is not in that.",
			},
		},
	} {
		if diff := cmp.Diff(c.want, lines(c.got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestLabels: a label says how sure it is that this is one object.
func TestLabels(t *testing.T) {
	for _, c := range []struct {
		object threads.Object
		want   string
	}{
		{threads.Object{Class: "a.B"}, "a.B, static methods"},
		{threads.Object{Class: "a.B", Hash: 0x2f, Nth: 1}, "a.B, object 2f"},
		{threads.Object{Class: "a.B", Hash: 0x2f, Several: true}, "a.B, object 2f (may be several)"},
		{threads.Object{Class: "a.B", Hash: 0x2f, Nth: 2, Several: true}, "a.B, object 2f no. 2 (may be several)"},
	} {
		if got := title(&c.object); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// calls is an object with a lane for each number of calls.
func calls(class string, hash uint32, all ...int64) threads.Object {
	x := threads.Object{Class: class, Hash: hash, Nth: 1}
	for i, n := range all {
		x.Calls += n
		x.Lanes = append(x.Lanes, threads.Lane{Thread: i, Calls: n})
	}
	return x
}

// TestClassesOf: the objects of a class are together, those without a call in the window are among its others, and
// the class with most calls is first.
func TestClassesOf(t *testing.T) {
	o := &threads.Order{
		Objects: []threads.Object{calls("a.Few", 1, 3), calls("a.Many", 2, 5, 7), calls("a.Few", 3, 4), calls("a.Many", 4, 0), calls("a.Silent", 0, 0), calls("a.Gone", 5, 0)},
		Others:  []threads.Others{{Class: "a.Few", Objects: 2, Calls: 1}, {Class: "a.Other", Objects: 9, Calls: 100}},
	}
	o.Objects[3].Calls, o.Objects[4].Calls, o.Objects[5].Calls = 50, 60, 70
	classes, rest := classesOf(o)
	var got []string
	for _, c := range classes {
		got = append(got, fmt.Sprintf("%s: %d objects, %d calls, %d of them here; %+v", c.name, len(c.objects), c.calls, c.shown, c.others))
	}
	want := []string{
		"a.Many: 1 objects, 62 calls, 12 of them here; {Class:a.Many Objects:1 Calls:50}",
		"a.Few: 2 objects, 8 calls, 7 of them here; {Class:a.Few Objects:2 Calls:1}",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]threads.Others{{Class: "a.Other", Objects: 9, Calls: 100}, {Class: "a.Silent", Calls: 60}, {Class: "a.Gone", Objects: 1, Calls: 70}}, rest); diff != "" {
		t.Error(diff)
	}
	if len(o.Others) != 2 || o.Others[0].Objects != 2 {
		t.Errorf("the order itself has changed: %+v", o.Others)
	}
}

// TestBusiest: a lane counts where anything was done in it, and the one with most calls is first.
func TestBusiest(t *testing.T) {
	x := threads.Object{Lanes: []threads.Lane{
		{Thread: 0}, {Thread: 1, Calls: 1}, {Thread: 2, BusyNS: 1}, {Thread: 3, WaitNS: 1}, {Thread: 4, Spans: []threads.Span{}}, {Thread: 5, Calls: 2},
	}}
	var got []int
	for _, l := range busiest(&x) {
		got = append(got, l.Thread)
	}
	if diff := cmp.Diff([]int{5, 1, 2, 3, 4}, got); diff != "" {
		t.Error(diff)
	}
}

// cellTexts are the cells of rows, with what spans them.
func cellTexts(rows []doc.Row) (all []string) {
	for _, r := range rows {
		text := r.Group
		for i, c := range r.Cells {
			text += strings.Repeat(" | ", min(i, 1)) + c.Text
		}
		all = append(all, text+strings.Repeat(" | ", min(len(r.Span), 1))+r.Span)
	}
	return all
}

// TestLaneRows: what a thread did, in a row; means are of what has ended.
func TestLaneRows(t *testing.T) {
	o := &threads.Order{Log: &events.Log{Threads: []string{"main", "t1"}}, Begin: 1000, End: 2000}
	lanes := []threads.Lane{
		{Thread: 0, Calls: 4, Ended: 3, TotalNS: 600, LongestNS: 400, BusyNS: 500, WaitNS: 125, Thrown: 2},
		{Thread: 1, Calls: 1},
		{Thread: 1, Calls: 1, BusyNS: 1, WaitNS: 1},
	}
	want := []string{
		"main | 4 | 200.0 ns | 400.0 ns | 50 % | 25 % | 2",
		"t1 | 1 |  |  | 0 % | 0 % | 0",
		"t1 | 1 |  |  | 0.1 % | 100 % | 0",
	}
	if diff := cmp.Diff(want, cellTexts(laneRows(o, lanes))); diff != "" {
		t.Error(diff)
	}
	rows := laneRows(o, make([]threads.Lane, mostLanes+1))
	last, cut := rows[len(rows)-1], rows[mostLanes]
	if len(rows) != mostLanes+2 || last.Span != "and 1 thread with fewer calls: the page has them" || last.Depth != doc.Terse || cut.Depth != doc.Full || rows[mostLanes-1].Depth != 0 {
		t.Errorf("%d rows, the last one %+v, the first cut one %+v", len(rows), last, cut)
	}
	if rows := laneRows(o, make([]threads.Lane, mostLanes)); len(rows) != mostLanes {
		t.Errorf("%d rows of %d threads", len(rows), mostLanes)
	}
}

// TestLaneRow: executions become blocks along the axis, which begins where the window does; where there are too many,
// their shares of the time.
func TestLaneRow(t *testing.T) {
	o := &threads.Order{Log: &events.Log{Threads: []string{"main", "t1"}}, Begin: 1000, End: 2000}
	row := laneRow(o, &threads.Lane{Thread: 1, Calls: 1, Spans: []threads.Span{
		{Method: 3, Begin: 1000, End: 1100, Depth: 1, Thrown: true},
		{Begin: 1200, End: 1300, Open: true, Thrown: true},
		{Begin: 1400, End: 1500, Waiting: true, Open: true},
		{Begin: 1600, End: 2000},
	}}, 50)
	want := plot.LaneRow{Name: "t1", Text: "1 call", Tint: 1, Blocks: []plot.LaneBlock{
		{From: 50, To: 150, Depth: 1, Name: 3, Odd: plot.Thrown},
		{From: 250, To: 350, Odd: plot.Open},
		{From: 450, To: 550, Odd: plot.Waiting},
		{From: 650, To: 1050},
	}}
	if diff := cmp.Diff(want, row); diff != "" {
		t.Error(diff)
	}
	row = laneRow(o, &threads.Lane{Calls: 2000, Columns: []int64{0, 125, 250, 300}}, 50)
	if diff := cmp.Diff(plot.LaneRow{Name: "main", Text: "2,000 calls", Shares: []float64{0, 0.5, 1, 1}}, row); diff != "" {
		t.Error(diff)
	}
	if got := duration(&threads.Order{Begin: 5, End: 5}); got != 1 {
		t.Errorf("an instant lasts %v ns", got)
	}
}

// TestNamed: of all methods those that are drawn get a name, the first ones first.
func TestNamed(t *testing.T) {
	o := &threads.Order{Log: &events.Log{Methods: []string{"void a.B.one()", "void a.B.two()", "void a.B.three()", "void a.B.four()"}}}
	rows := []plot.LaneRow{{Blocks: []plot.LaneBlock{{Name: 3}, {Name: 1}}}, {Blocks: []plot.LaneBlock{{Name: 3}}}}
	names := named(o, rows)
	if diff := cmp.Diff([]string{"a.B.two", "a.B.four"}, names); diff != "" {
		t.Error(diff)
	}
	if rows[0].Blocks[0].Name != 1 || rows[0].Blocks[1].Name != 0 || rows[1].Blocks[0].Name != 1 {
		t.Errorf("%+v", rows)
	}
}

// TestOtherClasses: those with most calls come first, a terminal has ten of them and a page a thousand.
func TestOtherClasses(t *testing.T) {
	others := func(n int) (all []threads.Others) {
		for i := range n {
			all = append(all, threads.Others{Class: fmt.Sprint("a.C", i), Objects: 1, Calls: int64(i)})
		}
		return all
	}
	table := func(n int, v View) *doc.Table {
		t.Helper()
		s := otherClasses(others(n), v)
		if s.Title != "Other classes"+v.Suffix || !s.Folded || len(s.Blocks) != 1 {
			t.Fatalf("%+v", s)
		}
		return s.Blocks[0].(*doc.Table)
	}
	few := table(mostOthers, View{Suffix: " of process 7"})
	if rows := cellTexts(few.Rows); len(rows) != mostOthers || rows[0] != "a.C9 | 1 | 9" || few.Columns[2].Head != "calls" {
		t.Errorf("%q below %s", rows, few.Columns[2].Head)
	}
	more := table(mostOthers+1, View{Part: true})
	if rows := cellTexts(more.Rows); rows[mostOthers+1] != "… | and 1 class: the page has them (-o trace.html)" || more.Columns[2].Head != "calls in the whole log" {
		t.Errorf("%q below %s", rows[mostOthers+1], more.Columns[2].Head)
	}
	all := cellTexts(table(mostListed+2, View{}).Rows)
	if all[mostListed] != "… | and 2 classes with fewer calls" || all[mostListed-1] != "a.C2 | 1 | 2" {
		t.Errorf("%q after %q", all[mostListed], all[mostListed-1])
	}
}

// graphOf has so many classes, each of which calls the next one.
func graphOf(classes int) *threads.Graph {
	g := &threads.Graph{Nodes: []threads.Node{{Name: "main", Start: true, Threads: 2}}}
	for i := range classes {
		g.Nodes = append(g.Nodes, threads.Node{Name: fmt.Sprint("a.C", i), Calls: int64(i + 1)})
		g.Edges = append(g.Edges, threads.Edge{From: i, To: i + 1, Calls: int64(i + 1)})
	}
	return g
}

// TestGraphSection: few classes have a picture, and their calls a table; of many there is a table alone, of which a
// terminal has the first rows.
func TestGraphSection(t *testing.T) {
	kinds := func(n int) (all []string) {
		for _, b := range graphSection(graphOf(n), View{}).Blocks {
			switch b := b.(type) {
			case *doc.Figure:
				all = append(all, "figure: "+b.Alt)
			case doc.Paragraph:
				all = append(all, b.Text)
			case *doc.Table:
				all = append(all, fmt.Sprintf("table of %d, depth %d", len(b.Rows), b.Depth))
			case *doc.Section:
				all = append(all, fmt.Sprintf("%s: %s, depth %d", b.Title, b.About, b.Depth))
			}
		}
		return all
	}
	for n, want := range map[int][]string{
		0:             nil,
		1:             {"figure: Calls between 1 class", "table of 1, depth 0"},
		mostCalls:     {"figure: Calls between 15 classes", "table of 15, depth 0"},
		mostCalls + 1: {"figure: Calls between 16 classes", fmt.Sprintf("table of 17, depth %d", doc.Unpaged), fmt.Sprintf("All calls as a table: 16 pairs of classes, depth %d", doc.Paged)},
		mostNodes - 1: {"figure: Calls between 59 classes", fmt.Sprintf("table of 60, depth %d", doc.Unpaged), fmt.Sprintf("All calls as a table: 59 pairs of classes, depth %d", doc.Paged)},
		mostNodes:     {"60 classes are too many for a picture here: -o calls.dot writes them for Graphviz.", fmt.Sprintf("table of 61, depth %d", doc.Unpaged), fmt.Sprintf("All calls as a table: 60 pairs of classes, depth %d", doc.Paged)},
	} {
		if diff := cmp.Diff(want, kinds(n)); diff != "" {
			t.Errorf("%d classes (-want +got):\n%s", n, diff)
		}
	}
}

// TestGraphPicture: calls have their number, what is named is marked, and a parameter's arrow is dashed.
func TestGraphPicture(t *testing.T) {
	g := graphOf(2)
	g.Nodes[2].Within = 1
	g.Edges = append(g.Edges, threads.Edge{From: 2, To: 1, Parameter: true})
	svg := graphSection(g, View{Marked: func(class string) bool { return class == "a.C1" }}).Blocks[0].(*doc.Figure).SVG
	for part, n := range map[string]int{
		`<g class="arrow">`: 1, `<g class="arrow marked">`: 1, `<g class="arrow dashed">`: 1, ">1<": 1, ">2<": 1, ">0<": 0,
		`<g class="node start">`: 1, `<g class="node marked">`: 1, `<g class="node ">`: 1, "<title>start of 2 threads main</title>": 1,
		"<title>a.C0: 1 call</title>": 1, "<title>a.C1: 2 calls, 1 of them within the class</title>": 1, ">and 1 within<": 1, ">START main (2 threads)<": 1,
	} {
		if got := strings.Count(svg, part); got != n {
			t.Errorf("%s is there %d times, want %d: %s", part, got, n, svg)
		}
	}
}

// TestObject: the picture of one object, by its hash; threads without anything in it have no row, and more than forty
// neither.
func TestObject(t *testing.T) {
	o := &threads.Order{Log: &events.Log{Threads: make([]string, 50)}, Begin: 1000, End: 3000, Objects: []threads.Object{calls("a.B", 1, 2), calls("a.C", 2, make([]int64, 50)...)}}
	for i := range o.Objects[1].Lanes {
		o.Objects[1].Lanes[i] = threads.Lane{Thread: i, Calls: int64(i), Columns: []int64{1}}
	}
	if Object(nil, 1, View{}) != nil || Object(o, 3, View{}) != nil {
		t.Error("an object that is not there is drawn")
	}
	p := Object(o, 1, View{FromNS: 4000})
	if p.Alt != "When 1 thread called a.B, object 1" || !strings.Contains(p.SVG, ">µs since the first event<") || !strings.Contains(p.SVG, ">4<") || !strings.Contains(p.SVG, ">6<") {
		t.Errorf("%s: %s", p.Alt, p.SVG)
	}
	if p := Object(o, 2, View{}); p.Alt != "When 40 threads called a.C, object 2" {
		t.Error(p.Alt)
	}
}

// TestWithObject: an object without a picture is counted among those of its class, wherever that stands.
func TestWithObject(t *testing.T) {
	var others []threads.Others
	for _, x := range []threads.Object{calls("a.B", 1, 3), calls("a.C", 2, 5), calls("a.B", 3, 4), calls("a.B", 0, 9)} {
		others = withObject(others, &x)
	}
	want := []threads.Others{{Class: "a.B", Objects: 2, Calls: 16}, {Class: "a.C", Objects: 1, Calls: 5}}
	if diff := cmp.Diff(want, others); diff != "" {
		t.Error(diff)
	}
}

// TestClassSection: a class with one object has its picture, one with several a section for each; objects without a
// picture are told if anything was called.
func TestClassSection(t *testing.T) {
	o := &threads.Order{Log: &events.Log{Threads: []string{"main"}}, Begin: 0, End: 1000}
	one, two := calls("a.B", 1, 3), calls("a.B", 2, 5)
	for name, c := range map[string]struct {
		class class
		part  bool
		want  []string
	}{
		"one object": {
			class{name: "a.B", objects: []*threads.Object{&one}},
			false,
			[]string{"figure", "rows: object 1; main | 3"},
		},
		"two objects": {
			class{name: "a.B", objects: []*threads.Object{&one, &two}},
			false,
			[]string{"section object 1", "section object 2", "rows: object 1; main | 3; object 2; main | 5"},
		},
		"others": {
			class{name: "a.B", objects: []*threads.Object{&one}, others: threads.Others{Objects: 2, Calls: 1}},
			true,
			[]string{
				"figure", "rows: object 1; main | 3; and 2 other objects without a picture: 1 call in the whole log",
			},
		},
		"others that were not called": {
			class{name: "a.B", objects: []*threads.Object{&one}, others: threads.Others{Objects: 2}},
			false,
			[]string{"figure", "rows: object 1; main | 3"},
		},
	} {
		var got []string
		s := classSection(o, &threads.Graph{}, &c.class, View{Part: c.part, Suffix: " of b"})
		for _, b := range s.Blocks {
			switch b := b.(type) {
			case *doc.Figure:
				got = append(got, "figure")
			case *doc.Section:
				got = append(got, "section "+b.Title)
			case *doc.Table:
				var rows []string
				for _, r := range b.Rows {
					text := r.Group + r.Span
					if text == "" {
						text = r.Cells[0].Text + " | " + r.Cells[1].Text
					}
					rows = append(rows, text)
				}
				got = append(got, "rows: "+strings.Join(rows, "; "))
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" || s.Title != "a.B of b" {
			t.Errorf("%s: %s (-want +got):\n%s", name, s.Title, diff)
		}
	}
}

// TestAboutClass: how often a class was called, from where, and how many objects it has.
func TestAboutClass(t *testing.T) {
	one, static := calls("a.B", 1, 3), calls("a.B", 0, 4)
	g := &threads.Graph{Nodes: []threads.Node{{Name: "a.B", Start: true, Within: 9}, {Name: "a.B", Within: 2}, {Name: "a.C", Within: 5}}}
	for _, c := range []struct {
		class class
		graph *threads.Graph
		part  bool
		want  string
	}{
		{class{name: "a.B", calls: 7, shown: 5, objects: []*threads.Object{&one, &static}}, g, false, "7 calls, 2 of them from methods of the class itself; 1 object"},
		{class{name: "a.B", calls: 7, shown: 5, objects: []*threads.Object{&one}, others: threads.Others{Objects: 1}}, &threads.Graph{}, true, "5 of 7 calls in this part; 2 objects"},
		{class{name: "a.B", calls: 1, shown: 1, objects: []*threads.Object{&static}}, &threads.Graph{}, false, "1 call"},
	} {
		if got := aboutClass(&c.class, c.graph, View{Part: c.part}); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
