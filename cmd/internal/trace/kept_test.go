package trace

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moobench/analysis/report/doc"
)

// folder is one with files of these contents.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestKept: logs that were kept are told as they were, with what was asked for.
func TestKept(t *testing.T) {
	dir := folder(t, map[string]string{"events-7.bin": string(aLog())})
	w, err := Parse([]string{"java", "-jar", "app.jar"}, []string{"a.B"}, []string{"a.M"}, []string{"* a.*.*(..)"})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Keep(dir, "1.2.3"); err != nil {
		t.Fatal(err)
	}
	again, err := Kept(Trace, dir)
	if err != nil || strings.Join(again.patterns, ";") != strings.Join(w.patterns, ";") || again.title() != w.title() || !strings.HasPrefix(again.line(), "moobench trace --class a.B --annotation a.M ") {
		t.Errorf("%+v, %v", again, err)
	}
	r, err := Find(again, dir)
	if err != nil {
		t.Fatal(err)
	}
	d, err := r.document(false)
	if err != nil || d.Title != "java -jar app.jar" || !strings.Contains(d.Foot, "--kept "+dir) {
		t.Errorf("%v %+v", err, d)
	}
	if _, err := Kept(Locks, dir); err == nil || !strings.Contains(err.Error(), "holds what moobench trace logged") {
		t.Error(err)
	}
}

// TestKeptWithoutItsFile: a log by itself is told, too.
func TestKeptWithoutItsFile(t *testing.T) {
	dir := folder(t, map[string]string{"events-7.bin": string(aLog())})
	w, err := Kept(Trace, dir)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Find(w, dir)
	if err != nil {
		t.Fatal(err)
	}
	d, err := r.document(false)
	var b strings.Builder
	if err == nil {
		err = doc.Text(&b, d, doc.TextOptions{Width: 100})
	}
	if err != nil || !strings.Contains(b.String(), "START main → a.B") || !strings.HasPrefix(d.Title, "the logs in ") {
		t.Errorf("%v\n%s", err, b.String())
	}
}

// TestKeptMistakes: a file that somebody else wrote is refused, with its name.
func TestKeptMistakes(t *testing.T) {
	const good = `"verb": "trace", "command": ["java"], "classes": ["a.B"]`
	for name, c := range map[string]struct{ content, want string }{
		"no JSON":      {"PK", "run.json: invalid character"},
		"another file": {`{"runs": 3}`, "is not a file that moobench keeps"},
		"newer":        {`{"moobench_run": 9, "version": "7.0", ` + good + `}`, "newer than this one"},
		"other verb":   {`{"moobench_run": 1, "verb": "swap"}`, "is not a file that moobench keeps"},
		"bad pattern":  {`{"moobench_run": 1, "verb": "trace", "command": ["java"], "classes": ["a/b"]}`, `--class: "a/b" is not a name`},
		"too long":     {strings.Repeat(" ", runMost+1), "run.json"},
	} {
		dir := folder(t, map[string]string{"events-7.bin": string(aLog()), runFile: c.content})
		if _, err := Kept(Trace, dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	if _, err := Kept(Trace, folder(t, nil)); err == nil || !strings.Contains(err.Error(), "holds no logs of a program") {
		t.Error(err)
	}
	if _, err := Kept(Trace, "/none/of/them"); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Error(err)
	}
}

// lockLog is a log of a thread that holds a lock and of one that waits for it, so many ns.
func lockLog(wait int64) string {
	var events []byte
	put := func(ring uint32, values ...uint64) { events = append(events, block(3, ring, longs(values...))...) }
	const begins, request, exit, enter, section = 15 << 60, 5 << 60, 1 << 60, 0, 0 << 32
	put(0, 0, begins, 100, request|section|7, 101, enter|section|7)
	put(1, 0, begins|1, 110, request|section|7)
	put(0, uint64(110+wait), exit|section|7)
	put(1, uint64(110+wait), enter|section|7, uint64(200+wait), exit|section|7)
	head := string(block(1, 0, []byte("void a.B.put()\tmethod\tsize=5"))) + string(block(2, 0, []byte("one"))) + string(block(2, 1, []byte("two"))) + string(block(5, 7, []byte("a.B")))
	return "moobench-events 1 event=16\n" + head + string(events) + string(block(4, 0, longs(6, 0, 0, 1, 1_000_000, 50_000)))
}

// runsOf is a folder of runs in which a thread waited so long.
func runsOf(t *testing.T, waits ...int64) string {
	t.Helper()
	files := map[string]string{runFile: `{"moobench_run": 1, "verb": "locks", "command": ["java"], "log": ["contention"]}`}
	for i, wait := range waits {
		files[fmt.Sprintf("run-%d/events-7.bin", i+1)] = lockLog(wait)
	}
	return folder(t, files)
}

// TestCompare: whether runs got worse is told by several of them, of folders and of files, and by one
// of each it is not told.
func TestCompare(t *testing.T) {
	less, more := runsOf(t, 10, 20, 30, 40, 15), runsOf(t, 90_000, 80_000, 95_000, 70_000, 85_000)
	result := func(dir, against string) *Result {
		t.Helper()
		w, err := Kept(Locks, dir)
		if err != nil {
			t.Fatal(err)
		}
		w.Against = against
		r, err := Find(w, dir)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	file := filepath.Join(t.TempDir(), "less.metrics.json")
	if err := result(less, "").Save(file, "1.0"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		dir, against, want string
		worse              bool
	}{
		{more, less, "Worse: threads wait longer (+84.98 µs", true},
		{more, file, "Worse: threads wait longer (+84.98 µs", true},
		{less, more, "Better: threads wait less (−84.98 µs", false},
		{less, less, "Equivalent: what threads wait changed by less than matters, 10.00 µs", false},
		{runsOf(t, 90_000), runsOf(t, 10), "That is one run against one", false},
		{runsOf(t, 90_000, 90_001, 90_002), runsOf(t, 10, 11, 12), "3 runs against 3 runs can't show a change", false},
	} {
		if err := CheckAgainst(c.against); err != nil {
			t.Error(err)
		}
		said, worse, err := result(c.dir, c.against).Verdict("")
		if err != nil || worse != c.worse || !strings.Contains(said, c.want) {
			t.Errorf("%s, worse: %v, %v; want %s", said, worse, err, c.want)
		}
		d, err := result(c.dir, c.against).document(true)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := doc.Text(&b, d, doc.TextOptions{Width: 500}); err != nil || !strings.Contains(b.String(), c.want) {
			t.Errorf("%v: the report doesn't say %s:\n%s", err, c.want, b.String())
		}
	}
	for name, want := range map[string]string{filepath.Join(less, "run-1", "events-7.bin"): "is not a folder of kept logs", "none": "no such file", runsOf(t): "holds no logs"} {
		if err := CheckAgainst(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}
