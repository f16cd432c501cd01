// Package command measures what an agent costs a program of the user's own that
// runs to its end: a batch job, a test suite. The section [command] says how it
// is started, and how one can tell that it did its work; nothing of ours is in
// its JVM.
package command

import (
	"fmt"

	"moobench/harness/machine/watch"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// Wall is the primary metric: from the start of the program until its exit was
// seen, in ns.
const Wall = "wall"

// CPU time that the program took, with the children that it waited for, in ns.
const (
	CPU    = "cpu"
	User   = "user"
	System = "system"
)

// PeakRSS is the largest resident set of the program or of a child that it waited
// for, in bytes. The kernel lets it begin with the peak of moobench: below that,
// it is absent.
const PeakRSS = "peak_rss"

// Exit is the exit status.
const Exit = "exit"

// freeShare of the baseline's time is a cost that doesn't matter unless somebody
// says otherwise.
const freeShare = 0.01

// Scenario is the command scenario.
type Scenario struct{}

// Name is what benchmarks.toml calls it.
func (Scenario) Name() string { return "command" }

// Section is what it is about: [command].
func (Scenario) Section() string { return plan.CommandSection }

// Window is everything: a program is measured from its start to its end.
func (Scenario) Window() results.Window { return results.WindowAll }

// Parameters are what benchmarks.toml may set.
func (Scenario) Parameters() []results.Parameter {
	return []results.Parameter{{
		Name: "pattern", Type: results.TypeString, Default: plan.AgentsChoice, Factor: true,
		About: "signature pattern of what is monitored, such as public * com.acme..*.*(..); agent is what the agent monitors by itself",
	}}
}

// Metrics are what it measures.
func (Scenario) Metrics() []results.Metric {
	timing := results.ProfileTiming
	own := []results.Metric{
		{Name: Wall, Unit: "ns", Better: results.Lower, Profile: timing, Primary: true, About: "wall time of the program, from its start to its exit"},
		{Name: CPU, Unit: "ns", Better: results.Lower, Profile: timing, Key: true, About: "CPU time of the program and of the children that it waited for, all threads"},
		{Name: User, Unit: "ns", Better: results.Lower, Profile: timing, About: "the part of it in user mode"},
		{Name: System, Unit: "ns", Better: results.Lower, Profile: timing, About: "the part of it in the kernel"},
		{Name: PeakRSS, Unit: "B", Better: results.Lower, Profile: timing, Key: true, About: "largest resident set of the program or of a child that it waited for; not known where moobench's own is larger"},
		{Name: Exit, Unit: "1", Better: results.Neither, Profile: timing, About: "exit status"},
	}
	return append(own, seenFromOutside()...)
}

// seenFromOutside are the metrics of any process that need neither a fixture nor
// a look at the living process.
func seenFromOutside() []results.Metric {
	names := map[string]bool{run.WrittenBytes: true, run.ReceivedBytes: true, run.HarnessCPUNS: true, run.WallNS: true}
	for _, m := range watch.Metrics() {
		names[m.Name] = true
	}
	var kept []results.Metric
	for _, m := range run.ProcessMetrics() {
		if names[m.Name] {
			kept = append(kept, m)
		}
	}
	return kept
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
			Text:   fmt.Sprintf("How much longer does the command take with %s?", c.Label()),
			Metric: Wall, A: c.ID, B: c.Baseline,
			Family: c.Scenario + "/" + Wall + "/" + c.Level(),
			Margin: &results.Margin{Share: freeShare},
		})
	}
	return qs
}
