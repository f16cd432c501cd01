package run

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"moobench/results"
)

// repeatShare is how many blocks of a scenario are repeated at most because
// they were disturbed or void: one for so many planned ones. Without a bound a machine
// that is never quiet would be measured forever.
const repeatShare = 4

func join(words []string) string { return strings.Join(words, "; ") }

// scheduleRepeats appends, for each complete timing block with disturbed
// invocations, one block that repeats them, where the campaign asked for it;
// void ones are repeated in any case. Like extra blocks of failures it is derived
// from what is on disk.
func (r *Runner) scheduleRepeats() error {
	c := r.campaign()
	added := false
	for _, b := range c.Blocks {
		if b.Profile != results.ProfileTiming || r.state.missing(c, b) > 0 {
			continue
		}
		for _, s := range c.Scenarios {
			some, err := r.repeat(b, s.Label)
			if err != nil {
				return err
			}
			added = added || some
		}
	}
	if !added {
		return nil
	}
	return r.Store.SaveCampaign()
}

// repeat appends a block that repeats what was disturbed of a scenario in a
// block, unless that was done or there were too many.
func (r *Runner) repeat(b results.Block, label string) (bool, error) {
	c := r.campaign()
	var ids []results.Identity
	because := ""
	for slot := range b.Order {
		inv := r.state.slots[b.Number][slot]
		if inv == nil || inv.Status != results.StatusOK || r.unusable(inv) == "" || hasExtra(c, inv.Identity) {
			continue
		}
		if cell := c.Cell(inv.Cell); cell == nil || cell.Scenario != label || r.state.givenUp(c, inv.Cell, math.MaxInt) {
			continue
		}
		ids, because = append(ids, inv.Identity), r.unusable(inv)
	}
	if len(ids) == 0 {
		return false, nil
	}
	if most := len(r.timing(label)) / repeatShare; r.repeated(label) >= most {
		r.tooMany(label, most)
		return false, nil
	}
	r.Plan.Campaign.Blocks = c.Blocks
	if _, err := r.Plan.Again(b, ids, fmt.Sprintf("%d of block %d %s", len(ids), b.Number, because)); err != nil {
		return false, err
	}
	c.Blocks = r.Plan.Campaign.Blocks
	return true, nil
}

// unusable says what is wrong with an invocation that is repeated although it
// ended well, "" when nothing is.
func (r *Runner) unusable(inv *results.Invocation) string {
	control := r.campaign().Control
	switch {
	case inv.Void != "":
		return "void: " + inv.Void
	case inv.Disturbed != nil && control != nil && control.Repeat:
		return "disturbed: " + inv.Disturbed.Because
	}
	return ""
}

// repeated counts the blocks that repeat disturbed or void invocations of a
// scenario.
func (r *Runner) repeated(label string) int {
	n := 0
	for _, b := range r.campaign().Blocks {
		if b.Kind == results.BlockExtra && r.holds(b, label) && slices.ContainsFunc(b.Repeats, r.wasDisturbed) {
			n++
		}
	}
	return n
}

func (r *Runner) wasDisturbed(name string) bool {
	id, err := results.ParseIdentity(name)
	if err != nil {
		return false
	}
	inv := r.state.slots[id.Block][id.Slot]
	return inv != nil && inv.Status == results.StatusOK && r.unusable(inv) != ""
}

// tooMany says once that disturbed invocations are no longer repeated.
func (r *Runner) tooMany(label string, most int) {
	if r.told[label] {
		return
	}
	if r.told == nil {
		r.told = map[string]bool{}
	}
	r.told[label] = true
	said := fmt.Sprintf("%d block(s) were repeated because they were disturbed or void, and no more are (at most one for %d planned ones)", most, repeatShare)
	if most == 0 {
		said = fmt.Sprintf("disturbed or void blocks are not repeated, because fewer than %d are planned", repeatShare)
	}
	r.Progress.Note("%s: %s: what is disturbed from now on stays in, marked, and what is void is left out; quieten the machine", label, said)
}
