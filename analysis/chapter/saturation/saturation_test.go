package saturation_test

import (
	"math"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/chapter/saturation"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/proof"
)

// saturated are the curves of a made-up campaign, by variant.
func saturated(t *testing.T, blocks int) (map[string]saturation.Curve, *analysis.Answers) {
	t.Helper()
	a, err := analysis.Analyse(testcampaign.Saturated(blocks))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]saturation.Curve{}
	for _, s := range a.Scenarios[0].Saturations {
		all[s.Variant] = s
	}
	return all, a
}

func TestSaturation(t *testing.T) {
	all, a := saturated(t, 10)
	tests := map[string]struct {
		holds      float64 // that the interval has in it; 0: it is open
		low, high  bool    // which ends there are
		text, more string
	}{
		"none":              {0, true, false, "sustains above 100,000 calls per second (above 100,000; 97.85 % over 10 JVMs): no rate that was tried is too high", ""},
		"loses/bci/x":       {20_000 / 0.99, true, true, ": above it, records are lost", ""},
		"slows/bci/x":       {30_000 / 0.99, true, true, ": above it, calls take too long for the rate, and no record is lost", ""},
		"bears/bci/x":       {0, true, false, "sustains above 100,000", ""},
		"unseen/bci/x":      {0, true, false, "sustains above 100,000", "its records were not counted while it ran"},
		"none-at-all/bci/x": {0, false, true, "sustains below 1,000 calls per second (below 1,000; ", "not even the lowest rate was sustained"},
	}
	if len(all) != len(tests) {
		t.Errorf("%d saturations, want %d", len(all), len(tests))
	}
	for variant, tt := range tests {
		s := all[variant]
		k := s.Knee
		if k == nil || (k.Low != nil) != tt.low || (k.High != nil) != tt.high || k.JVMs != 10 {
			t.Errorf("%s: %+v", variant, k)
			continue
		}
		if tt.holds > 0 && !(*k.Low <= tt.holds && tt.holds <= *k.High && *k.Low < *k.Value && *k.Value < *k.High && *k.High < 1.2**k.Low) {
			t.Errorf("%s: %v … %v does not hold %v", variant, *k.Low, *k.High, tt.holds)
		}
		if (k.Value != nil) != (tt.holds > 0) || !strings.Contains(s.Text, tt.text) || !strings.Contains(strings.Join(s.Caveats, "; "), tt.more) || tt.more == "" && s.Caveats != nil {
			t.Errorf("%s: %s; %q", variant, s.Text, s.Caveats)
		}
		if c := a.Scenarios[0].Cell(s.Cell); c.Records != nil && c.Records.Verdict != proof.Instrumented {
			t.Errorf("%s: %s: %s", variant, c.Records.Verdict, c.Records.Text)
		}
	}
}

func TestRatesOfACurve(t *testing.T) {
	all, _ := saturated(t, 10)
	loses := all["loses/bci/x"]
	if len(loses.Rates) != 5 || loses.Rates[4].Asked != 100_000 {
		t.Fatalf("%+v", loses.Rates)
	}
	close := func(e *analysis.Estimate, want float64) bool {
		return e != nil && math.Abs(e.Value-want) < 0.001*math.Abs(want)
	}
	r := loses.Rates[4]
	if !close(r.Share, 0.2) || !close(r.Offered, 100_000) || !close(r.Call, 400) || !close(r.CallMore, 350) || !close(r.FromDue, 60_400) || !close(r.CPUMore, 700) {
		t.Errorf("share %+v, offered %+v, call %+v, more %+v, from due %+v, CPU more %+v", r.Share, r.Offered, r.Call, r.CallMore, r.FromDue, r.CPUMore)
	}
	if r := loses.Rates[0]; r.Share.Value != 1 || r.Share.Interval != nil && r.Share.Interval.High > 1 {
		t.Errorf("%+v", r.Share)
	}
	if slows := all["slows/bci/x"].Rates[4]; !close(slows.Offered, 30_000) || slows.Share.Value != 1 {
		t.Errorf("%+v, %+v", slows.Offered, slows.Share)
	}
	if base := all["none"].Rates[0]; base.Share != nil || base.CallMore != nil {
		t.Errorf("%+v", base)
	}
}

// TestFewJVMsHaveNoInterval: with less than six the ends are all that was seen, and it is said.
func TestFewJVMsHaveNoInterval(t *testing.T) {
	all, _ := saturated(t, 5)
	if s := all["loses/bci/x"]; s.Knee.Level != 0 || !strings.Contains(s.Text, "over all of 5 JVMs; an interval needs six") {
		t.Errorf("%+v: %s", s.Knee, s.Text)
	}
}
