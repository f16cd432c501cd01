package machine

import (
	"maps"
	"math"

	"moobench/results"
)

// Metrics describes the scalars of Usage.
func Metrics() []results.Metric {
	m := func(name, unit, about string) results.Metric {
		return results.Metric{Name: name, Unit: unit, Better: results.Neither, Profile: results.ProfileTiming, About: about}
	}
	return []results.Metric{
		m("cpus_fixture_ns", "ns", "CPU time of the fixture's process group in the window, by the CPU-time clocks of its processes"),
		m("cpus_others_ns", "ns", "CPU time that other user processes took on the measured CPUs, within cpus_noise_ns"),
		m("cpus_noise_ns", "ns", "how far cpus_others_ns may be off, by what this kernel can tell"),
		m("kernel_ns", "ns", "time of the measured CPUs in the kernel, for whomever, by the kernel's tick"),
		m("irq_ns", "ns", "time of the measured CPUs in interrupts, as /proc/stat tells it"),
		m("steal_ns", "ns", "time that the host of this virtual machine took from the measured CPUs"),
		m("iowait_ns", "ns", "time in which the measured CPUs were idle while a task waited for a disk"),
		m("pressure_ns", "ns", "time in which some task of the whole machine waited for a CPU (PSI)"),
		m("pressure_memory_ns", "ns", "time in which some task of the whole machine waited for memory (PSI)"),
		m("pressure_io_ns", "ns", "time in which some task of the whole machine waited for a disk (PSI)"),
		m("frequency_mhz", "MHz", "mean frequency of the measured CPUs while not idle, by the counters APERF and MPERF"),
		m("frequency_begin_mhz", "MHz", "frequency of the measured CPUs just before the window, by cpufreq"),
		m("frequency_end_mhz", "MHz", "frequency of the measured CPUs just after the window, by cpufreq"),
		m("temperature_begin_c", "°C", "temperature of the hottest sensor of a CPU just before the window"),
		m("temperature_end_c", "°C", "temperature of the hottest sensor of a CPU just after the window"),
		m("throttle_count", "1", "how often the measured cores and their packages were slowed because of heat"),
		m("interrupts_count", "1", "interrupts on the measured CPUs, those of timers included (/proc/interrupts)"),
		m("interrupts_timer_count", "1", "interrupts of the local timers on the measured CPUs, the kernel's ticks among them"),
		m("softirqs_count", "1", "deferred interrupt work on the measured CPUs (/proc/softirqs)"),
		m("switches_cpu_count", "1", "context switches on the measured CPUs (/proc/schedstat)"),
		m("switches_machine_count", "1", "context switches of the whole machine (/proc/stat)"),
		m("harness_wakeups", "1", "how often a thread of moobench or its receivers was woken, or made to wait for a CPU"),
		m("harness_written_bytes", "B", "bytes that moobench and its receivers wrote to a disk"),
	}
}

// Scalars are the values of Metrics; what is not known is absent.
func (u Usage) Scalars() map[string]float64 {
	scalars := map[string]float64{
		"cpus_fixture_ns": u.FixtureNS, "cpus_others_ns": u.OthersNS, "cpus_noise_ns": u.NoiseNS,
		"kernel_ns": u.KernelNS, "irq_ns": u.IRQNS, "steal_ns": u.StealNS, "iowait_ns": u.WaitNS,
		"pressure_ns": u.PressureNS, "pressure_memory_ns": u.MemoryPressureNS, "pressure_io_ns": u.DiskPressureNS,
		"frequency_mhz": u.Frequency.MeanMHz, "frequency_begin_mhz": u.Frequency.BeginMHz, "frequency_end_mhz": u.Frequency.EndMHz,
		"temperature_begin_c": u.Heat.BeginC, "temperature_end_c": u.Heat.EndC, "throttle_count": u.Heat.Throttled,
		"interrupts_count": u.Interrupts.Hard, "interrupts_timer_count": u.Interrupts.Timer, "softirqs_count": u.Interrupts.Soft,
		"switches_cpu_count": u.Interrupts.Switches, "switches_machine_count": u.Interrupts.MachineSwitches,
		"harness_wakeups": u.Own.Wakeups, "harness_written_bytes": u.Own.WrittenBytes,
	}
	maps.DeleteFunc(scalars, func(_ string, x float64) bool { return math.IsNaN(x) })
	return scalars
}
