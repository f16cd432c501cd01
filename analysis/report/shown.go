package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/proof"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/analysis/stats"
	"moobench/results"
)

// moment formats a time that may be unknown; "" if it is.
func moment(t *time.Time, layout string) string {
	if t == nil || t.IsZero() {
		return ""
	}
	return t.UTC().Format(layout)
}

// wholeNumber formats a count to three significant digits, or exactly if it has no more.
func wholeNumber(v float64) string {
	if math.Abs(v) >= 1e15 {
		return figure.Ratio(v)
	}
	if p := math.Pow(10, math.Floor(math.Log10(max(1, math.Abs(v))))-2); p > 1 {
		v = math.Round(v/p) * p
	}
	return figure.Count(int64(math.Round(v)))
}

// marksOf are all caveats of a cell, as printed at its numbers.
func marksOf(cells ...*analysis.Cell) doc.Cell {
	all := each(cells, func(c *analysis.Cell) []string {
		return behind(textIf(len(cells) > 1, c.Label+": "), shows(c.Marks))
	})
	return doc.Cell{Text: strings.Join(slices.Concat(all...), ", ")}
}

// namesMost is the largest number of names, or of problems, in a printed list.
const namesMost = 24

// named joins the first names, and counts the rest.
func named(names []string, between string) string {
	return prose.First(names, namesMost, between, between+"and %s more")
}

// each is results.Each, by a short name: reports are made of lists.
func each[T, U any](all []T, f func(T) U) []U { return results.Each(all, f) }

// paragraphs drops paragraphs without a text.
func paragraphs(all ...doc.Paragraph) []doc.Paragraph {
	return slices.DeleteFunc(all, func(p doc.Paragraph) bool { return p.Text == "" })
}

// warning is a paragraph about something that distorts numbers.
func warning(text string) doc.Paragraph {
	return doc.Paragraph{Mark: "!", Text: text, Tone: doc.Warning}
}

// textIf returns the text if ok, else "".
func textIf(ok bool, text string) string {
	if ok {
		return text
	}
	return ""
}

// prefixed puts a word before a text; "" without a text.
func prefixed(word, text string) string { return textIf(text != "", word+text) }

// bracketed puts a text in parentheses, to follow another one; "" without a text.
func bracketed(text string) string { return textIf(text != "", " ("+text+")") }

// join joins two texts, with a space if there are two.
func join(a, b string) string { return strings.TrimSpace(a + " " + b) }

// primary is the metric that a scenario's verdicts are about.
func primary(s *analysis.Scenario) results.Metric { return metricNamed(s, s.Primary) }

// sampled names one sample of a metric: call or request; "" for others.
func sampled(m results.Metric) string {
	return map[results.Sample]string{results.SampleRequest: "request", results.SampleCall: "call"}[m.Sample()]
}

func metricNamed(s *analysis.Scenario, name string) results.Metric {
	if m := s.MetricNamed(name); m != nil && name != "" {
		return *m
	}
	return results.Metric{Name: name}
}

// observed reports whether any cell has a value of the metric.
func observed(s *analysis.Scenario, metric string) bool {
	return slices.ContainsFunc(s.Cells, func(c analysis.Cell) bool { return metricOf(&c, metric).Mean != nil })
}

// metricOf is the answer for a metric of a cell; empty without one.
func metricOf(c *analysis.Cell, name string) *analysis.MetricAnswer {
	return cmp.Or(c.MetricNamed(name), &analysis.MetricAnswer{})
}

// counted are the cells with valid numbers, without the second baselines.
func counted(s *analysis.Scenario) []*analysis.Cell {
	return cellsOf(s, func(c *analysis.Cell) bool { return c.Invalid == "" && c.Role != results.RoleAA })
}

// cellsOf selects cells.
func cellsOf(s *analysis.Scenario, fits func(*analysis.Cell) bool) []*analysis.Cell {
	var all []*analysis.Cell
	for i := range s.Cells {
		if fits(&s.Cells[i]) {
			all = append(all, &s.Cells[i])
		}
	}
	return all
}

// labelOf is the label of the cell with this ID.
func labelOf(s *analysis.Scenario, id string) string {
	if c := s.Cell(id); c != nil {
		return c.Label
	}
	return id
}

// describe says what was done, with the parameters that all cells share.
func describe(s *analysis.Scenario) string {
	text := cmp.Or(s.About, primary(s).About)
	for _, v := range s.Common {
		text += ", " + v.Name + " " + v.Readable()
	}
	return strings.TrimPrefix(text, ", ")
}

// versus is the head of differences, with the baseline's name if there is one.
func versus(s *analysis.Scenario) string {
	baselines := cellsOf(s, func(c *analysis.Cell) bool { return c.Role == results.RoleBaseline && c.Variant != "" })
	names := prose.Unique(each(baselines, func(c *analysis.Cell) string { return c.Variant }))
	if len(names) > 1 {
		names = []string{"baseline"}
	}
	return textIf(len(names) > 0, "vs "+strings.Join(names, "")+" (95 % CI)")
}

// cellRows are rows of a table, a row for each cell, grouped by level. A/A cells are left out.
func cellRows(s *analysis.Scenario, row func(*analysis.Cell) doc.Row) []doc.Row {
	cells := cellsOf(s, func(c *analysis.Cell) bool { return c.Role != results.RoleAA })
	return doc.ByLevel(cells, func(c *analysis.Cell) string { return c.Level }, row)
}

// together says how many comparisons with baselines are simultaneous, in the largest level; for a single one it
// returns alone.
func together(s *analysis.Scenario, alone string) string {
	most := 0
	variants := cellsOf(s, func(c *analysis.Cell) bool { return c.Role == results.RoleVariant })
	if !slices.ContainsFunc(variants, func(c *analysis.Cell) bool {
		a := metricOf(c, s.Primary)
		d := a.Difference
		return d != nil && d.Interval != nil || a.Rate != nil
	}) {
		return "" // nothing has an interval
	}
	for _, level := range stats.Grouped(variants, func(c *analysis.Cell) string { return c.Level }) {
		most = max(most, len(level))
	}
	if most > 1 {
		return fmt.Sprintf("simultaneous 95 %% intervals (all %d)", most)
	}
	return textIf(most == 1, alone)
}

// cellMark is a caveat of a cell.
type cellMark struct {
	analysis.Mark
	cell string // label
}

// footnotes are the caveats of a table's cells; those with the same text have one number.
type footnotes [][]cellMark

// number adds the caveats of a cell, and returns their numbers: !1,2, or "" without any.
func (f *footnotes) number(c *analysis.Cell) string {
	numbers := each(c.Marks, func(m analysis.Mark) int {
		i := slices.IndexFunc(*f, func(note []cellMark) bool {
			return note[0].Kind == m.Kind && note[0].Text == m.Text
		})
		if i < 0 {
			i, *f = len(*f), append(*f, nil)
		}
		(*f)[i] = append((*f)[i], cellMark{m, c.Label})
		return i + 1
	})
	slices.Sort(numbers)
	return prefixed("!", strings.Join(each(slices.Compact(numbers), strconv.Itoa), ","))
}

// paragraphs are the notes. Each names its cells with the caveats at their numbers, or one caveat if all are
// the same.
func (f footnotes) paragraphs() []doc.Block {
	var all []doc.Block
	for i, note := range f {
		first := note[0]
		about := named(each(note, func(m cellMark) string { return m.cell }), ", ") + ": " + first.Show
		if slices.ContainsFunc(note, func(m cellMark) bool { return m.Show != first.Show }) {
			about = named(each(note, func(m cellMark) string { return m.cell + ": " + m.Show }), "; ")
		}
		all = append(all, doc.Paragraph{
			Mark: "!" + strconv.Itoa(i+1),
			Text: about + ": " + first.Text,
			Tone: doc.Warning,
		})
	}
	return all
}

// formatG formats a number with so many significant digits.
func formatG(v float64, digits int) string { return strconv.FormatFloat(v, 'g', digits, 64) }

// valid is a column that is empty for invalid cells.
func valid(head doc.Column, cell func(*analysis.Cell) doc.Cell) doc.ColumnOf[*analysis.Cell] {
	return doc.NewColumn(head, func(c *analysis.Cell) doc.Cell {
		if c.Invalid != "" {
			return doc.Cell{}
		}
		return cell(c)
	})
}

// cellRow is a cell in a table; an invalid one stands out.
func cellRow(v doc.View[*analysis.Cell], c *analysis.Cell) doc.Row {
	r := v.Row(c)
	if c.Invalid != "" {
		r.Tone = doc.Bad
	}
	return r
}

// variantColumn begins the rows of cells that are grouped by level.
func variantColumn() doc.ColumnOf[*analysis.Cell] {
	return doc.TextColumn("variant", func(c *analysis.Cell) string { return c.Variant })
}

// marksColumn has the caveats of cells, where they can be written out.
func marksColumn() doc.ColumnOf[*analysis.Cell] {
	return doc.NewColumn(doc.Column{Head: "caveats", Depth: doc.Written}, func(c *analysis.Cell) doc.Cell {
		return marksOf(c)
	})
}

// inPlace replaces a number of an invalid cell.
func inPlace(c *analysis.Cell) string {
	if r := c.Records; r != nil && r.Verdict == proof.NotInstrumented {
		return string(r.Verdict)
	}
	return "not comparable"
}

// metricColumns are the columns of one metric: cell, n, mean, difference and ratio.
func metricColumns(s *analysis.Scenario, m results.Metric) doc.View[*analysis.Cell] {
	per := cmp.Or(prefixed("per ", sampled(m)), "mean")
	return doc.View[*analysis.Cell]{
		variantColumn(),
		valid(doc.Column{Head: "n", Number: true, Rank: 1}, func(c *analysis.Cell) doc.Cell {
			return doc.Cell{Text: doc.Count(metricOf(c, m.Name).Mean)}
		}),
		doc.NewColumn(doc.Column{Head: per, Number: true}, func(c *analysis.Cell) doc.Cell {
			if c.Invalid != "" {
				return doc.Cell{Text: inPlace(c)}
			}
			return doc.Mean(metricOf(c, m.Name).Mean, m.Unit)
		}),
		doc.NewColumn(doc.Column{Head: versus(s), Number: true}, func(c *analysis.Cell) doc.Cell {
			a := metricOf(c, m.Name)
			if c.Invalid != "" || a.Difference == nil && a.NoDifference != "" {
				return doc.Cell{Text: "–"}
			}
			return doc.Difference(a.Difference, m.Unit)
		}),
		valid(doc.Column{Head: "ratio", Number: true, Rank: 3}, func(c *analysis.Cell) doc.Cell {
			return doc.Ratio(metricOf(c, m.Name).Ratio)
		}),
	}
}
