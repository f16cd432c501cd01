package simulation

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
)

const (
	nominal = 0.05
	failed  = 0.01 // Holm-adjusted p of an A/A below which a campaign is stamped
)

// healthy are the machines on which two baselines do not differ.
var healthy = []machine{normal, spiky, drifty, skewed, bimodal}

// aaP is the p of one A/A.
func (m machine) aaP(r *rand.Rand, blocks int) float64 {
	x, y := m.pairs(r, blocks, baseline)
	return ratioP(x, y)
}

func ratioP(x, y []float64) float64 {
	r := ask(infer.Question{Alpha: nominal}, x, y).Ratio
	if r == nil || r.Test == nil {
		return 0 // counts as an alarm
	}
	return r.Test.P
}

// alarms are the rates of one machine and number of blocks.
type alarms struct {
	machine machine
	blocks  int
	single  rate         // p < .05 of one A/A
	stamped map[int]rate // campaigns in which a Holm-adjusted p is below .01, by factor levels
}

var factorLevels = []int{1, 3, 10}

func falseAlarms(e effort) []alarms {
	var found []alarms
	for k, m := range healthy {
		for _, blocks := range []int{5, 10, 30} {
			a := alarms{machine: m, blocks: blocks, stamped: map[int]rate{}}
			outcomes := 1 + len(factorLevels)
			yes, all := repeat(e.replicates, outcomes, uint64(100+10*k+blocks/10), func(_ int, r *rand.Rand, told func(int, bool)) {
				ps := make([]float64, slices.Max(factorLevels))
				for j := range ps {
					ps[j] = m.aaP(r, blocks)
				}
				told(0, ps[0] < nominal)
				for i, levels := range factorLevels {
					told(1+i, slices.Min(stats.Holm(ps[:levels])) < failed)
				}
			})
			a.single = rate{yes[0], all[0]}
			for i, levels := range factorLevels {
				a.stamped[levels] = rate{yes[1+i], all[1+i]}
			}
			found = append(found, a)
		}
	}
	return found
}

// peeking is the rate of campaigns in which an A/A that is tested after each
// block from the fifth to the thirtieth has a p below .05 at least once.
func peeking(e effort) rate {
	yes, all := repeat(e.replicates, 1, 200, func(_ int, r *rand.Rand, told func(int, bool)) {
		x, y := normal.pairs(r, 30, baseline)
		alarm := false
		for n := 5; n <= 30 && !alarm; n++ {
			alarm = ratioP(x[:n], y[:n]) < nominal
		}
		told(0, alarm)
	})
	return rate{yes[0], all[0]}
}

func TestFalseAlarms(t *testing.T) {
	found, peeked := falseAlarms(short()), peeking(short())
	for _, a := range found {
		name := fmt.Sprintf("%s, %d blocks", a.machine.name, a.blocks)
		low := 0.03
		if a.blocks < 10 && a.machine.name == bimodal.name {
			low = 0 // as wide as the intervals: see nominally
		}
		if !a.single.about(low, 0.07) {
			t.Errorf("%s: %v %% of A/As have p < .05", name, a.single)
		}
		for levels, got := range a.stamped {
			if got.share() > 0.015 && !got.about(0.005, 0.015) {
				t.Errorf("%s, %d levels: %v %% of campaigns are stamped", name, levels, got)
			}
		}
	}
	if peeked.share() < 0.12 {
		t.Errorf("looking after each block: %v %% false alarms, and it should be far above 5 %%", peeked)
	}
	t.Log("\n" + alarmTable(found))
}

func alarmTable(found []alarms) string {
	var s strings.Builder
	s.WriteString("| Blocks | Machine | one A/A, p < .05 |")
	for _, levels := range factorLevels {
		fmt.Fprintf(&s, " stamped, %d A/A |", levels)
	}
	s.WriteString("\n| ---: | --- | ---: |" + strings.Repeat(" ---: |", len(factorLevels)) + "\n")
	for _, a := range found {
		fmt.Fprintf(&s, "| %d | %s | %v |", a.blocks, a.machine.name, a.single)
		for _, levels := range factorLevels {
			fmt.Fprintf(&s, " %.2f |", 100*a.stamped[levels].share())
		}
		s.WriteString("\n")
	}
	return s.String()
}
