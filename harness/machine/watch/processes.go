package watch

import (
	"io/fs"
	"math"
	"strconv"
	"strings"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/internal/kernel"
)

// process holds a process's data from /proc/<pid>/stat and its CPU-time clock. /proc shows times in steps of 10
// ms, but the sum of user and kernel mode is right: the kernel derives it from the same clock.
type process struct {
	name    string // printable
	parent  int
	group   int
	session int
	start   string // in ticks since the machine started
	kernel  bool   // a thread of the kernel

	userNS     float64 // including children that it waited for
	shownNS    float64 // user and kernel mode, in steps of 10 ms
	childrenNS float64 // shownNS of the children that it waited for
	clockNS    float64 // user and kernel mode, exact; NaN: unknown
}

// kernelThread is PF_KTHREAD of the kernel.
const kernelThread = 0x0020_0000

func (w *Window) readProcesses() (map[int]process, error) {
	entries, err := fs.ReadDir(w.root, "proc")
	if err != nil {
		return nil, err
	}
	processes := map[int]process{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		p, ok := parseProcess(kernel.Text(w.root, "proc/"+e.Name()+"/stat"))
		if !ok {
			continue // it has ended
		}
		p.clockNS = p.plausible(w.clock(pid))
		processes[pid] = p
	}
	return processes, nil
}

// plausible returns the clock if it agrees with /proc, else NaN: if /proc shows another PID namespace, the clock's
// pid may be that of another process.
func (p process) plausible(clockNS float64) float64 {
	const apart = 100e6 // two steps of shownNS, and what ran between the readings
	if math.Abs(clockNS-p.shownNS) > apart+p.shownNS/100 {
		return math.NaN()
	}
	return clockNS
}

// since returns the CPU time in ns that p took after before, which may be the zero process.
func (p process) since(before process) float64 {
	if before.start != p.start {
		before = process{} // a new process with an old pid
	}
	if exact := p.clockNS - before.clockNS; !math.IsNaN(exact) {
		return max(0, exact)
	}
	return max(0, p.shownNS-before.shownNS)
}

// parseProcess reads fields 2 (name), 4 (parent), 5 (group), 6 (session), 9 (flags), 14 to 17 (times in user and
// kernel mode, and those of waited-for children) and 22 (start). The name may contain anything, and ends at the
// last parenthesis.
func parseProcess(stat string) (process, bool) {
	open, end := strings.IndexByte(stat, '('), strings.LastIndexByte(stat, ')')
	if open < 0 || end < open {
		return process{}, false
	}
	f := strings.Fields(stat[end+1:]) // f[0] is field 3
	if len(f) < 20 {
		return process{}, false
	}
	parent, group, session := kernel.Int(f[1], -1), kernel.Int(f[2], -1), kernel.Int(f[3], -1)
	flags, t := kernel.Int(f[6], -1), ticks(f[11:15])
	if min(parent, group, session, flags) < 0 || math.IsNaN(t[0]+t[1]+t[2]+t[3]) {
		return process{}, false
	}
	return process{
		name: kernel.Printable(stat[open+1 : end]), parent: parent, group: group, session: session,
		start: f[19], kernel: flags&kernelThread != 0,
		userNS: t[0] + t[2], shownNS: t[0] + t[1], childrenNS: t[2] + t[3],
	}, true
}

// mayRunOn reports whether a process may run on some measured CPU, and on none besides. Threads may differ. If the
// affinity is unknown, it may run anywhere.
func mayRunOn(root fs.FS, pid int, measured cpu.Set) (some, only bool) {
	threads := kernel.Glob(root, "proc/"+strconv.Itoa(pid)+"/task/*/status")
	only = len(threads) > 0
	for _, path := range threads {
		allowed, err := cpu.Parse(kernel.Value(kernel.Text(root, path), "Cpus_allowed_list"))
		if err != nil || len(allowed) == 0 {
			return true, false
		}
		some = some || allowed.Meets(measured)
		only = only && len(allowed.Without(measured)) == 0
	}
	return some || len(threads) == 0, only
}
