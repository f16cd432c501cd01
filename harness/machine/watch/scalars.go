package watch

import (
	"maps"
	"math"

	"moobench/results"
)

// Metrics describes the scalars of Usage.
func Metrics() []results.Metric {
	metric := func(name, unit, about string) results.Metric {
		return results.Metric{
			Name: name, Unit: unit, Better: results.Neither, Profile: results.ProfileTiming, About: about,
		}
	}
	return []results.Metric{
		metric("cpus_fixture_ns", "ns",
			"CPU time of the fixture's process group in the window, by the CPU-time clocks of its processes"),
		metric("cpus_others_ns", "ns",
			"CPU time that other user processes took on the measured CPUs, within cpus_noise_ns"),
		metric("cpus_noise_ns", "ns", "how far cpus_others_ns may be off, by what this kernel can tell"),
		metric("kernel_ns", "ns", "time of the measured CPUs in the kernel, for whomever, by the kernel's tick"),
		metric("irq_ns", "ns", "time of the measured CPUs in interrupts, as /proc/stat tells it"),
		metric("steal_ns", "ns", "time that the host of this virtual machine took from the measured CPUs"),
		metric("iowait_ns", "ns", "time in which the measured CPUs were idle while a task waited for a disk"),
		metric("pressure_ns", "ns", "time in which some task of the whole machine waited for a CPU (PSI)"),
		metric("pressure_memory_ns", "ns", "time in which some task of the whole machine waited for memory (PSI)"),
		metric("pressure_io_ns", "ns", "time in which some task of the whole machine waited for a disk (PSI)"),
		metric("frequency_mhz", "MHz",
			"mean frequency of the measured CPUs while not idle, by the counters APERF and MPERF"),
		metric("frequency_begin_mhz", "MHz", "frequency of the measured CPUs just before the window, by cpufreq"),
		metric("frequency_end_mhz", "MHz", "frequency of the measured CPUs just after the window, by cpufreq"),
		metric("temperature_begin_c", "°C", "temperature of the hottest sensor of a CPU just before the window"),
		metric("temperature_end_c", "°C", "temperature of the hottest sensor of a CPU just after the window"),
		metric("throttle_count", "1", "how often the measured cores and their packages were slowed because of heat"),
		metric("interrupts_count", "1", "interrupts on the measured CPUs, those of timers included (/proc/interrupts)"),
		metric("interrupts_timer_count", "1",
			"interrupts of the local timers on the measured CPUs, the kernel's ticks among them"),
		metric("softirqs_count", "1", "deferred interrupt work on the measured CPUs (/proc/softirqs)"),
		metric("switches_cpu_count", "1", "context switches on the measured CPUs (/proc/schedstat)"),
		metric("switches_machine_count", "1", "context switches of the whole machine (/proc/stat)"),
		metric("harness_wakeups", "1",
			"how often a thread of moobench or its receivers was woken, or made to wait for a CPU"),
		metric("harness_written_bytes", "B", "bytes that moobench and its receivers wrote to a disk"),
	}
}

// Scalars returns the values of Metrics, without unknown ones.
func (u Usage) Scalars() map[string]float64 {
	known := maps.Clone(u.scalars)
	maps.DeleteFunc(known, func(_ string, x float64) bool { return math.IsNaN(x) })
	return known
}
