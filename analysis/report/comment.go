package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/results"
)

// commentRows is the number of rows that keeps a comment within 15 lines: a title, the table, the gate's
// verdict, warnings, and where it was measured.
const commentRows = 5

// writeComment prints answers as the comment of a pull request.
func writeComment(w io.Writer, a *analysis.Answers, _ Options) error {
	return doc.Markdown(w, comment(a), doc.Brief)
}

// comment has the decisive table, with cells that fail the gate first, and one line each for the gate's
// verdict, the warnings, and where it was measured.
func comment(a *analysis.Answers) *doc.Document {
	facts := headline(a)
	d := &doc.Document{Title: facts[0]}
	head := "adds"
	for i := range a.Scenarios {
		if s := &a.Scenarios[i]; s.AtStandard() {
			head = addsHead(s)
			facts = append(facts, speedOf(s))
		}
	}
	columns := append(doc.TextColumns("variant"), doc.NumberColumns(head)...)
	var rows []doc.Row
	if g := a.Gate; g != nil {
		d.Title += ": " + g.Verdict.Word()
		facts = append(facts, "allowed: "+allowed(g))
		columns = append(columns, doc.NumberColumns("worse by", "at least", "at most")...)
		columns = append(columns, doc.Column{Head: "verdict"})
		rows = gateRows(a, g)
	} else {
		isVariant := func(c *analysis.Cell) bool { return c.Role == results.RoleVariant }
		for i := range a.Scenarios {
			for _, c := range cellsOf(&a.Scenarios[i], isVariant) {
				rows = append(rows, commentRow(&a.Scenarios[i], c, nil))
			}
		}
	}
	if n := len(rows); n > commentRows {
		rows = append(rows[:commentRows-1], doc.Row{
			Cells: doc.Texts("… and " + figure.Plural(n-commentRows+1, "more cell", "more cells")),
		})
	}
	d.Add(&doc.Table{Columns: append(columns, doc.Column{Head: "caveats"}), Rows: rows})
	if a.Gate != nil {
		d.Add(doc.Paragraph{Text: a.Gate.Sentence.String()})
	}
	care := append(failedSelfTests(a), prose.NonEmpty(shortened(a), a.Changed)...)
	if a.Gate == nil { // the gate's sentence covers these
		care = append(care, a.Unanswered...)
	}
	d.Add(doc.Paragraph{Mark: "!", Tone: doc.Warning, Text: firstFew(care)})
	d.Foot = strings.Join(prose.NonEmpty(append(facts[1:], each(a.Scenarios, atSpeed)...)...), " · ")
	return d
}

// atSpeed says at which speed of the CPU the costs of a scenario are; "" if they are as measured.
func atSpeed(s analysis.Scenario) string {
	speeds := prose.Unique(prose.NonEmpty(each(s.References, func(r analysis.Reference) string {
		return textIf(r.Unused == "", figure.Count(int64(math.Round(r.At))))
	})...))
	return prefixed("at one speed of the CPU, reference ", textIf(len(speeds) > 0, strings.Join(speeds, " and ")+" ns"))
}

// speedOf says how much slower the CPU was than at standard speed.
func speedOf(s *analysis.Scenario) string {
	for _, c := range cellsOf(s, func(c *analysis.Cell) bool { return metricOf(c, s.Primary).AtStandard != nil }) {
		return s.Label + ": the CPU was " + prose.Slower(metricOf(c, s.Primary).AtStandard.Slower()) +
			" than at standard speed"
	}
	return ""
}

// gateRows are the cells that a gate judges, the worst ones first.
func gateRows(a *analysis.Answers, g *analysis.GateAnswer) []doc.Row {
	s := cmp.Or(a.Scenario(g.Gate.Scenario), &analysis.Scenario{})
	order := []infer.Judgement{infer.Regression, infer.NotJudged, infer.UndecidedYet}
	urgency := func(v infer.Judgement) int { return slices.Index(append(order, v), v) }
	cells := slices.SortedStableFunc(slices.Values(g.Cells), func(x, y analysis.GateCell) int {
		return cmp.Or(cmp.Compare(urgency(x.Verdict), urgency(y.Verdict)), cmp.Compare(y.Low, x.Low))
	})
	over := func(ratio float64) string { return figure.SignedPercent(ratio - 1) }
	return each(cells, func(c analysis.GateCell) doc.Row {
		judged := []string{"", "", "", c.Verdict.Word() + prefixed(": ", c.Why)}
		if c.Ratio != nil && c.Ratio.Interval != nil {
			judged = []string{over(c.Ratio.Value), over(c.Low), over(c.High), c.Verdict.Word()}
		}
		row := commentRow(s, cmp.Or(s.Cell(c.Cell), &analysis.Cell{Label: c.Label}), judged)
		if c.Limit != nil && c.Limit.Metric != s.Primary {
			row.Cells[0].Text += ", " + c.Limit.Metric
			row.Cells[1] = doc.Cell{}
		}
		return row
	})
}

// commentRow has the cost of a cell, its judgement, and its caveats.
func commentRow(s *analysis.Scenario, c *analysis.Cell, judged []string) doc.Row {
	adds := doc.Cell{Text: prefixed("no result: ", c.Unanswered(s.Primary))}
	if adds.Text != "" && hasNumbers(s, c) {
		base, unit := metricOf(cmp.Or(s.Cell(c.Baseline), c), s.Primary).Mean, primary(s).Unit
		adds.Text += fmt.Sprintf(" (%s without, %s with)",
			brief(base, unit, figure.Scale.Number), brief(metricOf(c, s.Primary).Mean, unit, figure.Scale.Number))
	}
	if adds.Text == "" {
		adds = added(costTold(s, c), primary(s).Unit)
	}
	return doc.Row{
		Cells: slices.Concat(doc.Texts(c.Label), []doc.Cell{adds}, doc.Texts(judged...), []doc.Cell{marksOf(c)}),
	}
}
