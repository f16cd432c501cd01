package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moobench/harness/jvm"
	"moobench/harness/machine"
	"moobench/harness/machine/cpu"
	"moobench/harness/machine/knob"
	"moobench/harness/plan"
	"moobench/internal/testmachine"
	"moobench/results"
)

// TestUnproven: a variant of which no record arrived is given up, by itself or by the cell that proves it, unless that
// is allowed, says nothing, or somebody wants to go on.
func TestUnproven(t *testing.T) {
	counted := results.Proof{Source: "otlp"}
	for name, c := range map[string]struct {
		cell    string
		going   bool
		got     results.Invocation
		givenUp string // c00 is a baseline, c01 its variant, c02 the proof of that
		says    string
	}{
		"timing": {
			"c01", false,
			results.Invocation{Profile: results.ProfileTiming, Proof: counted},
			"[c00 c01]",
			"is not instrumented: no record arrived in b0001.s00.r0, and given up: check",
		},
		"pilot": {
			"c01", false,
			results.Invocation{Profile: results.ProfilePilot, Proof: counted},
			"[c00 c01]", "not instrumented",
		},
		"why": {
			"c01", false,
			results.Invocation{Profile: results.ProfileTiming, Proof: results.Proof{Source: "x", Missing: "no file"}},
			"[c00 c01]", "no record arrived in b0001.s00.r0; no file, and given up",
		},
		"proof": {
			"c02", false,
			results.Invocation{Profile: results.ProfileProof, Proof: counted},
			"[c00 c01]", "not instrumented",
		},
		"resources":  {"c01", false, results.Invocation{Profile: results.ProfileResources, Proof: counted}, "[]", ""},
		"baseline":   {"c00", false, results.Invocation{Profile: results.ProfileTiming, Proof: counted}, "[]", ""},
		"goes on":    {"c01", true, results.Invocation{Profile: results.ProfileTiming, Proof: counted}, "[]", ""},
		"nobody saw": {"c01", false, results.Invocation{Profile: results.ProfileTiming}, "[]", ""},
		"invalid": {
			"c01", false, results.Invocation{Profile: results.ProfileTiming, Proof: counted, Invalid: "no"}, "[]", "",
		},
		"at least": {
			"c01", false,
			results.Invocation{Profile: results.ProfileTiming, Proof: counted, AtLeast: map[string]float64{"x": 1}},
			"[]", "",
		},
		"one came": {
			"c01", false,
			results.Invocation{Profile: results.ProfileTiming, Proof: results.Proof{Source: "otlp", ByExit: 1}},
			"[]", "",
		},
	} {
		campaign := campaignOf(1, nil)
		proof := campaign.Cells[1]
		proof.ID, proof.Role = "c02", results.RoleProof
		campaign.Cells = append(campaign.Cells, proof)
		for i := range campaign.Cells {
			campaign.Cells[i].Proof.Kind = results.ProofCount
		}
		campaign.Cells[1].Proof.Cell = "c02"
		r, _ := runnerOn(t, created(t, campaign), instant{})
		said := &notes{}
		r.state, r.Progress, r.KeepGoing = newLedger(r.campaign(), nil), said, c.going
		inv := plan.Invocation{Identity: results.Identity{Block: 1}, Cell: *r.Plan.Cell(c.cell)}
		c.got.Identity = inv.Identity
		if err := r.countUnproven(inv, &c.got); err != nil {
			t.Fatal(err)
		}
		var up []string
		for _, g := range r.campaign().GivenUp {
			up = append(up, g.Cell)
		}
		slices.Sort(up)
		if got := fmt.Sprint(up); got != c.givenUp {
			t.Errorf("%s: %s are given up, want %s", name, got, c.givenUp)
		}
		if got := strings.Join(said.said, "\n"); (got == "") != (c.says == "") || !strings.Contains(got, c.says) {
			t.Errorf("%s: %q, want %q", name, got, c.says)
		}
	}
}

// quieted is a runner on a machine that may be changed, for a campaign that wants a setting throughout.
func quieted(t *testing.T, k *testmachine.Kernel, wishes ...knob.Wish) (*Runner, *notes) {
	t.Helper()
	top, err := cpu.ReadTopology(k)
	if err != nil {
		t.Fatal(err)
	}
	said := &notes{}
	r := &Runner{Progress: said, Host: Host{Tree: k, Placement: cpu.Place(nil, top), Wishes: wishes}}
	place := func() (cpu.Placement, error) { return r.Host.Placement, nil }
	r.Host.Quiet, err = machine.Quieten(k, filepath.Join(t.TempDir(), "journal"), "runs/mine", place, wishes)
	if err != nil {
		t.Fatal(err)
	}
	return r, said
}

// of is an invocation of a cell with this frequency; "" is none.
func of(frequency string) plan.Invocation {
	var inv plan.Invocation
	if frequency != "" {
		inv.Cell.Parameters = []results.Value{{Name: results.FactorFrequency, Value: frequency}}
	}
	return inv
}

// TestFrequencies: each cell gets its frequency, and one without gets what was found, or what the campaign wants.
func TestFrequencies(t *testing.T) {
	k := testmachine.Open(t, "desktop")
	r, said := quieted(t, k, knob.Wish{Knob: "turbo", Value: "off", Policy: results.PolicyTry})
	found := knob.ReadSettings(k, r.Host.Placement)
	for i, c := range []struct{ frequency, turbo, governor string }{
		{"", "off", found["governor"]},
		{"fixed", "off", "performance"},
		{"fixed", "off", "performance"},
		{"scaling", "on", "powersave"},
		{"", "off", found["governor"]},
	} {
		s, err := r.prepare(of(c.frequency))
		if err != nil {
			t.Fatal(err)
		}
		now := knob.ReadSettings(k, r.Host.Placement)
		if now["turbo"] != c.turbo || now["governor"] != c.governor || s.all["turbo"] != c.turbo {
			t.Errorf("%d, %q: %v", i, c.frequency, now)
		}
		if d := r.changed(s); d != nil {
			t.Errorf("%d: %+v", i, d)
		}
	}
	if len(said.said) > 0 {
		t.Errorf("%q", said.said)
	}
	r.Host.Quiet = nil
	if _, err := r.prepare(of("fixed")); err == nil || !strings.Contains(err.Error(), "nothing may be changed") {
		t.Errorf("of a machine that may not be changed: %v", err)
	}
	r.Host.Tree = nil
	if s, err := r.prepare(of("fixed")); err != nil || s.all != nil || r.changed(s) != nil {
		t.Errorf("of a machine that nobody reads: %+v, %v", s, err)
	}
}

// TestSetAgain: what somebody else changed of what the campaign had set is set again before the next invocation, and
// is told; of other settings it is only told.
func TestSetAgain(t *testing.T) {
	k := testmachine.Open(t, "desktop")
	r, said := quieted(t, k, knob.Wish{Knob: "swappiness", Value: "7", Policy: results.PolicyTry})
	s, err := r.prepare(of(""))
	if d := r.changed(s); err != nil || d != nil {
		t.Fatal(d, err)
	}
	k.Put(swappiness, "33\n")
	if s, err = r.prepare(of("")); err != nil {
		t.Fatal(err)
	}
	if got := s.all["swappiness"]; got != "7" || strings.TrimSpace(k.Content()[swappiness]) != "7" {
		t.Errorf("it is %s", got)
	}
	const note = "(swappiness was changed from 7 to 33): it is set again, "
	if len(said.said) != 1 || !strings.Contains(said.said[0], note) {
		t.Errorf("%q", said.said)
	}
	const reason = "swappiness was changed from 7 to 33 since the last invocation"
	if d := r.changed(s); d == nil || !slices.Equal(d.Knobs, []string{"swappiness"}) || d.Reason != reason {
		t.Errorf("%+v", d)
	}
	s, err = r.prepare(of(""))
	if d := r.changed(s); err != nil || d != nil || len(said.said) != 1 {
		t.Errorf("the next one: %+v, %v; %q", d, err, said.said)
	}
}

// TestPairsThatFail: a comparison whose pairs fail is given up after three of them, the others go on; a folder of a
// pair goes with it, and nothing goes on when nobody wants it any more.
func TestPairsThatFail(t *testing.T) {
	r, _ := runnerOn(t, created(t, campaignOf(1, nil, nil)), instant{})
	for i := range r.Plan.Cells {
		r.Plan.Cells[i].Parameters = of("fixed").Cell.Parameters // which nobody may set
	}
	r.Host.Tree = treeWith("60")
	all := []*Turned{{Baseline: "c00", Cell: "c01"}, {Baseline: "c02", Cell: "c03", Failures: []string{"1", "2"}}}
	begun := map[string]int{}
	with := Turns{Pairs: 5, Couples: 1, Dir: t.TempDir()}
	with.Begin = func(one *Turned, pair int) { begun[one.Cell] = pair }
	if err := r.TakeTurns(t.Context(), with, all); err != nil {
		t.Fatal(err)
	}
	if begun["c01"] != 3 || begun["c03"] != 1 || len(all[0].Failures) != 3 || len(all[0].Ratios) > 0 {
		t.Errorf("begun %v; %+v", begun, all[0])
	}
	for i, f := range all[0].Failures {
		want := fmt.Sprintf("pair %d: ", i+1)
		const why = ": its frequency is to be set, but nothing may be changed on this machine"
		if !strings.HasPrefix(f, want) || !strings.HasSuffix(f, why) {
			t.Errorf("%q, want %s", f, want)
		}
	}
	if left, err := os.ReadDir(with.Dir); err != nil || len(left) > 0 {
		t.Errorf("%v are left, %v", left, err)
	}
	with.Begin = nil
	all[0].Failures = nil
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.TakeTurns(ended, with, all); !errors.Is(err, context.Canceled) || len(all[0].Failures) > 0 {
		t.Errorf("%v; %q", err, all[0].Failures)
	}
}

// turning is a scenario whose JVMs take turns.
type turning struct{ instant }

func (turning) Ready(context.Context, plan.Invocation, Subject, Recorder) error { return nil }

// TestTakesTurns: cells with a baseline and a fixture take turns, in scenarios that can.
func TestTakesTurns(t *testing.T) {
	for name, c := range map[string]struct {
		scenario Scenario
		change   func(c *plan.Cell)
		want     bool
	}{
		"a variant":        {turning{}, func(*plan.Cell) {}, true},
		"a proof":          {turning{}, func(c *plan.Cell) { c.Role = results.RoleProof }, false},
		"a baseline":       {turning{}, func(c *plan.Cell) { c.Baseline = "" }, false},
		"a program":        {turning{}, func(c *plan.Cell) { c.Launch.Fixture = "" }, false},
		"another scenario": {turning{}, func(c *plan.Cell) { c.Use = "other" }, false},
		"who can't":        {instant{}, func(*plan.Cell) {}, false},
	} {
		cell := &plan.Cell{Use: "instant"}
		cell.Baseline, cell.Role, cell.Launch.Fixture = "c00", results.RoleVariant, "calls"
		c.change(cell)
		if got := TakesTurns([]Scenario{c.scenario}, cell); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestTurning: an invocation that takes turns is the timing of its cell, at its place of the pair.
func TestTurning(t *testing.T) {
	r, _ := runnerOn(t, created(t, campaignOf(1, nil)), instant{})
	for slot := range 2 {
		inv, err := r.turning("c01", 7, slot)
		want := results.Identity{Block: 7, Slot: slot}
		if err != nil || inv.Cell.ID != "c01" || inv.Identity != want || inv.Profile != results.ProfileTiming {
			t.Errorf("%+v, %v", inv.Identity, err)
		}
	}
}

// TestExplained: why a JVM failed is what its log says of that, each line of it marked.
func TestExplained(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, jvm.LogName)
	one := &turner{attempt: &attempt{dir: dir}}
	other := errors.New("other")
	for name, c := range map[string]struct {
		t    *turner
		err  error
		want string
	}{
		"no JVM":     {nil, other, "other"},
		"no failure": {one, other, "other"},
		"a failure":  {one, &jvm.Failure{Message: "it died; see " + log}, "it died"},
		"its end":    {one, &jvm.Failure{Message: "it died", Tail: "a\nb"}, "it died\n| a\n| b"},
	} {
		if got := c.t.explained(c.err); got.Error() != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	(*turner)(nil).kill()
}
