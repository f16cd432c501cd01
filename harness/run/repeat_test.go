package run

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"moobench/harness/machine/knob"
	"moobench/harness/plan"
	"moobench/results"
)

const swappiness = "proc/sys/vm/swappiness"

func treeWith(value string) fstest.MapFS {
	return fstest.MapFS{swappiness: &fstest.MapFile{Data: []byte(value + "\n")}}
}

// notes is a Progress that remembers what it was told.
type notes struct {
	told
	said []string
}

func (n *notes) Note(format string, args ...any) {
	n.said = append(n.said, fmt.Sprintf(format, args...))
}

// disturbedCampaign is carried out while somebody changes a knob during the
// invocations that changes names, the first time each.
func disturbedCampaign(t *testing.T, blocks int, repeat bool, changes func(plan.Invocation) bool) (dir string, n *notes) {
	t.Helper()
	c := campaignOf(blocks, nil)
	c.Control = &results.Control{Profile: results.ProfileFixedHardware, Repeat: repeat}
	dir = created(t, c)
	tree, turns := treeWith("60"), 0
	r, _ := runnerOn(t, dir, instant{stop: func(inv plan.Invocation) {
		if changes(inv) {
			turns++
			tree[swappiness].Data = fmt.Appendf(nil, "%d\n", 60+turns)
		}
	}})
	n = &notes{}
	r.Progress, r.Host.Tree = n, tree
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return dir, n
}

func invocationsOf(t *testing.T, dir string) []*results.Invocation {
	t.Helper()
	store, err := results.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	all, err := store.Invocations()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func disturbedOnes(all []*results.Invocation) []string {
	var ids []string
	for _, inv := range all {
		if inv.Disturbed != nil {
			ids = append(ids, inv.Identity.String())
		}
	}
	return ids
}

func extras(t *testing.T, dir string) []results.Block {
	t.Helper()
	store, err := results.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(store.Campaign().Blocks, func(b results.Block) bool { return b.Kind != results.BlockExtra })
}

func TestDisturbedIsRepeatedTogether(t *testing.T) {
	dir, _ := disturbedCampaign(t, 8, true, func(inv plan.Invocation) bool { return inv.Block == 3 })
	all := invocationsOf(t, dir)
	if got := disturbedOnes(all); !slices.Equal(got, []string{"b0003.s00.r0", "b0003.s01.r0"}) {
		t.Fatalf("disturbed: %v", got)
	}
	for _, inv := range all {
		if d := inv.Disturbed; d != nil && (!slices.Equal(d.Knobs, []string{"swappiness"}) || !strings.Contains(d.Reason, "swappiness was changed from 6")) {
			t.Errorf("%s: %+v", inv.Identity, d)
		}
		if inv.Settings["swappiness"] == "" {
			t.Errorf("%s has no settings", inv.Identity)
		}
	}
	more := extras(t, dir)
	if len(more) != 1 || !slices.Equal(more[0].Repeats, []string{"b0003.s00.r0", "b0003.s01.r0"}) || more[0].Profile != results.ProfileTiming {
		t.Errorf("extra blocks: %+v", more)
	}
}

// TestDisturbedBetweenInvocations changes a knob while no subject runs.
func TestDisturbedBetweenInvocations(t *testing.T) {
	tree := treeWith("60")
	r := &Runner{Host: Host{Tree: tree}}
	first, err := r.prepare(plan.Invocation{})
	if d := r.changed(first); err != nil || d != nil {
		t.Fatalf("quiet: %v, %+v", err, d)
	}
	tree[swappiness].Data = []byte("1\n")
	second, err := r.prepare(plan.Invocation{})
	d := r.changed(second)
	if err != nil || d == nil || d.Reason != "swappiness was changed from 60 to 1 since the last invocation" {
		t.Errorf("%v, %+v", err, d)
	}
	third, _ := r.prepare(plan.Invocation{})
	if d := r.changed(third); d != nil {
		t.Errorf("nothing changed any more: %+v", d)
	}
}

func TestDisturbedIsOnlyMarked(t *testing.T) {
	dir, _ := disturbedCampaign(t, 8, false, func(inv plan.Invocation) bool { return inv.Block == 3 })
	if got := disturbedOnes(invocationsOf(t, dir)); len(got) != 2 || len(extras(t, dir)) != 0 {
		t.Errorf("disturbed %v, extra blocks %v", got, extras(t, dir))
	}
}

// TestRepeatsAreBounded disturbs everything: a quarter of the planned blocks is
// repeated, and that is said once.
func TestRepeatsAreBounded(t *testing.T) {
	dir, n := disturbedCampaign(t, 9, true, func(plan.Invocation) bool { return true })
	if got := extras(t, dir); len(got) != 2 {
		t.Errorf("%d extra blocks, want 2", len(got))
	}
	if len(n.said) != 1 || !strings.Contains(n.said[0], "2 block(s) were repeated") {
		t.Errorf("said %q", n.said)
	}
}

// TestTooFewToRepeat: of few planned blocks none is repeated, and that is said once.
func TestTooFewToRepeat(t *testing.T) {
	dir, n := disturbedCampaign(t, repeatShare-1, true, func(plan.Invocation) bool { return true })
	if got := extras(t, dir); len(got) > 0 {
		t.Errorf("%d extra blocks", len(got))
	}
	if len(n.said) != 1 || !strings.Contains(n.said[0], "are not repeated, because fewer than 4 are planned: what is") {
		t.Errorf("said %q", n.said)
	}
}

func TestDisturbance(t *testing.T) {
	others := &results.Disturbance{OthersNS: 7, Share: 0.1, Reason: "others"}
	knobs := &results.Disturbance{Reason: "thp was changed", Knobs: []string{"thp"}}
	if disturbance(nil, nil) != nil || disturbance(others, nil) != others || disturbance(nil, knobs) != knobs {
		t.Error("one of them is lost")
	}
	both := disturbance(others, knobs)
	if both.OthersNS != 7 || both.Reason != "others; thp was changed" || len(both.Knobs) != 1 || others.Knobs != nil {
		t.Errorf("both: %+v, others: %+v", both, others)
	}
}

// TestFrequencyNeedsLeave refuses to take a frequency for set that was not.
func TestFrequencyNeedsLeave(t *testing.T) {
	inv := plan.Invocation{Cell: plan.Cell{Cell: results.Cell{Parameters: []results.Value{{Name: "frequency", Value: knob.FrequencyFixed}}}}}
	r := &Runner{Host: Host{Tree: treeWith("60")}}
	if _, err := r.prepare(inv); err == nil || !strings.Contains(err.Error(), "nothing may be changed") {
		t.Errorf("got %v", err)
	}
}
