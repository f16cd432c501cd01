package jvm

import (
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// A family uses what its processes use together; a counter that one lacks is the others', and one that all lack is
// not known.
func TestTogether(t *testing.T) {
	none := math.NaN()
	script := Snapshot{
		MonotonicNS: 5, CPUNS: 10, Voluntary: 1, Involuntary: 2, RSSBytes: 100, PeakRSSBytes: 200,
		Threads: 1, WrittenBytes: 7,
		HSPerf:  HSPerf{GCCount: none, GCNS: none, JITNS: none, SafepointNS: none, ClassesLoaded: none},
		threads: []thread{{1, "sh", 10}},
	}
	java := Snapshot{
		MonotonicNS: 6, CPUNS: 1000, Voluntary: 30, Involuntary: 40, RSSBytes: 5000, PeakRSSBytes: 6000, Threads: 20,
		WrittenBytes: 70, HSPerf: HSPerf{GCCount: 1, GCNS: 2, JITNS: 3, SafepointNS: none, ClassesLoaded: 5},
		threads: []thread{{2, "java", 900}, {3, "main", 100}},
	}
	want := Snapshot{
		MonotonicNS: 5, CPUNS: 2010, Voluntary: 61, Involuntary: 82, RSSBytes: 10100, PeakRSSBytes: 12200, Threads: 41,
		WrittenBytes: 147, HSPerf: HSPerf{GCCount: 2, GCNS: 4, JITNS: 6, SafepointNS: -1, ClassesLoaded: 10},
		threads: append(append(script.threads[:1:1], java.threads...), java.threads...),
	}
	got := together([]Snapshot{script, java, java})
	if !math.IsNaN(got.SafepointNS) {
		t.Errorf("a counter that nobody has is %v", got.SafepointNS)
	}
	if got.SafepointNS = -1; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if alone := together([]Snapshot{java}); alone.CPUNS != 1000 || alone.GCCount != 1 || len(alone.threads) != 2 {
		t.Errorf("one process: %+v", alone)
	}
	if back := (HSPerf{GCCount: none}).and(HSPerf{GCCount: 3}); back.GCCount != 3 {
		t.Errorf("%v, want 3", back.GCCount)
	}
	if back := (HSPerf{GCCount: 3}).and(HSPerf{GCCount: none}); back.GCCount != 3 {
		t.Errorf("%v, want 3", back.GCCount)
	}
}

// A field is the number behind its key at the start of a line, if there is one.
func TestField(t *testing.T) {
	const status = "Name:\tjava\nVmHWM:\t  70 kB\nVmRSS:\t  60 kB\nThreads:\t12\nodd:\tx\nempty:\n"
	for key, want := range map[string]float64{"VmHWM:": 70, "VmRSS:": 60, "Threads:": 12} {
		if got := field([]byte(status), key); got != want {
			t.Errorf("%s %v, want %v", key, got, want)
		}
	}
	for _, key := range []string{"odd:", "empty:", "gone:", "RSS:"} {
		if got := field([]byte(status), key); !math.IsNaN(got) {
			t.Errorf("%s %v", key, got)
		}
	}
}

// The time of a thread is the first number that the kernel tells, and 0 where it doesn't count.
func TestRanNS(t *testing.T) {
	for text, want := range map[string]float64{"": 0, "1234 5 6\n": 1234, "0 0 0\n": 0, "x 1 2\n": 0} {
		task := t.TempDir()
		write(t, filepath.Join(task, "schedstat"), text, 0o666)
		write(t, filepath.Join(task, "comm"), "G1 Conc#0\n", 0o666)
		if got := ranNS(task); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
		if name := threadName(task); name != "G1 Conc#0" {
			t.Errorf("%q", name)
		}
	}
	if got := ranNS(filepath.Join(t.TempDir(), "gone")); got != 0 {
		t.Errorf("a thread that is gone: %v", got)
	}
}

// The version of a Java tells its number, of old ones the second.
func TestMajor(t *testing.T) {
	for version, want := range map[string]int{
		"17": 17, "17.0.15+6-Debian-1deb12u1": 17, "1.8.0_412": 8, "25-ea": 25, "11.0.2": 11, "": 0, "x17": 0, "1.": 0,
	} {
		if got, err := major(version); got != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %d, %v, want %d", version, got, err, want)
		}
	}
	const text = "A=1\n  B = \"two words\" \nC\nA=2\nD==3\n"
	for key, want := range map[string]string{"A": "1", "B": "two words", "C": "", "D": "=3", "E": ""} {
		if got := property([]byte(text), key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
}

// The end of a log explains a failure where it has a word that is known, the first that is; else the log is named.
func TestExplain(t *testing.T) {
	log := filepath.Join(t.TempDir(), LogName)
	for _, c := range []struct{ text, kind, says string }{
		{"", KindDied, "it ended"},
		{"a line\n", KindDied, "it ended; see " + log},
		{
			"x: No space left on device\nOutOfMemoryError\n", kindDisk,
			"it ended; the disk is full: free some space and resume",
		},
		{"OutOfMemoryError: heap\n", KindDied, "it ended; its log says OutOfMemoryError: give it a larger heap"},
		{"Unrecognized option: -x\n", KindDied, "it ended; this JDK does not know one of the JVM options: " +
			"compare args in [jvm] and the agent's with its log"},
	} {
		write(t, log, c.text, 0o666)
		f := (&Failure{Kind: KindDied, Message: "it ended"}).explain(log)
		if f.Kind != c.kind || f.Message != c.says || f.Tail != strings.TrimSuffix(c.text, "\n") {
			t.Errorf("%q: %+v", c.text, f)
		}
	}
}

// A tail is cut at its lines and at its bytes, and a line that both ends of it hold is whole.
func TestTailOfALog(t *testing.T) {
	log := filepath.Join(t.TempDir(), LogName)
	line := strings.Repeat("x", 255) + "\n" // of which 16 fit
	for _, c := range []struct {
		text, want string
	}{
		{"", ""},
		{"a\nb\n\n\n", "a\nb"},
		{"\n\na", "\n\na"},
		{strings.Repeat("a\n", tailLines), strings.Repeat("a\n", tailLines-1) + "a"},
		{"b\n" + strings.Repeat("a\n", tailLines), strings.Repeat("a\n", tailLines-1) + "a"},
		{strings.Repeat(line, tailBytes/256), strings.TrimSuffix(strings.Repeat(line, tailBytes/256), "\n")},
		{"y\n" + strings.Repeat(line, tailBytes/256), strings.TrimSuffix(strings.Repeat(line, tailBytes/256-1), "\n")},
	} {
		write(t, log, c.text, 0o666)
		if got := Tail(log); got != c.want {
			t.Errorf("%.20q…: %d bytes, want %d: %.80q", c.text, len(got), len(c.want), got)
		}
	}
	if got := inLine(" a\nb\tc\x1b\u202e \n"); got != "a b\tc.." {
		t.Errorf("%q", got)
	}
}

// Foreign text is quoted, and cut where it is long.
func TestAbridged(t *testing.T) {
	for text, want := range map[string]string{
		"a\n":                    `"a\n"`,
		strings.Repeat("x", 80):  `"` + strings.Repeat("x", 80) + `"`,
		strings.Repeat("x", 81):  `"` + strings.Repeat("x", 80) + `"…`,
		strings.Repeat("x", 800): `"` + strings.Repeat("x", 80) + `"…`,
	} {
		if got := abridged(text); got != want {
			t.Errorf("%d bytes: %s", len(text), got)
		}
	}
	for word, want := range map[string]bool{
		"a": true, "az09_-": true, "": false, "0a": false, "_a": false, "-a": false, "A": false, "aZ": false,
		"z": true, "a:": false, "a/": false, "{": false, "a`": false,
	} {
		if isWord(word) != want {
			t.Errorf("%q is a word: %t", word, !want)
		}
	}
}

// Times of threads whose sum is 0, or of a process whose time isn't known, tell nothing.
func TestNothingRan(t *testing.T) {
	one := []thread{{1, "java", 500}}
	for name, c := range map[string]struct{ begin, end Snapshot }{
		"nobody":          {Snapshot{}, Snapshot{CPUNS: 100}},
		"for no time":     {Snapshot{threads: one}, Snapshot{CPUNS: 100, threads: one}},
		"end not known":   {Snapshot{}, Snapshot{CPUNS: math.NaN(), threads: one}},
		"begin not known": {Snapshot{CPUNS: math.NaN()}, Snapshot{CPUNS: 100, threads: one}},
	} {
		if all, ended := c.end.RanSince(c.begin); all != nil || ended != 0 {
			t.Errorf("%s: %v, %v", name, all, ended)
		}
	}
}

// Nothing is seen of a process that was never started.
func TestNeverStarted(t *testing.T) {
	var none *Process
	if text := none.Holding(); text != "" {
		t.Errorf("nothing was started, and it holds %q", text)
	}
	if _, err := none.Glance(); err == nil {
		t.Error("nothing was started, and it is seen")
	}
	if _, err := none.Snapshot(); err == nil {
		t.Error("nothing was started, and it is seen")
	}
}
