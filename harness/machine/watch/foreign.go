package watch

import (
	"cmp"
	"math"
	"slices"
	"strconv"

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

// foreigners finds the foreign programs among the processes of a window. Foreign is what
// was there before moobench, so that no JVM of it can have started it, whatever became of
// its parents; and what shares no session with moobench or the subject, is no ancestor of
// them, and is in no control group of the subject's own.
type foreigners struct {
	w      *Window
	before float64 // when moobench began, in ticks since the machine did; NaN: nothing is foreign
	mine   map[int]bool
	group  string // the subject's control groups, where they are not also moobench's; "" otherwise
}

func (w *Window) foreigners(end reading) foreigners {
	own := end.processes[w.own]
	f := foreigners{w: w, before: kernel.Number(own.start), mine: map[int]bool{own.session: true}}
	if subject, ok := end.processes[w.group]; ok {
		f.mine[subject.session] = true
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

// foreign says whether a process is that; p is how it stands at the end of the window.
func (f foreigners) foreign(pid int, p process, end reading) bool {
	if _, there := f.w.begin.processes[pid]; !there || p.kernel || f.mine[p.session] || !(kernel.Number(p.start) < f.before) {
		return false
	}
	for at, steps := f.w.own, 0; at > 0 && steps < len(end.processes); at, steps = end.processes[at].parent, steps+1 {
		if at == pid {
			return false // it has started moobench, and is what a user's script does meanwhile
		}
	}
	return f.group == "" || f.w.controlGroups(pid) != f.group
}

// programs are the foreign ones that took as much of the CPUs as is worth naming, most
// first; RunNS is what they took on any CPU. The sum of those that may run on the measured
// CPUs is some, and the part of it of those that may run nowhere else is only.
func (w *Window) programs(end reading) (all []results.Program, some, only float64) {
	f := w.foreigners(end)
	for pid, p := range end.processes {
		took := p.since(w.begin.processes[pid])
		if took < little || !f.foreign(pid, p, end) {
			continue
		}
		may, must := mayRunOn(w.root, pid, w.cpus)
		if !may {
			continue
		}
		if some += took; must {
			only += took
		}
		all = append(all, results.Program{Name: p.name, PID: pid, Start: p.start, RunNS: took})
	}
	slices.SortFunc(all, func(a, b results.Program) int {
		return cmp.Or(cmp.Compare(b.RunNS, a.RunNS), cmp.Compare(a.PID, b.PID))
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
	w.Programs = slices.Clone(r.programs)
	return &w
}
