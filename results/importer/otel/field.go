package otel

import (
	"moobench/results"
	"moobench/results/importer"
)

// field is a column that each agent has, and its meaning.
type field struct {
	names  []string // its own, and those of older versions
	metric results.Metric
	factor float64 // turns the column's unit into the metric's
}

// key marks a metric that every report shows.
func key(m results.Metric) results.Metric {
	m.Key = true
	return m
}

const (
	fromMS = 1e6
	fromMB = 1 << 20
)

// fields returns the known columns by importance, the primary metric first. Times of
// requests and iterations are from the load generator k6, the others from the JDK's
// flight recorder.
func fields() []field {
	metric := importer.Metric
	all := []field{
		{[]string{"requestAvg"}, metric("request_mean", "ns", results.Lower, "mean time of a request"), fromMS},
		{[]string{"requestP95"}, key(metric("request_p95", "ns", results.Lower, "95 % of the requests of the run took at most this")), fromMS},
		{[]string{"iterationAvg"}, metric("iteration_mean", "ns", results.Lower, "mean time of an iteration: a user's whole sequence of requests"), fromMS},
		{[]string{"iterationP95"}, metric("iteration_p95", "ns", results.Lower, "95 % of the iterations of the run took at most this"), fromMS},
		{[]string{"startupDurationMs", "startupTimeMs"}, key(metric("startup", "ns", results.Lower, "from the start of the container until the application answers")), fromMS},
		{[]string{"averageCpuUser"}, key(metric("cpu_user_mean", "1", results.Lower, "mean share of the machine's CPUs that the JVM took in user mode")), 1},
		{[]string{"maxCpuUser"}, metric("cpu_user_max", "1", results.Lower, "largest such share"), 1},
		{[]string{"averageMachineCpuTotal"}, metric("cpu_machine_mean", "1", results.Lower, "mean share of the machine's CPUs that were busy"), 1},
		{[]string{"totalAllocatedMB"}, key(metric("allocated", "B", results.Lower, "allocated on the heap in the whole run")), fromMB},
		{[]string{"minHeapUsed"}, metric("heap_min", "B", results.Lower, "least heap in use"), 1},
		{[]string{"maxHeapUsed"}, metric("heap_max", "B", results.Lower, "most heap in use"), 1},
		{[]string{"totalGCTime"}, metric("gc_time", "ns", results.Lower, "sum of the durations of garbage collections"), 1},
		{[]string{"gcPauseMs"}, metric("gc_pause", "ns", results.Lower, "sum of the pauses of garbage collections"), fromMS},
		{[]string{"maxThreadContextSwitchRate"}, metric("switch_rate_max", "1/s", results.Neither, "largest rate of context switches"), 1},
		{[]string{"peakThreadCount"}, metric("threads_max", "1", results.Lower, "most threads at a time"), 1},
		{[]string{"netReadAvg"}, metric("net_read_mean", "bit/s", results.Neither, "mean rate of reading from the network"), 1},
		{[]string{"netWriteAvg"}, metric("net_write_mean", "bit/s", results.Neither, "mean rate of writing to the network; export by an agent is part of it"), 1},
		{[]string{"runDurationMs"}, metric("run_duration", "ns", results.Lower, "how long the run took"), fromMS},
	}
	all[0].metric.Primary = true
	return all
}
