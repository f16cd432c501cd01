package threads

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis/internal/testevents"
)

// told is an order in words: each object, its lanes, their executions.
func told(o *Order) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d … %d, %d unmatched\n", o.Begin, o.End, o.Unmatched)
	for _, x := range o.Objects {
		fmt.Fprintf(&b, "%s %d: %d\n", x.Class, x.Hash, x.Calls)
		for _, l := range x.Lanes {
			fmt.Fprintf(&b, " %s %d calls, %d ns %v:", o.Threads[l.Thread], l.Calls, l.BusyNS, l.Columns)
			if l.WaitNS > 0 {
				fmt.Fprintf(&b, " %d ns waiting:", l.WaitNS)
			}
			for _, s := range l.Spans {
				fmt.Fprintf(&b, " %d-%d@%d", s.Begin, s.End, s.Depth)
				if s.Waiting {
					b.WriteString("w")
				}
				if s.Thrown {
					b.WriteString("!")
				}
				if s.Open {
					b.WriteString("?")
				}
			}
			b.WriteString("\n")
		}
	}
	for _, x := range o.Others {
		fmt.Fprintf(&b, "others %s: %d objects, %d calls\n", x.Class, x.Objects, x.Calls)
	}
	return b.String()
}

func TestRead(t *testing.T) {
	all := Options{objects: 10, spans: 100, columns: 4}
	for _, tt := range []struct{ name, log, want string }{
		{"nothing", "", "0 … 0, 0 unmatched\n"},
		{"two threads at one object", `
			0 t0 + run 7
			10 t1 + run 7
			20 t0 - run 7
			30 t1 ! run 7
			40 t0 + get 7
			40 t0 - get 7`, `0 … 40, 0 unmatched
a.B 7: 3
 t0 2 calls, 20 ns [10 10 0 0]: 0-20@0 40-40@0
 t1 1 calls, 20 ns [0 10 10 0]: 10-30@0!
`},
		{"in one another", `
			0 t0 + run 7
			10 t0 + get 7
			15 t0 + get 8
			18 t0 - get 8
			20 t0 - get 7
			40 t0 - run 7`, `0 … 40, 0 unmatched
a.B 7: 2
 t0 2 calls, 40 ns [10 10 10 10]: 10-20@1 0-40@0
a.B 8: 1
 t0 1 calls, 3 ns [0 3 0 0]: 15-18@0
`},
		{"recursion", `
			0 t0 + run 7
			1 t0 + run 7
			2 t0 + run 7
			3 t0 - run 7
			4 t0 - run 7
			8 t0 - run 7`, `0 … 8, 0 unmatched
a.B 7: 3
 t0 3 calls, 8 ns [2 2 2 2]: 2-3@2 1-4@1 0-8@0
`},
		{"no end, and no beginning", `
			0 t0 - run 7
			10 t0 + run 7
			40 t1 + get 7`, `0 … 40, 1 unmatched
a.B 7: 2
 t0 1 calls, 30 ns [0 10 10 10]: 10-40@0?
 t1 1 calls, 0 ns [0 0 0 0]: 40-40@0?
`},
		{"an end is missing", `
			0 t0 + run 7
			10 t0 + get 7
			20 t0 ? x 5
			40 t0 - run 7`, `0 … 40, 0 unmatched
a.B 7: 2
 t0 2 calls, 40 ns [10 10 10 10]: 10-40@1? 0-40@0
`},
		{"waiting", `
			0 t0 + take 7
			10 t0 w take 7
			30 t0 a take 7
			32 t0 w take 7
			36 t0 ! take 7
			40 t0 a take 7`, `0 … 40, 0 unmatched
a.B 7: 1
 t0 1 calls, 36 ns [10 10 10 6]: 24 ns waiting: 10-30@1w 32-36@1w 0-36@0!
`},
		{"classes and static methods", `
			0 t0 + C.main 0
			4 t0 + run 7
			5 t0 - run 7
			8 t0 - C.main 0`, `0 … 8, 0 unmatched
a.B 7: 1
 t0 1 calls, 1 ns [0 0 1 0]: 4-5@0
a.C 0: 1
 t0 1 calls, 8 ns [2 2 2 2]: 0-8@0
`},
	} {
		o, err := Read(testevents.File(t, tt.log), all)
		if err != nil {
			t.Fatal(tt.name, err)
		}
		if diff := cmp.Diff(tt.want, told(o)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestWindow: what lies outside is not drawn, and cut where it reaches in.
func TestWindow(t *testing.T) {
	o, err := Read(testevents.File(t, `
		100 t0 + run 7
		110 t0 - run 7
		115 t0 + run 7
		125 t0 - run 7
		130 t0 + run 7
		135 t0 - run 7
		150 t0 + run 7
		160 t0 - run 7`), Options{From: 20, To: 40, objects: 1, spans: 100, columns: 2})
	if err != nil {
		t.Fatal(err)
	}
	want := `120 … 140, 0 unmatched
a.B 7: 4
 t0 1 calls, 10 ns [5 5]: 115-125@0 130-135@0
`
	if diff := cmp.Diff(want, told(o)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMuch: what is too much is told in sum, not left out in silence.
func TestMuch(t *testing.T) {
	var log strings.Builder
	time := 0
	for object := 1; object <= 5; object++ {
		for range 6 - object {
			fmt.Fprintf(&log, "%d t0 + run %d\n%d t0 - run %d\n", time, object, time+1, object)
			time += 2
		}
	}
	o, err := Read(testevents.File(t, log.String()), Options{objects: 2, spans: 4, columns: 1})
	if err != nil {
		t.Fatal(err)
	}
	want := `0 … 29, 0 unmatched
a.B 1: 5
 t0 5 calls, 5 ns [5]:
a.B 2: 4
 t0 4 calls, 4 ns [4]: 10-11@0 12-13@0 14-15@0 16-17@0
others a.B: 3 objects, 6 calls
`
	if diff := cmp.Diff(want, told(o)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestEndedCalls: calls that have ended are counted and timed; waits, and calls without an end, are not.
func TestEndedCalls(t *testing.T) {
	o, err := Read(testevents.File(t, `
		0 t0 + take 7
		10 t0 w take 7
		30 t0 a take 7
		40 t0 - take 7
		41 t0 + take 7
		44 t0 ! take 7
		50 t0 + take 7
		60 t1 + get 8
		61 t1 - get 8`), Options{objects: 10, spans: 100, columns: 4})
	if err != nil {
		t.Fatal(err)
	}
	l := o.Objects[0].Lanes[0]
	if l.Calls != 3 || l.Ended != 2 || l.TotalNS != 43 || l.LongestNS != 40 || l.Thrown != 1 {
		t.Errorf("%d calls, %d ended in %d ns, %d ns at most, %d by an exception",
			l.Calls, l.Ended, l.TotalNS, l.LongestNS, l.Thrown)
	}
}
