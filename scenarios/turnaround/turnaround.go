// Package turnaround measures how long it takes until a change of what is
// monitored takes effect in a running program, and what the change does to a
// method that was hot.
package turnaround

import (
	"slices"

	"moobench/results"
	"moobench/scenarios/changes"
)

// Scenario is the turnaround scenario.
type Scenario struct{ changes.Kit }

// Name is what benchmarks.toml calls it.
func (Scenario) Name() string { return "turnaround" }

// Parameters are what benchmarks.toml may set.
func (Scenario) Parameters() []results.Parameter {
	return append(changes.Parameters("500", true), changes.HotParameters()...)
}

// Metrics are what it measures.
func (Scenario) Metrics() []results.Metric {
	return slices.Concat(changes.Metrics(), changes.HotMetrics(), changes.ProcessMetrics())
}
