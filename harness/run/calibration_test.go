package run

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"moobench/harness/plan"
	"moobench/results"
)

// loaded is a scenario whose load is a share of what its baseline takes. It notes
// what the runner gave it.
type loaded struct {
	instant
	capacities []float64 // that calibrations find, in their order
	given      *[]float64
	void       func(plan.Invocation) bool
}

func (l loaded) Drive(ctx context.Context, inv plan.Invocation, s Subject, rec Recorder) error {
	if inv.Profile == results.ProfileCalibration {
		rec.Scalar(CapacityScalar, l.capacities[inv.Slot])
	} else {
		*l.given = append(*l.given, inv.Capacity)
	}
	if l.void != nil && l.void(inv) {
		rec.Invalid("sent too late")
	}
	return l.instant.Drive(ctx, inv, s, rec)
}

// calibratedCampaign begins with a block that calibrates three times.
func calibratedCampaign(t *testing.T, blocks int, l loaded) (dir string, r *Runner) {
	t.Helper()
	c := campaignOf(blocks, nil)
	for i := range c.Blocks {
		c.Blocks[i].Number++
	}
	c.Blocks = slices.Insert(c.Blocks, 0, results.Block{
		Number: 1, Kind: results.BlockCalibration, Profile: results.ProfileCalibration, Order: []string{"c00", "c00", "c00"},
	})
	dir = created(t, c)
	r, _ = runnerOn(t, dir, l.instant)
	r.Scenarios = []Scenario{l}
	for i := range r.Plan.Cells {
		r.Plan.Cells[i].Work.Calibration = "none jdk"
	}
	return dir, r
}

func TestCapacityIsTheMedianOfCalibrations(t *testing.T) {
	var given []float64
	_, r := calibratedCampaign(t, 2, loaded{capacities: []float64{300, 100, 200}, given: &given})
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(given, []float64{200, 200, 200, 200}) {
		t.Errorf("the timed invocations were given %v", given)
	}
}

func TestNoCapacityIsGivenUp(t *testing.T) {
	fails := func(inv plan.Invocation) bool { return inv.Profile == results.ProfileCalibration }
	var given []float64
	dir, r := calibratedCampaign(t, 1, loaded{instant: instant{fails: fails}, capacities: []float64{1, 2, 3}, given: &given})
	err := r.Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), ErrGivenUp.Error()) || len(given) != 0 {
		t.Errorf("error %v, driven %v", err, given)
	}
	for _, inv := range invocationsOf(t, dir) {
		if inv.Profile == results.ProfileTiming && inv.Status == results.StatusOK {
			t.Errorf("%s was measured without a capacity", inv.Identity)
		}
	}
}

func TestInvalidIsRepeated(t *testing.T) {
	c := campaignOf(8, nil)
	dir := created(t, c)
	r, _ := runnerOn(t, dir, instant{})
	var given []float64
	r.Scenarios = []Scenario{loaded{given: &given, void: func(inv plan.Invocation) bool { return inv.Block == 3 && inv.Slot == 1 }}}
	n := &notes{}
	r.Progress = n
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	var void []string
	for _, inv := range invocationsOf(t, dir) {
		if inv.Invalid != "" {
			void = append(void, fmt.Sprint(inv.Identity, " ", inv.Invalid))
		}
	}
	more := extras(t, dir)
	if !slices.Equal(void, []string{"b0003.s01.r0 sent too late"}) || len(more) != 1 || !slices.Equal(more[0].Repeats, []string{"b0003.s01.r0"}) {
		t.Errorf("void %v, repeated by %+v", void, more)
	}
}

// TestInvalidForEverIsBounded voids every invocation: repeating ends.
func TestInvalidForEverIsBounded(t *testing.T) {
	c := campaignOf(8, nil)
	dir := created(t, c)
	r, _ := runnerOn(t, dir, instant{})
	var given []float64
	r.Scenarios = []Scenario{loaded{given: &given, void: func(plan.Invocation) bool { return true }}}
	n := &notes{}
	r.Progress = n
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := len(extras(t, dir)); got != 2 || !strings.Contains(strings.Join(n.said, "\n"), "no more are") {
		t.Errorf("%d extra blocks; said %q", got, n.said)
	}
}
