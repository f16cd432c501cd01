package watch

import (
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"strings"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/facts"
	"moobench/harness/machine/internal/kernel"
	"moobench/results"
)

// shownNS is the unit of /proc/stat and /proc/<pid>/stat: USER_HZ is 100 for every program on the architectures
// that have a JVM.
const shownNS = 10_000_000

// reading is a snapshot of the machine's counters. Times are in ns and only grow; NaN: unknown.
type reading struct {
	atNS      float64
	cpus      map[int]cpuTimes // of every CPU
	chargedNS float64          // CPU time charged to the root control group on the measured CPUs
	timers    map[int]float64  // interrupts of the local timer, of every CPU
	processes map[int]process
	compilers float64 // CPU time of the subject's compilers
	// counters only grow. Each has the name of the scalar that is its growth in a window.
	counters map[string]float64

	cycles       map[int]cycles // of the measured CPUs whose registers can be read
	mhz          float64        // shown by cpufreq, averaged over the measured CPUs
	temperatureC float64
}

// cpuTimes are times of one CPU, or sums over several. user includes guests.
type cpuTimes struct{ user, kernel, idle, iowait, irq, steal float64 }

// read starts with the values that go stale: an idle CPU forgets its frequency.
func (w *Window) read() (r reading, err error) {
	r.cycles, r.mhz = readCycles(w.root, w.cpus)
	r.atNS, r.chargedNS = w.now(), readCharged(w.root, w.cpus)
	if r.cpus, err = readCPUs(w.root, w.cpus); err == nil {
		r.processes, err = w.readProcesses()
		r.compilers = w.compilers()
	}
	if err != nil {
		return r, fmt.Errorf("accounting for CPU %s: %w", w.cpus, err)
	}
	sum := r.measured(w.cpus)
	r.counters = map[string]float64{
		"kernel_ns": sum.kernel, "irq_ns": sum.irq, "steal_ns": sum.steal, "iowait_ns": sum.iowait,
		"pressure_ns": pressure(w.root, "cpu"), "pressure_memory_ns": pressure(w.root, "memory"),
		"pressure_io_ns": pressure(w.root, "io"),
		"throttle_count": throttled(w.root, w.cpus),
	}
	r.temperatureC = facts.Temperature(w.root)
	r.countInterrupts(w.root, w.cpus)
	return r, nil
}

// measured sums over CPUs, each of which readCPUs has found.
func (r reading) measured(cpus cpu.Set) cpuTimes {
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

// readCPUs reads the lines of /proc/stat: user nice system idle iowait irq softirq steal. The measured CPUs must
// have one.
func readCPUs(root fs.FS, measured cpu.Set) (map[int]cpuTimes, error) {
	cpus := map[int]cpuTimes{}
	for cpu, f := range perCPU(kernel.Text(root, "proc/stat"), 8) {
		t := ticks(f[:8])
		cpus[cpu] = cpuTimes{user: t[0] + t[1], kernel: t[2], idle: t[3], iowait: t[4], irq: t[5] + t[6], steal: t[7]}
	}
	for _, cpu := range measured {
		if _, ok := cpus[cpu]; !ok {
			return nil, fmt.Errorf("/proc/stat has no CPU %d", cpu)
		}
	}
	return cpus, nil
}

// perCPU returns the fields of each line that begins with cpu and a number, if it has at least this many fields.
func perCPU(text string, fields int) map[int][]string {
	lines := map[int][]string{}
	for l := range strings.Lines(text) {
		l, ok := strings.CutPrefix(l, "cpu")
		if !ok || strings.HasPrefix(l, " ") { // the total has no number
			continue
		}
		f := strings.Fields(l)
		if len(f) <= fields {
			continue
		}
		if cpu, err := strconv.Atoi(f[0]); err == nil {
			lines[cpu] = f[1:]
		}
	}
	return lines
}

// ticks converts times from the kernel's unit to ns.
func ticks(fields []string) []float64 {
	return results.Each(fields, func(f string) float64 { return kernel.Number(f) * shownNS })
}

// cpuacct is the folder in which control groups of version 1 account for CPU time.
const cpuacct = "sys/fs/cgroup/cpuacct/"

// readCharged sums the CPU time charged to all tasks on cpus, exact to the ns. Only a group that has
// cgroup.sane_behavior is the real root: in a container the same path may be a group that knows only its own
// tasks.
func readCharged(root fs.FS, cpus cpu.Set) float64 {
	if !kernel.Exists(root, cpuacct+"cgroup.sane_behavior") {
		return math.NaN()
	}
	f, sum := strings.Fields(kernel.Text(root, cpuacct+"cpuacct.usage_percpu")), 0.0
	for _, cpu := range cpus {
		if cpu >= len(f) {
			return math.NaN()
		}
		sum += kernel.Number(f[cpu])
	}
	return sum
}

// pressure is the total of "some" in /proc/pressure/<what>, converted from µs to ns: the time in which some task
// waited for that resource.
func pressure(root fs.FS, what string) float64 {
	_, total, _ := strings.Cut(kernel.After(kernel.Text(root, "proc/pressure/"+what), "some "), "total=")
	return kernel.Number(total) * 1e3
}

// throttled counts how often cores and packages were slowed because of heat. Each CPU counts once for its core;
// the packages count once, with their highest counter, if the kernel keeps one.
func throttled(root fs.FS, cpus cpu.Set) float64 {
	cores, packages := 0.0, 0.0
	for _, n := range cpus {
		dir := fmt.Sprintf("%s/cpu%d/thermal_throttle/", cpu.Dir, n)
		cores += kernel.Number(kernel.Line(root, dir+"core_throttle_count"))
		if p := kernel.Number(kernel.Line(root, dir+"package_throttle_count")); p > packages {
			packages = p
		}
	}
	return cores + packages
}
