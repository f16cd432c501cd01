package fleet_test

import (
	"testing"

	"moobench/analysis/chapter"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/internal/testchapter"
	"moobench/results"
)

// The machines of a merged campaign, one of which favours one of two equal baselines, with a shard that nobody measured.
func TestShown(t *testing.T) {
	s := testcampaign.Merged(50)
	s.Made.Merged.Missing = []results.MissingShard{{Index: 2, Blocks: 5}}
	for _, inv := range s.Runs {
		inv.End = inv.Start.Add(42e9)
	}
	a := testchapter.Analyse(t, s)
	testchapter.Golden(t, &a.Campaign.Fleet, &chapter.Scene{}, &chapter.Scene{Paged: true})
}
