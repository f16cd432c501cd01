package report

import (
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
)

// contrasts splits the cost into its parts.
func (p *printer) contrasts(s *analysis.Scenario) {
	if len(s.Contrasts) == 0 {
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
		rows = append(rows, row{cells: []string{who(c), c.Name, c.About, cost}, under: under})
	}
	rows, kept := p.fit(rows, []int{0, 0, 1, 0})
	p.table(rows)
	if !kept[2] {
		p.wrapped(dim, "  ", meanings(s.Contrasts))
	}
}

// who is the variant that a part of the cost belongs to.
func who(c analysis.Contrast) string {
	return strings.Trim(c.Framework+"/"+c.Mode+"/"+c.Stage, "/")
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
	Who, LabelA, LabelB string
	Cost                shown
	Detectable          string
}

func newParts(s *analysis.Scenario) (rows []partRow, drawing forest) {
	var lines []forestItem
	unit := primary(s).Unit
	for _, c := range s.Contrasts {
		r := partRow{Contrast: c, Who: who(c), LabelA: labelOf(s, c.A), LabelB: labelOf(s, c.B), Cost: showDifference(c.Estimate, unit), Detectable: detectable(c.Estimate, unit)}
		label := c.Name + "  " + r.Who
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
	return rows, drawForest(lines, unit)
}

// detectable is the smallest true difference that would be found.
func detectable(e *analysis.Estimate, unit string) string {
	if e == nil || e.Detectable == nil {
		return ""
	}
	return figure.Quantity(*e.Detectable, unit)
}
