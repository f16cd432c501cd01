package order

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"moobench/analysis/chapter/threads"
	"moobench/analysis/internal/testevents"
	"moobench/analysis/report/doc"
)

// told is the report on a log, for a terminal and as a page.
func told(t *testing.T, log string, from, to int64, marked ...string) (text, page string) {
	t.Helper()
	options := threads.Closely()
	options.From, options.To = from, to
	o, g, err := threads.Follow(testevents.File(t, log), options)
	if err != nil {
		t.Fatal(err)
	}
	v := View{FromNS: from, Part: from > 0 || to > 0, Marked: func(class string) bool { return strings.Join(marked, " ") == class }}
	d := &doc.Document{}
	for _, s := range Sections(o, g, v) {
		d.Add(s)
	}
	var b strings.Builder
	if err := doc.Text(&b, d, doc.TextOptions{Width: 120}); err != nil {
		t.Fatal(err)
	}
	p := doc.HTML(d)
	return strings.Join(strings.Fields(b.String()), " "), html.UnescapeString(p.Head + p.Body)
}

func says(t *testing.T, what, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("%s doesn't say %q:\n%s", what, w, text)
		}
	}
}

// lives are two objects of a class that call each other, and a static method that calls one.
const lives = `
	0 main + Main.run 0
	10 main + Life.go 1
	20 main + Life.go 2
	25 main + Life.rest 2
	30 main - Life.rest 2
	40 main - Life.go 2
	50 main - Life.go 1
	60 main + Life.go 1
	70 main - Life.go 1
	80 main - Main.run 0`

// TestSections: a class is one section with its objects in it, and the calls are a table whose
// numbers add up, on terminals as on the page.
func TestSections(t *testing.T) {
	text, page := told(t, lives, 0, 0, "a.Life")
	says(t, "the terminal", text, "a.Life 4 calls, 2 of them from methods of the class itself; 2 objects", "object 1 (may be several) main 2 ", "object 2 (may be several) main 2 ", "static methods main 1 ",
		"Who calls whom caller → callee calls", "a.Main → a.Life 2", "a.Life → itself 2", "START main → a.Main 1")
	if n := strings.Count(text, "a.Life 4 calls"); n != 1 {
		t.Errorf("%d sections of a class:\n%s", n, text)
	}
	says(t, "the page", page, "<h3>Object 1 (may be several)</h3>", "<h3>Object 2 (may be several)</h3>", "a.Main → a.Life", "and 2 within", `class="node marked"`)
}

// TestObjectsOfOneHash: an object whose constructor was seen is one; a second one with its hash may
// be both.
func TestObjectsOfOneHash(t *testing.T) {
	text, _ := told(t, `
		1 t0 + Life.<init> 7
		2 t0 - Life.<init> 7
		3 t0 + Life.go 7
		4 t0 - Life.go 7
		5 t1 + Life.<init> 7
		6 t1 - Life.<init> 7`, 0, 0)
	says(t, "the terminal", text, "object 7 t0 2 ", "object 7 no. 2 (may be several) t1 1 ", "; 2 objects")
}

// TestPart: the axis of a part begins where the part does, and what is counted is counted there.
func TestPart(t *testing.T) {
	text, page := told(t, lives, 55, 75)
	says(t, "the terminal", text, "a.Life 1 of 4 calls in this part", "object 1 (may be several) main 1 ", "a.Main → a.Life 1", "and 1 other object without a picture: 2 calls in the whole log")
	if strings.Contains(text, "itself") || strings.Contains(text, "START main → a.Main") {
		t.Errorf("calls outside of the part:\n%s", text)
	}
	low := regexp.MustCompile(`"low":(\d+),"high":(\d+)`).FindStringSubmatch(page)
	if low == nil || low[1] != "55" || low[2] != "75" {
		t.Errorf("the axis is %v", low)
	}
	says(t, "the page", page, ">55<", ">75<")
	text, _ = told(t, lives, 76, 79)
	says(t, "the terminal", text, "No call begins in this part")
}

// TestManyCalls: a long table of calls is cut on terminals, and folded on the page.
func TestManyCalls(t *testing.T) {
	var log strings.Builder
	for i := range 40 {
		fmt.Fprintf(&log, "%d main + C%d.run 0\n%d main - C%d.run 0\n", 2*i, i, 2*i+1, i)
	}
	text, page := told(t, log.String(), 0, 0)
	says(t, "the terminal", text, "and 25 pairs with fewer calls: the page has them (-o trace.html)", "Other classes")
	says(t, "the page", page, "<b>All calls as a table</b>", "40 pairs of classes", "START main → a.C39")
}
