package growth_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// anyGrowing is a campaign that asks for growth and has prices, of whatever was
// measured at whatever levels.
func anyGrowing(t *rapid.T) *testcampaign.Flat {
	f := &testcampaign.Flat{}
	metrics := []results.Metric{{Name: "x", Unit: "ns", Primary: true}, {Name: "once", Unit: "ns", Once: true}}
	margin := rapid.SampledFrom([]float64{0, 1, -1, 1e300}).Draw(t, "margin")
	f.Made.Scenarios = []results.Scenario{
		{Label: "grow", Metrics: metrics, Scalings: []results.Scaling{{Factor: "n", Metric: "x", Margin: margin}, {Factor: "gone", Metric: "x"}, {Factor: "n", Metric: "gone"}}},
		{Label: "pay", Metrics: metrics},
	}
	level := rapid.SampledFrom([]string{"1", "2", "3", "50", "1_000", "-4", "much", "1e308", ""})
	for i := range rapid.IntRange(1, 8).Draw(t, "cells") {
		c := results.Cell{
			ID: fmt.Sprint("c", i), Scenario: rapid.SampledFrom([]string{"grow", "pay"}).Draw(t, "scenario"), Framework: "f", Stage: "collect",
			Mode: rapid.SampledFrom([]string{"manual", "hotswap"}).Draw(t, "mode"), Role: rapid.SampledFrom([]results.Role{results.RoleBaseline, results.RoleVariant}).Draw(t, "role"),
		}
		c.Variant = c.Framework + "/" + c.Mode + "/" + c.Stage
		if c.Scenario == "grow" {
			one := rapid.SampledFrom([]string{"false", "true"}).Draw(t, "one")
			c.Factors = []results.Value{{Name: "n", Value: level.Draw(t, "level"), Unit: "classes"}, {Name: "one_by_one", Value: one}}
		}
		f.Made.Cells = append(f.Made.Cells, c)
	}
	constant := rapid.Bool().Draw(t, "constant")
	for b := range rapid.IntRange(0, 9).Draw(t, "blocks") {
		for slot, c := range f.Made.Cells {
			inv := &results.Invocation{Identity: results.Identity{Block: b + 1, Slot: slot}, Cell: c.ID, Profile: results.ProfileTiming, Status: results.StatusOK}
			if inv.Scalars = map[string]float64{"x": 100, "once": 1e6}; !constant {
				inv.Scalars = map[string]float64{"x": testcampaign.AnyValue(t), "once": testcampaign.AnyValue(t)}
			}
			f.All = append(f.All, inv)
		}
	}
	return f
}

// Whatever grows, there is a verdict with a reason, an answer about every swap,
// and no number that is none.
func TestAnyGrowthIsAnswered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, err := analysis.Analyse(anyGrowing(t))
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(a)
		if err != nil || strings.Contains(string(text), "NaN") || strings.Contains(string(text), "Inf") || strings.Contains(string(text), "–") {
			t.Fatalf("%v: %s", err, text)
		}
		for _, g := range a.Scenarios[0].Growths {
			if g.Verdict == "" || !strings.Contains(g.Text, string(g.Verdict)+": ") {
				t.Fatalf("%+v", g)
			}
		}
		for _, b := range a.BreakEvens {
			if b.Text == "" || b.High != nil && (b.Never || *b.High < *b.Low) || b.Calls != nil && *b.Calls < 0 {
				t.Fatalf("%+v", b)
			}
		}
	})
}
