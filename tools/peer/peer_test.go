package main

import (
	"context"
	"errors"
	"flag"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moobench/harness/machine"
	"moobench/results"
)

var update = flag.Bool("update", false, "write the golden file anew")

// madeUp are figures of which nothing was measured: MooBench agrees with
// moobench without the agent and is a tenth slower with it, and one round of JMH
// has no cost of the probe.
func madeUp() *figures {
	f := &figures{
		size: size{rounds: 6, calls: 200_000, depth: 10, warmups: 3, iterations: 3},
		when: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC), machine: "a machine, 2 CPUs", jdk: "17", checkout: "1234567 of 2026-07-24",
		artifacts: []string{"net.kieker-monitoring:kieker:2.0.2:bytebuddy"},
		means:     map[column]map[int]float64{}, walls: map[column][]float64{},
		analysis: analysed{files: 12, bytes: 48e6, lines: "what tools/measure prints\n"},
	}
	scatter := []float64{1.01, 0.99, 1.02, 0.98, 1.005, 0.995}
	ns := map[string]float64{none: 90, probeManual: 800, kiekerManual: 9_000, kiekerAgent: 10_000}
	for _, tool := range []string{moobench, moobenchBatched, mooBench, jmh} {
		for i, variant := range variants {
			for round := range f.rounds {
				v := ns[variant] * scatter[(round+i)%len(scatter)]
				if tool == mooBench && variant == kiekerAgent {
					v *= 1.1
				}
				if tool == jmh || tool == mooBench { // no two tools scatter alike
					v *= 1 + 0.002*float64(round%2)
				}
				f.note(column{tool, variant}, round+1, v)
			}
			f.walls[column{tool, variant}] = []float64{2, 4}
		}
	}
	f.note(column{jmh, probeManual}, 3, 80)
	delete(f.means[column{jmh, kiekerManual}], 4)
	for _, l := range []loop{{name: moobench}, {name: mooBench}, {name: jmh}} {
		for round, s := range scatter {
			f.loops = addLoop(f.loops, l.name, s*100, float64(round%2))
		}
	}
	return f
}

func TestMarkdown(t *testing.T) {
	got, err := madeUp().markdown()
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "table.golden.md")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A round that one tool lacks is in neither's values.
func TestPaired(t *testing.T) {
	ours, theirs := madeUp().paired(beside{moobenchBatched, jmh, kiekerManual, true})
	if len(ours) != 5 || len(theirs) != 5 {
		t.Errorf("%d and %d values, want 5 rounds of 6", len(ours), len(theirs))
	}
}

func TestCompared(t *testing.T) {
	ones := []float64{1, 1, 1, 1}
	for _, test := range []struct {
		theirs  []float64
		verdict string
	}{
		{[]float64{1.001, 0.999, 1.002, 0.998}, "equivalent"},
		{[]float64{1.010, 1.011, 1.009, 1.010}, "negligible difference"},
		{[]float64{1.10, 1.11, 1.09, 1.10}, "different"},
		{[]float64{1.10, 0.90, 1.09, 0.92}, "undecided"},
		{[]float64{1, -1, 1, 1}, "no answer: a value is 0 or below, so there is no ratio"},
	} {
		if _, got := compared(test.theirs, ones, 0.95); got != test.verdict {
			t.Errorf("%v: %s, want %s", test.theirs, got, test.verdict)
		}
	}
}

func TestJVMsFor(t *testing.T) {
	// By a table of t: 2.447/√7 = 0.925 and 2.571/√6 = 1.050; 12.706/√2 = 8.98.
	for _, test := range []struct {
		spread float64
		want   int
	}{{0.03, 7}, {0.03 / 9, 2}, {0, 2}} {
		if got := jvmsFor(test.spread, 0.03); got != test.want {
			t.Errorf("spread %v: %d JVMs, want %d", test.spread, got, test.want)
		}
	}
}

func TestRecipe(t *testing.T) {
	inv := &results.Invocation{
		Command: []string{"/jdk/bin/java", "-Dmoobench.control=127.0.0.1:1", "-Dmoobench.dir=/there", "-Xmx2g", "-javaagent:/kieker.jar", "-cp", "/kernel.jar:/calls.jar", "moobench.calls.Main"},
		Env:     []string{"KIEKER_SIGNATURES_INCLUDE=moobench.calls.Plain"},
		CPUs:    "1",
	}
	cell := &results.Cell{Variant: kiekerAgent, Framework: "kieker", Launch: results.Launch{Target: "moobench.calls.Plain"}}
	r, err := recipeOf(inv, cell)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"-Xmx2g", "-javaagent:/kieker.jar"}; !slices.Equal(r.args, want) {
		t.Errorf("args %q, want %q", r.args, want)
	}
	if got, want := strings.Join(r.start("-version"), " "), "taskset -c 1 /jdk/bin/java -version"; got != want {
		t.Errorf("line %q, want %q", got, want)
	}
	if r.classPath != "/kernel.jar:/calls.jar" || r.target != "moobench.calls.Plain" || !r.records {
		t.Errorf("got %+v", r)
	}
	inv.Command = []string{"true"}
	if _, err := recipeOf(inv, cell); err == nil {
		t.Error("no error for a command line without a class path")
	}
}

func TestReadLoops(t *testing.T) {
	m := &measuring{size: size{rounds: 2}, dir: t.TempDir()}
	if err := os.Mkdir(filepath.Join(m.dir, "loops"), 0o777); err != nil {
		t.Fatal(err)
	}
	write := func(n int, text string) {
		if err := os.WriteFile(m.loopsFile(n), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(1, "moobench;50.068;0.000000\nMooBench;318.714;48.001040\n")
	write(2, "moobench;51;0\nMooBench;319;48\n")
	all, err := m.readLoops()
	if err != nil || len(all) != 2 || !slices.Equal(all[1].ns, []float64{318.714, 319}) || !slices.Equal(all[0].bytes, []float64{0, 0}) {
		t.Errorf("got %v, %v", all, err)
	}
	for _, wrong := range []string{"moobench;fifty;0\n", "moobench;50\n"} {
		write(2, wrong)
		if _, err := m.readLoops(); err == nil {
			t.Errorf("%q: no error", wrong)
		}
	}
}

func TestWriteInto(t *testing.T) {
	name, table := filepath.Join(t.TempDir(), "PEERS.md"), tableBegin+"\nnew\n"+tableEnd+"\n"
	for _, test := range []struct{ old, want string }{
		{"", table},
		{"before\n" + tableBegin + "\nold\n" + tableEnd + "\nafter\n", "before\n" + table + "after\n"},
	} {
		if err := os.WriteFile(name, []byte(test.old), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := writeInto(name, table); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != test.want {
			t.Errorf("got %q (%v), want %q", got, err, test.want)
		}
	}
	if err := os.WriteFile(name, []byte("another text\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := writeInto(name, table); err == nil {
		t.Error("a file without a place for the table was overwritten")
	}
}

// The table in PEERS.md can be made anew in its place.
func TestPeersHasAPlace(t *testing.T) {
	text, err := os.ReadFile("../../analysis/PEERS.md")
	if err != nil {
		t.Fatal(err)
	}
	if begin, end := strings.Index(string(text), tableBegin+"\n"), strings.Index(string(text), tableEnd+"\n"); begin < 0 || end < begin {
		t.Errorf("analysis/PEERS.md has no lines %q and %q", tableBegin, tableEnd)
	}
}

// Without a checkout of MooBench, make peer says what it skips, and is not an error.
func TestSkipped(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("make is not installed")
	}
	cmd := exec.Command("make", "-s", "-C", "../..", "peer", "DIR=")
	cmd.Env = slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, "MAKE") })
	out, err := cmd.CombinedOutput()
	if want := "skipped: MooBench and JMH beside moobench"; err != nil || !strings.Contains(string(out), want) {
		t.Errorf("%v\n%s\nwant %q", err, out, want)
	}
}

func TestAlone(t *testing.T) {
	lock := filepath.Join(t.TempDir(), "lock")
	t.Setenv(machine.LockVar, lock)
	release, err := alone(context.Background(), "a campaign")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := alone(ctx, "another"); !errors.Is(err, context.Canceled) {
		t.Errorf("beside another: %v, want it to wait until it is cancelled", err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	if release, err = alone(ctx, "another"); err != nil {
		t.Fatalf("once the other is done: %v", err)
	}
	release()
	t.Setenv(machine.LockVar, filepath.Join(lock, "no folder"))
	if _, err := alone(context.Background(), "a campaign"); err == nil {
		t.Error("no error where there can be no lock")
	}
}

// Every comparison has two tools that measure its variant, and none is there twice.
func TestComparisons(t *testing.T) {
	f, seen := madeUp(), map[beside]bool{}
	for _, c := range comparisons() {
		for _, tool := range []string{c.ours, c.theirs} {
			if len(slices.Collect(maps.Keys(f.means[column{tool, c.variant}]))) == 0 {
				t.Errorf("%s does not measure %s", tool, c.variant)
			}
		}
		if seen[c] {
			t.Errorf("%+v is there twice", c)
		}
		seen[c] = true
	}
}
