package session

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"moobench/analysis"
	"moobench/results"
	"moobench/results/summary"
)

// observed is a campaign of a baseline of 100 ns and a variant of 200 ns, which takes so much longer in each block.
type observed []float64

func (o observed) Campaign() *results.Campaign {
	c := &results.Campaign{
		Source: "moobench", Design: results.DesignBlocks,
		Scenarios: []results.Scenario{{Label: "s", Use: "s", Metrics: []results.Metric{
			{Name: "wall", Unit: "ns", Better: results.Lower, Primary: true, Profile: results.ProfileTiming},
		}}},
		Cells: []results.Cell{
			{ID: "c00", Scenario: "s", Variant: "none", Role: results.RoleBaseline},
			{ID: "c01", Scenario: "s", Variant: "mine", Role: results.RoleVariant, Baseline: "c00"},
		},
	}
	for i := range o {
		c.Blocks = append(c.Blocks, results.Block{
			Number: i + 1, Kind: results.BlockPlanned, Profile: results.ProfileTiming, Order: []string{"c00", "c01"},
		})
	}
	return c
}

func (o observed) Machines() ([]*results.Machine, error) { return nil, nil }

func (o observed) Invocations() (all []*results.Invocation, err error) {
	for i, more := range o {
		for slot, ns := range []float64{100, 200 + more} {
			all = append(all, &results.Invocation{
				Identity: results.Identity{Block: i + 1, Slot: slot}, Cell: []string{"c00", "c01"}[slot],
				Status: results.StatusOK, Profile: results.ProfileTiming, Scalars: map[string]float64{"wall": ns},
			})
		}
	}
	return all, nil
}

func (o observed) Summary(*results.Invocation) (*summary.Summary, error) {
	return nil, errors.New("there are no samples")
}

// even are ten blocks, of which each is as far from the mean as the others.
func even(by float64) (o observed) {
	for i := range 10 {
		o = append(o, math.Copysign(by, float64(i%2)-0.5))
	}
	return o
}

// reachOf is what campaigns say of the variant's cost.
func reachOf(t *testing.T, all ...observed) *analysis.Reach {
	t.Helper()
	var sum *analysis.Reach
	for _, o := range all {
		found, err := analysis.Reaches(o)
		if err != nil || found["c01"] == nil {
			t.Fatal(found, err)
		}
		if sum == nil {
			sum = found["c01"]
			continue
		}
		sum = sum.Plus(found["c01"])
	}
	return sum
}

// TestForecast: how exact a cost will be is said for the planned blocks and for a minute, with the blocks that the
// wanted width needs; that it is rough is said where campaigns differ much, or one block has most of the spread.
func TestForecast(t *testing.T) {
	one := append(even(1)[:9], 9)
	for _, c := range []struct {
		name   string
		f      forecast
		reach  *analysis.Reach
		family int
		want   []string // in parts
	}{
		{
			"one campaign",
			forecast{blocks: 20, wanted: 0.01},
			reachOf(t, even(4)), 1,
			[]string{"20 blocks: about ± 1.0 % of its own mean", "± 1 % with 20 blocks"},
		},
		{
			"of more variants",
			forecast{blocks: 20, wanted: 0.01},
			reachOf(t, even(4)), 5,
			[]string{"20 blocks: about ± 1.3 % of its own mean", "± 1 % with 34 blocks"},
		},
		{
			"blocks of a known time",
			forecast{blocks: 20, wanted: 0.01, block: 10 * time.Second},
			reachOf(t, even(4)), 1,
			[]string{
				"20 blocks: about ± 1.0 % of its own mean",
				"± 2.2 % in a minute", "± 1 % in 4 min (20 blocks)",
			},
		},
		{
			"blocks of half a minute",
			forecast{blocks: 20, wanted: 0.01, block: 30 * time.Second},
			reachOf(t, even(4)), 1,
			[]string{
				"20 blocks: about ± 1.0 % of its own mean",
				"± 19 % in a minute", "± 1 % in 10 min (20 blocks)",
			},
		},
		{
			"blocks that take longer than a minute",
			forecast{blocks: 20, wanted: 0.01, block: 31 * time.Second},
			reachOf(t, even(4)), 1,
			[]string{"20 blocks: about ± 1.0 % of its own mean", "± 1 % in 11 min (20 blocks)"},
		},
		{
			"after a pilot",
			forecast{blocks: 20, wanted: 0.05, pilot: 10},
			reachOf(t, even(4)), 1,
			[]string{"20 blocks: about ± 1.1 % of its own mean", "± 5 % with 10 blocks"},
		},
		{
			"two blocks",
			forecast{blocks: 2, wanted: 0.01},
			reachOf(t, even(4)), 1,
			[]string{"2 blocks: about ± 19 % of its own mean", "± 1 % with 20 blocks"},
		},
		{
			"one block",
			forecast{blocks: 1, wanted: 0.01},
			reachOf(t, even(4)), 1,
			[]string{"± 1 % with 20 blocks"},
		},
		{
			"campaigns that differ",
			forecast{blocks: 20, wanted: 0.01},
			reachOf(t, even(4), even(10)), 1,
			[]string{
				"20 blocks: about ± 1.7 % of its own mean", "± 1 % with 55 blocks",
				"rough: by single campaigns ± 1.0 % to ± 2.5 %",
			},
		},
		{
			"campaigns that differ by chance",
			forecast{blocks: 20, wanted: 0.01},
			reachOf(t, even(4), even(7)), 1,
			[]string{"20 blocks: about ± 1.4 % of its own mean", "± 1 % with 35 blocks"},
		},
		{
			"one block of all",
			forecast{blocks: 20, wanted: 0.01},
			reachOf(t, one), 1,
			[]string{
				"20 blocks: about ± 0.7 % of its own mean", "± 1 % with 12 blocks",
				"rough: 80 % of a campaign's spread is one block's",
			},
		},
	} {
		cell := &results.Cell{Variant: "mine"}
		if got := c.f.text(foreseen{cell: cell, reach: c.reach, family: c.family}); got != strings.Join(c.want, "; ") {
			t.Errorf("%s: %s\nwant %q", c.name, got, c.want)
		}
	}
}

// TestForecastOfSeveral: each variant that a campaign has measured has a line, and the newest campaign is named.
func TestForecastOfSeveral(t *testing.T) {
	f := &forecast{blocks: 20, wanted: 0.01, folders: []string{"runs/b"}, variants: []foreseen{
		{cell: &results.Cell{Variant: "mine"}, reach: reachOf(t, even(4)), family: 2},
		{cell: &results.Cell{Variant: "nobody measured it"}, family: 2},
		{cell: &results.Cell{Variant: "mine/too"}, reach: reachOf(t, even(4)), family: 2},
	}}
	for head, folders := range map[string][]string{
		"\nhow exact, by the spread in runs/b\n":                                 {"runs/b"},
		"\nhow exact, by the spread in 2 campaigns, the newest of them runs/b\n": {"runs/b", "runs/a"},
	} {
		f.folders = folders
		var out bytes.Buffer
		f.write(&out)
		each := f.text(f.variants[0])
		want := head + "  mine                " + each + "\n  mine/too            " + each + "\n"
		if out.String() != want {
			t.Errorf("%s\nwant %s", out.String(), want)
		}
	}
	if strings.Contains(f.text(f.variants[0]), "rough") {
		t.Error("even blocks are rough")
	}
}

// TestTwins: those cells of an earlier campaign count that do the same.
func TestTwins(t *testing.T) {
	now, deep := even(4).Campaign(), []results.Value{{Name: "depth", Value: "2"}}
	for name, c := range map[string]struct {
		change func(old *results.Campaign)
		want   int
	}{
		"the same":         {func(*results.Campaign) {}, 2},
		"another ID":       {func(old *results.Campaign) { old.Cells[1].ID = "c07" }, 2},
		"another variant":  {func(old *results.Campaign) { old.Cells[1].Variant = "theirs" }, 1},
		"another scenario": {func(old *results.Campaign) { old.Cells[1].Scenario = "t" }, 1},
		"another role":     {func(old *results.Campaign) { old.Cells[0].Role = results.RoleVariant }, 1},
		"another level":    {func(old *results.Campaign) { old.Cells[1].Parameters = deep }, 1},
	} {
		old := even(4).Campaign()
		c.change(old)
		if twins := twinsOf(now, old, "s"); len(twins) != c.want {
			t.Errorf("%s: %d twins, want %d", name, len(twins), c.want)
		}
	}
	if twins := twinsOf(now, now, "t"); len(twins) != 0 {
		t.Errorf("cells of one scenario are twins of another one's: %v", twins)
	}
}

// TestVariantsBeside: the variants of a cell's own level and scenario share the error of its interval.
func TestVariantsBeside(t *testing.T) {
	deep := []results.Value{{Name: "depth", Value: "10"}}
	c := &results.Campaign{Cells: []results.Cell{
		{ID: "c00", Scenario: "s", Role: results.RoleBaseline},
		{ID: "c01", Scenario: "s", Role: results.RoleVariant},
		{ID: "c02", Scenario: "s", Role: results.RoleVariant},
		{ID: "c03", Scenario: "s", Role: results.RoleVariant, Factors: deep},
		{ID: "c04", Scenario: "t", Role: results.RoleVariant},
		{ID: "c05", Scenario: "s", Role: results.RoleProof},
	}}
	for id, want := range map[string]int{"c01": 2, "c02": 2, "c03": 1, "c04": 1} {
		if got := variantsBeside(c, c.Cell(id)); got != want {
			t.Errorf("%s: %d, want %d", id, got, want)
		}
	}
}
