package results

import "slices"

// Gate is [gate]: what the maintainer does not accept. It judges variants within the same
// blocks; moobench history check judges across nights.
type Gate struct {
	Scenario string `json:"scenario"` // label
	Metric   string `json:"metric"`   // of the scenario
	// WorseBy is the share of the reference's value that a cell may be worse by: 0.03 is
	// 3 %. Where less is better, a cell is worse by cell/reference - 1; where more is, by
	// reference/cell - 1.
	WorseBy float64 `json:"worse_by"`
	// Alpha is the chance that a gate which judges cells that are all worse by
	// exactly WorseBy says so of any of them.
	Alpha float64 `json:"alpha"`
	// Reference is the variant that the others are compared with, in the same
	// blocks and at the same factor level; by default the baseline's.
	Reference string `json:"reference"`
	// Variants are those that are judged; absent: all but the baseline and the
	// reference.
	Variants []string `json:"variants,omitempty"`
	// Host is the only machine whose figures are judged; absent: any.
	Host string `json:"host,omitempty"`
	// Also are further metrics of the scenario that are judged; absent: Metric alone.
	Also []GateLimit `json:"also,omitempty"`
}

// GateLimit is a metric that a gate judges, and what it allows of it.
type GateLimit struct {
	Metric string `json:"metric"` // of the scenario
	// WorseBy is as that of the Gate. Of a metric that counts events it is a share of all that
	// could be ones: 0.01 is one more of a hundred.
	WorseBy float64 `json:"worse_by"`
	// Alarm: a cell that is shown to be worse fails, and one that is not shown to be within
	// WorseBy passes.
	Alarm bool `json:"alarm,omitempty"`
}

// Limits are all metrics that the gate judges, Metric first.
func (g *Gate) Limits() []GateLimit {
	return append([]GateLimit{{Metric: g.Metric, WorseBy: g.WorseBy}}, g.Also...)
}

// Judges reports whether the gate judges a cell. The A/A is never judged.
func (g *Gate) Judges(c *Cell) bool {
	switch {
	case c.Scenario != g.Scenario || c.Role != RoleVariant && c.Role != RoleBaseline || c.Variant == g.Reference:
		return false
	case len(g.Variants) == 0:
		return c.Role == RoleVariant
	}
	return slices.Contains(g.Variants, c.Variant)
}

// IsReference reports whether a cell is the reference of the others at its factor level.
func (g *Gate) IsReference(c *Cell) bool {
	return c.Scenario == g.Scenario && (c.Role == RoleVariant || c.Role == RoleBaseline) && c.Variant == g.Reference
}
