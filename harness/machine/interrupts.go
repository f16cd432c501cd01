package machine

import (
	"io/fs"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Interrupts are what broke into the measured CPUs, in numbers; NaN is not
// known.
type Interrupts struct {
	Hard, Timer, Soft float64 // timer interrupts are part of the hard ones
	// Switches are context switches there, and MachineSwitches those of all
	// CPUs.
	Switches, MachineSwitches float64
}

// counts are sums over the measured CPUs since the boot; timers are of every
// CPU.
type counts struct {
	Interrupts
	timers map[int]float64
}

func readCounts(root fs.FS, cpus []int) counts {
	hard, timers := columns(text(root, "proc/interrupts"))
	soft, _ := columns(text(root, "proc/softirqs"))
	c := counts{timers: timers}
	c.Hard, c.Timer, c.Soft = over(hard, cpus), over(timers, cpus), over(soft, cpus)
	c.Switches = over(timeslices(text(root, "proc/schedstat")), cpus)
	c.MachineSwitches = math.NaN()
	for l := range strings.Lines(text(root, "proc/stat")) {
		if n, ok := strings.CutPrefix(l, "ctxt "); ok {
			c.MachineSwitches = number(strings.TrimSpace(n))
		}
	}
	return c
}

func (c counts) until(end counts) Interrupts {
	return Interrupts{
		Hard: end.Hard - c.Hard, Timer: end.Timer - c.Timer, Soft: end.Soft - c.Soft,
		Switches: end.Switches - c.Switches, MachineSwitches: end.MachineSwitches - c.MachineSwitches,
	}
}

// over is NaN when a CPU is missing.
func over(perCPU map[int]float64, cpus []int) float64 {
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

// columns sums the columns of a table whose first line names the CPUs, and
// those of the local timers alone, which Intel calls LOC and Arm arch_timer.
func columns(table string) (all, timers map[int]float64) {
	all, timers = map[int]float64{}, map[int]float64{}
	var cpus []int
	for l := range strings.Lines(table) {
		f := strings.Fields(l)
		if cpus == nil {
			cpus = header(f)
			continue
		}
		if len(f) <= len(cpus) {
			continue // ERR and MIS, which belong to no CPU
		}
		timer := f[0] == "LOC:" || slices.Contains(f[len(cpus)+1:], "arch_timer")
		for i, cpu := range cpus {
			n := number(f[i+1])
			all[cpu] += n
			if timer {
				timers[cpu] += n
			}
		}
	}
	return all, timers
}

// header reads "CPU0 CPU2": those that are offline have no column.
func header(fields []string) []int {
	cpus := []int{}
	for _, f := range fields {
		cpu, err := strconv.Atoi(strings.TrimPrefix(f, "CPU"))
		if err != nil {
			return []int{}
		}
		cpus = append(cpus, cpu)
	}
	return cpus
}

// timeslices is the ninth number of each CPU in /proc/schedstat: how often a
// task was put on it. The number of switches is 0 there unless kernel.
// sched_schedstats is on; this one is always counted.
func timeslices(schedstat string) map[int]float64 {
	slices := map[int]float64{}
	for l := range strings.Lines(schedstat) {
		f := strings.Fields(l)
		if len(f) < 10 || !strings.HasPrefix(f[0], "cpu") {
			continue
		}
		if cpu, err := strconv.Atoi(f[0][len("cpu"):]); err == nil {
			slices[cpu] = number(f[9])
		}
	}
	maps.DeleteFunc(slices, func(_ int, n float64) bool { return math.IsNaN(n) })
	return slices
}
