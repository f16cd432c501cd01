package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"moobench/analysis/chapter/sizing"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/stats"
	"moobench/results"
)

// gatedFlat is a flat campaign with a gate, measured on some hosts.
type gatedFlat struct {
	testcampaign.Flat
	hosts []*results.Machine
}

func (f *gatedFlat) Machines() ([]*results.Machine, error) { return f.hosts, nil }

// gatedCampaign has a baseline at 100, its A/A, and one variant for each list of
// logarithms: of what its values are times the baseline's, block by block.
func gatedCampaign(g results.Gate, variants ...[]float64) *gatedFlat {
	f := &gatedFlat{hosts: []*results.Machine{{ID: "m1", Host: "bench-01"}}}
	g.Scenario, g.Metric = "s", "x"
	if g.Reference == "" {
		g.Reference = "none"
	}
	f.Made.Gate = &g
	f.Made.Scenarios = []results.Scenario{{Label: "s", Metrics: []results.Metric{{Name: "x", Unit: "ns", Better: results.Lower, Primary: true}}}}
	baseline := results.ProofPlan{Kind: results.ProofBaseline}
	f.Made.Cells = []results.Cell{
		{ID: "c0", Scenario: "s", Variant: "none", Role: results.RoleBaseline, Proof: baseline},
		{ID: "c1", Scenario: "s", Variant: "none", Role: results.RoleAA, Baseline: "c0", Proof: baseline},
	}
	for i := range variants {
		f.Made.Cells = append(f.Made.Cells, results.Cell{ID: fmt.Sprintf("c%d", i+2), Scenario: "s", Variant: fmt.Sprintf("v%d", i), Role: results.RoleVariant, Baseline: "c0", Proof: baseline})
	}
	for b := range len(variants[0]) {
		drift := 1 + 0.1*float64(b) // cancels
		f.put(b+1, "c0", 100*drift)
		f.put(b+1, "c1", 100*drift*(1+0.001*float64(b%2)))
		for i, logs := range variants {
			f.put(b+1, fmt.Sprintf("c%d", i+2), 100*drift*math.Exp(logs[b]))
		}
	}
	return f
}

// put adds an invocation, and its block where there is none yet.
func (f *gatedFlat) put(block int, cell string, x float64) {
	if len(f.Made.Blocks) < block {
		f.Made.Blocks = append(f.Made.Blocks, results.Block{Number: block, Kind: results.BlockPlanned, Profile: results.ProfileTiming})
	}
	b := &f.Made.Blocks[block-1]
	f.All = append(f.All, &results.Invocation{
		Identity: results.Identity{Block: block, Slot: len(b.Order)}, Cell: cell, Profile: results.ProfileTiming,
		Status: results.StatusOK, Scalars: map[string]float64{"x": x},
	})
	b.Order = append(b.Order, cell)
}

func gateOf(t *testing.T, src Source) *GateAnswer {
	t.Helper()
	a, err := Analyse(src)
	if err != nil {
		t.Fatal(err)
	}
	if a.Gate == nil {
		t.Fatal("there is no answer about the gate")
	}
	return a.Gate
}

// tenPercent are four blocks: mean 0.1, sd 0.0163299, se 0.00816497, df 3.
func tenPercent() []float64 { return []float64{0.10, 0.12, 0.08, 0.10} }

// TestGateBounds: by hand. One cell at alpha 0.05: t(3; 0.05) = 2.353363, so that
// the bounds are exp(0.1 ± 0.0192151); of two cells t(3; 0.025) = 3.182446, and
// exp(0.1 ± 0.0259846).
func TestGateBounds(t *testing.T) {
	other := []float64{0.01, 0, -0.01, 0}
	for name, c := range map[string]struct {
		worseBy   float64
		variants  [][]float64
		judged    []string
		low, high float64
		want      infer.Judgement
	}{
		"far above":            {0.03, [][]float64{tenPercent()}, nil, 1.084138, 1.126612, infer.Regression},
		"just below the bound": {0.084, [][]float64{tenPercent()}, nil, 1.084138, 1.126612, infer.Regression},
		"just above it":        {0.0845, [][]float64{tenPercent()}, nil, 1.084138, 1.126612, infer.UndecidedYet},
		"in the middle":        {0.105, [][]float64{tenPercent()}, nil, 1.084138, 1.126612, infer.UndecidedYet},
		"below the upper one":  {0.1265, [][]float64{tenPercent()}, nil, 1.084138, 1.126612, infer.UndecidedYet},
		"above the upper one":  {0.127, [][]float64{tenPercent()}, nil, 1.084138, 1.126612, infer.Passed},
		"of two cells":         {0.03, [][]float64{tenPercent(), other}, nil, 1.076823, 1.134265, infer.Regression},
		"two share the alpha":  {0.08, [][]float64{tenPercent(), other}, nil, 1.076823, 1.134265, infer.UndecidedYet},
		"only one is judged":   {0.08, [][]float64{tenPercent(), other}, []string{"v0"}, 1.084138, 1.126612, infer.Regression},
	} {
		g := gateOf(t, gatedCampaign(results.Gate{WorseBy: c.worseBy, Alpha: 0.05, Variants: c.judged}, c.variants...))
		cell := g.Cells[0]
		if math.Abs(cell.Low-c.low) > 1e-6 || math.Abs(cell.High-c.high) > 1e-6 || math.Abs(cell.Ratio.Value-math.Exp(0.1)) > 1e-9 || cell.Ratio.N != 4 {
			t.Errorf("%s: %v (%v … %v) of %d, want %v … %v", name, cell.Ratio.Value, cell.Low, cell.High, cell.Ratio.N, c.low, c.high)
		}
		if cell.Verdict != c.want || cell.Cell != "c2" || cell.Reference != "c0" || !strings.HasPrefix(cell.Sentence.String(), c.want.Word()+": v0 is 11 % worse than none, ") {
			t.Errorf("%s: %s (%s), want %s", name, cell.Verdict, cell.Sentence.String(), c.want)
		}
		m := float64(len(g.Cells))
		if math.Abs(g.Level-(1-0.05/m)) > 1e-12 || math.Abs(cell.Ratio.Interval.Level-(1-0.1/m)) > 1e-12 {
			t.Errorf("%s: bounds at %v, interval at %v of %v cells", name, g.Level, cell.Ratio.Interval.Level, m)
		}
	}
}

// TestGateDirection: where more is better, the reference is set against the cell.
func TestGateDirection(t *testing.T) {
	f := gatedCampaign(results.Gate{WorseBy: 0.03, Alpha: 0.05}, []float64{-0.10, -0.12, -0.08, -0.10}, tenPercent())
	f.Made.Scenarios[0].Metrics[0].Better = results.Higher
	g := gateOf(t, f)
	if worse, better := g.Cells[0], g.Cells[1]; worse.Verdict != infer.Regression || math.Abs(worse.Low-1.076823) > 1e-6 || better.Verdict != infer.Passed || math.Abs(better.High-math.Exp(-0.1+0.0259846)) > 1e-6 {
		t.Errorf("less of it: %s, at least %v; more of it: %s, at most %v", worse.Verdict, worse.Low, better.Verdict, better.High)
	}
	if g.Verdict != infer.Regression || !g.Worse() || g.Open() || g.Sentence.String() != "worse: 1 of 2 cells shown to be worse than none by more than 3 %: v0" {
		t.Errorf("%s: %s", g.Verdict, g.Sentence.String())
	}
}

// TestGateReference: the reference is any variant of the same blocks, and is not
// judged itself, nor is the baseline.
func TestGateReference(t *testing.T) {
	old := []float64{0.5, 0.51, 0.49, 0.5, 0.5}
	dearer := make([]float64, len(old))
	for i, l := range []float64{0.10, 0.12, 0.08, 0.10, 0.10} {
		dearer[i] = old[i] + l
	}
	g := gateOf(t, gatedCampaign(results.Gate{WorseBy: 0.2, Alpha: 0.01, Reference: "v0"}, old, dearer))
	if len(g.Cells) != 1 || g.Cells[0].Cell != "c3" || g.Cells[0].Reference != "c2" || math.Abs(g.Cells[0].Ratio.Value-math.Exp(0.1)) > 1e-9 {
		t.Fatalf("judged: %+v", g.Cells)
	}
	if g.Verdict != infer.Passed || g.Worse() || g.Open() || g.Sentence.String() != "passed: none of 1 cell is worse than v0 by more than 20 %; 5 JVMs: a mode that fewer than one in 2 falls into may have gone unseen" {
		t.Errorf("%s: %s", g.Verdict, g.Sentence.String())
	}
}

// TestGateAtEachLevel: cells are compared with the reference of their own factor
// level.
func TestGateAtEachLevel(t *testing.T) {
	f := gatedCampaign(results.Gate{WorseBy: 0.03, Alpha: 0.05}, tenPercent())
	low := f.Made.Cells
	for i := range low {
		low[i].Factors = []results.Value{{Name: "depth", Value: "1"}}
	}
	for _, c := range low[:3:3] {
		c.ID, c.Factors = "d"+c.ID, []results.Value{{Name: "depth", Value: "10"}}
		if c.Baseline != "" {
			c.Baseline = "d" + c.Baseline
		}
		f.Made.Cells = append(f.Made.Cells, c)
	}
	for b := range 4 {
		f.put(b+1, "dc0", 1000)
		f.put(b+1, "dc1", 1000+float64(b%2))
		f.put(b+1, "dc2", 1000+float64(b%3))
	}
	g := gateOf(t, f)
	if len(g.Cells) != 2 || g.Cells[0].Reference != "c0" || g.Cells[1].Reference != "dc0" || g.Cells[0].Verdict != infer.Regression || g.Cells[1].Verdict != infer.Passed {
		t.Errorf("%+v", g.Cells)
	}
	if g.Sentence.String() != "worse: 1 of 2 cells shown to be worse than none by more than 3 %: v0 depth=1" {
		t.Error(g.Sentence.String())
	}
}

// TestGateBars: what keeps a gate from a verdict. Numbers stay where there are any.
func TestGateBars(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(*gatedFlat)
		want    infer.Judgement
		says    string
		numbers bool
	}{
		"another machine": {func(f *gatedFlat) { f.Made.Gate.Host = "bench-02" }, infer.NotJudged, "no answer: it was measured on bench-01, and the gate judges figures of bench-02 only", true},
		"the right one":   {func(f *gatedFlat) { f.Made.Gate.Host = "bench-01" }, infer.Regression, "worse: ", true},
		"two machines": {func(f *gatedFlat) {
			f.Made.Gate.Host, f.hosts = "bench-01", append(f.hosts, &results.Machine{Host: "bench-03"})
		}, infer.NotJudged, "measured on bench-03", true},
		"nobody knows":     {func(f *gatedFlat) { f.Made.Gate.Host, f.hosts = "bench-01", nil }, infer.NotJudged, "no answer: where it was measured is not known", true},
		"imported":         {func(f *gatedFlat) { f.Made.Design = results.DesignUnordered }, infer.NotJudged, "no answer: unordered: there are no pairs", false},
		"not finished":     {func(f *gatedFlat) { f.drop(4, "c2") }, infer.NotJudged, "no answer: the campaign is not finished", true},
		"pilot only":       {func(f *gatedFlat) { f.Made.Scenarios[0].Sizing = &results.Sizing{Precision: 0.01, Pilot: 4} }, infer.NotJudged, "no answer: the campaign is not finished", true},
		"no scenario":      {func(f *gatedFlat) { f.Made.Gate.Scenario = "t" }, infer.NotJudged, `no answer: the campaign has no scenario "t"`, false},
		"no metric":        {func(f *gatedFlat) { f.Made.Gate.Metric = "y" }, infer.NotJudged, `no answer: scenario s has no metric "y"`, false},
		"nothing to judge": {func(f *gatedFlat) { f.Made.Gate.Variants = []string{"gone"} }, infer.NotJudged, "no answer: scenario s has no cell to judge", false},
		"no reference":     {func(f *gatedFlat) { f.Made.Gate.Reference = "gone" }, infer.NotJudged, "no answer about 1 of 1 cell: v0", false},
		"no direction":     {func(f *gatedFlat) { f.Made.Scenarios[0].Metrics[0].Better = results.Neither }, infer.NotJudged, "no answer: worse_by 0.03, alpha 0.05 and metric x make no gate", false},
		"no alpha":         {func(f *gatedFlat) { f.Made.Gate.Alpha = 0.5 }, infer.NotJudged, "make no gate", false},
		"given up":         {func(f *gatedFlat) { f.Made.GivenUp = []results.GivenUp{{Cell: "c2", Block: 5, Reason: "it died"}} }, infer.NotJudged, "no answer about 1 of 1 cell: v0", true},
		"reference gone":   {func(f *gatedFlat) { f.Made.GivenUp = []results.GivenUp{{Cell: "c0", Block: 5, Reason: "it died"}} }, infer.NotJudged, "no answer about 1 of 1 cell: v0", true},
		"one pair":         {func(f *gatedFlat) { f.fail(1, 2, 3) }, infer.NotJudged, "no answer about 1 of 1 cell: v0", false},
		"no pair":          {func(f *gatedFlat) { f.fail(1, 2, 3, 4) }, infer.NotJudged, "no answer about 1 of 1 cell: v0", false},
		"not a quantity":   {func(f *gatedFlat) { f.set("c2", 2, 0) }, infer.NotJudged, "no answer about 1 of 1 cell: v0", false},
		"A/A failed":       {func(f *gatedFlat) { f.favour() }, infer.UndecidedYet, "undecided: the A/A of s failed", true},
	} {
		logs := tenPercent()
		if name == "A/A failed" { // which needs five blocks
			logs = append(logs, logs...)
		}
		f := gatedCampaign(results.Gate{WorseBy: 0.03, Alpha: 0.05}, logs)
		c.change(f)
		g := gateOf(t, f)
		if g.Verdict != c.want || !strings.Contains(g.Sentence.String(), c.says) || g.Open() == (c.want == infer.Regression) {
			t.Errorf("%s: %s (%s), want %s with %q", name, g.Verdict, g.Sentence.String(), c.want, c.says)
		}
		numbers := len(g.Cells) > 0 && g.Cells[0].Low > 0
		if numbers != c.numbers || len(g.Cells) > 0 && (g.Cells[0].Verdict != c.want || g.Cells[0].Sentence.String() == "no answer: ") {
			t.Errorf("%s: cells %+v", name, g.Cells)
		}
	}
}

// of is the invocation of a cell in a block.
func (f *gatedFlat) of(block int, cell string) *results.Invocation {
	for _, inv := range f.All {
		if inv.Block == block && inv.Cell == cell {
			return inv
		}
	}
	return nil
}

func (f *gatedFlat) set(cell string, block int, x float64) { f.of(block, cell).Scalars["x"] = x }

// fail lets the first variant fail in some blocks.
func (f *gatedFlat) fail(blocks ...int) {
	for _, b := range blocks {
		f.of(b, "c2").Status = results.StatusFailed
	}
}

// drop takes an invocation away, as if it had not been made yet.
func (f *gatedFlat) drop(block int, cell string) {
	gone := f.of(block, cell)
	kept := f.All[:0:0]
	for _, inv := range f.All {
		if inv != gone {
			kept = append(kept, inv)
		}
	}
	f.All = kept
}

// favour makes the machine slower for the second baseline.
func (f *gatedFlat) favour() {
	for _, inv := range f.All {
		if inv.Cell == "c1" {
			inv.Scalars["x"] *= 1.1
		}
	}
}

// TestGateNeedsRecords: what was not instrumented has no verdict, and is worth an
// answer to nobody.
func TestGateNeedsRecords(t *testing.T) {
	f := gatedCampaign(results.Gate{WorseBy: 0.03, Alpha: 0.05}, tenPercent(), tenPercent())
	f.Made.Cells[2].Proof = results.ProofPlan{Kind: results.ProofCount, Source: "fixture", Expected: 100}
	for _, inv := range f.All {
		if inv.Cell == "c2" {
			inv.Proof = results.Proof{Source: "fixture", Expected: 100}
		}
	}
	g := gateOf(t, f)
	if void, other := g.Cells[0], g.Cells[1]; void.Verdict != infer.NotJudged || void.Ratio != nil || !strings.Contains(void.Sentence.String(), "no answer: v0: not instrumented") || other.Verdict != infer.Regression {
		t.Errorf("%+v\n%+v", void, other)
	}
	if g.Verdict != infer.Regression {
		t.Errorf("one is worse, whatever the other: %s", g.Sentence.String())
	}
}

// TestGateMinds: what spoils a number stands beside the verdict on it.
func TestGateMinds(t *testing.T) {
	f := gatedCampaign(results.Gate{WorseBy: 0.03, Alpha: 0.05}, tenPercent())
	f.of(2, "c2").Disturbed = &results.Disturbance{Reason: "somebody was there"}
	f.of(3, "c0").Disturbed = &results.Disturbance{Reason: "somebody was there"}
	g := gateOf(t, f)
	if got := strings.Join(g.Cells[0].Marks, "; "); got != "only 4; disturbed 1 of 4; none: only 4; none: disturbed 1 of 4" || g.Cells[0].Verdict != infer.Regression || !strings.HasSuffix(g.Cells[0].Sentence.String(), "; caveats: only 4, disturbed 1 of 4, none: only 4, none: disturbed 1 of 4") {
		t.Errorf("%s: %s", got, g.Cells[0].Sentence.String())
	}
}

// TestGateKeepsThePilot: of a sized scenario the degrees of freedom are the pilot's,
// and the spread is that of all blocks, which is larger: t(9; 0.01) = 2.821438.
func TestGateKeepsThePilot(t *testing.T) {
	s := results.Sizing{Precision: 0.001, Pilot: results.PilotBlocks, MaxBlocks: 20}
	f := testcampaign.Piloted(rand.New(rand.NewPCG(3, 4)), results.PilotBlocks, s, 3)
	decision, err := sizing.Size(f, "s")
	if err != nil {
		t.Fatal(err)
	}
	f.Made.Scenarios[0].Sizing.Decision = decision
	rng := rand.New(rand.NewPCG(5, 5))
	for b := results.PilotBlocks + 1; b <= 20; b++ {
		f.Block(rng, b, []float64{9})
	}
	f.Made.Gate = &results.Gate{Scenario: "s", Metric: "x", WorseBy: 0.1, Alpha: 0.01, Reference: "none"}
	var logs []float64
	for b := 1; b <= 20; b++ {
		var base, cell float64
		for _, inv := range f.All {
			switch {
			case inv.Block == b && inv.Cell == "c0":
				base = inv.Scalars["x"]
			case inv.Block == b:
				cell = inv.Scalars["x"]
			}
		}
		logs = append(logs, math.Log(cell/base))
	}
	mean, err := stats.Mean(logs)
	if err != nil {
		t.Fatal(err)
	}
	pilot, err := stats.SD(logs[:results.PilotBlocks])
	if err != nil {
		t.Fatal(err)
	}
	sd, err := stats.SD(logs)
	if sd <= pilot {
		t.Fatalf("the made-up pilot varies by %v, and all by %v", pilot, sd)
	}
	if err != nil {
		t.Fatal(err)
	}
	alike := math.Sqrt(stats.Alike(logs))
	half := 2.821438 * sd / math.Sqrt(20) * alike
	if c := gateOf(t, f).Cells[0]; math.Abs(c.Low-math.Exp(mean-half)) > 1e-6 || math.Abs(c.High-math.Exp(mean+half)) > 1e-6 || c.Ratio.Test.DF != 9 {
		t.Errorf("%v … %v with %v degrees of freedom, want %v … %v with the pilot's 9", c.Low, c.High, c.Ratio.Test.DF, math.Exp(mean-half), math.Exp(mean+half))
	}
	_, pinned, err := Pin(f, "")
	if err != nil {
		t.Fatal(err)
	}
	if p := pinned[1].Log; *p.DF != 9 || math.Abs(*p.SE-sd/math.Sqrt(20)*alike) > 1e-12 || math.Abs(p.Value-mean) > 1e-12 {
		t.Errorf("pinned: %v ± %v, df %v", p.Value, *p.SE, *p.DF)
	}
}

func TestNoGate(t *testing.T) {
	f := gatedCampaign(results.Gate{WorseBy: 0.03, Alpha: 0.05}, tenPercent())
	f.Made.Gate = nil
	a, err := Analyse(f)
	if err != nil || a.Gate != nil || a.Gate.Worse() || a.Gate.Open() {
		t.Errorf("nobody asked for a gate: %+v, %v", a.Gate, err)
	}
}
