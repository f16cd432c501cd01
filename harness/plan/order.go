package plan

import (
	"math/rand/v2"
	"slices"

	"moobench/results"
)

// maxEnvPad is the number of different sizes of random environment.
const maxEnvPad = 4096

// searches is how many invocations search for the capacity of one baseline; their median
// is taken.
const searches = 3

// blocks lays the cells out: first the proof block and the calibrating one, from number 0
// on, each left out when it is empty; then the timing blocks, from number 1 at the
// lowest, and those of resources. A scenario with fewer blocks than another is missing
// from the later ones.
func (p *Plan) blocks() []results.Block {
	var all []results.Block
	add := func(kind results.BlockKind, profile results.Profile, cells []string) {
		if len(cells) > 0 {
			all = append(all, results.Block{Kind: kind, Profile: profile, Order: cells})
		}
	}
	add(results.BlockProof, results.ProfileProof, p.cells(true, func(section) bool { return true }))
	var names, baselines []string // of calibrations, and the first baseline of each
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
		timing, resources = max(timing, s.Blocks), max(resources, s.Resources)
	}
	for b := range timing {
		add(results.BlockPlanned, results.ProfileTiming, p.cells(false, func(s section) bool { return b < s.Blocks }))
	}
	for b := range resources {
		add(results.BlockPlanned, results.ProfileResources, p.cells(false, func(s section) bool { return b < s.Resources }))
	}
	for i := range all {
		all[i].Number = first + i
		shuffle(p.Campaign.Seed, all[i].Number, all[i].Order)
	}
	return all
}

// cells are the cells of the wanted sections in plan order: the proof cells, or all
// others.
func (p *Plan) cells(proof bool, wanted func(section) bool) []string {
	var ids []string
	for _, s := range p.sections {
		for _, c := range p.Cells {
			if c.Scenario == s.Label && (c.Role == results.RoleProof) == proof && wanted(s) {
				ids = append(ids, c.ID)
			}
		}
	}
	return ids
}

// shuffle puts cells, given in plan order, into the order of a block. The result depends
// only on the seed and the block's number, so that it is the same after a resume or on
// another machine.
func shuffle(seed uint64, block int, cells []string) {
	r := rand.New(rand.NewPCG(seed, uint64(block)))
	r.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
}

// envPad is how many bytes of environment an invocation gets besides its own, 0 to 4095:
// where the stack begins shifts what is measured (Mytkowicz et al. 2009). It depends on
// seed, block and slot; a block that is started again has the same environments, so the
// repeat does not matter.
func envPad(seed uint64, id results.Identity) int {
	// The complement keeps it apart from the streams of the orders.
	stream := ^(uint64(id.Block)<<32 | uint64(id.Slot))
	return rand.New(rand.NewPCG(seed, stream)).IntN(maxEnvPad)
}
