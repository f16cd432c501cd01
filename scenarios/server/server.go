// Package server measures the cost of an agent to a server of the user's own: the time to become ready, the
// fate and the cost of requests, and the highest load. Its JVM has nothing of ours.
package server

import (
	"time"

	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
	"moobench/scenarios/serving"
)

// Scenario is the server scenario.
type Scenario struct{ plan.Plain }

// Names of the parameters besides those of the load.
const pattern, p99Limit, recordsPerRequest = "pattern", "p99_limit", "records_per_request"

// limitOf returns the latency limit of the search for the highest load; 0: there is no search.
func limitOf(c *results.Cell) time.Duration { return time.Duration(c.Int(p99Limit)) }

// startup is the time from the start of the process to the first answer that says it is ready.
const startup = run.ServerStartup

// rss is the memory in use at the end of the load.
const rss = "rss_bytes"

// Schema has the section [server], and the whole hold as the window; the ramp is a series of its own.
func (Scenario) Schema() plan.Schema {
	parameters := append(
		serving.Parameters(),
		results.Parameter{
			Name: pattern, Type: results.TypePattern, Default: plan.AgentsChoice, Factor: true,
			About: "signature pattern of the methods to monitor, for variants that take one; " +
				"agent: what the agent monitors by itself",
		},
		results.Parameter{
			Name: p99Limit, Type: results.TypeDuration, Default: "0s",
			About: "search the highest load (capacity) whose p99 of the latency stays within this, " +
				"and of which nothing is lost; 0s: don't. It is searched after the load of each run of resources, " +
				"so that the others stay as they are",
		},
		serving.SearchParameter(),
		results.Parameter{
			Name: recordsPerRequest, Type: results.TypeInt, Unit: "records", Default: "0",
			About: "records that the agent makes for each request that reaches the server, " +
				"those to the URL that says it is ready included; 0: not known, and lost ones are not seen",
		},
	)
	return plan.Schema{
		Name: "server", Section: plan.ServerSection, Window: results.WindowAll,
		Metrics: metrics(), Parameters: parameters,
	}
}

// metrics returns the scenario's own metrics, and those of any process that can be seen from outside. Every
// invocation has the memory peak, because the heap options are the user's own.
func metrics() []results.Metric {
	const capacity = "highest load whose p99 of the latency stays within p99_limit, and of which nothing is lost"
	all := append(
		serving.Metrics(),
		run.Deciding(results.DecidesStartup, "start-up", run.Key(run.Timing(startup, "ns", results.Lower,
			"from the start of the process to the first answer that says it is ready"))),
		run.Key(run.Timing(results.DerivedSettled, "ns", results.Lower,
			"from the start of the load until the p99 of the latency, second by second, stays within 20 % "+
				"of its level in the last half of the hold; none where it never does, or the hold is under 10 s")),
		run.Deciding(results.DecidesCapacity, "most load",
			run.Key(run.In(results.ProfileResources, run.Timing(run.CapacityScalar, "1/s", results.Higher, capacity)))),
		run.Deciding(results.DecidesMemoryAtEnd, "memory at end",
			run.Key(run.Timing(rss, "B", results.Lower, "resident set size at the end of the load"))),
	)
	inside := []string{run.StartupNS, run.StartupCPUNS, run.HeapAfterGC, run.ClassesRedef} // only seen from inside
	for _, m := range serving.ProcessMetrics(inside...) {
		if m.Name == run.RSSPeakBytes {
			m.Profile, m.Key = results.ProfileTiming, true
		}
		all = append(all, m)
	}
	return all
}

// Work returns the load, with a search if there is a limit.
func (Scenario) Work(c *results.Cell) plan.Work {
	w := serving.SettingsOf(c, 0).Work(limitOf(c) > 0)
	w.Pattern = plan.Signature(c.Parameter(pattern))
	return w
}

// Check refuses parameters that do not go together.
func (Scenario) Check(c *plan.Cell) []plan.Refusal {
	limit, refused := limitOf(&c.Cell), serving.Check(&c.Cell)
	if limit > serving.SettingsOf(&c.Cell, 0).Timeout {
		refused = plan.Refuse(p99Limit, "no latency can be over p99_limit: its transaction is lost by then",
			"make it shorter than lost_after")
	}
	if limit > 0 && c.Resources == 0 {
		refused = append(refused, plan.Refuse(p99Limit,
			"p99_limit is searched for in the runs of resources, and resources = 0: it never would be",
			"set resources to 1 or more, or take p99_limit out")...)
	}
	return refused
}

// Questions asks for every variant how much it adds to the latency and to the time to become ready, whether
// transactions are lost with it, what a request costs, and which load is left.
func (Scenario) Questions(cells []results.Cell) []results.Question {
	return plan.Against(cells, func(c *results.Cell) []results.Question {
		qs := []results.Question{
			{ID: "latency", Text: "What does %s add to the latency?", Metric: serving.Latency},
			{
				ID: "p99", Text: "What does %s add to the p99 of the latency?",
				Metric: serving.Latency, Quantile: 0.99, Family: "p99",
			},
			{
				ID: "lost", Text: "Does the server lose transactions with %s?",
				Metric: serving.Lost, Test: results.TestRates,
			},
			{ID: "cpu", Text: "What CPU time does %s add to a request?", Metric: serving.CPUPerRequest, Family: "cpu"},
			{ID: "startup", Text: "What does %s add to the time until the server is ready?", Metric: startup},
		}
		if limitOf(c) > 0 {
			qs = append(qs, results.Question{
				ID: "capacity", Text: "How does %s change the load that the server takes?",
				Metric: run.CapacityScalar,
			})
		}
		return qs
	})
}
