package report

import (
	"math"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/results"
)

// steadyText is what a cell's invocations do over time, in a few words:
// "warmup, 12,000 calls", "inconsistent (5 flat, 3 warmup)".
func steadyText(s *analysis.Steady) string {
	if s == nil {
		return ""
	}
	if calls := warmupCalls(s); calls != "" {
		return s.Classes() + ", " + calls
	}
	return s.Classes()
}

func warmupCalls(s *analysis.Steady) string {
	if w := s.WarmupCalls; w != nil && w.Value >= 0.5 && w.Value < math.MaxInt64 {
		return figure.Plural(int(math.Round(w.Value)), "call", "calls")
	}
	return ""
}

// warmupRow is a cell before its window, in it, and over the window that was not
// chosen.
type warmupRow struct{ Label, Class, Before, Mean, Other string }

// newWarmups estimate warm-up and steady state apart; otherWindow names the
// window that was not chosen.
func newWarmups(s *analysis.Scenario) (rows []warmupRow, otherWindow string) {
	m := primary(s)
	for i := range s.Cells {
		c := &s.Cells[i]
		if c.Steady == nil || c.Void != "" {
			continue
		}
		r := warmupRow{Label: c.Label, Class: c.Steady.Text, Before: meanOf(c.Steady.WarmupMean, m.Unit), Mean: "–", Other: "–"}
		if a := metricOf(c, s.Primary); a != nil {
			r.Mean = meanText(a, m.Unit)
		}
		if c.Other != nil {
			r.Other, otherWindow = meanOf(c.Other.Mean, m.Unit), windowName(c.Other.Window)
		}
		rows = append(rows, r)
	}
	return rows, otherWindow
}

func windowName(w results.Window) string {
	switch w {
	case results.WindowSteady:
		return "steady state"
	case results.WindowHalf:
		return "second half"
	}
	return "all samples"
}

// warmups prints them.
func (p *printer) warmups(s *analysis.Scenario) {
	found, other := newWarmups(s)
	if len(found) == 0 {
		return
	}
	p.print(plain, "")
	p.wrapped(bold, "warm-up and steady state  ", "")
	rows := []row{{cells: []string{"", "before it", "window", other, "class"}, style: dim}}
	for _, r := range found {
		rows = append(rows, row{cells: []string{r.Label, r.Before, r.Mean, r.Other, r.Class}})
	}
	rows, kept := p.fit(rows, []int{0, 0, 0, 0, 1})
	p.table(rows)
	if !kept[4] {
		p.steady(s)
	}
}

// manyCells are not named one by one where the same is true of all.
const manyCells = 8

// steady names the class of every cell, those of one class together, with the
// calls before the steady state.
func (p *printer) steady(s *analysis.Scenario) {
	var texts []string
	cells, n := map[string][]string{}, 0
	for _, c := range s.Cells {
		if c.Steady == nil || c.Role == results.RoleAA || c.Void != "" {
			continue
		}
		n++
		text, label := c.Steady.Classes(), c.Label
		if calls := warmupCalls(c.Steady); calls != "" {
			label += " (" + calls + ")"
		}
		if cells[text] == nil {
			texts = append(texts, text)
		}
		cells[text] = append(cells[text], label)
	}
	for i, text := range texts {
		who := strings.Join(cells[text], ", ")
		if n >= manyCells && len(texts) == 1 && !strings.Contains(who, "(") {
			who = "all cells"
		}
		texts[i] = text + ": " + who
	}
	if len(texts) > 0 {
		p.wrapped(dim, "  ", "steady state: "+strings.Join(texts, "; "))
	}
}
