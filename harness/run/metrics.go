package run

import (
	"slices"

	"moobench/harness/machine/watch"
	"moobench/results"
)

// Names of the scalars that every invocation of a process carries.
const (
	LoopNS         = "loop_ns"
	WallNS         = "wall_ns"
	StartupNS      = "startup_ns"
	StartupCPUNS   = "startup_cpu_ns"
	CPUNS          = "cpu_ns"
	CPUExitNS      = "cpu_exit_ns"
	CPUPerRecordNS = "cpu_per_record_ns"
	HarnessCPUNS   = "harness_cpu_ns"
	RunDelayNS     = "run_delay_ns"
	Voluntary      = "switches_voluntary"
	Involuntary    = "switches_involuntary"
	GCCount        = "gc_count"
	GCNS           = "gc_ns"
	JITNS          = "jit_ns"
	SafepointNS    = "safepoint_ns"
	ClassesLoaded  = "classes_loaded"
	ClassesRedef   = "classes_redefined"
	RSSPeakBytes   = "rss_peak_bytes"
	HeapAfterGC    = "heap_after_gc_bytes"
	WrittenBytes   = "written_bytes"
	ReceivedBytes  = "received_bytes"
	DrainNS        = "drain_ns"
	RecordsPerCall = "records_per_call"
)

// ProcessMetricsBut are the ProcessMetrics but those of these names, for a
// scenario in which they have no meaning.
func ProcessMetricsBut(names ...string) []results.Metric {
	return slices.DeleteFunc(ProcessMetrics(), func(m results.Metric) bool { return slices.Contains(names, m.Name) })
}

// ProcessMetrics are the metrics that any subject has, whatever is done to it.
// Times and counts of the timing profile are of the measured window, unless
// their text says otherwise.
func ProcessMetrics() []results.Metric {
	timing, resources := results.ProfileTiming, results.ProfileResources
	lower, neither := results.Lower, results.Neither
	m := func(name, unit string, better results.Better, profile results.Profile, about string) results.Metric {
		return results.Metric{Name: name, Unit: unit, Better: better, Profile: profile, About: about}
	}
	return append([]results.Metric{
		m(CPUNS, "ns", lower, timing, "CPU time of the whole process, all threads, per call"),
		m(CPUExitNS, "ns", lower, timing, "CPU time of the whole process from the first call to its exit"),
		m(CPUPerRecordNS, "ns", lower, timing, "CPU time of the whole process from the first call to its exit, per record delivered"),
		m(GCCount, "1", lower, timing, "garbage collections"),
		m(GCNS, "ns", lower, timing, "time in garbage collection"),
		m(JITNS, "ns", lower, timing, "time in just-in-time compilation, warm-up included"),
		m(SafepointNS, "ns", lower, timing, "time in safepoints"),
		m(ClassesLoaded, "1", lower, timing, "classes loaded from start to the end of the window"),
		m(ClassesRedef, "1", neither, timing, "classes redefined or retransformed, whole invocation"),
		m(RunDelayNS, "ns", neither, timing, "time in which the measuring threads were runnable and waited for a CPU"),
		m(Voluntary, "1", neither, timing, "voluntary context switches of the process"),
		m(Involuntary, "1", neither, timing, "involuntary context switches of the process"),
		m(WrittenBytes, "B", lower, timing, "bytes in the files that the variant wrote, whole invocation"),
		m(ReceivedBytes, "B", lower, timing, "bytes that our receiver got, whole invocation"),
		m(DrainNS, "ns", lower, timing, "time from the last call to the last record's arrival"),
		m(HarnessCPUNS, "ns", neither, timing, "CPU time of moobench and its receivers"),
		m(LoopNS, "ns", neither, timing, "wall time of the window"),
		m(WallNS, "ns", neither, timing, "wall time of the invocation, start and sealing included"),
		m(StartupNS, "ns", lower, resources, "wall time from start to main"),
		m(StartupCPUNS, "ns", lower, resources, "CPU time from start to main"),
		m(RSSPeakBytes, "B", lower, resources, "peak resident set size"),
		m(HeapAfterGC, "B", lower, resources, "heap in use after a full collection at the end"),
	}, watch.Metrics()...)
}
