package report

import (
	"fmt"
	"slices"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
	"moobench/analysis/stats"
	"moobench/results"
)

// figureName is a row in which papers print a distribution: the name of the published figure, the title of the
// row, and our scalar metric with the same meaning.
type figureName struct{ published, title, scalar string }

// figureNames are all of them. Those without a published name are only ours.
var figureNames = []figureName{
	{"mean", "Mean", ""},
	{"ci95", "CI 95 %", ""},
	{"median", "Median", ""},
	{"max", "Max", "most"},
	{"min", "Min", "least"},
	{"sd", "Standard deviation", "sd"},
	{"n", "Sample size", ""},
	{"", "Sample 1", "sample_1"},
	{"", "Mean with sample 1", "mean_all"},
	{"", "Standard deviation with sample 1", "sd_all"},
}

// published compares the distributions of variants with those that papers printed: a table for each level.
// Several levels are for readers who want everything, unless something was published.
func (b *builder) published() *doc.Section {
	s := b.s
	measured := slices.ContainsFunc(figureNames, func(n figureName) bool { return observed(s, n.scalar) })
	if len(s.Published) == 0 && !measured {
		return nil
	}
	sec := &doc.Section{Title: "distribution of " + s.Primary}
	for _, cells := range stats.Grouped(s.Cells, func(c analysis.Cell) string { return c.Level }) {
		sec.Add(b.figuresOf(cells))
	}
	if len(sec.Blocks) == 0 {
		return nil
	}
	if len(sec.Blocks) > 1 && len(s.Published) == 0 {
		sec.Depth = doc.Full
	}
	about := "measured here: each invocation's figure, averaged over invocations (the median of its medians), " +
		"and as CI 95 % half of the interval of their mean"
	for _, name := range figureNames {
		if m := metricNamed(s, name.scalar); m.About != "" && observed(s, m.Name) {
			about += "; " + name.title + ": " + m.About
		}
	}
	about += textIf(len(s.Published) > 0, ". Published: as printed, over the samples of a run")
	sec.Add(doc.Paragraph{Text: about + ".", Tone: doc.Soft})
	for i, p := range s.Published {
		sec.Add(doc.Paragraph{
			Text: fmt.Sprintf("[%d] %s, published: %s", i+1, p.Variant, p.Source) + bracketed(p.Note),
			Tone: doc.Soft,
		})
	}
	return sec
}

// figuresOf is the table of the cells of one level: a column for each variant, beside its published figures;
// without rows if nothing is known.
func (b *builder) figuresOf(cells []analysis.Cell) *doc.Table {
	s := b.s
	t := &doc.Table{Split: true, Columns: []doc.Column{{Head: "figure"}}}
	origins, rows := doc.Row{Cells: doc.Texts(""), Tone: doc.Soft}, make([]doc.Row, len(figureNames))
	for i, name := range figureNames {
		rows[i].Cells = doc.Texts(name.title)
	}
	add := func(head doc.Column, origin string, value func(figureName) string) {
		t.Columns, origins.Cells = append(t.Columns, head), append(origins.Cells, doc.Cell{Text: origin})
		for i, name := range figureNames {
			rows[i].Cells = append(rows[i].Cells, doc.Cell{Text: value(name)})
		}
	}
	publish := func(wanted func(results.Published) bool) {
		for i, p := range s.Published {
			if wanted(p) {
				head := doc.Column{Head: p.Variant, Number: true, Foreign: true}
				add(head, fmt.Sprintf("published [%d]", i+1), func(name figureName) string {
					return publishedFigure(p, name.published)
				})
			}
		}
	}
	seen := map[string]bool{}
	for _, c := range cells {
		if c.Role == results.RoleAA {
			continue
		}
		add(doc.Column{Head: c.Variant, Number: true}, "measured", func(name figureName) string {
			return b.ourFigure(&c, name.published, name.scalar)
		})
		publish(func(p results.Published) bool { return p.Variant == c.Variant })
		seen[c.Variant] = true
	}
	publish(func(p results.Published) bool { return !seen[p.Variant] })
	rows = slices.DeleteFunc(rows, func(r doc.Row) bool {
		return !slices.ContainsFunc(r.Cells[1:], func(c doc.Cell) bool { return c.Text != "" })
	})
	if len(rows) == 0 {
		return t
	}
	if level := cells[0].Level; level != "" {
		t.Rows = []doc.Row{{Group: level}}
	}
	t.Rows = append(append(t.Rows, origins), rows...)
	return t
}

// ourFigure is our figure with a published one's meaning; "" without one.
func (b *builder) ourFigure(c *analysis.Cell, name, scalar string) string {
	if c.Invalid != "" {
		return ""
	}
	if e := metricOf(c, scalar).Mean; e != nil {
		return figure.Quantity(e.Value, metricNamed(b.s, scalar).Unit)
	}
	a, unit := metricOf(c, b.s.Primary), primary(b.s).Unit
	if a.Mean == nil {
		return ""
	}
	switch i := a.Mean.Interval; {
	case name == "mean":
		return figure.Quantity(a.Mean.Value, unit)
	case name == "ci95" && i != nil:
		return "± " + figure.Quantity(i.Half(), unit)
	case name == "n":
		return figure.Plural(a.Mean.N, "invocation", "invocations")
	case name == "sd" && c.Pooled != nil:
		return figure.Quantity(c.Pooled.SD, unit)
	}
	for _, q := range a.Quantiles {
		if q.Name == name || q.Name == "p50" && name == "median" {
			return figure.Quantity(q.Estimate.Value, unit)
		}
	}
	return ""
}

// publishedFigure is a figure as published; "" if it was not.
func publishedFigure(p results.Published, name string) string {
	for _, v := range p.Values {
		switch {
		case v.Name != name || name == "":
		case name == "ci95":
			return "± " + figure.Quantity(v.Value, v.Unit)
		case name == "n":
			return wholeNumber(v.Value) + " samples"
		default:
			return figure.Quantity(v.Value, v.Unit)
		}
	}
	return ""
}
