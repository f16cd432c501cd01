package analysis

import (
	"math"
	"slices"
	"testing"

	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// A p50 of a few ticks of the clock stands still while the speed wanders. At the standard speed it
// is what most programs would take, and its interval says how little is known of that.
func TestQuantileOnSteps(t *testing.T) {
	cells := append(testcampaign.Baselines(), testcampaign.Variant(2, "kieker/bci/collect", results.ProofPlan{Kind: results.ProofNone}))
	var values []testcampaign.Value
	for b := range 9 {
		speed := 0.04 * math.Sin(float64(3*b))
		for slot, ns := range []int64{30, 30, int64(5000 * math.Exp(speed))} {
			values = append(values, testcampaign.Value{Block: b + 1, Slot: slot, Cell: cells[slot].ID, Calls: slices.Repeat([]int64{ns}, 24), ReferenceNS: 2000 * math.Exp(speed)})
		}
	}
	src := testcampaign.FromValues(cells, values)
	src.Made.Standards = []results.Standard{{NS: 1700, From: "benchmarks.toml"}}
	a, err := Analyse(src)
	if err != nil {
		t.Fatal(err)
	}
	base, variant := &a.Scenarios[0].Cells[0], &a.Scenarios[0].Cells[2]
	q := base.MetricNamed("duration").Quantile("p50")
	if math.Abs(q.Estimate.Value-30) > 0.01 {
		t.Errorf("as it ran: %v", q.Estimate.Value)
	}
	s := q.AtStandard
	if s == nil || s.Elasticity != 1 || !(s.ElasticitySE > 0.2) || math.Abs(s.Estimate.Value-30*1700/2000.) > 1 || s.Estimate.Interval.Half() < 1 {
		t.Errorf("at the standard: %+v, %+v", s, s.Estimate)
	}
	if d := variant.MetricNamed("duration").Quantile("p50").AtStandard; math.Abs(d.Elasticity-1) > 0.05 || math.Abs(d.Difference.Value/(4970*0.85)-1) > 0.02 {
		t.Errorf("what the variant adds: %+v, %+v", d, d.Difference)
	}
}
