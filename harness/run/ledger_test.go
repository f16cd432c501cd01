package run

import (
	"testing"

	"moobench/results"
)

func sealed(block, slot, repeat int, status results.Status) *results.Invocation {
	return &results.Invocation{Identity: results.Identity{Block: block, Slot: slot, Repeat: repeat}, Cell: "c00", Status: status}
}

func twoBlocks() *results.Campaign {
	return &results.Campaign{Blocks: []results.Block{
		{Number: 1, Order: []string{"c00", "c01"}},
		{Number: 2, Order: []string{"c01", "c00"}},
	}}
}

func done(l ledger) int {
	n, _ := l.count()
	return n
}

func total(l ledger) int {
	_, n := l.count()
	return n
}

func TestLedgerGoesOnWhereItStands(t *testing.T) {
	c := twoBlocks()
	l := newLedger(c, nil)
	if b, ok := l.next(); !ok || b.Number != 1 || l.nextRepeat(1) != 0 || total(l) != 4 {
		t.Errorf("an empty campaign goes on with block %d (%v)", b.Number, ok)
	}
	l.add(sealed(1, 0, 0, results.StatusOK))
	if b, _ := l.next(); b.Number != 1 || l.nextRepeat(1) != 1 {
		t.Errorf("an interrupted block 1 goes on with block %d, repeat %d, want 1 and 1", b.Number, l.nextRepeat(1))
	}
	// The block starts again whole: what was there is superseded.
	l.add(sealed(1, 1, 1, results.StatusOK))
	if l.missing(c.Blocks[0]) != 1 {
		t.Errorf("%d slots of block 1 are missing, want 1: slot 0 is of an earlier session", l.missing(c.Blocks[0]))
	}
	l.add(sealed(1, 0, 1, results.StatusFailed))
	if b, _ := l.next(); b.Number != 2 {
		t.Errorf("goes on with block %d, want 2: a failed invocation is there too", b.Number)
	}
	if len(l.failed()) != 1 || done(l) != 2 {
		t.Errorf("%d failed, %d done", len(l.failed()), done(l))
	}
}

func TestLedgerLeavesOutWhatWasGivenUp(t *testing.T) {
	c := twoBlocks()
	c.GivenUp = []results.GivenUp{{Cell: "c01", Block: 2}}
	l := newLedger(c, []*results.Invocation{sealed(1, 0, 0, results.StatusOK), sealed(1, 1, 0, results.StatusFailed)})
	if l.missing(c.Blocks[1]) != 1 || total(l) != 3 {
		t.Errorf("block 2 misses %d of %d", l.missing(c.Blocks[1]), total(l))
	}
	l.add(sealed(2, 1, 0, results.StatusOK))
	if b, ok := l.next(); ok {
		t.Errorf("goes on with block %d, and should be complete", b.Number)
	}
}

// TestHasExtraTellsIdentitiesApart has names that begin alike.
func TestHasExtraTellsIdentitiesApart(t *testing.T) {
	c := &results.Campaign{Blocks: []results.Block{{Number: 4, Repeats: []string{"b0001.s01.r0"}}}}
	for id, want := range map[results.Identity]bool{
		{Block: 1, Slot: 1}:             true,
		{Block: 1, Slot: 1, Repeat: 1}:  false,
		{Block: 1, Slot: 10}:            false,
		{Block: 1, Slot: 1, Repeat: 10}: false,
	} {
		if got := hasExtra(c, id); got != want {
			t.Errorf("hasExtra(%s) = %v, want %v", id, got, want)
		}
	}
}
