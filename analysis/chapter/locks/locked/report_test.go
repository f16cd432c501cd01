package locked

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis/chapter/locks"
	"moobench/analysis/chapter/threads"
	"moobench/analysis/chapter/threads/order"
	"moobench/analysis/divergent"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testevents"
	"moobench/analysis/report/doc"
	"moobench/internal/testgolden"
	"moobench/results/events"
)

// golden compares a text with testdata/NAME.
func golden(t *testing.T, name, got string) {
	t.Helper()
	testgolden.Check(t, filepath.Join("testdata", name), got)
}

// TestReport: the whole report on a program's locks, for a terminal and as a page, with its pictures.
func TestReport(t *testing.T) {
	r, err := locks.Read(testevents.File(t, log()))
	if err != nil {
		t.Fatal(err)
	}
	options := threads.Closely()
	options.Of = []uint32{7}
	o, _, err := threads.Follow(testevents.File(t, log()), options)
	if err != nil {
		t.Fatal(err)
	}
	d := &doc.Document{Title: "java -jar app.jar", Facts: Facts([]*locks.Report{r, r})}
	for _, s := range Sections(r, o, 2, order.View{Suffix: " of process 7"}) {
		d.Add(s)
	}
	var text strings.Builder
	if err := doc.Text(&text, d, doc.TextOptions{Width: 220, Depth: doc.Full}); err != nil {
		t.Fatal(err)
	}
	page := doc.HTML(d)
	golden(t, "terminal.txt", text.String())
	var parts []string // a line of a drawing may be very long
	for part := range strings.SplitSeq(strings.ReplaceAll(page.Head+page.Body, "><", ">\n<"), "\n") {
		parts = append(parts, part[:min(len(part), 400)])
	}
	golden(t, "page.html", strings.Join(parts, "\n"))
}

// TestLinks: the locks that have parts of their own are linked to, those first that were waited for longest; those that
// nobody waited for are told by their class.
func TestLinks(t *testing.T) {
	r := &locks.Report{Log: &events.Log{Whole: true}, Contention: true, ProgramNS: 1000, Locks: []locks.Lock{
		{Class: "a.A", Hash: 1, WaitNS: 30, Contended: 3, Executions: 6, LongestWaitNS: 20, HeldNS: 500, Threads: 2},
		{Class: "a.B", Hash: 2, WaitNS: 20, Contended: 1, Executions: 4},
		{Class: "a.C", Hash: 3, WaitNS: 10, Contended: 1, Executions: 4},
		{Class: "a.A", Hash: 4, HeldNS: 7, Executions: 2},
	}, Others: []locks.Others{{Class: "a.A", Locks: 2, HeldNS: 5, Executions: 3}, {Class: "a.D", Locks: 9, WaitNS: 4, Contended: 2}}}
	s := costly(r, 2, "")
	table := s.Blocks[len(s.Blocks)-1].(*doc.Table)
	var got []string
	for _, row := range table.Rows {
		var cells []string
		for _, c := range row.Cells {
			cells = append(cells, c.Text)
		}
		got = append(got, row.Cells[0].Link+": "+strings.Join(cells, " | "))
	}
	want := []string{
		"lock-a-a-1: a.A 1 | 30.00 ns | 3 (50 %) | 20.00 ns | 500.0 ns | 50 % | 6 | 2 | ", "lock-a-b-2: a.B 2 | 20.00 ns | 1 (25 %) | 0 ns | 0 ns | 0 % | 4 | 0 | ",
		": a.C 3 | 10.00 ns | 1 (25 %) | 0 ns | 0 ns | 0 % | 4 | 0 | ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]locks.Others{{Class: "a.D", Locks: 9, WaitNS: 4, Contended: 2}, {Class: "a.A", Locks: 3, HeldNS: 12, Executions: 5}}, byClass(r)); diff != "" {
		t.Errorf("by class (-want +got):\n%s", diff)
	}
	if got := waited(r); got != 64 {
		t.Errorf("%d ns waited", got)
	}
	if o := others(r, " of b"); o.Title != "Other locks of b" || o.Open || len(lockSection(r, nil, &r.Locks[3], order.View{}).Blocks) > 0 {
		t.Errorf("%+v", o)
	}
	r.Others, r.Locks = nil, r.Locks[3:]
	if o := others(r, " of b"); o.Title != "Locks that nobody waited for of b" || !o.Open {
		t.Errorf("%+v", o)
	}
}

// TestJudged: what both rules say of a section, and where one of them says nothing.
func TestJudged(t *testing.T) {
	named := func(at ...int64) divergent.Divergent {
		d := divergent.Divergent{N: int64(len(at))}
		for _, i := range at {
			d.Named = append(d.Named, divergent.Execution{Index: i})
		}
		return d
	}
	for _, c := range []struct {
		times divergent.Series
		want  string
	}{
		{divergent.Series{N: 1, TotalNS: 1500}, "It took 1.500 µs."},
		{divergent.Series{N: 9, Paper: named(0)}, "By the paper's rule 1 of 9 executions diverge. They are too few for our rule."},
		{divergent.Series{N: 9, SteadyFrom: 5, Paper: named(0)}, "By the paper's rule 1 of 9 executions diverge. They are too few for our rule."},
		{
			divergent.Series{N: 50, FenceNS: 100, SteadyFrom: 5, Steady: true, Paper: named(0, 4, 5, 6)},
			"By the paper's rule 4 of 50 executions diverge. By ours none does: all are below 100.0 ns. Of the paper's first 4, 2 are of the warm-up, which ends with execution 5.",
		},
		{
			divergent.Series{N: 50, FenceNS: 100, MedianNS: 40, Ours: named(7)},
			"By the paper's rule 0 of 50 executions diverge. By ours 1: longer than 100.0 ns, where the median is 40.00 ns. They reach no steady state: our rule judges the second half.",
		},
		{divergent.Series{N: 49, FenceNS: 100, Ours: named(7)}, "By the paper's rule 0 of 49 executions diverge. By ours 1: longer than 100.0 ns, where the median is 0 ns."},
	} {
		if got := judged(&locks.Section{Times: &c.times}); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// TestAbout: who executed a section, and what stands in it, as far as it is known.
func TestAbout(t *testing.T) {
	many := &divergent.Series{N: 1200}
	for _, c := range []struct {
		section locks.Section
		want    string
	}{
		{locks.Section{Times: &divergent.Series{N: 1}, Threads: 1, Locks: 1}, "Executed once by 1 thread with 1 lock."},
		{locks.Section{Times: many, Threads: 2, Locks: 3}, "Executed 1,200 times by 2 threads with 3 different locks."},
		{locks.Section{Times: many, Threads: 2, Kind: locks.Plain}, "Executed 1,200 times by 2 threads without a lock of its own."},
		{
			locks.Section{Times: many, Threads: 1, Locks: 1, Contended: 1, WaitNS: 1500, LongestWaitNS: 1500, SleptNS: 1, Thrown: 1},
			"Executed 1,200 times by 1 thread with 1 lock. 1 had to wait for the lock, 1.500 µs together, 1.500 µs at most. In it, threads waited for 1.000 ns without the lock. 1 ended by an exception.",
		},
		{
			locks.Section{Times: many, Threads: 1, Locks: 1, Code: locks.Code{Size: 1, Branches: 2, Calls: 1, Sorts: "a.sort"}},
			"Executed 1,200 times by 1 thread with 1 lock. Its code: 1 instruction, 2 branches, 1 call, 0 allocations; it sorts (a.sort).",
		},
	} {
		if got := about(&c.section); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// texts are paragraphs, a line each.
func texts(all []doc.Paragraph) (lines []string) {
	for _, p := range all {
		lines = append(lines, strings.TrimSpace(p.Mark+" "+p.Text))
	}
	return lines
}

// TestRemarks: what a log lacks that its numbers need, and nothing of a log that has all.
func TestRemarks(t *testing.T) {
	whole := func(change func(r *locks.Report)) *locks.Report {
		r := &locks.Report{Log: &events.Log{Whole: true}, Contention: true}
		change(r)
		return r
	}
	const monitors = "Nobody waited for a monitor of b. Locks of java.util.concurrent.locks were not watched: --log contention,explicit watches them."
	waited := whole(func(r *locks.Report) { r.Locks = []locks.Lock{{WaitNS: 1}} })
	others := whole(func(r *locks.Report) { r.Others = []locks.Others{{WaitNS: 1}} })
	for name, c := range map[string]struct {
		got  []doc.Paragraph
		want []string
	}{
		"all is there":       {Remarks(whole(func(*locks.Report) {}), " of b"), nil},
		"requests are not":   {Remarks(whole(func(r *locks.Report) { r.Contention = false }), " of b"), []string{"Requests for locks were not logged of b, so waits for them are not known: --log contention logs them."}},
		"few locks":          {Remarks(whole(func(r *locks.Report) { r.Others = []locks.Others{{Locks: 14_000}} }), " of b"), nil},
		"many locks":         {Remarks(whole(func(r *locks.Report) { r.Others, r.Locks = []locks.Others{{Locks: 99_999}}, make([]locks.Lock, 1) }), " of b"), []string{"100,000 locks of b are known by their identity hashes: about 3 of them may be two objects counted as one."}},
		"nobody waited":      {Explicit(whole(func(*locks.Report) {}), false, " of b"), []string{monitors}},
		"all were looked at": {Explicit(whole(func(*locks.Report) {}), true, " of b"), nil},
		"nobody looked":      {Explicit(whole(func(r *locks.Report) { r.Contention = false }), false, " of b"), nil},
		"somebody waited":    {Explicit(waited, false, " of b"), nil},
		"or for another":     {Explicit(others, false, " of b"), nil},
	} {
		if diff := cmp.Diff(c.want, texts(c.got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestWords: numbers in the tables and sentences.
func TestWords(t *testing.T) {
	estimate := func(low, value, high float64) *infer.Estimate {
		return &infer.Estimate{Value: value, Interval: &infer.Interval{Low: low, High: high}}
	}
	for _, c := range []struct{ got, want string }{
		{share(1, 4), "25 %"},
		{share(1, 0), "–"},
		{share(0, 4), "0 %"},
		{waits(0, 9), "0"},
		{waits(1200, 4800), "1,200 (25 %)"},
		{signed(1500), "+1.500 µs"},
		{signed(0), "0 ns"},
		{signed(-1500), "−1.500 µs"},
		{plural(1), "1 run"},
		{plural(5), "5 runs"},
		{known(estimate(-10, 20, 30)), "+20.00 ns, −10.00 … 30.00 ns at 95 %"},
		{known(&infer.Estimate{Value: 20}), "+20.00 ns"},
		{letters([]locks.Behaviour{locks.Paths, locks.Once}), "A H"},
		{letters(nil), ""},
		{lockName(&locks.Lock{Class: "a.B", Hash: 0x2f}), "a.B 2f"},
		{lockID(&locks.Lock{Class: "a.B", Hash: 0x2f}, " of process 7"), "lock-a-b-2f-of-process-7"},
		{sectionID(0, ""), "section-1"},
	} {
		if c.got != c.want {
			t.Errorf("got  %s\nwant %s", c.got, c.want)
		}
	}
}

// TestRuns: what each run says, all its JVMs together.
func TestRuns(t *testing.T) {
	jvm := func(inside, program int64, all ...locks.LockMetrics) locks.JVMMetrics {
		return locks.JVMMetrics{InSectionsNS: inside, ProgramNS: program, Locks: all}
	}
	s := Runs(&locks.Metrics{Runs: []locks.Run{
		{JVMs: []locks.JVMMetrics{
			jvm(100, 5000, locks.LockMetrics{WaitedNS: 10, Waits: 1, Executions: 4}, locks.LockMetrics{WaitedNS: 5, Waits: 2, Executions: 6}),
			jvm(300, 4000, locks.LockMetrics{WaitedNS: 1, Waits: 1, Executions: 1000}),
		}},
		{},
	}})
	var rows []string
	for _, r := range s.Blocks[0].(*doc.Table).Rows {
		var cells []string
		for _, c := range r.Cells {
			cells = append(cells, c.Text)
		}
		rows = append(rows, strings.Join(cells, " | "))
	}
	want := []string{"1 | 16.00 ns | 4 | 1,010 | 400.0 ns | 5.000 µs", "2 | 0 ns | 0 | 0 | 0 ns | 0 ns"}
	if diff := cmp.Diff(want, rows); diff != "" || s.About != "of 2 runs: the first is shown below" {
		t.Errorf("%s: %s", s.About, diff)
	}
}

// TestDoubts: what runs have not in common, and what they lack.
func TestDoubts(t *testing.T) {
	const later = "The runs before were made at another time: the difference includes whatever else changed on this machine since then."
	for name, c := range map[string]struct {
		change func(c *locks.Comparison)
		want   []string
	}{
		"alike":           {func(*locks.Comparison) {}, []string{later}},
		"too few":         {func(c *locks.Comparison) { c.Runs = [2]int{1, 1} }, nil},
		"nearly the same": {func(c *locks.Comparison) { c.Executions[1] = 1050 }, []string{later}},
		"as little less":  {func(c *locks.Comparison) { c.Executions[1] = 950 }, []string{later}},
		"more work": {
			func(c *locks.Comparison) { c.Executions[1] = 1060 },
			[]string{"The runs did not do the same: 1,060 executions of critical sections, and 1,000 before. Waits grow with the work.", later},
		},
		"less work": {
			func(c *locks.Comparison) { c.Executions[1] = 940 },
			[]string{"The runs did not do the same: 940 executions of critical sections, and 1,000 before. Waits grow with the work.", later},
		},
		"other logs": {
			func(c *locks.Comparison) { c.Logs = [2][]string{{"contention"}, {"contention", "callers"}} },
			[]string{"The logs differ: contention,callers, and contention before. Threads also wait for what logging takes inside a lock.", later},
		},
		"cut": {
			func(c *locks.Comparison) { c.Missing = [2]int{1, 2} },
			[]string{
				"The logs of 1 run before lack events, or their end: real waits are at least this long.",
				"The logs of 2 runs lack events, or their end: real waits are at least this long.", later,
			},
		},
	} {
		comparison := &locks.Comparison{Runs: [2]int{5, 5}, Executions: [2]float64{1000, 1000}}
		c.change(comparison)
		if diff := cmp.Diff(c.want, doubts(comparison)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
