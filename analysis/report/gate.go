package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/report/doc"
	"moobench/results"
)

// gateSection is about the gate: a row for each cell, then the verdict; nil without a gate.
func gateSection(a *analysis.Answers) *doc.Section {
	if a.Gate == nil {
		return nil
	}
	g := a.Gate.Gate
	several := slices.ContainsFunc(a.Gate.Cells, func(c analysis.GateCell) bool { return c.Limit != nil })
	unit := "cells"
	if several {
		unit = "rows"
	}
	about := g.Scenario + "/" + g.Metric + ", in the same blocks: at most " + allowed(a.Gate) + "; alpha " +
		formatG(g.Alpha, -1)
	about += textIf(len(a.Gate.Cells) > 1, " for the "+strconv.Itoa(len(a.Gate.Cells))+" "+unit+" together")
	subject, found := gateSubject(several), gateColumns()
	t := &doc.Table{Columns: append(subject.Heads(), found.Heads()...)}
	for _, c := range a.Gate.Cells {
		r := subject.Row(c)
		r.Tone = judgementTone(c.Verdict)
		if c.Ratio == nil || c.Ratio.Interval == nil {
			r.Span = c.Verdict.Word() + ": " + c.Why
		} else {
			r.Cells = append(r.Cells, found.Row(c).Cells...)
		}
		t.Rows = append(t.Rows, r)
	}
	sec := &doc.Section{ID: "gate", Title: "Gate", About: about, Badge: judgementBadge(a.Gate.Verdict), Last: 1}
	sec.Blocks = []doc.Block{
		t,
		doc.Paragraph{Text: a.Gate.Sentence.String(), Tone: judgementTone(a.Gate.Verdict)},
		doc.Paragraph{Text: gateLegend(several), Tone: doc.Soft, Depth: doc.Paged},
	}
	return sec
}

// gateSubject are the columns that say what the gate judges: a cell, or one of several metrics of it.
func gateSubject(several bool) doc.View[analysis.GateCell] {
	columns := doc.View[analysis.GateCell]{doc.TextColumn("cell", func(c analysis.GateCell) string { return c.Label })}
	if !several {
		return columns
	}
	limit := func(c analysis.GateCell) *results.GateLimit { return cmp.Or(c.Limit, &results.GateLimit{}) }
	return append(columns,
		doc.TextColumn("metric", func(c analysis.GateCell) string { return limit(c).Metric }),
		doc.NumberColumn("allowed", func(c analysis.GateCell) string {
			return figure.Level(limit(c).WorseBy) + textIf(limit(c).Alarm, " (alarm)")
		}))
}

// gateColumns are the columns that say what the gate found, for cells with an estimate.
func gateColumns() doc.View[analysis.GateCell] {
	over := func(head string, rank int, ratio func(analysis.GateCell) float64) doc.ColumnOf[analysis.GateCell] {
		return doc.NewColumn(doc.Column{Head: head, Number: true, Rank: rank}, func(c analysis.GateCell) doc.Cell {
			return doc.Cell{Text: figure.SignedPercent(ratio(c) - 1)}
		})
	}
	return doc.View[analysis.GateCell]{
		doc.NewColumn(doc.Column{Head: "n", Number: true, Rank: 3, Wide: true}, func(c analysis.GateCell) doc.Cell {
			return doc.Cell{Text: strconv.Itoa(c.Ratio.N)}
		}),
		over("worse by", 0, func(c analysis.GateCell) float64 { return c.Ratio.Value }),
		over("at least", 1, func(c analysis.GateCell) float64 { return c.Low }),
		over("at most", 1, func(c analysis.GateCell) float64 { return c.High }),
		doc.NewColumn(doc.Column{
			Head:   "could detect",
			Number: true,
			Rank:   2,
			Wide:   true,
			Help:   "the smallest true worsening of which the gate says so with 80 % power",
		}, func(c analysis.GateCell) doc.Cell {
			return doc.Cell{Text: doc.Optional(c.Detectable, figure.SignedPercent)}
		}),
		doc.NewColumn(doc.Column{Head: "verdict"}, func(c analysis.GateCell) doc.Cell {
			return doc.Cell{Text: c.Verdict.Word(), Kind: judgementBadge(c.Verdict).Kind, Marks: c.Marks}
		}),
		doc.NewColumn(doc.Column{Head: "caveats", Rank: 4, Depth: doc.Unpaged}, func(c analysis.GateCell) doc.Cell {
			marks := strings.Join(c.Marks, ", ")
			return doc.Cell{Text: marks, Note: prefixed("! ", marks)}
		}),
	}
}

// gateLegend explains the columns of the gate's table.
func gateLegend(several bool) string {
	legend := "By how much each cell is worse than its reference of the same blocks, " +
		"with one-sided bounds that hold together. Below 0 is better."
	if several {
		legend += " A metric that says alarm can fail a cell, and is not asked for more. " +
			"A count's share is one of all that was counted."
	}
	return legend
}

// allowed says how much worse a gate accepts: 3 % worse than none, 5 % in cpu_ns.
func allowed(g *analysis.GateAnswer) string {
	text := figure.Level(g.Gate.WorseBy) + " worse than " + g.Gate.Reference
	for _, l := range g.Gate.Also {
		text += ", " + figure.Level(l.WorseBy) + " in " + l.Metric
	}
	return text
}

// judgementBadge is the badge of a judgement.
func judgementBadge(v infer.Judgement) doc.Badge {
	kinds := map[infer.Judgement]string{
		infer.Regression: "badmark", infer.Improvement: "lower", infer.Passed: "equivalent", infer.Same: "equivalent",
		infer.Changed: "higher", infer.Differs: "higher", infer.NotJudged: "none",
	}
	return doc.Badge{Text: v.Word(), Kind: cmp.Or(kinds[v], "undecided")}
}

// judgementTone is the tone of a judgement on a terminal.
func judgementTone(v infer.Judgement) doc.Tone {
	return map[string]doc.Tone{
		"badmark": doc.Bad, "undecided": doc.Warning, "none": doc.Warning,
	}[judgementBadge(v).Kind]
}
