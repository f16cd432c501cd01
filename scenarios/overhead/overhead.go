// Package overhead measures what one call of a monitored method costs: the
// workload is MooBench's, a recursion to a depth that ends in a busy wait.
package overhead

import (
	"fmt"

	"moobench/harness/run"
	"moobench/results"
)

// Duration is the primary metric: the time of one call of the monitored
// method, down to its depth and back.
const Duration = "duration"

// AllocBytes is what the measuring threads allocate per call.
const AllocBytes = "alloc_bytes"

// Scenario is the overhead scenario.
type Scenario struct{}

// Name is what benchmarks.toml calls it.
func (Scenario) Name() string { return "overhead" }

// Parameters are what benchmarks.toml may set.
func (Scenario) Parameters() []results.Parameter {
	return []results.Parameter{
		{Name: "fixture", Type: results.TypeString, Default: "calls", About: "the Java program that is driven"},
		{Name: "calls", Type: results.TypeInt, Unit: "calls", Default: "500_000", Min: 100, About: "timed calls of each thread, warm-up included"},
		{Name: "depth", Type: results.TypeInt, Unit: "calls", Default: "10", Min: 1, Factor: true, About: "monitored executions per call: the depth of the recursion"},
		{Name: "threads", Type: results.TypeInt, Unit: "threads", Default: "1", Min: 1, Factor: true, About: "threads that call at the same time"},
		{Name: "method_time", Type: results.TypeDuration, Default: "0ns", Factor: true, About: "busy wait at the bottom of the recursion"},
		{
			Name: "busy_wait", Type: results.TypeEnum, Default: "lazy", Values: []string{"lazy", "wall", "cpu"}, Factor: true,
			About: "how it waits: wall clock (MooBench's), the thread's CPU time, or lazy: wall clock, but no clock call when method_time is 0",
		},
		{Name: "batch", Type: results.TypeInt, Unit: "calls", Default: "1", Min: 1, Factor: true, About: "calls between two time stamps: more than one resolves costs below the clock's tick, and has no quantiles"},
	}
}

// Metrics are what it measures.
func (Scenario) Metrics() []results.Metric {
	own := []results.Metric{
		{
			Name: Duration, Unit: "ns", Better: results.Lower, Profile: results.ProfileTiming, Primary: true,
			Series: Duration, Column: "t", About: "one call of the monitored method",
		},
		{Name: AllocBytes, Unit: "B", Better: results.Lower, Profile: results.ProfileTiming, About: "bytes allocated by the measuring threads, per call"},
	}
	return append(own, run.ProcessMetrics()...)
}

// Questions asks of every variant what it costs against its baseline. Those of
// one factor level are one family: their intervals are simultaneous.
func (Scenario) Questions(cells []results.Cell) []results.Question {
	var qs []results.Question
	for _, c := range cells {
		if c.Role != results.RoleVariant || c.Baseline == "" {
			continue
		}
		qs = append(qs, results.Question{
			ID:     "cost-" + c.ID,
			Text:   fmt.Sprintf("What does %s cost per call?", c.Label()),
			Metric: Duration, A: c.ID, B: c.Baseline,
			Family: c.Scenario + "/" + Duration + "/" + c.Level(),
		})
	}
	return qs
}
