package run

import (
	"slices"

	"moobench/harness/machine/watch"
	"moobench/results"
)

// Names of the scalars that every invocation of a process has.
const (
	LoopNS         = "loop_ns"
	WallNS         = "wall_ns"
	StartupNS      = "startup_ns"
	StartupCPUNS   = "startup_cpu_ns"
	CPUNS          = "cpu_ns"
	cpuExitNS      = "cpu_exit_ns"
	cpuPerRecordNS = "cpu_per_record_ns"
	HarnessCPUNS   = "harness_cpu_ns"
	RunDelayNS     = "run_delay_ns"
	threadsCPUNS   = "threads_cpu_ns"
	referenceNS    = "reference_ns"
	threadsLoopNS  = "threads_loop_ns"
	voluntary      = "switches_voluntary"
	involuntary    = "switches_involuntary"
	gcCount        = "gc_count"
	gcNS           = "gc_ns"
	jitNS          = "jit_ns"
	safepointNS    = "safepoint_ns"
	classesLoaded  = "classes_loaded"
	ClassesRedef   = "classes_redefined"
	RSSPeakBytes   = "rss_peak_bytes"
	HeapAfterGC    = "heap_after_gc_bytes"
	WrittenBytes   = "written_bytes"
	ReceivedBytes  = "received_bytes"
	recordBytes    = "bytes_per_record"
	drainNS        = "drain_ns"
	RecordsPerCall = "records_per_call"
)

// ServerStartup is the metric of a server's start-up time, in ns.
const ServerStartup = "startup"

// ProcessMetrics returns the metrics of every subject, whatever the scenario, except those named in but, which are
// meaningless for it. Times and counts of the timing profile refer to the measured window, unless their text says
// otherwise.
func ProcessMetrics(but ...string) []results.Metric {
	lower, neither := results.Lower, results.Neither
	all := append([]results.Metric{
		Deciding(results.DecidesCPU, "call CPU",
			Timing(CPUNS, "ns", lower, "CPU time of the whole process, all threads, per call")),
		Timing(cpuExitNS, "ns", lower, "CPU time of the whole process from the first call to its exit"),
		perRecord(Timing(cpuPerRecordNS, "ns", lower,
			"CPU time of the whole process from the first call to its exit, per record delivered")),
		Timing(gcCount, "1", lower, "garbage collections"),
		Timing(gcNS, "ns", lower, "time in garbage collection"),
		Timing(jitNS, "ns", lower, "time in just-in-time compilation, warm-up included"),
		Timing(safepointNS, "ns", lower, "time in safepoints"),
		Timing(classesLoaded, "1", lower, "classes loaded from start to the end of the window"),
		Timing(ClassesRedef, "1", neither, "classes redefined or retransformed, whole invocation"),
		Timing(RunDelayNS, "ns", neither, "time in which the measuring threads were runnable and waited for a CPU"),
		Timing(voluntary, "1", neither, "voluntary context switches of the process"),
		Timing(involuntary, "1", neither, "involuntary context switches of the process"),
		Timing(WrittenBytes, "B", lower, "bytes in the files that the variant wrote, whole invocation"),
		Timing(ReceivedBytes, "B", lower, "bytes that our receiver got, whole invocation"),
		perRecord(Timing(recordBytes, "B", lower,
			"bytes in the files with records, or that our receiver got, per record delivered")),
		Timing(drainNS, "ns", lower, "time from the last call to the last record's arrival"),
		Timing(HarnessCPUNS, "ns", neither, "CPU time of moobench and its receivers"),
		Timing(LoopNS, "ns", neither, "wall time of the window"),
		Timing(WallNS, "ns", neither, "wall time of the invocation, start and sealing included"),
		Deciding(results.DecidesStartup, "start-up",
			In(results.ProfileResources, Timing(StartupNS, "ns", lower, "wall time from start to main"))),
		In(results.ProfileResources, Timing(StartupCPUNS, "ns", lower, "CPU time from start to main")),
		Deciding(results.DecidesMemory, "memory",
			In(results.ProfileResources, Timing(RSSPeakBytes, "B", lower, "peak resident set size"))),
		In(results.ProfileResources, Timing(HeapAfterGC, "B", lower, "heap in use after a full collection at the end")),
	}, watch.Metrics()...)
	all = slices.DeleteFunc(all, func(m results.Metric) bool { return slices.Contains(but, m.Name) })
	if slices.Contains(but, CPUNS) {
		return all
	}
	return append(all, ByThreads(CPUNS)...)
}

// ByThreads returns the parts of a CPU-time metric, one per thread group.
func ByThreads(whole string) []results.Metric {
	abouts := map[results.ThreadGroup]string{
		results.ThreadsApplication: "that of the application's own threads",
		results.ThreadsAgent:       "that of threads which the variant has started",
		results.ThreadsCompiler:    "that of the JVM's compilers",
		results.ThreadsCollector:   "that of the JVM's garbage collector",
		results.ThreadsJVM:         "that of the JVM's other threads",
		results.ThreadsEnded:       "that of threads which ended in the window, whosever they were",
	}
	return results.Each(results.ThreadGroups(), func(g results.ThreadGroup) results.Metric {
		m := Timing(g.Metric(), "ns", results.Lower, "of "+whole+", "+abouts[g])
		m.PartOf, m.Threads = whole, g
		return m
	})
}

// Timing returns a metric of the timing profile, whose value is the scalar of the same name.
func Timing(name, unit string, better results.Better, about string) results.Metric {
	return results.Metric{Name: name, Unit: unit, Better: better, Profile: results.ProfileTiming, About: about}
}

// In moves a metric to another profile.
func In(profile results.Profile, m results.Metric) results.Metric {
	m.Profile = profile
	return m
}

// Column makes a metric the mean of a column of samples.
func Column(m results.Metric, series, column string) results.Metric {
	m.Series, m.Column = series, column
	return m
}

// Share marks a metric as a share of a whole.
func Share(m results.Metric) results.Metric {
	m.Share = true
	return m
}

// perRecord marks a metric as a total divided by the number of delivered records.
func perRecord(m results.Metric) results.Metric {
	m.Per = results.Record
	return m
}

// Deciding gives a metric that people decide by its title and rank in the answer.
func Deciding(rank int, title string, m results.Metric) results.Metric {
	m.Decides, m.Title = rank, title
	return m
}

// Key makes a metric appear in every report.
func Key(m results.Metric) results.Metric {
	m.Key = true
	return m
}
