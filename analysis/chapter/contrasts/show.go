package contrasts

import (
	"cmp"
	"slices"
	"strings"

	"moobench/analysis/chapter"
	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
	"moobench/analysis/rows"
	"moobench/results"
)

// agreeMost is the largest number of agreeing pairs of routes that get a line each: more would hide those that
// disagree.
const agreeMost = 12

// Show splits the cost into its parts, names those that can't be isolated, and says whether two routes to one
// part agree.
func (all Parts) Show(at *chapter.Scene) []doc.Block {
	unit := at.Metric(at.Primary).Unit
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
		{Head: "caveats", Depth: doc.Written},
	}}
	all = all.shownIn(at)
	p := plot.Rows{Alt: "Parts of the cost with their intervals; the table below has the same numbers", Zero: true}
	level := func(c Contrast) string { return c.Level }
	t.Rows = doc.ByLevel(all.Contrasts, level, func(c Contrast) doc.Row {
		variant, cost := strings.Trim(c.Framework+"/"+c.Mode+"/"+c.Stage, "/"), doc.Difference(c.Estimate, unit)
		// The part I may consist of several questions: name them.
		asked := prose.NonEmpty(results.Each(results.Steps(), func(s results.Step) string {
			return prose.If(s.Part == "I" && slices.Contains(c.Steps, s.Name), "%s", s.Name)
		})...)
		name := c.Name + prose.If(len(asked) > 0, " (%s)", strings.Join(asked, ", "))
		cost.Text = cmp.Or(cost.Text, "–")
		p.Items = append(p.Items, plot.RowOf(name+"  "+variant+prose.If(c.Level != "", ", %s", c.Level), cost.String(), c.Estimate))
		return doc.Row{Under: prose.If(c.Estimate == nil, "%s", c.Absent), Cells: []doc.Cell{
			{Text: variant},
			{Text: name},
			{Text: c.About},
			cost,
			doc.Quantity(doc.Detectable(c.Estimate), unit),
			{Text: at.Label(c.A) + " − " + at.Label(c.B)},
			at.Marks(c.A, c.B),
		}}
	})
	meanings := results.Each(all.Contrasts, func(c Contrast) string {
		return prose.If(c.About != "", "%s: %s", c.Name, c.About)
	})
	t.Columns[2].Instead = strings.Join(prose.Unique(prose.NonEmpty(meanings...)), "; ") // the meaning of each part
	if len(t.Rows) > 0 && at.Paged {
		p.Axis = plot.InUnit(p.Axis, "part of the cost", unit, p.Values())
		sec.Add(doc.ChartedFigure(at.ID+"-split", p.Alt, p.SVG(), p.Chart(),
			"The difference of two cells over blocks, each with its own 95 % interval."))
	}
	sec.Add(t)
	disagree := results.Each(all.Closures, func(c Closure) string { return prose.If(c.Disagree, "%s", c.Text) })
	agree := prose.NonEmpty(results.Each(all.Closures, func(c Closure) string { return prose.If(!c.Disagree, "%s", c.Text) })...)
	if len(agree) > agreeMost {
		agree = []string{figure.Count(int64(len(agree))) + " other pairs of routes to a part can't be told apart"}
	}
	sec.Add(doc.Paragraphs(doc.Paragraph{}, slices.Concat(all.Unisolated, disagree, agree)...)...)
	return []doc.Block{sec}
}

// shownIn returns the parts whose cells are all shown.
func (all Parts) shownIn(at *chapter.Scene) Parts {
	all.Contrasts = slices.DeleteFunc(slices.Clone(all.Contrasts), func(c Contrast) bool { return at.Lacks(c.A, c.B) })
	all.Closures = slices.DeleteFunc(slices.Clone(all.Closures), func(c Closure) bool {
		return at.Lacks(c.First.A, c.First.B, c.Second.A, c.Second.B)
	})
	return all
}

// Rows is empty: the parts are in documents and in the JSON.
func (all Parts) Rows(*chapter.Scene) []rows.Row { return nil }
