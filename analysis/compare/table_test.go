package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/results"
)

// TestMatchedCells: cells of the first campaign and another are compared, and of each that is missing somewhere it is
// said which campaigns have it; two of one name are two cells.
func TestMatchedCells(t *testing.T) {
	campaign := func(scenarios ...string) *analysis.Answers {
		a := &analysis.Answers{}
		for _, text := range scenarios {
			words := strings.Fields(text)
			s := analysis.Scenario{Label: words[0]}
			for i, variant := range words[1:] {
				id := fmt.Sprintf("c%02d", i)
				s.Cells = append(s.Cells, analysis.Cell{
					ID: id, Label: variant, Variant: variant, Role: results.RoleVariant,
				})
			}
			a.Scenarios = append(a.Scenarios, s)
		}
		return a
	}
	for name, c := range map[string]struct {
		campaigns []*analysis.Answers
		cells     string // by scenario
		only      []string
	}{
		"the same": {[]*analysis.Answers{campaign("s a b"), campaign("s b a")}, "s: a b", nil},
		"new ones": {
			[]*analysis.Answers{campaign("s a"), campaign("s a b", "t c")}, "s: a", []string{"s b: new", "t c: new"},
		},
		"old ones": {
			[]*analysis.Answers{campaign("s a b", "t c"), campaign("s a")}, "s: a", []string{"s b: old", "t c: old"},
		},
		"nothing in both": {
			[]*analysis.Answers{campaign("s a"), campaign("s b")}, "", []string{"s a: old", "s b: new"},
		},
		"one name twice": {
			[]*analysis.Answers{campaign("s a a"), campaign("s a a a")}, "s: a a", []string{"s a: new"},
		},
		"three": {
			[]*analysis.Answers{campaign("s a b"), campaign("s a c"), campaign("s c b a")},
			"s: a b",
			[]string{"s b: A C", "s c: B C"},
		},
	} {
		table := newTable(c.campaigns)
		var sections, only []string
		n := 0
		for _, s := range table.sections {
			labels := results.Each(s.cells, func(m matched) string { return m.label })
			sections = append(sections, s.label+": "+strings.Join(labels, " "))
			n += len(labels)
		}
		for _, o := range table.only {
			only = append(only, fmt.Sprintf("%s %s: %s", o.Scenario, o.Cell, strings.Join(o.In, " ")))
		}
		if got := strings.Join(sections, "; "); got != c.cells || !slices.Equal(only, c.only) || table.cells() != n {
			t.Errorf("%s: %q, %q; want %q, %q", name, got, only, c.cells, c.only)
		}
	}
}
