// Package overhead measures the cost of one call of a monitored method. The workload is MooBench's: a recursion
// to a given depth that ends in a busy wait.
package overhead

import (
	"fmt"
	"slices"

	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
	"moobench/scenarios/calling"
)

// Duration is the primary metric: the time of one call of the monitored method, down to
// its depth and back.
const Duration = "duration"

// allocBytes is the number of bytes that the measuring threads allocate per call.
const allocBytes = "alloc_bytes"

// rate is the parameter of the calls per second, offered the actual number, and lateNS the mean delay between
// the due time and the start of a call.
const rate, offered, lateNS = "rate", "offered", "late_ns"

// cpuShare and cpuPeak are CPU time of the process per wall time, for calls at a rate.
const cpuShare, cpuPeak = "cpu_percent", "cpu_peak_percent"

// Scenario is the overhead scenario.
type Scenario struct{ plan.Plain }

// Schema has a fixture and its calls.
func (Scenario) Schema() plan.Schema {
	duration := run.Column(run.Timing(Duration, "ns", results.Lower, "one call of the monitored method"), Duration, "t")
	duration.Primary, duration.Executions = true, "depth"
	return plan.Schema{Name: "overhead", Fixture: "fixture", Parameters: slices.Concat([]results.Parameter{
		calling.Fixture(),
		{
			Name: "calls", Type: results.TypeInt, Unit: "calls", Default: "500_000", Min: 100, Auto: Duration,
			About: "timed calls of each thread, warm-up included; auto: as many as let the cells that are compared " +
				"come to rest, which a pilot finds",
		},
		{
			Name: "pattern", Type: results.TypePattern, Default: plan.OwnMethod, Factor: true,
			About: "signature pattern of the methods to monitor, such as public * org.h2.command..*.*(..); " +
				"target is the target's own method",
		},
	}, calling.Parameters(), []results.Parameter{
		{
			Name: "batch", Type: results.TypeInt, Unit: "calls", Default: "1", Min: 1, Factor: true,
			About: "calls between two time stamps: more than one resolves costs below the clock's tick, " +
				"and has no quantiles",
		},
		{
			Name: rate, Type: results.TypeInt, Unit: "1/s", Default: "0", Factor: true,
			About: "calls per second of all threads together, each due at its own time, " +
				"whatever the ones before it took; in between the threads sleep; 0: as many as they can make",
		},
	}), Metrics: append([]results.Metric{
		duration,
		run.Deciding(results.DecidesAllocation, "call alloc",
			run.Timing(allocBytes, "B", results.Lower, "bytes allocated by the measuring threads, per call")),
		run.Key(run.Timing(run.RecordsPerCall, "1", results.Neither,
			"records per call, if a pattern says what is monitored; "+
				"includes those of the start-up unless the probe itself counts")),
		run.Key(run.Timing(offered, "1/s", results.Neither,
			"calls per second that were really made, if there is a rate")),
		run.Timing(lateNS, "ns", results.Neither,
			"how long after it was due a call began, if there is a rate: "+
				"some 60 us of it are the wake-up of a sleeping thread"),
		run.Key(run.Timing(cpuShare, "%", results.Lower,
			"CPU time of the whole process in per cent of one CPU, if there is a rate; "+
				"includes the reference, which takes less than 1 %")),
		run.Key(run.Timing(cpuPeak, "%", results.Lower, "the same in its busiest second")),
	}, run.ProcessMetrics()...)}
}

// Work returns the calls.
func (Scenario) Work(c *results.Cell) plan.Work {
	return plan.Work{
		Pattern: plan.Signature(c.Parameter("pattern")), Counted: true,
		Calls: c.Int("calls"), Threads: c.Int("threads"),
		Depth: c.Int("depth"), WaitNS: c.Int("method_time"), Batch: c.Int("batch"), Rate: c.Int(rate),
	}
}

// Default margins of negligible costs.
const (
	negligibleShare = 0.01 // of a baseline that takes at least fromNS
	fromNS          = 1000
	perExecutionNS  = 1 // of faster baselines, per monitored execution
)

// Questions asks the cost of every variant against its baseline. The margin is a share of the baseline's time,
// unless that is too short for any clock to resolve the share.
func (Scenario) Questions(cells []results.Cell) []results.Question {
	return plan.Against(cells, func(c *results.Cell) []results.Question {
		amount := perExecutionNS * float64(max(1, Scenario{}.Work(c).Depth))
		return []results.Question{{
			ID: "cost", Text: "What does %s cost per call?", Metric: Duration,
			Margin: &results.Margin{Share: negligibleShare, Amount: amount, ShareFrom: fromNS},
		}}
	})
}

// Check refuses parameters that make no sense for an application, and batches that do not divide the calls: a
// shorter last sample would falsify the mean.
func (Scenario) Check(c *plan.Cell) []plan.Refusal {
	refused, w := calling.Check(c), c.Work
	switch {
	case w.Batch > 1 && w.Rate > 0:
		why := fmt.Sprintf("batch = %d: calls at a rate are apart, and each has its own time", w.Batch)
		refused = append(refused, plan.Refuse("batch", why, "leave batch or rate out")...)
	case w.Batch > 1 && w.Calls%w.Batch != 0 && c.Role == results.RoleBaseline:
		why := fmt.Sprintf("batch = %d does not divide calls = %d", w.Batch, w.Calls)
		refused = append(refused, plan.Refuse("batch", why, "take a divisor of calls")...)
	}
	return refused
}
