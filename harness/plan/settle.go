package plan

import (
	"cmp"
	"slices"
	"strconv"

	"moobench/results"
)

// counted returns the cell with its number of calls set to calls, rounded up to whole batches.
func (s section) counted(c Cell, calls int64) Cell {
	name := s.Auto.Name
	batch := max(1, s.scenario.Work(&c.Cell).Batch)
	c.Parameters = slices.Clone(c.Parameters)
	for i := range c.Parameters {
		if c.Parameters[i].Name == name {
			c.Parameters[i].Value = strconv.FormatInt((calls+batch-1)/batch*batch, 10)
		}
	}
	c.Work = s.scenario.Work(&c.Cell)
	return c
}

// counting returns the cell with a number of calls that a pilot tries or has found, and with
// the timeout and the expected records that follow.
func (p *Plan) counting(c Cell, calls int64) Cell {
	i := slices.IndexFunc(p.sections, func(s section) bool { return s.Label == c.Scenario })
	if i < 0 {
		return c
	}
	c = p.sections[i].counted(c, calls)
	c.Timeout = cmp.Or(p.sections[i].Timeout, c.allowance())
	if c.Recipe.Deactivate == "" {
		c.Beside = slices.Clone(c.Beside)
		for i, proof := range c.Proofs() {
			proof.Expected = c.Records(i, c.Calls())
		}
	}
	return c
}

// Settle gives each cell the number of calls that the campaign's pilot has found for it.
func (p *Plan) Settle() {
	for _, s := range p.Campaign.Scenarios {
		for i, c := range p.Cells {
			if n := s.Settling.Calls(c.ID); n > 0 {
				p.Cells[i] = p.counting(c, n)
				for j, proof := range p.Campaign.Cell(c.ID).Proofs() {
					proof.Expected = p.Cells[i].Proofs()[j].Expected
				}
			}
		}
	}
}

// Pilot returns a block with one cell that makes the given number of calls, for use before any
// timing block. It has the next free number.
func Pilot(c *results.Campaign, cell string, calls int64) results.Block {
	return results.Block{
		Number:  nextNumber(c),
		Kind:    results.BlockPilot,
		Profile: results.ProfilePilot,
		Order:   []string{cell},
		Calls:   calls,
	}
}
