package numbers

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moobench/analysis/stats"
	"moobench/internal/testgolden"
)

// pairsOf are two samples, of which the second one is by a share above the first.
func pairsOf(share float64, spread ...float64) []Sample {
	a, b := Sample{Name: "old"}, Sample{Name: "new"}
	for i, x := range spread {
		a.Values = append(a.Values, 100+x)
		b.Values = append(b.Values, (100+x+float64(i%3))*(1+share))
	}
	return []Sample{b, a}
}

// way is one to ask.
type way struct {
	name    string
	options Options
}

// ways lists the options with which a kind of comparison can be asked for.
func ways(kind Kind) []way {
	o := options(kind)
	if kind == TOST {
		within, part := o, o
		within.Margin, part.Margin, part.Paired = Margin{Size: 5}, Margin{Size: 0.1, Relative: true}, true
		return []way{{"within 5", within}, {"pairs within 10 %", part}}
	}
	less, more := o, o
	less.Alternative, more.Alternative = stats.Less, stats.Greater
	if kind == Fieller {
		return []way{{"differs", o}}
	}
	return []way{{"differs", o}, {"less", less}, {"more", more}}
}

// TestSentences: what a comparison of each kind says in words of samples that differ, hardly differ
// and don't vary, whichever way it was asked.
func TestSentences(t *testing.T) {
	spread := []float64{-3, 1, 4, -1, 5, -9, 2, 6, -5, 3}
	shapes := []struct {
		name    string
		samples []Sample
	}{
		{"above", pairsOf(0.2, spread...)},
		{"below", pairsOf(-0.2, spread...)},
		{"alike", pairsOf(0.001, spread...)},
		{"two of each", pairsOf(0.2, 1, 2)},
		{"constant", []Sample{{Name: "new", Values: []float64{5, 5, 5}}, {Name: "old", Values: []float64{5, 5, 5}}}},
	}
	var b strings.Builder
	say := func(what string, r *Report, err error) {
		said := fmt.Sprint(err)
		if err == nil {
			said = r.Comparisons[0].Sentence
		}
		fmt.Fprintf(&b, "%s: %s\n", what, said)
	}
	for _, kind := range slices.DeleteFunc(Kinds(), func(k Kind) bool { return k == Poisson }) {
		for _, shape := range shapes {
			for _, asked := range ways(kind) {
				what := fmt.Sprintf("%s, %s, %s", kind, shape.name, asked.name)
				r, err := Compare(asked.options, shape.samples)
				say(what, r, err)
			}
		}
	}
	for _, arms := range [][2]Counts{
		{arm("new", 24, 27, 22), arm("old", 47, 55, 50)},
		{arm("new", 24, 27, 22), arm("old", 25, 22, 30)},
		{arm("new", 24), arm("old", 47)},
		{arm("new", 0, 0), arm("old", 0, 0)},
		{arm("new", 9, 8), arm("old", 0, 0)},
	} {
		for _, asked := range ways(Poisson) {
			r, err := CompareRates(asked.options, arms[:])
			say(fmt.Sprintf("%v against %v, %s", arms[0].Events, arms[1].Events, asked.name), r, err)
		}
	}
	testgolden.Check(t, filepath.Join("testdata", "sentences.txt"), b.String())
}
