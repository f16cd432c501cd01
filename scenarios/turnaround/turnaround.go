// Package turnaround measures how long it takes until a change of what is
// monitored takes effect in a running program, and what the change does to a
// method that was hot.
package turnaround

import (
	"slices"

	"moobench/harness/plan"
	"moobench/scenarios/changes"
)

// Scenario is the turnaround scenario.
type Scenario struct{ changes.Kit }

// Schema has the changes, and the hot method.
func (Scenario) Schema() plan.Schema {
	s := changes.Schema("turnaround", "500", true)
	s.Parameters = append(s.Parameters, changes.HotParameters()...)
	s.Metrics = slices.Concat(changes.Metrics(), changes.HotMetrics(), changes.ProcessMetrics())
	return s
}
