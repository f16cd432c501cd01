package config

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"moobench/results"
)

func TestSizingAndQuestions(t *testing.T) {
	f, err := Parse("b.toml", []byte(`name = "asked"
[[question]]
text   = "Is it free?"
a      = "mine"
b      = "none"
scenario = "main"
test   = "tost"
margin = "5us"
[[question]]
text   = "Are its slow calls slower?"
metric = "duration/p99.9"
a      = "mine depth=10"
b      = "none"
scenario = "main"
alternative = "greater"
alpha  = 0.01
family = "tails"
[[question]]
text   = "Does it allocate?"
metric = "alloc_bytes"
a      = "mine"
b      = "none"
scenario = "fixed"
alternative = "two-sided"
test   = "mann-whitney"
margin = "0.5 %"
[[scenario]]
use       = "overhead"
label     = "main"
variants  = ["none", "mine"]
precision = " 2 %"
max_blocks = 10
max_time  = "2h"
strict    = true
window    = "half"
pool      = "calls"
[[scenario]]
use      = "overhead"
label    = "fixed"
variants = ["none", "mine"]
max_time = "90 min"
blocks   = 30
window   = "all"
`), known())
	if err != nil {
		t.Fatal(err)
	}
	want := []Scenario{
		{
			Use: "overhead", Label: "main", Variants: []string{"none", "mine"}, Blocks: results.PilotBlocks, Resources: 3, MaxFailures: 3,
			Sizing: results.Sizing{Precision: 0.02, Pilot: results.PilotBlocks, MaxBlocks: 10, MaxTimeNS: 7200e9, Strict: true}, Window: results.WindowHalf, Pool: results.PoolCalls,
		},
		{
			Use: "overhead", Label: "fixed", Variants: []string{"none", "mine"}, Blocks: 30, Resources: 3, MaxFailures: 3,
			Sizing: results.Sizing{MaxTimeNS: 5400e9}, Window: results.WindowAll,
		},
	}
	if diff := cmp.Diff(want, f.Scenarios, cmpopts.IgnoreFields(Scenario{}, "Parameters")); diff != "" {
		t.Errorf("scenarios (-want +got):\n%s", diff)
	}
	asked := []Question{
		{Scenario: "main", Within: true, Question: results.Question{
			Text: "Is it free?", Metric: "duration", A: "mine", B: "none", Test: results.TestTOST, Alpha: 0.05,
			Margin: &results.Margin{Amount: 5000}, Asked: true,
		}},
		{Scenario: "main", Question: results.Question{
			Text: "Are its slow calls slower?", Metric: "duration", Quantile: 0.999, A: "mine depth=10", B: "none", Test: results.TestSign,
			Alternative: "greater", Alpha: 0.01, Family: "tails", Asked: true,
		}},
		{Scenario: "fixed", Question: results.Question{
			Text: "Does it allocate?", Metric: "alloc_bytes", A: "mine", B: "none", Test: results.TestMannWhitney, Alpha: 0.05,
			Margin: &results.Margin{Share: 0.005}, Asked: true,
		}},
	}
	if diff := cmp.Diff(asked, f.Questions); diff != "" {
		t.Errorf("questions (-want +got):\n%s", diff)
	}
}

func TestParseMargin(t *testing.T) {
	for _, c := range []struct {
		text, unit    string
		share, amount float64 // both 0: refused
	}{
		{"1%", "ns", 0.01, 0},
		{"1 %", "1", 0.01, 0},
		{"0.5ns", "ns", 0, 0.5},
		{"5 µs", "ns", 0, 5000},
		{"2KB", "B", 0, 2000},
		{"1.5 KiB", "B", 0, 1536},
		{"2", "1", 0, 2},
		{"2", "calls/s", 0, 2},
		{"2", "ns", 0, 0},
		{"2B", "ns", 0, 0},
		{"2ns", "B", 0, 0},
		{"2ns", "1", 0, 0},
		{"-2ns", "ns", 0, 0},
		{"0", "1", 0, 0},
		{"", "ns", 0, 0},
		{"ns", "ns", 0, 0},
		{"1e9ns", "ns", 0, 0},
		{"Inf", "1", 0, 0},
		{"0%", "ns", 0, 0},
	} {
		got, err := parseMargin(c.text, c.unit)
		if c.share+c.amount == 0 {
			if err == nil {
				t.Errorf("parseMargin(%q, %q) = %+v, want an error", c.text, c.unit, *got)
			}
			continue
		}
		if diff := cmp.Diff(&results.Margin{Share: c.share, Amount: c.amount}, got); err != nil || diff != "" {
			t.Errorf("parseMargin(%q, %q): %v\n%s", c.text, c.unit, err, diff)
		}
	}
}

// TestMarginIsFiniteAndPositive reads whatever may stand there.
func TestMarginIsFiniteAndPositive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`-?[0-9.]{0,400} ?(ns|us|h|B|GiB|%|)`).Draw(t, "text")
		unit := rapid.SampledFrom([]string{"ns", "B", "1"}).Draw(t, "unit")
		m, err := parseMargin(text, unit)
		if err != nil {
			return
		}
		if x := m.Share + m.Amount; !(x > 0) || math.IsInf(x, 0) {
			t.Fatalf("%q of a metric in %s is %v", text, unit, x)
		}
	})
}

func TestQuestionsOfCounts(t *testing.T) {
	k := known()
	k.Scenarios = append(k.Scenarios, Schema{Name: "counts", Metrics: []results.Metric{
		{Name: "time", Unit: "ns", Primary: true}, {Name: "lost", Unit: "1", Of: "requests"}, {Name: "capacity", Unit: "1/s", Profile: results.ProfileCalibration},
	}})
	for _, c := range []struct {
		keys string
		want results.Comparison
		err  string
	}{
		{`metric = "lost"`, results.TestRates, ""},
		{"metric = \"lost\"\ntest = \"rates\"", results.TestRates, ""},
		{"metric = \"lost\"\nmargin = \"10 per million\"", results.TestRates, ""},
		{"metric = \"lost\"\nmargin = \"10 per cent\"", "", `b.toml:10: margin: "10 per cent" is not a plain number (such as "10 per million", or "50%" of the other's rate)`},
		{"metric = \"lost\"\ntest = \"welch\"", "", `b.toml:10: lost counts events out of so many: rates are compared, and welch compares no rates (take it out; a margin works without it)`},
		{`metric = "capacity"`, "", `b.toml:9: capacity is found by calibration, before anything is compared (ask about what is measured)`},
		{`metric = "time"`, results.TestPaired, ""},
		{"metric = \"time\"\ntest = \"rates\"", "", `b.toml:10: time is not a count of events out of so many: there is no rate (take it out)`},
	} {
		f, err := Parse("b.toml", []byte("name = \"x\"\n[[scenario]]\nuse = \"counts\"\nvariants = [\"none\", \"mine\"]\n[[question]]\ntext = \"?\"\na = \"mine\"\nb = \"none\"\n"+c.keys+"\n"), k)
		switch {
		case c.err == "" && err != nil, c.err != "" && (err == nil || err.Error() != c.err):
			t.Errorf("%s: %v, want %q", c.keys, err, c.err)
		case err == nil && f.Questions[0].Test != c.want:
			t.Errorf("%s: test %q, want %q", c.keys, f.Questions[0].Test, c.want)
		}
	}
}
