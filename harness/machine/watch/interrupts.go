package watch

import (
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/internal/kernel"
)

// countInterrupts counts interrupts of the measured CPUs since boot. Hard interrupts include those of timers.
func (r *reading) countInterrupts(root fs.FS, cpus cpu.Set) {
	var hard map[int]float64
	hard, r.timers = columns(kernel.Text(root, "proc/interrupts"))
	soft, _ := columns(kernel.Text(root, "proc/softirqs"))
	// The ninth number of each CPU in /proc/schedstat counts how often a task was put on it. It is always counted,
	// whereas the number of switches there is 0 unless kernel.sched_schedstats is on.
	switches := map[int]float64{}
	for cpu, f := range perCPU(kernel.Text(root, "proc/schedstat"), 9) {
		if n := kernel.Number(f[8]); !math.IsNaN(n) {
			switches[cpu] = n
		}
	}
	r.counters["interrupts_count"] = sumOver(hard, cpus)
	r.counters["interrupts_timer_count"] = sumOver(r.timers, cpus)
	r.counters["softirqs_count"] = sumOver(soft, cpus)
	r.counters["switches_cpu_count"] = sumOver(switches, cpus)
	r.counters["switches_machine_count"] = kernel.Number(kernel.After(kernel.Text(root, "proc/stat"), "ctxt "))
}

// sumOver sums over CPUs, and is NaN if one is missing.
func sumOver(perCPU map[int]float64, cpus cpu.Set) float64 {
	sum := 0.0
	for _, cpu := range cpus {
		n, ok := perCPU[cpu]
		if !ok {
			return math.NaN()
		}
		sum += n
	}
	return sum
}

// columns sums each column of a table whose first line names the CPUs: over all rows, and over those of the local
// timers, which Intel calls LOC and Arm arch_timer. Offline CPUs have no column.
func columns(table string) (all, timers map[int]float64) {
	all, timers = map[int]float64{}, map[int]float64{}
	header, rows, _ := strings.Cut(table, "\n")
	var cpus []int
	for _, f := range strings.Fields(header) {
		cpu, err := strconv.Atoi(strings.TrimPrefix(f, "CPU"))
		if err != nil {
			return all, timers
		}
		cpus = append(cpus, cpu)
	}
	for l := range strings.Lines(rows) {
		f := strings.Fields(l)
		if len(f) <= len(cpus) {
			continue // ERR and MIS, which belong to no CPU
		}
		timer := f[0] == "LOC:" || slices.Contains(f[len(cpus)+1:], "arch_timer")
		for i, cpu := range cpus {
			n := kernel.Number(f[i+1])
			all[cpu] += n
			if timer {
				timers[cpu] += n
			}
		}
	}
	return all, timers
}
