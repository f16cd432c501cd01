package simulation

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"moobench/analysis/history"
	"moobench/analysis/stats"
	"moobench/results"
)

const (
	rehearsedNights = 100 // of a history that is rehearsed
	daysAYear       = 365
	plainGateAlpha  = 0.01 // of a plain gate
	plainGateWorse  = 0.03
)

// between is what new/old differs by from night to night: as much as nights do, which is what
// a rehearsal takes it for as long as no confirmation tells.
func between() float64 {
	se := blockSD / math.Sqrt(nightBlocks)
	return math.Sqrt(nightSD*nightSD - se*se)
}

// trueGate is how often a year a plain gate fails of nights without change, from the process
// itself.
func (w weather) trueGate(n int) float64 {
	t, failed := stats.TQuantile(plainGateAlpha, nightBlocks-1), 0
	for _, night := range w.nights(rand.New(rand.NewPCG(seed, 5000)), n) {
		if night.log-t*night.se > math.Log1p(plainGateWorse) {
			failed++
		}
	}
	return daysAYear * float64(failed) / float64(n)
}

// trueCheck is in how many campaigns a year the check re-measures, and how often a year it
// fails, of nights without change: judged night after night, and re-measured afresh again and
// again.
func (w weather) trueCheck(years, replays int) (again, failures float64) {
	const level = 75 // nights before the year
	for i := range years {
		k := newKeeper(w, rand.New(rand.NewPCG(seed, 5100<<32|uint64(i))), 1, level+daysAYear)
		k.own, k.storms = between(), w.outliers
		k.suspected = make([][]history.Series, level)
		for t := level; t < level+daysAYear; t++ {
			if k.watch(t) != nil {
				return math.NaN(), math.NaN()
			}
		}
		for j := range replays {
			k.replay(between(), rand.New(rand.NewPCG(seed, 5200<<32|uint64(i)<<16|uint64(j))), level+daysAYear)
			again += float64(k.again[0]) / float64(years*replays)
			if k.failed[0] >= 0 {
				failures += 1 / float64(years*replays)
			}
		}
	}
	return again, failures
}

// rehearsal is what a rehearsal of a history of such nights says.
func (w weather) rehearsal(r *rand.Rand, nights, years int) (history.RehearsedBlocks, error) {
	k := newKeeper(w, r, 1, nights)
	h := &history.History{}
	for _, row := range k.rows {
		row[0].Night.Artifacts = []results.Artifact{{Name: "agent.jar", SHA256: "0"}}
		h.Records = append(h.Records, row...)
	}
	found, err := history.Rehearse(context.Background(), h, history.Rehearsing{Brief: true, Years: years})
	if err != nil {
		return history.RehearsedBlocks{}, err
	}
	return found.Series[0].Blocks[0], nil
}

// Outcomes of one rehearsal.
const (
	checkHeld  = iota // the interval holds how often the check fails
	checkBelow        // it lies below
	gateHeld          // it holds how often a plain gate fails
	gateBelow
	rehearsalOutcomes
)

// The intervals of a rehearsal hold how often checks of the process that the nights come from
// fail, though the rehearsal has but a sample of it.
func TestRehearsalHolds(t *testing.T) {
	histories, years, drawn := 6, 200, 400_000
	if *longer {
		histories, years, drawn = 200, 1_000, 2_000_000
	}
	for i, w := range []weather{calm, alike, stormy} {
		t.Run(w.name, func(t *testing.T) {
			gate, again, check := w.trueGate(drawn), 0.0, math.NaN()
			if *longer { // judging nights one by one takes minutes
				again, check = w.trueCheck(12, 800)
			}
			campaigns := 0.0
			yes, all := repeat(histories, rehearsalOutcomes, uint64(5300+i), func(_ int, r *rand.Rand, told func(int, bool)) {
				got, err := w.rehearsal(r, rehearsedNights, years)
				if err != nil {
					t.Error(err)
					return
				}
				campaigns += got.Again / float64(histories)
				told(gateHeld, got.Gate.Low <= gate && gate <= got.Gate.High)
				told(gateBelow, got.Gate.High < gate)
				if !math.IsNaN(check) {
					told(checkHeld, got.Check.Low <= check && check <= got.Check.High)
					told(checkBelow, got.Check.High < check)
				}
			})
			t.Logf("a check fails %.3g times a year, held by %d of %d (%d below); a gate %.3g times, held by %d of %d (%d below); re-measured %.3g times, rehearsed %.3g",
				check, yes[checkHeld], all[checkHeld], yes[checkBelow], gate, yes[gateHeld], all[gateHeld], yes[gateBelow], again, campaigns)
			for _, of := range []int{checkHeld, gateHeld} {
				// Of 200 at 93 %, fewer than 88 % are not what chance does.
				if held := (rate{yes[of], all[of]}); held.of > 0 && held.share() < 0.88-0.4*math.Sqrt(6/float64(histories)) {
					t.Errorf("only %v %% of the intervals hold the truth", held)
				}
			}
		})
	}
}
