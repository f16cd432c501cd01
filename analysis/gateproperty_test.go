package analysis

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"moobench/analysis/infer"
	"moobench/results"
)

// drawLogs draws one to three variants over two to eight blocks.
func drawLogs(t *rapid.T) [][]float64 {
	blocks := rapid.IntRange(2, 8).Draw(t, "blocks")
	var all [][]float64
	for range rapid.IntRange(1, 3).Draw(t, "variants") {
		all = append(all, rapid.SliceOfN(rapid.Float64Range(-1, 1), blocks, blocks).Draw(t, "logs"))
	}
	return all
}

// TestGateIgnoresDrift: what hits a whole block, and the unit, change nothing.
func TestGateIgnoresDrift(t *testing.T) {
	known := infer.Solver{}
	rapid.Check(t, func(t *rapid.T) {
		logs := drawLogs(t)
		g := results.Gate{WorseBy: rapid.Float64Range(0.001, 2).Draw(t, "worse_by"), Alpha: rapid.SampledFrom([]float64{0.01, 0.05, 0.4}).Draw(t, "alpha")}
		still, drifting := gatedCampaign(g, logs...), gatedCampaign(g, logs...)
		drifts := rapid.SliceOfN(rapid.Float64Range(0.01, 100), len(logs[0]), len(logs[0])).Draw(t, "drifts")
		for _, inv := range drifting.All {
			inv.Scalars["x"] *= drifts[inv.Block-1]
		}
		a, b := quickly(still, known), quickly(drifting, known)
		for i := range a.Cells {
			x, y := a.Cells[i], b.Cells[i]
			if math.Abs(x.Ratio.Value/y.Ratio.Value-1) > 1e-9 || math.Abs(x.Low/y.Low-1) > 1e-6 || math.Abs(x.High/y.High-1) > 1e-6 {
				t.Fatalf("%v (%v … %v) became %v (%v … %v)", x.Ratio.Value, x.Low, x.High, y.Ratio.Value, y.Low, y.High)
			}
		}
	})
}

// TestGateIsMonotone: bounds lie around the ratio, and who allows more never hears
// worse of what passed, nor is anything passed that is worse.
func TestGateIsMonotone(t *testing.T) {
	rank, known := map[infer.Judgement]int{infer.Passed: 0, infer.UndecidedYet: 1, infer.Regression: 2}, infer.Solver{}
	rapid.Check(t, func(t *rapid.T) {
		logs := drawLogs(t)
		allowed := rapid.Float64Range(0.001, 2).Draw(t, "worse_by")
		more := allowed * rapid.Float64Range(1, 3).Draw(t, "times")
		g := results.Gate{WorseBy: allowed, Alpha: 0.05}
		strict := quickly(gatedCampaign(g, logs...), known)
		g.WorseBy = more
		lax := quickly(gatedCampaign(g, logs...), known)
		for i := range strict.Cells {
			s, l := strict.Cells[i], lax.Cells[i]
			if s.Ratio.Interval == nil {
				if s.Verdict != infer.NotJudged {
					t.Fatalf("%s without an interval", s.Verdict)
				}
				continue
			}
			if s.Low > s.Ratio.Value || s.High < s.Ratio.Value || s.Low != l.Low {
				t.Fatalf("%v lies not within %v … %v, or the bounds hang on what is allowed", s.Ratio.Value, s.Low, s.High)
			}
			if rank[l.Verdict] > rank[s.Verdict] {
				t.Fatalf("allowing %v it is %s, allowing %v it is %s", allowed, s.Verdict, more, l.Verdict)
			}
			if s.Detectable != nil && *s.Detectable < allowed*(1-1e-9) {
				t.Fatalf("a worsening of %v is said to be detectable, and %v is allowed", *s.Detectable, allowed)
			}
		}
	})
}
