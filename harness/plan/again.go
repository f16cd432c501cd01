package plan

import (
	"errors"
	"fmt"
	"slices"

	"moobench/results"
)

// Again appends a block that repeats invocations of the given one, because
// they failed or were disturbed, with its profile: their cells, and a fresh
// baseline of each of their levels. Where the baseline itself is repeated,
// every cell of its level that stands in the block lost its pair, and is
// repeated as well. What the gate compares with another cell than the baseline
// goes the same way. A proof cell has no baseline and stands alone. The order is
// that of the new block's number.
func (p *Plan) Again(of results.Block, invocations []results.Identity, because string) (results.Block, error) {
	b := results.Block{Number: p.nextNumber(), Kind: results.BlockExtra, Profile: of.Profile, Because: because}
	wanted := map[string]bool{}
	for _, id := range invocations {
		if id.Block != of.Number || id.Slot < 0 || id.Slot >= len(of.Order) {
			return results.Block{}, fmt.Errorf("planning an extra block: %s does not stand in block %d, which has %d slots", id, of.Number, len(of.Order))
		}
		c, err := p.cell(of.Order[id.Slot])
		if err != nil {
			return results.Block{}, fmt.Errorf("planning an extra block: %w", err)
		}
		p.pairs(&c, of, wanted)
		b.Repeats = append(b.Repeats, id.String())
	}
	if len(wanted) == 0 {
		return results.Block{}, errors.New("planning an extra block: nothing is to be repeated")
	}
	for _, c := range p.Cells {
		if wanted[c.ID] {
			b.Order = append(b.Order, c.ID)
		}
	}
	shuffle(p.Campaign.Seed, b.Number, b.Order)
	p.Campaign.Blocks = append(slices.Clip(p.Campaign.Blocks), b)
	return b, nil
}

// pairs adds a cell, its baseline, of a baseline those cells of the block that
// are compared with it, and what the gate compares with the cell.
func (p *Plan) pairs(c *Cell, of results.Block, wanted map[string]bool) {
	for _, other := range p.Cells {
		lost := other.Baseline == c.ID && slices.Contains(of.Order, other.ID)
		gated := p.compares(c, &other) && slices.Contains(of.Order, other.ID)
		if other.ID == c.ID || other.ID == c.Baseline || lost || gated {
			wanted[other.ID] = true
		}
	}
}
