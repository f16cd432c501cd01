package watch

import (
	"fmt"
	"math"
	"slices"
	"time"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/internal/kernel"
	"moobench/harness/proc"
)

// Accounting describes how exactly this kernel accounts for the use of CPUs.
type Accounting struct {
	tickNS    int64   // interval at which a busy CPU checks what it runs
	processNS float64 // the smallest step observed of a process's CPU-time clock
	source    source  // source of the run time of a CPU's tasks
	stepNS    float64 // its largest step while a CPU was busy
}

// MeasureAccounting burns CPU time for 40 ms, idles for 60 ms, and observes the kernel's counters.
func MeasureAccounting() (a Accounting, err error) {
	const busy, idle = 40 * time.Millisecond, 60 * time.Millisecond
	defer func() {
		if err != nil {
			err = fmt.Errorf("measuring how exactly CPU time is accounted: %w", err)
		}
	}()
	cpus, err := cpu.Allowed()
	if err != nil {
		return a, err
	}
	w, err := open(kernel.Root(), cpus, 0)
	if err != nil {
		return a, err
	}
	process := steps(busy/4, func() float64 { return proc.CPUNS(w.own) })
	charged := steps(busy*3/4, func() float64 { return readCharged(w.root, cpus) })
	time.Sleep(idle)
	u, err := w.Close()
	if err != nil {
		return a, err
	}
	a = Accounting{tickNS: w.tickNS, source: u.source, stepNS: shownNS}
	if a.source == sourceGroup && len(charged) > 0 {
		a.stepNS = charged[len(charged)-1]
	}
	if len(process) > 0 {
		a.processNS = process[0]
	}
	return a, nil
}

// steps reads a counter for d, and returns the increments observed, sorted.
func steps(d time.Duration, counter func() float64) []float64 {
	var all []float64
	last := counter()
	for begin := time.Now(); time.Since(begin) < d; {
		now := counter()
		if now > last {
			all = append(all, now-last)
		}
		last = now
	}
	slices.Sort(all)
	return all
}

// shortest is the shortest window on one CPU in which the greatest allowed share of others is distinguishable from
// noise.
func (a Accounting) shortest() time.Duration {
	shortest := float64(leastDisturbance) / greatestShare
	if a.source == sourceTick { // chance(window, tick) is this share of the window
		shortest = max(shortest, float64(a.tickNS)*math.Pow(1.5/greatestShare, 2))
	}
	return time.Duration(shortest).Round(100 * time.Millisecond)
}

// String states what the resolution means for a measurement.
func (a Accounting) String() string {
	process := "of processes not known"
	if a.processNS > 0 {
		process = fmt.Sprintf("of processes exact to %s", rounded(a.processNS))
	}
	return fmt.Sprintf("CPU time is known %s, of CPUs in steps of up to %s (by %s): "+
		"other processes count from %s on, so %.0f %% only in windows of %s or more",
		process, rounded(a.stepNS), a.source, leastDisturbance, greatestShare*100, a.shortest())
}

// rounded keeps two or three digits.
func rounded(ns float64) time.Duration {
	d := time.Duration(ns)
	for unit := time.Second; unit > 1; unit /= 1000 {
		if d >= unit {
			return d.Round(unit / 10)
		}
	}
	return d
}
