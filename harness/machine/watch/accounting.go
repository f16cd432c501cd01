package watch

import (
	"cmp"
	"math"
	"slices"
)

// source names the data behind the run time of a CPU's tasks, best first.
type source string

const (
	// sourceGroup is the root control group of cpuacct (version 1): exact, but up to a tick behind for the task
	// that runs at the time of reading.
	sourceGroup source = "cpuacct"
	// sourceIdle is the length of the window minus idle time, interrupts and steal. The kernel measures idle time
	// exactly if idle CPUs get no ticks; /proc/stat shows it in steps of 10 ms.
	sourceIdle source = "idle time"
	// sourceTick is the same if idle CPUs do get ticks: each whole tick is charged to the task that runs then.
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
	others               float64 // of user processes that may run on them
	sure                 float64 // the part of others that may run nowhere else
	heaviest             []consumer
}

// account computes how much of the measured CPUs other user processes took.
//
// The kernel tells exactly how long each process ran, but not where, and how long each CPU ran tasks, but not
// whose. From the CPUs' busy time we subtract the time of the fixture, of moobench (if it may run there) and of
// every kernel thread that may run there. Since some of that ran elsewhere, the result errs towards missing a
// disturbance: a variant must not be blamed for kernel threads that serve its own writes. It is off by noiseNS at
// most.
//
// The upper bound is the time of the other user processes seen that may run there, including children they waited
// for. User-mode time beyond the fixture's and beyond chance stands for processes that are hidden or came and went
// unseen; with cpuacct no such bound is needed, since it misses no task. The lower bound is the time of processes
// that may run nowhere else.
//
// The run time in /proc/schedstat was rejected: it grows only when a task leaves its CPU, which a task that never
// sleeps may not do.
func (u *Usage) account(w *Window, end reading) {
	c := w.consumption(end)
	if w.shared {
		u.harnessNS = end.processes[w.own].since(w.begin.processes[w.own])
	}
	from, to := w.begin.measured(w.cpus), end.measured(w.cpus)
	cpus, bound := float64(len(w.cpus)), math.Inf(1)
	tasks := end.chargedNS - w.begin.chargedNS // run time of tasks on the measured CPUs
	if u.source, u.noiseNS = sourceGroup, 2*cpus*float64(w.tickNS); math.IsNaN(tasks) {
		interrupted := to.irq - from.irq
		tasks = u.windowNS - (to.idle - from.idle) - (to.iowait - from.iowait) - interrupted - (to.steal - from.steal)
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

// chance bounds the error of a sum of ticks: a CPU that is busy for a part of each tick is charged like a coin
// tossed once per tick. It is three standard deviations of a fair coin.
func chance(windowNS float64, tickNS int64) float64 {
	return 1.5 * math.Sqrt(max(0, windowNS/float64(tickNS))) * float64(tickNS)
}

// ticking reports whether idle CPUs get ticks, as far as the window shows. They get none if some CPU was idle for
// at least a fifth of it and had clearly fewer timer interrupts than ticks.
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

// little is the CPU time in ns below which a process's affinity is not worth reading: it is assumed to allow some
// measured CPUs and others.
const little = 1e6

// consumption sums over the processes alive at the end.
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
		// The time of a child that ended and was waited for is counted whole; ended is the part from before the
		// window.
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
		if !some { // the affinity of its ended children is unknown
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

// family returns the processes of the subject's group and all their descendants: a script may have put the program
// that it starts into a group of its own.
func (w *Window) family(end reading) map[int]bool {
	all := map[int]bool{}
	if w.group == 0 {
		return all
	}
	var descends func(pid, depth int) bool
	descends = func(pid, depth int) bool {
		p, known := end.processes[pid]
		if !known || pid == w.own || depth > len(end.processes) { // guards against a cycle of parents
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

// ended sums the CPU time from before the window of processes that were gone at its end, by nearest surviving
// ancestor: it inherited their times, provided that each process in between was waited for.
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
		for range len(w.begin.processes) { // guards against a cycle of parents
			if heir == 0 || !gone(heir) {
				break
			}
			heir = w.begin.processes[heir].parent
		}
		before[heir] += p.shownNS + p.childrenNS
	}
	return before
}
