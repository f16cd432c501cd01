package report

import (
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
)

// gate is what is shown of a gate.
type gate struct {
	Title    string
	Asked    string // what it asks, and how sure it has to be
	Rows     []gateRow
	Finds    bool // some row says what could have been found
	Verdict  infer.Judgement
	Class    string // of the verdict's badge
	Sentence string
}

// gateRow is one judged cell.
type gateRow struct {
	Label, N, Worse, Low, High, Finds string
	Verdict                           infer.Judgement
	Class                             string
	Sentence                          string
	Marks                             []string
}

// newGate is nil when there is no gate.
func newGate(a *analysis.Answers) *gate {
	if a.Gate == nil {
		return nil
	}
	g := a.Gate.Gate
	shown := &gate{
		Title: "Gate", Verdict: a.Gate.Verdict, Class: gateClass(a.Gate.Verdict), Sentence: afterVerdict(a.Gate.Verdict, a.Gate.Sentence),
		Asked: g.Scenario + "/" + g.Metric + ", in the same blocks: at most " + figure.Level(g.WorseBy) + " worse than " + g.Reference + "; alpha " + strconv.FormatFloat(g.Alpha, 'g', -1, 64),
	}
	if n := len(a.Gate.Cells); n > 1 {
		shown.Asked += " for the " + strconv.Itoa(n) + " cells together"
	}
	for _, c := range a.Gate.Cells {
		row := newGateRow(c)
		shown.Finds = shown.Finds || row.Finds != ""
		shown.Rows = append(shown.Rows, row)
	}
	return shown
}

func newGateRow(c analysis.GateCell) gateRow {
	r := gateRow{Label: c.Label, Verdict: c.Verdict, Class: gateClass(c.Verdict), Marks: c.Marks}
	r.Sentence = strings.TrimPrefix(afterVerdict(c.Verdict, c.Sentence), c.Label+": ")
	if c.Ratio != nil {
		r.N, r.Worse = strconv.Itoa(c.Ratio.N), figure.SignedPercent(c.Ratio.Value-1)
	}
	if c.Ratio != nil && c.Ratio.Interval != nil {
		r.Low, r.High = figure.SignedPercent(c.Low-1), figure.SignedPercent(c.High-1)
	}
	if c.Detectable != nil {
		r.Finds = figure.SignedPercent(*c.Detectable)
	}
	return r
}

// afterVerdict is a sentence without the verdict that it begins with.
func afterVerdict(v infer.Judgement, sentence string) string {
	return strings.TrimPrefix(strings.TrimPrefix(sentence, string(v)+": "), string(v)+" ")
}

// gateClass is the class of a verdict's badge.
func gateClass(v infer.Judgement) string {
	switch v {
	case infer.Regression:
		return "badmark"
	case infer.Passed:
		return "free"
	}
	return "undecided"
}

func gateStyle(v infer.Judgement) style {
	switch v {
	case infer.Regression:
		return bad
	case infer.Passed:
		return plain
	}
	return warn
}

// gate prints what the gate says: a line a cell, then the verdict.
func (p *printer) gate(a *analysis.Answers) {
	g := newGate(a)
	if g == nil {
		return
	}
	p.print(plain, "")
	p.wrapped(bold, g.Title+"  ", g.Asked)
	p.gateRows(g)
	p.wrapped(gateStyle(g.Verdict), "  ", a.Gate.Sentence)
}

// gateRows are a line a cell, under a head where one of them has bounds.
func (p *printer) gateRows(g *gate) {
	rows, bounds := []row{{cells: []string{"", "n", "worse by", "at least", "at most", "would find", "verdict", ""}, style: dim}}, false
	for _, r := range g.Rows {
		marks := strings.Join(r.Marks, ", ")
		line := row{cells: []string{r.Label, r.N, r.Worse, r.Low, r.High, r.Finds, string(r.Verdict), marks}, style: gateStyle(r.Verdict)}
		if marks != "" {
			line.note = "! " + marks
		}
		if bounds = bounds || r.Low != ""; r.Low == "" {
			line.cells, line.span, line.note = line.cells[:1], string(r.Verdict)+": "+r.Sentence, ""
		}
		rows = append(rows, line)
	}
	if !bounds {
		p.table(rows[1:])
		return
	}
	rows, kept := p.fit(rows, []int{0, 3, 0, 1, 1, 2, 0, 4})
	for i := range rows {
		if kept[len(kept)-1] {
			rows[i].note = ""
		}
	}
	p.table(rows)
}
