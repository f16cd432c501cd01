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
	group  int  // the subject's process group, whose number is its pid; 0: no subject
	own    int  // our own pid
	shared bool // we may use these CPUs too
	tickNS int64
	begin  reading

	// CPU time of a subject that started and ended within the window.
	tookUserNS, tookSystemNS int64

	now   func() float64    // ns on a clock that only grows
	clock func(int) float64 // CPU time of a process in ns, NaN if unknown
}

// OpenWindow starts accounting for the CPUs of a subject, which leads its own process group.
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

// openWindow reads last the counters that reading itself increases.
func openWindow(w *Window) (*Window, error) {
	var err error
	if w.begin, err = w.read(); err != nil {
		return nil, err
	}
	w.begin.counters["harness_written_bytes"] = ownWrittenBytes(w.root)
	w.begin.counters["harness_wakeups"] = ownWakeups()
	return w, nil
}

// Took records the CPU time in ns of a subject that started after the window was opened and has ended: the window
// can't see it any more.
func (w *Window) Took(userNS, systemNS int64) { w.tookUserNS, w.tookSystemNS = userNS, systemNS }

// Usage describes who used the measured CPUs in a window, and their state. Times are in ns; NaN: unknown.
type Usage struct {
	lengthNS                       float64
	windowNS                       float64 // its length times the number of CPUs
	fixtureNS, harnessNS, othersNS float64 // CPU time; harnessNS only if we may use these CPUs too
	sureNS                         float64 // the part of othersNS of processes that may run nowhere else
	source                         source  // data behind othersNS
	noiseNS                        float64 // maximum error of othersNS
	// heaviest are other user processes that may run on the measured CPUs, by descending CPU time on any CPU.
	heaviest []consumer
	cpus     cpu.Set // the measured CPUs
	ran      runners
	stealNS  float64 // of the measured CPUs
	// compilersNS is the part of fixtureNS that a JVM's compilers took.
	compilersNS float64
	scalars     map[string]float64 // by metric name
}

// Close ends the window. The subject must still be alive: the time of a process that is gone can't be told from
// that of others.
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
	u.scalars["cpus_fixture_ns"] = u.fixtureNS
	u.scalars["cpus_others_ns"] = u.othersNS
	u.scalars["cpus_noise_ns"] = u.noiseNS
	return u, nil
}

// ownWakeups counts the context switches of all threads of moobench, including receivers: each stands for a thread
// that slept and was woken, or had to wait. Unlike /proc/self/task, it includes ended threads.
func ownWakeups() float64 {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return math.NaN()
	}
	return float64(u.Nvcsw + u.Nivcsw)
}

// ownWrittenBytes counts bytes that moobench wrote and that went to a disk, or will.
func ownWrittenBytes(root fs.FS) float64 {
	return kernel.Number(kernel.Value(kernel.Text(root, "proc/self/io"), "write_bytes"))
}
