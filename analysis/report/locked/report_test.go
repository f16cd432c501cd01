package locked

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis/infer"
	"moobench/analysis/internal/testevents"
	"moobench/analysis/locks"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/order"
	"moobench/analysis/threads"
	"moobench/results/events"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares a text with testdata/NAME.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

var drawings = regexp.MustCompile(`(?s)<svg.*?</svg>`)

// TestReport: the whole report on a program's locks, for a terminal and as a page; drawings are package plot's.
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
	golden(t, "page.html", drawings.ReplaceAllString(page.Head+page.Body, "<svg/>"))
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
	const monitors = "Nobody waited for a monitor of b. Locks of java.util.concurrent.locks were not looked at: --log contention,explicit does."
	waited := whole(func(r *locks.Report) { r.Locks = []locks.Lock{{WaitNS: 1}} })
	others := whole(func(r *locks.Report) { r.Others = []locks.Others{{WaitNS: 1}} })
	for name, c := range map[string]struct {
		got  []doc.Paragraph
		want []string
	}{
		"all is there":       {Remarks(whole(func(*locks.Report) {}), " of b"), nil},
		"requests are not":   {Remarks(whole(func(r *locks.Report) { r.Contention = false }), " of b"), []string{"When locks were asked for was not logged of b: nothing is said of waits for them. --log contention does."}},
		"few locks":          {Remarks(whole(func(r *locks.Report) { r.Others = []locks.Others{{Locks: 14_000}} }), " of b"), nil},
		"many locks":         {Remarks(whole(func(r *locks.Report) { r.Others, r.Locks = []locks.Others{{Locks: 99_999}}, make([]locks.Lock, 1) }), " of b"), []string{"100,000 locks of b are known by their identity hashes: about 3 of them may be two objects told as one."}},
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
	if diff := cmp.Diff(want, rows); diff != "" || s.About != "of 2, the first is told below" {
		t.Errorf("%s: %s", s.About, diff)
	}
}

// TestDoubts: what runs have not in common, and what they lack.
func TestDoubts(t *testing.T) {
	const later = "Runs before were made at another time: what else changed on this machine since then is in the difference."
	for name, c := range map[string]struct {
		change func(c *locks.Comparison)
		want   []string
	}{
		"alike":           {func(*locks.Comparison) {}, []string{later}},
		"too few":         {func(c *locks.Comparison) { c.Runs = [2]int{1, 1} }, nil},
		"nearly the same": {func(c *locks.Comparison) { c.Executions[1] = 1050 }, []string{later}},
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
			[]string{"The logs are unlike: contention,callers, and contention before. What logging takes within a lock is waited for.", later},
		},
		"cut": {
			func(c *locks.Comparison) { c.Missing = [2]int{1, 2} },
			[]string{
				"The logs of 1 run before lack events, or their end: waits are at least as long as it says.",
				"The logs of 2 runs lack events, or their end: waits are at least as long as it says.", later,
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
