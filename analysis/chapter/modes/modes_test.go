package modes_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/chapter/sizing"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// jvms makes up a campaign of a baseline, its A/A and a variant; x says how long
// an invocation of a cell takes, the third being the variant, and jit what its
// compiler took.
func jvms(blocks int, sizing *results.Sizing, x, jit func(cell, block int) float64) *testcampaign.Flat {
	f := &testcampaign.Flat{}
	f.Made.Scenarios = []results.Scenario{{Label: "s", Sizing: sizing, Metrics: []results.Metric{
		{Name: "x", Unit: "ns", Better: results.Lower, Primary: true}, {Name: "jit_ns", Unit: "ns"}, {Name: "gc_count", Unit: "1"},
	}}}
	f.Made.Cells = []results.Cell{
		{ID: "c0", Scenario: "s", Variant: "none", Role: results.RoleBaseline},
		{ID: "c1", Scenario: "s", Variant: "none", Role: results.RoleAA, Baseline: "c0"},
		{ID: "c2", Scenario: "s", Variant: "hot", Role: results.RoleVariant, Baseline: "c0"},
	}
	for b := range blocks {
		f.Made.Blocks = append(f.Made.Blocks, results.Block{Number: b + 1, Kind: results.BlockPlanned, Profile: results.ProfileTiming, Order: []string{"c0", "c1", "c2"}})
		for slot, c := range f.Made.Cells {
			f.All = append(f.All, &results.Invocation{
				Identity: results.Identity{Block: b + 1, Slot: slot}, Cell: c.ID, Profile: results.ProfileTiming, Status: results.StatusOK,
				Scalars: map[string]float64{"x": x(slot, b), "jit_ns": jit(slot, b), "gc_count": float64(b % 2)},
			})
		}
	}
	return f
}

// marksOfKind are the texts of a kind of marks, by cell.
func marksOfKind(t *testing.T, f *testcampaign.Flat, kind string) map[string]string {
	t.Helper()
	a, err := analysis.Analyse(f)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, c := range a.Scenarios[0].Cells {
		for _, m := range c.Marks {
			if m.Kind == kind {
				found[c.ID] = m.Show + ": " + m.Text
			}
		}
	}
	return found
}

func TestModesAreMarked(t *testing.T) {
	const blocks = 10
	r := rand.New(rand.NewPCG(5, 5))
	noise, drift := [3][blocks]float64{}, [blocks]float64{}
	for b := range blocks {
		drift[b] = 1 + 0.03*r.NormFloat64()
		for c := range noise {
			noise[c][b] = 1 + 0.003*r.NormFloat64()
		}
	}
	slow := func(b int) bool { return b%4 == 1 } // 3 of 10
	steady := func(int, int) float64 { return 1e9 }
	// modes is a campaign in which some invocations take more of what they take.
	modes := func(drifts bool, more func(cell, block int) float64) func(cell, block int) float64 {
		return func(cell, b int) float64 {
			x := 1000 * noise[cell][b] * (1 + more(cell, b))
			if drifts {
				x *= drift[b]
			}
			return x
		}
	}
	variant := func(apart float64) func(cell, b int) float64 {
		return func(cell, b int) float64 {
			if cell == 2 && slow(b) {
				return apart
			}
			return 0
		}
	}
	all := func(_, b int) float64 {
		if slow(b) {
			return 0.1
		}
		return 0
	}
	for name, tt := range map[string]struct {
		x, jit func(cell, block int) float64
		want   map[string]string // of the mark, by cell
	}{
		"the variant, blocks drift": {modes(true, variant(0.1)), steady, map[string]string{"c2": "two modes, 7 and 3: its JVMs fall into two modes: 7 JVMs are fast, and 3 are 10 % slower than these; no counter inside"}},
		"the compiler differs": {modes(false, variant(0.1)), func(cell, b int) float64 { return 1e9 * (1 + 10*variant(0.1)(cell, b)) }, map[string]string{
			"c2": "two modes, 7 and 3: its JVMs fall into two modes: 7 JVMs are fast, and 3 are 10 % slower than these; inside them these split likewise: jit_ns (1.000 s, in the slower ones 2.000 s);",
		}},
		"the machine has them": {modes(true, all), steady, nil},
		"none":                 {modes(true, variant(0)), steady, nil},
		"too close":            {func(cell, b int) float64 { return 1000*(1+variant(0.004)(cell, b)) + noise[cell][b]/100 }, steady, nil},
	} {
		got := marksOfKind(t, jvms(blocks, nil, tt.x, tt.jit), "modes")
		if len(got) != len(tt.want) {
			t.Errorf("%s: %v", name, got)
		}
		for cell, want := range tt.want {
			if !strings.HasPrefix(got[cell], want) {
				t.Errorf("%s: %s has %q, want %q", name, cell, got[cell], want)
			}
		}
	}
}

// A pilot whose JVMs fall into two modes asks for the blocks that the widest
// spread needs which it leaves possible: of 2 of 10, half of them.
func TestModesAskForBlocks(t *testing.T) {
	decided := func(slow int) results.CellSize {
		r := rand.New(rand.NewPCG(7, 7))
		f := jvms(results.PilotBlocks, &results.Sizing{Precision: 0.01, Pilot: results.PilotBlocks, MaxTimeNS: math.MaxInt64}, func(cell, b int) float64 {
			x := 1000 + 2*r.NormFloat64()
			if cell == 2 && b < slow {
				x += 100
			}
			return x
		}, func(int, int) float64 { return 1e9 })
		d, err := sizing.Size(f, "s")
		if err != nil {
			t.Fatal(err)
		}
		if (d.Cells[0].ModesSD > 0) != strings.Contains(d.Reason, "fall into two modes") {
			t.Error(d.Reason)
		}
		return d.Cells[0]
	}
	if none := decided(0); none.ModesSD != 0 || none.Wanted != results.PilotBlocks {
		t.Errorf("without modes: %+v", none)
	}
	two := decided(2)
	if math.Abs(two.ModesSD-50) > 2 || two.SD < 41 || two.SD > 44 {
		t.Errorf("%+v, want a spread of 50 at most, and 42 of the pilot", two)
	}
	// (1.06 × 2.262 × 50/10.2)² is 138; the pilot's own spread would ask for 99.
	if two.Wanted < 129 || two.Wanted > 147 {
		t.Error(fmt.Sprint(two.Wanted, " blocks"))
	}
}
