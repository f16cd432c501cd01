package machine

import (
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"strings"
)

// shownNS is the unit of /proc/stat and /proc/<pid>/stat: USER_HZ is 100 for
// every program on the architectures that have a JVM.
const shownNS = 10_000_000

// reading is one look at the machine. Times are in ns and only grow; NaN is not
// known.
type reading struct {
	atNS      float64
	cpus      map[int]cpuTimes // of every CPU
	chargedNS float64          // what the root control group was charged for on the measured CPUs
	processes map[int]process

	cpuPressureNS, memoryPressureNS, diskPressureNS float64

	frequency  cycles
	heat       heat
	interrupts counts
}

// cpuTimes are of one CPU, or sums over some. Guests are part of user.
type cpuTimes struct{ user, kernel, idle, iowait, irq, steal float64 }

// look reads first what goes stale: an idle CPU forgets its frequency.
func (w *Window) look() (r reading, err error) {
	r.frequency = readCycles(w.root, w.cpus)
	r.atNS, r.chargedNS = w.now(), readCharged(w.root, w.cpus)
	if r.cpus, err = readCPUs(w.root, w.cpus); err == nil {
		r.processes, err = w.readProcesses()
	}
	if err != nil {
		return r, fmt.Errorf("accounting for CPU %s: %w", FormatCPUs(w.cpus), err)
	}
	r.cpuPressureNS, r.memoryPressureNS, r.diskPressureNS = pressure(w.root, "cpu"), pressure(w.root, "memory"), pressure(w.root, "io")
	r.heat = readHeat(w.root, w.cpus)
	r.interrupts = readCounts(w.root, w.cpus)
	return r, nil
}

// measured sums over CPUs that readCPUs has found.
func (r reading) measured(cpus []int) cpuTimes {
	var sum cpuTimes
	for _, cpu := range cpus {
		c := r.cpus[cpu]
		sum.user += c.user
		sum.kernel += c.kernel
		sum.idle += c.idle
		sum.iowait += c.iowait
		sum.irq += c.irq
		sum.steal += c.steal
	}
	return sum
}

// readCPUs reads the lines of /proc/stat: user nice system idle iowait irq
// softirq steal. Those of the measured CPUs must be there.
func readCPUs(root fs.FS, measured []int) (map[int]cpuTimes, error) {
	cpus := map[int]cpuTimes{}
	for l := range strings.Lines(text(root, "proc/stat")) {
		f := strings.Fields(l)
		if len(f) <= 8 || !strings.HasPrefix(f[0], "cpu") {
			continue
		}
		if cpu, err := strconv.Atoi(f[0][len("cpu"):]); err == nil {
			t := ticks(f[1:9])
			cpus[cpu] = cpuTimes{user: t[0] + t[1], kernel: t[2], idle: t[3], iowait: t[4], irq: t[5] + t[6], steal: t[7]}
		}
	}
	for _, cpu := range measured {
		if _, ok := cpus[cpu]; !ok {
			return nil, fmt.Errorf("/proc/stat does not tell about CPU %d", cpu)
		}
	}
	return cpus, nil
}

func ticks(fields []string) []float64 {
	out := make([]float64, len(fields))
	for i, f := range fields {
		out[i] = number(f) * shownNS
	}
	return out
}

// cpuacct is where control groups of version 1 account for CPU time.
const cpuacct = "sys/fs/cgroup/cpuacct/"

// readCharged sums what all tasks were charged for on cpus, exact to the ns.
// Only the group that has cgroup.sane_behavior is the root of all: in a
// container the same path may be a group that knows its own tasks alone.
func readCharged(root fs.FS, cpus []int) float64 {
	if _, err := fs.Stat(root, cpuacct+"cgroup.sane_behavior"); err != nil {
		return math.NaN()
	}
	f, sum := strings.Fields(text(root, cpuacct+"cpuacct.usage_percpu")), 0.0
	for _, cpu := range cpus {
		if cpu >= len(f) {
			return math.NaN()
		}
		sum += number(f[cpu])
	}
	return sum
}

// pressure is the total of "some" in /proc/pressure/<what>, which is in µs.
func pressure(root fs.FS, what string) float64 {
	for l := range strings.Lines(text(root, "proc/pressure/"+what)) {
		if _, total, ok := strings.Cut(l, "total="); ok && strings.HasPrefix(l, "some ") {
			return number(strings.TrimSpace(total)) * 1e3
		}
	}
	return math.NaN()
}

// number is NaN where there is none.
func number(s string) float64 {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return math.NaN()
	}
	return x
}
