package replication

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/chapter/breakeven"
	"moobench/analysis/chapter/growth"
	"moobench/analysis/infer"
	"moobench/internal/testgolden"
)

// told is an error's text, or that there is none.
func told(err error) string {
	if err == nil {
		return "right"
	}
	return strings.ReplaceAll(err.Error(), "\n", "; ")
}

// TestMistakesInWords: each key of a paper that may be wrong says how it is, and what is just right says nothing.
func TestMistakesInWords(t *testing.T) {
	claim := func(kind, more string) string {
		return "\n[[claim]]\ntext = \"x\"\nkind = \"" + kind + "\"\nscenario = \"s\"\na = \"none\"\n" + more
	}
	check := func(more string) string { return "\n[[check]]\nname = \"x\"\nfinds = \"1\"\n" + more }
	const shorten, picture = "\n[[shorten]]\nscenario = \"s\"\nparameter = \"calls\"\nleast = \"1\"", "\n[[figure]]\n"
	var b strings.Builder
	for _, c := range []struct{ from, to string }{ // a part of the minimal paper, and what stands there instead
		{"title = \"T\"", ""},
		{"source = \"S\"", ""},
		{"id = \"1\"", "id = \"\""},
		{"id = \"1\"", "id = \"1 2\""},
		{"title = \"Table 1\"", ""},
		{"source = \"page 1\"", ""},
		{"unit = \"us\"", "unit = \"1\""},
		{"unit = \"us\"", "unit = \"\""},
		{"scenario = \"overhead\"\n", ""},
		{"take = \"half\"", ""},
		{"take = \"half\"", "take = \"lost\""},
		{"take = \"half\"", "take = \"all\""},
		{"id = \"a\"", "id = \"\""},
		{"id = \"a\"", "id = \"a.b\""},
		{"id = \"a\"", "id = \"a/b\""},
		{"variant = \"none\"", "variant = \"none\"\nmetric = \"x\""},
		{"variant = \"none\"\n", ""},
		{"figures = { mean = \"0\" }", ""},
		{"figures = { mean = \"0\" }", "scenario = \"s\""},
		{"figures = { mean = \"0\" }", "variant = \"v\""},
		{"n = \"1,000\"", "n = \"1\""},
		{"n = \"1,000\"", "n = \"0\""},
		{"n = \"1,000\"", "n = \"1.0\""},
		{"n = \"1,000\"", "ci95 = \"-0.1\""},
		{"n = \"1,000\"", "max = \"-0.1\""},
		{"n = \"1,000\" }", "n = \"1\" }\ndoubts = { n = \"\" }"},
		{"n = \"1,000\" }", "n = \"1\" }\ndoubts = { n = \"few\" }"},
	} {
		_, err := Parse("p", []byte(strings.Replace(minimal, c.from, c.to, 1)))
		fmt.Fprintf(&b, "%q for %q: %s\n", c.to, c.from, told(err))
	}
	for _, more := range []string{
		"",
		"[x]",
		claim("less", "b = \"c\""), claim("more", ""), claim("less", ""),
		claim("linear", "factor = \"f\""), claim("linear", ""), claim("flat", ""),
		claim(
			"not-paid-back", "b = \"c\"\nsaves = \"s\"\ncalls = 1.0",
		), claim("not-paid-back", "b = \"c\"\nsaves = \"s\"\ncalls = 0.0"),
		claim("not-paid-back", "b = \"c\"\ncalls = 1.0"), claim("not-paid-back", "saves = \"s\"\ncalls = 1.0"),
		claim("least", "others = [\"b\"]"), claim("least", ""),
		claim(
			"ratio", "b = \"c\"\nbetween = [1.0, 1.0]",
		), claim("ratio", "between = [1.0, 2.0]"), claim("ratio", "b = \"c\"\nbetween = [0.0, 2.0]"),
		claim("ratio", "b = \"c\"\nbetween = [1.0]"), claim("ratio", "b = \"c\"\nbetween = [1.0, 2.0, 3.0]"),
		claim("value", "between = [-1.0, 0.0]"), claim("value", "between = [0.0, -1.0]"), claim("value", ""),
		claim(
			"nearer", "b = \"c\"\nthan = [\"d\", \"e\"]",
		), claim("nearer", "than = [\"d\", \"e\"]"), claim("nearer", "b = \"c\"\nthan = [\"d\"]"),
		claim("loses", ""), claim("keeps", ""), claim("", ""),
		claim("loses", "within = 1.0"), claim("loses", "within = 0.9"), claim("loses", "within = 0.0"),
		claim("loses", "figures = [\"1/a\"]"), claim("loses", "figures = [\"1/a\", \"1/a\"]"),
		claim("loses", "figures = [\"1/a\", \"1/z\"]"),
		claim("loses", "figures = [\"1/a\", \"1/a\", \"1/a\"]"),
		shorten + claim("value", "between = [1.0, 2.0]\nproportional = { parameter = \"calls\", whole = 10.0 }"),
		shorten + claim("value", "between = [1.0, 2.0]\nproportional = { parameter = \"calls\", whole = 0.0 }"),
		shorten + claim("value", "between = [1.0, 2.0]\nproportional = { parameter = \"depth\", whole = 10.0 }"),
		shorten + claim("value", "between = [1.0, 2.0]\nproportional = { parameter = \"\", whole = 10.0 }"),
		shorten + claim(
			"value", "any_length = true\nbetween = [1.0, 2.0]\nproportional = { parameter = \"calls\", whole = 10.0 }",
		),
		shorten + claim("loses", "proportional = { parameter = \"calls\", whole = 10.0 }"),
		"\n[[claim]]\nkind = \"loses\"\nscenario = \"s\"\na = \"none\"",
		"\n[[claim]]\ntext = \"x\"\nkind = \"loses\"\na = \"none\"",
		"\n[[claim]]\ntext = \"x\"\nkind = \"loses\"\nscenario = \"s\"",
		"\n[[shorten]]\nleast = \"1\"", "\n[[shorten]]\nparameter = \"calls\"\nleast = \"0\"",
		"\n[[shorten]]\nparameter = \"calls\"\nleast = \"0s\"",
		"\n[[shorten]]\nparameter = \"calls\"\nleast = \"1s\"", "\n[[shorten]]\nparameter = \"calls\"\nleast = \"-1\"",
		check("kind = \"total\"\nof = [\"1/a\"]"), check("kind = \"total\"\nof = [\"1/a\", \"1/a\"]"),
		check(
			"kind = \"ratio\"\nof = [\"1/a\", \"1/a\"]\nper = [\"1/a.mean\", \"1/a.n\"]",
		), check("kind = \"ratio\"\nof = [\"1/a\", \"1/a\"]\nper = [\"1/a.mean\"]"),
		check("kind = \"ratio\"\nof = [\"1/a\", \"1/a\"]\nper = [\"1/a.mean\", \"1/a\"]"),
		"\n[[check]]\nfinds = \"1\"\nkind = \"total\"\nof = [\"1/a\"]",
		"\n[[check]]\nname = \"x\"\nkind = \"total\"\nof = [\"1/a\"]",
		picture + "id = \"f\"\ntitle = \"F\"\nsource = \"p\"\nscenario = \"s\"\nshows = \"calls\"",
		picture + "title = \"F\"\nsource = \"p\"\nscenario = \"s\"\nshows = \"calls\"",
		picture + "id = \"f\"\nsource = \"p\"\nscenario = \"s\"\nshows = \"course\"",
		picture + "id = \"f\"\ntitle = \"F\"\nscenario = \"s\"\nshows = \"lost\"",
		picture + "id = \"f\"\ntitle = \"F\"\nsource = \"p\"\nshows = \"growth\"",
		picture + "id = \"f\"\ntitle = \"F\"\nsource = \"p\"\nscenario = \"s\"\nshows = \"growth\"\nmetric = \"m\"",
		picture + "id = \"f\"\ntitle = \"F\"\nsource = \"p\"\nscenario = \"s\"\nshows = \"calls\"\nmetric = \"m\"",
		picture + "id = \"f\"\ntitle = \"F\"\nsource = \"p\"\nscenario = \"s\"\nshows = \"all\"",
	} {
		_, err := Parse("p", []byte(minimal+more))
		fmt.Fprintf(&b, "%q: %s\n", strings.TrimSpace(more), told(err))
	}
	_, err := Parse("p", []byte("title = \"T\"\nsource = \"S\""))
	fmt.Fprintf(&b, "nothing: %s\n", told(err))
	testgolden.Check(t, "testdata/mistakes.txt", b.String())
}

// TestJudgedInWords holds the verdict of a claim of each kind, its reason, and what such a campaign would have
// found, as they are printed.
func TestJudgedInWords(t *testing.T) {
	f := func(x float64) *float64 { return &x }
	few := estimate(3, 2.5, 3.5)
	few.N = 3
	still := estimate(3, 3, 3)
	still.SD = f(0)
	unknown := &analysis.Estimate{Value: 3, N: 1, NoInterval: "only one"}
	pays := breakeven.Answer{
		Swapped: "kieker/bci/collect", Switchable: "none", SwapScenario: "overhead", CostScenario: "overhead",
		Level: "depth=1",
		Price: estimate(1e6, 0.9e6, 1.1e6), Saved: estimate(10, 8, 12), Verdict: breakeven.Pays,
		Low: f(80_000), High: f(130_000), Text: "cannot be decided: pays for itself",
	}
	nothing := pays
	nothing.Saved = estimate(0, -1, 1)
	line := growth.Line{
		Factor: "f", Metric: "duration", Variant: "none", Text: "it grows", Verdict: growth.Undecided,
		Slope: estimate(5, 4, 6),
	}
	unlike := line
	unlike.Slope = &analysis.Estimate{Value: 5, Interval: &analysis.Interval{Low: -1, High: 11}}
	var b strings.Builder
	for _, c := range []struct {
		name   string
		answer analysis.Answer
		mean   *analysis.Estimate
		lines  growth.Lines
		pays   breakeven.Answers
		claim  Claim
	}{
		{
			"more",
			analysis.Answer{
				Verdict: infer.Higher, Difference: few, Ratio: few,
				Caveats: []infer.Caveat{{Kind: infer.CaveatFew, N: 3}},
			},
			nil, nil, nil,
			Claim{Kind: kindMore},
		},
		{
			"negligible, more",
			analysis.Answer{Verdict: infer.Negligible, Difference: estimate(5, 4, 6)},
			nil, nil,
			nil,
			Claim{Kind: kindMore},
		},
		{
			"negligible, less",
			analysis.Answer{Verdict: infer.Negligible, Difference: estimate(-5, -6, -4)},
			nil, nil,
			nil,
			Claim{Kind: kindMore},
		},
		{
			"negligible, of no difference",
			analysis.Answer{Verdict: infer.Negligible},
			nil, nil, nil,
			Claim{Kind: kindMore},
		},
		{
			"undecided",
			analysis.Answer{Verdict: infer.Undecided, Difference: estimate(5, -4, 6)},
			nil, nil, nil,
			Claim{Kind: kindMore},
		},
		{
			"a ratio within",
			analysis.Answer{Verdict: infer.Higher, Ratio: few},
			nil, nil, nil,
			Claim{Kind: kindRatio, Between: []float64{2, 4}},
		},
		{
			"a ratio above",
			analysis.Answer{Verdict: infer.Higher, Ratio: few},
			nil, nil, nil,
			Claim{Kind: kindRatio, Between: []float64{1, 2}},
		},
		{
			"a ratio above, on its side",
			analysis.Answer{Verdict: infer.Higher, Ratio: few},
			nil, nil, nil,
			Claim{Kind: kindRatio, Between: []float64{1.5, 2}},
		},
		{
			"a ratio below",
			analysis.Answer{Verdict: infer.Higher, Ratio: few},
			nil, nil, nil,
			Claim{Kind: kindRatio, Between: []float64{4, 5}},
		},
		{
			"a ratio of no interval",
			analysis.Answer{Verdict: infer.Higher, Ratio: unknown},
			nil, nil, nil,
			Claim{Kind: kindRatio, Between: []float64{4, 5}},
		},
		{"a value within", analysis.Answer{}, few, nil, nil, Claim{Kind: kindValue, Between: []float64{2, 4}}},
		{"a value, exactly", analysis.Answer{}, still, nil, nil, Claim{Kind: kindValue, Between: []float64{3, 3}}},
		{
			"a value of no interval",
			analysis.Answer{},
			unknown, nil, nil,
			Claim{Kind: kindValue, Between: []float64{3, 3}},
		},
		{"no value", analysis.Answer{}, nil, nil, nil, Claim{Kind: kindValue, Between: []float64{3, 3}}},
		{
			"the least",
			analysis.Answer{Verdict: infer.Undecided, Difference: estimate(5, -4, 6)},
			nil, nil, nil,
			Claim{Kind: kindLeast, Others: []string{"none"}},
		},
		{
			"the least, of few",
			analysis.Answer{
				Verdict: infer.Lower, Difference: few, Caveats: []infer.Caveat{{Kind: infer.CaveatFew, N: 3}},
			},
			nil, nil, nil,
			Claim{Kind: kindLeast, Others: []string{"none"}},
		},
		{
			"nearer",
			analysis.Answer{Verdict: infer.Higher, Ratio: few},
			nil, nil, nil,
			Claim{Kind: kindNearer, Than: []string{"kieker/bci/collect", "none"}},
		},
		{"grows", analysis.Answer{}, nil, growth.Lines{line}, nil, Claim{Kind: kindFlat, Factor: "f", A: "none"}},
		{
			"grows perhaps",
			analysis.Answer{},
			nil,
			growth.Lines{unlike},
			nil,
			Claim{Kind: kindLinear, Factor: "f", A: "none"},
		},
		{
			"at another level",
			analysis.Answer{},
			nil,
			growth.Lines{line},
			nil,
			Claim{Kind: kindFlat, Factor: "f", A: "none", At: "x"},
		},
		{
			"pays",
			analysis.Answer{},
			nil, nil,
			breakeven.Answers{pays},
			Claim{Kind: kindNotPaidBack, Saves: "overhead", Calls: 100_000},
		},
		{
			"pays at its bound",
			analysis.Answer{},
			nil, nil,
			breakeven.Answers{pays},
			Claim{Kind: kindNotPaidBack, Saves: "overhead", Calls: 130_000},
		},
		{
			"pays late",
			analysis.Answer{},
			nil, nil,
			breakeven.Answers{pays},
			Claim{Kind: kindNotPaidBack, Saves: "overhead", Calls: 80_000},
		},
		{
			"pays at another level",
			analysis.Answer{},
			nil, nil,
			breakeven.Answers{pays},
			Claim{Kind: kindNotPaidBack, Saves: "overhead", Calls: 1, At: "depth=2"},
		},
		{
			"saves nothing",
			analysis.Answer{},
			nil, nil,
			breakeven.Answers{nothing},
			Claim{Kind: kindNotPaidBack, Saves: "overhead", Calls: 100_000},
		},
		{
			"twice",
			analysis.Answer{},
			nil, nil,
			breakeven.Answers{pays, nothing},
			Claim{Kind: kindNotPaidBack, Saves: "overhead", Calls: 100_000},
		},
		{"no such scenario", analysis.Answer{}, nil, nil, nil, Claim{Kind: kindMore, Scenario: "other"}},
	} {
		s := answered(c.answer)
		s.Answers[0].Sentence = analysis.Sentence{Rest: "so it is"}
		s.Growths = c.lines
		if c.mean != nil {
			s.Cells[1].Metrics = []analysis.MetricAnswer{{Metric: "duration", Mean: c.mean}}
		}
		if c.claim.Scenario == "" {
			c.claim.Scenario = "overhead"
		}
		if c.claim.B = "none"; c.claim.A == "" {
			c.claim.A = "kieker/bci/collect"
		}
		j := c.claim.judge(
			&Paper{}, &campaign{answers: &analysis.Answers{Scenarios: []analysis.Scenario{*s}, BreakEvens: c.pays}},
		)
		fmt.Fprintf(&b, "%s: %s; %s; %s\n", c.name, j.Verdict, j.Reason, j.Detectable)
	}
	testgolden.Check(t, "testdata/judged.txt", b.String())
}

// A sample that is tested has two values, and no more than can be.
func TestSizesOfSamples(t *testing.T) {
	for n, ok := range map[float64]bool{
		1: false, 1.9: false, 2: true, math.MaxInt32 * 1024: true, math.MaxInt32*1024 + 1024: false,
	} {
		c := columns{places: []string{"a"}, per: []float64{2}, figures: func(string) map[string]Number {
			return map[string]Number{"mean": {value: 10}, "sd": {value: 4}, "n": {value: n}}
		}}
		if s := c.sample(0); (c.err == nil) != ok || s.Mean != 5 || s.SD != 2 {
			t.Errorf("n = %v: %+v, %v", n, s, c.err)
		}
	}
}

// A printed number has forty characters and twelve decimals at most.
func TestLongNumbers(t *testing.T) {
	for text, ok := range map[string]bool{
		strings.Repeat("1", 40): true, strings.Repeat("1", 41): false,
		"0.123456789012": true, "0.1234567890123": false, "1": true, "": false, "1.": false, "+1": true, "1,234": true,
		"12,34": false,
	} {
		if n, err := parseNumber(text); (err == nil) != ok || ok && n.Text != text {
			t.Errorf("%q: %+v, %v", text, n, err)
		}
	}
}

// A paper shortens what it names, wherever that is, and blocks always.
func TestShortens(t *testing.T) {
	p := &Paper{
		Short: []Shorter{
			{Scenario: "s", Parameter: "calls"}, {Parameter: "depth"}, {Scenario: "b", Parameter: "blocks"},
		},
	}
	for _, c := range []struct {
		scenario, parameter string
		want                bool
	}{
		{"s", "calls", true},
		{"t", "calls", false},
		{"t", "depth", true},
		{"t", "", true},
		{"b", "blocks", false},
	} {
		if got := p.shortens(c.scenario, c.parameter); got != c.want {
			t.Errorf("%s of %s: %v", c.parameter, c.scenario, got)
		}
	}
	if only := (&Paper{Short: p.Short[2:]}); only.shortens("b", "") {
		t.Error("blocks alone shorten nothing else")
	}
	if got := (&Proportional{Whole: 10, Fixed: 2}).at(12, 5); got != 7 {
		t.Errorf("half of what grows: %v", got)
	}
}
