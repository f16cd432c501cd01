package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/compare"
	"moobench/analysis/figure"
	"moobench/results"
)

// comparedMarks numbers the marks of all sides of a row: "!1,2".
func comparedMarks(c *compare.Comparison, r *compare.Row, notes *footnotes) string {
	var refs []int
	for i := range r.Sides {
		refs = append(refs, sideMarks(c, r, i, notes)...)
	}
	return marksText(refs)
}

// sideMarks numbers the marks of one side of a row.
func sideMarks(c *compare.Comparison, r *compare.Row, i int, notes *footnotes) []int {
	var refs []int
	for _, m := range r.Sides[i].Marks {
		refs = append(refs, notes.once(m, c.Campaigns[i].Title+" "+r.Cell))
	}
	return refs
}

// marksText is "!1,2", "" of no marks.
func marksText(refs []int) string {
	slices.Sort(refs)
	var texts []string
	for _, n := range slices.Compact(refs) {
		texts = append(texts, strconv.Itoa(n))
	}
	if len(texts) == 0 {
		return ""
	}
	return "!" + strings.Join(texts, ",")
}

// once is number, for cells that stand in several tables: they are named once.
func (f *footnotes) once(m analysis.Mark, cell string) int {
	for i, n := range f.notes {
		if n.Mark.Kind == m.Kind && n.Mark.Text == m.Text && slices.Contains(n.Cells, cell) {
			return i + 1
		}
	}
	return f.number(m, cell)
}

// legendOf says what the numbers of a table are.
func legendOf(c *compare.Comparison, m *compare.Metric) []string {
	family, raw, detects, nights := 1, false, false, false
	for i := range m.Rows {
		r := &m.Rows[i]
		raw = raw || isRaw(r)
		for _, change := range r.Changes {
			if r.Role == results.RoleVariant {
				family = max(family, change.Family)
			}
			detects = detects || change.Estimate != nil && change.Estimate.Detectable != nil
			nights = nights || change.Between != nil
		}
	}
	text := "change: of the overhead against each campaign's own reference"
	if family > 1 {
		text += fmt.Sprintf("; the intervals of the %d changes of a level hold together at %s, and p is Holm's over them", family, figure.Level(c.Confidence))
	} else {
		text += "; its interval holds at " + figure.Level(c.Confidence)
	}
	legend := []string{text}
	if raw {
		legend = append(legend, "(raw): of the mean itself, with what the machine did that night in it")
	}
	if detects {
		legend = append(legend, "detects: the smallest true change that such campaigns find four times in five")
	}
	if nights {
		legend = append(legend, "what nights differ by of themselves is in the intervals of "+strings.Join(withNights(m), ", "))
	}
	return legend
}

// withNights are the cells whose intervals hold what nights differ by.
func withNights(m *compare.Metric) []string {
	var all []string
	for i := range m.Rows {
		for _, change := range m.Rows[i].Changes {
			if change.Between == nil {
				continue
			}
			text := fmt.Sprintf("%s (sd %s over %s)", m.Rows[i].Cell, figure.Percent(change.Between.SD), figure.Plural(change.Between.Nights, "night", "nights"))
			if !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	return all
}

// comparedLevels are the factor levels of a table, in order.
func comparedLevels(rows []compare.Row) []string {
	var all []string
	for _, r := range rows {
		if !slices.Contains(all, r.Level) {
			all = append(all, r.Level)
		}
	}
	return all
}

// markTexts are the marks of one side, as at the number.
func markTexts(marks []analysis.Mark) []string {
	var all []string
	for _, m := range marks {
		all = append(all, m.Show)
	}
	return all
}

// onlyText says where a cell is.
func onlyText(o compare.Only, scenarios int) string {
	text := o.Cell
	if scenarios > 1 {
		text = o.Scenario + ": " + text
	}
	return text + " (only in " + strings.Join(o.In, ", ") + ")"
}

// onlyTexts are the cells that not all campaigns have.
func onlyTexts(c *compare.Comparison) []string {
	var all []string
	for _, o := range c.Only {
		all = append(all, onlyText(o, len(c.Scenarios)))
	}
	return all
}

// aboutCells says which cells a difference is about, "" when it is all.
func aboutCells(d compare.Difference) string {
	const few = 3
	if len(d.Cells) <= few {
		return strings.Join(d.Cells, ", ")
	}
	return strings.Join(d.Cells[:few], ", ") + " and " + figure.Count(int64(len(d.Cells)-few)) + " more"
}
