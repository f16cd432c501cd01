package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moobench/results"
)

// TestShards: whatever the number of shards, each planned block is in exactly one of them, as the whole
// plan has it; each shard has proofs and calibrations of its own; and no two have a number in common,
// nor will they when they repeat blocks.
func TestShards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := &results.Campaign{Seed: 1, Cells: []results.Cell{{ID: "c0", Role: results.RoleBaseline}, {ID: "c1", Baseline: "c0"}}}
		add := func(kind results.BlockKind, profile results.Profile) {
			whole.Blocks = append(whole.Blocks, results.Block{Number: len(whole.Blocks), Kind: kind, Profile: profile, Order: []string{"c1", "c0"}})
		}
		if rapid.Bool().Draw(t, "proofs") {
			add(results.BlockProof, results.ProfileProof)
		}
		if rapid.Bool().Draw(t, "calibrations") {
			add(results.BlockCalibration, results.ProfileCalibration)
		}
		own := len(whole.Blocks)
		timing, resources := rapid.IntRange(1, 20).Draw(t, "timing"), rapid.IntRange(0, 10).Draw(t, "resources")
		for range timing {
			add(results.BlockPlanned, results.ProfileTiming)
		}
		for range resources {
			add(results.BlockPlanned, results.ProfileResources)
		}
		count := rapid.IntRange(1, timing).Draw(t, "shards")
		seen, planned := map[int]string{}, 0
		for i := 1; i <= count; i++ {
			c := *whole
			p := &Plan{Campaign: &c}
			if err := p.Shard(results.Shard{Index: i, Count: count}); err != nil {
				t.Fatal(err)
			}
			if c.Blocks[0].Kind != results.BlockPlanned { // a shard's own block is reordered without the plan's
				slices.Reverse(c.Blocks[0].Order)
				if whole.Blocks[0].Order[0] != "c1" {
					t.Fatal("the plan's block was reordered with the shard's")
				}
			}
			mine, kinds := 0, map[results.BlockKind]int{}
			for range 3 { // repeats that this shard will have
				c.Blocks = append(c.Blocks, results.Block{Number: nextNumber(&c), Kind: results.BlockExtra})
			}
			for _, b := range c.Blocks {
				if seen[b.Number] != "" {
					t.Fatalf("block %d is in %s and in %s", b.Number, seen[b.Number], c.Shard)
				}
				seen[b.Number] = c.Shard.String()
				kinds[b.Kind]++
				if b.Kind == results.BlockPlanned {
					mine++
					if !slices.Equal(b.Order, whole.Blocks[b.Number].Order) || b.Profile != whole.Blocks[b.Number].Profile {
						t.Fatalf("block %d is another one", b.Number)
					}
				}
			}
			if mine != c.Shard.Blocks() || kinds[results.BlockProof]+kinds[results.BlockCalibration] != own || mine == 0 {
				t.Fatalf("%s: %d blocks, said %d; %v", c.Shard, mine, c.Shard.Blocks(), kinds)
			}
			planned += mine
		}
		if planned != timing+resources {
			t.Fatalf("%d blocks of %d", planned, timing+resources)
		}
		c := *whole
		if err := (&Plan{Campaign: &c}).Shard(results.Shard{Index: 1, Count: timing + 1}); err == nil || !strings.Contains(err.Error(), fmt.Sprint(timing)) {
			t.Fatalf("more shards than blocks: %v", err)
		}
	})
}

// TestLaneBlocks: each lane measures some of its timing blocks alone, spread over all, about as many turns of one lane as of
// all of them.
func TestLaneBlocks(t *testing.T) {
	for _, c := range []struct {
		lanes, timing int
		want          string // of the first lane: a, where it measures alone; r is a resource block
	}{
		{2, 4, ".ar"},
		{2, 18, ".a..a..a.r"},
		{4, 20, "..a..r"},
		{3, 36, "..a...a...a.r"},
		{2, 3, "2 lanes take 4 blocks or more"},
		{1, 9, "(at least two lanes, each"},
	} {
		whole := &results.Campaign{Seed: 1, Cells: []results.Cell{{ID: "c0", Role: results.RoleBaseline}}}
		for i := range c.timing + c.lanes {
			b := results.Block{Number: i + 1, Kind: results.BlockPlanned, Profile: results.ProfileTiming, Order: []string{"c0"}}
			if i >= c.timing {
				b.Profile = results.ProfileResources
			}
			whole.Blocks = append(whole.Blocks, b)
		}
		p := &Plan{Campaign: whole}
		err := p.Lane(results.Shard{Index: 1, Count: c.lanes})
		got := ""
		for _, b := range whole.Blocks {
			switch {
			case err != nil:
			case b.Turn.Alone:
				got += "a"
			case b.Profile == results.ProfileResources:
				got += "r"
			default:
				got += "."
			}
		}
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || err == nil && got != c.want {
			t.Errorf("%d lanes, %d blocks: %s, want %s", c.lanes, c.timing, got, c.want)
		}
	}
}
