package analysis

import (
	"math/rand/v2"
	"strings"
	"testing"

	"moobench/analysis/evidence"
	"moobench/results"
)

// TestLevelChange: a change is found where it is, also in the many nights of some years, and
// none in noise, however heavy its tails are.
func TestLevelChange(t *testing.T) {
	series := func(rng *rand.Rand, n, from, to int, ratio float64) []float64 {
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = 10 + rng.NormFloat64()/(0.3+rng.Float64())
			if i >= from && i < to {
				xs[i] *= ratio
			}
		}
		return xs
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for _, test := range []struct{ n, from, to int }{{40, 15, 40}, {100, 50, 100}, {1397, 700, 1397}, {900, 300, 600}} {
		from, to := levelChange(series(rng, test.n, test.from, test.to, 1.6), 7)
		if each := test.n/levelPoints + 2; max(test.from-from, from-test.from, test.to-to, to-test.to) > each {
			t.Errorf("%+v: it is seen from %d to %d", test, from, to)
		}
	}
	alarms := 0
	for i := range 300 {
		if from, to := levelChange(series(rng, 60, 0, 0, 1), uint64(i)); from != to {
			alarms++
		}
	}
	if alarms > 3 { // wanted: one in a thousand
		t.Errorf("%d of 300 series of noise change", alarms)
	}
	for _, n := range []int{0, 1, 9} {
		if from, to := levelChange(make([]float64, n), 7); from != to {
			t.Errorf("%d values change from %d to %d", n, from, to)
		}
	}
}

// TestLevelsMark: the baseline of blocks that another tool measured is told to change from the block on where it does.
func TestLevelsMark(t *testing.T) {
	campaign := func(ratio float64, design results.Design) *reader {
		made := oneScenario(
			results.Cell{ID: "c0", Role: results.RoleBaseline},
			results.Cell{ID: "c1", Baseline: "c0", Role: results.RoleVariant},
		)
		made.Design = design
		var all []*evidence.Invocation
		for block := range 40 {
			x := 1000 + float64(block%3)
			if block >= 20 {
				x *= ratio
			}
			for _, cell := range []string{"c0", "c1"} {
				inv := &results.Invocation{
					Identity: results.Identity{Block: block + 1}, Cell: cell,
					Profile: results.ProfileTiming, Status: results.StatusOK,
				}
				all = append(all, &evidence.Invocation{Values: map[string]float64{"m": x}, Invocation: inv})
			}
		}
		return readerOf(made, all...)
	}
	for _, c := range []struct {
		name   string
		ratio  float64
		design results.Design
		cell   Cell
		want   string // of its text
	}{
		{
			"doubled", 2, results.DesignPaired,
			Cell{ID: "c1", Baseline: "c0", Role: results.RoleVariant},
			"the baseline goes from 1.001 µs to 2.002 µs at block 21: ",
		},
		{
			"halved", 0.5, results.DesignPaired,
			Cell{ID: "c1", Baseline: "c0", Role: results.RoleVariant},
			"the baseline goes from 1.001 µs to 500.5 ns at block 21: ",
		},
		{"by less", 1.09, results.DesignPaired, Cell{ID: "c1", Baseline: "c0", Role: results.RoleVariant}, ""},
		{"not at all", 1, results.DesignPaired, Cell{ID: "c1", Baseline: "c0", Role: results.RoleVariant}, ""},
		{"in blocks of ours", 2, results.DesignBlocks, Cell{ID: "c1", Baseline: "c0", Role: results.RoleVariant}, ""},
		{"of a baseline", 2, results.DesignPaired, Cell{ID: "c0", Role: results.RoleBaseline}, ""},
		{
			"of an invalid cell", 2, results.DesignPaired,
			Cell{ID: "c1", Baseline: "c0", Role: results.RoleVariant, Invalid: "why"},
			"",
		},
	} {
		ms := campaign(c.ratio, c.design).levels(&c.cell)
		if (len(ms) == 1) != (c.want != "") || len(ms) == 1 && !strings.HasPrefix(ms[0].Text, c.want) {
			t.Errorf("%s: %+v, want %s", c.name, ms, c.want)
		}
	}
}
