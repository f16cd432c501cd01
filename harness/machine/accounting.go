package machine

import (
	"cmp"
	"math"
	"slices"
)

// Source is what tells how long the tasks of a CPU ran, best first.
type Source string

const (
	// SourceGroup is the root control group of cpuacct (version 1): exact, but
	// behind by up to a tick for what runs at the moment of reading.
	SourceGroup Source = "cpuacct"
	// SourceIdle is the length of the window less idle time, interrupts and
	// steal. The kernel times idleness exactly where an idle CPU gets no ticks;
	// /proc/stat shows it in steps of 10 ms.
	SourceIdle Source = "idle time"
	// SourceTick is the same where idle CPUs get ticks: each tick is charged
	// whole to whatever runs then.
	SourceTick Source = "ticks"
)

// Process is a process and the CPU time that it took.
type Process struct {
	PID   int
	Name  string // printable
	CPUNS float64
}

// takers are the CPU times in ns of all processes in a window, on any CPU.
type takers struct {
	fixture, fixtureUser float64
	kernel               float64 // kernel threads that may run on the measured CPUs
	others               float64 // user processes that may run there
	sure                 float64 // those of them that may run nowhere else
	heaviest             []Process
}

// account tells what other user processes took of the measured CPUs.
//
// The kernel tells exactly how long each process ran, but not where; and how
// long the tasks of each CPU ran, but not whose they were. What is left of the
// CPUs' time after the fixture, moobench (where it may run there) and every
// kernel thread that may run there, is an upper bound of the truth less what
// those took elsewhere: rather a disturbance goes unnoticed than that a variant
// is accused of what its writing lets kernel threads do. It is off by NoiseNS
// at most.
//
// It is held down by what other user processes can have taken: those that are
// seen, with the children that they waited for, and may run there. What user
// mode took beyond the fixture and more than chance can explain stands for those
// that are hidden or came and went unseen; cpuacct needs no such bound, for it
// misses no task. And it is held up by what processes took that may run nowhere
// else.
//
// Not used is the run time of /proc/schedstat: it grows only when a task leaves
// its CPU, and one that runs all the time never does.
func (u *Usage) account(w *Window, end reading) {
	t := w.takers(end)
	if w.shared {
		own := end.processes[w.own]
		u.HarnessNS = own.since(w.begin.processes[w.own])
	}
	tasks := u.tasks(w, end)
	bound := math.Inf(1)
	if u.Source != SourceGroup {
		from, to := w.begin.measured(w.cpus), end.measured(w.cpus)
		unseen := to.user - from.user - t.fixtureUser - u.HarnessNS - chance(u.WindowNS, w.tickNS)
		bound = max(t.others, unseen)
	}
	u.FixtureNS, u.SureNS, u.Heaviest = t.fixture, min(t.sure, u.WindowNS), t.heaviest
	u.OthersNS = max(0, u.SureNS, min(tasks-t.fixture-t.kernel-u.HarnessNS, bound))
}

// tasks is how long tasks ran on the measured CPUs.
func (u *Usage) tasks(w *Window, end reading) float64 {
	cpus, ticking := float64(len(w.cpus)), w.ticking(end)
	if charged := end.chargedNS - w.begin.chargedNS; !math.IsNaN(charged) {
		u.Source, u.NoiseNS = SourceGroup, 2*cpus*float64(w.tickNS)
		return charged
	}
	u.Source, u.NoiseNS = SourceIdle, 2*cpus*shownNS
	if ticking {
		u.Source, u.NoiseNS = SourceTick, max(u.NoiseNS, chance(u.WindowNS, w.tickNS))
	}
	from, to := w.begin.measured(w.cpus), end.measured(w.cpus)
	return u.WindowNS - (to.idle - from.idle) - u.WaitNS - u.IRQNS - u.StealNS
}

// chance is how far a sum of ticks may be off: a CPU that is busy for a part of
// each tick is charged like a coin that is tossed once per tick. Three standard
// deviations of the fairest coin.
func chance(windowNS float64, tickNS int64) float64 {
	return 1.5 * math.Sqrt(max(0, windowNS/float64(tickNS))) * float64(tickNS)
}

// ticking is whether idle CPUs get ticks, as far as the window shows: some CPU
// was idle for a fifth of it or more, and had clearly fewer timer interrupts
// than ticks.
func (w *Window) ticking(end reading) bool {
	length := end.atNS - w.begin.atNS
	for cpu, to := range end.cpus {
		idle := to.idle - w.begin.cpus[cpu].idle
		timers := end.interrupts.timers[cpu] - w.begin.interrupts.timers[cpu]
		if end.interrupts.timers[cpu] > 0 && idle >= length/5 && timers < 0.9*length/float64(w.tickNS) {
			return false
		}
	}
	return true
}

// takers goes through the processes that live at the end.
func (w *Window) takers(end reading) takers {
	t := takers{fixture: float64(w.took.user + w.took.system), fixtureUser: float64(w.took.user)}
	if _, alive := end.processes[w.group]; !alive && w.group != 0 {
		t.fixture = math.NaN()
	}
	ended := w.ended(end)
	for pid, p := range end.processes {
		before := w.begin.processes[pid]
		if before.start != p.start {
			before = process{}
		}
		took := p.since(before)
		// Children that were there before, and have ended, brought all their
		// time; ended is the part from before the window.
		children := max(0, p.childrenNS-before.childrenNS-ended[pid])
		switch {
		case pid == w.own || took+children == 0:
		case w.group != 0 && p.group == w.group:
			t.fixture += took + children
			t.fixtureUser += p.userNS - before.userNS
		default:
			t.add(w, pid, p, took, children)
		}
	}
	slices.SortFunc(t.heaviest, func(a, b Process) int {
		return cmp.Or(cmp.Compare(b.CPUNS, a.CPUNS), cmp.Compare(a.PID, b.PID))
	})
	return t
}

// add counts a process that is neither the fixture's nor ours. Where children
// could run that have ended is not known.
func (t *takers) add(w *Window, pid int, p process, took, children float64) {
	const little = 1e6 // not worth reading where it may run: it may, but not only there
	some, only := true, false
	if took >= little {
		some, only = reach(w.root, pid, w.cpus)
	}
	if !some {
		took = 0
	}
	switch {
	case took+children == 0:
	case p.kernel:
		t.kernel += took
	default:
		t.others += took + children
		if only {
			t.sure += took
		}
		t.heaviest = append(t.heaviest, Process{PID: pid, Name: p.name, CPUNS: took + children})
	}
}

// ended sums what processes had taken before the window that were gone at its
// end, per nearest ancestor that was not: it has got their times, if all between
// them were waited for.
func (w *Window) ended(end reading) map[int]float64 {
	gone := func(pid int) bool {
		now, ok := end.processes[pid]
		return !ok || now.start != w.begin.processes[pid].start
	}
	before := map[int]float64{}
	for pid, p := range w.begin.processes {
		if !gone(pid) {
			continue
		}
		heir := p.parent
		for range len(w.begin.processes) { // no longer, should the parents go round
			if heir == 0 || !gone(heir) {
				break
			}
			heir = w.begin.processes[heir].parent
		}
		before[heir] += p.shownNS + p.childrenNS
	}
	return before
}
