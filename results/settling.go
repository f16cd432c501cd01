package results

import "slices"

// PilotCalls is the number of calls that a pilot tries first, and PilotMostCalls the most that it tries: with
// quick calls, more samples would fill the disk before they fill the time.
const PilotCalls, PilotMostCalls = 10_000, 4_000_000

// Settling finds the number of calls of a scenario: a pilot, before the first timing block, lets each cell make
// more and more calls until it reaches a steady state.
type Settling struct {
	Parameter string `json:"parameter"` // parameter that is found; its value in the cells stays auto
	Series    string `json:"series"`    // series of the calls that it counts
	// WithinNS is the time limit for the calls of one invocation, in ns.
	WithinNS int64 `json:"within_ns"`
	// Decision is absent until it is made; it is made only once.
	Decision *SettlingDecision `json:"decision,omitempty"`
}

// SettlingDecision is the number of calls that the invocations of the timing blocks make.
type SettlingDecision struct {
	Groups []SettledGroup `json:"groups"` // of cells
	Reason string         `json:"reason"` // in words
}

// SettledGroup is a group of cells that are compared with each other, and so make the same number of calls.
type SettledGroup struct {
	Calls int64         `json:"calls"` // per thread
	Cells []SettledCell `json:"cells"` // all of them
}

// SettledCell is the pilot's result for a cell. A second baseline has no pilot of its own.
type SettledCell struct {
	Cell  string `json:"cell"`            // ID
	JVMs  int    `json:"jvms,omitempty"`  // number of invocations that made the calls tried last
	Tried int64  `json:"tried,omitempty"` // number of calls per thread that was tried last
	Needs int64  `json:"needs,omitempty"` // calls that the cell needs to reach a steady state; absent: no JVM did
	// Trend says how the cell's series ends, if not every JVM reached a steady state.
	Trend Trend `json:"trend,omitempty"`
}

// Trend is the direction of a series without a steady state.
type Trend string

const (
	TrendFalls   Trend = "falls"
	TrendRises   Trend = "rises"
	TrendChanges Trend = "changes" // up and down
)

// Undecided reports whether a pilot has yet to find the number.
func (z *Settling) Undecided() bool { return z != nil && z.Decision == nil }

// Calls returns the number of calls that was found for a cell, or 0.
func (z *Settling) Calls(cell string) int64 {
	if z == nil || z.Decision == nil {
		return 0
	}
	for _, g := range z.Decision.Groups {
		if slices.ContainsFunc(g.Cells, func(c SettledCell) bool { return c.Cell == cell }) {
			return g.Calls
		}
	}
	return 0
}
