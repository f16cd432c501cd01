package run

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"moobench/harness/plan"
	"moobench/results"
)

// repeatShare bounds how many blocks of a scenario are repeated because they were disturbed or invalid: one per
// this many planned ones. Otherwise a machine that is never quiet would be measured forever.
const repeatShare = 4

// countFailure gives a variant up once it has failed too often. Giving up a baseline also gives up all cells
// compared with it.
func (r *Runner) countFailure(inv plan.Invocation, got *results.Invocation) error {
	cell, n := inv.Cell.Cell, 0
	for _, failed := range r.state.failed() {
		if c := r.campaign().Cell(failed.Cell); c != nil && c.Scenario == cell.Scenario && c.Variant == cell.Variant {
			n++
		}
	}
	again := got.Failure.Kind == kindAlive // it would fail each time
	if inv.Cell.MaxFailures == 0 || n < inv.Cell.MaxFailures && !again {
		return nil
	}
	times := fmt.Sprintf("failed %d times, the last time", n)
	if n == 1 {
		times = "failed"
	}
	why := fmt.Sprintf("%s %s in %s: %s", cell.Variant, times, got.Identity, got.Failure.Line())
	baseline := cell.Role == results.RoleBaseline || cell.Role == results.RoleAA
	r.giveUp(inv.Block, why, func(c results.Cell) bool {
		return c.Scenario == cell.Scenario && (c.Variant == cell.Variant || baseline)
	})
	r.Progress.Note("%s: given up; the rest goes on. Its log is in %s", why, got.Identity)
	return r.Store.SaveCampaign()
}

// countUnproven gives up cells that an invocation shows not to be instrumented: its own cell, or those that it is
// meant to prove. Further invocations would show the same.
func (r *Runner) countUnproven(inv plan.Invocation, got *results.Invocation) error {
	cell := inv.Cell.Cell
	proof := cell.Role == results.RoleProof
	timed := got.Profile == results.ProfileTiming || got.Profile == results.ProfilePilot
	judged := proof || cell.Role == results.RoleVariant && timed
	silent := got.Silent(&cell)
	if r.KeepGoing || !judged || len(got.AtLeast) > 0 || got.Invalid != "" || silent == nil {
		return nil
	}
	why := fmt.Sprintf("not instrumented: no record arrived in %s", got.Identity)
	if silent.Missing != "" {
		why += "; " + silent.Missing
	}
	r.giveUp(inv.Block, why, func(c results.Cell) bool {
		proves := slices.ContainsFunc(c.Proofs(), func(p *results.ProofPlan) bool { return p.Cell == cell.ID })
		return c.ID == cell.ID && !proof || proves && proof
	})
	r.Progress.Note("%s is %s, and given up: check its pattern and its log; "+
		"--keep-going measures it anyway", cell.Label(), why)
	return r.Store.SaveCampaign()
}

// giveUp gives up cells from a block on, as well as baselines that have nothing left to compare.
func (r *Runner) giveUp(block int, why string, which func(c results.Cell) bool) {
	c := r.campaign()
	block = firstAfter(c.Blocks, block)
	add := func(why string, which func(c results.Cell) bool) {
		for _, cell := range c.Cells {
			if which(cell) && !r.state.givenUp(cell.ID, block) {
				c.GivenUp = append(c.GivenUp, results.GivenUp{Cell: cell.ID, Block: block, Reason: why})
			}
		}
	}
	add(why, which)
	all, going := map[string]int{}, map[string]int{} // variants, by baseline
	for _, cell := range c.Cells {
		if cell.Role == results.RoleVariant {
			all[cell.Baseline]++
			if !r.state.givenUp(cell.ID, block) {
				going[cell.Baseline]++
			}
		}
	}
	add("nothing is left to compare with it", func(c results.Cell) bool {
		id := cmp.Or(c.Baseline, c.ID)
		return c.Role != results.RoleProof && all[id] > 0 && going[id] == 0
	})
}

// firstAfter returns the lowest number among a block and those measured after it. A shard's proofs come first, but
// have higher numbers than the plan's blocks.
func firstAfter(blocks []results.Block, number int) int {
	if i := slices.IndexFunc(blocks, func(b results.Block) bool { return b.Number == number }); i >= 0 {
		for _, b := range blocks[i:] {
			number = min(number, b.Number)
		}
	}
	return number
}

// scheduleRepeats appends blocks that repeat invocations which failed, were invalid, or were disturbed if the
// campaign asks for that. They are derived from the data on disk, so that a resume arrives at the same plan.
// Incomplete blocks are left alone: they start again as a whole.
func (r *Runner) scheduleRepeats() error {
	c := r.campaign()
	before := len(c.Blocks)
	complete := slices.DeleteFunc(slices.Clone(c.Blocks), func(b results.Block) bool { // a pilot retries by itself
		return r.state.missing(b) > 0 || b.Kind == results.BlockPilot
	})
	for _, b := range complete {
		for _, inv := range r.state.of(b) {
			if inv.Status != results.StatusFailed || !r.repeatable(inv) {
				continue
			}
			because := fmt.Sprintf("%s failed: %s", inv.Identity, inv.Failure.Kind)
			if err := r.appendRepeat(b, []results.Identity{inv.Identity}, because); err != nil {
				return err
			}
		}
	}
	for _, b := range complete {
		for _, s := range c.Scenarios {
			if b.Profile != results.ProfileTiming {
				continue
			}
			if err := r.repeatUnusable(b, s.Label); err != nil {
				return err
			}
		}
	}
	if len(c.Blocks) == before {
		return nil
	}
	return r.Store.SaveCampaign()
}

// appendRepeat appends a block that repeats invocations of another block.
func (r *Runner) appendRepeat(b results.Block, ids []results.Identity, because string) error {
	c := r.campaign()
	extra, err := plan.Again(c, b, ids, because)
	if err == nil {
		c.Blocks = append(c.Blocks, extra)
	}
	return err
}

// repeatable reports whether an invocation has not been repeated and its cell has not been given up.
func (r *Runner) repeatable(inv *results.Invocation) bool {
	return !hasExtra(r.campaign(), inv.Identity) && !r.state.givenUp(inv.Cell, math.MaxInt)
}

// repeatUnusable appends one block that repeats all invocations of a block and scenario that ended well but are
// unusable, unless there is such a block already. Once the limit is reached, it reports that once.
func (r *Runner) repeatUnusable(b results.Block, label string) error {
	c := r.campaign()
	var ids []results.Identity
	because := ""
	for _, inv := range r.state.of(b) {
		if r.unusable(inv) != "" && r.repeatable(inv) && r.isOf(inv.Cell, label) {
			ids, because = append(ids, inv.Identity), r.unusable(inv)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	unusable := func(name string) bool {
		id, err := results.ParseIdentity(name)
		if err != nil {
			return false
		}
		inv := r.state.slots[id.Block][id.Slot]
		return inv != nil && r.unusable(inv) != ""
	}
	repeated := 0
	for _, b := range c.Blocks {
		if b.Kind == results.BlockExtra && r.holds(b, label) && slices.ContainsFunc(b.Repeats, unusable) {
			repeated++
		}
	}
	most := len(r.timing(label)) / repeatShare
	if repeated < most {
		return r.appendRepeat(b, ids, fmt.Sprintf("%d of block %d %s", len(ids), b.Number, because))
	}
	if r.exhausted[label] {
		return nil
	}
	r.exhausted[label] = true
	said := fmt.Sprintf("%d block(s) were repeated because they were disturbed or invalid, "+
		"and no more are (at most one for %d planned ones)", most, repeatShare)
	if most == 0 {
		said = fmt.Sprintf("disturbed or invalid blocks are not repeated, because fewer than %d are planned",
			repeatShare)
	}
	r.Progress.Note("%s: %s: what is disturbed from now on stays in, marked, and what is invalid is left out; "+
		"quieten the machine", label, said)
	return nil
}

// unusable returns why an invocation that ended well must be repeated, or "".
func (r *Runner) unusable(inv *results.Invocation) string {
	control := r.campaign().Control
	switch {
	case inv.Status != results.StatusOK:
		return ""
	case inv.Invalid != "":
		return "invalid: " + inv.Invalid
	case len(inv.Void) > 0:
		name := slices.Min(slices.Collect(maps.Keys(inv.Void)))
		return "without " + name + ": " + inv.Void[name]
	case inv.Disturbed != nil && control != nil && control.Repeat:
		return "disturbed: " + inv.Disturbed.Reason
	}
	return ""
}

// hasExtra reports whether an extra block repeats this invocation.
func hasExtra(c *results.Campaign, id results.Identity) bool {
	return slices.ContainsFunc(c.Blocks, func(b results.Block) bool { return slices.Contains(b.Repeats, id.String()) })
}
