package replication

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/chapter/breakeven"
	"moobench/analysis/chapter/growth"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// answered is a scenario with one answer about a - b.
func answered(a analysis.Answer) *analysis.Scenario {
	a.Metric, a.A, a.B = "duration", "c01", "c00"
	return &analysis.Scenario{
		Label: "overhead", Primary: "duration", Metrics: []results.Metric{{Name: "duration", Unit: "ns"}},
		Cells:   []analysis.Cell{{ID: "c00", Variant: "none", Label: "none"}, {ID: "c01", Variant: "kieker/bci/collect", Label: "kieker/bci/collect"}},
		Answers: []analysis.Answer{a},
	}
}

func estimate(value, low, high float64) *analysis.Estimate {
	detectable := 42.0
	return &analysis.Estimate{N: 10, Value: value, Interval: &analysis.Interval{Low: low, High: high, Level: 0.95}, Detectable: &detectable}
}

// judgedAlone judges a claim about the scenario, theirs being the ratio of the
// printed means.
func judgedAlone(c Claim, s *analysis.Scenario, theirs float64) Judged {
	j := Judged{}
	if theirs != 0 {
		j.Theirs = &theirs
	}
	decide := c.differs
	if c.Factor != "" {
		decide = c.grows
	}
	if err := decide(&j, s); err != nil {
		j.Verdict, j.Reason = infer.CannotDecide, err.Error()
	}
	return j
}

func TestVerdictsOnDifferences(t *testing.T) {
	twice := estimate(2, 1.9, 2.1)
	for _, c := range []struct {
		name    string
		kind    string
		verdict analysis.Verdict
		ratio   *analysis.Estimate
		theirs  float64
		want    infer.Settlement
		says    string
	}{
		{"same side, same size", kindMore, infer.Higher, twice, 2.05, infer.Reproduced, "theirs 2.05"},
		{"theirs in our wide interval", kindMore, infer.Higher, estimate(2, 1.01, 9), 8, infer.InDirection, "theirs 8"},
		{"both as they are, ours too wide", kindMore, infer.Higher, estimate(2, 1.3, 3.1), 2, infer.InDirection, ""},
		{"all of it within twice the effect", kindMore, infer.Higher, twice, 2.79, infer.Reproduced, ""},
		{"a part of it beyond", kindMore, infer.Higher, twice, 2.81, infer.InDirection, ""},
		{"shown by the difference, not by the ratio", kindMore, infer.Higher, estimate(2, 0.99, 4), 2, infer.InDirection, ""},
		{"theirs on the other side", kindMore, infer.Higher, twice, 0.5, infer.InDirection, ""},
		{"far less", kindMore, infer.Higher, twice, 1.4, infer.InDirection, ""},
		{"less, as large", kindLess, infer.Lower, estimate(0.5, 0.49, 0.51), 0.45, infer.Reproduced, ""},
		{"in words only", kindMore, infer.Higher, twice, 0, infer.Reproduced, ""},
		{"no ratio of ours", kindMore, infer.Higher, nil, 2, infer.InDirection, "no ratio"},
		{"the other side", kindMore, infer.Lower, twice, 2, infer.NotReproduced, ""},
		{"the other side of less", kindLess, infer.Higher, twice, 0.5, infer.NotReproduced, ""},
		{"within the margin", kindMore, infer.Equivalent, twice, 2, infer.NotReproduced, ""},
		{"shown, and below the margin", kindMore, infer.Negligible, estimate(1.001, 1.0005, 1.0015), 2, infer.InDirection, ""},
		{"not told", kindMore, infer.Undecided, twice, 2, infer.CannotDecide, "detectable effect 42"},
		{"no interval", kindMore, infer.NoAnswer, nil, 2, infer.CannotDecide, "detectable effect 42"},
	} {
		s := answered(analysis.Answer{Verdict: c.verdict, Difference: estimate(5, 4, 6), Ratio: c.ratio, Sentence: analysis.Sentence{Rest: "so it is"}})
		j := judgedAlone(Claim{Kind: c.kind, Scenario: "overhead", A: "kieker/bci/collect", B: "none"}, s, c.theirs)
		if j.Verdict != c.want || !strings.Contains(j.Reason+j.Detectable, c.says) || !strings.Contains(j.Reason, "so it is") {
			t.Errorf("%s: %s because %q, want %s with %q", c.name, j.Verdict, j.Reason, c.want, c.says)
		}
		// The same question asked the other way round.
		other := Claim{Kind: map[string]string{kindMore: kindLess, kindLess: kindMore}[c.kind], Scenario: "overhead", A: "none", B: "kieker/bci/collect"}
		theirs := 0.0
		if c.theirs != 0 {
			theirs = 1 / c.theirs
		}
		if j := judgedAlone(other, s, theirs); j.Verdict != c.want {
			t.Errorf("%s, reversed: %s, want %s", c.name, j.Verdict, c.want)
		}
	}
}

func TestVerdictsOnRates(t *testing.T) {
	f := func(x float64) *float64 { return &x }
	for _, c := range []struct {
		name   string
		rates  infer.Rates
		theirs float64
		want   infer.Settlement
		says   string
	}{
		{"as many more", infer.Rates{Verdict: infer.Higher, Ratio: f(3), RatioLow: f(2.3), RatioHigh: f(5)}, 3.41, infer.Reproduced, "theirs 3.41"},
		{"perhaps as many more", infer.Rates{Verdict: infer.Higher, Ratio: f(3), RatioLow: f(1.5), RatioHigh: f(7)}, 3.41, infer.InDirection, "theirs 3.41"},
		{"without limit", infer.Rates{Verdict: infer.Higher, Ratio: f(40), RatioLow: f(3)}, 3.41, infer.InDirection, "from 3"},
		{"far more", infer.Rates{Verdict: infer.Higher, Ratio: f(40), RatioLow: f(30), RatioHigh: f(50)}, 3.41, infer.InDirection, ""},
		{"none against some", infer.Rates{Verdict: infer.Higher, RatioLow: f(30)}, 3.41, infer.InDirection, "no ratio of ours"},
		{"fewer", infer.Rates{Verdict: infer.Lower, Ratio: f(0.5), RatioLow: f(0.4), RatioHigh: f(0.6)}, 3.41, infer.NotReproduced, ""},
		{"few enough", infer.Rates{Verdict: infer.Negligible, Difference: 2, Ratio: f(3), RatioLow: f(2.3), RatioHigh: f(4)}, 3.41, infer.Reproduced, ""},
		{"not told", infer.Rates{Verdict: infer.Undecided, Detectable: f(12)}, 3.41, infer.CannotDecide, "detectable rate 12"},
		{"not known either", infer.Rates{Verdict: infer.NoAnswer}, 3.41, infer.CannotDecide, "not known"},
	} {
		s := answered(analysis.Answer{Rates: &analysis.Rates{Rates: c.rates}, Verdict: c.rates.Verdict, Sentence: analysis.Sentence{Rest: "so it is"}})
		j := judgedAlone(Claim{Kind: kindMore, A: "kieker/bci/collect", B: "none"}, s, c.theirs)
		if j.Verdict != c.want || !strings.Contains(j.Reason+j.Detectable, c.says) {
			t.Errorf("%s: %s because %q, want %s with %q", c.name, j.Verdict, j.Reason, c.want, c.says)
		}
		if j := judgedAlone(Claim{Kind: kindLess, A: "none", B: "kieker/bci/collect"}, s, 1/c.theirs); j.Verdict != c.want {
			t.Errorf("%s, reversed: %s, want %s", c.name, j.Verdict, c.want)
		}
	}
}

func TestNothingDecidesWithoutAnAnswer(t *testing.T) {
	s := answered(analysis.Answer{Verdict: infer.Higher})
	void := answered(analysis.Answer{Verdict: infer.Higher})
	void.Cells[1].Invalid = "not instrumented: no record"
	for _, c := range []struct {
		claim Claim
		in    *analysis.Scenario
		says  string
	}{
		{Claim{Kind: kindMore, A: "nobody", B: "none"}, s, "no nobody"},
		{Claim{Kind: kindMore, A: "none", B: "none"}, s, "no answer"},
		{Claim{Kind: kindMore, Metric: "lost", A: "none", B: "none"}, s, `no metric "lost"`},
		{Claim{Kind: kindMore, A: "kieker/bci/collect", B: "none"}, void, "not instrumented"},
		{Claim{Kind: kindFlat, Factor: "at_once", A: "none"}, s, "grows with at_once"},
	} {
		if j := judgedAlone(c.claim, c.in, 2); j.Verdict != infer.CannotDecide || !strings.Contains(j.Reason, c.says) {
			t.Errorf("%+v: %s because %q, want %s with %q", c.claim, j.Verdict, j.Reason, infer.CannotDecide, c.says)
		}
	}
}

func TestVerdictsOnGrowth(t *testing.T) {
	up, down, level := estimate(5, 4, 6), estimate(-5, -6, -4), estimate(0, -1, 1)
	for _, c := range []struct {
		kind  string
		shape growth.Shape
		slope *analysis.Estimate
		want  infer.Settlement
	}{
		{kindLinear, growth.Linear, up, infer.Reproduced},
		{kindLinear, growth.Faster, up, infer.InDirection},
		{kindLinear, growth.Other, up, infer.InDirection},
		{kindLinear, growth.Linear, down, infer.NotReproduced},
		{kindLinear, growth.Linear, level, infer.CannotDecide},
		{kindLinear, growth.Flat, up, infer.NotReproduced},
		{kindLinear, growth.Undecided, nil, infer.CannotDecide},
		{kindFlat, growth.Flat, level, infer.Reproduced},
		{kindFlat, growth.Flat, up, infer.Reproduced},
		{kindFlat, growth.Linear, up, infer.NotReproduced},
		{kindFlat, growth.Other, level, infer.CannotDecide},
		{kindFlat, growth.Undecided, up, infer.CannotDecide},
	} {
		s := answered(analysis.Answer{})
		s.Growths = growth.Lines{{Factor: "at_once", Metric: "duration", Variant: "none", Verdict: c.shape, Slope: c.slope, Text: "it grows"}}
		j := judgedAlone(Claim{Kind: c.kind, Factor: "at_once", A: "none"}, s, 0)
		if j.Verdict != c.want || !strings.HasPrefix(j.Reason, "it grows") {
			t.Errorf("%s of %s with slope %v: %s because %q, want %s", c.kind, c.shape, c.slope, j.Verdict, j.Reason, c.want)
		}
	}
}

// TestWiderIsNeverBetter: a wider interval about the same ratio upgrades no verdict,
// whatever the paper's ratio, the factor and the direction.
func TestWiderIsNeverBetter(t *testing.T) {
	rank := map[infer.Settlement]int{infer.Reproduced: 2, infer.InDirection: 1}
	rng := rand.New(rand.NewPCG(271, 11))
	var reproduced int
	for range 20_000 {
		log := rng.NormFloat64()
		theirs := math.Exp(log + 0.3*rng.NormFloat64())
		claim := Claim{Kind: []string{kindMore, kindLess}[rng.IntN(2)], A: "kieker/bci/collect", B: "none", Within: 1 + 4*rng.Float64()}
		below, above := 0.5*rng.ExpFloat64(), 0.5*rng.ExpFloat64()
		judged := func(below, above float64) infer.Settlement {
			verdict := infer.Undecided
			if log-below > 0 {
				verdict = infer.Higher
			} else if log+above < 0 {
				verdict = infer.Lower
			}
			ratio := estimate(math.Exp(log), math.Exp(log-below), math.Exp(log+above))
			return judgedAlone(claim, answered(analysis.Answer{Verdict: verdict, Ratio: ratio, Difference: estimate(log, log-below, log+above)}), theirs).Verdict
		}
		narrow, wide := judged(below, above), judged(below+rng.ExpFloat64(), above+rng.ExpFloat64())
		if rank[wide] > rank[narrow] {
			t.Fatalf("%s, ours %v (-%v +%v), theirs %v: %s, and %s of a wider interval", claim.Kind, math.Exp(log), below, above, theirs, narrow, wide)
		}
		if narrow == infer.Reproduced {
			reproduced++
		}
	}
	if reproduced < 200 {
		t.Errorf("only %d are reproduced: the test shows little", reproduced)
	}
}

// TestFewInvocationsAreSaid: three JVMs decide, and the reason names them.
func TestFewInvocationsAreSaid(t *testing.T) {
	few := estimate(2, 1.9, 2.1)
	few.N = 3
	s := answered(analysis.Answer{
		Verdict: infer.Higher, Difference: few, Ratio: few, Sentence: analysis.Sentence{Rest: "so it is"},
		Caveats: []infer.Caveat{{Kind: infer.CaveatFew, N: 3}},
	})
	j := judgedAlone(Claim{Kind: kindMore, A: "kieker/bci/collect", B: "none"}, s, 2)
	if j.Verdict != infer.Reproduced || !strings.Contains(j.Reason, "3 invocations") {
		t.Errorf("%s because %q", j.Verdict, j.Reason)
	}
}

// TestVerdictsOnPay: whether a swap pays within so many calls is read from the
// break-even of the campaign, which is of one variant's price and saving.
func TestVerdictsOnPay(t *testing.T) {
	f := func(x float64) *float64 { return &x }
	pays := breakeven.Answer{
		Swapped: "kieker/hotswap/collect", Switchable: "kieker/adaptive/collect", SwapScenario: "turnaround", CostScenario: "overhead",
		Parts: []string{"turnaround", "recovery"}, Price: estimate(1e6, 0.9e6, 1.1e6), Saved: estimate(10, 8, 12), Verdict: breakeven.Pays,
		Calls: f(100_000), Low: f(80_000), High: f(130_000), Text: "pays for itself after 100,000 calls (80,000 … 130,000)",
	}
	perhaps, never, unmeasured, other := pays, pays, pays, pays
	perhaps.Verdict, perhaps.High, perhaps.Saved, perhaps.Text = breakeven.Perhaps, nil, estimate(1, -3, 5), "may never pay: after 80,000 calls at the least"
	never.Verdict, never.Calls, never.Low, never.High, never.Text = breakeven.Never, nil, nil, nil, "never: a call costs more"
	unmeasured.Verdict, unmeasured.Price, unmeasured.Calls, unmeasured.Low, unmeasured.High = breakeven.Undecided, nil, nil, nil, nil
	unmeasured.Text = "cannot be decided: recovery is not known for any invocation, and is part of the price"
	other.Swapped = "probe/hotswap/collect"
	for _, c := range []struct {
		name  string
		found breakeven.Answers
		calls float64
		want  infer.Settlement
		says  string
	}{
		{"pays late", breakeven.Answers{pays}, 50_000, infer.Reproduced, "pays for itself after"},
		{"pays soon", breakeven.Answers{pays}, 500_000, infer.NotReproduced, "pays for itself after"},
		{"in between", breakeven.Answers{pays}, 100_000, infer.CannotDecide, "100,000 calls"},
		{"perhaps never, and late at best", breakeven.Answers{perhaps}, 50_000, infer.Reproduced, "may never pay"},
		{"perhaps never", breakeven.Answers{perhaps}, 90_000, infer.CannotDecide, "may never pay"},
		{"never", breakeven.Answers{never}, 50_000, infer.Reproduced, "never"},
		{"not measured", breakeven.Answers{unmeasured}, 50_000, infer.CannotDecide, "recovery is not known"},
		{"of another probe", breakeven.Answers{other}, 50_000, infer.CannotDecide, "no price of a change"},
		{"none at all", nil, 50_000, infer.CannotDecide, "no price of a change"},
		{"at two levels", breakeven.Answers{pays, perhaps}, 50_000, infer.CannotDecide, "several"},
	} {
		ours := &campaign{answers: &analysis.Answers{BreakEvens: c.found, Scenarios: []analysis.Scenario{
			{Label: "turnaround"}, {Label: "overhead", Cells: []analysis.Cell{{Variant: "kieker/hotswap/collect"}, {Variant: "kieker/adaptive/collect"}}},
		}}}
		claim := Claim{Kind: kindNotPaidBack, Scenario: "turnaround", A: "kieker/hotswap", B: "kieker/adaptive", Saves: "overhead", Calls: c.calls}
		j := claim.judge(&Paper{}, ours)
		if j.Verdict != c.want || !strings.Contains(j.Reason, c.says) {
			t.Errorf("%s: %s because %q, want %s with %q", c.name, j.Verdict, j.Reason, c.want, c.says)
		}
	}
}

// TestVerdictsOnBounds: ratio and value are decided by the whole interval.
func TestVerdictsOnBounds(t *testing.T) {
	for _, c := range []struct {
		name    string
		ours    *analysis.Estimate
		between []float64
		ratio   infer.Settlement
		value   infer.Settlement
	}{
		{"within", estimate(3, 2.5, 3.5), []float64{2, 4}, infer.Reproduced, infer.Reproduced},
		{"exactly", estimate(3, 3, 3), []float64{3, 3}, infer.Reproduced, infer.Reproduced},
		{"over a bound", estimate(2, 1.9, 2.1), []float64{2, 4}, infer.CannotDecide, infer.CannotDecide},
		{"beside, on its side of 1", estimate(1.2, 1.1, 1.3), []float64{2, 4}, infer.InDirection, infer.NotReproduced},
		{"beside, and not shown to be more", estimate(1, 0.9, 1.1), []float64{2, 4}, infer.NotReproduced, infer.NotReproduced},
		{"beyond, below 1", estimate(0.2, 0.1, 0.3), []float64{0.5, 0.8}, infer.InDirection, infer.NotReproduced},
		{"beyond, on the other side of 1", estimate(1.5, 1.2, 1.8), []float64{0.5, 0.8}, infer.NotReproduced, infer.NotReproduced},
		{"beside, below 1", estimate(0.5, 0.4, 0.6), []float64{2, 4}, infer.NotReproduced, infer.NotReproduced},
		{"beyond bounds around 1", estimate(2, 1.9, 2.1), []float64{0.9, 1.1}, infer.NotReproduced, infer.NotReproduced},
	} {
		s := answered(analysis.Answer{Verdict: infer.Higher, Difference: estimate(5, 4, 6), Ratio: c.ours})
		s.Cells[1].Metrics = []analysis.MetricAnswer{{Metric: "duration", Mean: c.ours}}
		for kind, want := range map[string]infer.Settlement{kindRatio: c.ratio, kindValue: c.value} {
			claim := Claim{Kind: kind, Scenario: "overhead", A: "kieker/bci/collect", B: "none", Between: c.between}
			j := claim.judge(&Paper{}, &campaign{answers: &analysis.Answers{Scenarios: []analysis.Scenario{*s}}})
			if j.Verdict != want || j.Reason == "" {
				t.Errorf("%s, %s: %s because %q, want %s", c.name, kind, j.Verdict, j.Reason, want)
			}
		}
	}
}

// TestVerdictsOnNearer: of two ratios one is shown to be smaller, or larger, where their intervals don't overlap.
func TestVerdictsOnNearer(t *testing.T) {
	for _, x := range []struct {
		ours, than *analysis.Estimate
		want       infer.Settlement
		says       string
	}{
		{estimate(1.1, 1.05, 1.15), estimate(2, 1.8, 2.2), infer.Reproduced, "is 1.100 (1.050 … 1.150), that of c to none is 2"},
		{estimate(2, 1.8, 2.2), estimate(1.1, 1.05, 1.15), infer.NotReproduced, ""},
		{estimate(1.1, 1.05, 1.15), estimate(1.2, 1.1, 1.3), infer.CannotDecide, ""},
		{nil, estimate(1.2, 1.1, 1.3), infer.CannotDecide, "no interval"},
	} {
		s, other := answered(analysis.Answer{Verdict: infer.Higher, Ratio: x.ours}), answered(analysis.Answer{Verdict: infer.Higher, Ratio: x.than})
		other.Label, other.Cells[1].Variant, other.Cells[1].Label = "loggers", "c", "c"
		c := Claim{Kind: kindNearer, Scenario: "overhead", A: "kieker/bci/collect", B: "none", Than: []string{"c", "none"}, In: "loggers"}
		j := c.judge(&Paper{}, &campaign{answers: &analysis.Answers{Scenarios: []analysis.Scenario{*s, *other}}})
		if j.Verdict != x.want || !strings.Contains(j.Reason, x.says) {
			t.Errorf("%s because %q, want %s with %q", j.Verdict, j.Reason, x.want, x.says)
		}
	}
}

// TestVerdictsOnLeast: one that it is no less than refutes it, and all are needed to show it.
func TestVerdictsOnLeast(t *testing.T) {
	const missing = analysis.Verdict("missing")
	for _, c := range []struct {
		verdicts []analysis.Verdict
		want     infer.Settlement
	}{
		{[]analysis.Verdict{infer.Lower, infer.Lower}, infer.Reproduced},
		{[]analysis.Verdict{infer.Lower, infer.Undecided}, infer.CannotDecide},
		{[]analysis.Verdict{infer.Undecided, infer.Higher}, infer.NotReproduced},
		{[]analysis.Verdict{infer.Higher, infer.Undecided}, infer.NotReproduced},
		{[]analysis.Verdict{infer.Lower, infer.Equivalent}, infer.NotReproduced},
		{[]analysis.Verdict{infer.Lower, missing}, infer.CannotDecide},
		{[]analysis.Verdict{missing, infer.Higher}, infer.NotReproduced},
	} {
		s := &analysis.Scenario{Label: "threads", Primary: "round", Metrics: []results.Metric{{Name: "round", Unit: "ns"}}, Cells: []analysis.Cell{{ID: "a", Variant: "a"}}}
		claim := Claim{Kind: kindLeast, Scenario: "threads", A: "a"}
		for i, v := range c.verdicts {
			name := string(rune('b' + i))
			claim.Others = append(claim.Others, name)
			if v == missing {
				continue
			}
			s.Cells = append(s.Cells, analysis.Cell{ID: name, Variant: name})
			s.Answers = append(s.Answers, analysis.Answer{Metric: "round", A: "a", B: name, Verdict: v, Difference: estimate(5, 4, 6)})
		}
		j := claim.judge(&Paper{}, &campaign{answers: &analysis.Answers{Scenarios: []analysis.Scenario{*s}}})
		if j.Verdict != c.want {
			t.Errorf("%v: %s because %q, want %s", c.verdicts, j.Verdict, j.Reason, c.want)
		}
	}
}

// TestClaimsHaveTheWordOfFew: whatever the kind of claim, few invocations are named.
func TestClaimsHaveTheWordOfFew(t *testing.T) {
	three := estimate(3, 2.5, 3.5)
	three.N = 3
	s := answered(analysis.Answer{
		Verdict: infer.Lower, Difference: three, Ratio: three, Sentence: analysis.Sentence{Rest: "so it is"},
		Caveats: []infer.Caveat{{Kind: infer.CaveatFew, N: 3}},
	})
	s.Cells[1].Metrics = []analysis.MetricAnswer{{Metric: "duration", Mean: three}}
	ours := &campaign{answers: &analysis.Answers{Scenarios: []analysis.Scenario{*s}}}
	for _, kind := range []string{kindLess, kindRatio, kindValue, kindLeast} {
		c := Claim{Kind: kind, Scenario: "overhead", A: "kieker/bci/collect", B: "none", Others: []string{"none"}, Between: []float64{2, 4}}
		if j := c.judge(&Paper{}, ours); j.Verdict != infer.Reproduced || !strings.Contains(j.Reason, "from 3 invocations only") {
			t.Errorf("%s: %s because %q", kind, j.Verdict, j.Reason)
		}
	}
}

// TestAQuantileAnswersForNoMean: a question about p99 that benchmarks.toml asks is no answer about
// the mean, whatever it found.
func TestAQuantileAnswersForNoMean(t *testing.T) {
	s := answered(analysis.Answer{Verdict: infer.Lower, Difference: estimate(-5, -6, -4), Sentence: analysis.Sentence{Rest: "costs less"}})
	p99 := s.Answers[0]
	p99.Verdict, p99.Quantile, p99.Asked, p99.Difference = infer.Higher, 0.99, true, estimate(5, 4, 6)
	s.Answers = []analysis.Answer{p99, s.Answers[0]}
	c := Claim{Kind: kindMore, A: "kieker/bci/collect", B: "none"}
	if j := judgedAlone(c, s, 0); j.Verdict != infer.NotReproduced || j.Reason != "costs less" {
		t.Errorf("%s because %q", j.Verdict, j.Reason)
	}
	s.Answers = s.Answers[:1]
	if j := judgedAlone(c, s, 0); j.Verdict != infer.CannotDecide {
		t.Errorf("by p99 alone: %s because %q", j.Verdict, j.Reason)
	}
}

// TestAOneSidedNo: what a one-sided question excludes is not reproduced, and nothing else is said by it.
func TestAOneSidedNo(t *testing.T) {
	for _, c := range []struct {
		kind, alternative string
		want              infer.Settlement
	}{
		{kindMore, "greater", infer.NotReproduced},
		{kindLess, "less", infer.NotReproduced},
		{kindMore, "less", infer.CannotDecide},
		{kindLess, "greater", infer.CannotDecide},
	} {
		s := answered(analysis.Answer{Verdict: infer.No, Alternative: c.alternative, Difference: estimate(5, 4, 6)})
		if j := judgedAlone(Claim{Kind: c.kind, A: "kieker/bci/collect", B: "none"}, s, 2); j.Verdict != c.want {
			t.Errorf("%s, asked whether it is %s: %s", c.kind, c.alternative, j.Verdict)
		}
		other := Claim{Kind: map[string]string{kindMore: kindLess, kindLess: kindMore}[c.kind], A: "none", B: "kieker/bci/collect"}
		if j := judgedAlone(other, s, 2); j.Verdict != c.want {
			t.Errorf("%s, asked whether it is %s, reversed: %s", c.kind, c.alternative, j.Verdict)
		}
	}
}

// TestVerdictAndReasonAgree: no claim is reproduced, or not, for a reason that is undecided.
func TestVerdictAndReasonAgree(t *testing.T) {
	verdicts := []analysis.Verdict{infer.Higher, infer.Lower, infer.Undecided, infer.Equivalent, infer.Negligible, infer.No, infer.NoAnswer}
	rng := rand.New(rand.NewPCG(3, 14))
	for range 3000 {
		log, half := rng.NormFloat64(), rng.ExpFloat64()
		ratio := estimate(math.Exp(log), math.Exp(log-half), math.Exp(log+half))
		v := verdicts[rng.IntN(len(verdicts))]
		s := answered(analysis.Answer{
			Verdict: v, Difference: estimate(log, log-rng.ExpFloat64(), log+rng.ExpFloat64()), Ratio: ratio,
			Sentence: analysis.Sentence{Rest: string(v)}, Alternative: []string{"", "less", "greater"}[rng.IntN(3)],
		})
		s.Cells[1].Metrics = []analysis.MetricAnswer{{Metric: "duration", Mean: ratio}}
		kind := []string{kindLess, kindMore, kindLeast, kindRatio, kindValue}[rng.IntN(5)]
		c := Claim{Kind: kind, Scenario: "overhead", A: "kieker/bci/collect", B: "none", Others: []string{"none"}, Between: []float64{0.9, 1.1 + rng.Float64()}}
		j := c.judge(&Paper{}, &campaign{answers: &analysis.Answers{Scenarios: []analysis.Scenario{*s}}})
		open := strings.Contains(j.Reason, string(infer.Undecided)) || strings.Contains(j.Reason, string(infer.NoAnswer))
		if open && j.Verdict != infer.CannotDecide {
			t.Fatalf("%s: %s because %q", kind, j.Verdict, j.Reason)
		}
	}
}

// TestValuesOfAShortenedCampaign: a value that is of the whole length is not asked of a part of it.
func TestValuesOfAShortenedCampaign(t *testing.T) {
	s := answered(analysis.Answer{})
	s.Cells[1].Metrics = []analysis.MetricAnswer{{Metric: "duration", Mean: estimate(240_022, 240_022, 240_022)}}
	c := Claim{Kind: kindValue, Scenario: "overhead", A: "kieker/bci/collect", Between: []float64{800_022, 800_022}}
	always := c
	always.AnyLength = true
	shorter := func(parameter string) *Paper {
		return &Paper{Short: []Shorter{{Scenario: "overhead", Parameter: parameter, Least: "1"}}}
	}
	for _, x := range []struct {
		claim Claim
		p     *Paper
		scale float64
		want  infer.Settlement
	}{
		{c, shorter("threshold"), 0.3, infer.NotAsked},
		{c, shorter("threshold"), 0, infer.NotReproduced},
		{c, shorter("blocks"), 0.3, infer.NotReproduced},
		{always, shorter("threshold"), 0.3, infer.NotReproduced},
	} {
		j := x.claim.judge(x.p, &campaign{answers: &analysis.Answers{Scenarios: []analysis.Scenario{*s}}, scale: x.scale})
		if j.Verdict != x.want {
			t.Errorf("scale %v: %s because %q, want %s", x.scale, j.Verdict, j.Reason, x.want)
		}
	}
}

// TestProportionalValues: a value that grows with a parameter is asked at the campaign's own.
func TestProportionalValues(t *testing.T) {
	grows := &Proportional{Parameter: "threshold", Whole: 100_000, Fixed: 22}
	for _, x := range []struct {
		threshold string
		ours      float64
		want      infer.Settlement
		says      string
	}{
		{"100000", 800_022, infer.Reproduced, "claimed is 800022"},
		{"30000", 240_022, infer.Reproduced, "claimed is 240022 at threshold 30,000 of the paper's 100,000"},
		{"30000", 240_000, infer.NotReproduced, "claimed is 240022"},
		{"30000", 800_022, infer.NotReproduced, ""},
		{"", 800_022, infer.CannotDecide, "threshold of c01 is not known"},
	} {
		s, made := answered(analysis.Answer{}), testcampaign.Small()
		s.Metrics[0].Unit = "1"
		s.Cells[1].Metrics = []analysis.MetricAnswer{{Metric: "duration", Mean: estimate(x.ours, x.ours, x.ours)}}
		made.Made.Scale = 0.3
		made.Made.Cell("c01").Parameters = []results.Value{{Name: "threshold", Value: x.threshold}}
		c := Claim{Kind: kindValue, Scenario: "overhead", A: "kieker/bci/collect", Between: []float64{800_022, 800_022}, Proportional: grows}
		p := &Paper{Short: []Shorter{{Scenario: "overhead", Parameter: "threshold", Least: "1"}}}
		j := c.judge(p, &campaign{src: made, answers: &analysis.Answers{Scenarios: []analysis.Scenario{*s}}, scale: 0.3})
		if j.Verdict != x.want || !strings.Contains(j.Reason, x.says) {
			t.Errorf("%s: %s because %q, want %s with %q", x.threshold, j.Verdict, j.Reason, x.want, x.says)
		}
	}
}

// TestValuesWithoutSpread: where all invocations say the same, that is what is said.
func TestValuesWithoutSpread(t *testing.T) {
	still := &analysis.Estimate{N: 3, Value: 1, SD: new(0.0), NoInterval: "so few"}
	s := answered(analysis.Answer{})
	s.Cells[1].Metrics = []analysis.MetricAnswer{{Metric: "duration", Mean: still}}
	c := Claim{Kind: kindValue, Scenario: "overhead", A: "kieker/bci/collect", Between: []float64{1, 1}}
	j := c.judge(&Paper{}, &campaign{answers: &analysis.Answers{Scenarios: []analysis.Scenario{*s}}})
	if want := "is 1 ns in all of 3 invocations; claimed is 1 ns; there is no interval: so few"; j.Verdict != infer.CannotDecide || !strings.Contains(j.Reason, want) {
		t.Errorf("%s because %q, want %q", j.Verdict, j.Reason, want)
	}
}

// TestPossibleIntervals: an interval ends where values of the metric do.
func TestPossibleIntervals(t *testing.T) {
	for _, x := range []struct {
		metric    results.Metric
		low, high float64
	}{
		{results.Metric{Name: "divergent", Unit: "1", Share: true}, 0, 1},
		{results.Metric{Name: "duration", Unit: "ns"}, 0, 1.5},
		{results.Metric{Name: results.DerivedRecovery, Unit: "ns"}, -0.2, 1.5},
	} {
		e := estimate(0.2, -0.2, 1.5)
		got := possible(e, x.metric)
		if got.Interval.Low != x.low || got.Interval.High != x.high || e.Interval.Low != -0.2 {
			t.Errorf("%s: %v … %v", x.metric.Name, got.Interval.Low, got.Interval.High)
		}
	}
	s := answered(analysis.Answer{})
	s.Metrics[0].Share, s.Metrics[0].Unit = true, "1"
	s.Cells[1].Metrics = []analysis.MetricAnswer{{Metric: "duration", Mean: estimate(0.2, -0.18, 0.57)}}
	c := Claim{Kind: kindValue, Scenario: "overhead", A: "kieker/bci/collect", Between: []float64{0.1, 0.1}}
	j := c.judge(&Paper{}, &campaign{answers: &analysis.Answers{Scenarios: []analysis.Scenario{*s}}})
	if !strings.Contains(j.Reason, "(0.0000 … 0.5700)") {
		t.Errorf("%q", j.Reason)
	}
}

// TestMachinesAreNamedOnce: a campaign that was resumed has looked at its machine twice.
func TestMachinesAreNamedOnce(t *testing.T) {
	made := testcampaign.Small()
	again := *made.Hosts[0]
	made.Hosts = append(made.Hosts, &again)
	a, err := analysis.Analyse(made)
	if err != nil {
		t.Fatal(err)
	}
	if r := Compare(&Paper{}, made, a); len(r.Machines) != 1 {
		t.Errorf("%q", r.Machines)
	}
}

// TestNoSavingNeverPays: no number of calls is negative.
func TestNoSavingNeverPays(t *testing.T) {
	figures := func(means ...float64) figures {
		return func(place string) map[string]Number {
			return map[string]Number{"mean": {value: means[place[0]-'a']}}
		}
	}
	check := Check{Kind: breakEvenKind, Of: []string{"a", "b", "c", "d"}}
	if x, err := check.value(figures(1000, 100, 5, 2)); err != nil || x != 300 {
		t.Errorf("%v, %v", x, err)
	}
	for _, cheaper := range []float64{5, 2} {
		if x, err := check.value(figures(1000, 100, 2, cheaper)); !errors.Is(err, errNever) {
			t.Errorf("a call saves nothing: %v, %v", x, err)
		}
	}
	if x, err := check.value(figures(100, 100, 2, 5)); err != nil || x != 0 {
		t.Errorf("it costs nothing to begin with: %v, %v", x, err)
	}
}

// TestVerdictsOnDelivery: one record that is missing is a loss, and records that nobody counts
// decide nothing.
func TestVerdictsOnDelivery(t *testing.T) {
	counted := func(expected, received, lost int64) *analysis.Records {
		return &analysis.Records{Proof: results.ProofCount, Expected: expected, Received: received, Lost: lost, Text: "so many"}
	}
	for _, c := range []struct {
		name    string
		records *analysis.Records
		loses   infer.Settlement
		keeps   infer.Settlement
		says    string
	}{
		{"all", counted(20, 20, 0), infer.NotReproduced, infer.Reproduced, "so many"},
		{"one is missing", counted(20, 19, 1), infer.Reproduced, infer.NotReproduced, "so many"},
		{"as many too many elsewhere", counted(20, 20, 1), infer.Reproduced, infer.NotReproduced, "so many"},
		{"how many is not known", counted(0, 20, 0), infer.CannotDecide, infer.CannotDecide, "nobody counts"},
		{"proven by another", &analysis.Records{Proof: results.ProofSibling, Expected: 20}, infer.CannotDecide, infer.CannotDecide, "nobody counts"},
		{"nobody", nil, infer.CannotDecide, infer.CannotDecide, "nobody counts"},
	} {
		s := answered(analysis.Answer{})
		s.Cells[1].Records = c.records
		ours := &campaign{answers: &analysis.Answers{Scenarios: []analysis.Scenario{*s}}}
		for kind, want := range map[string]infer.Settlement{kindLoses: c.loses, kindKeeps: c.keeps} {
			claim := Claim{Kind: kind, Scenario: "overhead", A: "kieker/bci/collect"}
			if j := claim.judge(&Paper{}, ours); j.Verdict != want || !strings.Contains(j.Reason, c.says) {
				t.Errorf("%s, %s: %s because %q, want %s with %q", c.name, kind, j.Verdict, j.Reason, want, c.says)
			}
		}
	}
	missing := Claim{Kind: kindLoses, Scenario: "overhead", A: "nobody", Absent: "it can't be fetched"}
	j := missing.judge(&Paper{}, &campaign{answers: &analysis.Answers{Scenarios: []analysis.Scenario{*answered(analysis.Answer{})}}})
	if want := "the campaign has no nobody: it can't be fetched"; j.Verdict != infer.CannotDecide || j.Reason != want {
		t.Errorf("%s because %q, want %q", j.Verdict, j.Reason, want)
	}
}
