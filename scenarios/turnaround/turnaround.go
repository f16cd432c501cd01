// Package turnaround measures the time until a change of monitoring takes effect in a running program, and the
// effect of the change on a hot method.
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
