package reliability

import (
	"moobench/harness/run"
	"moobench/results"
)

// Latency is the primary metric: from when a request was to be sent until its
// answer was there.
const Latency = "latency"

// What else every request tells.
const (
	Service = "service"
	Lag     = "lag"
)

// What became of the requests that were to be sent while the load was held.
const (
	Requests  = "requests"
	Lost      = "lost"
	Right     = "right"
	Wrong     = "wrong"
	Refused   = "refused"
	Reset     = "reset"
	TimedOut  = "timed_out"
	Truncated = "truncated"
	Late      = "late"
)

// One figure of the whole invocation each.
const (
	RequestsAll   = "requests_all"
	LostAll       = "lost_all"
	Throughput    = "throughput"
	LagP99        = "lag_p99"
	LoadCPU       = "load_cpu"
	CPUPerRequest = "cpu_per_request"
	Toggles       = "toggles"
	ToggleTook    = "toggle_took"
)

// RequestMetrics are those of a load, for any scenario that puts one on its
// subject.
func RequestMetrics() []results.Metric {
	primary := ofRequests(Latency, results.Lower, "from when a request was to be sent until its answer was there")
	primary.Primary, primary.Key = true, true
	lost := outcome(Lost, results.Lower, "transactions lost: wrong, refused, reset, timed out and truncated")
	lost.Key = true
	lostAll := scalar(LostAll, "1", results.Lower, "transactions lost, those of the ramp with them")
	lostAll.Of = RequestsAll
	return []results.Metric{
		primary,
		ofRequests(Service, results.Lower, "from when a request was really sent until its answer was there"),
		ofRequests(Lag, results.Neither, "how late a request was sent: the load generator's own error"),
		lost,
		key(scalar(Requests, "1", results.Neither, "requests that were to be sent while the load was held")),
		outcome(Right, results.Higher, "right answers in time"),
		outcome(Wrong, results.Lower, "answers with another status or body than expected"),
		outcome(Refused, results.Lower, "connections refused"),
		outcome(Reset, results.Lower, "connections ended before anything of the answer was there"),
		outcome(TimedOut, results.Lower, "requests without a whole answer in time"),
		outcome(Truncated, results.Lower, "answers that were cut off"),
		outcome(Late, results.Lower, "right answers later than late_after, or after the load's end; they are not lost"),
		scalar(RequestsAll, "1", results.Neither, "requests, those of the ramp with them"),
		lostAll,
		key(scalar(Throughput, "1/s", results.Higher, "right answers per second of the hold")),
		key(scalar(LagP99, "ns", results.Neither, "99 % of the requests were sent with at most this lag")),
		scalar(LoadCPU, "1", results.Neither, "share of moobench's CPUs that the load generator took"),
		key(scalar(CPUPerRequest, "ns", results.Lower, "CPU time of the whole process per request, those of the ramp with them")),
	}
}

// toggleMetrics are those of the changes under load, and of what the load hangs
// on.
func toggleMetrics() []results.Metric {
	capacity := scalar(run.CapacityScalar, "1", results.Higher, "highest load at which the baseline loses none and answers none late: clients where they wait for their answers, else requests per second")
	capacity.Profile = results.ProfileCalibration
	return []results.Metric{
		scalar(Toggles, "1", results.Neither, "changes of what is monitored, ramp and hold"),
		key(scalar(ToggleTook, "ns", results.Lower, "mean time of one change of what is monitored")),
		capacity,
	}
}

// PerInvocation are the metrics of any process, without those that are spread
// over timed calls: a request is none.
func PerInvocation() []results.Metric {
	return run.ProcessMetricsBut(run.CPUNS, run.RunDelayNS)
}

func ofRequests(name string, better results.Better, about string) results.Metric {
	m := scalar(name, "ns", better, about)
	m.Series, m.Column = results.SeriesRequest, name
	return m
}

func outcome(name string, better results.Better, about string) results.Metric {
	m := scalar(name, "1", better, about)
	m.Of = Requests
	return m
}

func scalar(name, unit string, better results.Better, about string) results.Metric {
	return results.Metric{Name: name, Unit: unit, Better: better, Profile: results.ProfileTiming, About: about}
}

func key(m results.Metric) results.Metric {
	m.Key = true
	return m
}
