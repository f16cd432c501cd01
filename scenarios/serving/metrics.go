package serving

import (
	"slices"

	"moobench/harness/load"
	"moobench/harness/run"
	"moobench/results"
)

// Latency is the primary metric: from when a request was due until its answer was there.
const Latency = "latency"

// Outcomes of the requests that were due while the load was held.
const requests, Lost, outcomeLate = "requests", "lost", "late"

// service is the time from the actual sending of a request until its answer was there.
const service = "service"

// Figures of the whole invocation.
const (
	requestsAll, lostAll, throughput = "requests_all", "lost_all", "throughput"
	lagP99, loadCPU, CPUPerRequest   = "lag_p99", "load_cpu", "cpu_per_request"
)

// Metrics returns the metrics of the requests of a load.
func Metrics() []results.Metric {
	lower, neither := results.Lower, results.Neither
	request := func(name string, better results.Better, about string) results.Metric {
		return run.Column(run.Timing(name, "ns", better, about), results.SeriesRequest, name)
	}
	latency := run.Key(request(Latency, lower, "from when a request was to be sent until its answer was there"))
	latency.Primary = true
	return slices.Concat([]results.Metric{
		latency,
		request(service, lower, "from when a request was really sent until its answer was there"),
		request("lag", neither, "how late a request was sent: the load generator's own error"),
		run.Deciding(results.DecidesLoss, "lost requests", run.Key(count(Lost, lower, requests,
			"transactions lost: wrong, refused, reset, timed out and truncated"))),
		run.Key(count(requests, neither, "", "requests that were to be sent while the load was held")),
	}, outcomes(), []results.Metric{
		count(requestsAll, neither, "", "requests, those of the ramp with them"),
		count(lostAll, lower, requestsAll, "transactions lost, those of the ramp with them"),
		run.Key(run.Timing(throughput, "1/s", results.Higher, "right answers per second of the hold")),
		run.Key(run.Timing(lagP99, "ns", neither, "99 % of the requests were sent with at most this lag")),
		run.Share(run.Timing(loadCPU, "1", neither, "share of moobench's CPUs that the load generator took")),
		run.Deciding(results.DecidesCPU, "CPU per request", run.Key(run.Timing(CPUPerRequest, "ns", lower,
			"CPU time of the whole process per request, those of the ramp with them"))),
	})
}

// wrongMost is the share of a baseline's answers that may be wrong; with more, the expectation does not fit the
// server.
const wrongMost = 0.01

// outcomes returns the metrics of the outcomes of requests, in the order of load.Outcome.
func outcomes() []results.Metric {
	all := []results.Metric{
		count("right", results.Higher, requests, "right answers in time"),
		count("wrong", results.Lower, requests, "answers with another status or body than expected"),
		count("refused", results.Lower, requests, "connections refused"),
		count("reset", results.Lower, requests, "connections ended before anything of the answer was there"),
		count("timed_out", results.Lower, requests, "requests without a whole answer in time"),
		count("truncated", results.Lower, requests, "answers that were cut off"),
		count(outcomeLate, results.Lower, requests,
			"right answers later than late_after, or after the load's end; they are not lost"),
	}
	all[load.Wrong].BaselineMost = wrongMost
	return all
}

// count returns the metric of a number of requests, with another metric of as its exposure.
func count(name string, better results.Better, of, about string) results.Metric {
	m := run.Timing(name, "1", better, about)
	m.Of = of
	return m
}

// ProcessMetrics returns the metrics of any process, except these names and metrics per timed call: a request
// is not a call.
func ProcessMetrics(but ...string) []results.Metric {
	all := run.ProcessMetrics(append(but, run.CPUNS, run.RunDelayNS)...)
	return append(all, run.ByThreads(CPUPerRequest)...)
}
