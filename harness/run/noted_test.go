package run

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/fixture"
	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/harness/machine/cpu"
	"moobench/harness/plan"
	"moobench/harness/receiver"
	"moobench/results"
)

// TestPairDigest: whatever runs in a cell's JVMs or its baseline's is in the digest, and what does not is not.
func TestPairDigest(t *testing.T) {
	digest := func(change func(r *Runner, c *plan.Cell), contents map[string]string) string {
		t.Helper()
		r := &Runner{Artifacts: &Artifacts{}, Fixtures: fixture.Built{Dir: "/built"}}
		r.Host.Placement = cpu.Placement{Fixture: cpu.Set{1, 2, 3}}
		c := &plan.Cell{Work: plan.Work{JVMArgs: []string{"-Da"}}}
		c.Variant, c.Launch.Fixture = "mine", "calls"
		c.Recipe = framework.Variant{Args: []string{"-Dx"}, Env: []string{"A=b"}}
		c.Recipe.Artifacts = []framework.Artifact{{Name: "agent", SHA256: "1"}}
		c.Launch.Artifacts = []results.Artifact{
			{Name: framework.PreparedName, SHA256: "2"}, {Name: "other", SHA256: "3"},
		}
		c.Parameters = []results.Value{
			{Name: "depth", Value: "1"}, {Name: "calls", Value: "7"}, {Name: "jdk", Value: "21"},
		}
		baseline := &plan.Cell{}
		baseline.Launch.Fixture = "calls"
		change(r, c)
		read := func(path string) (string, error) { return contents[path] + " read", nil }
		sum, err := r.PairDigest(c, baseline, read)
		if err != nil || len(sum) != 64 {
			t.Fatal(sum, err)
		}
		return sum
	}
	usual := digest(func(*Runner, *plan.Cell) {}, nil)
	for name, c := range map[string]struct {
		change func(r *Runner, c *plan.Cell)
		same   bool
	}{
		"options":         {func(_ *Runner, c *plan.Cell) { c.Recipe.Args = nil }, false},
		"the user's":      {func(r *Runner, _ *plan.Cell) { r.Args = []string{"-Xint"} }, false},
		"work":            {func(_ *Runner, c *plan.Cell) { c.Work.JVMArgs = nil }, false},
		"environment":     {func(_ *Runner, c *plan.Cell) { c.Recipe.Env = nil }, false},
		"late":            {func(_ *Runner, c *plan.Cell) { c.Recipe.Attach = "x" }, false},
		"in":              {func(_ *Runner, c *plan.Cell) { c.Recipe.Activate = "x" }, false},
		"out":             {func(_ *Runner, c *plan.Cell) { c.Recipe.Deactivate = "x" }, false},
		"a parameter":     {func(_ *Runner, c *plan.Cell) { c.Parameters[0].Value = "2" }, false},
		"calls":           {func(_ *Runner, c *plan.Cell) { c.Parameters[1].Value = "8" }, true},
		"a JDK":           {func(_ *Runner, c *plan.Cell) { c.Parameters[2].Value = "25" }, true},
		"a jar":           {func(_ *Runner, c *plan.Cell) { c.Recipe.Artifacts[0].SHA256 = "9" }, false},
		"what is made":    {func(_ *Runner, c *plan.Cell) { c.Launch.Artifacts[0].SHA256 = "9" }, false},
		"what it was of":  {func(_ *Runner, c *plan.Cell) { c.Launch.Artifacts[1].SHA256 = "9" }, true},
		"another CPU":     {func(r *Runner, _ *plan.Cell) { r.Host.Placement.Fixture[0] = 0 }, true},
		"another CPU set": {func(r *Runner, _ *plan.Cell) { r.Host.Placement.Fixture = cpu.Set{1} }, false},
		"another folder":  {func(r *Runner, _ *plan.Cell) { r.Fixtures.Dir = "/elsewhere" }, true},
	} {
		if got := digest(c.change, nil); (got == usual) != c.same {
			t.Errorf("%s: the same digest: %t", name, got == usual)
		}
	}
	for _, module := range []string{"kernel", "calls"} {
		other := map[string]string{fixture.Built{Dir: "/built"}.Jar(module): "x"}
		if digest(func(*Runner, *plan.Cell) {}, other) == usual {
			t.Errorf("another %s has the same digest", module)
		}
	}
	r := &Runner{Artifacts: &Artifacts{}}
	r.Host.Placement = cpu.Placement{Fixture: cpu.Set{1}, Housekeeping: cpu.Set{0}}
	gone := func(string) (string, error) { return "", errors.New("gone") }
	sum, err := r.PairDigest(&plan.Cell{}, &plan.Cell{}, gone)
	if sum != "" || err == nil || !strings.Contains(err.Error(), "gone") {
		t.Errorf("no jar: %s, %v", sum, err)
	}
	many := &plan.Cell{}
	many.Parameters = []results.Value{{Name: results.FactorCPUs, Value: "99"}}
	fine := func(string) (string, error) { return "", nil }
	sum, err = r.PairDigest(many, &plan.Cell{}, fine)
	if sum != "" || err == nil || !strings.Contains(err.Error(), "cpus = 99") {
		t.Errorf("too many CPUs: %s, %v", sum, err)
	}
}

// counting is a source that listens, keeps files and counts meanwhile.
type counting struct {
	receiver.Source
	arrived, marked int64
	files           []string
	most            int64
	vars            map[string]string
}

func (c *counting) Arrived() int64          { return c.arrived }
func (c *counting) Mark(endNS int64)        { c.marked = endNS }
func (c *counting) Keep() ([]string, int64) { return c.files, c.most }
func (c *counting) Vars() map[string]string { return c.vars }

// silent is a source that only counts at the end.
type silent struct{ receiver.Source }

func (silent) Vars() map[string]string { return nil }

// TestNoted: what a scenario says of an invocation stands in it.
func TestNoted(t *testing.T) {
	a := &attempt{got: &results.Invocation{Scalars: map[string]float64{}}, dir: "/d"}
	a.sources = []receiver.Source{nil, &counting{arrived: 7}, silent{}}
	if got := a.Arrived(); !slices.Equal(got, []int64{-1, 7, -1}) || a.Dir() != "/d" {
		t.Errorf("%v", got)
	}
	a.Recorded(8)
	a.Expected(9)
	a.AtLeast("startup", 1.5)
	a.Printed(&results.Output{})
	a.Invalid("it is %s", "so")
	a.Void([]string{"a", "b"}, "late by %d", 3)
	a.Void([]string{"b"}, "early")
	a.Warn("one of %d", 2)
	a.Warn("two")
	for name, value := range map[string]float64{"x": 1, "nan": math.NaN(), "more": math.Inf(1), "less": math.Inf(-1)} {
		a.Scalar(name, value)
	}
	want := &results.Invocation{
		Scalars: map[string]float64{"x": 1}, AtLeast: map[string]float64{"startup": 1.5}, Output: &results.Output{},
		Invalid: "it is so", Void: map[string]string{"a": "late by 3", "b": "early"},
		Warnings: []string{"one of 2", "two"}, Proof: results.Proof{Expected: 9},
	}
	if diff := cmp.Diff(want, a.got); diff != "" || a.recorded != 8 {
		t.Errorf("recorded %d (-want +got):\n%s", a.recorded, diff)
	}
	if x := a.known("x"); x != 1 || !math.IsNaN(a.known("y")) {
		t.Errorf("x is %v, y %v", x, a.known("y"))
	}
	a.got.Series = []results.Series{{Thread: 2}, {Thread: 1}}
	if l := a.loop(); l.Threads != 3 || !math.IsNaN(l.LengthNS) {
		t.Errorf("%+v", l)
	}
}

// TestToKeep: files for pictures are kept of the first block's timing alone, and those of a source only together.
func TestToKeep(t *testing.T) {
	dir := t.TempDir()
	for name, size := range map[string]int{"a": 10, "b": 20, "c": 5} {
		write(t, filepath.Join(dir, name), strings.Repeat("x", size))
	}
	source := func(most int64, files ...string) receiver.Source { return &counting{files: files, most: most} }
	for name, c := range map[string]struct {
		block   int
		profile results.Profile
		sources []receiver.Source
		want    string
	}{
		"all": {
			1, results.ProfileTiming,
			[]receiver.Source{source(30, "a", "b"), nil, silent{}, source(5, "c")},
			"[a b c] 35",
		},
		"too large": {
			1, results.ProfileTiming, []receiver.Source{source(29, "a", "b"), source(5, "c")}, "[c] 5",
		},
		"none is there":  {1, results.ProfileTiming, []receiver.Source{source(0, "d")}, "[d] 0"},
		"a later block":  {2, results.ProfileTiming, []receiver.Source{source(30, "a", "b")}, "[] 0"},
		"other profiles": {1, results.ProfileResources, []receiver.Source{source(30, "a", "b")}, "[] 0"},
	} {
		a := &attempt{dir: dir, sources: c.sources}
		a.inv.Block, a.inv.Profile = c.block, c.profile
		names, bytes := a.toKeep()
		if got := fmt.Sprint(names, bytes); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestFinish: what is known of a subject once it is gone becomes scalars, and what isn't known does not.
func TestFinish(t *testing.T) {
	const bytes, drain, per, peak, written = ReceivedBytes, drainNS, RecordsPerCall, RSSPeakBytes, WrittenBytes
	for name, c := range map[string]struct {
		change func(a *attempt)
		want   map[string]float64
	}{
		"nothing": {func(*attempt) {}, map[string]float64{written: 0}},
		"files": {
			func(a *attempt) {
				write(t, filepath.Join(a.dir, "x"), "abc")
				a.given = 1
			}, map[string]float64{written: 2},
		},
		"no listener": {
			func(a *attempt) { a.sources = []receiver.Source{nil, silent{}} }, map[string]float64{written: 0},
		},
		"listeners": {
			func(a *attempt) {
				at := map[string]string{"port": "1"}
				a.sources = []receiver.Source{&counting{vars: at}, silent{}, &counting{vars: at}}
				a.got.Proof.Bytes, a.got.Beside = 3, []results.Proof{{Bytes: 100}, {Bytes: 4}}
			}, map[string]float64{written: 0, bytes: 7},
		},
		"drained": {
			func(a *attempt) { a.got.Proof.ByExit, a.got.Proof.DrainNS = 1, 1 },
			map[string]float64{written: 0, drain: 1},
		},
		"nothing to drain": {func(a *attempt) { a.got.Proof.DrainNS = 1 }, map[string]float64{written: 0}},
		"drained at once":  {func(a *attempt) { a.got.Proof.ByExit = 1 }, map[string]float64{written: 0}},
		"peak": {
			func(a *attempt) { a.subject.last = jvm.Snapshot{MonotonicNS: 1, PeakRSSBytes: 9} },
			map[string]float64{written: 0, peak: 9},
		},
		"records of a call": {
			func(a *attempt) {
				a.inv.Cell.Work = plan.Work{Pattern: "*", Calls: 4, Threads: 1}
				a.inv.Cell.Proof.Kind, a.got.Proof.ByExit = results.ProofCount, 8
			}, map[string]float64{written: 0, per: 2},
		},
		"records of one call": {
			func(a *attempt) {
				a.inv.Cell.Work.Pattern = "*"
				a.inv.Cell.Proof.Kind, a.got.Proof.ByExit = results.ProofCount, 1
			}, map[string]float64{written: 0, per: 1},
		},
		"records told by the scenario": {
			func(a *attempt) {
				a.inv.Cell.Work.Pattern = "*"
				a.inv.Cell.Proof.Kind, a.got.Proof.ByExit = results.ProofCount, 1
				a.got.Scalars[per] = 5
			}, map[string]float64{written: 0, per: 5},
		},
		"not one record": {
			func(a *attempt) {
				a.inv.Cell.Work.Pattern = "*"
				a.inv.Cell.Proof.Kind = results.ProofCount
			}, map[string]float64{written: 0},
		},
		"no count": {
			func(a *attempt) {
				a.inv.Cell.Work.Pattern = "*"
				a.got.Proof.ByExit = 8
			}, map[string]float64{written: 0},
		},
		"redefined": {
			func(a *attempt) {
				text := "redefined name=moobench.kernel.Loop, count=1\nother\nredefined name=a.B, count=2\n"
				write(t, filepath.Join(a.dir, redefineLog), text)
			}, map[string]float64{written: 0, ClassesRedef: 2},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := &results.Invocation{Scalars: map[string]float64{}}
			a := &attempt{dir: t.TempDir(), subject: &subject{}, got: got}
			c.change(a)
			if err := a.finish(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, a.got.Scalars); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			var said []string
			if name == "redefined" {
				said = []string{"classes that measure were redefined while it ran: moobench.kernel.Loop"}
			}
			if !slices.Equal(a.got.Warnings, said) {
				t.Errorf("%q", a.got.Warnings)
			}
			if _, err := os.Stat(filepath.Join(a.dir, "x")); err == nil {
				t.Error("a file of the subject stays")
			}
		})
	}
}
