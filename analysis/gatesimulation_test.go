package analysis

import (
	"math"
	"math/rand/v2"
	"testing"

	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/reading"
	"moobench/analysis/stats"
	"moobench/results"
)

const (
	simulatedGates = 400
	gateBlocks     = 10
	jvmSD          = 0.01 // of the logarithm of an invocation
)

// gates makes up campaigns whose variants are worse than the baseline by the given
// shares, on a machine whose blocks drift by 3 %, and counts what their gates say.
func gates(t *testing.T, stream uint64, alpha, worseBy float64, worse ...float64) map[infer.Judgement]float64 {
	t.Helper()
	rng := rand.New(rand.NewPCG(20140901, stream))
	shares, known := map[infer.Judgement]float64{}, infer.Solver{}
	for range simulatedGates {
		variants := make([][]float64, len(worse))
		for i := range variants {
			variants[i] = make([]float64, gateBlocks)
		}
		f := gatedCampaign(results.Gate{WorseBy: worseBy, Alpha: alpha}, variants...)
		drifts := make([]float64, gateBlocks+1)
		for b := range drifts {
			drifts[b] = math.Exp(0.03 * rng.NormFloat64())
		}
		for _, inv := range f.All {
			x := 100 * drifts[inv.Block] * math.Exp(jvmSD*rng.NormFloat64())
			if i := int(inv.Cell[1] - '2'); i >= 0 && i < len(worse) {
				x *= 1 + worse[i]
			}
			inv.Scalars["x"] = x
		}
		shares[quickly(f, known).Verdict] += 1.0 / simulatedGates
	}
	return shares
}

// quickly is what Analyse says of the gate. What can be detected is computed once
// for all campaigns, which takes most of the time.
func quickly(f *gatedFlat, known infer.Solver) *GateAnswer {
	all := evidence.Gather(f)
	r := &reader{Reading: reading.New(&f.Made, &f.Made.Scenarios[0], evidence.ByCell(all.Invocations), known, nil)}
	a := &Answers{Scenarios: []Scenario{r.scenario()}, Machines: f.hosts}
	a.decideSelfTests()
	return a.judgeGate(&f.Made, []*reader{r})
}

// chance is three standard errors of a simulated share.
func chance(share float64) float64 { return 3 * math.Sqrt(share*(1-share)/simulatedGates) }

// TestGateCriesNoWolf: of variants that are all worse by exactly what is allowed, a
// gate says worse of any with a chance of alpha at the most, and passes them all even
// more seldom; of less, it says so hardly ever.
func TestGateCriesNoWolf(t *testing.T) {
	const alpha, allowed = 0.05, 0.03
	limit := alpha + chance(alpha)
	at := gates(t, 1, alpha, allowed, allowed, allowed, allowed)
	t.Logf("at the limit: %v", at)
	if at[infer.Regression] > limit || at[infer.Regression] < alpha/4 {
		t.Errorf("%.1f %% of gates at the limit say worse, want at most %.1f, and nearly as many", 100*at[infer.Regression], 100*alpha)
	}
	if limit := alpha/3 + chance(alpha/3); at[infer.Passed] > limit {
		t.Errorf("%.1f %% of gates at the limit pass all, want at most a third of %.1f", 100*at[infer.Passed], 100*alpha)
	}
	if below := gates(t, 2, alpha, allowed, 0.02, 0.02, 0.02); below[infer.Regression] > 0.005 {
		t.Errorf("%.1f %% of gates say worse of what is a third below the limit", 100*below[infer.Regression])
	}
}

// TestGateFinds: what is far beyond the limit is found, and what costs nothing
// more passes.
func TestGateFinds(t *testing.T) {
	if far := gates(t, 3, 0.01, 0.03, 0, 0.08, 0); far[infer.Regression] < 0.97 {
		t.Errorf("%v: 8 %% where 3 are allowed is found in %.1f %%", far, 100*far[infer.Regression])
	}
	if none := gates(t, 4, 0.01, 0.03, 0, 0, 0); none[infer.Passed] < 0.9 || none[infer.Regression] > 0 {
		t.Errorf("%v: what costs nothing passes in %.1f %%", none, 100*none[infer.Passed])
	}
}

// TestGateDetects: the worsening that is called detectable, of a spread that is
// known, is found with 80 % power.
func TestGateDetects(t *testing.T) {
	const alpha, allowed = 0.05, 0.03
	unit, err := stats.Detectable(1, gateBlocks-1, alpha, infer.Power, stats.Greater)
	if err != nil {
		t.Fatal(err)
	}
	share := (1+allowed)*math.Exp(unit*reading.UsuallyAlike*jvmSD*math.Sqrt2/math.Sqrt(gateBlocks)) - 1
	if got := gates(t, 5, alpha, allowed, share)[infer.Regression]; math.Abs(got-infer.Power) > chance(infer.Power) {
		t.Errorf("a worsening of %.2f %% is found in %.1f %% of campaigns, want 80", 100*share, 100*got)
	}
}
