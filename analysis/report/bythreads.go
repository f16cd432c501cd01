package report

import (
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/results"
)

// groupHeads are the heads of the columns of thread groups.
var groupHeads = map[results.ThreadGroup]string{
	results.ThreadsApplication: "application",
	results.ThreadsAgent:       "its threads",
	results.ThreadsCompiler:    "compilers",
	results.ThreadsCollector:   "collector",
	results.ThreadsJVM:         "rest of JVM",
	results.ThreadsEnded:       "ended threads",
}

// byThreads says which threads spent CPU time, if a variant has threads of its own: the time of a baseline, and
// what a variant adds to it.
func (b *builder) byThreads() *doc.Section {
	s := b.s
	if !s.HasAgentThreads() {
		return &doc.Section{}
	}
	columns, whole := doc.View[*analysis.Cell]{variantColumn()}, ""
	for _, m := range s.Metrics {
		if m.Threads == "" || !observed(s, m.Name) {
			continue
		}
		whole = m.PartOf
		columns = append(columns, valid(doc.Column{
			Head: groupHeads[m.Threads], Help: m.About, Number: true, Rank: max(0, len(columns)-2),
		}, func(c *analysis.Cell) doc.Cell {
			a := metricOf(c, m.Name)
			if m.Threads == results.ThreadsEnded {
				return brief(a.Mean, m.Unit, figure.Scale.Number)
			}
			if c.Baseline != "" && a.Difference == nil {
				return doc.Cell{Text: "?"}
			}
			return besideBaseline(c, a, m)
		}))
	}
	if whole == "" { // the scenario has no CPU time per call or request
		return &doc.Section{}
	}
	columns = append(columns, doc.NewColumn(
		doc.Column{Head: "threads that it has started", Rank: len(columns)},
		func(c *analysis.Cell) doc.Cell { return doc.Cell{Text: strings.Join(c.AgentThreads, ", ")} },
	))
	t := &doc.Table{Columns: columns.Heads(), Rows: cellRows(s, func(c *analysis.Cell) doc.Row { return cellRow(columns, c) })}
	t.Notes = prose.NonEmpty(prose.Unique(each(s.Cells, func(c analysis.Cell) string { return unsplit(s, &c) }))...)
	about := "of a " + string(primary(s).Sample()) + ": " + whole +
		" by group of threads; what a baseline takes, and what a variant adds to it; for ended threads, what they took"
	return &doc.Section{Title: "CPU time by thread", About: about, Blocks: []doc.Block{t}}
}

// unsplit says why the CPU time of a cell is not compared by group; "" if it is.
func unsplit(s *analysis.Scenario, c *analysis.Cell) string {
	a := metricOf(c, results.ThreadsAgent.Metric())
	return textIf(c.Role == results.RoleVariant && c.Invalid == "" && a.Mean != nil && a.Difference == nil,
		"?: "+a.NoDifference)
}
