// Package turnaround measures how long it takes until a change of what is
// monitored is in effect, in a program that runs; and what the change does to a
// method that was hot.
package turnaround

import (
	"context"
	"slices"

	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
	"moobench/scenarios/changes"
)

// Scenario is the turnaround scenario.
type Scenario struct{ plan.Plain }

// Name is what benchmarks.toml calls it.
func (Scenario) Name() string { return "turnaround" }

// Traits are those of changes.
func (Scenario) Traits() plan.Traits { return changes.Traits() }

// Parameters are what benchmarks.toml may set.
func (Scenario) Parameters() []results.Parameter {
	return append(changes.Parameters("500", true), changes.HotParameters()...)
}

// Metrics are what it measures.
func (Scenario) Metrics() []results.Metric {
	return slices.Concat(changes.Metrics(), changes.HotMetrics(), changes.ProcessMetrics())
}

// Work is the changes, and the calls of the hot method.
func (Scenario) Work(c *results.Cell) plan.Work { return changes.Work(c) }

// Check finds what can't be changed.
func (Scenario) Check(c *plan.Cell) []plan.Refusal { return changes.Check(c) }

// Questions asks of every variant how much longer a change takes than with its
// baseline.
func (Scenario) Questions(cells []results.Cell) []results.Question { return changes.Questions(cells) }

// Drive makes the changes.
func (Scenario) Drive(ctx context.Context, inv plan.Invocation, s run.Subject, rec run.Recorder) error {
	return changes.Drive(ctx, inv, s, rec)
}
