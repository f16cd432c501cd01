package report

import (
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/results"
)

// sheet is a table of a document. Its first column is of text, as are those
// that say so; the others are of numbers.
type sheet struct {
	key     string // tells the tables of a scenario apart, "" of the first
	title   string // what it is of, in a few words
	about   string // what its numbers are
	head    []string
	text    []bool // by column
	rows    [][]string
	remarks []string // what spoils the numbers, in whole sentences
}

// sheets are the tables of a scenario that has numbers or reasons for none.
func sheets(s *analysis.Scenario) []sheet {
	all := []sheet{cellSheet(s)}
	for _, m := range s.Metrics {
		if m.Of != "" && (m.Key || m.Name == s.Primary) {
			all = append(all, rateSheet(s, m))
		}
	}
	all = append(all, partSheet(s), keySheet(s))
	var filled []sheet
	for _, t := range all {
		if len(t.rows) > 0 {
			filled = append(filled, t.narrow())
		}
	}
	return filled
}

// cellSheet is the primary metric of all cells.
func cellSheet(s *analysis.Scenario) sheet {
	m, notes := primary(s), &footnotes{}
	t := sheet{
		title: strings.TrimSpace("cost of each cell, " + m.Name), about: caption(s),
		head: []string{"variant", "level", "n", unitHead(m), versus(s), "ratio", "records", "per record", "marks"},
		text: []bool{true, true, false, false, false, false, false, false, true},
	}
	for i := range s.Cells {
		c := &s.Cells[i]
		if c.Role == results.RoleAA {
			continue
		}
		// A row of the terminal: label, n, mean, difference, ratio, records,
		// steady state, per record, marks.
		r := cellRow(c, m, notes).cells
		marks := r[8]
		if c.Void != "" { // which the terminal says in place of the mean alone
			marks = markShows(c)
		}
		t.rows = append(t.rows, []string{r[0], c.Level, r[1], r[2], r[3], r[4], r[5], r[7], marks})
	}
	for i, n := range notes.notes {
		t.remarks = append(t.remarks, "!"+strconv.Itoa(i+1)+" "+n.text())
	}
	for _, aa := range s.AA {
		t.remarks = append(t.remarks, strings.TrimSpace(aa.Name()+" "+aa.Level)+": "+aa.Text)
	}
	return t
}

// rateSheet is how often what is counted was seen.
func rateSheet(s *analysis.Scenario, m results.Metric) sheet {
	t := sheet{
		key: "rate-" + slug(m.Name), title: m.Name + " of " + m.Of, about: m.About + "; exact 95 % intervals, of none the bound",
		head: []string{"variant", "level", "n", m.Name + " of " + m.Of, "per million", versus(s), "marks"},
		text: []bool{true, true, false, false, false, false, true},
	}
	for i := range s.Cells {
		c := &s.Cells[i]
		if c.Role == results.RoleAA {
			continue
		}
		r := rateRow(c, m)
		if r.span != "" {
			t.rows = append(t.rows, []string{c.Variant, c.Level, "", r.span, "", "", markShows(c)})
			continue
		}
		t.rows = append(t.rows, []string{c.Variant, c.Level, r.cells[1], r.cells[2], r.cells[3], r.cells[4], markShows(c)})
	}
	return t
}

// partSheet splits the cost into its parts.
func partSheet(s *analysis.Scenario) sheet {
	t := sheet{
		key: "parts", title: "parts of the cost", about: "differences of two cells over blocks, each with its own 95 % interval; " + meanings(s.Contrasts),
		head: []string{"variant", "level", "part", "cost (95 % CI)", "marks"},
		text: []bool{true, true, true, false, true},
	}
	for _, c := range s.Contrasts {
		cost := showDifference(c.Estimate, primary(s).Unit).String()
		if c.Estimate == nil {
			cost = "no answer: " + c.Absent
		}
		var marks []string
		for i := range s.Cells {
			if of := &s.Cells[i]; (of.ID == c.A || of.ID == c.B) && len(of.Marks) > 0 {
				marks = append(marks, of.Label+": "+markShows(of))
			}
		}
		t.rows = append(t.rows, []string{who(c), c.Level, partName(c), cost, strings.Join(marks, "; ")})
	}
	t.remarks = partNotes(s)
	return t
}

// keySheet is the scenario's key metrics.
func keySheet(s *analysis.Scenario) sheet {
	of := newKeys(s)
	t := sheet{key: "key", title: "key metrics", about: "means ± half of their 95 % intervals over invocations", head: []string{"variant", "level"}, text: []bool{true, true}}
	for _, m := range of.Metrics {
		t.head, t.text = append(t.head, m.Name), append(t.text, false)
		if m.About != "" {
			t.about += "; " + m.Name + ": " + m.About
		}
	}
	for _, r := range of.Rows {
		row := append([]string{r.Variant, r.Level}, r.Values...)
		for len(row) < len(t.head) {
			row = append(row, "not instrumented") // a void cell has no values
		}
		t.rows = append(t.rows, append(row, marksOf(s, r)))
	}
	t.head, t.text = append(t.head, "marks"), append(t.text, true)
	return t
}

// marksOf are the marks of the cell that a row of key metrics is about.
func marksOf(s *analysis.Scenario, r keyRow) string {
	for i := range s.Cells {
		if c := &s.Cells[i]; c.Variant == r.Variant && c.Level == r.Level && c.Role != results.RoleAA {
			return markShows(c)
		}
	}
	return ""
}

// markShows are all marks of a cell, as they stand at its numbers.
func markShows(c *analysis.Cell) string {
	var all []string
	for _, m := range c.Marks {
		all = append(all, m.Show)
	}
	return strings.Join(all, ", ")
}

// narrow leaves out the columns without a text below their heads.
func (t sheet) narrow() sheet {
	return t.choose(func(i int) bool {
		return i == 0 || slices.ContainsFunc(t.rows, func(r []string) bool { return r[i] != "" })
	})
}

// only has the columns with these heads, as far as they are there.
func (t sheet) only(heads ...string) sheet {
	return t.choose(func(i int) bool { return slices.Contains(heads, t.head[i]) })
}

// without has the columns with other heads.
func (t sheet) without(heads ...string) sheet {
	return t.choose(func(i int) bool { return !slices.Contains(heads, t.head[i]) })
}

// choose has the columns that are wanted, by their numbers.
func (t sheet) choose(wanted func(int) bool) sheet {
	n := t
	n.head, n.text, n.rows = nil, nil, make([][]string, len(t.rows))
	for i, head := range t.head {
		if !wanted(i) {
			continue
		}
		n.head, n.text = append(n.head, head), append(n.text, t.text[i])
		for j, r := range t.rows {
			n.rows[j] = append(n.rows[j], r[i])
		}
	}
	return n
}
