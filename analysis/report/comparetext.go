package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"moobench/analysis/compare"
	"moobench/analysis/infer"
	"moobench/results"
)

// comparisonText prints a comparison for a terminal.
func comparisonText(w io.Writer, c *compare.Comparison, o Options) error {
	p := &printer{w: w, width: o.Width, colour: o.Color}
	if p.width <= 0 {
		p.width = 80
	}
	p.width = max(p.width, 40)
	p.compareHeader(c)
	said := map[string]bool{}
	for i := range c.Scenarios {
		notes := &footnotes{}
		for j := range c.Scenarios[i].Metrics {
			p.comparedMetric(c, &c.Scenarios[i], &c.Scenarios[i].Metrics[j], notes, said)
		}
	}
	p.compareFooter(c)
	return p.err
}

func (p *printer) compareHeader(c *compare.Comparison) {
	p.wrapped(bold, "", "comparison · "+comparedName(c))
	for _, one := range c.Campaigns {
		p.wrapped(plain, pad(one.Title, 5), strings.Join(campaignFacts(one), " · "))
	}
	for _, s := range comparisonStamps(c) {
		p.wrapped(bad, "! ", s)
	}
	for _, w := range comparedWarnings(c) {
		p.wrapped(warn, "! ", w)
	}
	p.differences(c, c.Unlike)
	for _, n := range c.Notes {
		p.wrapped(warn, "! ", n)
	}
	if len(c.Changed) > 0 {
		p.print(plain, "")
		p.wrapped(bold, "not the same  ", "what may have changed the figures below, or did")
		p.differences(c, c.Changed)
	}
}

// differences prints what differs, a column for each campaign, or line by line
// where the values are too long for that.
func (p *printer) differences(c *compare.Comparison, all []compare.Difference) {
	if len(all) == 0 {
		return
	}
	rows := []row{{cells: []string{""}, style: dim}}
	for _, one := range c.Campaigns {
		rows[0].cells = append(rows[0].cells, one.Title)
	}
	for _, d := range all {
		r := row{cells: append([]string{d.What}, d.Values...)}
		if len(d.Cells) > 0 {
			r.note = "of " + aboutCells(d)
		}
		rows = append(rows, r)
	}
	every := make([]bool, len(c.Campaigns)+1)
	for i := range every {
		every[i] = true
	}
	if tableWidth(rows, every) <= p.width {
		p.table(rows)
		return
	}
	for _, d := range all {
		p.wrapped(plain, "  ", d.What+strings.TrimSuffix(" of "+aboutCells(d), " of "))
		for i, v := range d.Values {
			p.wrapped(plain, "    "+pad(c.Campaigns[i].Title, 4), v)
		}
	}
}

// comparedMetric prints a table with what is to be known of it; legends and notes that
// were said before are not said again.
func (p *printer) comparedMetric(c *compare.Comparison, s *compare.Scenario, m *compare.Metric, notes *footnotes, said map[string]bool) {
	p.print(plain, "")
	p.wrapped(bold, s.Label+"  ", strings.TrimSuffix(m.Metric.Name+": "+comparedMetric(s, m), ": "))
	p.wrapped(tallyStyle(m), "  ", tally(c, m))
	before := len(notes.notes)
	if len(c.Campaigns) == 2 {
		p.comparedPair(c, m, notes)
	} else {
		p.comparedSeveral(c, m, notes)
	}
	for _, line := range legendOf(c, m) {
		if !said[line] {
			p.wrapped(dim, "  ", line)
		}
		said[line] = true
	}
	for i, n := range notes.notes[before:] {
		p.wrapped(warn, fmt.Sprintf("!%d ", before+i+1), n.text())
	}
}

func tallyStyle(m *compare.Metric) style {
	if m.Count(infer.Regression) > 0 {
		return bad
	}
	return plain
}

// comparedPair is the table of two campaigns.
func (p *printer) comparedPair(c *compare.Comparison, m *compare.Metric, notes *footnotes) {
	head := []string{"", "old → new", "change", "", "p", "mean, old → new", ""}
	rows := p.comparedRows(head, m, func(r *compare.Row) row {
		change := &r.Changes[0]
		line := row{cells: []string{comparedLabel(r), "", "", "", "", "", comparedMarks(c, r, notes)}, style: changeStyle(change)}
		if change.Estimate == nil {
			line.span = strings.TrimSpace("no answer: " + change.Absent + " " + line.cells[6])
			line.cells = line.cells[:1]
			return line
		}
		older, newer := &r.Sides[0], &r.Sides[1]
		if line.cells[1] = overheadOf(older, m.Metric); line.cells[1] != "" {
			line.cells[1] += " → " + overheadOf(newer, m.Metric)
		}
		line.cells[2], line.cells[3], line.cells[4] = changeOf(change, m.Metric).String(), verdictOf(change, m.Metric, c.Margin), adjustedP(change)
		line.cells[5] = sideMean(older, m.Metric) + " → " + sideMean(newer, m.Metric)
		line.under = change.Absent
		return line
	})
	rows, _ = p.fit(rows, []int{0, 1, 0, 0, 3, 2, 0})
	p.table(rows)
}

// comparedRows are the lines of a table, level by level.
func (p *printer) comparedRows(head []string, m *compare.Metric, line func(*compare.Row) row) []row {
	rows := []row{{cells: head, style: dim}}
	for _, level := range comparedLevels(m.Rows) {
		if level != "" {
			rows = append(rows, row{cells: []string{level}, style: bold})
		}
		for i := range m.Rows {
			if r := &m.Rows[i]; r.Level == level {
				rows = append(rows, line(r))
			}
		}
	}
	return rows
}

func changeStyle(c *compare.Change) style {
	switch c.Verdict {
	case infer.Regression:
		return bad
	case infer.NotJudged:
		return warn
	}
	return plain
}

// comparedSeveral are the tables of three campaigns or more: the first one's
// overheads beside the changes of the others, and the means of all.
func (p *printer) comparedSeveral(c *compare.Comparison, m *compare.Metric, notes *footnotes) {
	var absent []string
	head := []string{""}
	for _, one := range c.Campaigns {
		head = append(head, one.Title)
	}
	p.split(p.comparedRows(head, m, func(r *compare.Row) row {
		line := row{cells: []string{comparedLabel(r)}}
		for i, one := range c.Campaigns {
			text := overheadOf(&r.Sides[0], m.Metric)
			if i > 0 {
				text = changeIn(c, m, r, one.Title)
				if change := changeTo(r, one.Title); change != nil && change.Absent != "" {
					absent = append(absent, r.Cell+" in "+one.Title+": "+strings.TrimPrefix(change.Absent, one.Title+": "))
				}
				if change := changeTo(r, one.Title); change != nil && change.Verdict == infer.Regression {
					line.style = bad
				}
			}
			line.cells = append(line.cells, join(text, marksText(sideMarks(c, r, i, notes))))
		}
		return line
	}))
	for _, why := range absent {
		p.wrapped(warn, "  ", why)
	}
	p.print(plain, "")
	p.wrapped(dim, "  ", "means")
	p.split(p.comparedRows(head, m, func(r *compare.Row) row {
		line := row{cells: []string{r.Variant}}
		if r.Role == results.RoleAA {
			line.cells[0] = comparedLabel(r)
		}
		for i := range r.Sides {
			line.cells = append(line.cells, sideMean(&r.Sides[i], m.Metric))
		}
		return line
	}))
}

// changeTo is the change of a row in a campaign, nil when there is none.
func changeTo(r *compare.Row, title string) *compare.Change {
	i := slices.IndexFunc(r.Changes, func(c compare.Change) bool { return c.Campaign == title })
	if i < 0 {
		return nil
	}
	return &r.Changes[i]
}

// changeIn is it in one cell of a table.
func changeIn(c *compare.Comparison, m *compare.Metric, r *compare.Row, title string) string {
	change := changeTo(r, title)
	if change == nil {
		return "–"
	}
	return join(changeOf(change, m.Metric).String(), verdictOf(change, m.Metric, c.Margin))
}

func (p *printer) compareFooter(c *compare.Comparison) {
	only, lacks := onlyTexts(c), incompleteness(c)
	if len(only)+len(lacks) > 0 {
		p.print(plain, "")
	}
	if len(only) > 0 {
		p.wrapped(dim, "not compared: ", strings.Join(only, ", "))
	}
	for _, why := range lacks {
		p.wrapped(bad, "! incomplete: ", why)
	}
}

// Refusal is why campaigns are not compared, for the error that says so: what
// differs, a line for each, with the values side by side.
func Refusal(e *compare.UnlikeError) string {
	rows := [][]string{append([]string{""}, e.Titles...)}
	for _, d := range e.Lines {
		what := d.What
		if cells := aboutCells(d); cells != "" {
			what += " of " + cells
		}
		rows = append(rows, append([]string{what}, d.Values...))
	}
	widths := make([]int, len(e.Titles)+1)
	for _, r := range rows {
		for i, text := range r {
			widths[i] = max(widths[i], width(text))
		}
	}
	lines := []string{Clean("not comparing: " + e.Error())}
	for _, r := range rows {
		line := ""
		for i, text := range r {
			line += pad(Clean(text), widths[i]+gap)
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return strings.Join(lines, "\n")
}
