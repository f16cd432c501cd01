package results

// Window is the part of an invocation's samples that enters its means.
type Window string

const (
	// WindowSteady is the steady state of the invocation, or its second half if no steady state was found.
	WindowSteady Window = "steady"
	WindowHalf   Window = "half" // the second half, as in MooBench and its papers
	WindowAll    Window = "all"  // warm-up included
)

// Arithmetic of other tools, printed beside ours for comparison only: it treats each call as an independent
// observation.
const (
	PoolCalls = "calls" // as in papers: the calls of all invocations
	// PoolLastLoop is the arithmetic of MooBench's R script: the calls of the last block's invocation alone.
	PoolLastLoop = "last_loop"
)

// PilotBlocks is the number of timing blocks after which the number of blocks is decided.
const PilotBlocks = 10

// Sizing is Stein's two-stage plan: PilotBlocks timing blocks, then a single decision. With Precision 0 the
// number of blocks is fixed, and only time can reduce it.
type Sizing struct {
	// Precision is the wanted half-width of each difference, as a share of the cell's own mean: 0.02 is 2 %.
	// Absent: the number of blocks is fixed, and only time can reduce it.
	Precision float64 `json:"precision,omitempty"`
	Pilot     int     `json:"pilot,omitempty"`       // timing blocks of the pilot
	MaxBlocks int     `json:"max_blocks,omitempty"`  // most timing blocks, pilot included; absent: no limit
	MaxTimeNS int64   `json:"max_time_ns,omitempty"` // time limit, pilot included; absent: ten times the pilot's time
	// Strict lets a single cell that needs far more blocks than the others
	// decide for all.
	Strict bool `json:"strict,omitempty"`
	// Decision is absent until it is made; it is made only once.
	Decision *Decision `json:"decision,omitempty"`
}

// Cut is the limit that kept a decision below the number that the precision needs.
type Cut string

const (
	CutTime   Cut = "max_time"
	CutBlocks Cut = "max_blocks"
)

// Undecided reports whether a pilot has yet to find the number of blocks.
func (z *Sizing) Undecided() bool { return z != nil && z.Precision > 0 && z.Decision == nil }

// Decision is the total number of timing blocks of a scenario, and the reason. It is made
// once.
type Decision struct {
	Blocks  int        `json:"blocks"`               // timing blocks in all, pilot included
	Wanted  int        `json:"wanted,omitempty"`     // timing blocks that the precision asks for, outliers set aside
	Cut     Cut        `json:"limited_by,omitempty"` // limit that kept Blocks below Wanted
	Cells   []CellSize `json:"cells,omitempty"`      // the pilot's result for each cell
	PilotNS int64      `json:"pilot_ns,omitempty"`   // wall time of the pilot
	Reason  string     `json:"reason"`               // in words
}

// CellSize is the size that one cell needs, according to the pilot.
type CellSize struct {
	Cell  string  `json:"cell"`  // ID
	Pairs int     `json:"pairs"` // pairs of the pilot
	Mean  float64 `json:"mean"`  // of the cell, in the primary metric's unit
	SD    float64 `json:"sd"`    // standard deviation of the pilot's differences from the baseline
	// ModesSD is the largest standard deviation that the pilot leaves possible if JVMs of the cell or of its
	// baseline fall into two modes; Wanted is then based on it. Absent: there are no such modes.
	ModesSD float64 `json:"modes_sd,omitempty"`
	Wanted  int     `json:"wanted,omitempty"` // timing blocks; absent: it could not be determined
	// SetAside says that the cell needs so many more blocks than the others that it is reported at the width
	// reached.
	SetAside bool `json:"set_aside,omitempty"`
}
