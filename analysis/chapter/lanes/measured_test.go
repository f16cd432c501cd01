package lanes_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"moobench/analysis/chapter/lanes"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/internal/testchapter"
	"moobench/results"
)

// measure makes a campaign of two lanes at the levels 100 and 120 ns, which measure six blocks each while both are busy
// and six alone. A busy machine is slower by the share harm.
func measure(harm float64) *testcampaign.Flat {
	m := &testcampaign.Flat{}
	metric := results.Metric{Name: "x", Unit: "ns", Better: results.Lower, Primary: true}
	m.Made = results.Campaign{
		Scenarios: []results.Scenario{{Label: "s", Metrics: []results.Metric{metric}}},
		Cells: []results.Cell{
			{ID: "c0", Scenario: "s", Variant: "none", Role: results.RoleBaseline},
			{ID: "c1", Scenario: "s", Variant: "none", Role: results.RoleAA, Baseline: "c0"},
			{ID: "c2", Scenario: "s", Variant: "agent", Role: results.RoleVariant, Baseline: "c0"},
		},
		Merged: &results.Merged{Count: 2, Shards: []results.Part{{Index: 1}, {Index: 2}}},
	}
	start := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	turn, number := 0, 0
	block := func(lane, others int, level, slower float64) {
		number++
		for slot, x := range []float64{level, level, level + 50} {
			wobble := 1 + 0.001*math.Sin(float64(7*number+slot))
			m.All = append(m.All, &results.Invocation{
				Identity: results.Identity{Block: number, Slot: slot}, Cell: m.Made.Cells[slot].ID,
				Profile: results.ProfileTiming, Status: results.StatusOK, Machine: "m", Boot: "b", CPUs: fmt.Sprint(lane),
				Start: start.Add(time.Duration(turn) * time.Minute), Scalars: map[string]float64{"x": x * slower * wobble},
			})
		}
		m.Made.Blocks = append(m.Made.Blocks, results.Block{
			Number: number, Kind: results.BlockPlanned, Profile: results.ProfileTiming,
			Order: []string{"c0", "c1", "c2"}, Shard: lane, Turn: &results.Turn{Number: int64(turn), Others: others},
		})
	}
	for range 6 {
		turn++
		block(1, 1, 100, 1+harm)
		block(2, 1, 120, 1+harm)
		for lane, level := range []float64{100, 120} {
			turn++
			block(lane+1, 0, level, 1)
		}
	}
	return m
}

// judged returns the answer about the lanes.
func judged(t *testing.T, m *testcampaign.Flat) *lanes.Lanes {
	t.Helper()
	return testchapter.Analyse(t, m).Scenarios[0].Lanes
}

// Lanes that disturb each other, and those that don't, are told apart. Second baselines are not compared.
func TestLanes(t *testing.T) {
	for harm, want := range map[float64]infer.Judgement{0: infer.Same, 0.05: infer.Changed} {
		l := judged(t, measure(harm))
		if l == nil || l.Count != 2 || l.Judgement != want || len(l.Cells) != 2 {
			t.Fatalf("slower by %v: %+v", harm, l)
		}
		for _, c := range l.Cells {
			if c.Alone != 12 || c.Busy != 12 || c.Ratio == nil || math.Abs(c.Ratio.Value-1-harm) > 0.002 {
				t.Errorf("slower by %v: %+v, ratio %+v", harm, c, c.Ratio)
			}
		}
		if len(l.Levels) != 2 || l.Levels[0].Lane != 1 || l.Levels[1].Lane != 2 || l.Levels[1].CPUs != "2" {
			t.Fatalf("levels %+v", l.Levels)
		}
		if x, y := l.Levels[0].Mean.Value, l.Levels[1].Mean.Value; !(x < 106 && y > 119) {
			t.Errorf("the lanes are at %v and %v", x, y)
		}
	}
}

// A value of 0 has no logarithm: then there is no ratio, and it is said why.
func TestLaneAtNothing(t *testing.T) {
	m := measure(0)
	for _, inv := range m.All {
		if inv.Cell == "c0" {
			inv.Scalars["x"] = 0
		}
	}
	l := judged(t, m)
	if l == nil || l.Cells[0].Ratio != nil || l.Cells[0].NoRatio == "" || l.Cells[0].Verdict != infer.NoAnswer {
		t.Errorf("%+v", l)
	}
}

// A machine that measured one block at a time has no lanes.
func TestOneAtATime(t *testing.T) {
	m := measure(0)
	for i := range m.Made.Blocks {
		m.Made.Blocks[i].Turn = nil
	}
	if l := judged(t, m); l != nil {
		t.Errorf("%+v", l)
	}
}
