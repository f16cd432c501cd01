package report

import (
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/results"
)

// metricTable is one metric over all cells.
type metricTable struct {
	results.Metric
	Rows []metricRow
}

type metricRow struct {
	Label, N, Mean, Difference, Ratio string
}

func newMetricTable(s *analysis.Scenario, m results.Metric) metricTable {
	t := metricTable{Metric: m}
	for i := range s.Cells {
		c := &s.Cells[i]
		if c.Role == results.RoleAA {
			continue
		}
		r := metricRow{Label: c.Label, Mean: "–"}
		if a := metricOf(c, m.Name); a != nil && c.Void == "" {
			r.N, r.Mean, r.Difference, r.Ratio = count(a.Mean), meanText(a, m.Unit), differenceOf(a, m.Unit).String(), showRatio(a.Ratio).String()
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// answerGroup is the questions of one origin.
type answerGroup struct {
	Title   string
	Answers []analysis.Answer
}

// newGroups puts the questions of benchmarks.toml first. Of very many questions
// that the scenario asks by itself, one for each cell, only the first are cards;
// tally sums up the verdicts on the others, which the table of cells has.
func newGroups(s *analysis.Scenario) (all []answerGroup, tally string) {
	asked, own := answerGroup{Title: "Questions of benchmarks.toml"}, answerGroup{Title: "Questions and answers"}
	for _, a := range s.Answers {
		if a.Asked {
			asked.Answers = append(asked.Answers, a)
		} else {
			own.Answers = append(own.Answers, a)
		}
	}
	if len(own.Answers) > detailMost {
		tally = tallied(own.Answers[detailFew:], primary(s).Better)
		own.Answers = own.Answers[:detailFew]
	}
	for _, g := range []answerGroup{asked, own} {
		if len(g.Answers) > 0 {
			all = append(all, g)
		}
	}
	return all, tally
}

// tallied is 940 dearer, 12 free, 24 undecided.
func tallied(answers []analysis.Answer, better results.Better) string {
	var words []string
	count := map[string]int64{}
	for _, a := range answers {
		word := badge(a, better)
		if count[word] == 0 {
			words = append(words, word)
		}
		count[word]++
	}
	for i, word := range words {
		words[i] = figure.Count(count[word]) + " " + word
	}
	return strings.Join(words, ", ")
}

// spreadRow is where the variance of a cell lies.
type spreadRow struct{ Label, Between, Within, ICC, Rest string }

func newSpread(s *analysis.Scenario) []spreadRow {
	var rows []spreadRow
	unit := primary(s).Unit
	for i := range s.Cells {
		if a := metricOf(&s.Cells[i], s.Primary); a != nil && a.Components != nil && s.Cells[i].Void == "" {
			c := a.Components
			rows = append(rows, spreadRow{s.Cells[i].Label, figure.Quantity(c.BetweenSD, unit), figure.Quantity(c.WithinSD, unit), figure.Percent(c.ICC), figure.Percent(1 - c.ICC)})
		}
	}
	return rows
}

// blockColumns is how many cells a table of blocks has: more would be cut off in
// print.
const blockColumns = 8

// blockTable is the primary metric of some cells, block by block.
type blockTable struct {
	Cells []string
	Rows  []blockRow
}

type blockRow struct {
	Block  int
	Values []string
}

// newBlockTables are the values of all cells, a few cells in each table.
func newBlockTables(a *analysis.Answers, s *analysis.Scenario) (all []blockTable) {
	if a.Campaign.Design == results.DesignUnordered {
		return nil
	}
	for cells := range slices.Chunk(s.Cells, blockColumns) {
		if t := newBlockTable(a, cells, primary(s)); len(t.Rows) > 0 {
			all = append(all, t)
		}
	}
	return all
}

func newBlockTable(a *analysis.Answers, cells []analysis.Cell, of results.Metric) blockTable {
	var t blockTable
	column := map[string]int{}
	for _, c := range cells {
		column[c.ID] = len(t.Cells)
		t.Cells = append(t.Cells, c.Label)
	}
	for _, inv := range a.Invocations {
		at, ok := column[inv.Cell]
		text := blockText(inv, of)
		if !ok || text == "" {
			continue
		}
		if n := len(t.Rows); n == 0 || t.Rows[n-1].Block != inv.Block {
			t.Rows = append(t.Rows, blockRow{inv.Block, make([]string, len(t.Cells))})
		}
		t.Rows[len(t.Rows)-1].Values[at] = text
	}
	return t
}

// blockText is the value of an invocation, or what became of it.
func blockText(inv analysis.Invocation, of results.Metric) string {
	switch {
	case inv.Value != nil:
		return figure.Quantity(*inv.Value, of.Unit) + disturbedText(inv)
	case inv.Status != results.StatusOK:
		return string(inv.Status)
	case inv.Void != "":
		return "void"
	}
	return ""
}
