package replication

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
		{minimal + "[tabel]", `unknown key "tabel"`},
		{strings.Replace(minimal, `"2.50"`, `"NaN"`, 1), `"NaN" is no number`},
		{strings.Replace(minimal, `"2.50"`, `"1e9"`, 1), "is no number"},
		{strings.Replace(minimal, `"2.50"`, `"1,00"`, 1), "is no number"},
		{strings.Replace(minimal, `"2.50"`, `"0.1234567890123"`, 1), "decimals"},
		{strings.Replace(minimal, "mean =", "meen =", 1), `unknown figure "meen"`},
		{strings.Replace(minimal, `sd = "0"`, `sd = "-1"`, 1), "below 0"},
		{strings.Replace(minimal, `"1,000"`, `"0.5"`, 1), "no number of samples"},
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
		{minimal + "[[claim]]\ntext = \"x\"\nkind = \"dear\"\nscenario = \"s\"\na = \"none\"\nb = \"n\"", "needs b, saves and calls"},
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
	text, err := os.ReadFile(filepath.Join("..", "..", "results", "published", "flaig-2014", "benchmarks.toml"))
	if err != nil {
		t.Fatal(err)
	}
	short, err := p.Shorten(text, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"calls     = 200000\n", "samples   = 50\n", "loaded    = 1000\n",
		"ramp      = \"3s\"\n", "hold      = \"18s\"\n", "blocks    = 3\n", "blocks    = 5\n", "Shortened to 0.1 ",
	} {
		if !strings.Contains(string(short), want) {
			t.Errorf("the shortened campaign lacks %q", want)
		}
	}
	if strings.Contains(string(short), "blocks    = 10") {
		t.Error("blocks were not shortened")
	}
	if same, err := p.Shorten(text, 1); err != nil || string(same) != string(text) {
		t.Errorf("a scale of 1 changes the campaign: %v", err)
	}
	for _, scale := range []float64{0, -1, 1.5, math.NaN(), math.Inf(1)} {
		if _, err := p.Shorten(text, scale); err == nil {
			t.Errorf("a scale of %v is taken", scale)
		}
	}
	if _, err := p.Shorten([]byte("name = \"x\"\n[[scenario]]\nuse = \"overhead\"\n"), 0.1); err == nil || !strings.Contains(err.Error(), "does not set") {
		t.Errorf("a campaign without the parameter: %v", err)
	}
}

// TestShorterIsNeverLonger holds for any value and scale.
func TestShorterIsNeverLonger(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, low := rapid.Int64Range(0, 1<<40).Draw(t, "value"), rapid.Int64Range(0, 1<<40).Draw(t, "least")
		text, err := shorter(Number{}.round(float64(v)), Number{}.round(float64(low)), rapid.Float64Range(1e-9, 1).Draw(t, "scale"))
		if err != nil {
			t.Fatal(err)
		}
		got, err := parseAmount(text)
		if err != nil || got.n > v || got.n < min(v, low) {
			t.Fatalf("%d, at least %d, became %s: %v", v, low, text, err)
		}
	})
}
