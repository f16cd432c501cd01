package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"moobench/analysis/infer"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/stats"
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

// TestDecide: what an A/A says, by its pairs, its p and what it compared.
func TestDecide(t *testing.T) {
	p := func(v float64) *float64 { return &v }
	for _, c := range []struct {
		name  string
		a     AA
		state AAState
		says  string
	}{
		{"no pair", AA{}, AATooFew, "too few blocks to say: 0 pairs of baselines"},
		{"one pair", AA{Pairs: 1}, AATooFew, "too few blocks to say: 1 pair of baselines"},
		{"no p", AA{Pairs: 2, Text: Sentence{Rest: "why"}}, AATooFew, "cannot say: why"},
		{"four pairs", AA{Pairs: 4, P: p(0)}, AATooFew, "too few blocks to say: 4 pairs of baselines, and five are"},
		{"five pairs", AA{Pairs: 5, P: p(0.01)}, AAResolves, "agrees within 1.5 % (95 % sure, 5 pairs)"},
		{"below the level", AA{Pairs: 5, P: p(0.0099)}, AAFailed, "failed: two equal baselines differ by 2.0 % (p"},
		{
			"a count",
			AA{Pairs: 5, P: p(0.01), Metric: "lost", Text: Sentence{Rest: "1 and 2"}},
			AAResolves,
			"no difference is shown: 1 and 2 (p = 0.010, 5 pairs of baselines)",
		},
		{
			"a count that differs",
			AA{Pairs: 5, P: p(0.001), Metric: "lost", Text: Sentence{Rest: "1 and 9"}},
			AAFailed,
			"failed: two equal baselines differ: 1 and 9 (p = 0.001, 5 pairs of baselines); no difference below",
		},
	} {
		c.a.Ratio, c.a.Resolves = &Estimate{Value: 0.98}, p(0.015)
		c.a.decide()
		if c.a.State != c.state || !strings.HasPrefix(c.a.Text.String(), c.says) {
			t.Errorf("%s: %s, %q", c.name, c.a.State, c.a.Text.String())
		}
		resolves := c.state == AAResolves || c.a.P == nil || c.a.Metric != ""
		if (c.a.Resolves != nil) != resolves {
			t.Errorf("%s: resolves %v", c.name, c.a.Resolves)
		}
	}
	if got := (AA{Metric: "lost_requests"}).Name() + ", " + (AA{}).Name(); got != "A/A lost requests, A/A" {
		t.Errorf("%s", got)
	}
}

// TestTwoBaselines: the margin holds both ends of the interval; without spread the sign test gives p.
func TestTwoBaselines(t *testing.T) {
	ratio := func(value, low, high float64, test *Test) infer.Answer {
		return infer.Answer{Ratio: &Estimate{Value: value, Interval: &Interval{Low: low, High: high}, Test: test}}
	}
	cell := &results.Cell{ID: "c01", Factors: []results.Value{{Name: "depth", Value: "1"}}}
	for _, c := range []struct {
		name        string
		answer      infer.Answer
		p, resolves float64 // NaN: none
		says        string
	}{
		{"nothing", infer.Answer{NoRatio: "why"}, math.NaN(), math.NaN(), "why"},
		{"no interval", infer.Answer{Ratio: &Estimate{NoInterval: "few"}, NoRatio: "x"}, math.NaN(), math.NaN(), "few"},
		{"further above", ratio(1.01, 0.99, 1.05, &Test{P: 0.2}), 0.2, 0.05, ""},
		{"further below", ratio(0.9, 0.8, 1.05, &Test{P: 0.3}), 0.3, 0.25, ""},
		{"equal, without spread", ratio(1, 1, 1, nil), 1, 0, ""},
		{"different, without spread", ratio(1.1, 1.1, 1.1, nil), infer.AlikeP(6), 0.1, ""},
		{"not a quantity", ratio(1, 0, 1, nil), math.NaN(), math.NaN(), infer.Reason(stats.ErrNotFinite)},
	} {
		a := twoBaselines(cell, c.answer, 6)
		if a.Pairs != 6 || a.Cell != "c01" || a.Level != "depth=1" || a.State != AATooFew || a.Text.Rest != c.says {
			t.Errorf("%s: %+v", c.name, a)
		}
		near := func(got *float64, want float64) bool {
			return got == nil && math.IsNaN(want) || got != nil && math.Abs(*got-want) < 1e-9
		}
		if !near(a.P, c.p) || !near(a.Resolves, c.resolves) || (a.Ratio == nil) != math.IsNaN(c.p) {
			t.Errorf("%s: p %v, resolves %v, ratio %v", c.name, a.P, a.Resolves, a.Ratio)
		}
	}
	hosts := infer.Answer{Hosts: &infer.Hosts{Each: []infer.HostEstimate{{Host: 3}}}}
	if a := twoBaselines(cell, hosts, 1); len(a.Hosts) != 1 || a.Hosts[0].Host != 3 {
		t.Errorf("hosts %+v", a.Hosts)
	}
}
