// Package turnaround measures how long it takes until a change of what is
// monitored is in effect: from the order to activate a probe until the first
// monitored call is done, class by class, in a program that runs; and what the
// change does to a method that was hot.
//
// What it knows of changes it shares with the scalability scenario, which makes
// larger ones.
package turnaround

import (
	"fmt"
	"slices"
	"strings"

	"moobench/harness/run"
	"moobench/results"
)

// Scenario is the turnaround scenario.
type Scenario struct{}

// Name is what benchmarks.toml calls it.
func (Scenario) Name() string { return "turnaround" }

// Parameters are what benchmarks.toml may set.
func (Scenario) Parameters() []results.Parameter {
	return append(Changes("500", true), []results.Parameter{
		{Name: calls, Type: results.TypeInt, Unit: "calls", Default: "1_000_000", About: "timed calls of the hot method before its probe is in, while it is, and after it is out; 0 leaves the hot method out"},
		{Name: depth, Type: results.TypeInt, Unit: "calls", Default: "10", Min: 1, Factor: true, About: "monitored executions per call of the hot method: the depth of the recursion"},
		{Name: "method_time", Type: results.TypeDuration, Default: "0ns", Factor: true, About: "busy wait at the bottom of the hot method's recursion"},
		{
			Name: "busy_wait", Type: results.TypeEnum, Default: "lazy", Values: []string{"lazy", "wall", "cpu"}, Factor: true,
			About: "how it waits: wall clock, the thread's CPU time, or lazy: wall clock, but no clock call when method_time is 0",
		},
	}...)
}

// Names of parameters that are read here too.
const (
	atOnce  = "at_once"
	atLoad  = "at_load"
	loaded  = "loaded"
	samples = "samples"
	calls   = "calls"
	depth   = "depth"
)

// Changes are the parameters of the fixture's changes, with the default number
// of samples, and whether the bare retransformation is measured unless the
// file says.
func Changes(sampled string, bare bool) []results.Parameter {
	return []results.Parameter{
		{Name: "fixture", Type: results.TypeString, Default: "classes", About: "the Java program that is driven"},
		{Name: samples, Type: results.TypeInt, Unit: "changes", Default: sampled, Min: 2, About: "changes of each invocation; the first stands apart"},
		{Name: atOnce, Type: results.TypeInt, Unit: "classes", Default: "1", Min: 1, Factor: true, About: "classes that get their probe in one sample; each is called once afterwards"},
		{Name: "one_by_one", Type: results.TypeBool, Default: "false", Factor: true, About: "one change for each of these classes, instead of one pattern for all"},
		{Name: atLoad, Type: results.TypeBool, Default: "false", Factor: true, About: "order each probe before its class is loaded, so that it comes in as the class does; the turnaround then includes loading"},
		{Name: loaded, Type: results.TypeInt, Unit: "classes", Default: "10_000", Min: 1, Factor: true, About: "generated classes that are loaded beforehand"},
		{Name: "methods", Type: results.TypeInt, Unit: "methods", Default: "1", Min: 1, Factor: true, About: "methods of each of them, all of which get the probe"},
		{Name: "patterns", Type: results.TypeInt, Unit: "patterns", Default: "0", Factor: true, About: "patterns in the list beforehand, which match nothing"},
		{Name: "bare", Type: results.TypeBool, Default: fmt.Sprint(bare), About: "measure beside each change what the JVM alone takes: a retransformation that returns prepared bytes"},
		{Name: "watcher", Type: results.TypeBool, Default: "false", Factor: true, About: "a second thread looks at the clock all the time: its longest gap is what others notice of a change; needs a CPU of its own"},
	}
}

// swapperArg names who changes what is monitored where that is not the agent.
const swapperArg = "-Dmoobench.swapper="

// Check refuses what has no probe to switch on, or is there to be measured while
// it is off; and at_load where probes are put into running classes by somebody
// else than the agent, who knows loaded classes only, or where a hot method would
// make a price of loading. It returns the parameter,
// why, and what to do; why is "" when all is well.
func (Scenario) Check(c results.Cell) (parameter, why, hint string) {
	if c.Proof.Kind == results.ProofZero || c.Proof.Kind == results.ProofBaseline {
		return "variants", c.Variant + " makes no records, and here each probe is switched on and must make one", "take it out"
	}
	if c.Parameter(atLoad) != "true" {
		return "", "", ""
	}
	if n := c.Parameter(calls); n != "" && n != "0" {
		return calls, "the hot method runs before its probe is ordered, and with at_load = true classes are loaded after that: what loading takes is no price of a swap", "calls = 0, in a scenario of its own"
	}
	swaps := c.Launch.Activate != "" && slices.ContainsFunc(c.Launch.JVMArgs, func(a string) bool { return strings.HasPrefix(a, swapperArg) })
	if swaps {
		return atLoad, c.Variant + " swaps classes that are loaded, and with at_load = true they are not yet", "take the variant out, or make it two scenarios"
	}
	return "", "", ""
}

// Window is all samples: how the first ones differ is what is asked for, and
// sample 1, the warm-up, is a series of its own.
func (Scenario) Window() results.Window { return results.WindowAll }

// JVMArgs have the JVM log its safepoints.
func (Scenario) JVMArgs() []string { return []string{"-Xlog:safepoint:file=" + SafepointLog} }

// Metrics are what it measures.
func (Scenario) Metrics() []results.Metric {
	return append(append(ChangeMetrics(), hotMetrics()...), PerInvocation()...)
}

// Questions asks of every variant how much longer a change takes than with its
// baseline.
func (Scenario) Questions(cells []results.Cell) []results.Question { return Against(cells) }

// Against are the questions of a scenario with these metrics: the turnaround of
// each variant against its baseline's. Those of one factor level are one
// family. None has a margin: a change is rare, and how much of a time that is
// paid once matters is only known to whoever pays it.
func Against(cells []results.Cell) []results.Question {
	var qs []results.Question
	for _, c := range cells {
		if c.Role != results.RoleVariant || c.Baseline == "" {
			continue
		}
		qs = append(qs, results.Question{
			ID:     "turnaround-" + c.ID,
			Text:   fmt.Sprintf("How much longer does it take until %s is in effect?", c.Label()),
			Metric: Turnaround, A: c.ID, B: c.Baseline,
			Family: c.Scenario + "/" + Turnaround + "/" + c.Level(),
		})
	}
	return qs
}

// PerInvocation are the metrics of any process, without those that are spread
// over timed calls: a change is none.
func PerInvocation() []results.Metric {
	return run.ProcessMetricsBut(run.CPUNS)
}
