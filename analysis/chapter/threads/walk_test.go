package threads

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"moobench/analysis/internal/testevents"
	"moobench/results/events"
)

// TestBeyond: executions for which there is no room are counted, with those in them; what is around them and after them is
// followed as ever.
func TestBeyond(t *testing.T) {
	var left []string
	w := walker[int]{
		most:  2,
		enter: func(*events.Log, events.Event, []frame[int]) int { return 0 },
		leave: func(_ int, f frame[int], around []frame[int], end int64, _, open bool) {
			left = append(left, fmt.Sprintf("%d %d–%d in %d, open %v", f.method, f.begin, end, len(around), open))
		},
	}
	// m calls itself: the end of one that is not followed is not an end of one that is.
	log := testevents.File(t, `1 t + run 7
2 t + m 7
3 t + m 7
4 t w m 7
5 t a m 7
6 t + m 7
7 t ! m 7
8 t - m 7
9 t - m 7
10 t + m 7
11 t - m 7
12 t - run 7`)
	if _, err := events.Scan(log, w.event); err != nil {
		t.Fatal(err)
	}
	want := []string{"1 2–9 in 1, open false", "1 10–11 in 1, open false", "0 1–12 in 0, open false"}
	if !slices.Equal(left, want) || w.deeper != 2 || w.unmatched != 0 || w.open != 0 {
		t.Errorf("%q, %d deeper, %d unmatched, %d open; want %q", left, w.deeper, w.unmatched, w.open, want)
	}
}

// TestDeepStacks: the lines of a recursion don't grow with the square of its depth, and the times of what is not told
// are in the line above it.
func TestDeepStacks(t *testing.T) {
	var lines, out strings.Builder
	const depth = 3 * mostFrames
	for i := range depth {
		fmt.Fprintf(&lines, "%d t + m 7\n", i)
	}
	for i := range depth {
		fmt.Fprintf(&lines, "%d t - m 7\n", depth+i)
	}
	if err := Stacks(testevents.File(t, lines.String()), &out); err != nil {
		t.Fatal(err)
	}
	all := strings.Split(strings.TrimSpace(out.String()), "\n")
	var sum int64
	for _, line := range all {
		var ns int64
		if _, err := fmt.Sscan(line[strings.LastIndexByte(line, ' '):], &ns); err != nil {
			t.Fatal(err)
		}
		sum += ns
	}
	if len(all) != mostFrames+1 || sum != 2*depth-1 {
		t.Errorf("%d lines with %d ns in all, want %d with %d", len(all), sum, mostFrames+1, 2*depth-1)
	}
	if last := slices.IndexFunc(all, func(l string) bool { return strings.Contains(l, deepFrame+" ") }); last < 0 {
		t.Error("nothing stands for what is not told")
	}
}

// TestManyThreads: a picture has room for some of the threads of an object, and the others are counted.
func TestManyThreads(t *testing.T) {
	var lines strings.Builder
	for i := range mostLanes + 5 {
		fmt.Fprintf(&lines, "%d t%d + m 7\n%d t%d - m 7\n", 2*i, i, 2*i+1, i)
	}
	o, err := Read(testevents.File(t, lines.String()), Options{objects: 1, spans: 10, columns: 3})
	if err != nil {
		t.Fatal(err)
	}
	drawn := 0
	for _, l := range o.Objects[0].Lanes {
		if l.Columns != nil {
			drawn++
		}
	}
	if len(o.Objects[0].Lanes) != mostLanes || o.Laneless != 5 || o.Objects[0].Calls != mostLanes+5 || drawn != mostDrawn {
		t.Errorf("%d lanes, %d drawn, %d without, %d calls", len(o.Objects[0].Lanes), drawn, o.Laneless, o.Objects[0].Calls)
	}
}
