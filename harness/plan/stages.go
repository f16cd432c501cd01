package plan

import (
	"fmt"
	"slices"

	"moobench/results"
)

// sizing is how the number of timing blocks of a section is found; nil when it
// is fixed and nothing cuts it.
func (s section) sizing() *results.Sizing {
	if s.Precision == 0 && s.MaxTime == 0 {
		return nil
	}
	z := &results.Sizing{Precision: s.Precision, MaxBlocks: s.MaxBlocks, MaxTimeNS: int64(s.MaxTime), Strict: s.Strict}
	if s.Precision > 0 {
		z.Pilot = results.PilotBlocks
	}
	return z
}

// More appends further timing blocks of one scenario's cells: a second stage.
// Their numbers are the next free ones, and their orders those of the numbers.
func (p *Plan) More(label string, blocks int) ([]results.Block, error) {
	var cells []string
	for _, c := range p.Cells {
		if c.Scenario == label && c.Role != results.RoleProof {
			cells = append(cells, c.ID)
		}
	}
	if len(cells) == 0 {
		return nil, fmt.Errorf("planning more blocks: no scenario is called %q", label)
	}
	var more []results.Block
	first := p.nextNumber()
	for i := range blocks {
		b := results.Block{
			Number: first + i, Kind: results.BlockPlanned, Profile: results.ProfileTiming,
			Order: slices.Clone(cells), Because: "second stage of " + label,
		}
		shuffle(p.Campaign.Seed, b.Number, b.Order)
		more = append(more, b)
	}
	p.Campaign.Blocks = append(slices.Clip(p.Campaign.Blocks), more...)
	return more, nil
}

// Cut takes a scenario's cells out of the planned timing blocks from a number
// on, none of which may have begun: those of other scenarios keep their order.
// A block that nothing is left of is gone.
func (p *Plan) Cut(label string, from int) error {
	own := map[string]bool{}
	for _, c := range p.Cells {
		if c.Scenario == label {
			own[c.ID] = true
		}
	}
	if len(own) == 0 {
		return fmt.Errorf("cutting blocks: no scenario is called %q", label)
	}
	var left []results.Block
	for _, b := range p.Campaign.Blocks {
		if b.Kind == results.BlockPlanned && b.Profile == results.ProfileTiming && b.Number >= from {
			b.Order = slices.DeleteFunc(slices.Clone(b.Order), func(id string) bool { return own[id] })
		}
		if len(b.Order) > 0 {
			left = append(left, b)
		}
	}
	p.Campaign.Blocks = left
	return nil
}

// nextNumber is the first number that no block has.
func (p *Plan) nextNumber() int {
	n := 0
	for _, b := range p.Campaign.Blocks {
		n = max(n, b.Number+1)
	}
	return n
}
