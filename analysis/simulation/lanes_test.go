package simulation

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/results"
)

// laned is a machine of so many lanes, each of which measures so many blocks, some of them alone.
type laned struct {
	lanes, blocks int
	harm          float64 // by what share a busy machine is slower
	wander        float64 // standard deviation of the machine's speed from turn to turn, as a share
}

const (
	laneSD  = 0.01 // of a JVM, as a share
	laneTau = 0.02 // of the cost in a lane, as a share of the baseline: unlike cores
)

// laneds are the rows of the document.
func laneds() (all []laned) {
	for _, lanes := range []int{2, 4, 8} {
		for _, blocks := range []int{6, 20, 60} {
			for _, harm := range []float64{0, 0.01, 0.03} {
				for _, wander := range []float64{0, 0.003} {
					all = append(all, laned{lanes, blocks, harm, wander})
				}
			}
		}
	}
	return all
}

// alone says whether the k-th block of a lane is measured while the others are idle, as the harness plans it.
func (l laned) alone(k int) bool {
	n := max(1, l.blocks/(l.lanes+1))
	for i := range n {
		if k == (2*i+1)*l.blocks/(2*n) {
			return true
		}
	}
	return false
}

// measure draws the lanes, and measures turn after turn.
func (l laned) measure(r *rand.Rand) *measured {
	m := (fleet{}).measure(r)
	m.campaign.Merged.Count = l.lanes
	var level []float64
	for lane := 1; lane <= l.lanes; lane++ {
		level = append(level, baseline*(1+0.1*r.Float64()))
		m.costs = append(m.costs, baseline*(overhead+laneTau*r.NormFloat64()))
		m.campaign.Merged.Shards = append(m.campaign.Merged.Shards, results.Part{Index: lane})
	}
	start := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	turn, speed := 0, 1.0
	for k := range l.blocks {
		for lane := range l.lanes {
			if lane == 0 || l.alone(k) {
				turn, speed = turn+1, 1+l.wander*r.NormFloat64()
			}
			number, others, slower := k*l.lanes+lane+1, l.lanes-1, 1+l.harm
			if l.alone(k) {
				others, slower = 0, 1
			}
			for slot, x := range []float64{level[lane], level[lane] + m.costs[lane]} {
				m.runs = append(m.runs, &results.Invocation{
					Identity: results.Identity{Block: number, Slot: slot}, Cell: m.campaign.Cells[slot].ID, Profile: results.ProfileTiming,
					Status: results.StatusOK, Machine: "m", Boot: "b", Start: start.Add(time.Duration(turn) * time.Minute),
					Scalars: map[string]float64{"x": x * speed * slower * (1 + laneSD*r.NormFloat64())},
				})
			}
			m.campaign.Blocks = append(m.campaign.Blocks, results.Block{
				Number: number, Kind: results.BlockPlanned, Profile: results.ProfileTiming, Order: []string{"c0", "c2"}, Shard: lane + 1,
				Turn: &results.Turn{Number: int64(turn), Others: others},
			})
		}
	}
	return m
}

// The outcomes that are counted of lanes.
const (
	saidAlone   = iota // that they leave each other alone
	saidDisturb        // that they disturb each other
	ratioHolds         // the interval of the baseline's ratio holds the harm
	costHolds          // the interval of the cost holds that of an idle machine
	laneOutcomes
)

func (l laned) answering(n, stream int) (found [laneOutcomes]rate) {
	yes, all := repeat(n, laneOutcomes, uint64(stream), func(_ int, r *rand.Rand, told func(int, bool)) {
		m := l.measure(r)
		a, err := analysis.Analyse(m)
		if err != nil {
			panic(err) // the campaign is ours
		}
		s := a.Scenarios[0]
		told(saidAlone, s.Lanes.Judgement == infer.Same)
		told(saidDisturb, s.Lanes.Judgement == infer.Changed)
		if i := s.Lanes.Cells[0].Ratio.Interval; i != nil {
			told(ratioHolds, i.Low <= 1+l.harm && 1+l.harm <= i.High)
		}
		if x := s.Cells[1].Metrics[0]; x.Difference.Interval != nil {
			truth := average(m.costs)
			told(costHolds, x.Difference.Interval.Low <= truth && truth <= x.Difference.Interval.High)
		}
	})
	for o := range found {
		found[o] = rate{yes[o], all[o]}
	}
	return found
}

func lanesSection(e effort) string {
	var s strings.Builder
	s.WriteString("| lanes | blocks each | all busy is slower by | speed wanders by | said: they leave each other alone | said: they disturb | ratio | cost |\n|---|---|---|---|---|---|---|---|\n")
	n := hostReplicates(e)
	for i, l := range laneds() {
		x := l.answering(n, 1000+i)
		fmt.Fprintf(&s, "| %d | %d | %.0f %% | %.1f %% | %s | %s | %s | %s |\n", l.lanes, l.blocks, 100*l.harm, 100*l.wander,
			x[saidAlone], x[saidDisturb], x[ratioHolds], x[costHolds])
	}
	fmt.Fprintf(&s, `
%d campaigns of each row, in which each lane measures some of its blocks alone, as the harness plans it, and the others while all are busy. A JVM scatters by %.0f %%, costs differ between lanes by %.0f %% of the baseline, and the whole machine is faster or slower from turn to turn by what the fourth column says. "Ratio" is how often the interval of the baseline's ratio, busy over alone, holds the truth, at 97.5 %%, because there are two cells; "cost" how often that of the cost for these lanes holds their mean on an idle machine, nominal 95.
What is said of lanes is wrong where all busy is slower by the margin, 1 %%, and they are said to leave each other alone, or where it is not slower and they are said to disturb each other.
`, n, 100*laneSD, 100*laneTau)
	return s.String()
}

// TestLanesCoverage: lanes that disturb each other by the margin are hardly ever said not to, and those that don't are
// hardly ever said to; also where the machine's speed wanders from turn to turn.
func TestLanesCoverage(t *testing.T) {
	for i, l := range laneds() {
		if l.lanes > 2 || l.blocks != 20 || l.harm > 0.01 || l.wander == 0 { // which the document has
			continue
		}
		const n = 50
		x := l.answering(n, 1000+i)
		most := 0.05 + 3*seOf(n)
		if l.harm > 0 && x[saidAlone].share() > most {
			t.Errorf("%+v: said to leave each other alone in %v %%", l, x[saidAlone])
		}
		if l.harm == 0 && x[saidDisturb].share() > most {
			t.Errorf("%+v: said to disturb each other in %v %%", l, x[saidDisturb])
		}
		if r := x[ratioHolds]; r.share() < 0.95-3*seOf(r.of) {
			t.Errorf("%+v: the ratio's interval holds the truth in %v %%", l, r)
		}
		if r := x[costHolds]; l.harm == 0 && r.share() < 0.93-3*seOf(r.of) {
			t.Errorf("%+v: the cost's interval holds the truth in %v %%", l, r)
		}
	}
}
