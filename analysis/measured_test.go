package analysis_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/stats"
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

// Who takes the mean of the values that count, by label, has the numbers of the report.
func TestMeansByLabelAreThoseOfTheReport(t *testing.T) {
	for name, s := range map[string]*testcampaign.Store{
		"small": testcampaign.Small(), "troubled": testcampaign.Troubled(), "repeated": testcampaign.Repeated(), "factored": testcampaign.Factored(),
		"served": testcampaign.Served(), "unordered": testcampaign.Unordered(), "sized": testcampaign.Sized(),
	} {
		s.Unreadable = nil
		all, err := analysis.Measure(s)
		if err != nil {
			t.Fatal(err)
		}
		type group struct{ scenario, label, metric string }
		got, c := map[group][]float64{}, s.Campaign()
		void := analysis.Uncounted(c, all)
		for _, m := range all {
			cell := c.Cell(m.Cell)
			for metric, x := range m.Values {
				if g := (group{cell.Scenario, cell.Label(), metric}); void[m.Identity] == "" && m.Profile != results.ProfileCalibration {
					got[g] = append(got[g], x)
				}
			}
		}
		for _, sc := range analyse(t, s).Scenarios {
			for _, cell := range sc.Cells {
				for _, m := range cell.Metrics {
					mean, _ := stats.Mean(got[group{sc.Label, cell.Label, m.Metric}])
					switch n := len(got[group{sc.Label, cell.Label, m.Metric}]); {
					case m.Mean == nil && m.Rate == nil && n > 0:
						t.Errorf("%s: %s has no %s (%s), and %d values of it count", name, cell.Label, m.Metric, m.Absent, n)
					case m.Mean != nil && (n != m.Mean.N || math.Abs(mean-m.Mean.Value) > 1e-9*math.Abs(mean)):
						t.Errorf("%s: %s of %s is %v of %d, and in the report %v of %d", name, m.Metric, cell.Label, mean, n, m.Mean.Value, m.Mean.N)
					}
				}
			}
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
