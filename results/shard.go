package results

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Shard is the part of a plan that one of several hosts measures: whole blocks, each complete with its own
// baselines.
type Shard struct {
	Index int `json:"index"` // from 1
	Count int `json:"count"` // number of parts of the plan
	// Planned is the number of timing and resource blocks in the whole plan.
	Planned int `json:"planned_blocks"`
	// First is the smallest number that no block of the whole plan has. A shard's own blocks, its proofs and
	// repeats, have the numbers First + Index - 1 + k Count.
	First int `json:"first_own_block"`
}

// Turn says when a lane measured a block. The lanes of a machine take turns: all of them at once, or one alone.
type Turn struct {
	// Alone says that the plan keeps the other lanes idle meanwhile: the difference from other turns is the
	// effect of the lanes on each other.
	Alone bool `json:"alone,omitempty"`
	// Number is the same for all blocks of one turn, and larger for later turns; 0 before it begins.
	Number int64 `json:"number"`
	Others int   `json:"others"` // other lanes that measured at the same time
}

// Lane returns the number of the lane that measured the block in a merged campaign, where each lane is a shard;
// 0 if the machine measured nothing else at the same time.
func (b Block) Lane() int {
	if b.Turn == nil {
		return 0
	}
	return b.Shard
}

// String formats the shard for --shard: 3/16.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// ParseShard parses a shard such as 3/16.
func ParseShard(text string) (Shard, error) {
	index, count, ok := strings.Cut(text, "/")
	i, wrong := strconv.Atoi(index)
	n, worse := strconv.Atoi(count)
	if !ok || wrong != nil || worse != nil || i < 1 || i > n {
		return Shard{}, fmt.Errorf("%q is not a shard (want 3/16, from 1/16 to 16/16)", text)
	}
	return Shard{Index: i, Count: n}, nil
}

// Measures reports whether the shard measures the i-th planned block of the whole plan, from 0.
func (s Shard) Measures(i int) bool { return i%s.Count == s.Index-1 }

// Blocks returns the number of planned blocks that the shard measures.
func (s Shard) Blocks() int { return (s.Planned + s.Count - s.Index) / s.Count }

// Own returns the number of the shard's own k-th block, from 0.
func (s Shard) Own(k int) int { return s.First + s.Index - 1 + k*s.Count }

// Frozen holds the decisions that pilots made before the campaign was planned: it has no pilots of its own.
type Frozen struct {
	Scenarios []FrozenScenario `json:"scenarios,omitempty"` // scenarios that a pilot decided on
}

// FrozenScenario is the decision of a pilot on a scenario.
type FrozenScenario struct {
	Scenario string            `json:"scenario"`         // label
	Blocks   int               `json:"blocks,omitempty"` // timing blocks; absent: as benchmarks.toml says
	Calls    *SettlingDecision `json:"calls,omitempty"`  // absent: as benchmarks.toml says
}

// Decided returns the decisions of a campaign's pilots.
func (c *Campaign) Decided() []FrozenScenario {
	var all []FrozenScenario
	for _, s := range c.Scenarios {
		f := FrozenScenario{Scenario: s.Label}
		if s.Sizing != nil && s.Sizing.Decision != nil {
			f.Blocks = s.Sizing.Decision.Blocks
		}
		if s.Settling != nil {
			f.Calls = s.Settling.Decision
		}
		if f.Blocks > 0 || f.Calls != nil {
			all = append(all, f)
		}
	}
	return all
}

// Merged lists the shards of a merged campaign.
type Merged struct {
	Count  int    `json:"count"`  // shards of the plan
	Shards []Part `json:"shards"` // included shards, by index
	// Doubles are surplus measurements of included shards, which enter no number: the one that was sealed first
	// counts.
	Doubles []Part `json:"doubles,omitempty"`
	// Missing are the shards that nobody measured.
	Missing []MissingShard `json:"missing,omitempty"`
	// Models are the CPU models that the campaign was measured on, if there are several: each has cells of its
	// own.
	Models []Model `json:"models,omitempty"`
	// Across says that different CPU models are treated as one population, on request.
	Across bool `json:"across_models,omitempty"`
}

// Model is a CPU model of a campaign with several.
type Model struct {
	CPU      string   `json:"cpu"`      // its name, as the factor FactorModel has it
	Machines []string `json:"machines"` // IDs
}

// CellOn returns the ID of the cell in a merged campaign that a machine measured, given its ID in the plan:
// c01.2 for the second model.
func (m *Merged) CellOn(id, machine string) string {
	if m != nil {
		for i, model := range m.Models {
			if slices.Contains(model.Machines, machine) {
				return fmt.Sprintf("%s.%d", id, i+1)
			}
		}
	}
	return id
}

// FleetPool is the pool of merged campaigns that name none: any machine of one CPU model will do.
const FleetPool = "fleet"

// Part is a measured shard.
type Part struct {
	Index int    `json:"index"` // of the shard, from 1
	Seal  string `json:"seal"`  // SHA-256 of its SEALED
	// Machines are the IDs of the machines that measured it; several if it was moved.
	Machines []string `json:"machines"`
}

// MissingShard is a shard that nobody measured.
type MissingShard struct {
	Index  int `json:"index"`  // of the shard, from 1
	Blocks int `json:"blocks"` // its number of planned blocks
}
