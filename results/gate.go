package results

import "slices"

// Gate is [gate]: the limits that variants must keep. It judges variants within the same blocks; moobench
// history check judges across nights.
type Gate struct {
	Scenario string `json:"scenario"` // label
	Metric   string `json:"metric"`   // of the scenario
	// WorseBy is the share of the reference's value that a cell may be worse by: 0.03 is 3 %. If less is
	// better, a cell is worse by cell/reference - 1; if more is better, by reference/cell - 1.
	WorseBy float64 `json:"worse_by"`
	// Alpha is the probability that a gate reports any of its cells as worse when all of them are worse by
	// exactly WorseBy.
	Alpha float64 `json:"alpha"`
	// Reference is the variant that the others are compared with, in the same blocks and at the same factor
	// level; by default the baseline's variant.
	Reference string `json:"reference"`
	// Variants are the judged variants; absent: all but the baseline and the reference.
	Variants []string `json:"variants,omitempty"`
	// Host is the only machine whose figures are judged; absent: any machine.
	Host string `json:"host,omitempty"`
	// Also lists further judged metrics of the scenario; absent: only Metric is judged.
	Also []GateLimit `json:"also,omitempty"`
}

// GateLimit is a metric that a gate judges, with its limit.
type GateLimit struct {
	Metric string `json:"metric"` // of the scenario
	// WorseBy is as in the Gate. For a metric that counts events it is a share of the exposure: 0.01 allows one
	// more event in a hundred.
	WorseBy float64 `json:"worse_by"`
	// Alarm: only a cell that is shown to be worse fails; one that is not shown to be within WorseBy passes.
	Alarm bool `json:"alarm,omitempty"`
}

// Limits returns all metrics that the gate judges, Metric first.
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
