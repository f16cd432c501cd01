package analysis_test

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
)

// The worked example of METHOD.md is computed anew from the numbers that it
// prints: a reader who follows it comes to the same.
func TestWorkedExample(t *testing.T) {
	page, err := os.ReadFile("METHOD.md")
	if err != nil {
		t.Fatal(err)
	}
	section := regexp.MustCompile(`(?s)## 9 A worked example(.*?)\n## `).FindStringSubmatch(string(page))
	if section == nil {
		t.Fatal("METHOD.md has no worked example")
	}
	printed := numbersOf(t, section[1])
	x, y := printed["agent"], printed["none"]
	a := infer.Solver{}.Compare(infer.Question{Alpha: 0.05}, infer.Data{X: infer.Sample{Values: x}, Y: infer.Sample{Values: y}, Paired: true})
	if a.Difference == nil || a.Ratio == nil {
		t.Fatalf("no answer: %s, %s", a.NoDifference, a.NoRatio)
	}
	d, ratio := a.Difference, a.Ratio
	for name, want := range map[string][]float64{
		"mean difference": {d.Value}, "standard deviation": {*d.SD}, "standard error": {*d.SE},
		"t(5; 0.025)": {stats.TQuantile(0.025, 5)}, "interval": {d.Interval.Low, d.Interval.High},
		"t": {d.Test.T}, "p": {d.Test.P}, "mean log ratio": {math.Log(ratio.Value)}, "ratio": {ratio.Value},
		"ratio interval": {ratio.Interval.Low, ratio.Interval.High}, "detectable": {*d.Detectable},
	} {
		got := printed[name]
		if len(got) != len(want) {
			t.Errorf("%s: the page prints %v, want %v", name, got, want)
			continue
		}
		for i := range want {
			if math.Abs(got[i]/want[i]-1) > 1e-4 {
				t.Errorf("%s: the page prints %v, want %v", name, got[i], want[i])
			}
		}
	}
}

// numbersOf reads lines such as "ratio interval  36.7 37.0".
func numbersOf(t *testing.T, text string) map[string][]float64 {
	t.Helper()
	found := map[string][]float64{}
	gap := regexp.MustCompile(`^(.*?) {2,}(.*)$`)
	for line := range strings.Lines(text) {
		m := gap.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		for _, f := range strings.Fields(m[2]) {
			x, err := strconv.ParseFloat(f, 64)
			if err != nil {
				t.Fatalf("line %q: %v", line, err)
			}
			found[m[1]] = append(found[m[1]], x)
		}
	}
	return found
}
