package report

import (
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
	"moobench/results"
)

// parts splits the cost into its parts.
func (b *builder) parts() *doc.Section {
	s, unit := b.s, primary(b.s).Unit
	sec := &doc.Section{Title: "split into parts", About: "differences of two cells over blocks, each with its own 95 % interval"}
	t := &doc.Table{Columns: []doc.Column{
		{Head: "variant"},
		{Head: "part"},
		{Head: "what it is", Rank: 1, Instead: meanings(s.Contrasts)},
		{Head: "cost (95 % CI)", Number: true},
		{Head: "detectable", Number: true, Depth: doc.Paged},
		{Head: "a − b", Depth: doc.Paged},
		{Head: "marks", Depth: doc.Written},
	}}
	level := ""
	for _, c := range s.Contrasts {
		if c.Level != level {
			level = c.Level
			t.Rows = append(t.Rows, doc.Row{Group: level})
		}
		r := doc.Row{Cells: []doc.Cell{
			{Text: strings.Trim(c.Framework+"/"+c.Mode+"/"+c.Stage, "/")},
			{Text: partName(c)},
			{Text: c.About},
			difference(c.Estimate, unit),
			detectable(c.Estimate, unit),
			{Text: labelOf(s, c.A) + " − " + labelOf(s, c.B)},
			{},
		}}
		if first, second := cellOf(s, c.A), cellOf(s, c.B); first != nil && second != nil {
			r.Cells[6] = marksOf(first, second)
		}
		if c.Estimate == nil {
			r.Cells[3].Text, r.Under = "–", c.Absent
		}
		t.Rows = append(t.Rows, r)
	}
	if len(t.Rows) > 0 {
		if b.paged {
			sec.Blocks = append(sec.Blocks, b.partsFigure()...)
		}
		sec.Add(t)
	}
	for _, note := range partNotes(s) {
		sec.Add(doc.Paragraph{Text: note})
	}
	return sec
}

// agreeMost are the pairs of routes that each have a line although they agree: more
// would hide those that don't.
const agreeMost = 12

// partNotes are what is to be said of all parts of a scenario: which can't be told
// apart, and whether those that are known by two routes agree.
func partNotes(s *analysis.Scenario) []string {
	notes := slices.Clone(s.Unisolated)
	var agree []string
	for _, c := range s.Closures {
		if c.Disagree {
			notes = append(notes, c.Text)
		} else {
			agree = append(agree, c.Text)
		}
	}
	if len(agree) > agreeMost {
		agree = []string{figure.Count(int64(len(agree))) + " other pairs of routes to a part are not told apart"}
	}
	return append(notes, agree...)
}

// partName is the name of a part; where something is asked, with what is asked,
// because there are several questions.
func partName(c analysis.Contrast) string {
	var asked []string
	for _, s := range results.Steps() {
		if s.Part == "I" && slices.Contains(c.Steps, s.Name) {
			asked = append(asked, s.Name)
		}
	}
	if len(asked) == 0 {
		return c.Name
	}
	return c.Name + " (" + strings.Join(asked, ", ") + ")"
}

// meanings says once what each part is.
func meanings(cs []analysis.Contrast) []doc.Paragraph {
	var texts []string
	for _, c := range cs {
		if text := c.Name + ": " + c.About; c.About != "" && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		return nil
	}
	return []doc.Paragraph{{Text: strings.Join(texts, "; "), Tone: doc.Soft}}
}

// partsFigure draws the parts of the cost.
func (b *builder) partsFigure() []doc.Block {
	p := plot.Rows{Alt: "Parts of the cost with their intervals; the table below has the same numbers", Zero: true}
	unit, values := primary(b.s).Unit, []float64{0}
	for _, c := range b.s.Contrasts {
		label := partName(c) + "  " + strings.Trim(c.Framework+"/"+c.Mode+"/"+c.Stage, "/")
		if c.Level != "" {
			label += ", " + c.Level
		}
		row := plot.Row{Label: label, Text: "no answer"}
		if e := c.Estimate; e != nil {
			row.Text, row.Value = difference(e, unit).String(), &e.Value
			values = append(values, e.Value)
			if i := e.Interval; i != nil {
				row.Low, row.High = &i.Low, &i.High
				values = append(values, i.Low, i.High)
			}
		}
		p.Items = append(p.Items, row)
	}
	p.Axis = inUnit(p.Axis, "part of the cost", unit, values)
	return chartedFigure(b.id+"-split", p.Alt, p.SVG(), p.Chart(), "The difference of two cells over blocks, each with its own 95 % interval.")
}
