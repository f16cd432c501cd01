package timelines_test

import (
	"testing"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/internal/testchapter"
	"moobench/results"
	"moobench/results/summary"
)

func served(t *testing.T, change func(*testcampaign.Store, *results.Scenario)) (*analysis.Answers, *analysis.Scenario) {
	t.Helper()
	s := testcampaign.Served()
	if change != nil {
		change(s, &s.Made.Scenarios[0])
	}
	a := testchapter.Analyse(t, s)
	return a, &a.Scenarios[0]
}

func TestTimelines(t *testing.T) {
	_, s := served(t, nil)
	if len(s.Timelines) != 4 || len(s.ToggleEffects) != 4 {
		t.Fatalf("%d timelines, %d effects", len(s.Timelines), len(s.ToggleEffects))
	}
	for i, line := range s.Timelines {
		if line.StepNS != 100e6 || len(line.Rows) != 400 || len(line.Toggles) != 39 || !line.Toggles[0].On || line.Toggles[1].On {
			t.Errorf("%s: step %v, %d rows, %d toggles", line.Cell, line.StepNS, len(line.Rows), len(line.Toggles))
		}
		none, e := i == 0, s.ToggleEffects[i].P99
		if holds := e.Interval.Low <= 0 && e.Interval.High >= 0; holds != none {
			t.Errorf("%s: a toggle makes p99 higher by %+v", line.Cell, e.Interval)
		}
	}
	// Steps of half a second are too coarse for toggles each second.
	_, s = served(t, func(st *testcampaign.Store, _ *results.Scenario) {
		for _, sum := range st.Summaries {
			for i := range sum.Columns {
				if c := &sum.Columns[i]; c.Series == results.SeriesTimeline && c.Name == "since" {
					scaleBy(c, 5)
				}
			}
		}
	})
	if len(s.ToggleEffects) != 0 || len(s.Timelines) != 4 {
		t.Errorf("coarse steps: %d effects, %d timelines", len(s.ToggleEffects), len(s.Timelines))
	}
}

func scaleBy(c *summary.Column, factor float64) {
	for i := range c.Sum {
		c.Sum[i] *= factor
	}
}
