package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"moobench/analysis/infer"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

func TestAAStates(t *testing.T) {
	base := []float64{100, 101, 99, 100.5, 99.5, 100.2}
	shifted := []float64{110, 111, 109, 110.6, 109.4, 110.3}
	same := []float64{100.1, 100.8, 99.3, 100.4, 99.4, 100.5}
	for name, c := range map[string]struct {
		x, y []float64
		want AAState
	}{
		"equal":          {same, base, AAResolves},
		"different":      {shifted, base, AAFailed},
		"three blocks":   {same[:3], base[:3], AATooFew},
		"three, differ":  {shifted[:3], base[:3], AATooFew},
		"one block":      {same[:1], base[:1], AATooFew},
		"no block":       {nil, nil, AATooFew},
		"identical":      {base, base, AAResolves},
		"not a quantity": {[]float64{0, 1, 2, 3, 4}, []float64{1, 1, 2, 3, 4}, AATooFew},
	} {
		of := infer.Solver{}.Compare(infer.Question{Alpha: 0.1}, infer.Data{X: infer.Sample{Values: c.x}, Y: infer.Sample{Values: c.y}, Paired: true})
		a := decided(twoBaselines(&results.Cell{ID: "c01"}, of, len(c.x)))[0]
		if a.State != c.want || a.Text.Rest == "" {
			t.Errorf("%s: %s (%s), want %s", name, a.State, a.Text, c.want)
		}
	}
}

// decided are the A/As of one scenario, decided together.
func decided(all ...AA) []AA {
	(&Answers{Scenarios: []Scenario{{AA: all}}}).decideSelfTests()
	return all
}

func TestAAsAreAdjustedTogether(t *testing.T) {
	p := func(v float64) AA {
		return AA{Pairs: 10, P: &v, Resolves: new(float64), Ratio: &Estimate{Value: 1.01}}
	}
	all := decided(p(0.006), AA{Pairs: 1}, p(0.5))
	if all[0].State != AAResolves || math.Abs(*all[0].P-0.012) > 1e-15 {
		t.Errorf("0.006 of two is 0.012: %s, p = %v", all[0].State, *all[0].P)
	}
}

const simulatedCost = 1.13

// simulate makes a campaign of ten blocks, three variants and two levels: JVM
// effects of 1 %, drift between blocks of 3 %.
func simulate(rng *rand.Rand) *testcampaign.Flat {
	f := &testcampaign.Flat{}
	f.Made.Scenarios = []results.Scenario{{Label: "s", Metrics: []results.Metric{{Name: "x", Unit: "ns", Better: results.Lower, Primary: true}}}}
	for level := range 2 {
		for i := range 5 {
			c := results.Cell{ID: fmt.Sprintf("c%d%d", level, i), Scenario: "s", Variant: fmt.Sprint(i), Role: results.RoleVariant, Baseline: fmt.Sprintf("c%d0", level)}
			c.Factors = []results.Value{{Name: "depth", Value: fmt.Sprint(level)}}
			switch i {
			case 0:
				c.Role, c.Baseline = results.RoleBaseline, ""
			case 1:
				c.Role = results.RoleAA
			}
			f.Made.Cells = append(f.Made.Cells, c)
		}
	}
	for b := 1; b <= 10; b++ {
		drift := math.Exp(0.03 * rng.NormFloat64())
		for slot, c := range f.Made.Cells {
			x := 100 * drift * math.Exp(0.01*rng.NormFloat64())
			if c.Role == results.RoleVariant {
				x *= simulatedCost
			}
			f.All = append(f.All, &results.Invocation{
				Identity: results.Identity{Block: b, Slot: slot}, Cell: c.ID, Profile: results.ProfileTiming,
				Status: results.StatusOK, Scalars: map[string]float64{"x": x},
			})
		}
	}
	return f
}

// A healthy machine is accused in at most about 1 % of campaigns, and all
// intervals of a level hold together in at least 95 %.
func TestSimulatedCampaigns(t *testing.T) {
	const campaigns = 400
	rng := rand.New(rand.NewPCG(20140901, 1))
	accused, held := 0, 0
	for range campaigns {
		a, err := Analyse(simulate(rng))
		if err != nil {
			t.Fatal(err)
		}
		s := a.Scenarios[0]
		if s.AA[0].State == AAFailed || s.AA[1].State == AAFailed {
			accused++
		}
		for level := range 2 {
			if holdTogether(s.Cells[5*level : 5*level+5]) {
				held++
			}
		}
	}
	if share := float64(accused) / campaigns; share > 0.015 {
		t.Errorf("%.2f %% of healthy campaigns fail their A/A, want at most 1.5 %%", 100*share)
	}
	if share := float64(held) / (2 * campaigns); share < 0.945 || share > 0.98 {
		t.Errorf("the intervals of a level hold together in %.2f %%, want 95 %% or a little more", 100*share)
	}
}

func holdTogether(cells []Cell) bool {
	for _, c := range cells {
		if c.Role != results.RoleVariant {
			continue
		}
		if i := c.Metrics[0].Ratio.Interval; i.Low > simulatedCost || i.High < simulatedCost {
			return false
		}
	}
	return true
}
