package overhead

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// fixture is a made-up one that says it has made and timed so many calls, and the recorder of its invocation.
type fixture struct {
	run.Subject
	noting
	calls, timed int64
	threads      int64  // 0: one
	alloc        string // what it says of its heap
	looks        int    // at its CPU time
	setup        map[string]string
	dumped       []results.Series
}

func (f *fixture) Start(context.Context) error     { return nil }
func (f *fixture) Snapshot() (jvm.Snapshot, error) { f.looks++; return jvm.Snapshot{}, nil }
func (f *fixture) Begin() error                    { return nil }
func (f *fixture) End(int64) error                 { return nil }
func (f *fixture) Recorded(int64)                  {}
func (f *fixture) Dumped(s results.Series)         { f.dumped = append(f.dumped, s) }

func (f *fixture) Ask(_ context.Context, request jvm.Message) (all []jvm.Message, err error) {
	var lines []string
	switch request.Verb {
	case "setup":
		f.setup = request.Args
		lines = []string{"ready"}
	case "measure":
		const measured = "measured begin_ns=0 end_ns=999900000 late_ns=%d calls=%d%s"
		lines = []string{fmt.Sprintf(measured, 6*f.calls, f.calls, f.alloc)}
	case "dump":
		const series = "series name=%s thread=0 columns=t:ns:duration count=%d batch=1 file=%[1]s.0.i64"
		lines = []string{fmt.Sprintf(series, Duration, f.timed), fmt.Sprintf(series, "other", 1), "dumped"}
	case "gc":
		lines = []string{"collected heap_used_bytes=7"}
	}
	for _, line := range lines {
		m, err := jvm.ParseMessage(line)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// unknown is what a fixture says whose JVM doesn't count what it allocates.
const unknown = " alloc_bytes=-1"

// drive drives a loop of 1,000 calls, timed in batches of 10.
func (f *fixture) drive(t *testing.T, called string, profile results.Profile) error {
	f.scalars = map[string]float64{}
	var cell plan.Cell
	for name, value := range map[string]string{
		"calls": "1000", "batch": "10", rate: called, "threads": strconv.FormatInt(max(1, f.threads), 10), "depth": "1", "method_time": "0", "pattern": "",
	} {
		cell.Parameters = append(cell.Parameters, results.Value{Name: name, Value: value})
	}
	cell.Work = Scenario{}.Work(&cell.Cell)
	return Scenario{}.Drive(t.Context(), plan.Invocation{Cell: cell, Profile: profile}, f, f)
}

// TestDrive: what a loop of calls is told to do, and what is kept of what it says; a fixture that timed other calls
// than were ordered has no numbers.
func TestDrive(t *testing.T) {
	const timing, resources = results.ProfileTiming, results.ProfileResources
	tests := []struct {
		name    string
		rate    string
		f       fixture
		profile results.Profile
		alloc   float64
		failed  bool
	}{
		{"a loop", "0", fixture{calls: 1000, timed: 1000, alloc: " alloc_bytes=16000"}, timing, 16, false},
		{"at a rate", "1000", fixture{calls: 1000, timed: 1000}, timing, 0, false},
		{"no calls", "0", fixture{timed: 1000, alloc: " alloc_bytes=5"}, timing, 0, false},
		{"no calls at a rate", "1000", fixture{timed: 1000, alloc: " alloc_bytes=5"}, timing, 0, false},
		{"no heap", "0", fixture{calls: 1000, timed: 1000, alloc: unknown}, timing, 0, false},
		{"memory", "0", fixture{calls: 1000, alloc: " alloc_bytes=0"}, resources, 0, false},
		{"too few", "0", fixture{calls: 1000, timed: 999}, timing, 0, true},
		{"the last sample", "0", fixture{calls: 1000, timed: 1009}, timing, 0, false},
		{"too many", "0", fixture{calls: 1000, timed: 1010}, timing, 0, true},
		{"the last samples of threads", "0", fixture{calls: 3000, timed: 3029, threads: 3}, timing, 0, false},
		{"too many by threads", "0", fixture{calls: 3000, timed: 3030, threads: 3}, timing, 0, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := &test.f
			err := f.drive(t, test.rate, test.profile)
			said := err != nil && strings.Contains(err.Error(), "000 were ordered")
			if said != test.failed || err != nil && !said {
				t.Errorf("%v, want one: %v", err, test.failed)
			}
			if f.setup["calls"] != "1000" || f.setup["batch"] != "10" || f.setup[rate] != test.rate {
				t.Errorf("it was told %v", f.setup)
			}
			alloc, told := f.scalars[allocBytes]
			if alloc != test.alloc || told != (f.calls > 0 && f.alloc != "" && f.alloc != unknown) {
				t.Errorf("%v bytes a call, told: %v", alloc, told)
			}
			_, heap := f.scalars[run.HeapAfterGC]
			if heap != (test.profile == resources) || (len(f.dumped) == 2) == heap {
				t.Errorf("heap: %v, %d series", heap, len(f.dumped))
			}
			atRate := test.rate != "0"
			if got := f.scalars[offered]; (f.looks > 0) != atRate || (got > 0) != (atRate && f.calls > 0) {
				t.Errorf("%v calls per second, %d looks at its CPU", got, f.looks)
			}
		})
	}
}
