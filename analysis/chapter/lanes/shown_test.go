package lanes_test

import (
	"testing"

	"moobench/analysis/chapter"
	"moobench/analysis/chapter/lanes"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testchapter"
	"moobench/analysis/rows"
	"moobench/results"
)

func TestShown(t *testing.T) {
	ratio := &infer.Estimate{N: 5, Value: 1.05, Interval: &infer.Interval{Low: 1.03, High: 1.07, Level: 0.95}}
	mean := &infer.Estimate{N: 5, Value: 100, Interval: &infer.Interval{Low: 99, High: 101, Level: 0.95}}
	l := &lanes.Lanes{
		Count: 2, Margin: 0.01, Judgement: infer.Changed,
		Cells: []lanes.Cell{
			{Cell: "a", Label: "none", Alone: 4, Busy: 5, NoRatio: "too few turns", Verdict: infer.NoAnswer},
			{Cell: "b", Label: "agent", Alone: 5, Busy: 6, Ratio: ratio, Verdict: infer.Higher},
		},
		Levels: []lanes.Level{{Lane: 1, CPUs: "0-1", Mean: mean}, {Lane: 2, CPUs: "2-3", Mean: mean}},
	}
	at := &chapter.Scene{
		Scenario: "overhead", Primary: "duration", Metrics: []results.Metric{{Name: "duration", Unit: "ns"}},
		Cells: []chapter.Cell{{Key: rows.Key{Scenario: "overhead", Cell: "b", Label: "agent"}}},
	}
	testchapter.Golden(t, l, at, at)
}
