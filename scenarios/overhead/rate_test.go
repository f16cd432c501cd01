package overhead

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/run"
)

// noting keeps scalars and warnings.
type noting struct {
	run.Recorder
	scalars  map[string]float64
	warnings []string
}

func (n *noting) Scalar(name string, value float64) { n.scalars[name] = value }
func (n *noting) Warn(format string, args ...any) {
	n.warnings = append(n.warnings, fmt.Sprintf(format, args...))
}

// TestCallsAtARate: what is told of them is what was really called; too few say so.
func TestCallsAtARate(t *testing.T) {
	tests := []struct {
		name, answer string
		rate         int64
		offered      float64 // 0: not told
		warned       bool
	}{
		{"kept", "measured begin_ns=0 end_ns=999900000 late_ns=600000000", 10_000, 10_000, false},
		{"too slow", "measured begin_ns=0 end_ns=1999900000 late_ns=600000000", 10_000, 5000, true},
		{"as fast as it can", "measured begin_ns=0 end_ns=999900000", 0, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := jvm.ParseMessage(tt.answer)
			if err != nil {
				t.Fatal(err)
			}
			rec := &noting{scalars: map[string]float64{}}
			atRate(plan.Work{Rate: tt.rate, Threads: 1}, 10_000, m, rec)
			late := 60_000.0
			if tt.offered == 0 {
				late = 0
			}
			if rec.scalars[offered] != tt.offered || rec.scalars[lateNS] != late || (len(rec.warnings) > 0) != tt.warned {
				t.Errorf("%v, %q", rec.scalars, rec.warnings)
			}
		})
	}
}

func TestARateIsInThePlan(t *testing.T) {
	p, err := planned(t, "variants = [\"none\"]\ncalls = 600_000\nrate = [0, 1000]")
	if err != nil {
		t.Fatal(err)
	}
	var waits []time.Duration
	for _, c := range p.Cells {
		waits = append(waits, c.Timeout.Round(time.Minute))
	}
	if fmt.Sprint(waits) != "[4m0s 4m0s 14m0s 14m0s]" {
		t.Errorf("waits %v", waits)
	}
	_, err = planned(t, "variants = [\"none\"]\ncalls = 600_000\nrate = 1000\nbatch = 10")
	if err == nil || !strings.Contains(err.Error(), "batch = 10: calls at a rate are apart, and each has its own time (leave batch or rate out)") {
		t.Error(err)
	}
}

// TestTooManyThreads: what the fixture has no room for is told before it is started.
func TestTooManyThreads(t *testing.T) {
	if _, err := planned(t, "variants = [\"none\"]\nthreads = 4096"); err != nil {
		t.Error(err)
	}
	if _, err := planned(t, "variants = [\"none\"]\nthreads = 4097"); err == nil || !strings.Contains(err.Error(), "threads = 4097: the fixture has at most 4096 (make it smaller)") {
		t.Error(err)
	}
}

func TestCPUOfTheBusiestSecond(t *testing.T) {
	look := func(second, cpu float64) jvm.Snapshot {
		return jvm.Snapshot{MonotonicNS: int64(second * 1e9), CPUNS: cpu * 1e9}
	}
	if mean, peak := cpuShares([]jvm.Snapshot{look(0, 1), look(1, 1.25), look(2, 2), look(4, 2.2)}); mean != 30 || peak != 75 {
		t.Errorf("%v %% of a CPU, at most %v %%", mean, peak)
	}
	if mean, peak := cpuShares([]jvm.Snapshot{look(0, 1)}); mean != 0 || peak != 0 {
		t.Error("a single look tells nothing")
	}
}
