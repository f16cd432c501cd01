package results

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Shard is the part of a plan that one of several hosts measures: whole blocks, each complete
// with its own baselines.
type Shard struct {
	Index int `json:"index"` // from 1
	Count int `json:"count"` // parts that the plan is cut into
	// Planned is how many timing and resource blocks the whole plan has.
	Planned int `json:"planned_blocks"`
	// First is the first number that no block of the whole plan has. Blocks that each shard has
	// for itself, its proofs and its repeats, have the numbers First + Index - 1 + k Count.
	First int `json:"first_own_block"`
}

// Turn is when a lane measured a block. The lanes of a machine take turns: all of them at once, or one alone.
type Turn struct {
	// Alone says that the plan wants the other lanes to be idle meanwhile: what lanes do to each other is
	// what this differs from the rest by.
	Alone bool `json:"alone,omitempty"`
	// Number is the same for all blocks of one turn, and larger for later ones; 0 before it begins.
	Number int64 `json:"number"`
	Others int   `json:"others"` // lanes that measured at once
}

// Lane numbers the lane that measured the block, in a merged campaign: each lane is a shard. 0 where the machine
// measured nothing else at once.
func (b Block) Lane() int {
	if b.Turn == nil {
		return 0
	}
	return b.Shard
}

// String is the shard as --shard takes it: 3/16.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// ParseShard reads a shard such as 3/16.
func ParseShard(text string) (Shard, error) {
	index, count, ok := strings.Cut(text, "/")
	i, wrong := strconv.Atoi(index)
	n, worse := strconv.Atoi(count)
	if !ok || wrong != nil || worse != nil || i < 1 || i > n {
		return Shard{}, fmt.Errorf("%q is no shard (want 3/16, from 1/16 to 16/16)", text)
	}
	return Shard{Index: i, Count: n}, nil
}

// Measures says whether the shard measures the i-th planned block of the whole plan, from 0.
func (s Shard) Measures(i int) bool { return i%s.Count == s.Index-1 }

// Blocks is how many planned blocks the shard measures.
func (s Shard) Blocks() int { return (s.Planned + s.Count - s.Index) / s.Count }

// Own is the number of the k-th block that the shard has for itself, from 0.
func (s Shard) Own(k int) int { return s.First + s.Index - 1 + k*s.Count }

// Frozen is what pilots decided before the campaign was planned: it has none of its own.
type Frozen struct {
	Scenarios []FrozenScenario `json:"scenarios,omitempty"` // those that a pilot decided about
}

// FrozenScenario is what a pilot decided about a scenario.
type FrozenScenario struct {
	Scenario string            `json:"scenario"`         // label
	Blocks   int               `json:"blocks,omitempty"` // timing blocks; absent: as benchmarks.toml says
	Calls    *SettlingDecision `json:"calls,omitempty"`  // absent: as benchmarks.toml says
}

// Decided are the decisions that a campaign's pilots have made.
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

// Merged says which shards a merged campaign is made of.
type Merged struct {
	Count  int    `json:"count"`  // shards of the plan
	Shards []Part `json:"shards"` // those that are in it, by index
	// Doubles were measured, too, and are in no number: of two the one that was sealed first counts.
	Doubles []Part `json:"doubles,omitempty"`
	// Missing are those that nobody measured.
	Missing []MissingShard `json:"missing,omitempty"`
	// Models are the models of CPU that it was measured on, where these are several: each has cells
	// of its own.
	Models []Model `json:"models,omitempty"`
	// Across says that unlike models are taken for one population, because it was asked for.
	Across bool `json:"across_models,omitempty"`
}

// Model is a model of CPU among several.
type Model struct {
	CPU      string   `json:"cpu"`      // its name, as the factor FactorModel has it
	Machines []string `json:"machines"` // IDs
}

// CellOn is the ID of the cell of a merged campaign that a machine measured, given the ID that the plan
// has for it: c01.2 on the second model.
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

// FleetPool is the pool of merged campaigns that name none: any machine of one model of CPU will do.
const FleetPool = "fleet"

// Part is a shard that was measured.
type Part struct {
	Index int    `json:"index"` // of the shard, from 1
	Seal  string `json:"seal"`  // SHA-256 of its SEALED
	// Machines are the IDs of those that measured it: more than one, where it was moved.
	Machines []string `json:"machines"`
}

// MissingShard is a shard that nobody measured.
type MissingShard struct {
	Index  int `json:"index"`  // of the shard, from 1
	Blocks int `json:"blocks"` // planned blocks that it would have measured
}
