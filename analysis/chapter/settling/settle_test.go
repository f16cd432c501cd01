package settling

import (
	"math"
	"strings"
	"testing"

	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// open is a campaign whose pilot has yet to decide.
func open(change func(*testcampaign.Store)) *testcampaign.Store {
	s := testcampaign.Settled()
	s.Made.Scenarios[0].Settling.Decision = nil
	if change != nil {
		change(s)
	}
	return s
}

// A pilot goes on with the first cell that it doesn't know enough of; one that was given up is left out.
func TestSettleGoesOn(t *testing.T) {
	givenUp := func(ids ...string) func(*testcampaign.Store) {
		return func(s *testcampaign.Store) {
			for _, id := range ids {
				s.Made.GivenUp = append(s.Made.GivenUp, results.GivenUp{Cell: id})
			}
		}
	}
	for name, c := range map[string]struct {
		change func(*testcampaign.Store)
		cell   string
		calls  int64
	}{
		"the baseline first":    {nil, "c00", 4_000_000},
		"then the variants":     {givenUp("c00"), "c02", 1_200_000},
		"in their order":        {givenUp("c00", "c02"), "c03", 2_700_000},
		"nothing was tried yet": {func(s *testcampaign.Store) { s.Runs = nil }, "c00", results.PilotCalls},
	} {
		cell, calls, d, err := Settle(open(c.change), "overhead")
		if err != nil || d != nil || cell != c.cell || calls != c.calls {
			t.Errorf("%s: %s with %d calls, %+v, %v", name, cell, calls, d, err)
		}
	}
	_, _, d, err := Settle(open(givenUp("c00", "c02", "c03")), "overhead")
	if err != nil || d == nil || len(d.Groups) != 1 || len(d.Groups[0].Cells) != 4 {
		t.Errorf("%+v, %v", d, err)
	}
}

// What can't be decided says why.
func TestSettleRefuses(t *testing.T) {
	for _, c := range []struct {
		want, scenario string
		change         func(*testcampaign.Store)
	}{
		{`scenario "other" leaves none open`, "other", nil},
		{`scenario "overhead" leaves none open`, "overhead", func(s *testcampaign.Store) { s.Made.Scenarios[0].Settling = nil }},
		{"invocation b0005.s03.r0: no summary", "overhead", func(s *testcampaign.Store) { s.Summaries = nil }},
		{"b0005.s03.r0 of none timed none: other work", "overhead", func(s *testcampaign.Store) { s.Runs[piloted(s)].Invalid = "other work" }},
	} {
		_, _, d, err := Settle(open(c.change), c.scenario)
		if d != nil || err == nil || !strings.HasPrefix(err.Error(), "deciding on a number of calls: "+c.want) {
			t.Errorf("%q: %+v, %v", c.want, d, err)
		}
	}
}

// piloted is the index of the first run of a pilot.
func piloted(s *testcampaign.Store) int {
	for i, inv := range s.Runs {
		if inv.Profile == results.ProfilePilot {
			return i
		}
	}
	return -1
}

// Cells of other scenarios, and those that only prove, are in no group.
func TestGroups(t *testing.T) {
	c := &results.Campaign{Cells: []results.Cell{
		{ID: "c00", Scenario: "s", Role: results.RoleBaseline},
		{ID: "c01", Scenario: "s", Role: results.RoleVariant, Baseline: "c00"},
		{ID: "c02", Scenario: "s", Role: results.RoleProof},
		{ID: "c03", Scenario: "other", Role: results.RoleBaseline},
	}}
	d := decideCalls(c, &results.Scenario{Label: "s", Settling: &results.Settling{WithinNS: 1e9}}, nil)
	if len(d.Groups) != 1 || len(d.Groups[0].Cells) != 2 || d.Groups[0].Cells[1].Cell != "c01" {
		t.Errorf("%+v", d.Groups)
	}
}

// Numbers of calls have two digits.
func TestRounded(t *testing.T) {
	for n, want := range map[int64][2]int64{0: {0, 0}, 7: {7, 7}, 15: {15, 15}, 99: {99, 99}, 101: {100, 110}, 1_234_567: {1_200_000, 1_300_000}} {
		if down, up := rounded(n, math.Floor), rounded(n, math.Ceil); down != want[0] || up != want[1] {
			t.Errorf("%d: %d and %d, want %v", n, down, up, want)
		}
	}
}
