package breakeven_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/chapter/breakeven"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/reading"
	"moobench/results"
)

func TestBreakEvens(t *testing.T) {
	a, err := analysis.Analyse(testcampaign.Swapped())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]breakeven.Answer{}
	for _, b := range a.BreakEvens {
		got[b.Swapped+" "+b.Level] = b
		if b.SwapScenario != "turnaround" || b.CostScenario != "overhead" || b.Switchable != "probe/manual/collect" || strings.Join(b.Parts, "+") != "turnaround+recovery" {
			t.Errorf("%+v", b)
		}
		if b.Off == nil || b.Off.Interval.Low <= 0 {
			t.Errorf("%s: what the check costs while it is off: %+v", b.Swapped, b.Off)
		}
	}
	for key, want := range map[string]string{
		"probe/hotswap/collect depth=10": "pays for itself after 2.6 million calls (1.7 … 5.6 million) at depth=10",
		"probe/hotswap/collect depth=1":  "pays for itself after 18 million calls (13 … 29 million) at depth=1",
		"probe/hybrid/collect depth=10":  "may never pay at depth=10: after 8.1 million calls at least; a call may save nothing (−7.415 … 4.958 ns)",
		"probe/attach/collect depth=10":  "never at depth=10: a call with the swapped-in probe costs 42.25 ns more (31.87 … 52.62 ns)",
	} {
		if b := got[key]; b.Text != want {
			t.Errorf("%s: %q, want %q", key, b.Text, want)
		}
	}
	if len(got) != 6 {
		t.Errorf("%d answers, want 3 variants at 2 levels", len(got))
	}
	if b := got["probe/hybrid/collect depth=10"]; b.Never || b.Verdict != breakeven.Perhaps || b.High != nil || b.Calls != nil || b.Low == nil {
		t.Errorf("%+v", b)
	}
	if b := got["probe/attach/collect depth=10"]; !b.Never || b.Verdict != breakeven.Never || b.Low != nil || b.Calls != nil {
		t.Errorf("%+v", b)
	}
}

// TestCheckIsTheFirstCell: the cell of the check has its cost wherever it stands, and one of another framework, or
// of another level, is none.
func TestCheckIsTheFirstCell(t *testing.T) {
	check := func(c *results.Cell) bool {
		asks, _, ok := reading.PassageOf(c)
		return ok && asks != 0 && asks == asks.StepsOf("I") && c.Mode == "manual"
	}
	for _, c := range []struct {
		name   string
		change func(*results.Cell)
		known  bool
	}{
		{"first", func(*results.Cell) {}, true},
		{"of another framework", func(c *results.Cell) { c.Framework = "other" }, false},
		{"of another mode", func(c *results.Cell) { c.Mode = "bci" }, false},
		{"a second baseline", func(c *results.Cell) { c.Role = results.RoleAA }, false},
	} {
		s := withoutGrowth(testcampaign.Swapped())
		slices.SortStableFunc(s.Made.Cells, func(a, b results.Cell) int {
			return cmp.Compare(map[bool]int{true: 0, false: 1}[check(&a)], map[bool]int{true: 0, false: 1}[check(&b)])
		})
		if !check(&s.Made.Cells[0]) {
			t.Fatal("no cell of a check")
		}
		for i := range s.Made.Cells {
			if check(&s.Made.Cells[i]) {
				c.change(&s.Made.Cells[i])
			}
		}
		a, err := analysis.Analyse(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range a.BreakEvens {
			if (b.Off != nil) != c.known {
				t.Errorf("%s: what the check of %s costs: %+v", c.name, b.Swapped, b.Off)
			}
		}
	}
}

// TestBreakEvensNeedBothSides: what lacks a side has no answer, and what lacks a
// part has one of the parts that are there.
func TestBreakEvensNeedBothSides(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*testcampaign.Store)
		want   int
		parts  string
	}{
		"no switchable": {func(s *testcampaign.Store) { eachCell(s, "manual", func(c *results.Cell) { c.Change = "" }) }, 0, ""},
		"not swapped":   {func(s *testcampaign.Store) { eachCell(s, "hotswap", func(c *results.Cell) { c.Change = "" }) }, 4, "turnaround+recovery"},
		"no price":      {func(s *testcampaign.Store) { s.Made.Scenarios[1].Metrics = s.Made.Scenarios[1].Metrics[1:4] }, 0, ""},
		"another probe's price": {func(s *testcampaign.Store) {
			for i := range s.Made.Cells {
				if c := &s.Made.Cells[i]; c.Scenario == "turnaround" {
					c.Framework, c.Variant = "kieker", strings.Replace(c.Variant, "probe", "kieker", 1)
				}
			}
		}, 0, ""},
		"without a part": {func(s *testcampaign.Store) { eachRun(s, func(i *results.Invocation) { delete(i.Scalars, "recovery") }) }, 6, "turnaround+recovery"},
		"some lack one": {func(s *testcampaign.Store) {
			eachRun(s, func(i *results.Invocation) {
				if i.Block < 3 {
					delete(i.Scalars, "recovery")
				}
			})
		}, 6, "turnaround+recovery"},
		"unordered":      {func(s *testcampaign.Store) { s.Made.Design = results.DesignUnordered }, 0, ""},
		"one invocation": {func(s *testcampaign.Store) { eachRun(s, failLater) }, 6, "turnaround+recovery"},
		"another level": {func(s *testcampaign.Store) {
			eachCell(s, "hotswap", func(c *results.Cell) {
				if c.Scenario == "turnaround" {
					c.Factors = []results.Value{{Name: "depth", Value: "10"}}
				}
			})
		}, 5, "turnaround+recovery"},
		"another JVM": {func(s *testcampaign.Store) { eachCell(s, "hotswap", interpreted("turnaround")) }, 4, "turnaround+recovery"},
		"the same JVM": {func(s *testcampaign.Store) {
			for _, scenario := range []string{"turnaround", s.Made.Scenarios[0].Label} {
				eachCell(s, "hotswap", interpreted(scenario))
			}
		}, 6, "turnaround+recovery"},
		"not in nanosecs": {func(s *testcampaign.Store) { s.Made.Scenarios[0].Metrics[0].Unit = "calls/s" }, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := withoutGrowth(testcampaign.Swapped())
			tt.change(s)
			a, err := analysis.Analyse(s)
			if err != nil || len(a.BreakEvens) != tt.want {
				t.Fatalf("%d answers, %v", len(a.BreakEvens), err)
			}
			for _, b := range a.BreakEvens {
				if strings.Join(b.Parts, "+") != tt.parts {
					t.Errorf("parts %v", b.Parts)
				}
				if lacks := strings.Contains(b.Text, "have no price"); lacks != (name == "some lack one") {
					t.Error(b.Text)
				}
				if name == "one invocation" && b.Text != "cannot be decided: too few invocations" {
					t.Error(b.Text)
				}
				if want := "cannot be decided: recovery is not known for any invocation, and is part of the price"; name == "without a part" &&
					(b.Text != want || b.Verdict != breakeven.Undecided || b.Price != nil || b.Calls != nil || b.Low != nil) {
					t.Errorf("%+v", b)
				}
			}
		})
	}
}

// withoutGrowth leaves out the last scenario, which has most of the cells.
func withoutGrowth(s *testcampaign.Store) *testcampaign.Store {
	last := s.Made.Scenarios[2].Label
	s.Runs = slices.DeleteFunc(s.Runs, func(i *results.Invocation) bool { return s.Made.Cell(i.Cell).Scenario == last })
	s.Made.Cells = slices.DeleteFunc(s.Made.Cells, func(c results.Cell) bool { return c.Scenario == last })
	s.Made.Scenarios = s.Made.Scenarios[:2]
	return s
}

func eachCell(s *testcampaign.Store, mode string, f func(*results.Cell)) {
	for i := range s.Made.Cells {
		if s.Made.Cells[i].Mode == mode {
			f(&s.Made.Cells[i])
		}
	}
}

// interpreted gives cells of a scenario, and not those of others, JVM options: as
// the only value, which makes it no factor.
func interpreted(scenario string) func(*results.Cell) {
	return func(c *results.Cell) {
		if c.Scenario == scenario {
			c.Parameters = append(slices.Clip(c.Parameters), results.Value{Name: results.FactorJVM, Value: "-Xint"})
		}
	}
}

func eachRun(s *testcampaign.Store, f func(*results.Invocation)) {
	for _, inv := range s.Runs {
		f(inv)
	}
}

func failLater(i *results.Invocation) {
	if i.Block > 1 {
		i.Status = results.StatusFailed
	}
}
