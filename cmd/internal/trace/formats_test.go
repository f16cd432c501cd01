package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis/chapter/locks"
	"moobench/analysis/report/doc"
	"moobench/harness/jvm"
	"moobench/refusal"
)

// TestAgent: what the JVM is told, of methods and of locks; letters that it may not read are written by their numbers.
func TestAgent(t *testing.T) {
	jars := jvm.AgentJars{Agent: "agent.jar", Kernel: "kernel.jar", Probes: "probes.jar"}
	w, err := Parse([]string{"java"}, []string{"a.é"}, nil, []string{"- * a.B.get(..)"})
	if err != nil {
		t.Fatal(err)
	}
	l, err := ParseLocks([]string{"java"}, nil, "", []string{"contention", "callers"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		w    *Wanted
		want []string
	}{
		{&w, []string{
			"-javaagent:agent.jar", "-Dmoobench.hotswap.probe=events", "-Dmoobench.events.waits=true", "-Dmoobench.hotswap.kernel=kernel.jar",
			"-Dmoobench.hotswap.probes=probes.jar", `-Dmoobench.hotswap.patterns=+ a.\u00e9.*(..); - * a.B.get(..)`, "-Dmoobench.dir=/d",
		}},
		{&l, []string{
			"-javaagent:agent.jar", "-Dmoobench.hotswap.probe=locks", "-Dmoobench.events.locks=timers,contention,callers", "-Dmoobench.hotswap.kernel=kernel.jar",
			"-Dmoobench.hotswap.probes=probes.jar", "-Dmoobench.hotswap.patterns=+ *", "-Dmoobench.dir=/d",
		}},
	} {
		if diff := cmp.Diff(c.want, c.w.agent(jars, "/d")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.w.verb, diff)
		}
	}
}

// TestParseLocks: all sections are looked at unless patterns say which; those of a file come first, and what is wrong
// in it is named with its line.
func TestParseLocks(t *testing.T) {
	file := filepath.Join(folder(t, map[string]string{"patterns": "# ours\n* a.B.x(..)\n\n- * a.B.y(..)\n"}), "patterns")
	bad := filepath.Join(folder(t, map[string]string{"bad": "* a.B.x(..)\nodd\n"}), "bad")
	for _, c := range []struct {
		patterns  []string
		file, log string
		want      string // patterns, or the error
	}{
		{nil, "", "", "+ *"},
		{[]string{"- * a.B.x(..)"}, "", "", "+ *; - * a.B.x(..)"},
		{[]string{"* a.B.x(..)"}, "", "contention", "+ * a.B.x(..)"},
		{[]string{"+ * a.B.z(..)"}, file, "methods", "+ * a.B.x(..); - * a.B.y(..); + * a.B.z(..)"},
		{nil, bad, "", bad + `:2: pattern "odd": want `},
		{nil, "/none", "", "reading patterns: "},
		{[]string{"odd"}, "", "", `--pattern: pattern "odd": want `},
		{nil, "", "loud", `--log "loud" is unknown`},
	} {
		var log []string
		if c.log != "" {
			log = []string{c.log}
		}
		w, err := ParseLocks([]string{"java"}, c.patterns, c.file, log)
		got := strings.Join(w.patterns, "; ")
		if err != nil {
			got = err.Error()
		}
		if got != c.want && (err == nil || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%q %s %s: %s, want %s", c.patterns, c.file, c.log, got, c.want)
		}
	}
	if w, err := ParseLocks(nil, []string{"- * a.B.x(..)"}, "", nil); err != nil || !slices.Equal(w.given.Patterns, []string{"- * a.B.x(..)"}) || w.locks != "timers" {
		t.Errorf("%+v, %v: what was asked for is not what is looked at", w, err)
	}
}

// TestFormats: which formats there are, by how the names of files end.
func TestFormats(t *testing.T) {
	for name, want := range map[string][2]bool{
		"x.html": {true, true}, "x.dot": {true, true}, "x.json": {true, true}, "x.folded": {true, true}, "x.csv": {false, true},
		"x.metrics.csv": {false, true}, "x.metrics.json": {true, true}, "x.txt": {false, false}, "html": {false, false},
	} {
		if got := [2]bool{Knows(name, Formats(false)), Knows(name, Formats(true))}; got != want {
			t.Errorf("%s: of methods and of locks %v, want %v", name, got, want)
		}
	}
}

// kept is the result of a folder of logs.
func kept(t *testing.T, verb, dir string, changes ...func(w *Wanted)) *Result {
	t.Helper()
	w, err := Kept(verb, dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range changes {
		change(&w)
	}
	r, err := Find(w, dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// saved is what is written into a file of that name.
func saved(t *testing.T, r *Result, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := r.Save(path, "1.2"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestSave: each format has the log with most in it; of locks the figures are of all runs.
func TestSave(t *testing.T) {
	small, large := string(aLog()), strings.Replace(string(aLog()), "a.B.run", "a.B.longer", 1)
	large = strings.Replace(large, "\x15\x00\x00\x00public", "\x18\x00\x00\x00public", 1)
	traced := kept(t, Trace, folder(t, map[string]string{"events-7.bin": small, "events-8.bin": large, "events-9.bin": small}), func(w *Wanted) { w.given.Classes = []string{"a.B"} })
	locked := kept(t, Locks, runsOf(t, 10, 20))
	for _, c := range []struct {
		r        *Result
		name     string
		has, not []string
	}{
		{traced, "x.dot", []string{"digraph", "a.B", "START\\nmain"}, []string{"<html"}},
		{traced, "x.folded", []string{"main;a.B.longer "}, []string{"a.B.run"}},
		{traced, "x.json", []string{`"pid":8`, "a.B.longer"}, []string{"a.B.run"}},
		{traced, "x.html", []string{"<html", "a.B.longer", "a.B.run", "1.2", "3 JVMs"}, nil},
		{locked, "x.csv", []string{"void a.B.put(),0,7,a.B,one,101,19,0,0,false\n", ",two,120,90,0,10,false\n"}, []string{"jvm"}},
		{locked, "x.metrics.csv", []string{"section", "a.B"}, nil},
		{locked, "x.html", []string{"<html", "a.B"}, nil},
	} {
		text := saved(t, c.r, c.name)
		for _, want := range c.has {
			if !strings.Contains(text, want) {
				t.Errorf("%s holds no %q:\n%.3000s", c.name, want, text)
			}
		}
		for _, no := range c.not {
			if strings.Contains(text, no) {
				t.Errorf("%s holds %q:\n%.3000s", c.name, no, text)
			}
		}
	}
	text := saved(t, locked, "x.metrics.json")
	var m locks.Metrics
	if err := json.Unmarshal([]byte(text), &m); err != nil || !strings.HasSuffix(text, "}\n") {
		t.Fatalf("%v: %s", err, text)
	}
	var waits []int64
	for _, run := range m.Runs {
		waits = append(waits, run.JVMs[0].Locks[0].WaitedNS)
	}
	if !slices.Equal(waits, []int64{10, 20}) || m.Version != "1.2" || m.Format != locks.MetricsFormat || !slices.Equal(m.Log, []string{"contention"}) || m.Runs[0].JVMs[0].PID != 7 {
		t.Errorf("waits of %v ns in %+v", waits, m)
	}
}

// TestNoVerdict: where nothing can be compared, nothing is called worse.
func TestNoVerdict(t *testing.T) {
	for name, against := range map[string]string{"nobody asked": "", "not there": "/none", "of methods": folder(t, map[string]string{"x.metrics.json": "{}"}) + "/x.metrics.json"} {
		r := kept(t, Locks, runsOf(t, 10), func(w *Wanted) { w.Against = against })
		if said, worse, err := r.Verdict(""); said != "" || worse || (err == nil) != (against == "") {
			t.Errorf("%s: %q, worse: %t, %v", name, said, worse, err)
		}
	}
}

// TestRuns: the logs of a folder are one run, those below it one each; a gap ends them, and a run without logs is none.
func TestRuns(t *testing.T) {
	log := string(aLog())
	for name, c := range map[string]struct {
		files map[string]string
		want  []int
	}{
		"none":       {nil, nil},
		"one":        {map[string]string{"events-1.bin": log, "events-2.bin": log, "run-1/events-3.bin": log}, []int{2}},
		"several":    {map[string]string{"run-1/events-1.bin": log, "run-2/events-1.bin": log, "run-2/events-2.bin": log}, []int{1, 2}},
		"a gap":      {map[string]string{"run-1/events-1.bin": log, "run-3/events-1.bin": log}, []int{1}},
		"an empty":   {map[string]string{"run-1/x": "", "run-2/events-1.bin": log}, []int{1}},
		"not from 0": {map[string]string{"run-0/events-1.bin": log}, nil},
	} {
		runs, err := runFiles(folder(t, c.files))
		var got []int
		for _, run := range runs {
			if len(run) > 0 {
				got = append(got, len(run))
			}
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, c.want)
		}
	}
}

// TestNothingLogged: a program of which nothing was seen gets a hint what to do.
func TestNothingLogged(t *testing.T) {
	empty := "moobench-events 1 event=16\n" + string(block(2, 0, []byte("main")))
	hint := func(verb string, files map[string]string, log ...string) string {
		t.Helper()
		w, err := ParseLocks([]string{"java"}, []string{"* a.B.x(..)"}, "", log)
		if verb == Trace {
			w, err = Parse([]string{"java"}, []string{"a.B"}, nil, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		w.kept = "kept logs"
		r, err := Find(w, folder(t, files))
		if err == nil {
			_, err = r.document(false)
		}
		if err == nil {
			t.Fatal("something was seen")
		}
		return refusal.Text(err)
	}
	for _, c := range []struct{ got, want string }{
		{
			hint(Trace, nil),
			"no JVM logged anything\nhint: is it a Java program of JDK 8 or later? It must take JAVA_TOOL_OPTIONS from its environment",
		},
		{
			hint(Trace, map[string]string{"events-1.bin": empty}),
			"no monitored method was entered\nhint: look at the name, with its package, and $ before that of a nested class: + a.B.*(..)",
		},
		{
			hint(Trace, map[string]string{"events-1.bin": lockLog(5)}),
			"it is a log of locks\nhint: moobench locks --kept 'kept logs' shows it",
		},
		{
			hint(Locks, map[string]string{"events-1.bin": empty}),
			"instrumented code acquired no lock\nhint: the JDK's code is not instrumented; --log contention,explicit adds locks of java.util.concurrent, and --log methods adds methods without a lock. Look at the patterns: + * a.B.x(..)",
		},
	} {
		if c.got != c.want {
			t.Errorf("got  %s\nwant %s", c.got, c.want)
		}
	}
}

// TestWindow: a part of a log is a part on either side, and is told as one.
func TestWindow(t *testing.T) {
	dir := folder(t, map[string]string{"events-7.bin": string(aLog())})
	for window, part := range map[[2]time.Duration]bool{{}: false, {1, 0}: true, {0, 300}: true, {1, 300}: true} {
		r := kept(t, Trace, dir, func(w *Wanted) { w.Window = window })
		v, o := r.view(" of process 7"), r.closely()
		if v.Part != part || v.FromNS != int64(window[0]) || v.Suffix != " of process 7" || o.From != int64(window[0]) || o.To != int64(window[1]) {
			t.Errorf("%v: %+v, from %d to %d", window, v, o.From, o.To)
		}
	}
}

// TestDocuments: what stands at the head of a report, and of several JVMs which one a part is about.
func TestDocuments(t *testing.T) {
	two := kept(t, Trace, folder(t, map[string]string{"events-7.bin": string(aLog()), "events-8.bin": string(aLog())}))
	d, err := two.document(false)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"4 events", "2 threads", "2 JVMs"}, d.Facts); diff != "" {
		t.Error(diff)
	}
	var b strings.Builder
	if err := doc.Text(&b, d, doc.TextOptions{Width: 200}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a.B of process 7", "a.B of process 8", "Who calls whom of process 7"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	one := kept(t, Locks, runsOf(t, 10))
	if d, err = one.document(true); err != nil || len(d.Blocks) == 0 || strings.Contains(fmt.Sprint(d.Facts), "process") {
		t.Errorf("%v: %+v", err, d)
	}
	if d.Foot == "" || !strings.Contains(d.Foot, " The command: moobench locks --log contention --keep ") {
		t.Errorf("foot %q", d.Foot)
	}
}

// TestTenuresAreForPictures: without a picture, and without a thread that waited, nothing is read again.
func TestTenuresAreForPictures(t *testing.T) {
	waited := &locks.Report{Locks: []locks.Lock{{Hash: 7, WaitNS: 1}}}
	calm := &locks.Report{Locks: []locks.Lock{{Hash: 7}}}
	for _, test := range []struct {
		report   *locks.Report
		pictures bool
	}{{waited, false}, {calm, true}, {calm, false}} {
		in := bytes.NewReader([]byte("no log"))
		if o, err := new(Result).tenures(in, test.report, test.pictures); o != nil || err != nil {
			t.Errorf("%+v: %v, %v", test, o, err)
		}
	}
	if _, err := new(Result).tenures(bytes.NewReader([]byte("no log")), waited, true); err == nil {
		t.Error("the log of a lock that threads waited for isn't read for its picture")
	}
}
