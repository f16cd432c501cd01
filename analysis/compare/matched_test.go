package compare

import (
	"slices"
	"testing"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/results"
)

// A scenario of which no cell is in both campaigns is not compared, so that it makes them no more unlike; what each
// of them has of it is listed.
func TestScenarioWithoutCommonCells(t *testing.T) {
	older, newer := pair(func(*analysis.Answers) {})
	for i, a := range []*analysis.Answers{older, newer} {
		other := night(1, variant([]string{"was", "is"}[i], 0.5, 0.01)).Scenarios[0]
		other.Label, other.Use, other.Cells[0].ID = "other", []string{"overhead", "turnaround"}[i], "z00"
		a.Scenarios = append(a.Scenarios, other)
	}
	got := compared(t, older, newer, Options{})
	if len(got.Scenarios) != 1 || got.Scenarios[0].Label != "overhead" || len(got.Unlike) != 0 {
		t.Errorf("%d scenarios, unlike %+v", len(got.Scenarios), got.Unlike)
	}
	var only []string
	for _, o := range got.Only {
		only = append(only, o.Scenario+" "+o.Cell+" "+o.In[0])
	}
	if want := []string{"other was old", "other is new"}; !slices.Equal(only, want) {
		t.Errorf("only %q, want %q", only, want)
	}
}

// Cells are compared within a CPU model, where one campaign has several; the model is then no difference between them.
func TestWithinAModel(t *testing.T) {
	const mine, other = "Made-up 7402P", "Other"
	on := func(cpu string, cells []analysis.Cell, ids ...string) (all []analysis.Cell) {
		for i, c := range cells {
			c.ID, c.Level = ids[i], "model="+cpu
			c.Factors = []results.Value{{Name: results.FactorModel, Value: cpu}}
			if c.Baseline != "" {
				c.Baseline = ids[0]
			}
			all = append(all, c)
		}
		return all
	}
	older, newer := pair(func(*analysis.Answers) {})
	plain := older.Scenarios[0].Cells
	older.Scenarios[0].Cells = slices.Concat(on(mine, plain, "c00", "c01"), on(other, plain, "c02", "c03"))
	older.Machines = append(older.Machines, &results.Machine{ID: "m2", Host: "bench-02", CPU: other})
	got := compared(t, older, newer, Options{Anyway: true})
	for _, l := range got.Unlike {
		if l.What != "machine" { // the campaign of several models has one more
			t.Errorf("unlike in %s: %q", l.What, l.Values)
		}
	}
	var rows []string
	for _, r := range got.Scenarios[0].Metrics[0].Rows {
		rows = append(rows, r.Sides[0].ID+" "+r.Sides[1].ID)
	}
	if want := []string{"c00 c00", "c01 c01"}; !slices.Equal(rows, want) || len(got.Only) != 2 {
		t.Errorf("compared are %q, want %q; only in one are %+v", rows, want, got.Only)
	}
}

// Costs are compared as ratios where both campaigns have them and the reference is monitored, else as differences;
// a ratio and a difference can't be compared, which is said.
func TestScaleOfACost(t *testing.T) {
	drop := func(ratio, difference bool) func(a *analysis.MetricAnswer) {
		return func(a *analysis.MetricAnswer) {
			if ratio {
				a.Ratio = nil
			}
			if difference {
				a.Difference = nil
			}
		}
	}
	const unlike = "one has a ratio to its reference, and the other only a difference from it"
	for name, c := range map[string]struct {
		plain        bool // the reference is not monitored
		older, newer func(a *analysis.MetricAnswer)
		relative     bool
		why          string
	}{
		"both have both":                   {false, drop(false, false), drop(false, false), true, ""},
		"of an unmonitored program":        {true, drop(false, false), drop(false, false), false, ""},
		"one has no difference":            {false, drop(false, true), drop(false, false), true, ""},
		"one has no ratio":                 {false, drop(false, false), drop(true, false), false, ""},
		"neither has a ratio":              {false, drop(true, false), drop(true, false), false, ""},
		"a ratio and a difference":         {false, drop(false, true), drop(true, false), false, unlike},
		"a difference and a ratio":         {false, drop(true, false), drop(false, true), false, unlike},
		"a ratio to an unmonitored one":    {true, drop(false, true), drop(false, false), true, ""},
		"an unmonitored one without ratio": {true, drop(true, false), drop(false, false), false, ""},
	} {
		older, newer := night(1, baseline(1000), five(0.5)), night(2, baseline(1000), five(0.6))
		for i, a := range []*analysis.Answers{older, newer} {
			if c.plain {
				a.Scenarios[0].Cells[0].Framework = ""
			}
			[]func(*analysis.MetricAnswer){c.older, c.newer}[i](&a.Scenarios[0].Cells[1].Metrics[0])
		}
		got := only(t, compared(t, older, newer, Options{}), "kieker/bci/collect")
		if got.Relative != c.relative || got.Why != c.why || (got.Estimate == nil) != (c.why != "") {
			t.Errorf("%s: relative %t, %q, %+v", name, got.Relative, got.Why, got.Estimate)
		}
		if c.why == "" && got.Verdict != infer.Differs {
			t.Errorf("%s: %s", name, got.Verdict)
		}
	}
}
