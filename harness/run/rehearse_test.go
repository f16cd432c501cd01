package run

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/results"
)

// TestRehearses: a server is tried, and a command of which some block times a variant first, if its limit follows.
func TestRehearses(t *testing.T) {
	none, command, server := programs()
	for name, c := range map[string]struct {
		baseline plan.Cell
		derived  bool
		profile  results.Profile
		order    string // of the second block
		want     bool
	}{
		"no program":           {none, true, results.ProfileTiming, "c01 c00", false},
		"a server":             {server, false, results.ProfileTiming, "c00 c01", true},
		"a baseline first":     {command, true, results.ProfileTiming, "c00 c01", false},
		"a variant first":      {command, true, results.ProfileTiming, "c01 c00", true},
		"a variant alone":      {command, true, results.ProfileTiming, "c01", true},
		"its second baseline":  {command, true, results.ProfileTiming, "c02 c00 c01", false},
		"another's variant":    {command, true, results.ProfileTiming, "c03 c00 c01", false},
		"neither of them":      {command, true, results.ProfileTiming, "c02 c03 gone", false},
		"a limit of its own":   {command, false, results.ProfileTiming, "c01 c00", false},
		"first, but not timed": {command, true, results.ProfileResources, "c01 c00", false},
	} {
		campaign := campaignOf(2, nil)
		campaign.Cells = append(campaign.Cells, results.Cell{ID: "c02", Role: results.RoleAA, Baseline: "c00"},
			results.Cell{ID: "c03", Role: results.RoleVariant, Baseline: "c09"})
		p := &plan.Plan{Campaign: campaign}
		for _, cell := range campaign.Cells {
			p.Cells = append(p.Cells, plan.Cell{Cell: cell, Derived: c.derived, Program: c.baseline.Program})
		}
		campaign.Blocks[1].Order, campaign.Blocks[1].Profile = strings.Fields(c.order), c.profile
		got := Rehearses(p)
		if (got != nil) != c.want || got != nil && got.ID != "c00" {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// tried is a scenario whose server answers, or whose command fails.
type tried struct {
	instant
	scalars map[string]float64
	err     error
}

func (s tried) Drive(ctx context.Context, inv plan.Invocation, subject Subject, rec Recorder) error {
	for name, value := range s.scalars {
		rec.Scalar(name, value)
	}
	if err := s.instant.Drive(ctx, inv, subject, rec); err != nil || s.err == nil {
		return err
	}
	if f, is := errors.AsType[*jvm.Failure](s.err); is {
		f.Message = strings.ReplaceAll(f.Message, "LOG", subject.Log())
	}
	return s.err
}

// TestRehearse: what a trial found is kept; why it failed is what its log says, each line of it marked.
func TestRehearse(t *testing.T) {
	for name, c := range map[string]struct {
		scenario tried
		took     time.Duration // 0: as long as it was
		capacity float64
		want     string
	}{
		"a command": {want: ""},
		"a server": {
			scenario: tried{scalars: map[string]float64{CapacityScalar: 70, ServerStartup: 5e9}},
			took:     5 * time.Second, capacity: 70,
		},
		"no failure": {scenario: tried{err: errors.New("no disk")}, want: "no disk"},
		"a failure":  {scenario: tried{err: &jvm.Failure{Message: "it died; see LOG"}}, want: "it died"},
		"with its tail": {
			scenario: tried{err: &jvm.Failure{Message: "it died", Tail: "a\nb"}}, want: "it died\n| a\n| b",
		},
	} {
		cell := plan.Cell{Use: "instant", Timeout: time.Minute}
		_, command, _ := programs()
		cell.Program = command.Program
		cell.Program.Run = []string{"true"}
		p := &plan.Plan{Campaign: campaignOf(1, nil)}
		r := &Runner{Artifacts: &Artifacts{}, Scenarios: []Scenario{c.scenario}, Plan: p}
		err := r.Rehearse(t.Context(), cell)
		if (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		took := r.Tried.took
		if r.Tried.Capacity != c.capacity || c.took > 0 && took != c.took || err == nil && took <= 0 {
			t.Errorf("%s: %+v", name, r.Tried)
		}
	}
}
