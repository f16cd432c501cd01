package analysis_test

import (
	"errors"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// What is measured is what the answers rest on.
func TestMeasure(t *testing.T) {
	s := testcampaign.Troubled()
	s.Unreadable = nil
	all, err := analysis.Measure(s)
	if err != nil {
		t.Fatal(err)
	}
	a := analyse(t, s)
	if len(all) != len(a.Invocations) {
		t.Fatalf("%d invocations instead of %d", len(all), len(a.Invocations))
	}
	compared := 0
	for i, m := range all {
		inv := a.Invocations[i]
		if inv.Value == nil {
			continue
		}
		compared++
		if v := m.Values["duration"]; m.Identity.String() != inv.ID || v != *inv.Value || m.Class != inv.Class || m.WindowFrom != inv.From {
			t.Errorf("%s: %v, %s, from %v; the answers have %+v", m.Identity, v, m.Class, m.WindowFrom, inv)
		}
	}
	if compared == 0 {
		t.Error("no invocation has a value")
	}
	for _, m := range all {
		if m.Status == results.StatusFailed && len(m.Values) > 0 {
			t.Errorf("%s failed, and has %v", m.Identity, m.Values)
		}
	}
}

func TestMeasureSaysWhatLacks(t *testing.T) {
	s := testcampaign.Small()
	s.Unreadable = errors.New("reading b0009.s00.r0: it is cut off")
	all, err := analysis.Measure(s)
	if len(all) == 0 || err == nil || !strings.Contains(err.Error(), "b0009.s00.r0") {
		t.Errorf("%d invocations, %v", len(all), err)
	}
}
