// Package overhead measures what one call of a monitored method costs. The workload is
// MooBench's: a recursion to a depth that ends in a busy wait.
package overhead

import (
	"fmt"
	"strings"

	"moobench/harness/fixture"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// Duration is the primary metric: the time of one call of the monitored method, down to
// its depth and back.
const Duration = "duration"

// allocBytes is what the measuring threads allocate per call.
const allocBytes = "alloc_bytes"

// Scenario is the overhead scenario.
type Scenario struct{ plan.Plain }

// Schema has a fixture and its calls.
func (Scenario) Schema() plan.Schema {
	duration := run.Column(run.Timing(Duration, "ns", results.Lower, "one call of the monitored method"), Duration, "t")
	duration.Primary, duration.Executions = true, "depth"
	return plan.Schema{Name: "overhead", Fixture: "fixture", Parameters: []results.Parameter{
		{Name: "fixture", Type: results.TypeString, Default: "calls", About: "the Java program that is driven"},
		{Name: "calls", Type: results.TypeInt, Unit: "calls", Default: "500_000", Min: 100, Auto: Duration, About: "timed calls of each thread, warm-up included; auto: as many as let the cells that are compared come to rest, which a pilot finds"},
		{
			Name: "pattern", Type: results.TypePattern, Default: plan.OwnMethod, Factor: true,
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
	}, Metrics: append([]results.Metric{
		duration,
		run.Timing(allocBytes, "B", results.Lower, "bytes allocated by the measuring threads, per call"),
		run.Key(run.Timing(run.RecordsPerCall, "1", results.Neither, "records per call, where a pattern says what is monitored; where the probe itself doesn't tell, those of the start are in it")),
	}, run.ProcessMetrics()...)}
}

// Work is the calls.
func (Scenario) Work(c *results.Cell) plan.Work {
	return plan.Work{
		Pattern: plan.Signature(c.Parameter("pattern")), Counted: true, Calls: c.Int("calls"), Threads: c.Int("threads"),
		Depth: c.Int("depth"), WaitNS: c.Int("method_time"), Batch: c.Int("batch"),
	}
}

// Costs that are negligible by default.
const (
	negligibleShare = 0.01 // of a baseline that takes at least fromNS
	fromNS          = 1000
	perExecutionNS  = 1 // of quicker baselines, per monitored execution
)

// Questions asks of every variant what it costs against its baseline. Negligible is a
// share of the baseline's time, unless that is so short that no clock resolves the share.
func (Scenario) Questions(cells []results.Cell) []results.Question {
	return plan.Against(cells, func(c *results.Cell) []results.Question {
		amount := perExecutionNS * float64(max(1, Scenario{}.Work(c).Depth))
		return []results.Question{{
			ID: "cost", Text: "What does %s cost per call?", Metric: Duration,
			Margin: &results.Margin{Share: negligibleShare, Amount: amount, ShareFrom: fromNS},
		}}
	})
}

// Check refuses what an application can't be asked for, and samples that do not all cover
// as many calls as they claim: a last one that covers fewer would falsify the mean.
func (Scenario) Check(c *plan.Cell) []plan.Refusal {
	var refused []plan.Refusal
	if program := c.Launch.Fixture; fixture.IsApplication(program) {
		about := "fixture " + program + " is an application, one call of which is one unit of its work: "
		switch {
		case c.Work.Depth != 1:
			refused = plan.Refuse("depth", about+"it does not call itself to depth "+c.Parameter("depth"), "depth = 1")
		case c.Work.WaitNS != 0:
			refused = plan.Refuse("method_time", about+"that takes the time it takes", "leave it out")
		case c.Parameter("busy_wait") != "lazy":
			refused = plan.Refuse("busy_wait", about+"it waits for nothing", "leave it out")
		case !strings.HasPrefix(c.Launch.Target, "moobench."+program+"."):
			refused = plan.Refuse("variants", fmt.Sprintf("%s is compiled into another program, %s, and fixture %s is an application", c.Variant, c.Launch.Target, program), "take it out")
		}
	}
	if w := c.Work; w.Batch > 1 && w.Calls%w.Batch != 0 && c.Role == results.RoleBaseline {
		why := fmt.Sprintf("batch = %d does not divide calls = %d", w.Batch, w.Calls)
		refused = append(refused, plan.Refuse("batch", why, "take a divisor of calls")...)
	}
	return refused
}
