// Package overhead measures what one call of a monitored method costs: the
// workload is MooBench's, a recursion to a depth that ends in a busy wait.
package overhead

import (
	"fmt"
	"strconv"

	"moobench/harness/plan"
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
		{
			Name: "pattern", Type: results.TypeString, Default: plan.OwnMethod, Factor: true,
			About: "signature pattern of what is monitored, such as public * org.h2.command..*.*(..); target is the target's own method",
		},
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
		{
			Name: run.RecordsPerCall, Unit: "1", Better: results.Neither, Profile: results.ProfileTiming, Key: true,
			About: "records per call, where a pattern says what is monitored; where the probe itself doesn't tell, those of the start are in it",
		},
	}
	return append(own, run.ProcessMetrics()...)
}

// Costs that don't matter unless somebody says otherwise.
const (
	freeShare      = 0.01 // of a baseline that takes at least fromNS
	fromNS         = 1000
	perExecutionNS = 1 // of quicker baselines, per monitored execution
)

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
			Margin: margin(&c),
		})
	}
	return qs
}

// margin is what counts as no cost: a share of the baseline's time, unless that
// is so short that no clock resolves the share.
func margin(c *results.Cell) *results.Margin {
	depth, err := strconv.ParseInt(c.Parameter("depth"), 10, 64)
	if err != nil || depth < 1 {
		depth = 1
	}
	return &results.Margin{Share: freeShare, Amount: perExecutionNS * float64(depth), ShareFrom: fromNS}
}
