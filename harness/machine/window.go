package machine

import (
	"io/fs"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// Window is the accounting of the measured CPUs while a subject is measured. It
// reads files when it is opened and when it is closed, and nothing in between.
type Window struct {
	root   fs.FS
	cpus   []int
	group  int  // the subject's process group, which has its pid; 0 is no subject
	own    int  // our own pid
	shared bool // we may use these CPUs too
	tickNS int64
	took   used // of a subject that came and went in the window
	begin  reading
	before Own // when the window was open

	now   func() float64    // ns on a clock that only grows
	clock func(int) float64 // CPU time of a process in ns, NaN if not known
}

// OpenWindow begins to account for the CPUs that a subject runs on, a process
// that leads its own process group.
func OpenWindow(cpus []int, subject int) (*Window, error) { return open(Root(), cpus, subject) }

func open(root fs.FS, cpus []int, subject int) (*Window, error) {
	allowed, err := Allowed()
	if err != nil {
		return nil, err
	}
	tick, err := tickNS()
	if err != nil {
		return nil, err
	}
	shared := slices.ContainsFunc(allowed, func(cpu int) bool { return slices.Contains(cpus, cpu) })
	return openWindow(&Window{
		root: root, cpus: cpus, group: subject, own: os.Getpid(), shared: shared, tickNS: tick, now: monotonic, clock: processCPU,
	})
}

// used is CPU time in ns.
type used struct{ user, system int64 }

// Took says what a subject used, in ns, that was started after the window was
// opened and has ended: the window can't see it any more.
func (w *Window) Took(userNS, systemNS int64) { w.took = used{userNS, systemNS} }

func openWindow(w *Window) (*Window, error) {
	var err error
	w.begin, err = w.look()
	w.before = beginOwn(w.root)
	return w, err
}

// Usage is who used the measured CPUs in a window, and how they stood. Times
// are in ns, and NaN is not known.
type Usage struct {
	LengthNS                       float64
	WindowNS                       float64 // its length times the number of CPUs
	FixtureNS, HarnessNS, OthersNS float64 // CPU time; ours only where we may use them too
	// SureNS is the part of OthersNS of processes that may run nowhere else.
	SureNS float64
	// Source is what OthersNS rests on, and NoiseNS how far it may be off.
	Source  Source
	NoiseNS float64
	// Heaviest are other user processes that may run on the measured CPUs, by
	// the CPU time that they took on any CPU.
	Heaviest []Process

	KernelNS, IRQNS, StealNS, WaitNS float64
	// The times in which some task of the machine waited for a CPU, for memory
	// or for a disk.
	PressureNS, MemoryPressureNS, DiskPressureNS float64

	Frequency  Frequencies
	Heat       Heat
	Interrupts Interrupts
	Own        Own
}

// Close ends the window, while the subject still lives: the time of one that is
// gone cannot be told from that of others.
func (w *Window) Close() (Usage, error) {
	own := readOwn(w.root) // before our own reading
	end, err := w.look()
	if err != nil {
		return Usage{}, err
	}
	a, b := w.begin, end
	from, to := a.measured(w.cpus), b.measured(w.cpus)
	u := Usage{
		LengthNS: b.atNS - a.atNS, WindowNS: (b.atNS - a.atNS) * float64(len(w.cpus)),
		KernelNS: to.kernel - from.kernel, IRQNS: to.irq - from.irq,
		StealNS: to.steal - from.steal, WaitNS: to.iowait - from.iowait,
		PressureNS: b.cpuPressureNS - a.cpuPressureNS, MemoryPressureNS: b.memoryPressureNS - a.memoryPressureNS,
		DiskPressureNS: b.diskPressureNS - a.diskPressureNS,
		Frequency:      frequencies(w.root, a.frequency, b.frequency), Heat: a.heat.until(b.heat),
		Interrupts: a.interrupts.until(b.interrupts), Own: w.before.until(own),
	}
	u.account(w, b)
	return u, nil
}

func monotonic() float64 {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
		return 0 // it can't fail: every kernel has this clock
	}
	return float64(ts.Nano())
}
