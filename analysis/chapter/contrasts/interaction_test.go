package contrasts_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/proof"
	"moobench/results"
)

// inOneJVM is a campaign of two agents alone and of both in one JVM, whose calls cost 20, 30 and
// 50 + extra ns more than those of none; how many of the records of the second arrive beside the
// first is received.
func inOneJVM(rng *rand.Rand, extra, sd float64, received int64) *testcampaign.Flat {
	f := testcampaign.Piloted(rng, 10, results.Sizing{}, sd, sd, sd)
	f.Made.Scenarios[0].Sizing = nil
	for i, name := range []string{"one/bci/x", "two/bci/y", "one/bci/x + two/bci/y"} {
		c := &f.Made.Cells[i+1]
		c.Variant, c.Framework, c.Mode, c.Stage = name, strings.ReplaceAll(name, "/bci/x", ""), "bci", "x"
		c.Proof = results.ProofPlan{Kind: results.ProofCount, Source: "otlp", Expected: 10}
	}
	both := &f.Made.Cells[3]
	both.Proof.Variant = "one/bci/x"
	both.Beside = []results.ProofPlan{{Variant: "two/bci/y", Kind: results.ProofCount, Source: "elastic", Expected: 20}}
	for i, ns := range []float64{20, 30, 50 + extra} {
		f.Costing(string(rune('a'+i)), ns)
	}
	for _, inv := range f.All {
		if inv.Cell == "c0" {
			continue
		}
		inv.Proof = results.Proof{Source: "otlp", Expected: 10, ByExit: 10, ByLoopEnd: 10}
		if inv.Cell == both.ID {
			inv.Beside = []results.Proof{{Source: "elastic", Expected: 20, ByExit: received, ByLoopEnd: received}}
		}
	}
	return f
}

// TestInteraction: an extra cost of both is found, and none is where they add up.
func TestInteraction(t *testing.T) {
	for name, c := range map[string]struct {
		extra float64
		says  string
		shown bool
	}{
		"more":     {40, "costs 40", true},
		"less":     {-25, "less than the sum of both", true},
		"the same": {0, "no difference from the sum of both is shown", false},
	} {
		a, err := analysis.Analyse(inOneJVM(rand.New(rand.NewPCG(1, 1)), c.extra, 0.5, 20))
		if err != nil {
			t.Fatal(err)
		}
		found := a.Scenarios[0].Interactions
		if len(found) != 1 || found[0].Difference == nil {
			t.Fatalf("%s: %+v", name, found)
		}
		x := found[0]
		if x.Shown != c.shown || math.Abs(x.Difference.Value-c.extra) > 1.5 || !strings.Contains(x.Text, c.says) {
			t.Errorf("%s: %+v: %s", name, x.Difference, x.Text)
		}
	}
}

// TestInteractionsCoverTheTruth: 95 % of the intervals hold the true interaction.
func TestInteractionsCoverTheTruth(t *testing.T) {
	rng := rand.New(rand.NewPCG(20141127, 5))
	const n = 300
	missed := 0
	for range n {
		a, err := analysis.Analyse(inOneJVM(rng, 7, 3, 20))
		if err != nil {
			t.Fatal(err)
		}
		i := a.Scenarios[0].Interactions[0].Difference.Interval
		if 7 < i.Low || 7 > i.High {
			missed++
		}
	}
	if missed > 27 { // of 300, at 5 %: 15 ± 3.8
		t.Errorf("%d of %d intervals miss the truth", missed, n)
	}
}

// TestAgentsAreProvenEach: one that the other undoes is named, and what cost it has is not a number.
func TestAgentsAreProvenEach(t *testing.T) {
	for received, want := range map[int64]struct {
		verdict proof.Proven
		invalid string
	}{
		20: {proof.Instrumented, ""}, 15: {proof.Lost, ""}, 0: {proof.NotInstrumented, "two/bci/y: not one record arrived"},
	} {
		a, err := analysis.Analyse(inOneJVM(rand.New(rand.NewPCG(2, 2)), 0, 0.5, received))
		if err != nil {
			t.Fatal(err)
		}
		cell := a.Scenarios[0].Cell("c")
		if cell.Records == nil || cell.Records.Verdict != want.verdict || len(cell.Records.Beside) != 1 || !strings.Contains(cell.Invalid, want.invalid) || (cell.Invalid == "") != (want.invalid == "") {
			t.Errorf("%d of 20: %+v, invalid %q", received, cell.Records, cell.Invalid)
		}
		if cell.Records != nil && !strings.Contains(cell.Records.Text, "one/bci/x: all 100 records arrived") {
			t.Errorf("%d of 20: %s", received, cell.Records.Text)
		}
	}
}
