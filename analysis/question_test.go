package analysis

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"moobench/analysis/caveat"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// ask answers one question about two cells, a costing 50 and b 51 more than
// none, both with a standard deviation of 0.5.
func ask(t *testing.T, q results.Question) Answer {
	t.Helper()
	f := testcampaign.Piloted(rand.New(rand.NewPCG(3, 1)), 12, results.Sizing{}, 0.5, 0.5)
	f.Made.Scenarios[0].Sizing = nil
	for _, inv := range f.All {
		if inv.Cell == "b" {
			inv.Scalars["x"]++
		}
	}
	q.ID, q.Metric, q.Asked = "q1", "x", true
	f.Made.Scenarios[0].Questions = []results.Question{q}
	a, err := Analyse(f)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := json.Marshal(a); err != nil {
		t.Error(err)
	}
	return a.Scenarios[0].Answers[0]
}

func TestQuestions(t *testing.T) {
	tenth := &results.Margin{Share: 0.10}
	for name, c := range map[string]struct {
		q        results.Question
		verdict  Verdict
		sentence string // begins with
		detail   string // holds
	}{
		"two-sided":            {results.Question{A: "b", B: "a"}, infer.Higher, "b adds ", "paired t = "},
		"less, and is":         {results.Question{A: "a", B: "b", Alternative: "less"}, infer.Lower, "yes: a costs ", "(less)"},
		"less, and is more":    {results.Question{A: "b", B: "a", Alternative: "less"}, infer.No, "no: b does not cost less than a (95 % bound)", "(less)"},
		"greater, and is":      {results.Question{A: "b", B: "a", Alternative: "greater"}, infer.Higher, "yes: b adds ", "90 %"},
		"at an own alpha":      {results.Question{A: "b", B: "a", Alpha: 0.01}, infer.Higher, "b adds ", "df 11"},
		"small":                {results.Question{A: "b", B: "a", Margin: tenth}, infer.Negligible, "b adds ", "margin 10 %"},
		"equal within ten":     {results.Question{A: "b", B: "a", Test: results.TestTOST, Margin: tenth}, infer.Negligible, "yes: b adds ", "TOST p = "},
		"not within a tenth":   {results.Question{A: "b", B: "a", Test: results.TestTOST, Margin: &results.Margin{Amount: 0.1}}, infer.Higher, "no: b adds ", "TOST"},
		"welch":                {results.Question{A: "b", B: "c0", Test: results.TestWelch}, infer.Higher, "b adds ", "Welch's t = "},
		"student":              {results.Question{A: "b", B: "c0", Test: results.TestStudent}, infer.Higher, "b adds ", "df 22"},
		"signed rank":          {results.Question{A: "b", B: "a", Test: results.TestSignedRank}, infer.Higher, "b adds ", "signed rank V = "},
		"mann-whitney":         {results.Question{A: "b", B: "c0", Test: results.TestMannWhitney, Alternative: "greater"}, infer.Higher, "yes: b adds ", "Mann-Whitney W = "},
		"unpaired is too weak": {results.Question{A: "b", B: "a", Test: results.TestWelch}, infer.Undecided, "undecided: ", "Welch's t = "},
		"no such cell":         {results.Question{A: "b", B: "z"}, infer.NoAnswer, "no answer: ", ""},
		"no such test":         {results.Question{A: "b", B: "a", Test: "guess"}, infer.NoAnswer, "no answer: there is no test", ""},
		"no such quantile":     {results.Question{A: "b", B: "a", Quantile: 0.42}, infer.NoAnswer, "no answer: no invocation", ""},
	} {
		got := ask(t, c.q)
		if got.Verdict != c.verdict || !strings.HasPrefix(got.Sentence.String(), c.sentence) || !strings.Contains(got.Detail+got.Sentence.String(), c.detail) {
			t.Errorf("%s: %s, %q, %q; want %s, %q, %q", name, got.Verdict, got.Sentence.String(), got.Detail, c.verdict, c.sentence, c.detail)
		}
	}
}

// Free and undecided are told apart by what so many blocks can show.
func TestNoDifference(t *testing.T) {
	f := testcampaign.Piloted(rand.New(rand.NewPCG(3, 1)), 12, results.Sizing{}, 0.5, 0.5)
	f.Made.Scenarios[0].Sizing = nil
	f.Made.Scenarios[0].Questions = []results.Question{
		{ID: "wide", Metric: "x", A: "a", B: "b", Margin: &results.Margin{Share: 0.02}},
		{ID: "narrow", Metric: "x", A: "a", B: "b", Margin: &results.Margin{Share: 0.01, Amount: 0.001, ShareFrom: 1000}},
	}
	a, err := Analyse(f)
	if err != nil {
		t.Fatal(err)
	}
	wide, narrow := a.Scenarios[0].Answers[0], a.Scenarios[0].Answers[1]
	if wide.Verdict != infer.Equivalent || !strings.HasPrefix(wide.Sentence.String(), "equivalent within 2 %: ") {
		t.Errorf("%s: %s", wide.Verdict, wide.Sentence.String())
	}
	if narrow.Verdict != infer.Undecided || !strings.Contains(narrow.Sentence.String(), "could have detected") || narrow.Equivalence.Relative {
		t.Errorf("%s: %s", narrow.Verdict, narrow.Sentence.String())
	}
}

// TestCaveatsNameTheirCell: where both of the compared cells have caveats, each is that of one.
func TestCaveatsNameTheirCell(t *testing.T) {
	few := []caveat.Mark{{Kind: "few", Show: "only 3"}, {Kind: "warned", Show: "warned 1 of 3", Of: 3}}
	for want, marks := range map[string][2][]caveat.Mark{
		"": {}, "; caveats: only 3 invocations, warned 1 of 3 invocations": {few, nil},
		"; caveats: b: only 3 invocations":                                                          {nil, few[:1]},
		"; caveats: a: only 3 invocations, warned 1 of 3 invocations; b: only 3 invocations":        {few, few[:1]},
		"; caveats: a: warned 1 of 3 invocations; b: only 3 invocations, warned 1 of 3 invocations": {few[1:], few},
	} {
		cells := []Cell{
			{ID: "c1", Label: "a", Role: results.RoleVariant, Marks: marks[0]},
			{ID: "c2", Label: "b", Role: results.RoleVariant, Marks: marks[1]},
			{ID: "c3", Label: "c", Role: results.RoleVariant, Marks: few},
		}
		if got := caveatsOf(cells, &Answer{A: "c1", B: "c2"}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
