package locks

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis/internal/testevents"
	"moobench/results/events"
)

// told is a report in words: sections, locks, threads.
func told(r *Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d ended, %d inside, %d unmatched\n", r.Ended, r.InsideNS, r.Unmatched)
	name := func(i int) string {
		s := r.Sections[i]
		_, text, _ := strings.Cut(s.Method, "a.")
		text, _, _ = strings.Cut(text, "(")
		return fmt.Sprint(text, " ", s.Kind, s.Line)
	}
	for i, s := range r.Sections {
		fmt.Fprintf(&b, "%s: %d, %d ns, %d thrown, %d slept, waited %d × %d, longest %d; %d locks, %d threads\n", name(i), s.Times.N, s.Times.TotalNS, s.Thrown, s.SleptNS, s.Contended, s.WaitNS, s.LongestWaitNS, s.Locks, s.Threads)
		for _, c := range s.Callers {
			fmt.Fprintf(&b, "  %d × %s, %d ns\n", c.N, strings.TrimSuffix(c.Place, "(int, a.C)"), c.NS)
		}
	}
	for _, l := range r.Locks {
		fmt.Fprintf(&b, "%s %d: %d, held %d, waited %d × %d; %d threads\n", l.Class, l.Hash, l.Executions, l.HeldNS, l.Contended, l.WaitNS, l.Threads)
		for _, x := range l.Blames {
			fmt.Fprintf(&b, "  %s waited for %s %d × %d ns\n", name(x.Waiter), name(x.Holder), x.N, x.NS)
		}
	}
	for _, t := range r.Threads {
		fmt.Fprintf(&b, "thread %s: %d, %d inside, waited %d × %d, %d slept\n", t.Name, t.Executions, t.InsideNS, t.Contended, t.WaitNS, t.SleptNS)
	}
	return b.String()
}

func TestRead(t *testing.T) {
	const put, take, size, hand = "put#method,size=20", "take#method,size=20", "size#block=7,size=9", "hand#lock"
	for _, c := range []struct{ name, log, want string }{
		{"a thread alone", `
0 - o a.B 1
10 t r put 1
12 t + put 1
20 t - put 1`, `
1 ended, 8 inside, 0 unmatched
B.put method0: 1, 8 ns, 0 thrown, 0 slept, waited 0 × 0, longest 0; 1 locks, 1 threads
a.B 1: 1, held 8, waited 0 × 0; 1 threads
thread t: 1, 8 inside, waited 0 × 0, 0 slept
`},
		{"two threads wait for a third one, and for each other", `
10 a r put 1
10 a + put 1
12 b r take 1
13 c r size 1
30 a - put 1
32 b + take 1
40 b ! take 1
41 c + size 1
45 c - size 1`, `
3 ended, 32 inside, 0 unmatched
B.size block7: 1, 4 ns, 0 thrown, 0 slept, waited 1 × 28, longest 28; 1 locks, 1 threads
B.take method0: 1, 8 ns, 1 thrown, 0 slept, waited 1 × 20, longest 20; 1 locks, 1 threads
B.put method0: 1, 20 ns, 0 thrown, 0 slept, waited 0 × 0, longest 0; 1 locks, 1 threads
unknown 1: 3, held 32, waited 2 × 48; 3 threads
  B.take method0 waited for B.put method0 1 × 20 ns
  B.size block7 waited for B.put method0 0 × 17 ns
  B.size block7 waited for B.take method0 1 × 11 ns
thread c: 1, 4 inside, waited 1 × 28, 0 slept
thread b: 1, 8 inside, waited 1 × 20, 0 slept
thread a: 1, 20 inside, waited 0 × 0, 0 slept
`},
		{"methods without a lock are told like sections, and hold nothing", `
10 a + run#plain 1
12 a r take 1
13 a + take 1
15 b + run#plain 1
20 a - take 1
30 b ! run#plain 1
40 a - run#plain 1
41 a - run#plain 1`, `
3 ended, 7 inside, 1 unmatched
B.run plain0: 2, 45 ns, 1 thrown, 0 slept, waited 0 × 0, longest 0; 0 locks, 2 threads
B.take method0: 1, 7 ns, 0 thrown, 0 slept, waited 0 × 0, longest 0; 1 locks, 1 threads
unknown 1: 1, held 7, waited 0 × 0; 1 threads
thread a: 1, 7 inside, waited 0 × 0, 0 slept
`},
		{"a lock is got again by its owner, and given back in a wait", `
10 a + put 1
12 a r take 1
12 a + take 1
15 a w take 1
16 b r put 1
17 b + put 1
25 b - put 1
30 a a take 1
32 a - take 1
35 a - put 1`, `
3 ended, 18 inside, 0 unmatched
B.put method0: 2, 18 ns, 0 thrown, 15 slept, waited 0 × 0, longest 0; 1 locks, 2 threads
B.take method0: 1, 5 ns, 0 thrown, 15 slept, waited 0 × 0, longest 0; 1 locks, 1 threads
unknown 1: 3, held 18, waited 0 × 0; 2 threads
thread a: 2, 10 inside, waited 0 × 0, 15 slept
thread b: 1, 8 inside, waited 0 × 0, 0 slept
`},
		{"an interrupt ends a wait and a request, a lock that was tried is not had", `
10 a + put 1
15 a w put 1
20 a ! put 1
30 b + put 1
31 a r size 1
40 a r take 2
41 a + take 2
42 a - take 2
43 b - put 1`, `
3 ended, 19 inside, 0 unmatched
B.put method0: 2, 18 ns, 1 thrown, 5 slept, waited 0 × 0, longest 0; 1 locks, 2 threads
B.take method0: 1, 1 ns, 0 thrown, 0 slept, waited 0 × 0, longest 0; 1 locks, 1 threads
unknown 1: 2, held 18, waited 0 × 0; 2 threads
unknown 2: 1, held 1, waited 0 × 0; 1 threads
thread b: 1, 13 inside, waited 0 × 0, 0 slept
thread a: 2, 6 inside, waited 0 × 0, 5 slept
`},
		{"two locks crosswise, a release that was seen too late, callers, methods that are none", `
10 a + put 1
11 a c main 1
11 a + run 1
12 a + hand 2
14 a - put 1
15 b r take 2
16 b + take 2
18 a - hand 2
19 a - run 1
20 b - take 2`, `
3 ended, 12 inside, 0 unmatched
B.take method0: 1, 4 ns, 0 thrown, 0 slept, waited 1 × 1, longest 1; 1 locks, 1 threads
B.hand lock0: 1, 6 ns, 0 thrown, 0 slept, waited 0 × 0, longest 0; 1 locks, 1 threads
B.put method0: 1, 3 ns, 0 thrown, 0 slept, waited 0 × 0, longest 0; 1 locks, 1 threads
  1 × public void a.B.main, 3 ns
unknown 2: 2, held 10, waited 1 × 1; 2 threads
  B.take method0 waited for B.hand lock0 1 × 1 ns
unknown 1: 1, held 3, waited 0 × 0; 1 threads
thread b: 1, 4 inside, waited 1 × 1, 0 slept
thread a: 2, 8 inside, waited 0 × 0, 0 slept
`},
		{"a lock is got before its owner is seen to give it back: the owner had it until then", `
10 a + put 1
12 c r size 1
15 b + take 1
20 a - put 1
25 b - take 1
26 c + size 1
30 c - size 1`, `
3 ended, 24 inside, 0 unmatched
B.size block7: 1, 4 ns, 0 thrown, 0 slept, waited 1 × 14, longest 14; 1 locks, 1 threads
B.put method0: 1, 10 ns, 0 thrown, 0 slept, waited 0 × 0, longest 0; 1 locks, 1 threads
B.take method0: 1, 10 ns, 0 thrown, 0 slept, waited 0 × 0, longest 0; 1 locks, 1 threads
unknown 1: 3, held 24, waited 1 × 14; 3 threads
  B.size block7 waited for B.take method0 1 × 11 ns
  B.size block7 waited for B.put method0 0 × 3 ns
thread c: 1, 4 inside, waited 1 × 14, 0 slept
thread a: 1, 10 inside, waited 0 × 0, 0 slept
thread b: 1, 10 inside, waited 0 × 0, 0 slept
`},
		{"what is missing is in no number", `
10 a + put 1
11 a ? x 9
15 a - put 1
16 b r put 1
17 b + put 1
18 b - put 1`, `
1 ended, 1 inside, 1 unmatched
B.put method0: 1, 1 ns, 0 thrown, 0 slept, waited 0 × 0, longest 0; 1 locks, 1 threads
unknown 1: 2, held 1, waited 0 × 0; 2 threads
thread b: 1, 1 inside, waited 0 × 0, 0 slept
`},
	} {
		log := c.log
		for short, long := range map[string]string{" put ": " " + put + " ", " take ": " " + take + " ", " size ": " " + size + " ", " hand ": " " + hand + " "} {
			log = strings.ReplaceAll(log, short, long)
		}
		r, err := Read(testevents.File(t, log))
		if err != nil {
			t.Fatal(c.name, err)
		}
		if d := cmp.Diff(strings.TrimLeft(c.want, "\n"), told(r)); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}

// TestManyLocks: millions of locks that are used once are told by their class.
func TestManyLocks(t *testing.T) {
	var b strings.Builder
	b.WriteString("0 - o a.B 1\n")
	const n = 3000
	for i := range n {
		fmt.Fprintf(&b, "%d t + put#method,size=1 1\n%d t - put#method,size=1 1\n", 10*i, 10*i+3)
	}
	file := testevents.File(t, b.String())
	f := newFollower(func(ended) {}, nil)
	folded := 0
	f.room, f.idle = 100, func(uint32, *lock) { folded++ }
	next := uint32(0)
	if _, err := events.InOrder(file, func(l *events.Log, e events.Event) error {
		if e.Kind == events.Enter {
			next++
		}
		e.Object = next
		if len(f.locks) > 101 {
			f.room = 100
		}
		return f.event(l, e)
	}); err != nil || folded < 90 {
		t.Errorf("%d of %d locks were folded, %v", folded, n, err)
	}
}

// TestCSVHoldsNoFormula: classes and threads are called as a program likes.
func TestCSVHoldsNoFormula(t *testing.T) {
	var b strings.Builder
	if err := WriteCSV(testevents.File(t, "0 - o =HYPERLINK(1) 7\n1 =cmd|x r put#method 7\n2 =cmd|x + put#method 7\n3 =cmd|x - put#method 7"), &b); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); !strings.Contains(got, ",'=HYPERLINK(1),'=cmd|x,") {
		t.Error(got)
	}
}
