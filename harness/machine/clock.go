package machine

import (
	"fmt"
	"io/fs"
	"math"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// Clock is what reading the time costs here. System.nanoTime of a JVM reads the
// same clock.
type Clock struct {
	Source string  // the kernel's clock source, e.g. tsc
	ReadNS float64 // one reading
	TickNS int64   // the smallest step that was seen
}

// MeasureClock takes a few milliseconds. The best of several rounds counts:
// what else happens only makes a reading look dearer.
func MeasureClock(root fs.FS) Clock {
	const rounds, reads = 20, 5_000
	c := Clock{Source: line(root, clocksourceFile)}
	base := time.Now() // time.Since then reads CLOCK_MONOTONIC once, without a system call
	for range rounds {
		begin := time.Since(base)
		last := begin
		for range reads {
			now := time.Since(base)
			if step := int64(now - last); step > 0 && (c.TickNS == 0 || step < c.TickNS) {
				c.TickNS = step
			}
			last = now
		}
		if ns := float64(last-begin) / reads; c.ReadNS == 0 || ns < c.ReadNS {
			c.ReadNS = ns
		}
	}
	return c
}

// Accounting is how exactly this kernel tells who used a CPU.
type Accounting struct {
	TickNS    int64   // how often a busy CPU looks at what it runs
	ProcessNS float64 // the smallest step that a process's CPU-time clock was seen to make
	Source    Source  // what tells how long the tasks of a CPU ran
	StepNS    float64 // the largest step that this made while a CPU was busy
}

// MeasureAccounting burns CPU time for 40 ms and then is idle for 60 ms, and
// looks at what the kernel tells about it.
func MeasureAccounting() (Accounting, error) {
	a, err := measureAccounting()
	if err != nil {
		return a, fmt.Errorf("measuring how exactly CPU time is accounted: %w", err)
	}
	return a, nil
}

func measureAccounting() (Accounting, error) {
	const busy, idle = 40 * time.Millisecond, 60 * time.Millisecond
	cpus, err := Allowed()
	if err != nil {
		return Accounting{}, err
	}
	w, err := open(Root(), cpus, 0)
	if err != nil {
		return Accounting{}, err
	}
	a := Accounting{TickNS: w.tickNS}
	process := steps(busy/4, func() float64 { return processCPU(w.own) })
	charged := steps(busy*3/4, func() float64 { return readCharged(w.root, cpus) })
	time.Sleep(idle)
	u, err := w.Close()
	if err != nil {
		return Accounting{}, err
	}
	a.Source, a.StepNS = u.Source, shownNS
	if a.Source == SourceGroup && len(charged) > 0 {
		a.StepNS = charged[len(charged)-1]
	}
	if len(process) > 0 {
		a.ProcessNS = process[0]
	}
	return a, nil
}

// steps reads a counter for as long as this, and returns by how much it moved
// each time that it did, in order of size.
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

// tickNS asks the kernel for the length of its tick.
func tickNS() (int64, error) {
	var ts unix.Timespec
	if err := unix.ClockGetres(unix.CLOCK_MONOTONIC_COARSE, &ts); err != nil {
		return 0, fmt.Errorf("asking for the length of the kernel's tick: %w", err)
	}
	return ts.Nano(), nil
}

// Shortest is the shortest window on one CPU in which the greatest share that
// others may take is told from noise.
func (a Accounting) Shortest() time.Duration {
	shortest := float64(leastDisturbance) / greatestShare
	if a.Source == SourceTick { // where chance(window, tick) is that share of the window
		shortest = max(shortest, float64(a.TickNS)*math.Pow(1.5/greatestShare, 2))
	}
	return time.Duration(shortest).Round(100 * time.Millisecond)
}

// String says what the resolution means for a measurement.
func (a Accounting) String() string {
	process := "of processes not known"
	if a.ProcessNS > 0 {
		process = fmt.Sprintf("of processes exact to %s", rounded(a.ProcessNS))
	}
	return fmt.Sprintf("CPU time is known %s, of CPUs in steps of up to %s (by %s): other processes count from %s on, so %.0f %% only in windows of %s or more",
		process, rounded(a.StepNS), a.Source, leastDisturbance, greatestShare*100, a.Shortest())
}

// rounded has two digits or three.
func rounded(ns float64) time.Duration {
	d := time.Duration(ns)
	for unit := time.Second; unit > 1; unit /= 1000 {
		if d >= unit {
			return d.Round(unit / 10)
		}
	}
	return d
}
