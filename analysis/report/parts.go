package report

import (
	"cmp"
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
	"moobench/results"
)

// agreeMost are the pairs of routes that each have a line although they agree: more
// would hide those that don't.
const agreeMost = 12

// parts splits the cost into its parts, and says which of them can't be told apart, and
// whether those that are known by two routes agree.
func (b *builder) parts() *doc.Section {
	s, unit := b.s, primary(b.s).Unit
	sec := &doc.Section{
		Title: "split into parts", Folded: true, Depth: doc.Full,
		About: "differences of two cells over blocks, each with its own 95 % interval",
	}
	t := &doc.Table{Columns: []doc.Column{
		{Head: "variant"},
		{Head: "part"},
		{Head: "what it is", Rank: 1},
		{Head: "cost (95 % CI)", Number: true},
		{Head: "detectable", Number: true, Depth: doc.Paged},
		{Head: "a − b", Depth: doc.Paged},
		{Head: "marks", Depth: doc.Written},
	}}
	p := plot.Rows{Alt: "Parts of the cost with their intervals; the table below has the same numbers", Zero: true}
	t.Rows = byLevel(s.Contrasts, func(c analysis.Contrast) string { return c.Level }, func(c analysis.Contrast) doc.Row {
		variant, cost := strings.Trim(c.Framework+"/"+c.Mode+"/"+c.Stage, "/"), difference(c.Estimate, unit)
		// Where something is asked, there are several questions.
		asked := nonEmpty(each(results.Steps(), func(s results.Step) string {
			return when(s.Part == "I" && slices.Contains(c.Steps, s.Name), s.Name)
		})...)
		name := c.Name + when(len(asked) > 0, " ("+strings.Join(asked, ", ")+")")
		var marks doc.Cell
		if first, second := s.Cell(c.A), s.Cell(c.B); first != nil && second != nil {
			marks = marksOf(first, second)
		}
		cost.Text = cmp.Or(cost.Text, "–")
		p.Items = append(p.Items, plotted(name+"  "+variant+prefixed(", ", c.Level), cost.String(), c.Estimate))
		return doc.Row{Under: when(c.Estimate == nil, c.Absent), Cells: []doc.Cell{
			{Text: variant}, {Text: name}, {Text: c.About}, cost, quantity(detectable(c.Estimate), unit), {Text: labelOf(s, c.A) + " − " + labelOf(s, c.B)}, marks,
		}}
	})
	meanings := each(s.Contrasts, func(c analysis.Contrast) string { return when(c.About != "", c.Name+": "+c.About) })
	t.Columns[2].Instead = strings.Join(unique(nonEmpty(meanings...)), "; ") // what each part is
	if len(t.Rows) > 0 && b.paged {
		p.Axis = inUnit(p.Axis, "part of the cost", unit, p.Values())
		sec.Add(chartedFigure(b.id+"-split", p.Alt, p.SVG(), p.Chart(), "The difference of two cells over blocks, each with its own 95 % interval."))
	}
	sec.Add(t)
	disagree := each(s.Closures, func(c analysis.Closure) string { return when(c.Disagree, c.Text) })
	agree := nonEmpty(each(s.Closures, func(c analysis.Closure) string { return when(!c.Disagree, c.Text) })...)
	if len(agree) > agreeMost {
		agree = []string{figure.Count(int64(len(agree))) + " other pairs of routes to a part are not told apart"}
	}
	sec.Add(doc.Paragraphs(doc.Paragraph{}, slices.Concat(s.Unisolated, disagree, agree)...)...)
	return sec
}
