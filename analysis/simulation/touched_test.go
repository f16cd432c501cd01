package simulation

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/results"
)

// touchedRow is a row of the table of references that a variant touches.
type touchedRow struct {
	name string
	wanderer
	// limit is how much more the gate allows, and the margin of the question, as a share. The
	// variant takes exactly so much more than its baseline, or, in another campaign, as long as
	// that; a variant that slows its core costs more than the limit.
	limit float64
	quick bool
	// passes is how often the gate may pass what it should not, where that is not alpha: b is the
	// end of an interval which one campaign in twenty exceeds.
	passes float64
}

// touching is a variant of a program of elasticity .8 and 1 µs, beside which the reference
// takes longer by a share.
func touching(share, within, perBlock float64, n int) wanderer {
	return wanderer{
		within: within, perBlock: perBlock, jvm: normalJVM(0.005), elasticity: known(0.8, 0.8),
		base: 1000, levels: 1, blocks: n, touched: share,
	}
}

// slowing is one whose calls are slowed by what slows the reference.
func slowing(share, within, perBlock float64, n int) wanderer {
	m := touching(share, within, perBlock, n)
	m.slows = true
	return m
}

// byTurns is one of which turns of JVMs showed what it does to the reference.
func byTurns(se float64, m wanderer) wanderer {
	m.turns = se
	return m
}

var touchedRows = []touchedRow{
	{name: "3 % faster", wanderer: touching(-0.03, 0.05, 0.03, 10), limit: 0.01, quick: true},
	{name: "2 % faster", wanderer: touching(-0.02, 0.05, 0.03, 10), limit: 0.01},
	{name: "1 % faster", wanderer: touching(-0.01, 0.05, 0.03, 10), limit: 0.01},
	{name: "not touched", wanderer: touching(0, 0.05, 0.03, 10), limit: 0.01, quick: true},
	{name: "1 % slower", wanderer: touching(0.01, 0.05, 0.03, 10), limit: 0.01},
	{name: "2 % slower", wanderer: touching(0.02, 0.05, 0.03, 10), limit: 0.01},
	{name: "3 % slower", wanderer: touching(0.03, 0.05, 0.03, 10), limit: 0.01, quick: true},
	{name: "not touched, known to 0.2 %", wanderer: byTurns(0.002, touching(0, 0.05, 0.03, 10)), limit: 0.01, quick: true},
	{name: "1 % faster, known to 0.2 %", wanderer: byTurns(0.002, touching(-0.01, 0.05, 0.03, 10)), limit: 0.01},
	{name: "not touched, 23 blocks", wanderer: touching(0, 0.05, 0.03, 23), limit: 0.01},
	{name: "3 % slower, 23 blocks", wanderer: touching(0.03, 0.05, 0.03, 23), limit: 0.01, passes: 0.02},
	{name: "1 % faster, a quiet machine", wanderer: touching(-0.01, 0.001, 0, 10), limit: 0.01},
	{name: "not touched, a quiet machine", wanderer: touching(0, 0.001, 0, 10), limit: 0.01, quick: true},
	{name: "core slowed by 2 %", wanderer: slowing(0.02, 0.05, 0.03, 10), limit: 0.01},
	{name: "core slowed by 3 %", wanderer: slowing(0.03, 0.05, 0.03, 10), limit: 0.01, quick: true},
	{name: "core slowed by 5 %, limit 3 %", wanderer: slowing(0.05, 0.05, 0.03, 10), limit: 0.03},
	{name: "core slowed by 2 %, JVMs by 1 %", wanderer: slowing(0.02, 0.01, 0, 10), limit: 0.01},
}

// The verdicts that are counted: of what takes as much more as the limit allows, or costs
// more than that, and of what is free.
const (
	wrongWithin = iota // shown to lie within the limit
	wrongPassed
	wrongWorse
	wrongShown // a difference is shown of what is free
	freeFound  // what is free is shown to lie within the limit
	freePassed
	touchedOutcomes
)

// nominalShares are those that wrong verdicts may have.
var nominalShares = [...]float64{wrongWithin: 0.05, wrongPassed: 0.01, wrongWorse: 0.01, wrongShown: 0.05}

// judged is a campaign with a question and a gate at the limit.
func (row touchedRow) judged(r *rand.Rand, p programs) *analysis.Answers {
	s := row.campaign(r, p)
	s.Made.Scenarios[0].Questions = []results.Question{{
		ID: "limit", Metric: "duration", A: "c02", B: "c00", Margin: &results.Margin{Share: row.limit}, Asked: true,
	}}
	s.Made.Gate = &results.Gate{Scenario: "overhead", Metric: "duration", WorseBy: row.limit, Alpha: gateAlpha, Reference: "none"}
	return analysed(s)
}

// touchedRates simulates a row.
func touchedRates(row touchedRow, stream uint64, n int) [touchedOutcomes]rate {
	yes, all := repeat(n, touchedOutcomes, stream, func(_ int, r *rand.Rand, told func(int, bool)) {
		var p programs
		p.variant, p.base = row.elasticity(r)
		dear, free := row, row
		if !row.slows {
			dear.cost = row.limit * row.base
		}
		a := dear.judged(r, p)
		v := a.Scenarios[0].Answers[0].Verdict
		told(wrongWithin, v == infer.Equivalent || v == infer.Negligible)
		told(wrongPassed, a.Gate.Verdict == infer.Passed)
		if row.slows {
			return // worse is right, and nothing is free
		}
		told(wrongWorse, a.Gate.Verdict == infer.Regression)
		a = free.judged(r, p)
		v = a.Scenarios[0].Answers[0].Verdict
		told(wrongShown, v.Shown())
		told(freeFound, v == infer.Equivalent || v == infer.Negligible)
		told(freePassed, a.Gate.Verdict == infer.Passed)
	})
	var found [touchedOutcomes]rate
	for i := range found {
		found[i] = rate{yes[i], all[i]}
	}
	return found
}

// TestTouchedReference: what a variant does to the reference is not taken for its cost, nor
// its cost for that: verdicts are wrong as seldom as is said.
func TestTouchedReference(t *testing.T) {
	for k, row := range touchedRows {
		if !row.quick && !*longer {
			continue
		}
		t.Run(row.name, func(t *testing.T) {
			if row.slows {
				if truth := math.Pow(1+row.touched, 0.8) - 1; truth <= row.limit {
					t.Fatalf("it costs %.1f %%, which the limit allows", 100*truth)
				}
			}
			found := touchedRates(row, touchedStream+uint64(k), speedReplicates())
			t.Log(row.line(found))
			for outcome, most := range nominalShares {
				if outcome == wrongPassed {
					most = max(most, row.passes)
				}
				if got := found[outcome]; got.of > 0 && got.above(most) {
					t.Errorf("%s: %v %% of %d, want at most %.0f", touchedColumns[outcome], got, got.of, 100*most)
				}
			}
		})
	}
}

var touchedColumns = [...]string{
	wrongWithin: "within the limit", wrongPassed: "passed", wrongWorse: "worse", wrongShown: "free: a difference shown",
	freeFound: "free: within the limit", freePassed: "free: passed",
}

func (row touchedRow) line(f [touchedOutcomes]rate) string {
	text := fmt.Sprintf("| %s |", row.name)
	for _, r := range f {
		text += fmt.Sprintf(" %v |", r)
	}
	return text + "\n"
}
