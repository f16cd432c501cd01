package results

import (
	"strconv"
	"strings"
	"time"
)

// Design says how the invocations of a campaign were ordered.
type Design string

const (
	// DesignBlocks is randomised complete blocks with an A/A baseline.
	DesignBlocks Design = "blocks"
	// DesignUnordered is an imported campaign whose source recorded no order:
	// there are no pairs and no A/A, and none are invented.
	DesignUnordered Design = "unordered"
)

// Campaign is campaign.json: one execution of a benchmarks.toml. It holds the
// questions and the meaning of every number, so that analysis needs no scenario
// code and old campaigns stay answerable.
type Campaign struct {
	Format  int       `json:"format"`
	Name    string    `json:"name"`
	About   string    `json:"about,omitempty"`
	Created time.Time `json:"created"`
	Source  string    `json:"source"` // "moobench", or the tool it was imported from
	// Origin is the path of the benchmarks.toml: relative paths in it are
	// relative to its folder.
	Origin   string   `json:"origin,omitempty"`
	Design   Design   `json:"design"`
	Seed     uint64   `json:"seed,string"`
	PlanHash string   `json:"plan_hash,omitempty"` // sha256 of Plan, lines joined by \n
	Plan     []string `json:"plan,omitempty"`      // canonical, one decision a line: what a resume compares

	Scenarios []Scenario  `json:"scenarios"`
	Cells     []Cell      `json:"cells"`
	Blocks    []Block     `json:"blocks,omitempty"` // planned; extra blocks are appended as they are decided
	GivenUp   []GivenUp   `json:"given_up,omitempty"`
	Control   *Control    `json:"control,omitempty"` // nil: the machine as it is
	Gate      *Gate       `json:"gate,omitempty"`
	Confirm   *Confirm    `json:"confirm,omitempty"` // nil: it measures no alarm again
	Published []Published `json:"published,omitempty"`
	// Scale is by how much a replication was made shorter than the paper's
	// experiment, 0.1; 0 is not at all.
	Scale    float64           `json:"scale,omitempty"`
	Versions map[string]string `json:"versions,omitempty"`
}

// onlyLine begins the line of a plan that holds the pattern of its variants.
const onlyLine = "only "

// OnlyLine is the line of a plan that is restricted to the variants which match a
// pattern.
func OnlyLine(pattern string) string { return onlyLine + strconv.Quote(pattern) }

// Only is the pattern of the variants that the plan is restricted to, "" where all
// of the file are measured.
func (c *Campaign) Only() string {
	for _, line := range c.Plan {
		if quoted, ok := strings.CutPrefix(line, onlyLine); ok {
			if pattern, err := strconv.Unquote(quoted); err == nil {
				return pattern
			}
		}
	}
	return ""
}

// GivenUp is a cell that failed too often: its remaining slots were left out.
type GivenUp struct {
	Cell    string `json:"cell"`
	Block   int    `json:"block"` // from this block on it was not started any more
	Because string `json:"because"`
}

// Scenario is one [[scenario]] of the campaign: what was done, how its numbers
// read, and what was asked before the first JVM started.
type Scenario struct {
	Label     string     `json:"label"` // unique within the campaign; by default Use
	Use       string     `json:"use"`   // the scenario's name, e.g. "overhead"
	About     string     `json:"about,omitempty"`
	Metrics   []Metric   `json:"metrics"`
	Questions []Question `json:"questions,omitempty"`
	// Window is the samples of an invocation that means are taken over; "" is
	// WindowSteady.
	Window Window `json:"window,omitempty"`
	// Pool is PoolCalls or PoolLastLoop when arithmetic over calls is wanted beside
	// ours, else "".
	Pool string `json:"pool,omitempty"`
	// Sizing is how the number of timing blocks is found; nil when it is fixed.
	Sizing *Sizing `json:"sizing,omitempty"`
	// Scalings ask how metrics grow with a factor.
	Scalings []Scaling `json:"scalings,omitempty"`
}

// Profile says which heap, and therefore which metrics, an invocation has.
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
	// ProfileCalibration finds out how much load the baseline takes; nothing
	// else is read from it.
	ProfileCalibration Profile = "calibration"
)

// BlockKind says why a block exists.
type BlockKind string

const (
	// BlockPlanned is a block of the plan: every cell once.
	BlockPlanned BlockKind = "planned"
	// BlockExtra repeats cells that failed or were disturbed, with a fresh
	// baseline.
	BlockExtra BlockKind = "extra"
	// BlockProof holds the unmeasured sibling runs that prove instrumentation.
	BlockProof BlockKind = "proof"
	// BlockCalibration holds runs of baselines that find out how much load
	// they take.
	BlockCalibration BlockKind = "calibration"
)

// Block is one planned sitting: the cells that are started once each, in this
// order.
type Block struct {
	Number  int       `json:"number"`
	Kind    BlockKind `json:"kind"`
	Profile Profile   `json:"profile"`
	Order   []string  `json:"order"` // cell IDs by slot
	Because string    `json:"because,omitempty"`
	// Repeats names the invocations that an extra block repeats, b0003.s07.r0.
	Repeats []string `json:"repeats,omitempty"`
}

// Scenario returns the scenario with this label, or nil.
func (c *Campaign) Scenario(label string) *Scenario {
	for i := range c.Scenarios {
		if c.Scenarios[i].Label == label {
			return &c.Scenarios[i]
		}
	}
	return nil
}

// Cell returns the cell with this ID, or nil.
func (c *Campaign) Cell(id string) *Cell {
	for i := range c.Cells {
		if c.Cells[i].ID == id {
			return &c.Cells[i]
		}
	}
	return nil
}
