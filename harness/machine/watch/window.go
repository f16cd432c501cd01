// Package watch observes who used the measured CPUs while a subject was measured, what
// else happened to them, and how quiet a machine is before it is measured.
package watch

import (
	"fmt"
	"io/fs"
	"math"
	"os"

	"golang.org/x/sys/unix"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/internal/kernel"
	"moobench/harness/proc"
)

// Window is the accounting of the measured CPUs while a subject is measured. It reads
// files when it is opened and when it is closed, and nothing in between.
type Window struct {
	root   fs.FS
	cpus   cpu.Set
	group  int  // the subject's process group, which has its pid; 0: no subject
	own    int  // our own pid
	shared bool // we may use these CPUs too
	tickNS int64
	begin  reading

	// Used by a subject that came and went within the window.
	tookUserNS, tookSystemNS int64

	now   func() float64    // ns on a clock that only grows
	clock func(int) float64 // CPU time of a process in ns, NaN if unknown
}

// OpenWindow starts to account for the CPUs that a subject runs on, a process that leads
// its own process group.
func OpenWindow(cpus cpu.Set, subject int) (*Window, error) {
	return open(kernel.Root(), cpus, subject)
}

func open(root fs.FS, cpus cpu.Set, subject int) (*Window, error) {
	allowed, err := cpu.Allowed()
	if err != nil {
		return nil, err
	}
	var tick unix.Timespec
	if err := unix.ClockGetres(unix.CLOCK_MONOTONIC_COARSE, &tick); err != nil {
		return nil, fmt.Errorf("asking for the length of the kernel's tick: %w", err)
	}
	return openWindow(&Window{
		root: root, cpus: cpus, group: subject, own: os.Getpid(), shared: allowed.Meets(cpus), tickNS: tick.Nano(),
		now: func() float64 { return float64(proc.MonotonicNS()) }, clock: proc.CPUNS,
	})
}

// openWindow reads last what reading itself adds to.
func openWindow(w *Window) (*Window, error) {
	var err error
	if w.begin, err = w.read(); err != nil {
		return nil, err
	}
	w.begin.counters["harness_written_bytes"] = ownWrittenBytes(w.root)
	w.begin.counters["harness_wakeups"] = ownWakeups()
	return w, nil
}

// Took records what a subject used, in ns, that was started after the window was opened
// and has ended: the window can't see it any more.
func (w *Window) Took(userNS, systemNS int64) { w.tookUserNS, w.tookSystemNS = userNS, systemNS }

// Usage is who used the measured CPUs in a window, and their state. Times are in ns; NaN
// is unknown.
type Usage struct {
	lengthNS                       float64
	windowNS                       float64 // its length times the number of CPUs
	fixtureNS, harnessNS, othersNS float64 // CPU time; ours only where we may use these CPUs too
	sureNS                         float64 // the part of othersNS of processes that may run nowhere else
	source                         source  // what othersNS is based on
	noiseNS                        float64 // how far it may be off
	// heaviest are other user processes that may run on the measured CPUs, sorted by the
	// CPU time that they took on any CPU.
	heaviest []consumer
	cpus     cpu.Set // that were measured
	ran      runners
	stealNS  float64 // of the measured CPUs
	// compilersNS is the part of fixtureNS of a JVM's compilers.
	compilersNS float64
	scalars     map[string]float64 // by the names of Metrics
}

// Close ends the window while the subject still lives: the time of a process that is gone
// can't be told from that of others.
func (w *Window) Close() (Usage, error) {
	wakeups, written := ownWakeups(), ownWrittenBytes(w.root) // before our own reading
	end, err := w.read()
	if err != nil {
		return Usage{}, err
	}
	end.counters["harness_wakeups"], end.counters["harness_written_bytes"] = wakeups, written
	length := end.atNS - w.begin.atNS
	u := Usage{lengthNS: length, windowNS: length * float64(len(w.cpus)), cpus: w.cpus, scalars: map[string]float64{
		"frequency_mhz":       meanRatio(w.begin.cycles, end.cycles) * baseMHz(w.root),
		"frequency_begin_mhz": w.begin.mhz, "frequency_end_mhz": end.mhz,
		"temperature_begin_c": w.begin.temperatureC, "temperature_end_c": end.temperatureC,
	}}
	for name, n := range end.counters {
		u.scalars[name] = n - w.begin.counters[name]
	}
	u.account(w, end)
	u.scalars["cpus_fixture_ns"], u.scalars["cpus_others_ns"], u.scalars["cpus_noise_ns"] = u.fixtureNS, u.othersNS, u.noiseNS
	return u, nil
}

// ownWakeups are the context switches of all threads of moobench, receivers included:
// each is one that slept and was woken, or was made to wait. Those of ended threads are
// counted too, which /proc/self/task would forget.
func ownWakeups() float64 {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return math.NaN()
	}
	return float64(u.Nvcsw + u.Nivcsw)
}

// ownWrittenBytes is what moobench has written that went to a disk, or will.
func ownWrittenBytes(root fs.FS) float64 {
	return kernel.Number(kernel.Value(kernel.Text(root, "proc/self/io"), "write_bytes"))
}
