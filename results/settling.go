package results

import "slices"

// PilotCalls is the number of calls that a pilot tries first, and PilotMostCalls how many it
// tries at most: of quick ones, so many samples fill a disk before they fill the time.
const PilotCalls, PilotMostCalls = 10_000, 4_000_000

// Settling is how the number of calls of a scenario is found: a pilot, before the first
// timing block, lets each cell make more and more of them until it comes to rest.
type Settling struct {
	Parameter string `json:"parameter"` // that is found; its value in the cells stays auto
	Series    string `json:"series"`    // of the calls that it counts
	// WithinNS is how long the calls of one invocation may take, in ns.
	WithinNS int64 `json:"within_ns"`
	// Decision is absent until it was made, and never made twice.
	Decision *SettlingDecision `json:"decision,omitempty"`
}

// SettlingDecision is how many calls the invocations of the timing blocks make.
type SettlingDecision struct {
	Groups []SettledGroup `json:"groups"` // of cells
	Reason string         `json:"reason"` // in words
}

// SettledGroup are cells that are compared with each other, and so make equally many calls.
type SettledGroup struct {
	Calls int64         `json:"calls"` // of each thread
	Cells []SettledCell `json:"cells"` // all of them
}

// SettledCell is what the pilot of a cell found. A second baseline has none of its own.
type SettledCell struct {
	Cell  string `json:"cell"`            // ID
	JVMs  int    `json:"jvms,omitempty"`  // that made as many calls as were tried last
	Tried int64  `json:"tried,omitempty"` // calls of each thread that were tried last
	Needs int64  `json:"needs,omitempty"` // calls that the cell needs to come to rest; absent: it did not in any JVM
	// Trend says what the series of a cell does in the end that did not come to rest in every JVM.
	Trend Trend `json:"trend,omitempty"`
}

// Trend is what a series does that does not come to rest.
type Trend string

const (
	TrendFalls   Trend = "falls"
	TrendRises   Trend = "rises"
	TrendChanges Trend = "changes" // up and down
)

// Undecided says whether a pilot has still to find the number.
func (z *Settling) Undecided() bool { return z != nil && z.Decision == nil }

// Calls is the number of calls that was found for a cell, 0 where there is none.
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
