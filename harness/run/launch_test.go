package run

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moobench/harness/fixture"
	"moobench/harness/plan"
	"moobench/results"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestSweepKeepsLogsAndDumpsOnly(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "out.log"), "said\n")
	write(t, filepath.Join(dir, "duration.0.i64"), "raw")
	write(t, filepath.Join(dir, "probe.bin"), "12345")
	write(t, filepath.Join(dir, "kieker-1", "a.dat"), "1234567")
	bytes, err := sweep(dir, ".log", ".i64")
	if err != nil || bytes != 12 {
		t.Errorf("swept %d bytes, %v, want 12", bytes, err)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"duration.0.i64", "out.log"}) {
		t.Errorf("left %v", got)
	}
	if _, err := sweep(dir, ".log"); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"out.log"}) {
		t.Errorf("cleared, left %v", got)
	}
}

func TestFloodingLogIsCutToItsEnd(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.log")
	write(t, path, strings.Repeat("noise\n", logKept/3)+"the end\n")
	if _, err := sweep(dir, ".log"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil || len(got) != logKept || !strings.HasSuffix(string(got), "noise\nthe end\n") {
		t.Errorf("%d bytes left, %v, ending %q", len(got), err, got[max(0, len(got)-20):])
	}
}

func TestRoomRefuses(t *testing.T) {
	dir := t.TempDir()
	if err := Room(dir, 1, "trying"); err != nil {
		t.Errorf("one byte: %v", err)
	}
	err := Room(dir, math.MaxInt64, "trying")
	if err == nil || !strings.Contains(err.Error(), "trying") || !strings.Contains(err.Error(), dir) {
		t.Errorf("too much: %v", err)
	}
}

func TestRedefinitions(t *testing.T) {
	dir := t.TempDir()
	if n, _ := redefinitions(dir); !math.IsNaN(n) {
		t.Errorf("without a log %v, want NaN: not known", n)
	}
	write(t, filepath.Join(dir, redefineLog), "[0.1s][info][redefine,class,load] redefined name=a.B, count=1 (avail_mem=1K)\n[0.2s] other\n"+
		strings.Repeat("[0.3s][info] redefined name=moobench.kernel.Loop, count=2 (avail_mem=1K)\n", 2))
	if n, measuring := redefinitions(dir); n != 3 || !slices.Equal(measuring, []string{"moobench.kernel.Loop"}) {
		t.Errorf("%v redefinitions, want 3, of %q", n, measuring)
	}
}

func TestLateAgentIsExpanded(t *testing.T) {
	vars := map[string]string{"fixture.hotswap": "/a=b/hotswap.jar", "dir": "/x"}
	for template, want := range map[string]lateAgent{
		"":                                    {},
		"{fixture.hotswap}":                   {jar: "/a=b/hotswap.jar"},
		"{fixture.hotswap}=dir={dir},probe=a": {jar: "/a=b/hotswap.jar", options: "dir=/x,probe=a"},
	} {
		if got, err := expandAgent(template, vars); err != nil || got != want {
			t.Errorf("%q: %+v, %v; want %+v", template, got, err, want)
		}
	}
	if _, err := expandAgent("{jar.agent}", vars); err == nil {
		t.Error("an unknown jar is attached")
	}
}

// TestOptionsOfTheCellFollow: those of [jvm] args come first, where no heap is among
// them but in the resources profile, and those of the factor next.
func TestOptionsOfTheCellFollow(t *testing.T) {
	user := []string{"-Da=1", "-Xmx1g"}
	for value, want := range map[string][]string{
		"":                {"-Da=1"},
		results.NoOptions: {"-Da=1"},
		"-Xint '-Db=x y'": {"-Da=1", "-Xint", "-Db=x y"},
	} {
		cell := plan.Cell{Cell: results.Cell{Launch: results.Launch{Fixture: "calls"}}}
		if value != "" {
			cell.Parameters = []results.Value{{Name: results.FactorJVM, Value: value}}
		}
		got := CommandLine(cell, user)
		first := slices.Index(got, "-Da=1")
		if got := got[first:slices.Index(got, "-cp")]; !slices.Equal(got, want) {
			t.Errorf("timing, jvm=%s: %q", value, got)
		}
		r := &Runner{Args: user, Artifacts: &Artifacts{}, Fixtures: fixture.Built{}}
		s, err := r.subject(plan.Invocation{Cell: cell, Profile: results.ProfileResources}, t.TempDir(), nil, nil)
		want = slices.Insert(slices.Clone(want), 1, "-Xmx1g")
		if err != nil || !slices.Equal(s.command.Args[:len(want)], want) {
			t.Errorf("resources, jvm=%s: %q, %v", value, s.command.Args, err)
		}
	}
}
