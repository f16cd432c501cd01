package run

import (
	"slices"

	"moobench/results"
)

// ledger knows which invocations of a campaign exist, and thereby which are still missing.
type ledger struct {
	campaign *results.Campaign
	slots    map[int]map[int]*results.Invocation // block → slot → current invocation
}

func newLedger(c *results.Campaign, sealed []*results.Invocation) ledger {
	l := ledger{campaign: c, slots: map[int]map[int]*results.Invocation{}}
	for _, inv := range sealed {
		if !inv.Superseded {
			l.add(inv)
		}
	}
	return l
}

// add enters a sealed invocation. One with a higher repeat supersedes the block.
func (l *ledger) add(inv *results.Invocation) {
	if inv.Repeat >= l.nextRepeat(inv.Block) {
		l.slots[inv.Block] = map[int]*results.Invocation{}
	}
	l.slots[inv.Block][inv.Slot] = inv
}

// nextRepeat returns the repeat number of a block that starts now.
func (l *ledger) nextRepeat(block int) int {
	for _, inv := range l.slots[block] { // all have the same repeat
		return inv.Repeat + 1
	}
	return 0
}

// next returns the first incomplete block.
func (l *ledger) next() (results.Block, bool) {
	for _, b := range l.campaign.Blocks {
		if l.missing(b) > 0 {
			return b, true
		}
	}
	return results.Block{}, false
}

// missing counts the slots of a block that must still be run.
func (l *ledger) missing(b results.Block) int {
	n := 0
	for slot, id := range b.Order {
		if l.slots[b.Number][slot] == nil && !l.givenUp(id, b.Number) {
			n++
		}
	}
	return n
}

// count returns how many invocations exist, and how many there will be in total.
func (l *ledger) count() (done, total int) {
	for _, b := range l.campaign.Blocks {
		done += len(l.slots[b.Number])
		total += l.missing(b)
	}
	return done, done + total
}

// givenUp reports whether a cell is no longer started in this block.
func (l *ledger) givenUp(cell string, block int) bool {
	return l.campaign.LeavesOut(cell, results.Block{Number: block})
}

// current lists the invocations that count, in block order.
func (l *ledger) current() []*results.Invocation {
	return slices.Concat(results.Each(l.campaign.Blocks, l.of)...)
}

// of lists the current invocations of a block, by slot.
func (l *ledger) of(b results.Block) []*results.Invocation {
	var out []*results.Invocation
	for slot := range b.Order {
		if inv := l.slots[b.Number][slot]; inv != nil {
			out = append(out, inv)
		}
	}
	return out
}

// failed lists the current invocations that failed.
func (l *ledger) failed() []*results.Invocation {
	passed := func(inv *results.Invocation) bool { return inv.Status != results.StatusFailed }
	return slices.DeleteFunc(l.current(), passed)
}
