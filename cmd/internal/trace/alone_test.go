package trace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moobench/analysis/report/doc"
	"moobench/cmd/internal/console"
	"moobench/harness/jvm"
)

// printed is a document as text.
func printed(t *testing.T, r *Result) string {
	t.Helper()
	d, err := r.document(false)
	var b strings.Builder
	if err := errors.Join(err, doc.Text(&b, d, doc.TextOptions{Width: 400})); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestOneOfEach: a part of the only JVM does not say whose it is, and one run has no table of runs.
func TestOneOfEach(t *testing.T) {
	log := string(aLog())
	bad := map[string]string{"events-7.bin": log, "events-8.bin": "PK\x03\x04 and much more"}
	two := map[string]string{"events-7.bin": lockLog(5), "events-8.bin": lockLog(6)}
	for name, c := range map[string]struct {
		r        *Result
		has, not string
	}{
		"a JVM":              {kept(t, Trace, folder(t, map[string]string{"events-7.bin": log})), "1 JVM", "process"},
		"one that was read":  {kept(t, Trace, folder(t, bad)), "events-8.bin", "of process"},
		"a run":              {kept(t, Locks, runsOf(t, 10)), "a.B", "Runs"},
		"two runs":           {kept(t, Locks, runsOf(t, 10, 20)), "of 2 runs: the first is shown below", "of process"},
		"a run of two files": {kept(t, Locks, folder(t, two)), "of process 8", "Runs"},
	} {
		if text := printed(t, c.r); !strings.Contains(text, c.has) || strings.Contains(text, c.not) {
			t.Errorf("%s: want %q and no %q in\n%s", name, c.has, c.not, text)
		}
	}
}

// TestFirstOfTheLargest: of logs that are as large as each other, the first stands for the program.
func TestFirstOfTheLargest(t *testing.T) {
	log := string(aLog())
	r := kept(t, Trace, folder(t, map[string]string{"events-7.bin": log, "events-8.bin": log}))
	if text := saved(t, r, "x.json"); !strings.Contains(text, `"pid":7`) || strings.Contains(text, `"pid":8`) {
		t.Error(text)
	}
}

// TestKeptLocksWithoutTheirFile: logs of locks alone are read as such, and the line that shows them is known.
func TestKeptLocksWithoutTheirFile(t *testing.T) {
	dir := folder(t, map[string]string{"events-7.bin": lockLog(5)})
	w, err := Kept(Locks, dir)
	if err != nil || w.locks != "timers" || w.line() != "moobench locks --kept "+dir {
		t.Errorf("%+v, %s, %v", w, w.line(), err)
	}
	text := printed(t, kept(t, Locks, dir))
	if !strings.Contains(text, "a.B") || !strings.Contains(text, "the logs in "+dir) {
		t.Error(text)
	}
	if w, err = Kept(Trace, dir); err != nil || w.locks != "" {
		t.Errorf("of methods: %+v, %v", w, err)
	}
}

// TestUnreadIsCounted: a log that can't be read is counted in the metrics of its run; it is an error without another.
func TestUnreadIsCounted(t *testing.T) {
	files := map[string]string{
		"run-1/events-7.bin": lockLog(5), "run-1/events-8.bin": "PK\x03\x04 and much more of it",
		"run-2/events-7.bin": lockLog(6),
	}
	m, err := kept(t, Locks, folder(t, files)).metrics("1.2")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, run := range m.Runs {
		got = append(got, fmt.Sprintf("%d JVM, %d unread", len(run.JVMs), run.Unread))
	}
	if got := strings.Join(got, "; "); got != "1 JVM, 1 unread; 1 JVM, 0 unread" {
		t.Error(got)
	}
	delete(files, "run-1/events-7.bin")
	_, err = kept(t, Locks, folder(t, files)).metrics("")
	if err == nil || !strings.Contains(err.Error(), "events-8.bin: ") {
		t.Errorf("a run of which nothing can be read: %v", err)
	}
}

// TestNoJVMInARun: a run in which no JVM got a lock still has its list of JVMs, an empty one.
func TestNoJVMInARun(t *testing.T) {
	r := kept(t, Locks, folder(t, map[string]string{"events-7.bin": "moobench-events 1 event=16\n"}))
	text := saved(t, r, "x.metrics.json")
	if strings.Contains(text, "null") || !strings.Contains(text, `"runs": [`) {
		t.Error(text)
	}
}

// TestNothingToCompare: a run that logged nothing can't be compared with earlier ones.
func TestNothingToCompare(t *testing.T) {
	r := &Result{wanted: Wanted{verb: Locks, Against: runsOf(t, 10)}}
	said, worse, err := r.Verdict("")
	if said != "" || worse || err == nil || err.Error() != "there is no run to compare" {
		t.Errorf("%q, %t, %v", said, worse, err)
	}
}

// TestOneMistakeAlone: something is monitored where one name is right and another is wrong, and also where the only one
// is wrong.
func TestOneMistakeAlone(t *testing.T) {
	for _, classes := range [][]string{{"a/b"}, {"a/b", "a.B"}, {"a.B", "a/b"}} {
		if _, err := Parse(nil, classes, nil, nil); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", classes, err)
		}
	}
	w, err := Parse(nil, []string{"java.util.ArrayList"}, []string{"a.M"}, []string{"* a.*.*(..)"})
	if hint := w.notEntered(); err != nil || !strings.Contains(hint, "; of the others, look at the name") {
		t.Errorf("%v, %s", err, hint)
	}
}

// TestInterrupted: a program whose run is given up gets a signal that it can react to.
func TestInterrupted(t *testing.T) {
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer out.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		if n, err := in.Read(make([]byte, 9)); n > 0 || err != nil {
			cancel()
		}
	}()
	w := Wanted{command: []string{"/bin/sh", "-c", "trap 'exit 7' TERM; echo up; while :; do sleep 0.01; done"}}
	state, err := Run(ctx, console.Console{Out: out, Err: os.Stderr}, jvm.AgentJars{}, w, t.TempDir())
	if err != nil || state.ExitCode() != 7 {
		t.Errorf("it ended with %v, %v", state, err)
	}
}

// TestRunsNothing: a program that isn't there has no state.
func TestRunsNothing(t *testing.T) {
	w := Wanted{command: []string{"/none/of/them"}}
	state, err := Run(t.Context(), console.Console{Out: os.Stdout, Err: os.Stderr}, jvm.AgentJars{}, w, t.TempDir())
	if state != nil || err == nil || !strings.HasPrefix(err.Error(), "running /none/of/them: ") {
		t.Errorf("%v, %v", state, err)
	}
}

// TestFolder: a folder is there until it is released; where none can be made, that is said.
func TestFolder(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	dir, release, err := Folder()
	if err != nil || !strings.HasPrefix(dir, filepath.Join(temp, tempPrefix)) || !isThere(dir) {
		t.Fatalf("%s, %v", dir, err)
	}
	if release(); isThere(dir) {
		t.Error("it stays")
	}
	t.Setenv("TMPDIR", filepath.Join(temp, "none"))
	dir, _, err = Folder()
	if dir != "" || err == nil || !strings.HasPrefix(err.Error(), "making a folder for events: ") {
		t.Errorf("%s, %v", dir, err)
	}
}
