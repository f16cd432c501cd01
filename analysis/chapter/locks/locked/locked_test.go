package locked

import (
	"fmt"
	"html"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moobench/analysis/chapter/locks"
	"moobench/analysis/chapter/threads"
	"moobench/analysis/chapter/threads/order"
	"moobench/analysis/internal/testevents"
	"moobench/analysis/report/doc"
)

// log are two threads that want one lock, of which the first execution takes long, a getter
// that is a method, a block that waits for a file, and what runs once.
func log() string {
	const put, get, once = "Store.put#method,size=40,branches=2,allocations=1,calls=3,grows=java.util.List.add", "Store.get#method,size=5", "Main.load#block=17,size=30,calls=2,io=java.io.FileInputStream.read"
	var b strings.Builder
	at := 1000
	event := func(after int, format string, args ...any) {
		at += after
		fmt.Fprintf(&b, "%d "+format+"\n", append([]any{at}, args...)...)
	}
	b.WriteString("0 - o a.Store 7\n0 - o class_a.Main 9\n")
	event(0, "main r %s 9", once)
	event(10, "main + %s 9", once)
	event(5000, "main - %s 9", once)
	for i := range 60 {
		took := 1000 + i%3
		if i == 0 {
			took = 90_000
		}
		event(10, "t1 r %s 7", put)
		event(10, "t1 + %s 7", put)
		event(10, "t1 c Main.run 7")
		event(10, "t2 r %s 7", get)
		if i == 30 {
			event(took, "t1 ! %s 7", put)
		} else {
			event(took, "t1 - %s 7", put)
		}
		event(5, "t2 + %s 7", get)
		event(map[bool]int{true: 900, false: 40}[i == 40], "t2 - %s 7", get)
	}
	return b.String()
}

func TestSections(t *testing.T) {
	r, err := locks.Read(testevents.File(t, log()))
	if err != nil {
		t.Fatal(err)
	}
	r.Notes = []string{"class a.New: too new"}
	options := threads.Closely()
	options.Of = []uint32{7}
	o, _, err := threads.Follow(testevents.File(t, log()), options)
	if err != nil {
		t.Fatal(err)
	}
	d := &doc.Document{Title: "java -jar app.jar", Facts: Facts([]*locks.Report{r})}
	for _, p := range Remarks(r, "") {
		d.Add(p)
	}
	for _, s := range Sections(r, o, Drawn, order.View{}) {
		d.Add(s)
	}
	var text strings.Builder
	if err := doc.Text(&text, d, doc.TextOptions{Width: 160}); err != nil {
		t.Fatal(err)
	}
	says := func(where, text string, words ...string) {
		t.Helper()
		one := strings.Join(strings.Fields(text), " ")
		for _, w := range words {
			if !strings.Contains(one, w) {
				t.Errorf("%s doesn't say %q", where, w)
			}
		}
	}
	says("the terminal", text.String(),
		"121 executions of 3 critical sections", "3 threads", "Locks are not seen of class a.New: too new", "The log has no end",
		"a.Store 7 ", "60 (50 %)", "Store.get for Store.put", "Store.put 60 ", "Main.load:17 1 ", "F H", "Locks that nobody waited for", "a.Main 1 5.000 µs",
		"What the log took was not measured")
	page := doc.HTML(d)
	says("the page", html.UnescapeString(page.Head+page.Body),
		"Lock a.Store 7", "this waited", "times the mean", "Executed 60 times by 1 thread with 1 lock.", "1 ended by an exception.", "Its code: 40 instructions, 2 branches, 3 calls, 1 allocation.",
		"By the paper's rule 1 of 60 executions diverge.", "A collection grows in it (java.util.List.add)", "Threads wait for each other: 60 of 60 executions waited",
		"It waits for a device, the network or the clock (java.io.FileInputStream.read).", "It was executed once", "It does next to nothing (5 instructions)",
		"called from", "a.Main.run", "Each dot is an execution.", "How many executions took how long.", "the paper's rule")
}

// TestFiguresMultiply: what is printed of the log is its events times what each took, and
// what looking for callers took besides.
func TestFiguresMultiply(t *testing.T) {
	said := regexp.MustCompile(`The log: ([0-9,]+) events of ([0-9.,]+ \S+) each, measured at the end(?:, ([0-9.,]+ \S+) to find callers)?`)
	about := regexp.MustCompile(`the log, about +([0-9.,]+ \S+)`)
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		price := rapid.Int64Range(1000, 3_000_000).Draw(t, "ps")
		var b strings.Builder
		at, events := int64(0), int64(0)
		for range rapid.IntRange(1, 40).Draw(t, "executions") {
			at += rapid.Int64Range(1, 1e6).Draw(t, "from")
			fmt.Fprintf(&b, "%d t + put#method 7\n", at)
			events += 2
			if rapid.Bool().Draw(t, "with a caller") {
				at += rapid.Int64Range(1, 1e6).Draw(t, "to")
				fmt.Fprintf(&b, "%d t c Main.run 7\n", at)
				events++
			}
			at += rapid.Int64Range(1, 1e6).Draw(t, "held")
			fmt.Fprintf(&b, "%d t - put#method 7\n", at)
		}
		fmt.Fprintf(&b, "%d - e %d %d\n", at+1, price, events)
		r, err := locks.Read(testevents.File(outer, b.String()))
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := doc.Text(&text, &doc.Document{Blocks: []doc.Block{whole(r, "")}}, doc.TextOptions{Width: 500}); err != nil {
			t.Fatal(err)
		}
		parts, total := said.FindStringSubmatch(text.String()), about.FindStringSubmatch(text.String())
		if parts == nil || total == nil {
			t.Fatalf("it doesn't say what the log took:\n%s", text.String())
		}
		count, err := strconv.ParseInt(strings.ReplaceAll(parts[1], ",", ""), 10, 64)
		want := float64(count) * printedNS(t, parts[2])
		if parts[3] != "" {
			want += printedNS(t, parts[3])
		}
		if got := printedNS(t, total[1]); err != nil || count != events || math.Abs(got-want) > 0.01*want+1 { // it is printed in whole ns
			t.Errorf("%s, and about %s in all: %v ns\n%s", parts[0], total[1], want, b.String())
		}
	})
}

// printedNS is a printed time in ns.
func printedNS(t *rapid.T, text string) float64 {
	number, unit, _ := strings.Cut(strings.ReplaceAll(text, ",", ""), " ")
	x, err := strconv.ParseFloat(number, 64)
	each := map[string]float64{"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}[unit]
	if err != nil || each == 0 {
		t.Fatalf("%q is no time: %v", text, err)
	}
	return x * each
}
