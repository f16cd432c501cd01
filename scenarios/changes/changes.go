// Package changes is shared by scenarios that change what is monitored in a running program. They measure the
// time from the order to activate a probe until the first monitored call is done, class by class, and the
// effect of the change on a hot method.
package changes

import (
	"fmt"
	"slices"
	"strings"

	"moobench/harness/plan"
	"moobench/results"
)

// Parameters that are also read here.
const (
	atOnce, atLoad, oneByOne = "at_once", "at_load", "one_by_one"
	loaded, samples, bare    = "loaded", "samples", "bare"
	calls, depth, methodTime = "calls", "depth", "method_time"
)

// Schema returns the schema of the changes under a scenario's name. sampled is the default number of samples,
// and bareToo says whether the bare retransformation is measured by default. The window has all samples,
// because the difference of the first ones is the question; sample 1, the warm-up, is a series of its own.
func Schema(name, sampled string, bareToo bool) plan.Schema {
	s := plan.Schema{
		Name: name, Fixture: "fixture", Window: results.WindowAll, Metrics: append(Metrics(), ProcessMetrics()...),
	}
	s.Parameters = []results.Parameter{
		{Name: "fixture", Type: results.TypeString, Default: "classes", About: "the Java program that is driven"},
		{
			Name: samples, Type: results.TypeInt, Unit: "changes", Default: sampled, Min: 2,
			About: "changes of each invocation; the first stands apart",
		},
		{
			Name: atOnce, Type: results.TypeInt, Unit: "classes", Default: "1", Min: 1, Factor: true,
			About: "classes that get their probe in one sample; each is called once afterwards",
		},
		{
			Name: oneByOne, Type: results.TypeBool, Default: "false", Factor: true,
			About: "one change for each of these classes, instead of one pattern for all",
		},
		{
			Name: atLoad, Type: results.TypeBool, Default: "false", Factor: true,
			About: "order each probe before its class is loaded, so that it comes in as the class does; " +
				"the turnaround then includes loading",
		},
		{
			Name: loaded, Type: results.TypeInt, Unit: "classes", Default: "10_000", Min: 1, Factor: true,
			About: "generated classes that are loaded beforehand",
		},
		{
			Name: "methods", Type: results.TypeInt, Unit: "methods", Default: "1", Min: 1, Factor: true,
			About: "methods of each of them, all of which get the probe",
		},
		{
			Name: "patterns", Type: results.TypeInt, Unit: "patterns", Default: "0", Factor: true,
			About: "patterns in the list beforehand, which match nothing",
		},
		{
			Name: bare, Type: results.TypeBool, Default: fmt.Sprint(bareToo),
			About: "measure beside each change what the JVM alone takes: a retransformation that returns prepared " +
				"bytes",
		},
		{
			Name: "watcher", Type: results.TypeBool, Default: "false", Factor: true,
			About: "a second thread looks at the clock all the time: its longest gap is what others notice of a " +
				"change; needs a CPU of its own",
		},
	}
	return s
}

// HotParameters returns the parameters of the hot method.
func HotParameters() []results.Parameter {
	return []results.Parameter{
		{
			Name: calls, Type: results.TypeInt, Unit: "calls", Default: "1_000_000", Auto: results.SeriesDuring,
			About: "timed calls of the hot method before its probe is in, while it is, and after it is out; " +
				"0 leaves the hot method out, auto: as many as let it come to rest while its probe is in, " +
				"which a pilot finds",
		},
		{
			Name: depth, Type: results.TypeInt, Unit: "calls", Default: "10", Min: 1, Factor: true,
			About: "monitored executions per call of the hot method: the depth of the recursion",
		},
		{
			Name: methodTime, Type: results.TypeDuration, Default: "0ns", Factor: true,
			About: "busy wait at the bottom of the hot method's recursion",
		},
		{
			Name: "busy_wait", Type: results.TypeEnum, Default: "lazy",
			Values: []string{"lazy", "wall", "cpu"}, Factor: true,
			About: "how it waits: wall clock, the thread's CPU time, or lazy: " +
				"wall clock, but no clock call when method_time is 0",
		},
	}
}

// settings are the parameters of a cell's changes; the parameters of its hot method are in its Work.
type settings struct {
	samples, atOnce, loaded int64
	oneByOne, atLoad, bare  bool
}

func settingsOf(c *results.Cell) settings {
	is := func(name string) bool { return c.Parameter(name) == "true" }
	return settings{c.Int(samples), c.Int(atOnce), c.Int(loaded), is(oneByOne), is(atLoad), is(bare)}
}

// Kit is the common part of all scenarios of changes, to be embedded in each.
type Kit struct{ plan.Plain }

// Limits and rough estimates for the changes of an invocation.
const (
	changeAllowanceNS = 200e6 // for each class
	loadAllowanceNS   = 2e6   // a class that is loaded beforehand
	perLoadNS         = 100e3 // likewise
	perSwapNS         = 10e6  // one exchange of classes
	perSwitchNS       = 50e3  // switching a compiled-in probe on or off
	columns           = 9     // of the samples
	phases            = 3     // the hot method is called before, during and after a change
)

// Work returns the work of the changes and of the hot method. Each sample is put in and taken out, and the bare
// exchange beside it is one more. The JVM logs its safepoints.
func (Kit) Work(c *results.Cell) plan.Work {
	s := settingsOf(c)
	n, classes := float64(s.samples), float64(max(1, s.atOnce))
	each, orders := float64(perSwitchNS), 2*n
	if c.Launch.Activate != "" {
		each = perSwapNS
	}
	if s.oneByOne {
		orders *= classes
	}
	w := plan.Work{
		JVMArgs: []string{"-Xlog:safepoint:file=" + safepointLog},
		Counted: c.Parameter(calls) != "", Calls: c.Int(calls), Depth: c.Int(depth),
		WaitNS: c.Int(methodTime), Phases: phases,
		MayTakeNS: n*classes*changeAllowanceNS + float64(s.loaded)*loadAllowanceNS,
		TakesNS:   float64(s.loaded)*perLoadNS + orders*each,
		Values:    columns * min(s.samples, plan.MostSamples),
	}
	if s.bare {
		w.TakesNS += n * perSwapNS
	}
	return w
}

// HasSwapper reports whether JVM arguments name a swapper other than the agent, which then changes what is
// monitored.
func HasSwapper(jvmArgs []string) bool {
	return slices.ContainsFunc(jvmArgs, func(a string) bool { return strings.HasPrefix(a, "-Dmoobench.swapper=") })
}

// Check refuses variants without a probe to switch on, or measured while it is off. It refuses at_load with a
// swapper other than the agent, which knows only loaded classes, and with a hot method, which would add the
// cost of loading.
func (Kit) Check(c *plan.Cell) []plan.Refusal {
	if c.Proof.Kind == results.ProofZero || c.Proof.Kind == results.ProofBaseline {
		return plan.Refuse("variants",
			c.Variant+" makes no records, and here each probe is switched on and must make one", "take it out")
	}
	if !settingsOf(&c.Cell).atLoad {
		return nil
	}
	if c.Work.Calls != 0 {
		return plan.Refuse(calls, "the hot method runs before its probe is ordered, and with at_load = true "+
			"classes are loaded after that: what loading takes is not part of the price of a swap",
			"calls = 0, in a scenario of its own")
	}
	if c.Launch.Activate != "" && HasSwapper(c.Launch.JVMArgs) {
		return plan.Refuse(atLoad, c.Variant+" swaps classes that are loaded, and with at_load = true they are not yet",
			"take the variant out, or make it two scenarios")
	}
	return nil
}

// Questions asks for every variant how much longer a change takes than with its baseline. There is no margin: a
// change is rare, and only its user knows how much of a one-time cost matters.
func (Kit) Questions(cells []results.Cell) []results.Question {
	return plan.Against(cells, func(*results.Cell) []results.Question {
		return []results.Question{{
			ID: "turnaround", Text: "How much longer does it take until %s is in effect?", Metric: Turnaround,
		}}
	})
}
