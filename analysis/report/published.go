package report

import (
	"fmt"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/results"
)

// figureNames are the rows in which papers print a distribution: what a
// published figure is called, how the row reads, and the metric of ours that is
// the scalar of this meaning. Those without a published name are ours alone.
var figureNames = []struct{ published, title, scalar string }{
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

// figureTable sets the distributions of one level's variants beside those that
// papers printed.
type figureTable struct {
	Level   string
	Columns []figureColumn
	Rows    []figureRow
}

// figureColumn is a variant: as measured here, or, with the number of its
// source, as published.
type figureColumn struct {
	Variant, Origin string
	Published       bool
	values          []string
}

type figureRow struct {
	Title  string
	Values []figureValue
}

type figureValue struct {
	Text      string
	Published bool
}

// newFigures makes a table for each level; there is none when nothing was
// published and no figure of a distribution was measured.
func newFigures(s *analysis.Scenario) []figureTable {
	if len(s.Published) == 0 && !distributed(s) {
		return nil
	}
	var all []figureTable
	for _, level := range levels(s) {
		t := figureTable{Level: level}
		seen := map[string]bool{}
		for i := range s.Cells {
			c := &s.Cells[i]
			if c.Level == level && c.Role != results.RoleAA {
				t.Columns = append(t.Columns, measured(s, c))
				t.publish(s, func(p results.Published) bool { return p.Variant == c.Variant })
				seen[c.Variant] = true
			}
		}
		t.publish(s, func(p results.Published) bool { return !seen[p.Variant] })
		t.transpose()
		if len(t.Rows) > 0 {
			all = append(all, t)
		}
	}
	return all
}

// distributed says whether a figure of a distribution was measured.
func distributed(s *analysis.Scenario) bool {
	for _, name := range figureNames {
		if name.scalar != "" && observed(s, name.scalar) {
			return true
		}
	}
	return false
}

// measured is the column of a cell of ours.
func measured(s *analysis.Scenario, c *analysis.Cell) figureColumn {
	column := figureColumn{Variant: c.Variant, Origin: "measured"}
	for _, name := range figureNames {
		text := ""
		if c.Void == "" {
			text = ourFigure(s, c, name.published, name.scalar)
		}
		column.values = append(column.values, text)
	}
	return column
}

// ourFigure is the figure of ours that has a published one's meaning, "" when
// there is none.
func ourFigure(s *analysis.Scenario, c *analysis.Cell, name, scalar string) string {
	if scalar != "" {
		for _, m := range s.Metrics {
			if a := metricOf(c, m.Name); m.Name == scalar && a != nil && a.Mean != nil {
				return figure.Quantity(a.Mean.Value, m.Unit)
			}
		}
	}
	a, unit := metricOf(c, s.Primary), primary(s).Unit
	if a == nil || a.Mean == nil {
		return ""
	}
	switch i := a.Mean.Interval; {
	case name == "mean":
		return figure.Quantity(a.Mean.Value, unit)
	case name == "ci95" && i != nil:
		return "± " + figure.Quantity((i.High-i.Low)/2, unit)
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

// publish adds the columns of the wanted published figures.
func (t *figureTable) publish(s *analysis.Scenario, wanted func(results.Published) bool) {
	for i, p := range s.Published {
		if !wanted(p) {
			continue
		}
		column := figureColumn{Variant: p.Variant, Origin: fmt.Sprintf("published [%d]", i+1), Published: true}
		for _, name := range figureNames {
			column.values = append(column.values, publishedFigure(p, name.published))
		}
		t.Columns = append(t.Columns, column)
	}
}

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

// transpose makes rows of the columns, those that say something.
func (t *figureTable) transpose() {
	for i, name := range figureNames {
		r, any := figureRow{Title: name.title}, false
		for _, c := range t.Columns {
			r.Values = append(r.Values, figureValue{c.values[i], c.Published})
			any = any || c.values[i] != ""
		}
		if any {
			t.Rows = append(t.Rows, r)
		}
	}
}

// sources say where the published figures come from, in the order of their
// numbers.
func sources(s *analysis.Scenario) []string {
	var all []string
	for i, p := range s.Published {
		text := fmt.Sprintf("[%d] %s, published: %s", i+1, p.Variant, p.Source)
		if p.Note != "" {
			text += " (" + p.Note + ")"
		}
		all = append(all, text)
	}
	return all
}

// figuresAbout says what stands in the columns.
func figuresAbout(s *analysis.Scenario) string {
	text := "measured here: each invocation's figure, averaged over invocations (the median of its medians), and as CI 95 % half of the interval of their mean"
	for _, name := range figureNames {
		for _, m := range s.Metrics {
			if name.scalar == m.Name && m.About != "" && observed(s, m.Name) {
				text += "; " + name.title + ": " + m.About
			}
		}
	}
	if len(s.Published) > 0 {
		text += ". Published: as printed, over the samples of a run"
	}
	return text + "."
}

// figures prints the distributions; those of many levels only where everything
// is asked for, or something was published.
func (p *printer) figures(s *analysis.Scenario, all bool) {
	tables := newFigures(s)
	if len(tables) == 0 || len(tables) > 1 && len(s.Published) == 0 && !all {
		return
	}
	p.print(plain, "")
	p.wrapped(bold, "distribution of "+s.Primary+"  ", "")
	for _, t := range tables {
		variants, origins := []string{""}, []string{""}
		for _, c := range t.Columns {
			variants, origins = append(variants, c.Variant), append(origins, c.Origin)
		}
		var rows []row
		if t.Level != "" {
			rows = append(rows, row{cells: []string{t.Level}, style: bold})
		}
		rows = append(rows, row{cells: variants, style: dim}, row{cells: origins, style: dim})
		for _, r := range t.Rows {
			cells := []string{r.Title}
			for _, v := range r.Values {
				cells = append(cells, v.Text)
			}
			rows = append(rows, row{cells: cells})
		}
		p.split(rows)
	}
	p.wrapped(dim, "  ", figuresAbout(s))
	for _, source := range sources(s) {
		p.wrapped(dim, "  ", source)
	}
}
