package results

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Design is the ordering of a campaign's invocations.
type Design string

const (
	// DesignBlocks is randomised complete blocks with an A/A baseline.
	DesignBlocks Design = "blocks"
	// DesignUnordered is an imported campaign whose source recorded no order: it has
	// neither pairs nor an A/A.
	DesignUnordered Design = "unordered"
	// DesignPaired is an imported campaign whose source groups invocations into blocks and orders the blocks.
	// The order inside a block is fixed or unknown: there are pairs, but no A/A.
	DesignPaired Design = "paired"
)

// Imported reports whether another tool measured the campaign: no order was drawn, and there is no A/A.
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
	// Plan is compared when a campaign is resumed: canonical, one decision a line.
	Plan []string `json:"plan,omitempty"`
	// LeftOut lists in words what an import omitted, and what its source promised but lacks, each with a count.
	LeftOut []string `json:"left_out,omitempty"`
	// Scenarios say what was done, how its numbers read, and what was asked.
	Scenarios []Scenario `json:"scenarios"`
	// Cells are the variants, each at one value of each factor.
	Cells []Cell `json:"cells"`
	// Blocks are the planned blocks; extra blocks are appended as they are decided on.
	Blocks []Block `json:"blocks,omitempty"`
	// GivenUp are cells that failed too often, or recorded nothing.
	GivenUp []GivenUp `json:"given_up,omitempty"`
	// Control holds the requests of [machine]; absent: the machine is left as it is.
	Control *Control `json:"control,omitempty"`
	// Gate holds the limits of [gate]; absent: there is no gate.
	Gate *Gate `json:"gate,omitempty"`
	// Confirm says which alarms of a history the campaign re-measures; absent: none.
	Confirm *Confirm `json:"confirm,omitempty"`
	// Published are figures of papers that are printed beside our variants.
	Published []Published `json:"published,omitempty"`
	// Scale is the length of a shortened replication as a share of the paper's experiment: 0.1; absent: not
	// shortened.
	Scale float64 `json:"scale,omitempty"`
	// Versions are the versions of the programs. Among them are fixtures, the SHA-256 of their sources;
	// fixture_jars, the SHA-256 of their jars' checksums: a campaign has one build; and reference, the version
	// of the work whose time shows the CPU's speed.
	Versions map[string]string `json:"versions,omitempty"`
	// Standards are the CPU speeds that costs are stated at; absent: costs are as measured.
	Standards []Standard `json:"standards,omitempty"`
	// Influences are the effects of variants on the reference that were known before; absent: none.
	Influences []Influence `json:"influences,omitempty"`
	// Frozen holds the decisions that pilots made before the campaign was planned; absent: none.
	Frozen *Frozen `json:"frozen,omitempty"`
	// Shard is the measured part of the plan; absent: all of it.
	Shard *Shard `json:"shard,omitempty"`
	// Merged lists the shards of a merged campaign; absent: it was not merged.
	Merged *Merged `json:"merged,omitempty"`
}

// onlyLine is the prefix of the line of a plan that holds the variants' pattern.
const onlyLine = "only "

// OnlyLine is the line of a plan that restricts it to the variants matching a pattern.
func OnlyLine(pattern string) string { return onlyLine + strconv.Quote(pattern) }

// Only returns the pattern of the variants that the plan is restricted to, "" if all
// variants of the file are measured.
func (c *Campaign) Only() string {
	for _, line := range c.Plan {
		if quoted, ok := strings.CutPrefix(line, onlyLine); ok {
			pattern, _ := strconv.Unquote(quoted) // "" if it is not quoted
			return pattern
		}
	}
	return ""
}

// GivenUp is a cell whose remaining slots were left out: it failed too often, its first proof shows no
// instrumentation, or nothing is left to compare it with.
type GivenUp struct {
	Cell   string `json:"cell"`            // ID
	Block  int    `json:"block"`           // number of the first block in which it was not started
	Reason string `json:"reason"`          // in words
	Shard  int    `json:"shard,omitempty"` // in a merged campaign: the shard that gave it up
}

// LeavesOut reports whether a cell is not started in a block because it was given up earlier: in a merged
// campaign, by the shard that measured the block.
func (c *Campaign) LeavesOut(cell string, b Block) bool {
	return slices.ContainsFunc(c.GivenUp, func(g GivenUp) bool {
		return g.Cell == cell && g.Shard == b.Shard && b.Number >= g.Block
	})
}

// Scenario is one [[scenario]] of the campaign: the work, its metrics, and the questions registered before the
// first JVM started.
type Scenario struct {
	Label string `json:"label"`           // unique within the campaign; by default Use
	Use   string `json:"use"`             // kind of work: overhead
	About string `json:"about,omitempty"` // in words
	// Metrics are the measured quantities.
	Metrics []Metric `json:"metrics"`
	// Questions were registered before the first JVM started.
	Questions []Question `json:"questions,omitempty"`
	// Window selects the samples of an invocation that enter its means; absent: WindowSteady.
	Window Window `json:"window,omitempty"`
	// Pool adds arithmetic over single calls to ours: PoolCalls or PoolLastLoop; absent: none.
	Pool string `json:"pool,omitempty"`
	// Settling finds the number of calls that lets cells reach a steady state; absent: the number is given.
	Settling *Settling `json:"settling,omitempty"`
	// Sizing finds the number of timing blocks; absent: it is the number of planned blocks.
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
	// ProfilePilot is like ProfileTiming, and finds how many calls the timing invocations make; nothing else is
	// read from it.
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
	Calls   int64     `json:"calls,omitempty"`  // calls per thread that a pilot tries
	// Repeats names the invocations that an extra block repeats, b0003.s07.r0.
	Repeats []string `json:"repeats,omitempty"`
	Shard   int      `json:"shard,omitempty"` // in a merged campaign: the shard that measured it
	// Turn says when a lane of a machine measured the block, and the number of lanes beside it; absent: the
	// machine measured nothing else at the same time.
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

// CellIndex returns the index of the cell with this ID, or -1. Planned cells are numbered c00, c01, …: unless
// some were left out, a cell's number is its index, and no search is needed.
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

// Each returns the results of f for all elements, in order; nil for an empty list.
func Each[T, U any](all []T, f func(T) U) []U {
	made := slices.Grow([]U(nil), len(all))
	for _, x := range all {
		made = append(made, f(x))
	}
	return made
}

// Find returns a pointer to the first element that satisfies wanted, or nil.
func Find[T any](all []T, wanted func(*T) bool) *T {
	for i := range all {
		if wanted(&all[i]) {
			return &all[i]
		}
	}
	return nil
}
