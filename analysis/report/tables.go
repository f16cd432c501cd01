package report

import (
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

// newGroups puts the questions of benchmarks.toml first.
func newGroups(s *analysis.Scenario) []answerGroup {
	asked, own := answerGroup{Title: "Questions of benchmarks.toml"}, answerGroup{Title: "Questions and answers"}
	for _, a := range s.Answers {
		if a.Asked {
			asked.Answers = append(asked.Answers, a)
		} else {
			own.Answers = append(own.Answers, a)
		}
	}
	var all []answerGroup
	for _, g := range []answerGroup{asked, own} {
		if len(g.Answers) > 0 {
			all = append(all, g)
		}
	}
	return all
}

// spreadRow is where the variance of a cell lies.
type spreadRow struct{ Label, Between, Within, ICC string }

func newSpread(s *analysis.Scenario) []spreadRow {
	var rows []spreadRow
	unit := primary(s).Unit
	for i := range s.Cells {
		if a := metricOf(&s.Cells[i], s.Primary); a != nil && a.Components != nil && s.Cells[i].Void == "" {
			c := a.Components
			rows = append(rows, spreadRow{s.Cells[i].Label, figure.Quantity(c.BetweenSD, unit), figure.Quantity(c.WithinSD, unit), figure.Percent(c.ICC)})
		}
	}
	return rows
}

// cellRuns are the invocations of a cell, with their command lines.
type cellRuns struct {
	*analysis.Cell
	Runs []analysis.Invocation
}

func newRuns(a *analysis.Answers, s *analysis.Scenario) []cellRuns {
	var all []cellRuns
	for i := range s.Cells {
		runs := cellRuns{Cell: &s.Cells[i]}
		for _, inv := range a.Invocations {
			if inv.Cell == s.Cells[i].ID {
				runs.Runs = append(runs.Runs, inv)
			}
		}
		all = append(all, runs)
	}
	return all
}

// blockTable is the primary metric block by block.
type blockTable struct {
	Cells []string
	Rows  []blockRow
}

type blockRow struct {
	Block  int
	Values []string
}

func newBlockTable(a *analysis.Answers, s *analysis.Scenario) blockTable {
	var t blockTable
	if a.Campaign.Design == results.DesignUnordered {
		return t
	}
	column := map[string]int{}
	for _, c := range s.Cells {
		column[c.ID] = len(t.Cells)
		t.Cells = append(t.Cells, c.Label)
	}
	for _, inv := range a.Invocations {
		at, ok := column[inv.Cell]
		if !ok || inv.Value == nil && inv.Status == results.StatusOK {
			continue
		}
		if n := len(t.Rows); n == 0 || t.Rows[n-1].Block != inv.Block {
			t.Rows = append(t.Rows, blockRow{inv.Block, make([]string, len(t.Cells))})
		}
		text := string(inv.Status)
		if inv.Value != nil {
			text = figure.Quantity(*inv.Value, primary(s).Unit)
			text += disturbedText(inv)
		}
		t.Rows[len(t.Rows)-1].Values[at] = text
	}
	return t
}
