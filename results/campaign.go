package results

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Design is how the invocations of a campaign were ordered.
type Design string

const (
	// DesignBlocks is randomised complete blocks with an A/A baseline.
	DesignBlocks Design = "blocks"
	// DesignUnordered is an imported campaign whose source recorded no order: it has
	// neither pairs nor an A/A.
	DesignUnordered Design = "unordered"
	// DesignPaired is an imported campaign whose source says which invocations were made
	// together, which is their block, and in which order blocks followed each other. The order
	// inside a block is fixed or not known: it has pairs and no A/A.
	DesignPaired Design = "paired"
)

// Imported says that another tool measured the campaign: no order was drawn, and no A/A made.
func (d Design) Imported() bool { return d == DesignUnordered || d == DesignPaired }

// Campaign is campaign.json: one execution of a benchmarks.toml. It holds the
// questions and the meaning of every number, so that analysis needs no scenario
// code and old campaigns stay answerable.
type Campaign struct {
	Format  int       `json:"format"`          // 2
	Name    string    `json:"name"`            // as in benchmarks.toml
	About   string    `json:"about,omitempty"` // as in benchmarks.toml
	Created time.Time `json:"created"`         // when it was planned, or imported
	Source  string    `json:"source"`          // moobench, or the tool it was imported from
	// Origin is the path of the benchmarks.toml: relative paths in it are
	// relative to its folder.
	Origin string `json:"origin,omitempty"`
	// Design says how the invocations were ordered.
	Design   Design `json:"design"`
	Seed     uint64 `json:"seed,string"`         // as text, because it needs 64 bits
	PlanHash string `json:"plan_hash,omitempty"` // SHA-256 of the plan, lines joined by \n
	// Plan is what a resume compares: canonical, one decision a line.
	Plan []string `json:"plan,omitempty"`
	// LeftOut says of an import what it left out of its source, and what its source says should
	// be there and isn't, in words, each with how many.
	LeftOut []string `json:"left_out,omitempty"`
	// Scenarios say what was done, how its numbers read, and what was asked.
	Scenarios []Scenario `json:"scenarios"`
	// Cells are the variants, each at one value of each factor.
	Cells []Cell `json:"cells"`
	// Blocks are the planned ones; extra blocks are appended as they are decided on.
	Blocks []Block `json:"blocks,omitempty"`
	// GivenUp are cells that failed too often, or recorded nothing.
	GivenUp []GivenUp `json:"given_up,omitempty"`
	// Control is what [machine] asked for; absent: the machine is left as it is.
	Control *Control `json:"control,omitempty"`
	// Gate is what [gate] will not accept; absent when there is none.
	Gate *Gate `json:"gate,omitempty"`
	// Confirm says which alarms of a history the campaign re-measures; absent: none.
	Confirm *Confirm `json:"confirm,omitempty"`
	// Published are a paper's figures beside variants of ours.
	Published []Published `json:"published,omitempty"`
	// Scale is by how much a replication was made shorter than the paper's
	// experiment, 0.1; absent: not at all.
	Scale float64 `json:"scale,omitempty"`
	// Versions are those of the programs, among them fixtures, the SHA-256 of their
	// sources, fixture_jars, that of their jars' checksums: a campaign is of one build, and
	// reference, that of the work whose time shows the speed of the CPU.
	Versions map[string]string `json:"versions,omitempty"`
	// Standards are the speeds of the CPU that costs are told at; absent: as it ran.
	Standards []Standard `json:"standards,omitempty"`
	// Influences are what is known of the reference beside variants, from before; absent: nothing.
	Influences []Influence `json:"influences,omitempty"`
	// Frozen is what pilots decided before the plan was made; absent: nothing is decided before.
	Frozen *Frozen `json:"frozen,omitempty"`
	// Shard is the part of the plan that was measured; absent: all of it.
	Shard *Shard `json:"shard,omitempty"`
	// Merged says of which shards the campaign is made; absent: it is not made of any.
	Merged *Merged `json:"merged,omitempty"`
}

// onlyLine begins the line of a plan that holds the pattern of its variants.
const onlyLine = "only "

// OnlyLine is the line in a plan that restricts it to the variants matching a pattern.
func OnlyLine(pattern string) string { return onlyLine + strconv.Quote(pattern) }

// Only returns the pattern of the variants that the plan is restricted to, "" if all
// variants of the file are measured.
func (c *Campaign) Only() string {
	for _, line := range c.Plan {
		if quoted, ok := strings.CutPrefix(line, onlyLine); ok {
			pattern, _ := strconv.Unquote(quoted) // "" of what is not quoted
			return pattern
		}
	}
	return ""
}

// GivenUp is a cell that failed too often, or whose first proof shows that it is not
// instrumented, or with which nothing is left to compare: its remaining slots were left out.
type GivenUp struct {
	Cell   string `json:"cell"`            // ID
	Block  int    `json:"block"`           // number of the first block in which it was not started any more
	Reason string `json:"reason"`          // in words
	Shard  int    `json:"shard,omitempty"` // that gave it up, in a merged campaign
}

// LeavesOut reports whether a cell is not started any more in a block, because it was given up before: in
// a merged campaign by the shard that measured the block.
func (c *Campaign) LeavesOut(cell string, b Block) bool {
	return slices.ContainsFunc(c.GivenUp, func(g GivenUp) bool {
		return g.Cell == cell && g.Shard == b.Shard && b.Number >= g.Block
	})
}

// Scenario is one [[scenario]] of the campaign: what was done, how its numbers
// read, and what was asked before the first JVM started.
type Scenario struct {
	Label string `json:"label"`           // unique within the campaign; by default Use
	Use   string `json:"use"`             // name of what is done: overhead
	About string `json:"about,omitempty"` // in words
	// Metrics are what is measured.
	Metrics []Metric `json:"metrics"`
	// Questions were registered before the first JVM started.
	Questions []Question `json:"questions,omitempty"`
	// Window is the samples of an invocation that means are taken over; absent:
	// WindowSteady.
	Window Window `json:"window,omitempty"`
	// Pool is PoolCalls or PoolLastLoop when arithmetic over calls is wanted beside
	// ours.
	Pool string `json:"pool,omitempty"`
	// Settling is how the number of calls is found that lets cells come to rest; absent when
	// it is given.
	Settling *Settling `json:"settling,omitempty"`
	// Sizing is how the number of timing blocks is found; absent when it is that of
	// the blocks.
	Sizing *Sizing `json:"sizing,omitempty"`
	// Scalings ask how metrics grow with a factor.
	Scalings []Scaling `json:"scalings,omitempty"`
}

// Profile determines which heap, and therefore which metrics, an invocation has.
type Profile string

const (
	// ProfileTiming has one heap for all cells, of fixed size, whose young
	// generation is touched early in the warm-up: times are read from it.
	ProfileTiming Profile = "timing"
	// ProfileResources has the user's own heap options: start-up time, RSS and
	// heap are read from it, and from nothing else.
	ProfileResources Profile = "resources"
	// ProfileProof is unmeasured: it only shows that a variant instruments.
	ProfileProof Profile = "proof"
	// ProfileCalibration finds the load that the baseline can take; nothing else is read
	// from it.
	ProfileCalibration Profile = "calibration"
	// ProfilePilot is as ProfileTiming, and finds how many calls the timing invocations
	// make; nothing else is read from it.
	ProfilePilot Profile = "pilot"
)

// BlockKind is the reason for a block.
type BlockKind string

const (
	// BlockPlanned is a block of the plan: every cell once.
	BlockPlanned BlockKind = "planned"
	// BlockExtra repeats cells that failed or were disturbed, with a fresh
	// baseline.
	BlockExtra BlockKind = "extra"
	// BlockProof holds the unmeasured sibling runs that prove instrumentation.
	BlockProof BlockKind = "proof"
	// BlockCalibration holds runs of baselines that find the load they can take.
	BlockCalibration BlockKind = "calibration"
	// BlockPilot holds one run of one cell, which tries a number of calls.
	BlockPilot BlockKind = "pilot"
)

// Block is a set of cells that are started once each, in this order, in one session
// on one host.
type Block struct {
	Number  int       `json:"number"`           // from 1; 0 is the block of proofs
	Kind    BlockKind `json:"kind"`             // why it exists
	Profile Profile   `json:"profile"`          // of all its invocations
	Order   []string  `json:"order"`            // cell IDs by slot
	Reason  string    `json:"reason,omitempty"` // why an extra block was added
	Calls   int64     `json:"calls,omitempty"`  // of each thread, which a pilot tries
	// Repeats names the invocations that an extra block repeats, b0003.s07.r0.
	Repeats []string `json:"repeats,omitempty"`
	Shard   int      `json:"shard,omitempty"` // that measured it, in a merged campaign
	// Turn says when a lane of a machine measured it, and beside how many others; absent where nothing
	// else was measured at once.
	Turn *Turn `json:"turn,omitempty"`
}

// Scenario returns the scenario with this label, or nil.
func (c *Campaign) Scenario(label string) *Scenario {
	return Find(c.Scenarios, func(s *Scenario) bool { return s.Label == label })
}

// Cell returns the cell with this ID, or nil.
func (c *Campaign) Cell(id string) *Cell {
	if i := c.CellIndex(id); i >= 0 {
		return &c.Cells[i]
	}
	return nil
}

// CellIndex is the place of the cell with this ID, -1 where there is none. Planned cells are numbered: where none
// is left out, each stands where its number says, and nothing is searched for.
func (c *Campaign) CellIndex(id string) int {
	if digits, numbered := strings.CutPrefix(id, "c"); numbered {
		if n, err := strconv.Atoi(digits); err == nil && n >= 0 && n < len(c.Cells) && c.Cells[n].ID == id {
			return n
		}
	}
	for i := range c.Cells {
		if c.Cells[i].ID == id {
			return i
		}
	}
	return -1
}

// Each is what f makes of each of them, in their order; nil of none.
func Each[T, U any](all []T, f func(T) U) []U {
	made := slices.Grow([]U(nil), len(all))
	for _, x := range all {
		made = append(made, f(x))
	}
	return made
}

// Find returns the first one that is wanted, or nil.
func Find[T any](all []T, wanted func(*T) bool) *T {
	for i := range all {
		if wanted(&all[i]) {
			return &all[i]
		}
	}
	return nil
}
