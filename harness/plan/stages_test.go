package plan

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"moobench/results"
)

const staged = `name = "staged"
[[scenario]]
use = "overhead"
variants = ["none", "a"]
precision = "2%"
resources = 1
[[scenario]]
use = "sleep"
variants = ["none", "a"]
command = "sleep 1"
blocks = 12
max_time = "1h"
resources = 0
[framework.a]
proof = "none"
`

// addMore appends a second stage to the campaign of a plan.
func addMore(t rapid.TB, p *Plan, label string, n int) []results.Block {
	t.Helper()
	more, err := More(p.Campaign, label, n)
	if err != nil {
		t.Fatal(err)
	}
	p.Campaign.Blocks = append(p.Campaign.Blocks, more...)
	return more
}

// cut takes a scenario out of the blocks of a plan from a number on.
func cut(t rapid.TB, p *Plan, label string, from int) {
	t.Helper()
	left, err := Cut(p.Campaign, label, from)
	if err != nil {
		t.Fatal(err)
	}
	p.Campaign.Blocks = left
}

func TestMoreGoesOnWithThePlan(t *testing.T) {
	p := mustRead(t, staged)
	more := addMore(t, p, "overhead", 2)
	// 12 timing blocks and one of resources are there.
	if len(more) != 2 || more[0].Number != 14 || more[1].Number != 15 {
		t.Fatalf("more blocks %+v", more)
	}
	for _, b := range more {
		want := []string{"c00", "c01", "c02"}
		shuffle(7, b.Number, want)
		if !slices.Equal(b.Order, want) || b.Kind != results.BlockPlanned || b.Profile != results.ProfileTiming || b.Reason != "second stage of overhead" {
			t.Errorf("second stage %+v, want the order %v", b, want)
		}
	}
	if none, err := More(p.Campaign, "overhead", 0); err != nil || len(none) != 0 {
		t.Errorf("no more blocks are %v, %v", none, err)
	}
	if _, err := More(p.Campaign, "overhaed", 1); err == nil {
		t.Error("a scenario that is not there got blocks")
	}
	ids, _ := identities(more[1], []string{"c02"})
	extra, err := Again(p.Campaign, more[1], ids, "because")
	if err != nil || extra.Number != 16 {
		t.Errorf("the extra block after them is %+v, %v", extra, err)
	}
}

func TestCutLeavesTheOthersInTheirOrder(t *testing.T) {
	p := mustRead(t, staged)
	before := slices.Clone(p.Campaign.Blocks)
	cut(t, p, "sleep", 5)
	if _, err := Cut(p.Campaign, "slepe", 5); err == nil {
		t.Error("a scenario that is not there was cut")
	}
	own := func(id string) bool { return p.Campaign.Cell(id).Scenario == "sleep" }
	for _, b := range before {
		want := slices.Clone(b.Order)
		if b.Number >= 5 {
			want = slices.DeleteFunc(want, own)
		}
		i := slices.IndexFunc(p.Campaign.Blocks, func(o results.Block) bool { return o.Number == b.Number })
		switch {
		case i < 0 && len(want) > 0:
			t.Errorf("block %d is gone", b.Number)
		case i >= 0 && !slices.Equal(p.Campaign.Blocks[i].Order, want):
			t.Errorf("block %d holds %v, want %v", b.Number, p.Campaign.Blocks[i].Order, want)
		}
	}
	if n := len(p.Campaign.Blocks); n != 11 { // 11 and 12 were of sleep alone
		t.Errorf("%d blocks are left, want 11", n)
	}
}

// TestStagesSurviveResume changes a plan on the way, and resumes the campaign.
func TestStagesSurviveResume(t *testing.T) {
	old := mustRead(t, staged)
	addMore(t, old, "overhead", 3)
	cut(t, old, "sleep", 4)
	old.Campaign.Scenarios[0].Sizing.Decision = &results.Decision{Blocks: 13, Reason: "it needs them"}
	p := mustRead(t, staged)
	if err := p.Resume(old.Campaign); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(old.Campaign, p.Campaign); diff != "" {
		t.Errorf("campaign (-old +resumed):\n%s", diff)
	}
	if more, err := More(p.Campaign, "overhead", 1); err != nil || more[0].Number != 17 {
		t.Errorf("it goes on with %+v, %v", more, err)
	}
}

// TestStagesKeepBlocksWhole adds and cuts in any order: no number stands twice,
// no block is empty, and none holds a cell twice.
func TestStagesKeepBlocksWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, err := read(staged)
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 6).Draw(t, "changes") {
			label := rapid.SampledFrom([]string{"overhead", "sleep"}).Draw(t, "scenario")
			n := rapid.IntRange(0, 20).Draw(t, "n")
			if rapid.Bool().Draw(t, "cut") {
				cut(t, p, label, n)
			} else {
				addMore(t, p, label, n)
			}
		}
		last := -1
		for _, b := range p.Campaign.Blocks {
			cells := slices.Compact(slices.Sorted(slices.Values(b.Order)))
			if b.Number <= last || len(cells) == 0 || len(cells) != len(b.Order) {
				t.Fatalf("block %+v stands after number %d", b, last)
			}
			last = b.Number
		}
	})
}
