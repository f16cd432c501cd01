package analysis

import (
	"math"
	"strings"
	"testing"

	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

func pinnedOf(t *testing.T, src Source, reference string) []Pinned {
	t.Helper()
	_, all, err := Pin(src, reference)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestPin: by hand, as in TestGateBounds: se 0.00816497, df 3, t(3; 0.025) = 3.182446.
func TestPin(t *testing.T) {
	f := gatedCampaign(results.Gate{WorseBy: 0.03, Alpha: 0.05}, tenPercent(), []float64{0.3, 0.3, 0.3, 0.3})
	all := pinnedOf(t, f, "")
	if len(all) != 4 {
		t.Fatalf("%d of 4 cells are pinned: %+v", len(all), all)
	}
	baseline, aa, v0, v1 := all[0], all[1], all[2], all[3]
	if baseline.Log != nil || baseline.Absent != "it is the reference itself" || baseline.Reference.ID != "c0" {
		t.Errorf("the baseline against itself: %+v", baseline)
	}
	if aa.Cell.Role != results.RoleAA || aa.Log == nil || aa.Reference.ID != "c0" || aa.Cell.Label != "none#aa" {
		t.Errorf("the A/A: %+v", aa)
	}
	if l := v0.Log; l.N != 4 || math.Abs(l.Value-0.1) > 1e-12 || math.Abs(l.Interval.Low-0.0740154) > 1e-6 || math.Abs(l.Interval.High-0.1259846) > 1e-6 || l.Interval.Level != 0.95 {
		t.Errorf("%+v at %+v", *l, *l.Interval)
	}
	if l := v0.Log; math.Abs(*l.SE-0.00816497) > 1e-8 || *l.DF != 3 || math.Abs(*l.SD-0.0163299) > 1e-7 {
		t.Errorf("se %v, df %v, sd %v", *l.SE, *l.DF, *l.SD)
	}
	if v1.Metric.Name != "x" || v1.Scenario.Label != "s" || v1.Cell.ID != "c3" {
		t.Errorf("%+v", v1)
	}
}

// TestPinToAVariant: any variant is a reference, and the baseline has a value against it.
func TestPinToAVariant(t *testing.T) {
	f := gatedCampaign(results.Gate{WorseBy: 0.03, Alpha: 0.05}, tenPercent(), []float64{0.3, 0.3, 0.3, 0.3})
	f.Made.Cells[2].Variant, f.Made.Cells[3].Variant = "v/bci/tcp", "w/bci/tcp"
	all := pinnedOf(t, f, "v/bci/tcp")
	if none, other := all[0], all[3]; math.Abs(none.Log.Value+0.1) > 1e-12 || math.Abs(other.Log.Value-0.2) > 1e-12 || other.Reference.ID != "c2" {
		t.Errorf("%+v, %+v", none, other)
	}
	if all[2].Log != nil || all[2].Absent != "it is the reference itself" {
		t.Errorf("against itself: %+v", all[2])
	}
	for _, p := range pinnedOf(t, f, "x") {
		if p.Log != nil || p.Reference != nil || p.Absent != "there is no x at its factor level" {
			t.Errorf("a variant that no scenario has: %+v", p)
		}
	}
}

// TestPinSaysWhyNot: what has no pairs is there, with the reason.
func TestPinSaysWhyNot(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*gatedFlat)
		want   string
	}{
		"imported":        {func(f *gatedFlat) { f.Made.Design = results.DesignUnordered }, "unordered: there are no pairs"},
		"nothing made":    {func(f *gatedFlat) { f.fail(1, 2, 3, 4) }, "no invocation observed it"},
		"no common block": {func(f *gatedFlat) { f.fail(1, 2, 3); f.of(4, "c0").Status = results.StatusFailed }, "no block holds both it and its reference"},
		"not positive":    {func(f *gatedFlat) { f.set("c2", 2, 0) }, "a value is 0 or below, so there is no ratio"},
		"a count":         {func(f *gatedFlat) { f.Made.Scenarios[0].Metrics[0].Of = "requests" }, countsAreRates},
		"void":            {func(f *gatedFlat) { f.void("c2") }, "4 runs, and none counts"},
		"reference void":  {func(f *gatedFlat) { f.void("c0") }, "its reference none: 4 runs, and none counts"},
		"calibration":     {func(f *gatedFlat) { f.Made.Scenarios[0].Metrics[0].Profile = results.ProfileCalibration }, "it is found before the measurement: there are no pairs"},
	} {
		f := gatedCampaign(results.Gate{WorseBy: 0.03, Alpha: 0.05}, tenPercent())
		c.change(f)
		for _, p := range pinnedOf(t, f, "") {
			if p.Cell.ID == "c2" && (p.Log != nil || !strings.HasPrefix(p.Absent, c.want)) {
				t.Errorf("%s: %+v, %q, want %q", name, p.Log, p.Absent, c.want)
			}
		}
	}
}

func (f *gatedFlat) void(cell string) {
	for _, inv := range f.All {
		if inv.Cell == cell {
			inv.Invalid = "it came too late"
		}
	}
}

// TestPinOnePair: one pair has a value, and no spread.
func TestPinOnePair(t *testing.T) {
	f := gatedCampaign(results.Gate{WorseBy: 0.03, Alpha: 0.05}, tenPercent())
	f.fail(2, 3, 4)
	if p := pinnedOf(t, f, "")[2]; p.Log == nil || p.Log.N != 1 || p.Log.Interval != nil || p.Log.NoInterval == "" || p.Log.SE != nil || p.Log.DF != nil || p.Absent != "" {
		t.Errorf("%+v", p)
	}
}

// TestPinWholeCampaigns: of each cell but proofs its primary and key metrics, and
// each has a logarithm or says why not.
func TestPinWholeCampaigns(t *testing.T) {
	for name, s := range map[string]*testcampaign.Store{
		"small": testcampaign.Small(), "troubled": testcampaign.Troubled(), "served": testcampaign.Served(), "swapped": testcampaign.Swapped(),
		"factored": testcampaign.Factored(), "repeated": testcampaign.Repeated(), "unordered": testcampaign.Unordered(),
	} {
		want := 0
		for _, c := range s.Made.Cells {
			if c.Role == results.RoleProof {
				continue
			}
			sc := s.Made.Scenario(c.Scenario)
			for _, m := range sc.Metrics {
				if m.Key || m.Name == evidence.NewView(s.Campaign(), sc, nil).Primary.Name {
					want++
				}
			}
		}
		all := pinnedOf(t, s, "")
		if len(all) != want {
			t.Errorf("%s: %d pinned metrics, want %d", name, len(all), want)
		}
		for _, p := range all {
			if (p.Log == nil) != (p.Absent != "") || p.Log != nil && p.Log.N > 1 && (p.Log.SE == nil || !(*p.Log.SE >= 0) || *p.Log.DF < 1) {
				t.Errorf("%s: %s of %s: %+v, absent %q", name, p.Metric.Name, p.Cell.Label, p.Log, p.Absent)
			}
		}
	}
}

// TestPinTwoBlocksApart: where two blocks differ much the interval of the ratio overflows. The logarithm and its error,
// which a night keeps, do not.
func TestPinTwoBlocksApart(t *testing.T) {
	f := gatedCampaign(results.Gate{WorseBy: 0.03, Alpha: 0.05}, []float64{0, 160})
	v := pinnedOf(t, f, "")[2]
	if l := v.Log; l == nil || math.Abs(l.Value-80) > 1e-9 || math.Abs(*l.SE-80) > 1e-9 || *l.DF != 1 {
		t.Errorf("%q, %+v", v.Absent, l)
	}
	a, err := Analyse(f)
	if err != nil {
		t.Fatal(err)
	}
	if c := a.Gate.Cells[0]; c.Verdict != infer.UndecidedYet {
		t.Errorf("the gate says %+v", c)
	}
}
