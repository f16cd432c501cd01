package report

import (
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/results"
)

// contrasts splits the cost into its parts.
func (p *printer) contrasts(s *analysis.Scenario) {
	notes := partNotes(s)
	if len(s.Contrasts) == 0 && len(notes) == 0 {
		return
	}
	p.print(plain, "")
	p.wrapped(bold, "split into parts  ", "differences of two cells over blocks, each with its own 95 % interval")
	rows, level := []row{{cells: []string{"", "part", "what it is", "cost (95 % CI)"}, style: dim}}, ""
	for _, c := range s.Contrasts {
		if c.Level != level {
			level = c.Level
			rows = append(rows, row{cells: []string{level}, style: bold})
		}
		cost := showDifference(c.Estimate, primary(s).Unit).String()
		under := ""
		if c.Estimate == nil {
			cost, under = "–", c.Absent
		}
		rows = append(rows, row{cells: []string{who(c), partName(c), c.About, cost}, under: under})
	}
	rows, kept := p.fit(rows, []int{0, 0, 1, 0})
	p.table(rows)
	if !kept[2] {
		p.wrapped(dim, "  ", meanings(s.Contrasts))
	}
	for _, note := range notes {
		p.wrapped(plain, "  ", note)
	}
}

// partNotes are what is to be said of all parts of a scenario: which can't be told
// apart, and whether those that are known by two routes agree.
func partNotes(s *analysis.Scenario) []string {
	notes := slices.Clone(s.Unisolated)
	var agree []string
	for _, c := range s.Closures {
		if c.Disagree {
			notes = append(notes, c.Text)
		} else {
			agree = append(agree, c.Text)
		}
	}
	if len(agree) > agreeMost {
		agree = []string{figure.Count(int64(len(agree))) + " other pairs of routes to a part are not told apart"}
	}
	return append(notes, agree...)
}

// agreeMost are the pairs of routes that each have a line although they agree:
// more would hide those that don't.
const agreeMost = 12

// who is the variant that a part of the cost belongs to.
func who(c analysis.Contrast) string {
	return strings.Trim(c.Framework+"/"+c.Mode+"/"+c.Stage, "/")
}

// partName is the name of a part; where something is asked, with what is asked,
// because there are several questions.
func partName(c analysis.Contrast) string {
	var asked []string
	for _, s := range results.Steps() {
		if s.Part == "I" && slices.Contains(c.Steps, s.Name) {
			asked = append(asked, s.Name)
		}
	}
	if len(asked) == 0 {
		return c.Name
	}
	return c.Name + " (" + strings.Join(asked, ", ") + ")"
}

// meanings says once what each part is.
func meanings(cs []analysis.Contrast) string {
	var texts []string
	seen := map[string]bool{}
	for _, c := range cs {
		if text := c.Name + ": " + c.About; c.About != "" && !seen[text] {
			seen[text] = true
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "; ")
}

// partRow is one part of the cost, for the page.
type partRow struct {
	analysis.Contrast
	Who, Part      string
	LabelA, LabelB string
	Cost           shown
	Detectable     string
}

func newParts(s *analysis.Scenario) (rows []partRow, notes []string, drawing forest) {
	var lines []forestItem
	unit := primary(s).Unit
	for _, c := range s.Contrasts {
		r := partRow{Contrast: c, Who: who(c), Part: partName(c), LabelA: labelOf(s, c.A), LabelB: labelOf(s, c.B), Cost: showDifference(c.Estimate, unit), Detectable: detectable(c.Estimate, unit)}
		label := r.Part + "  " + r.Who
		if c.Level != "" {
			label += ", " + c.Level
		}
		text := r.Cost.String()
		if c.Estimate == nil {
			text = "no answer"
		}
		lines = append(lines, forestItem{label: label, text: text, estimate: c.Estimate})
		rows = append(rows, r)
	}
	return rows, partNotes(s), drawForest(lines, unit)
}

// detectable is the smallest true difference that would be found.
func detectable(e *analysis.Estimate, unit string) string {
	if e == nil || e.Detectable == nil {
		return ""
	}
	return figure.Quantity(*e.Detectable, unit)
}
