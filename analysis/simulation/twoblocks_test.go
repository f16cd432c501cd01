package simulation

import (
	"math"
	"math/rand/v2"
	"testing"

	"moobench/results"
)

// twoRows are campaigns whose variant ran in two blocks alone: in the others it failed, and its baselines
// did not, so that the law of their program leaves the two next to no degree of freedom.
var twoRows = []struct {
	name string
	wanderer
}{
	{"4.4 % between JVMs at one speed, 2 of 2", shared(blocks(2))},
	{"4.4 % between JVMs at one speed, 2 of 4", shared(blocks(4))},
	{"5 % between JVMs, 3 % between blocks, 2 of 3", busy(0.05, 0.03, 3)},
	{"12 % between JVMs, 2 of 3", busy(0.12, 0, 3)},
	{"30 % between JVMs, 2 of 3", busy(0.3, 0, 3)},
	{"30 % between JVMs, 2 of 5", busy(0.3, 0, 5)},
}

// TestTwoBlocks: however much the speed wanders, two blocks have an interval that is finite, and that
// holds the cost at the speed that the campaign ran at as often as it says.
func TestTwoBlocks(t *testing.T) {
	n := speedReplicates()
	for k, row := range twoRows {
		t.Run(row.name, func(t *testing.T) {
			const finite, held = 0, 1
			yes, all := repeat(n, 2, twoStream+uint64(k), func(_ int, r *rand.Rand, told func(int, bool)) {
				var p programs
				p.variant, p.base = row.elasticity(r)
				made := row.campaign(r, p)
				variant := made.Made.Cells[len(made.Made.Cells)-1].ID
				for _, inv := range made.Runs {
					if inv.Cell == variant && inv.Block > 2 {
						inv.Status, inv.Scalars = results.StatusFailed, nil
					}
				}
				s := &analysed(made).Scenarios[0]
				d := s.Cells[len(s.Cells)-1].MetricNamed("duration").Difference
				told(finite, d != nil && d.Interval != nil && d.Interval.Half() < 1e6*row.cost)
				if d != nil && d.Interval != nil {
					told(held, holds(d, row.costs(p, 1, math.Log(s.References[0].At/standardNS))))
				}
			})
			t.Logf("%d of %d are finite, %d of %d hold the cost", yes[finite], all[finite], yes[held], all[held])
			if yes[finite] < all[finite] {
				t.Errorf("%d of %d intervals are finite", yes[finite], all[finite])
			}
			if got := (rate{yes[held], all[held]}); got.below(0.95) {
				t.Errorf("%v %% of %d intervals hold the cost", got, got.of)
			}
		})
	}
}
