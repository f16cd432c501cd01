package numbers

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/internal/testgolden"
)

var fractions = regexp.MustCompile(`-?\d+(\.\d+)?(e[-+]\d+)?`)

// rounded is JSON whose numbers have five digits, and none that is only what rounding leaves of 0.
func rounded(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return fractions.ReplaceAllStringFunc(string(text), func(number string) string {
		x, err := strconv.ParseFloat(number, 64)
		if err != nil || x == math.Trunc(x) && math.Abs(x) < 1e6 {
			return number
		}
		if math.Abs(x) < 1e-12 && math.Abs(x) > 1e-20 {
			return "0"
		}
		return fmt.Sprintf("%.5g", x)
	})
}

// TestReports holds every figure of a report, whichever way it was asked for.
func TestReports(t *testing.T) {
	spread := []float64{-3, 1, 4, -1, 5, -9, 2, 6, -5, 3}
	three := append(
		pairsOf(0.2, spread...), Sample{Name: "older", Values: []float64{90, 95, 100, 105, 94, 99, 93, 96, 98, 101}},
	)
	below0 := []Sample{{Name: "new", Values: []float64{-1, 2, 3, -4}}, {Name: "old", Values: []float64{1, -2, 0, 3}}}
	var b strings.Builder
	say := func(what string, r *Report, err error) {
		if err != nil {
			fmt.Fprintf(&b, "%s: %s\n", what, strings.ReplaceAll(err.Error(), "\n", "; "))
			return
		}
		fmt.Fprintf(&b, "%s: %s\n", what, rounded(t, r))
	}
	solver := infer.Solver{}
	for _, kind := range Kinds() {
		if kind == Poisson {
			continue
		}
		for _, shape := range []struct {
			name    string
			samples []Sample
		}{
			{"three", three},
			{"one", three[:1]},
			{"two of each", pairsOf(0.2, 1, 2)},
			{"about 0", below0},
			{"summaries", thesis()},
		} {
			for _, asked := range ways(kind) {
				asked.options.Solver = solver
				r, err := Compare(asked.options, shape.samples)
				say(fmt.Sprintf("%s, %s, %s", kind, shape.name, asked.name), r, err)
			}
		}
	}
	for _, kind := range []Kind{Fieller, LogRatio, TOST, Paired} { // in order of time, by pairs
		o := options(kind)
		o.Paired, o.Ordered, o.Unit, o.Solver = kind != Paired, true, "ns", solver
		if kind == TOST {
			o.Margin = Margin{Size: 0.1, Relative: true}
		}
		r, err := Compare(o, three[:2])
		say(string(kind)+", in order", r, err)
	}
	for _, arms := range [][]Counts{
		{arm("new", 24, 27, 22), arm("old", 47, 55, 50), arm("older", 48, 90, 20)},
		{arm("new", 24, 27, 22)},
		{arm("new", 0)},
		{arm("new", 5, 90, 0)},
	} {
		for _, asked := range ways(Poisson) {
			r, err := CompareRates(asked.options, arms)
			say(fmt.Sprintf("%d arms, %s", len(arms), asked.name), r, err)
		}
	}
	testgolden.Check(t, filepath.Join("testdata", "reports.txt"), b.String())
}

// TestContradictions: what does not go together is said, all of it, and what does is not.
func TestContradictions(t *testing.T) {
	var b strings.Builder
	for _, c := range []struct {
		name   string
		kind   Kind
		change func(*Options)
	}{
		{"right", Paired, func(*Options) {}},
		{"unknown", "none", func(*Options) {}},
		{"no alpha", Paired, func(o *Options) { o.Alpha = 0 }},
		{"all alpha", Paired, func(o *Options) { o.Alpha = 1 }},
		{"much alpha", Paired, func(o *Options) { o.Alpha = 0.99 }},
		{"half of alpha", TOST, func(o *Options) { o.Alpha, o.Margin.Size = 0.5, 1 }},
		{"less than half", TOST, func(o *Options) { o.Alpha, o.Margin.Size = 0.49, 1 }},
		{"one-sided", TOST, func(o *Options) { o.Alternative, o.Margin.Size = stats.Less, 1 }},
		{"one-sided, of a t test", Welch, func(o *Options) { o.Alternative = stats.Less }},
		{"no margin", TOST, func(*Options) {}},
		{"a margin", Welch, func(o *Options) { o.Margin.Size = 1 }},
		{"a share", TOST, func(o *Options) { o.Margin = Margin{Size: 0.1, Relative: true} }},
		{"a share of pairs", TOST, func(o *Options) { o.Margin, o.Paired = Margin{Size: 0.1, Relative: true}, true }},
		{"in order", Welch, func(o *Options) { o.Ordered = true }},
		{"in order, by pairs", Fieller, func(o *Options) { o.Ordered, o.Paired = true, true }},
		{"in order, paired", Paired, func(o *Options) { o.Ordered = true }},
		{"pairs", Welch, func(o *Options) { o.Paired = true }},
		{"pairs of pairs", Paired, func(o *Options) { o.Paired = true }},
	} {
		o := options(c.kind)
		c.change(&o)
		fmt.Fprintf(&b, "%s: %v; %s\n", c.name, o.Check(), o.method())
	}
	fmt.Fprintf(
		&b, "%s; %s; %s; %s\n", List(nil, " or "), List(Kinds()[:1], " or "), List(Kinds()[:3], " or "),
		List(Matched(), " and "),
	)
	testgolden.Check(t, filepath.Join("testdata", "contradictions.txt"), b.String())
}

// TestEdgesOfFigures: what is just right is read, and what is just not says why.
func TestEdgesOfFigures(t *testing.T) {
	var b strings.Builder
	for _, text := range []string{
		"1,2,3", "1,2,1e3", "1,2,-1", "1,2,1.5", "1,2,9007199254740992", "1,2,9007199254740994", "1,2", "1,x,y",
		"1,-2,3", "1,2,0", "1,2,1",
	} {
		s, err := ParseSummary(text)
		fmt.Fprintf(&b, "summary %s: %v, %v\n", text, s, err)
	}
	for _, text := range []string{"3,10", "0,1", "3,0", "3,-1", "-1,1", "1.5,1", "3", "3,1,2", "x,0"} {
		c, err := ParseRate(text)
		fmt.Fprintf(&b, "rate %s: %v of %v, %v\n", text, c.Events, c.Exposure, err)
	}
	for _, c := range [][2]string{
		{"1%", ""},
		{"0%", ""},
		{"0.3", ""},
		{"0", ""},
		{"-1", ""},
		{"5ns", "ns"},
		{"5ns", ""},
		{"5us", "ns"},
		{"5ns", "s"},
		{"5x", "ns"},
		{"5ns", "x"},
		{"x", ""},
		{"5 µs", "ms"},
		{"1e308s", "ns"},
	} {
		m, err := ParseMargin(c[0], c[1])
		fmt.Fprintf(&b, "margin %s in %q: %v, %v\n", c[0], c[1], m, err)
	}
	for _, text := range []string{
		"\xff\xfe1\x00", "\xfe\xff\x001", "\xef\xbb\xbf1\n", "\xff1", "\xfe1", "1\x00", "1\n", "", "\n",
	} {
		s, err := Lines("f", strings.NewReader(text))
		fmt.Fprintf(&b, "lines %q: %v, %v\n", text, s.Values, err)
	}
	first := []string{"a", "2", "B ", "a"}
	for _, wanted := range []string{"0", "1", "2", "4", "5", "b", " B", "a", "c"} {
		at, header, err := column(first, wanted)
		fmt.Fprintf(&b, "column %s: %d, %v, %v\n", wanted, at, header, err)
	}
	testgolden.Check(t, filepath.Join("testdata", "figures.txt"), b.String())
}
