package analysis

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"moobench/analysis/infer"
	"moobench/results"
)

// gatedMetrics is a campaign with one variant whose gate judges the metric x and others, each by
// its logarithms of variant over baseline. Its counts are of 1,000 requests in each invocation.
func gatedMetrics(g results.Gate, logs map[string][]float64, lost ...float64) *gatedFlat {
	f := gatedCampaign(g, logs["x"])
	metrics := &f.Made.Scenarios[0].Metrics
	for _, l := range g.Also {
		m := results.Metric{Name: l.Metric, Unit: "ns", Better: results.Lower}
		if l.Metric == "lost" {
			m.Of = "requests"
		}
		*metrics = append(*metrics, m)
	}
	for _, inv := range f.All {
		for name, ys := range logs {
			inv.Scalars[name] = 100
			if inv.Cell == "c2" {
				inv.Scalars[name] = 100 * math.Exp(ys[inv.Block-1])
			}
		}
		inv.Scalars["requests"], inv.Scalars["lost"] = 1000, 0
		if inv.Cell == "c2" && len(lost) > 0 {
			inv.Scalars["lost"] = lost[inv.Block-1]
		}
	}
	return f
}

// TestGateOfMetrics: by hand. Of one cell and two metrics at alpha 0.05 the lower bound is at
// 0.025, exp(0.1 - 3.182446 × 0.00816497), and the upper one at 0.05, exp(0.1 + 2.353363 × 0.00816497).
func TestGateOfMetrics(t *testing.T) {
	still, far := []float64{0.001, 0, -0.001, 0}, []float64{0.3, 0.31, 0.29, 0.3}
	also := func(worseBy float64, alarm bool) []results.GateLimit {
		return []results.GateLimit{{Metric: "y", WorseBy: worseBy, Alarm: alarm}}
	}
	for name, c := range map[string]struct {
		x, y []float64
		also []results.GateLimit
		want infer.Judgement
		says string
	}{
		"both within":          {still, tenPercent(), also(0.127, false), infer.Passed, "passed: not worse than none by more than is allowed: v0 in x (at most 0.1 % worse, allowed 3 %), v0 in y (at most 13 % worse, allowed 12.7 %)"},
		"the second is worse":  {still, tenPercent(), also(0.07, false), infer.Regression, "worse: shown to be worse than none by more than is allowed: v0 in y (11 % worse, allowed 7 %)"},
		"the first is worse":   {far, still, also(0.07, false), infer.Regression, "v0 in x (35 % worse, allowed 3 %)"},
		"one is open":          {still, tenPercent(), also(0.1, false), infer.UndecidedYet, "undecided: it may or may not be worse than none by more than is allowed: v0 in y (at most 13 % worse, allowed 10 %; a new campaign of 4 blocks makes ± 10 %"},
		"an alarm is open":     {still, tenPercent(), also(0.1, true), infer.Passed, "passed: "},
		"an alarm is worse":    {still, tenPercent(), also(0.07, true), infer.Regression, "v0 in y (11 % worse, allowed 7 %)"},
		"one is not there":     {still, nil, also(0.1, false), infer.NotJudged, "no answer about v0 in y (no invocation observed it)"},
		"an alarm isn't there": {still, nil, also(0.1, true), infer.Passed, "passed: "},
	} {
		logs := map[string][]float64{"x": c.x}
		if c.y != nil {
			logs["y"] = c.y
		}
		g := gateOf(t, gatedMetrics(results.Gate{WorseBy: 0.03, Alpha: 0.05, Also: c.also}, logs))
		if g.Verdict != c.want || !strings.Contains(g.Sentence.String(), c.says) {
			t.Errorf("%s: %s: %s\nwant %s: %s", name, g.Verdict, g.Sentence.String(), c.want, c.says)
		}
		if g.Level != 0.975 || g.PassLevel != 0.95 || len(g.Cells) != 2 || g.Cells[0].Limit.Metric != "x" || *g.Cells[1].Limit != c.also[0] {
			t.Errorf("%s: levels %v, %v, rows %+v", name, g.Level, g.PassLevel, g.Cells)
		}
		if y := g.Cells[1]; c.y != nil && c.y[0] == 0.1 && (math.Abs(y.Low-1.0768234) > 1e-6 || math.Abs(y.High-1.1266123) > 1e-6) {
			t.Errorf("%s: %v … %v", name, y.Low, y.High)
		}
	}
}

// TestGateOfCounts: a count is judged by the share of all that more were counted.
func TestGateOfCounts(t *testing.T) {
	still := map[string][]float64{"x": {0.001, 0, -0.001, 0, 0.001, 0}}
	gate := func(allowed float64) results.Gate {
		return results.Gate{WorseBy: 0.03, Alpha: 0.05, Also: []results.GateLimit{{Metric: "lost", WorseBy: allowed}}}
	}
	for name, c := range map[string]struct {
		lost    []float64
		allowed float64
		want    infer.Judgement
	}{
		"none are lost":      {[]float64{0, 0, 0, 0, 0, 0}, 0.01, infer.Passed},
		"many are":           {[]float64{52, 47, 50, 49, 51, 50}, 0.01, infer.Regression},
		"as many may be":     {[]float64{52, 47, 50, 49, 51, 50}, 0.1, infer.Passed},
		"about the limit":    {[]float64{10, 12, 8, 10, 9, 11}, 0.01, infer.UndecidedYet},
		"none, and few ones": {[]float64{0, 0, 0, 0, 0, 0}, 0.0001, infer.UndecidedYet},
	} {
		g := gateOf(t, gatedMetrics(gate(c.allowed), still, c.lost...))
		if row := g.Cells[1]; g.Verdict != c.want || row.Low > row.Ratio.Value || row.High < row.Ratio.Value {
			t.Errorf("%s: %s (%s): %v (%v … %v)", name, g.Verdict, g.Sentence.String(), row.Ratio, row.Low, row.High)
		}
	}
}

// simulateMetrics makes up campaigns of one variant that is worse by shares in x and y, whose
// values share half of their variance, and counts what a gate on both says.
func simulateMetrics(stream uint64, alpha, allowed, x, y float64) map[infer.Judgement]float64 {
	rng := rand.New(rand.NewPCG(20140901, stream))
	shares, known := map[infer.Judgement]float64{}, infer.Solver{}
	for range simulatedGates {
		gate := results.Gate{WorseBy: allowed, Alpha: alpha, Also: []results.GateLimit{{Metric: "y", WorseBy: allowed}}}
		f := gatedMetrics(gate, map[string][]float64{"x": make([]float64, gateBlocks), "y": make([]float64, gateBlocks)})
		for _, inv := range f.All {
			both := rng.NormFloat64()
			value := func(worse float64) float64 {
				if inv.Cell != "c2" {
					worse = 0
				}
				return 100 * (1 + worse) * math.Exp(jvmSD*math.Sqrt(0.5)*(both+rng.NormFloat64()))
			}
			inv.Scalars["x"], inv.Scalars["y"] = value(x), value(y)
		}
		shares[quickly(f, known).Verdict] += 1.0 / simulatedGates
	}
	return shares
}

// TestGateOfMetricsHolds: of a variant that is worse by exactly what is allowed in both metrics a
// gate says worse with a chance of alpha at the most; of one that is so in one of them it passes
// with such a chance; what is far beyond in the second alone is found.
func TestGateOfMetricsHolds(t *testing.T) {
	const alpha, allowed = 0.05, 0.03
	limit := alpha + chance(alpha)
	at := simulateMetrics(6, alpha, allowed, allowed, allowed)
	one := simulateMetrics(7, alpha, allowed, -0.1, allowed)
	far := simulateMetrics(8, alpha, allowed, 0, 0.06)
	none := simulateMetrics(9, alpha, allowed, 0, 0)
	t.Logf("both at the limit %v; one %v; the second far beyond %v; nothing %v", at, one, far, none)
	if at[infer.Regression] > limit || at[infer.Regression] < alpha/4 || at[infer.Passed] > limit {
		t.Errorf("both at the limit: %v", at)
	}
	if one[infer.Passed] > limit || one[infer.Passed] < alpha/4 {
		t.Errorf("one at the limit: passed in %.1f %%, want at most %v %%, and nearly as many", 100*one[infer.Passed], 100*alpha)
	}
	if far[infer.Regression] < 0.95 || none[infer.Passed] < 0.95 {
		t.Errorf("far beyond in one: %v; nothing: %v", far, none)
	}
}
