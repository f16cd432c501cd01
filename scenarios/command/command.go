// Package command measures the cost of an agent to a program of the user's own that runs to its end: a batch
// job, a test suite. The section [command] says how it is started, and how to see that it did its work; its JVM
// has nothing of ours.
package command

import (
	"slices"

	"moobench/harness/machine/watch"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// wall is the primary metric: from the start of the program until its exit was seen, in
// ns.
const wall = "wall"

// CPU times of the program, with those of the children that it waited for, in ns.
const cpu, user, system = "cpu", "user", "system"

// peakRSS is the largest resident set of the program or of a child that it waited for, in bytes. The kernel
// starts it at moobench's own peak; smaller values are absent.
const peakRSS = "peak_rss"

const exitStatus = "exit"

// negligibleShare of the baseline's time is the default of a negligible cost.
const negligibleShare = 0.01

// Scenario is the command scenario.
type Scenario struct{ plan.Plain }

// Schema has the section [command], and the whole run as the window: a program is measured from its start to
// its end.
func (Scenario) Schema() plan.Schema {
	return plan.Schema{
		Name: "command", Section: plan.CommandSection, Window: results.WindowAll, Metrics: metrics(),
		Parameters: []results.Parameter{{
			Name: "pattern", Type: results.TypePattern, Default: plan.AgentsChoice, Factor: true,
			About: "signature pattern of the methods to monitor, such as com.acme..*.*(..); " +
				"agent is what the agent monitors by itself",
		}},
	}
}

// Work has only the pattern.
func (Scenario) Work(c *results.Cell) plan.Work {
	return plan.Work{Pattern: plan.Signature(c.Parameter("pattern"))}
}

// metrics returns the scenario's own metrics, and those of any process that need neither a fixture nor a look
// at the living process.
func metrics() []results.Metric {
	wall := run.Timing(wall, "ns", results.Lower, "wall time of the program, from its start to its exit")
	wall.Primary = true
	all := []results.Metric{
		wall,
		run.Deciding(results.DecidesCPU, "CPU", run.Key(run.Timing(cpu, "ns", results.Lower,
			"CPU time of the program and of the children that it waited for, all threads"))),
		run.Timing(user, "ns", results.Lower, "the part of it in user mode"),
		run.Timing(system, "ns", results.Lower, "the part of it in the kernel"),
		run.Deciding(results.DecidesMemory, "memory", run.Key(run.Timing(peakRSS, "B", results.Lower,
			"largest resident set of the program "+
				"or of a child that it waited for; not known where moobench's own is larger"))),
		run.Timing(exitStatus, "1", results.Neither, "exit status"),
	}
	outside := []string{run.WrittenBytes, run.ReceivedBytes, run.HarnessCPUNS, run.WallNS}
	return append(all, slices.DeleteFunc(run.ProcessMetrics(), func(m results.Metric) bool {
		return !slices.Contains(outside, m.Name) && !slices.Contains(watch.Metrics(), m)
	})...)
}

// Questions asks the cost of every variant against its baseline.
func (Scenario) Questions(cells []results.Cell) []results.Question {
	return plan.Against(cells, func(*results.Cell) []results.Question {
		return []results.Question{{
			ID: "cost", Text: "How much longer does the command take with %s?", Metric: wall,
			Margin: &results.Margin{Share: negligibleShare},
		}}
	})
}
