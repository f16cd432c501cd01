package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moobench/results"
)

// drawn is a benchmarks.toml with a few frameworks, levels and blocks.
func drawn(t *rapid.T) string {
	frameworks := rapid.IntRange(0, 5).Draw(t, "frameworks")
	variants, tables := []string{`"none"`}, ""
	for i := range frameworks {
		variants = append(variants, fmt.Sprintf(`"f%d"`, i))
		tables += fmt.Sprintf("[framework.f%d]\nproof = \"none\"\n", i)
	}
	depths := rapid.SliceOfNDistinct(rapid.IntRange(1, 100), 1, 4, rapid.ID[int]).Draw(t, "depths")
	environment := rapid.SampledFrom([]string{"", "cpus = [1, 2]", "gc = \"g1\"", "frequency = [\"fixed\", \"scaling\"]"}).Draw(t, "environment")
	return fmt.Sprintf("name = \"x\"\n[[scenario]]\nuse = \"overhead\"\nvariants = [%s]\n%s\ndepth = %s\nblocks = %d\nresources = %d\n%s",
		strings.Join(variants, ", "), environment, strings.ReplaceAll(fmt.Sprint(depths), " ", ", "),
		rapid.IntRange(1, 12).Draw(t, "blocks"), rapid.IntRange(0, 4).Draw(t, "resources"), tables)
}

func TestEveryBlockHoldsEveryCellOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		toml := fmt.Sprintf("seed = %d\n", rapid.Int64Range(0, 1<<62).Draw(t, "seed")) + drawn(t)
		p, err := read(toml)
		if err != nil {
			t.Fatal(err)
		}
		again, err := read(toml)
		if err != nil {
			t.Fatal(err)
		}
		if p.Campaign.PlanHash != again.Campaign.PlanHash {
			t.Fatal("the same seed gives another plan")
		}
		var all []string
		for _, c := range p.Campaign.Cells {
			all = append(all, c.ID)
		}
		for i, b := range p.Campaign.Blocks {
			if b.Number != i+1 {
				t.Fatalf("block %d stands at %d", b.Number, i+1)
			}
			if !slices.Equal(slices.Sorted(slices.Values(b.Order)), slices.Sorted(slices.Values(all))) {
				t.Fatalf("block %d holds %v of %v", b.Number, b.Order, all)
			}
		}
	})
}

func TestBaselines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, err := read(drawn(t))
		if err != nil {
			t.Fatal(err)
		}
		roles := map[string]map[results.Role]int{}
		for _, c := range p.Campaign.Cells {
			if roles[c.Level()] == nil {
				roles[c.Level()] = map[results.Role]int{}
			}
			roles[c.Level()][c.Role]++
			if c.Role == results.RoleBaseline {
				continue
			}
			if b := p.Campaign.Cell(c.Baseline); b == nil || b.Role != results.RoleBaseline || b.Level() != c.Level() {
				t.Fatalf("%s has the baseline %v", c.Label(), b)
			}
		}
		for level, n := range roles {
			if n[results.RoleBaseline] != 1 || n[results.RoleAA] != 1 {
				t.Fatalf("level %q has %v", level, n)
			}
		}
	})
}

// TestAgainHoldsPairs repeats any invocations of a block: their cells, each
// with its baseline, and of a baseline those that lost their pair; nothing else.
func TestAgainHoldsPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, err := read(drawn(t))
		if err != nil {
			t.Fatal(err)
		}
		of := rapid.SampledFrom(p.Campaign.Blocks).Draw(t, "block")
		slots := rapid.SliceOfNDistinct(rapid.IntRange(0, len(of.Order)-1), 1, len(of.Order), rapid.ID[int]).Draw(t, "slots")
		hit := map[string]bool{}
		var ids []results.Identity
		for _, slot := range slots {
			ids = append(ids, results.Identity{Block: of.Number, Slot: slot})
			hit[of.Order[slot]] = true
		}
		b, err := Again(p.Campaign, of, ids, "")
		if err != nil {
			t.Fatal(err)
		}
		wanted := map[string]bool{}
		for _, id := range of.Order {
			c := p.Campaign.Cell(id)
			if hit[id] || hit[c.Baseline] {
				wanted[id] = true
				if c.Baseline != "" {
					wanted[c.Baseline] = true
				}
			}
		}
		if want := slices.Sorted(maps.Keys(wanted)); !slices.Equal(slices.Sorted(slices.Values(b.Order)), want) {
			t.Fatalf("repeating %v of %v takes %v, want %v", slots, of.Order, b.Order, want)
		}
		if len(b.Repeats) != len(slots) || b.Profile != of.Profile || b.Number != len(p.Campaign.Blocks)+1 {
			t.Fatalf("extra block %+v of %+v", b, of)
		}
	})
}

func TestBlocksAndSeedsDiffer(t *testing.T) {
	orders := map[string]bool{}
	for seed := range uint64(20) {
		for block := range 50 {
			order := make([]string, 16)
			for i := range order {
				order[i] = fmt.Sprintf("c%02d", i)
			}
			shuffle(seed, block, order)
			orders[strings.Join(order, " ")] = true
		}
	}
	if len(orders) != 1000 { // of 16! orders
		t.Errorf("1000 blocks have %d orders", len(orders))
	}
}

func TestEnvPad(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		id := results.Identity{Block: rapid.IntRange(0, 10000).Draw(t, "block"), Slot: rapid.IntRange(0, 2000).Draw(t, "slot")}
		n := envPad(seed, id)
		if n < 0 || n > 4095 {
			t.Fatalf("%d bytes", n)
		}
		id.Repeat = 3
		if envPad(seed, id) != n {
			t.Fatal("a block that is started again has another environment")
		}
	})
	sum := 0
	for slot := range 1000 {
		sum += envPad(1, results.Identity{Block: 3, Slot: slot})
	}
	if mean := sum / 1000; mean < 1900 || mean > 2200 { // sd of the mean is 37
		t.Errorf("1000 environments have %d bytes on average", mean)
	}
}
