// Package scalability measures how the turnaround of a change of what is
// monitored grows: with the classes that change at once, by one pattern or one
// by one, with those that are loaded, with their methods, and with the patterns
// that are in the list.
package scalability

import (
	"context"
	"slices"

	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
	"moobench/scenarios/turnaround"
)

// Scenario is the scalability scenario: the changes of the turnaround scenario,
// made at several levels, without its hot method.
type Scenario struct{}

// Name is what benchmarks.toml calls it.
func (Scenario) Name() string { return "scalability" }

// Parameters are what benchmarks.toml may set.
func (Scenario) Parameters() []results.Parameter { return turnaround.Changes("20", false) }

// Metrics are what it measures.
func (Scenario) Metrics() []results.Metric {
	return append(turnaround.ChangeMetrics(), turnaround.PerInvocation()...)
}

// Window is that of the turnaround scenario.
func (Scenario) Window() results.Window { return turnaround.Scenario{}.Window() }

// JVMArgs are those of the turnaround scenario.
func (Scenario) JVMArgs() []string { return turnaround.Scenario{}.JVMArgs() }

// Check is that of the turnaround scenario.
func (Scenario) Check(c results.Cell) (parameter, why, hint string) {
	return turnaround.Scenario{}.Check(c)
}

// Questions asks of every variant, level by level, how much longer a change
// takes than with its baseline.
func (Scenario) Questions(cells []results.Cell) []results.Question { return turnaround.Against(cells) }

// Drive makes the changes.
func (Scenario) Drive(ctx context.Context, inv plan.Invocation, s run.Subject, rec run.Recorder) error {
	return turnaround.Drive(ctx, inv, s, rec)
}

// flatNS is the growth over the whole range of a factor, in ns, that is none:
// a tenth of a millisecond is below what anybody notices of a change, and well
// below what the JVM needs to stand still for it.
const flatNS = 100_000

// fewestLevels show the shape of a growth: two fit any line.
const fewestLevels = 3

// Scalings ask, of each integer factor with three values or more, how the
// turnaround, the finding of what has to change, and the exchange grow with it.
func (s Scenario) Scalings(cells []results.Cell) []results.Scaling {
	var all []results.Scaling
	for _, p := range s.Parameters() {
		if p.Type != results.TypeInt || !p.Factor || levels(p.Name, cells) < fewestLevels {
			continue
		}
		for _, metric := range []string{turnaround.Turnaround, turnaround.Match, turnaround.Swap} {
			all = append(all, results.Scaling{Factor: p.Name, Metric: metric, Margin: flatNS})
		}
	}
	return all
}

// levels is the number of values that a factor has in these cells.
func levels(factor string, cells []results.Cell) int {
	var seen []string
	for _, c := range cells {
		if v := c.Factor(factor); v != "" && !slices.Contains(seen, v) {
			seen = append(seen, v)
		}
	}
	return len(seen)
}
