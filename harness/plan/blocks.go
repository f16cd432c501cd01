package plan

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"moobench/results"
)

// Again returns a block that repeats invocations of the given block that failed or were
// disturbed. It contains their cells, in the same profile, with a fresh baseline for each of
// their levels. If the baseline itself is repeated, every cell of its level in that block has
// lost its pair and is repeated as well. The same goes for cells that the gate compares with a
// cell other than the baseline. A proof cell has no baseline and stands alone. The new block
// has the next free number, and the order that follows from it.
func Again(
	c *results.Campaign, block results.Block, invocations []results.Identity, because string,
) (results.Block, error) {
	b := results.Block{
		Number:  nextNumber(c),
		Kind:    results.BlockExtra,
		Profile: block.Profile,
		Reason:  because,
	}
	wanted := map[string]bool{}
	for _, id := range invocations {
		if id.Block != block.Number || id.Slot < 0 || id.Slot >= len(block.Order) {
			return results.Block{}, fmt.Errorf("planning an extra block: "+
				"%s is not in block %d, which has %d slots", id, block.Number, len(block.Order))
		}
		repeated := c.Cell(block.Order[id.Slot])
		if repeated == nil {
			return results.Block{}, fmt.Errorf("planning an extra block: the plan has no cell %q", block.Order[id.Slot])
		}
		for i := range c.Cells {
			other := &c.Cells[i]
			compared := other.Baseline == repeated.ID || gateCompares(c.Gate, repeated, other)
			lost := compared && slices.Contains(block.Order, other.ID)
			if lost || other.ID == repeated.ID || other.ID == repeated.Baseline {
				wanted[other.ID] = true
			}
		}
		b.Repeats = append(b.Repeats, id.String())
	}
	for _, cell := range c.Cells {
		if wanted[cell.ID] {
			b.Order = append(b.Order, cell.ID)
		}
	}
	if len(b.Order) == 0 {
		return results.Block{}, errors.New("planning an extra block: nothing is to be repeated")
	}
	shuffle(c.Seed, b.Number, b.Order)
	return b, nil
}

// gateCompares reports whether the gate compares two cells with each other.
func gateCompares(g *results.Gate, a, b *results.Cell) bool {
	return g != nil && a.Level() == b.Level() && (g.Judges(a) && g.IsReference(b) || g.Judges(b) && g.IsReference(a))
}

// More returns further timing blocks of one scenario's cells: its second stage. They have the
// next free numbers, and the orders that follow from them.
func More(c *results.Campaign, label string, blocks int) ([]results.Block, error) {
	cells := results.Each(measured(c, label), func(cell results.Cell) string { return cell.ID })
	if len(cells) == 0 {
		return nil, fmt.Errorf("planning more blocks: no scenario is called %q", label)
	}
	var more []results.Block
	first := nextNumber(c)
	for i := range blocks {
		b := results.Block{
			Number:  first + i,
			Kind:    results.BlockPlanned,
			Profile: results.ProfileTiming,
			Order:   slices.Clone(cells),
			Reason:  "second stage of " + label,
		}
		shuffle(c.Seed, b.Number, b.Order)
		more = append(more, b)
	}
	return more, nil
}

// Cut returns the campaign's blocks with a scenario's cells removed from the planned timing
// blocks that are numbered at least from, none of which may have begun. Cells of other
// scenarios keep their order, and empty blocks are dropped.
func Cut(c *results.Campaign, label string, from int) ([]results.Block, error) {
	own := func(cell *results.Cell) bool { return cell != nil && cell.Scenario == label }
	if !slices.ContainsFunc(c.Cells, func(cell results.Cell) bool { return own(&cell) }) {
		return nil, fmt.Errorf("cutting blocks: no scenario is called %q", label)
	}
	var left []results.Block
	for _, b := range c.Blocks {
		if b.Kind == results.BlockPlanned && b.Profile == results.ProfileTiming && b.Number >= from {
			b.Order = slices.DeleteFunc(slices.Clone(b.Order), func(id string) bool { return own(c.Cell(id)) })
		}
		if len(b.Order) > 0 {
			left = append(left, b)
		}
	}
	return left, nil
}

// nextNumber returns the lowest unused block number. In a shard it returns the shard's next own
// number, which no other shard uses.
func nextNumber(c *results.Campaign) int {
	n := 0
	for _, b := range c.Blocks {
		n = max(n, b.Number+1)
	}
	if s := c.Shard; s != nil {
		k := 0
		for s.Own(k) < n {
			k++
		}
		return s.Own(k)
	}
	return n
}

// maxEnvPad is the number of different sizes of random environment padding.
const maxEnvPad = 4096

// searches is the number of invocations that search for the capacity of one baseline; their
// median is used.
const searches = 3

// blocks arranges the cells in blocks: first the proof block and the calibration block, numbered
// from 0, each left out if empty; then the timing blocks, numbered from at least 1, and the
// resource blocks. A scenario with fewer blocks than another is missing from the later ones.
func (p *Plan) blocks() []results.Block {
	var all []results.Block
	add := func(kind results.BlockKind, profile results.Profile, cells []string) {
		if len(cells) > 0 {
			all = append(all, results.Block{Kind: kind, Profile: profile, Order: cells})
		}
	}
	add(results.BlockProof, results.ProfileProof, p.cells(true, func(section) bool { return true }))
	var names, baselines []string // names of calibrations, and the first baseline of each
	for _, c := range p.Cells {
		if name := c.Work.Calibration; c.Role == results.RoleBaseline && name != "" && !slices.Contains(names, name) {
			names = append(names, name)
			baselines = append(baselines, slices.Repeat([]string{c.ID}, searches)...)
		}
	}
	add(results.BlockCalibration, results.ProfileCalibration, baselines)
	first := 0
	if len(all) == 0 {
		first = 1
	}
	timing, resources := 0, 0
	for _, s := range p.sections {
		timing = max(timing, s.Blocks)
		resources = max(resources, s.Resources)
	}
	for b := range timing {
		add(results.BlockPlanned, results.ProfileTiming, p.cells(false, func(s section) bool { return b < s.Blocks }))
	}
	for b := range resources {
		add(results.BlockPlanned, results.ProfileResources,
			p.cells(false, func(s section) bool { return b < s.Resources }))
	}
	for i := range all {
		all[i].Number = first + i
		shuffle(p.Campaign.Seed, all[i].Number, all[i].Order)
	}
	return all
}

// cells returns the IDs of the wanted sections' cells in plan order: either the proof cells or
// all others.
func (p *Plan) cells(proof bool, wanted func(section) bool) []string {
	takes := map[string]bool{} // by scenario label
	for _, s := range p.sections {
		takes[s.Label] = wanted(s)
	}
	var ids []string
	for i := range p.Cells { // in order of the sections
		if c := &p.Cells[i]; (c.Role == results.RoleProof) == proof && takes[c.Scenario] {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// shuffle puts cells, given in plan order, into the order of a block. The result depends only
// on the seed and the block's number, so it is the same after a resume and on another machine.
func shuffle(seed uint64, block int, cells []string) {
	r := rand.New(rand.NewPCG(seed, uint64(block)))
	r.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
}

// envPad returns the number of bytes, 0 to 4095, by which an invocation's environment is
// padded: the start address of the stack biases measurements (Mytkowicz et al. 2009). It
// depends on seed, block and slot, but not on the repeat: a block that is started again has the
// same environments.
func envPad(seed uint64, id results.Identity) int {
	// The complement separates this stream from those of the block orders.
	stream := ^(uint64(id.Block)<<32 | uint64(id.Slot))
	return rand.New(rand.NewPCG(seed, stream)).IntN(maxEnvPad)
}
