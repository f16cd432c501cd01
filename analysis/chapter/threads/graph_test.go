package threads

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"moobench/analysis/internal/testevents"
)

// calls are two threads, of which one calls through Main and Store into Item, and back into
// Store; the other one calls Store alone.
const calls = `
	0 main + Main.run 1
	10 main + Store.put 2
	15 main + Item.check 3
	16 main + Store.size 2
	18 main - Store.size 2
	20 main - Item.check 3
	30 main + Store.put 2
	40 main ! Store.put 2
	50 main - Store.put 2
	60 main - Main.run 1
	70 t1 + Store.put 2
	80 t1 - Store.put 2`

func TestReadGraph(t *testing.T) {
	g, err := readGraph(testevents.File(t, calls), math.MinInt64, math.MaxInt64)
	if err != nil {
		t.Fatal(err)
	}
	want := &Graph{
		Nodes: []Node{{Name: "main", Start: true, Threads: 1}, {Name: "a.Main", Calls: 1}, {Name: "a.Store", Calls: 4, Within: 1}, {Name: "a.Item", Calls: 1}, {Name: "t1", Start: true, Threads: 1}},
		Edges: []Edge{{0, 1, 1, false}, {1, 2, 1, false}, {2, 3, 1, false}, {3, 2, 1, false}, {4, 2, 1, false}},
	}
	if diff := cmp.Diff(want, g); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	wanted := []Call{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 2, 1}, {4, 2, 1}, {2, 2, 1}}
	if diff := cmp.Diff(wanted, g.Calls()); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([][]int{{0, 4}, {1, 2}, {3}}, g.Layers()); diff != "" {
		t.Errorf("layers (-want +got):\n%s", diff)
	}
	var dot strings.Builder
	if err := g.WriteDot(&dot, func(class string) bool { return class == "a.Store" }); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{`n0 [label="START\nmain"];`, `n2 [label="a.Store\n(and 1 within)" color=red];`, `n1 -> n2 [label=1 color=red];`, `n2 -> n3 [label=1];`} {
		if !strings.Contains(dot.String(), "\t"+line+"\n") {
			t.Errorf("no %s in\n%s", line, dot.String())
		}
	}
}

// TestCallsAddUp: whatever a log says, the calls that lead to a class by edges, and those within
// it, are the calls of the class, and those of its objects; and so in any window.
func TestCallsAddUp(t *testing.T) {
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		var log strings.Builder
		log.WriteString("0 t0 + A.first 1\n")
		for at := range rapid.IntRange(0, 80).Draw(t, "events") {
			fmt.Fprintf(&log, "%d t%d %s %s.m%d %d\n", at, rapid.IntRange(0, 2).Draw(t, "thread"), rapid.SampledFrom(strings.Split("++++---!war?", "")).Draw(t, "kind"),
				rapid.SampledFrom([]string{"A", "B", "C"}).Draw(t, "class"), rapid.IntRange(0, 1).Draw(t, "method"), rapid.IntRange(0, 4).Draw(t, "object"))
		}
		o := Options{objects: rapid.IntRange(0, 20).Draw(t, "objects"), spans: 10, columns: 3}
		windowed := rapid.Bool().Draw(t, "windowed")
		if windowed {
			o.objects, o.From, o.To = 20, rapid.Int64Range(0, 40).Draw(t, "from"), rapid.Int64Range(41, 90).Draw(t, "to")
		}
		order, g, err := Follow(testevents.File(outer, log.String()), o)
		if err != nil {
			t.Fatal(err)
		}
		led, had, of := map[string]int64{}, map[string]int64{}, map[string]int64{}
		for _, c := range g.Calls() {
			led[g.Nodes[c.To].Name] += c.Calls
		}
		for _, n := range g.Nodes {
			if n.Calls > 0 {
				had[n.Name] = n.Calls
			}
		}
		for i := range order.Objects {
			n := order.Objects[i].Calls
			if windowed {
				n = order.Objects[i].Shown()
			}
			if n > 0 {
				of[order.Objects[i].Class] += n
			}
		}
		for _, x := range order.Others {
			of[x.Class] += x.Calls
		}
		if diff := cmp.Diff(had, led); diff != "" {
			t.Errorf("calls of the classes, and by the graph (-had +led):\n%s%s", diff, log.String())
		}
		if diff := cmp.Diff(had, of); diff != "" {
			t.Errorf("calls of the classes, and of their objects (-had +of):\n%s%s", diff, log.String())
		}
	})
}

// TestParameters: a class that methods take depends on them, too.
func TestParameters(t *testing.T) {
	g, err := readGraph(testevents.File(t, "0 t0 + C.run 1\n1 t0 - C.run 1\n2 t0 + run 2\n3 t0 - run 2"), 0, 3)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Edge{{0, 1, 1, false}, {0, 2, 1, false}, {2, 1, 0, true}}, g.Edges); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestStacks(t *testing.T) {
	var got strings.Builder
	if err := Stacks(testevents.File(t, calls), &got); err != nil {
		t.Fatal(err)
	}
	want := `main;a.Main.run 20
main;a.Main.run;a.Store.put 25
main;a.Main.run;a.Store.put;a.Item.check 3
main;a.Main.run;a.Store.put;a.Item.check;a.Store.size 2
main;a.Main.run;a.Store.put;a.Store.put 10
t1;a.Store.put 10
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestStacksOfWaits: what a thread waits is apart from what it works, and no class is called.
func TestStacksOfWaits(t *testing.T) {
	const log = "0 t0 + take 7\n10 t0 w take 7\n30 t0 a take 7\n35 t0 - take 7"
	var got strings.Builder
	if err := Stacks(testevents.File(t, log), &got); err != nil {
		t.Fatal(err)
	}
	if want := "t0;a.B.take 15\nt0;a.B.take;waiting 20\n"; got.String() != want {
		t.Errorf("%q, want %q", got.String(), want)
	}
	if g, err := readGraph(testevents.File(t, log), 0, 35); err != nil || len(g.Nodes) != 2 || len(g.Edges) != 1 {
		t.Errorf("%+v, %v", g, err)
	}
	var chrome strings.Builder
	if err := WriteChrome(testevents.File(t, log), &chrome, 1); err != nil || strings.Count(chrome.String(), `"ph":"B"`) != 2 || strings.Count(chrome.String(), `"ph":"E"`) != 2 {
		t.Errorf("%v:\n%s", err, chrome.String())
	}
}

func TestWriteChrome(t *testing.T) {
	var got strings.Builder
	if err := WriteChrome(testevents.File(t, "1000 t0 + run 255\n3500 t0 ? x 4\n4000 t0 ! run 255"), &got, 42); err != nil {
		t.Fatal(err)
	}
	var read struct{ TraceEvents []map[string]any }
	if err := json.Unmarshal([]byte(got.String()), &read); err != nil {
		t.Fatal(err)
	}
	line := func(pairs ...any) map[string]any {
		m := map[string]any{"pid": 42.0, "tid": 0.0}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i].(string)] = pairs[i+1]
		}
		return m
	}
	want := []map[string]any{
		line("ph", "M", "ts", 0.0, "name", "thread_name", "args", map[string]any{"name": "t0"}),
		line("ph", "B", "ts", 0.0, "name", "a.B.run", "args", map[string]any{"signature": "public void a.B.run(int, a.C)", "object": "ff"}),
		line("ph", "i", "ts", 2.5, "name", "4 events are missing", "s", "t"),
		line("ph", "E", "ts", 3.0, "args", map[string]any{"thrown": true}),
	}
	if diff := cmp.Diff(want, read.TraceEvents); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
