package report

import (
	"slices"

	"moobench/analysis"
	"moobench/analysis/figure"
)

const (
	// detailMost is up to how many cells of a scenario are all shown in detail, and
	// detailFew is how many are of more: nobody looks at a thousand small drawings.
	detailMost, detailFew = 48, 16
	// contentMost is what a page may have in bytes besides the ECharts script, so
	// that it stays below 2 MB with it, and can go by mail.
	contentMost = 960_000
	// namesMost is how many of a list of names or of problems the page prints.
	namesMost = 24
)

// details are how many cells are all shown in detail, and how many of more: where
// a page becomes too large, it is written again with the next.
var details = []struct{ most, few int }{{detailMost, detailFew}, {24, 12}, {12, 8}, {6, 4}, {2, 2}}

// inDetail is the scenario with those cells only that the page shows in detail,
// and how many it leaves out. The table of cells has all of them.
func inDetail(s *analysis.Scenario, step int) (few *analysis.Scenario, more int) {
	if len(s.Cells) <= details[step].most {
		return s, 0
	}
	d := *s
	d.Cells = s.Cells[:details[step].few]
	kept := map[string]bool{}
	for _, c := range d.Cells {
		kept[c.ID] = true
	}
	d.Contrasts = slices.DeleteFunc(slices.Clone(s.Contrasts), func(c analysis.Contrast) bool { return !kept[c.A] || !kept[c.B] })
	d.Closures = slices.DeleteFunc(slices.Clone(s.Closures), func(c analysis.Closure) bool {
		return !kept[c.First.A] || !kept[c.First.B] || !kept[c.Second.A] || !kept[c.Second.B]
	})
	d.Timelines = slices.DeleteFunc(slices.Clone(s.Timelines), func(t analysis.Timeline) bool { return !kept[t.Cell] })
	d.ToggleEffects = slices.DeleteFunc(slices.Clone(s.ToggleEffects), func(e analysis.ToggleEffect) bool { return !kept[e.Cell] })
	if s.Sizing != nil {
		size := *s.Sizing
		size.Reached = slices.DeleteFunc(slices.Clone(size.Reached), func(r analysis.Reached) bool { return !kept[r.Cell] })
		d.Sizing = &size
	}
	return &d, len(s.Cells) - len(d.Cells)
}

// onlyOf are the invocations of these cells, in the same order.
func onlyOf(a *analysis.Answers, s *analysis.Scenario) *analysis.Answers {
	kept := map[string]bool{}
	for _, c := range s.Cells {
		kept[c.ID] = true
	}
	few := *a
	few.Invocations = slices.DeleteFunc(slices.Clone(a.Invocations), func(i analysis.Invocation) bool { return !kept[i.Cell] })
	return &few
}

// few are the first of a list, and how many more there are, in words.
type few struct {
	First []string
	More  string
}

func fewOf(all []string) few {
	if len(all) <= namesMost {
		return few{First: all}
	}
	return few{all[:namesMost], "and " + figure.Count(int64(len(all)-namesMost)) + " more: moobench report DIR --format json names them all"}
}

// trouble is what a cell complains of.
type trouble struct {
	Label    string
	Failures []analysis.Failure
	Warnings []analysis.Warning
}

// newTroubles are the failures and warnings of all cells, the first of each.
func newTroubles(s *analysis.Scenario) (all []trouble, more int) {
	shown := 0
	for i := range s.Cells {
		c := &s.Cells[i]
		t := trouble{Label: c.Label}
		for _, f := range c.Failures {
			if shown++; shown <= namesMost {
				t.Failures = append(t.Failures, f)
			}
		}
		for _, w := range c.Warnings {
			if shown++; shown <= namesMost {
				t.Warnings = append(t.Warnings, w)
			}
		}
		if len(t.Failures)+len(t.Warnings) > 0 {
			all = append(all, t)
		}
	}
	return all, max(0, shown-namesMost)
}
