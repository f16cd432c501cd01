package machine

import (
	"cmp"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"moobench/results"
)

// Other processes disturb when they take more than this of the measured CPUs,
// and no less than this in all. A share alone would be noise in short windows.
const (
	greatestShare    = 0.02
	leastDisturbance = 50 * time.Millisecond
)

// Window is the accounting of the measured CPUs while a subject is measured. It
// reads files when it is opened and when it is closed, and nothing in between.
type Window struct {
	root   fs.FS
	cpus   []int
	group  int  // the subject's process group, which has its pid
	own    int  // our own pid
	shared bool // we may use these CPUs too
	tickNS int64
	begin  reading
}

// OpenWindow begins to account for the CPUs that a subject runs on, a process
// that leads its own process group.
func OpenWindow(cpus []int, subject int) (*Window, error) {
	allowed, err := Allowed()
	if err != nil {
		return nil, err
	}
	shared := slices.ContainsFunc(allowed, func(cpu int) bool { return slices.Contains(cpus, cpu) })
	a, err := MeasureAccounting()
	if err != nil {
		return nil, err
	}
	return openWindow(&Window{root: Root(), cpus: cpus, group: subject, own: os.Getpid(), shared: shared, tickNS: a.TickNS})
}

func openWindow(w *Window) (*Window, error) {
	var err error
	w.begin, err = w.look()
	return w, err
}

// Usage is who used the measured CPUs in a window, in ns. NaN is not known.
type Usage struct {
	WindowNS                         float64 // its length times the number of CPUs
	FixtureNS, HarnessNS, OthersNS   float64 // in user mode; ours only where we may use them too
	KernelNS, IRQNS, StealNS, WaitNS float64
	// PressureNS is the time in which some task of the machine waited for a CPU.
	PressureNS float64
	// NoiseNS is how much of OthersNS may come from accounting by tick.
	NoiseNS float64
	// Heaviest are other processes by their user time on any CPU.
	Heaviest []Process
}

// Process is a process and the user time that it took.
type Process struct {
	PID    int
	Name   string // printable
	UserNS float64
}

// Close ends the window, while the subject still lives: the time of one that is
// gone cannot be told from that of others.
func (w *Window) Close() (Usage, error) {
	end, err := w.look()
	if err != nil {
		return Usage{}, err
	}
	a, b := w.begin, end
	u := Usage{
		WindowNS: (b.uptimeNS - a.uptimeNS) * float64(len(w.cpus)),
		KernelNS: b.cpu.kernel - a.cpu.kernel, IRQNS: b.cpu.irq - a.cpu.irq,
		StealNS: b.cpu.steal - a.cpu.steal, WaitNS: b.cpu.iowait - a.cpu.iowait,
		PressureNS: b.psiNS - a.psiNS,
	}
	u.addProcesses(w, b)
	if w.shared {
		u.HarnessNS = b.processes[w.own].user - a.processes[w.own].user
	}
	u.OthersNS = max(0, b.cpu.user-a.cpu.user-u.FixtureNS-u.HarnessNS)
	// A CPU that is busy for a part of each tick is charged like a coin that is
	// tossed once per tick: three standard deviations of the fairest coin.
	ticks := max(0, u.WindowNS/float64(w.tickNS))
	u.NoiseNS = 1.5 * math.Sqrt(ticks) * float64(w.tickNS)
	return u, nil
}

// addProcesses sums the subject's group, and lists the others.
func (u *Usage) addProcesses(w *Window, end reading) {
	if _, alive := end.processes[w.group]; !alive {
		u.FixtureNS = math.NaN()
	}
	for _, p := range w.begin.processes {
		if p.group == w.group {
			u.FixtureNS -= p.user
		}
	}
	for pid, p := range end.processes {
		if p.group == w.group {
			u.FixtureNS += p.user
			continue
		}
		took := p.user
		if before := w.begin.processes[pid]; before.start == p.start {
			took -= before.user
		}
		if pid != w.own && took > 0 {
			u.Heaviest = append(u.Heaviest, Process{PID: pid, Name: p.name, UserNS: took})
		}
	}
	slices.SortFunc(u.Heaviest, func(a, b Process) int {
		return cmp.Or(cmp.Compare(b.UserNS, a.UserNS), cmp.Compare(a.PID, b.PID))
	})
}

// Disturbance is not nil when other user processes took enough of the measured
// CPUs to matter. What lies within the noise of the accounting must be backed
// by processes that were seen to run.
func (u Usage) Disturbance() *results.Disturbance {
	share := u.OthersNS / u.WindowNS
	if !(u.OthersNS >= float64(leastDisturbance) && share > greatestShare) {
		return nil
	}
	seen := 0.0
	for _, p := range u.Heaviest {
		seen += p.UserNS
	}
	if u.OthersNS <= u.NoiseNS && seen < float64(leastDisturbance) {
		return nil
	}
	return &results.Disturbance{OthersNS: int64(u.OthersNS), Share: share, Because: u.because(share)}
}

func (u Usage) because(share float64) string {
	s := fmt.Sprintf("other processes took %.1f %% of the measured CPUs", share*100)
	var names []string
	for _, p := range u.Heaviest[:min(3, len(u.Heaviest))] {
		names = append(names, fmt.Sprintf("%s (process %d, %s)", p.Name, p.PID, time.Duration(p.UserNS)))
	}
	if len(names) == 0 {
		return s + "; which ones is not known: they have ended, or are hidden"
	}
	return s + "; on any CPU, most was used by " + strings.Join(names, ", ")
}
