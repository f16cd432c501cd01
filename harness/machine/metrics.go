package machine

import (
	"maps"
	"math"

	"moobench/results"
)

// Metrics describes the scalars of Usage.
func Metrics() []results.Metric {
	m := func(name, about string) results.Metric {
		return results.Metric{Name: name, Unit: "ns", Better: results.Neither, Profile: results.ProfileTiming, About: about}
	}
	return []results.Metric{
		m("cpus_fixture_ns", "user CPU time of the fixture in the window, by the kernel's tick"),
		m("cpus_others_ns", "user CPU time that other processes took on the measured CPUs, by the kernel's tick"),
		m("kernel_ns", "time of the measured CPUs in the kernel, for whomever"),
		m("irq_ns", "time of the measured CPUs in interrupts"),
		m("steal_ns", "time that the host of this virtual machine took from the measured CPUs"),
		m("iowait_ns", "time in which the measured CPUs were idle while a task waited for a disk"),
		m("pressure_ns", "time in which some task of the whole machine waited for a CPU"),
	}
}

// Scalars are the values of Metrics; what is not known is absent.
func (u Usage) Scalars() map[string]float64 {
	scalars := map[string]float64{
		"cpus_fixture_ns": u.FixtureNS, "cpus_others_ns": u.OthersNS, "kernel_ns": u.KernelNS, "irq_ns": u.IRQNS,
		"steal_ns": u.StealNS, "iowait_ns": u.WaitNS, "pressure_ns": u.PressureNS,
	}
	maps.DeleteFunc(scalars, func(_ string, x float64) bool { return math.IsNaN(x) })
	return scalars
}
