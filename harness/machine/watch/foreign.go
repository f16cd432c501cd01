package watch

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/harness/machine/internal/kernel"
	"moobench/results"
)

// Loop describes a timed loop within a window, as reported by its measuring threads.
type Loop struct {
	Threads  int     // number of measuring threads
	LengthNS float64 // wall time
	CPUNS    float64 // of the measuring threads
	DelayNS  float64 // runnable, but without a CPU
}

// mostPrograms is the maximum number of foreign programs named.
const mostPrograms = 20

// foreigners finds foreign programs among the processes of a window: those of sessions older than moobench. A
// process inherits its parent's session and can only leave it for a new one, never enter another. So nothing
// started by one of our JVMs has such a session, even if its parents have ended. Not foreign either: processes in
// the session of moobench or the subject, ancestors of moobench, and processes in a control group of the subject
// that is not moobench's.
type foreigners struct {
	w     *Window
	old   map[int]bool // sessions
	above map[int]bool // moobench and its ancestors, which inherit the CPU time of its ended descendants
	group string       // the subject's control groups, if they differ from moobench's; else ""
}

func (w *Window) foreigners(end reading) foreigners {
	own := end.processes[w.own]
	f := foreigners{w: w, old: map[int]bool{}, above: map[int]bool{}}
	began := kernel.Number(own.start) // NaN if moobench itself is hidden: then nothing is foreign
	for _, p := range w.begin.processes {
		if kernel.Number(p.start) < began {
			f.old[p.session] = true
		}
	}
	delete(f.old, own.session)
	delete(f.old, end.processes[w.group].session)
	for pid := w.own; pid > 0 && !f.above[pid]; pid = end.processes[pid].parent {
		f.above[pid] = true
	}
	if groups := w.controlGroups(w.group); groups != w.controlGroups(w.own) {
		f.group = groups
	}
	return f
}

// controlGroups returns the control groups of a process, as the kernel writes them.
func (w *Window) controlGroups(pid int) string {
	return kernel.Text(w.root, "proc/"+strconv.Itoa(pid)+"/cgroup")
}

// foreign reports whether a process is foreign.
func (f foreigners) foreign(pid int, p process) bool {
	return f.old[p.session] && !p.kernel && !f.above[pid] && (f.group == "" || f.w.controlGroups(pid) != f.group)
}

// programs returns the foreign sessions that took a noteworthy amount of CPU time, largest first; RunNS is their
// time on any CPU, including ended children. some is the part of the sum that may have run on the measured CPUs,
// and only the part that can't have run elsewhere.
func (w *Window) programs(end reading) (all []results.Program, some, only float64) {
	f, ended := w.foreigners(end), w.ended(end)
	bySession, most := map[int]*results.Program{}, map[int]float64{}
	for pid, p := range end.processes {
		before := w.begin.processes[pid]
		if before.start != p.start {
			before = process{}
		}
		took, children := p.since(before), max(0, p.childrenNS-before.childrenNS-ended[pid])
		if took+children < little || !f.foreign(pid, p) {
			continue
		}
		may, must := mayRunOn(w.root, pid, w.cpus)
		if !may {
			took = 0
		}
		if must {
			only += took
		}
		if took += children; took == 0 {
			continue
		}
		some += took
		if bySession[p.session] == nil {
			bySession[p.session] = &results.Program{Session: p.session}
		}
		program := bySession[p.session]
		if program.RunNS += took; took > most[p.session] {
			program.Name, most[p.session] = p.name, took
		}
	}
	for _, program := range bySession {
		all = append(all, *program)
	}
	slices.SortFunc(all, func(a, b results.Program) int {
		return cmp.Or(cmp.Compare(b.RunNS, a.RunNS), cmp.Compare(a.Session, b.Session))
	})
	return all, some, only
}

// runners describes who ran on the measured CPUs, in ns of CPU time.
type runners struct {
	programs []results.Program // foreign programs, with their time there
	foreign  float64
	others   float64 // other user processes
	kernel   float64
}

// compilers returns the CPU time in ns of the subject's compiler threads, recognised by the names that a JVM gives
// them. Ended threads are not included.
func (w *Window) compilers() float64 {
	sum := 0.0
	for _, path := range kernel.Glob(w.root, "proc/"+strconv.Itoa(w.group)+"/task/*/comm") {
		name := kernel.Line(w.root, path)
		if !strings.HasPrefix(name, "C1 Compiler") && !strings.HasPrefix(name, "C2 Compiler") {
			continue
		}
		ran, _, _ := strings.Cut(kernel.Line(w.root, strings.TrimSuffix(path, "comm")+"schedstat"), " ")
		if ns := kernel.Number(ran); ns > 0 {
			sum += ns
		}
	}
	return sum
}

// runners attributes time on the measured CPUs to foreign programs and to other user processes seen. Time that may
// have been spent elsewhere counts only if it exceeds the error of the accounting, and is attributed to a foreign
// program only as far as all others together can't have taken it.
func (u *Usage) runners(w *Window, end reading, seen consumption) {
	programs, some, only := w.programs(end)
	all := u.othersNS
	if all <= u.noiseNS {
		all = u.sureNS
	}
	all = max(all, only)
	r := runners{foreign: max(only, min(some, all-max(0, seen.others-some))), kernel: seen.kernel}
	r.others = all - r.foreign
	for i := range programs {
		programs[i].RunNS *= r.foreign / some
	}
	r.programs = programs[:min(len(programs), mostPrograms)]
	u.ran = r
}

// Waited attributes the waiting of a loop's measuring threads in the window; nil if they don't know how long they
// waited, or if nobody knows who ran.
//
// On one measured CPU, a runnable thread waits while others run. How much others ran while it slept is unknown:
// their time is scaled by the share of the loop in which it was runnable. The true value is between what did not
// fit into its sleep and all of their time.
//
// On several CPUs, a thread waits for whoever runs on its own CPU. Its waiting is divided in proportion to the
// time that each ran on all of them. It can't have waited for a program longer than that ran, and waiting that
// nobody else can explain was for that program.
func (u Usage) Waited(l Loop) *results.Waited {
	total, r := l.LengthNS*float64(l.Threads), u.ran
	if !(l.DelayNS >= 0 && l.CPUNS >= 0 && total > 0) || math.IsNaN(u.fixtureNS+r.foreign+r.others+r.kernel) {
		return nil
	}
	threads := float64(l.Threads)
	part := min(1, l.LengthNS/u.lengthNS) // the window is a little longer than the loop
	foreign, others := r.foreign*part, r.others*part
	own := max(0, u.fixtureNS-l.CPUNS/threads) + r.kernel + u.harnessNS
	w := results.Waited{ThreadsNS: total}
	if busy := u.fixtureNS + r.foreign + r.others + r.kernel + u.harnessNS; busy > 0 {
		w.StealNS = min(total-l.DelayNS, u.stealNS*l.CPUNS/busy*part)
	}
	awake := min(total, l.CPUNS+l.DelayNS+w.StealNS)
	most, least := min(l.DelayNS, foreign*threads), 0.0
	if len(u.cpus) == 1 {
		w.ForeignNS, w.OthersNS = foreign*awake/l.LengthNS, others*awake/l.LengthNS
		least = foreign*threads - (total - awake)
	} else if sum := foreign + others + own; sum > 0 {
		w.ForeignNS, w.OthersNS = l.DelayNS*foreign/sum, l.DelayNS*others/sum
		least = l.DelayNS - (others+own)*threads
	}
	w.ForeignNS = min(w.ForeignNS, most)
	w.DoubtNS = max(most-w.ForeignNS, w.ForeignNS-max(0, least))
	w.OthersNS = min(w.OthersNS, l.DelayNS-w.ForeignNS)
	w.OwnNS = l.DelayNS - w.ForeignNS - w.OthersNS
	if own > 0 {
		w.CompilersNS = w.OwnNS * min(1, u.compilersNS/own)
	}
	w.Programs = slices.Clone(r.programs)
	return &w
}
