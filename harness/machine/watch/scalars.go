package watch

import (
	"maps"
	"math"

	"moobench/results"
)

// Metrics describes the scalars of Usage.
func Metrics() []results.Metric {
	var all []results.Metric
	for _, m := range []struct{ name, unit, about string }{
		{"cpus_fixture_ns", "ns", "CPU time of the fixture's process group in the window, by the CPU-time clocks of its processes"},
		{"cpus_others_ns", "ns", "CPU time that other user processes took on the measured CPUs, within cpus_noise_ns"},
		{"cpus_noise_ns", "ns", "how far cpus_others_ns may be off, by what this kernel can tell"},
		{"kernel_ns", "ns", "time of the measured CPUs in the kernel, for whomever, by the kernel's tick"},
		{"irq_ns", "ns", "time of the measured CPUs in interrupts, as /proc/stat tells it"},
		{"steal_ns", "ns", "time that the host of this virtual machine took from the measured CPUs"},
		{"iowait_ns", "ns", "time in which the measured CPUs were idle while a task waited for a disk"},
		{"pressure_ns", "ns", "time in which some task of the whole machine waited for a CPU (PSI)"},
		{"pressure_memory_ns", "ns", "time in which some task of the whole machine waited for memory (PSI)"},
		{"pressure_io_ns", "ns", "time in which some task of the whole machine waited for a disk (PSI)"},
		{"frequency_mhz", "MHz", "mean frequency of the measured CPUs while not idle, by the counters APERF and MPERF"},
		{"frequency_begin_mhz", "MHz", "frequency of the measured CPUs just before the window, by cpufreq"},
		{"frequency_end_mhz", "MHz", "frequency of the measured CPUs just after the window, by cpufreq"},
		{"temperature_begin_c", "°C", "temperature of the hottest sensor of a CPU just before the window"},
		{"temperature_end_c", "°C", "temperature of the hottest sensor of a CPU just after the window"},
		{"throttle_count", "1", "how often the measured cores and their packages were slowed because of heat"},
		{"interrupts_count", "1", "interrupts on the measured CPUs, those of timers included (/proc/interrupts)"},
		{"interrupts_timer_count", "1", "interrupts of the local timers on the measured CPUs, the kernel's ticks among them"},
		{"softirqs_count", "1", "deferred interrupt work on the measured CPUs (/proc/softirqs)"},
		{"switches_cpu_count", "1", "context switches on the measured CPUs (/proc/schedstat)"},
		{"switches_machine_count", "1", "context switches of the whole machine (/proc/stat)"},
		{"harness_wakeups", "1", "how often a thread of moobench or its receivers was woken, or made to wait for a CPU"},
		{"harness_written_bytes", "B", "bytes that moobench and its receivers wrote to a disk"},
	} {
		all = append(all, results.Metric{Name: m.name, Unit: m.unit, Better: results.Neither, Profile: results.ProfileTiming, About: m.about})
	}
	return all
}

// Scalars are the values of Metrics; unknown ones are absent.
func (u Usage) Scalars() map[string]float64 {
	known := maps.Clone(u.scalars)
	maps.DeleteFunc(known, func(_ string, x float64) bool { return math.IsNaN(x) })
	return known
}
