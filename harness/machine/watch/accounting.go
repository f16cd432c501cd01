package watch

import (
	"cmp"
	"math"
	"slices"
)

// source is what the run time of a CPU's tasks is read from, best first.
type source string

const (
	// sourceGroup is the root control group of cpuacct (version 1): exact, but up to a
	// tick behind for what runs at the moment of reading.
	sourceGroup source = "cpuacct"
	// sourceIdle is the length of the window less idle time, interrupts and steal. The
	// kernel times idleness exactly where an idle CPU gets no ticks; /proc/stat shows it
	// in steps of 10 ms.
	sourceIdle source = "idle time"
	// sourceTick is the same where idle CPUs get ticks: each tick is charged as a whole
	// to whatever runs then.
	sourceTick source = "ticks"
)

// consumer is a process and the CPU time that it took.
type consumer struct {
	pid   int
	name  string // printable
	cpuNS float64
}

// consumption is the CPU time in ns that all processes took in a window, on any CPU.
type consumption struct {
	fixture, fixtureUser float64
	kernel               float64 // of kernel threads that may run on the measured CPUs
	others               float64 // of user processes that may run there
	sure                 float64 // of those of them that may run nowhere else
	heaviest             []consumer
}

// account computes what other user processes took of the measured CPUs.
//
// The kernel tells exactly how long each process ran, but not where; and how long the
// tasks of each CPU ran, but not whose they were. What is left of the CPUs' time after
// the fixture, moobench (where it may run there) and every kernel thread that may run
// there is an upper bound of the truth less what those took elsewhere: it errs towards
// missing a disturbance, because a variant must not be blamed for what its writing has
// kernel threads do. It is off by noiseNS at most.
//
// It is bounded above by what other user processes can have taken: those that are seen,
// with the children that they waited for, and may run there. User-mode time beyond the
// fixture's and more than chance can explain stands for processes that are hidden or came
// and went unseen; cpuacct needs no such bound, because it misses no task. It is bounded
// below by what processes took that may run nowhere else.
//
// The run time of /proc/schedstat was rejected: it grows only when a task leaves its CPU,
// and one that runs all the time never does.
func (u *Usage) account(w *Window, end reading) {
	c := w.consumption(end)
	if w.shared {
		u.harnessNS = end.processes[w.own].since(w.begin.processes[w.own])
	}
	from, to := w.begin.measured(w.cpus), end.measured(w.cpus)
	cpus, bound := float64(len(w.cpus)), math.Inf(1)
	tasks := end.chargedNS - w.begin.chargedNS // how long tasks ran on the measured CPUs
	if u.source, u.noiseNS = sourceGroup, 2*cpus*float64(w.tickNS); math.IsNaN(tasks) {
		tasks = u.windowNS - (to.idle - from.idle) - (to.iowait - from.iowait) - (to.irq - from.irq) - (to.steal - from.steal)
		unseen := to.user - from.user - c.fixtureUser - u.harnessNS - chance(u.windowNS, w.tickNS)
		bound = max(c.others, unseen)
		if u.source, u.noiseNS = sourceIdle, 2*cpus*shownNS; w.ticking(end) {
			u.source, u.noiseNS = sourceTick, max(u.noiseNS, chance(u.windowNS, w.tickNS))
		}
	}
	u.fixtureNS, u.sureNS, u.heaviest = c.fixture, min(c.sure, u.windowNS), c.heaviest
	u.othersNS = max(0, u.sureNS, min(tasks-c.fixture-c.kernel-u.harnessNS, bound))
	u.stealNS, u.compilersNS = to.steal-from.steal, max(0, end.compilers-w.begin.compilers)
	u.runners(w, end, c)
}

// chance is how far a sum of ticks may be off: a CPU that is busy for a part of each tick
// is charged like a coin that is tossed once per tick. Three standard deviations of the
// fairest coin.
func chance(windowNS float64, tickNS int64) float64 {
	return 1.5 * math.Sqrt(max(0, windowNS/float64(tickNS))) * float64(tickNS)
}

// ticking reports whether idle CPUs get ticks, as far as the window shows: they get none
// if some CPU was idle for at least a fifth of it and had clearly fewer timer interrupts
// than ticks.
func (w *Window) ticking(end reading) bool {
	length := end.atNS - w.begin.atNS
	for cpu, to := range end.cpus {
		idle := to.idle - w.begin.cpus[cpu].idle
		timers := end.timers[cpu] - w.begin.timers[cpu]
		if end.timers[cpu] > 0 && idle >= length/5 && timers < 0.9*length/float64(w.tickNS) {
			return false
		}
	}
	return true
}

// little is a CPU time in ns of a process of which it is not worth reading where it may run:
// it may, but not only there.
const little = 1e6

// consumption goes through the processes that live at the end.
func (w *Window) consumption(end reading) consumption {
	c := consumption{fixture: float64(w.tookUserNS + w.tookSystemNS), fixtureUser: float64(w.tookUserNS)}
	if _, alive := end.processes[w.group]; !alive && w.group != 0 {
		c.fixture = math.NaN()
	}
	ended, family := w.ended(end), w.family(end)
	for pid, p := range end.processes {
		before := w.begin.processes[pid]
		if before.start != p.start {
			before = process{}
		}
		took := p.since(before)
		// Children that existed before and have ended brought all their time; ended is
		// the part from before the window.
		children := max(0, p.childrenNS-before.childrenNS-ended[pid])
		switch {
		case pid == w.own || took+children == 0:
			continue
		case family[pid]:
			c.fixture += took + children
			c.fixtureUser += p.userNS - before.userNS
			continue
		}
		some, only := true, false
		if took >= little {
			some, only = mayRunOn(w.root, pid, w.cpus)
		}
		if !some { // where its ended children could run is unknown
			took = 0
		}
		switch {
		case took+children == 0:
		case p.kernel:
			c.kernel += took
		default:
			c.others += took + children
			if only {
				c.sure += took
			}
			c.heaviest = append(c.heaviest, consumer{pid, p.name, took + children})
		}
	}
	slices.SortFunc(c.heaviest, func(a, b consumer) int {
		return cmp.Or(cmp.Compare(b.cpuNS, a.cpuNS), cmp.Compare(a.pid, b.pid))
	})
	return c
}

// family are the processes of the subject's group, and all that descend from them: a script
// may have given the program that it starts a group of its own.
func (w *Window) family(end reading) map[int]bool {
	all := map[int]bool{}
	if w.group == 0 {
		return all
	}
	var descends func(pid, depth int) bool
	descends = func(pid, depth int) bool {
		p, known := end.processes[pid]
		if !known || pid == w.own || depth > len(end.processes) { // bounded, should the parents go round
			return false
		}
		return p.group == w.group || descends(p.parent, depth+1)
	}
	for pid := range end.processes {
		if descends(pid, 0) {
			all[pid] = true
		}
	}
	return all
}

// ended sums what processes had taken before the window that were gone at its end, per
// nearest surviving ancestor: it has inherited their times, if all between them were
// waited for.
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
		for range len(w.begin.processes) { // bounded, should the parents go round
			if heir == 0 || !gone(heir) {
				break
			}
			heir = w.begin.processes[heir].parent
		}
		before[heir] += p.shownNS + p.childrenNS
	}
	return before
}
