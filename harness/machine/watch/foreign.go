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

// Loop is a timed loop within a window, as its measuring threads tell of it.
type Loop struct {
	Threads  int     // that measure
	LengthNS float64 // wall time
	CPUNS    float64 // of the measuring threads
	DelayNS  float64 // they were runnable and had no CPU
}

// mostPrograms is how many foreign programs are named.
const mostPrograms = 20

// foreigners finds the foreign programs among the processes of a window: those of sessions
// that were there before moobench. A process can leave its session for a new one, and
// inherits that of its parent; it can't enter another. So nothing that a JVM of ours has
// started is of such a session, whatever became of its parents. Not foreign either is what is
// of the session of moobench or the subject, is an ancestor of moobench, or is in a control
// group that is the subject's and not moobench's.
type foreigners struct {
	w     *Window
	old   map[int]bool // sessions
	above map[int]bool // moobench and its ancestors, which inherit what its descendants leave
	group string       // the subject's control groups, where they are not also moobench's; "" otherwise
}

func (w *Window) foreigners(end reading) foreigners {
	own := end.processes[w.own]
	f := foreigners{w: w, old: map[int]bool{}, above: map[int]bool{}}
	began := kernel.Number(own.start) // NaN, where moobench itself is hidden: then nothing is foreign
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

// controlGroups are those of a process, as the kernel writes them.
func (w *Window) controlGroups(pid int) string {
	return kernel.Text(w.root, "proc/"+strconv.Itoa(pid)+"/cgroup")
}

// foreign says whether a process is that.
func (f foreigners) foreign(pid int, p process) bool {
	return f.old[p.session] && !p.kernel && !f.above[pid] && (f.group == "" || f.w.controlGroups(pid) != f.group)
}

// programs are the foreign sessions that took as much of the CPUs as is worth naming, most
// first; RunNS is what they took on any CPU, with children that have ended. The sum of what
// may have run on the measured CPUs is some, and the part of it that can't have run elsewhere
// is only.
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

// runners are who ran on the measured CPUs, in ns of CPU time.
type runners struct {
	programs []results.Program // foreign, with what they took there
	foreign  float64
	others   float64 // other user processes
	kernel   float64
}

// compilers is the CPU time in ns of the subject's threads that compile: those of a JVM have
// such names. Threads that have ended are forgotten.
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

// runners tells the foreign programs from the other user processes that were seen. What may
// run elsewhere, too, counts only where it is more than the accounting may be wrong by; and
// it is a foreign program's only as far as all others together can't have taken it.
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

// Waited says what the measuring threads of a loop in the window waited for; nil where they
// don't know how long, or nobody knows who ran.
//
// On one measured CPU a thread that is runnable waits for as long as others run. What others
// took while it slept is not known: their time counts for the share of the loop in which it
// was runnable, and may have been all of that, or no more than did not fit into its sleep.
//
// On several CPUs a thread waits for who runs on its own. Its waiting is shared out by what
// everybody ran on all of them; it can't have waited longer for a program than that ran, and
// what nobody else can account for was that.
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
