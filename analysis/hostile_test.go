package analysis

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moobench/analysis/chapter/sizing"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// anyCount is mostly a count, else what no count can be.
func anyCount(t *rapid.T) float64 {
	return rapid.OneOf(
		rapid.Map(rapid.IntRange(0, 40), func(k int) float64 { return float64(k) }), rapid.Just(0.0),
		rapid.SampledFrom([]float64{0, 1, 0.5, -1, 1 << 35, 1 << 40, 1 << 60, math.NaN(), math.Inf(1), math.MaxFloat64}),
	).Draw(t, "count")
}

func anyExposure(t *rapid.T) float64 {
	return rapid.OneOf(rapid.Just(1e5), rapid.Float64Range(90_000, 110_000), rapid.SampledFrom([]float64{1e5, 1, 0, -1, 5e-324, 1e300, math.MaxFloat64, math.NaN()})).Draw(t, "exposure")
}

// anyQuestion may ask what nobody can answer.
func anyQuestion(t *rapid.T, id int) results.Question {
	cell := rapid.SampledFrom([]string{"c0", "c1", "c2", "c3", "gone"})
	q := results.Question{
		ID: fmt.Sprint("q", id), Metric: rapid.SampledFrom([]string{"x", "y", "lost", "lost"}).Draw(t, "metric"),
		A: cell.Draw(t, "a"), B: cell.Draw(t, "b"), Asked: true,
		Test: rapid.SampledFrom([]results.Comparison{
			"", results.TestPaired, results.TestWelch, results.TestStudent, results.TestSignedRank, results.TestMannWhitney, results.TestTOST, results.TestRates, "guess",
		}).Draw(t, "test"),
		Alternative: rapid.SampledFrom([]string{"", "less", "greater", "two-sided", "sideways"}).Draw(t, "alternative"),
		Alpha:       rapid.SampledFrom([]float64{0, 0.05, 0.5, 0.999, 1, -1, math.NaN()}).Draw(t, "alpha"),
		Quantile:    rapid.SampledFrom([]float64{0, 0.5, 0.99, 2}).Draw(t, "quantile"),
	}
	if rapid.Bool().Draw(t, "margin") {
		q.Margin = &results.Margin{
			Share:     rapid.SampledFrom([]float64{0, 0.01, 10}).Draw(t, "share"),
			Amount:    rapid.SampledFrom([]float64{0, 1, math.Inf(1)}).Draw(t, "amount"),
			ShareFrom: testcampaign.AnyValue(t),
		}
	}
	return q
}

// anyCampaign has a baseline, its A/A and two variants, any of which may fail,
// be missing, or be given up.
func anyCampaign(t *rapid.T) *testcampaign.Flat {
	f := &testcampaign.Flat{}
	sc := results.Scenario{Label: "s", Metrics: []results.Metric{{Name: "x", Unit: "ns", Better: results.Lower, Primary: true}, {Name: "lost", Unit: "1", Better: results.Lower, Of: "sent", Key: true}}}
	if rapid.IntRange(0, 5).Draw(t, "counts first") == 0 {
		sc.Metrics[0].Primary, sc.Metrics[1].Primary = false, true
	}
	if rapid.Bool().Draw(t, "pooled") {
		sc.Pool = results.PoolCalls
	}
	if rapid.Bool().Draw(t, "sized") {
		sc.Sizing = &results.Sizing{Precision: rapid.SampledFrom([]float64{0, 0.01, 1}).Draw(t, "precision"), Pilot: results.PilotBlocks}
	}
	for i, role := range []results.Role{results.RoleBaseline, results.RoleAA, results.RoleVariant, results.RoleVariant} {
		c := results.Cell{ID: fmt.Sprint("c", i), Scenario: "s", Variant: fmt.Sprint(i), Role: role, Framework: "f", Mode: "manual", Stage: []string{"", "", "inactive", "collect"}[i]}
		if i > 0 {
			c.Baseline = "c0"
		}
		f.Made.Cells = append(f.Made.Cells, c)
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "questions") {
		sc.Questions = append(sc.Questions, anyQuestion(t, i))
	}
	if rapid.Bool().Draw(t, "unordered") {
		f.Made.Design = results.DesignUnordered
	}
	if rapid.IntRange(0, 4).Draw(t, "given up") == 0 {
		f.Made.GivenUp = []results.GivenUp{{Cell: "c0", Block: 2, Reason: "it failed"}}
	}
	f.Made.Scenarios = []results.Scenario{sc}
	constant := rapid.Bool().Draw(t, "constant")
	for b := range rapid.IntRange(0, 14).Draw(t, "blocks") {
		block := results.Block{Number: b + 1, Kind: results.BlockPlanned, Profile: results.ProfileTiming}
		for slot, c := range f.Made.Cells {
			block.Order = append(block.Order, c.ID)
			inv := &results.Invocation{Identity: results.Identity{Block: b + 1, Slot: slot}, Cell: c.ID, Profile: results.ProfileTiming, Status: results.StatusOK}
			switch fate := rapid.IntRange(0, 9).Draw(t, "fate"); {
			case fate == 0:
				continue
			case fate == 1:
				inv.Status = results.StatusFailed
			case constant:
				inv.Scalars = map[string]float64{"x": 100}
			default:
				inv.Scalars = map[string]float64{"x": testcampaign.AnyValue(t)}
			}
			if inv.Scalars != nil {
				inv.Scalars["lost"], inv.Scalars["sent"] = anyCount(t), anyExposure(t)
			}
			if rapid.IntRange(0, 5).Draw(t, "void") == 0 {
				inv.Invalid = "it was late"
			}
			if rapid.IntRange(0, 3).Draw(t, "disturbed") == 0 {
				inv.Disturbed = &results.Disturbance{Reason: "it was", Knobs: rapid.SampledFrom([][]string{nil, {"turbo"}}).Draw(t, "knobs")}
			}
			f.All = append(f.All, inv)
		}
		if b > 0 && rapid.Bool().Draw(t, "extra") {
			block.Kind = results.BlockExtra
			block.Repeats = rapid.SliceOfN(rapid.SampledFrom([]string{"b0001.s00.r0", "b0001.s02.r0", "b0002.s03.r0", "b0009.s09.r0", ""}), 0, 3).Draw(t, "repeats")
		}
		f.Made.Blocks = append(f.Made.Blocks, block)
	}
	return f
}

// Whatever was measured and asked, there is an answer or a reason, and no NaN.
func TestAnyCampaignIsAnswered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := anyCampaign(t)
		a, err := Analyse(f)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"NaN", "Inf"} {
			if strings.Contains(string(text), bad) {
				t.Fatalf("%s in %s", bad, text)
			}
		}
		for _, q := range a.Scenarios[0].Answers {
			if q.Sentence.String() == "" || q.Verdict == "" {
				t.Fatalf("no answer and no reason: %+v", q)
			}
		}
		if s := f.Made.Scenarios[0].Sizing; s != nil && s.Precision > 0 {
			d, err := sizing.Size(f, "s")
			if err != nil || d.Blocks < s.Pilot || d.Reason == "" {
				t.Fatalf("%+v, %v", d, err)
			}
		}
	})
}

// A baseline that was given up takes away the differences of later blocks, and
// every number says so.
func TestGivenUpBaseline(t *testing.T) {
	f := testcampaign.Piloted(rand.New(rand.NewPCG(1, 1)), 6, results.Sizing{}, 1)
	f.Made.Scenarios[0].Sizing = nil
	f.Made.GivenUp = []results.GivenUp{{Cell: "c0", Block: 4, Reason: "it died three times"}, {Cell: "a", Block: 4, Reason: "its baseline was given up"}}
	kept := f.All[:0]
	for _, inv := range f.All {
		if inv.Block < 4 {
			kept = append(kept, inv)
		}
	}
	f.All = kept
	a, err := Analyse(f)
	if err != nil {
		t.Fatal(err)
	}
	c := a.Scenarios[0].Cells[1]
	if d := c.Metrics[0].Difference; d == nil || d.N != 3 {
		t.Errorf("difference %+v, want three pairs", d)
	}
	if len(a.Unanswered) != 2 || !strings.Contains(fmt.Sprint(c.Marks), "given up") {
		t.Errorf("unanswered %q, marks %+v", a.Unanswered, c.Marks)
	}
}
