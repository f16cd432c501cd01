package run

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/framework"
	"moobench/harness/plan"
	"moobench/results"
)

// TestFollowedFixture: a fixture is asked to follow its own counters at the cell's distance, and what it dumps of them
// is kept; one that refuses is measured without.
func TestFollowedFixture(t *testing.T) {
	const dumped = "series name=jvm file=jvm.i64 thread=0 count=3 batch=1 columns=t:ns:duration|followed"
	for name, c := range map[string]struct {
		follow, followed string
		series, warnings int
		fails            bool
	}{
		"follows":         {"following", dumped, 1, 0, false},
		"refuses":         {"error message=unknown", dumped, 0, 1, false},
		"lost it":         {"following", "error message=lost", 0, 1, false},
		"says nonsense":   {"following", "bye", 0, 0, true},
		"follows nothing": {"following", "followed", 0, 0, false},
	} {
		a := played(t, "follow "+c.follow, "followed "+c.followed)
		a.inv.Profile = results.ProfileTiming
		a.inv.Cell.Parameters = []results.Value{{Name: results.CourseEvery, Value: "3600000000000", Unit: "ns"}}
		if err := a.subject.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := a.followJVM(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		err := a.keepCourse()
		if (err != nil) != c.fails || len(a.got.Series) != c.series || len(a.got.Warnings) != c.warnings {
			t.Errorf("%s: %+v, %q, %v", name, a.got.Series, a.got.Warnings, err)
		}
		log, err := os.ReadFile(a.subject.Log())
		asked := strings.Contains(string(log), fmt.Sprintf("rows=%d", mostRows))
		if err != nil || !asked || !strings.Contains(string(log), "every_ns=3600000000000") {
			t.Errorf("%s: it was asked %q, %v", name, log, err)
		}
	}
}

// TestMarkedAtTheEnd: all sources learn when the loop ended.
func TestMarkedAtTheEnd(t *testing.T) {
	a := played(t)
	one, other := &counting{}, &counting{}
	a.sources = append(a.sources, one, nil, other)
	if err := a.subject.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := a.Begin(); err != nil {
		t.Fatal(err)
	}
	if err := a.End(7); err != nil {
		t.Fatal(err)
	}
	if one.marked != 7 || other.marked != 7 || a.endNS != 7 {
		t.Errorf("marked at %d and %d, ended at %d", one.marked, other.marked, a.endNS)
	}
}

// TestAgentsTakeLonger: a cell with an agent is taken to start more slowly.
func TestAgentsTakeLonger(t *testing.T) {
	p := planOf(framework.Variant{Artifacts: []framework.Artifact{{Name: "agent"}}})
	inv := plan.Invocation{Cell: p.Cells[0]}
	if got, want := wallOf(inv), plainStart+agentStart; got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestColumnsOfADump: the columns that a fixture dumped are read by their names.
func TestColumnsOfADump(t *testing.T) {
	dir := t.TempDir()
	s := results.Series{Name: "x", Count: 2, Batch: 1, Dump: "x.i64", Columns: []results.Column{
		{Name: "t", Unit: "ns", Kind: results.KindDuration}, {Name: "n", Unit: "1", Kind: results.KindCount},
	}}
	f, err := os.Create(filepath.Join(dir, s.Dump))
	if err != nil {
		t.Fatal(err)
	}
	if err := results.WriteDump(f, s, []int64{3, 4}, []int64{5, 6}); err != nil {
		t.Fatal(err)
	}
	f.Close()
	ask := &Asker{}
	want := map[string][]int64{"t": {3, 4}, "n": {5, 6}}
	if diff := cmp.Diff(want, Columns(ask, dir, s)); diff != "" || ask.Err != nil {
		t.Errorf("%v (-want +got):\n%s", ask.Err, diff)
	}
	s.Dump = "gone.i64"
	if Columns(ask, dir, s); ask.Err == nil {
		t.Error("a dump that there is not was read")
	}
}

// TestPacedLoop: between calls at a rate a thread may sleep, and take longer to wake.
func TestPacedLoop(t *testing.T) {
	const calls, length = 1000, 1e9
	for name, c := range map[string]struct {
		rate  int64
		timed float64
		cpu   float64
		fits  bool
	}{
		"it slept":            {500, 1e6, 10e6, true},
		"woke each time":      {500, 1e6, 100e6, true},
		"worked":              {500, 1e6, 200e6, false},
		"was not to sleep":    {0, 1e6, 10e6, false},
		"took what it had":    {0, 0.9e9, 0.9e9, true},
		"took more than all":  {500, 1.21e9, 10e6, false},
		"took just that much": {500, 1.2e9, 10e6, true},
	} {
		a := &attempt{got: &results.Invocation{Scalars: map[string]float64{threadsCPUNS: c.cpu}}}
		a.inv.Cell.Work.Rate = c.rate
		if err := a.fill(c.timed, 0, calls, length, 0); (err == nil) != c.fits {
			t.Errorf("%s: %v", name, err)
		}
	}
	a := &attempt{got: &results.Invocation{Scalars: map[string]float64{}}}
	const want = "samples and reference sum up to 3s, and the threads of the loop took 1s"
	if err := a.fill(2e9, 1e9, calls, length, 0); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v", err)
	}
	a.got.Scalars[threadsCPUNS] = 9e9
	if err := a.fill(2e9, 1e9, 0, 9e9, 9e9); err == nil || !strings.Contains(err.Error(), "sum up to 3s, and the t") {
		t.Errorf("got %v", err)
	}
}
