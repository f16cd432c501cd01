// Package server measures what an agent costs a server of the user's own: how
// long that takes to be ready, what becomes of the requests that are sent to it,
// what they cost, and what load it takes. Nothing of ours is in its JVM.
package server

import (
	"fmt"
	"slices"

	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
	"moobench/scenarios/reliability"
)

// Scenario is the server scenario.
type Scenario struct{}

// The names of the parameters that it has beside those of its load.
const (
	pattern           = "pattern"
	p99Limit          = "p99_limit"
	searchStep        = "search_step"
	recordsPerRequest = "records_per_request"
)

// Startup is from the start of the process to its first answer that says that it
// is ready.
const Startup = "startup"

// Settled is from the begin of the load until the p99 of the latency had come to
// its steady level. It is derived from the series of seconds.
const Settled = results.DerivedSettled

// Capacity is the highest load that it takes within the limit.
const Capacity = run.CapacityScalar

// RSS is the memory in use when the load had ended.
const RSS = "rss_bytes"

// Name is what benchmarks.toml calls it.
func (Scenario) Name() string { return "server" }

// Section is where benchmarks.toml describes the server.
func (Scenario) Section() string { return plan.ServerSection }

// Parameters are what benchmarks.toml may set.
func (Scenario) Parameters() []results.Parameter {
	return append(
		reliability.LoadParameters(),
		results.Parameter{Name: pattern, Type: results.TypeString, Default: plan.AgentsChoice, Factor: true, About: "signature pattern of what is monitored, for variants that can be told; agent: what the agent monitors by itself"},
		results.Parameter{
			Name: p99Limit, Type: results.TypeDuration, Default: "0s",
			About: "search the highest load (capacity) whose p99 of the latency stays within this, and of which nothing is lost; 0s: don't. It is searched after the load of each run of resources, so that the others stay as they are",
		},
		results.Parameter{Name: searchStep, Type: results.TypeDuration, Default: "3s", Min: 100_000_000, About: "how long each load is held while the highest one is searched for"},
		results.Parameter{
			Name: recordsPerRequest, Type: results.TypeInt, Unit: "records", Default: "0",
			About: "records that the agent makes for each request that reaches the server, those to the URL that says it is ready included; 0: not known, and lost ones are not seen",
		},
	)
}

// Metrics are what it measures.
func (Scenario) Metrics() []results.Metric {
	m := func(name, unit string, better results.Better, about string) results.Metric {
		return results.Metric{Name: name, Unit: unit, Better: better, Profile: results.ProfileTiming, Key: true, About: about}
	}
	capacity := m(Capacity, "1/s", results.Higher, "highest load whose p99 of the latency stays within p99_limit, and of which nothing is lost")
	capacity.Profile = results.ProfileResources
	return slices.Concat(reliability.RequestMetrics(), []results.Metric{
		m(Startup, "ns", results.Lower, "from the start of the process to the first answer that says it is ready"),
		m(Settled, "ns", results.Lower, "from the begin of the load until the p99 of the latency, second by second, stays within 20 % of its level in the last half of the hold; none where it never does, or the hold is under 10 s"),
		capacity,
		m(RSS, "B", results.Lower, "resident set size at the end of the load"),
	}, perInvocation())
}

// perInvocation are the metrics of any process that can be had from outside. The
// peak of memory is of every invocation: no heap of ours is in the way.
func perInvocation() []results.Metric {
	var kept []results.Metric
	for _, m := range reliability.PerInvocation() {
		switch m.Name {
		case run.StartupNS, run.StartupCPUNS, run.HeapAfterGC, run.ClassesRedef:
			continue
		case run.RSSPeakBytes:
			m.Profile, m.Key = results.ProfileTiming, true
		}
		kept = append(kept, m)
	}
	return kept
}

// Window is the whole hold: the ramp is a series of its own.
func (Scenario) Window() results.Window { return results.WindowAll }

// Check finds what does not go together: the key, why, and what to do; why is ""
// when all is well.
func (Scenario) Check(c results.Cell) (key, why, hint string) {
	cell := plan.Cell{Cell: c}
	if limit := cell.Int(p99Limit); limit > cell.Int(reliability.LostAfter) {
		return p99Limit, "no latency can be over p99_limit: its transaction is lost by then", "make it shorter than lost_after"
	}
	return reliability.CheckLoad(c)
}

// Questions asks of every variant what it adds to the latency and to the time to
// be ready, whether transactions are lost with it, what a request costs, and what
// load is left.
func (Scenario) Questions(cells []results.Cell) []results.Question {
	var qs []results.Question
	for _, c := range cells {
		if c.Role != results.RoleVariant || c.Baseline == "" {
			continue
		}
		ask := func(id, metric, format string) results.Question {
			return results.Question{
				ID: id + "-" + c.ID, Text: fmt.Sprintf(format, c.Label()),
				Metric: metric, A: c.ID, B: c.Baseline, Family: c.Scenario + "/" + id + "/" + c.Level(),
			}
		}
		p99 := ask("p99", reliability.Latency, "What does %s add to the p99 of the latency?")
		p99.Quantile = 0.99
		lost := ask("lost", reliability.Lost, "Does the server lose transactions with %s?")
		lost.Test = results.TestRates
		qs = append(
			qs, ask("latency", reliability.Latency, "What does %s add to the latency?"), p99, lost,
			ask("cpu", reliability.CPUPerRequest, "What CPU time does %s add to a request?"),
			ask("startup", Startup, "What does %s add to the time until the server is ready?"),
		)
		if cell := (plan.Cell{Cell: c}); cell.Int(p99Limit) > 0 {
			qs = append(qs, ask("capacity", Capacity, "What does %s change of the load that the server takes?"))
		}
	}
	return qs
}
