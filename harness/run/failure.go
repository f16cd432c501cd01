package run

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/refusal"
	"moobench/results"
)

// failureOf describes what an error cost: the invocation's failure.
func failureOf(err error) *results.Failure {
	var f *jvm.Failure
	if errors.As(err, &f) {
		return &results.Failure{Kind: f.Kind, Message: f.Message, LogTail: f.Tail}
	}
	var e *results.Error
	if errors.As(err, &e) {
		return &results.Failure{Kind: results.FailureKind(err), Message: refusal.Text(err)}
	}
	return &results.Failure{Kind: "error", Message: refusal.Text(err)}
}

// countFailure gives a variant up once it has failed too often. With a
// baseline, everything that would be compared with it goes too.
func (r *Runner) countFailure(inv plan.Invocation, got *results.Invocation) error {
	cell := inv.Cell.Cell
	n := r.failures(cell.Scenario, cell.Variant)
	if inv.Cell.MaxFailures == 0 || n < inv.Cell.MaxFailures {
		return nil
	}
	why := fmt.Sprintf("%s failed %d times, the last time in %s: %s", cell.Variant, n, got.Identity, got.Failure.Message)
	baseline := cell.Role == results.RoleBaseline || cell.Role == results.RoleAA
	for _, c := range r.campaign().Cells {
		if c.Scenario == cell.Scenario && (c.Variant == cell.Variant || baseline) {
			r.giveUp(c.ID, inv.Block, why)
		}
	}
	r.Progress.Note("%s: given up; the rest goes on. Its log is in %s", why, got.Identity)
	return r.Store.SaveCampaign()
}

func (r *Runner) giveUp(cell string, block int, why string) {
	c := r.campaign()
	if !r.state.givenUp(c, cell, block) {
		c.GivenUp = append(c.GivenUp, results.GivenUp{Cell: cell, Block: block, Because: why})
	}
}

func (r *Runner) failures(scenario, variant string) int {
	n := 0
	for _, inv := range r.state.failed(r.campaign()) {
		if c := r.campaign().Cell(inv.Cell); c != nil && c.Scenario == scenario && c.Variant == variant {
			n++
		}
	}
	return n
}

// scheduleExtras appends, for each failed invocation that has none yet, a
// block of that cell and a fresh baseline. It is derived from what is on disk,
// so that a resume comes to the same plan. Failures in a block that is not
// complete are left alone: that block starts again whole.
func (r *Runner) scheduleExtras() error {
	c := r.campaign()
	added := false
	for _, inv := range r.state.failed(c) {
		block := blockOf(c, inv.Block)
		if block == nil || r.state.missing(c, *block) > 0 || hasExtra(c, inv.Identity) || r.state.givenUp(c, inv.Cell, math.MaxInt) {
			continue
		}
		r.Plan.Campaign.Blocks = c.Blocks
		if _, err := r.Plan.Again(*block, []results.Identity{inv.Identity}, fmt.Sprintf("%s failed: %s", inv.Identity, inv.Failure.Kind)); err != nil {
			return err
		}
		c.Blocks = r.Plan.Campaign.Blocks
		added = true
	}
	if !added {
		return nil
	}
	return r.Store.SaveCampaign()
}

func blockOf(c *results.Campaign, number int) *results.Block {
	for i := range c.Blocks {
		if c.Blocks[i].Number == number {
			return &c.Blocks[i]
		}
	}
	return nil
}

// hasExtra says whether an extra block repeats this invocation.
func hasExtra(c *results.Campaign, id results.Identity) bool {
	for _, b := range c.Blocks {
		if slices.Contains(b.Repeats, id.String()) {
			return true
		}
	}
	return false
}
