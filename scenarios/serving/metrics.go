package serving

import (
	"moobench/harness/run"
	"moobench/results"
)

// Latency is the primary metric: from when a request was due until its answer was there.
const Latency = "latency"

// The other times of a request.
const (
	service = "service"
	lag     = "lag"
)

// The outcomes of the requests that were due while the load was held.
const (
	requests  = "requests"
	Lost      = "lost"
	right     = "right"
	wrong     = "wrong"
	refused   = "refused"
	reset     = "reset"
	timedOut  = "timed_out"
	truncated = "truncated"
	late      = "late"
)

// Figures of the whole invocation.
const (
	requestsAll   = "requests_all"
	lostAll       = "lost_all"
	throughput    = "throughput"
	lagP99        = "lag_p99"
	loadCPU       = "load_cpu"
	CPUPerRequest = "cpu_per_request"
)

// Metrics are those of the requests of a load.
func Metrics() []results.Metric {
	lower, neither := results.Lower, results.Neither
	request := func(name string, better results.Better, about string) results.Metric {
		return run.Column(run.Timing(name, "ns", better, about), results.SeriesRequest, name)
	}
	count := func(name string, better results.Better, of, about string) results.Metric {
		m := run.Timing(name, "1", better, about)
		m.Of = of
		return m
	}
	latency := run.Key(request(Latency, lower, "from when a request was to be sent until its answer was there"))
	latency.Primary = true
	return []results.Metric{
		latency,
		request(service, lower, "from when a request was really sent until its answer was there"),
		request(lag, neither, "how late a request was sent: the load generator's own error"),
		run.Key(count(Lost, lower, requests, "transactions lost: wrong, refused, reset, timed out and truncated")),
		run.Key(count(requests, neither, "", "requests that were to be sent while the load was held")),
		count(right, results.Higher, requests, "right answers in time"),
		count(wrong, lower, requests, "answers with another status or body than expected"),
		count(refused, lower, requests, "connections refused"),
		count(reset, lower, requests, "connections ended before anything of the answer was there"),
		count(timedOut, lower, requests, "requests without a whole answer in time"),
		count(truncated, lower, requests, "answers that were cut off"),
		count(late, lower, requests, "right answers later than late_after, or after the load's end; they are not lost"),
		count(requestsAll, neither, "", "requests, those of the ramp with them"),
		count(lostAll, lower, requestsAll, "transactions lost, those of the ramp with them"),
		run.Key(run.Timing(throughput, "1/s", results.Higher, "right answers per second of the hold")),
		run.Key(run.Timing(lagP99, "ns", neither, "99 % of the requests were sent with at most this lag")),
		run.Timing(loadCPU, "1", neither, "share of moobench's CPUs that the load generator took"),
		run.Key(run.Timing(CPUPerRequest, "ns", lower, "CPU time of the whole process per request, those of the ramp with them")),
	}
}

// ProcessMetrics are the metrics of any process, without those that are per timed call: a
// request is none.
func ProcessMetrics() []results.Metric {
	return run.ProcessMetrics(run.CPUNS, run.RunDelayNS)
}
