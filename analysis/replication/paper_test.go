package replication

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// minimal is a paper with nothing wrong in it.
const minimal = `
title = "T"
source = "S"
[[table]]
id = "1"
title = "Table 1"
source = "page 1"
unit = "us"
scenario = "overhead"
take = "half"
[[table.column]]
id = "a"
title = "a"
variant = "none"
figures = { mean = "2.50", sd = "0", n = "1,000" }
[[table.column]]
id = "b"
title = "b"
figures = { mean = "0" }
`

func TestHostilePapers(t *testing.T) {
	if _, err := Parse("minimal", []byte(minimal)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{"", "no title"},
		{"title = 3", "incompatible types"},
		{"= =", "figures.toml"},
		{strings.Repeat("#", maxBytes+1), "too many"},
		{strings.Repeat("#", maxBytes), "no title"},
		{minimal + "[tabel]", `unknown key "tabel"`},
		{strings.Replace(minimal, `"2.50"`, `"NaN"`, 1), `"NaN" is not a number`},
		{strings.Replace(minimal, `"2.50"`, `"1e9"`, 1), "is not a number"},
		{strings.Replace(minimal, `"2.50"`, `"1,00"`, 1), "is not a number"},
		{strings.Replace(minimal, `"2.50"`, `"0.1234567890123"`, 1), "decimals"},
		{strings.Replace(minimal, "mean =", "meen =", 1), `unknown figure "meen"`},
		{strings.Replace(minimal, `sd = "0"`, `sd = "-1"`, 1), "below 0"},
		{strings.Replace(minimal, `"1,000"`, `"0.5"`, 1), "not a number of samples"},
		{strings.Replace(minimal, `"us"`, `"parsec"`, 1), "unknown unit"},
		{strings.Replace(minimal, `"half"`, `"best"`, 1), "unknown take"},
		{strings.Replace(minimal, `id = "b"`, `id = "a"`, 1), "twice"},
		{strings.Replace(minimal, `id = "1"`, `id = "1/2"`, 1), "without /"},
		{minimal + "metric = \"sd\"", "needs a variant"},
		{minimal + "doubts = { max = \"?\" }", "a doubt about"},
		{minimal + "[[check]]\nname = \"x\"\nfinds = \"1\"\nkind = \"magic\"", `unknown kind "magic"`},
		{minimal + "[[check]]\nname = \"x\"\nfinds = \"1\"\nkind = \"ratio\"\nof = [\"1/a\"]", "takes 2 columns, not 1"},
		{minimal + "[[check]]\nname = \"x\"\nfinds = \"1\"\nkind = \"total\"\nof = [\"1/z\"]", `no column "1/z"`},
		{minimal + "[[check]]\nname = \"x\"\nfinds = \"1\"\nkind = \"total\"\nof = [\"1/a\"]\nper = [\"1/a.max\"]", `no figure "1/a.max"`},
		{minimal + "[[claim]]\ntext = \"x\"\nkind = \"odd\"\nscenario = \"s\"\na = \"none\"", "unknown kind"},
		{minimal + "[[claim]]\ntext = \"x\"\nkind = \"least\"\nscenario = \"s\"\na = \"none\"", "needs others"},
		{minimal + "[[claim]]\ntext = \"x\"\nkind = \"ratio\"\nscenario = \"s\"\na = \"none\"\nb = \"c\"\nbetween = [0, 2]", "needs between"},
		{minimal + "[[claim]]\ntext = \"x\"\nkind = \"value\"\nscenario = \"s\"\na = \"none\"\nbetween = [3, 2]", "needs between"},
		{minimal + "[[claim]]\ntext = \"x\"\nkind = \"more\"\nscenario = \"s\"\na = \"none\"\nb = \"n\"\nfigures = [\"1/a\", \"1/b\"]", "no value"},
		{minimal + "[[claim]]\ntext = \"x\"\nkind = \"more\"\nscenario = \"s\"\na = \"none\"\nb = \"n\"\nfigures = [\"1/b\", \"1/a\"]", "a ratio of 0"},
		{minimal + "[[claim]]\ntext = \"x\"\nkind = \"not-paid-back\"\nscenario = \"s\"\na = \"none\"\nb = \"n\"", "needs b, saves and calls"},
		{minimal + "[[shorten]]\nparameter = \"calls\"\nleast = \"few\"", "least"},
	} {
		if _, err := Parse("figures.toml", []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q…: %v, want %q", strings.TrimPrefix(c.text, minimal), err, c.want)
		}
	}
}

// TestChecksOfNothing computes what has no value: it is said, and no NaN.
func TestChecksOfNothing(t *testing.T) {
	for _, c := range []struct{ kind, of, want string }{
		{"ratio", `["1/a", "1/b"]`, "has no value"},
		{"pooled-t", `["1/a", "1/b"]`, "1/b has no sd"},
		{"pooled-t", `["1/a", "1/a"]`, "no spread"},
		{"share-of-max", `["1/a"]`, "1/a has no max"},
		{"n-of-z-half", `["1/a"]`, "1/a has no ci95"},
	} {
		p, err := Parse("x", []byte(minimal+"[[check]]\nname = \"x\"\nfinds = \"1\"\nkind = \""+c.kind+"\"\nof = "+c.of))
		if err != nil {
			t.Fatal(err)
		}
		r := Alone(p).Checks[0]
		if r.Follows != followsWhat || r.Value != nil || !strings.Contains(r.Wrong, c.want) {
			t.Errorf("%s of %s: %+v, want %q", c.kind, c.of, r, c.want)
		}
		if Alone(p).Wrong() != 1 {
			t.Errorf("%s of %s is not counted as wrong", c.kind, c.of)
		}
	}
}

func TestNumbersRoundAndAreCutOff(t *testing.T) {
	for _, c := range []struct {
		text         string
		x            float64
		rounds, cuts bool
	}{
		{"0.0005", 0.000563, false, true},
		{"0.0353", 0.035297, true, false},
		{"-10.0721", -10.07212, true, true},
		{"2.474", 2.47486, false, true},
		{"1,000,000", 999_999.6, true, false},
		{"3", 4, false, false},
	} {
		n, err := parseNumber(c.text)
		if err != nil || n.rounds(c.x) != c.rounds || n.cutsOff(c.x) != c.cuts {
			t.Errorf("%v for %s: rounds %t, cuts off %t, %v", c.x, c.text, n.rounds(c.x), n.cutsOff(c.x), err)
		}
	}
}

func TestShorten(t *testing.T) {
	p := shippedPaper(t, "flaig-2014")
	p.Short = []Shorter{{"", "calls", "1000"}, {"turnaround", "samples", "20"}, {"server", "hold", "10s"}}
	scenarios := func() []section {
		return []section{
			{"use": "overhead", "calls": []any{int64(2_000_000), int64(20_000), int64(500)}, "blocks": int64(50), "depth": int64(10)},
			{"use": "overhead", "label": "turnaround", "samples": int64(500), "calls": int64(1000), "blocks": int64(10)},
			{"use": "server", "hold": "180s", "samples": int64(500)},
		}
	}
	for scale, want := range map[float64][]section{
		1: scenarios(),
		0.1: {
			{"use": "overhead", "calls": []any{int64(200_000), int64(2000), int64(500)}, "blocks": int64(5), "depth": int64(10)},
			{"use": "overhead", "label": "turnaround", "samples": int64(50), "calls": int64(1000), "blocks": int64(3)},
			{"use": "server", "hold": "18s", "samples": int64(500)},
		},
	} {
		got := scenarios()
		if err := p.Shorten(sections(got), scale); err != nil {
			t.Fatal(err)
		}
		if scale == 1 { // a time is written as Go writes it
			want[2]["hold"] = "3m0s"
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("a scale of %v: %s", scale, diff)
		}
	}
	for _, scale := range []float64{0, -1, 1.5, math.NaN(), math.Inf(1)} {
		if err := p.Shorten(sections(scenarios()), scale); err == nil {
			t.Errorf("a scale of %v is taken", scale)
		}
	}
	for _, wrong := range []section{{"use": "overhead"}, {"calls": "1s"}, {"calls": "many"}, {"calls": 1.5}} {
		if err := p.Shorten(sections([]section{wrong}), 0.1); err == nil {
			t.Errorf("%v is shortened", wrong)
		}
	}
}

// section is a [[scenario]].
type section map[string]any

func (s section) Keys() []string            { return slices.Collect(maps.Keys(s)) }
func (s section) Value(key string) any      { return s[key] }
func (s section) Set(key string, value any) { s[key] = value }

func sections(all []section) []Section {
	var some []Section
	for _, s := range all {
		some = append(some, s)
	}
	return some
}

// TestShorterIsNeverLonger holds for any value and scale.
func TestShorterIsNeverLonger(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, low := rapid.Int64Range(0, 1<<40).Draw(t, "value"), rapid.Int64Range(0, 1<<40).Draw(t, "least")
		got, err := shorter(v, strconv.FormatInt(low, 10), rapid.Float64Range(1e-9, 1).Draw(t, "scale"))
		if n, ok := got.(int64); err != nil || !ok || n > v || n < min(v, low) {
			t.Fatalf("%d, at least %d, became %v: %v", v, low, got, err)
		}
	})
}

// TestCutFigure: a figure follows the last dot.
func TestCutFigure(t *testing.T) {
	for place, want := range map[string][2]string{
		"t.1/c.mean": {"t.1/c", "mean"}, "t/c": {"t/c", ""}, ".mean": {"", "mean"}, "c.": {"c", ""},
	} {
		if column, figure := cutFigure(place); [2]string{column, figure} != want {
			t.Errorf("%s: %q and %q, want %q", place, column, figure, want)
		}
	}
}
