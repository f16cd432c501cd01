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
	"moobench/analysis/report/doc"
	"moobench/results"
)

// count is the number of invocations behind an estimate, "" without one.
func count(e *analysis.Estimate) string {
	if e == nil {
		return ""
	}
	return strconv.Itoa(e.N)
}

// meanOf writes a mean with half of its interval: 2.072 µs ± 1.7 %.
func meanOf(e *analysis.Estimate, unit string) doc.Cell {
	if e == nil {
		return doc.Cell{Text: "–"}
	}
	c := doc.Cell{Text: figure.Quantity(e.Value, unit), Sort: &e.Value}
	if i := e.Interval; i != nil && e.Value != 0 {
		c.Half = "± " + figure.Percent(i.Half()/math.Abs(e.Value))
	}
	return c
}

// estimated writes an estimate in a unit, its value by a function of the scale; an
// empty cell when there is none.
func estimated(e *analysis.Estimate, unit string, value func(figure.Scale, float64) string) doc.Cell {
	if e == nil {
		return doc.Cell{}
	}
	s, c := figure.Fit(unit, e.Value), doc.Cell{Sort: &e.Value}
	if i := e.Interval; i != nil {
		s = figure.Fit(unit, e.Value, i.Low, i.High)
		c.Interval = s.Number(i.Low) + " … " + s.Number(i.High)
	}
	c.Text = s.WithUnit(value(s, e.Value))
	return c
}

// difference has a sign: +2.016 µs (1.981 … 2.052).
func difference(e *analysis.Estimate, unit string) doc.Cell {
	return estimated(e, unit, figure.Scale.Signed)
}

// quantity is 2.072 µs (2.036 … 2.108).
func quantity(e *analysis.Estimate, unit string) doc.Cell {
	return estimated(e, unit, figure.Scale.Number)
}

// ratio is × 36.94 (36.20 … 37.70).
func ratio(e *analysis.Estimate) doc.Cell {
	c := quantity(e, "")
	c.Text = prefixed("× ", c.Text)
	return c
}

// optional writes a number that may be missing, "" when it is.
func optional(v *float64, write func(float64) string) string {
	if v == nil {
		return ""
	}
	return write(*v)
}

// moment writes a time that may be unknown, "" when it is.
func moment(t *time.Time, layout string) string {
	if t == nil || t.IsZero() {
		return ""
	}
	return t.UTC().Format(layout)
}

// detectable is the smallest true difference that would be found.
func detectable(e *analysis.Estimate, unit string) doc.Cell {
	if e == nil || e.Detectable == nil {
		return doc.Cell{}
	}
	return doc.Cell{Text: figure.Quantity(*e.Detectable, unit), Sort: e.Detectable}
}

// probability is that of a column whose head says that it is one.
func probability(p *float64) doc.Cell {
	return doc.Cell{Text: strings.TrimPrefix(strings.TrimPrefix(optional(p, figure.P), "p = "), "p ")}
}

// wholeNumber writes a number of things to three significant digits, or as it is
// where it has no more.
func wholeNumber(v float64) string {
	if math.Abs(v) >= 1e15 {
		return figure.Ratio(v)
	}
	if p := math.Pow(10, math.Floor(math.Log10(max(1, math.Abs(v))))-2); p > 1 {
		v = math.Round(v/p) * p
	}
	return figure.Count(int64(math.Round(v)))
}

// levelText is a level of a factor, exactly: 10,000.
func levelText(x float64) string {
	if n := int64(x); float64(n) == x && n < 1e15 && n > -1e15 {
		return figure.Count(n)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// marksOf are all marks of a cell, as they stand at its numbers.
func marksOf(cells ...*analysis.Cell) doc.Cell {
	all := each(cells, func(c *analysis.Cell) []string { return behind(when(len(cells) > 1, c.Label+": "), shows(c.Marks)) })
	return doc.Cell{Text: strings.Join(slices.Concat(all...), ", ")}
}

// namesMost is how many of a list of names or of problems are printed.
const namesMost = 24

// named joins the first names, and counts the rest.
func named(names []string, between string) string {
	if more := len(names) - namesMost; more > 0 {
		return strings.Join(names[:namesMost], between) + between + "and " + figure.Count(int64(more)) + " more"
	}
	return strings.Join(names, between)
}

// each is what f makes of every one of them.
func each[T, U any](all []T, f func(T) U) []U {
	var made []U
	for _, x := range all {
		made = append(made, f(x))
	}
	return made
}

// findOrAdd returns the first one that fits; where none does, it appends fresh.
func findOrAdd[T any](all *[]T, fresh T, fits func(T) bool) *T {
	i := slices.IndexFunc(*all, fits)
	if i < 0 {
		i = len(*all)
		*all = append(*all, fresh)
	}
	return &(*all)[i]
}

// withNew appends a text that is not there yet.
func withNew(texts []string, text string) []string {
	if slices.Contains(texts, text) {
		return texts
	}
	return append(texts, text)
}

// unique are the texts, each once.
func unique(texts []string) []string {
	var all []string
	for _, text := range texts {
		all = withNew(all, text)
	}
	return all
}

// nonEmpty are the texts that say something.
func nonEmpty(texts ...string) []string {
	return slices.DeleteFunc(texts, func(s string) bool { return s == "" })
}

// paragraphs are those that say something.
func paragraphs(all ...doc.Paragraph) []doc.Paragraph {
	return slices.DeleteFunc(all, func(p doc.Paragraph) bool { return p.Text == "" })
}

// warning is a text of what distorts numbers.
func warning(text string) doc.Paragraph {
	return doc.Paragraph{Mark: "!", Text: text, Tone: doc.Warning}
}

// when is a text where a condition holds, "" elsewhere.
func when(ok bool, text string) string {
	if ok {
		return text
	}
	return ""
}

// prefixed is a text behind a word, "" when there is none.
func prefixed(word, text string) string { return when(text != "", word+text) }

// join is two texts with a space between them where there are two.
func join(a, b string) string { return strings.TrimSpace(a + " " + b) }

// primary is the metric that a scenario's verdicts are about.
func primary(s *analysis.Scenario) results.Metric { return metricNamed(s, s.Primary) }

func metricNamed(s *analysis.Scenario, name string) results.Metric {
	if m := s.MetricNamed(name); m != nil && name != "" {
		return *m
	}
	return results.Metric{Name: name}
}

// observed says whether any cell has a value of the metric.
func observed(s *analysis.Scenario, metric string) bool {
	return slices.ContainsFunc(s.Cells, func(c analysis.Cell) bool { return metricOf(&c, metric).Mean != nil })
}

// metricOf is what is known of a metric of a cell, empty when nothing is.
func metricOf(c *analysis.Cell, name string) *analysis.MetricAnswer {
	return cmp.Or(c.MetricNamed(name), &analysis.MetricAnswer{})
}

// counted are the cells whose numbers count, but for the second baselines.
func counted(s *analysis.Scenario) []*analysis.Cell {
	return cellsOf(s, func(c *analysis.Cell) bool { return c.Invalid == "" && c.Role != results.RoleAA })
}

// cellsOf are the cells that fit.
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

// versus is the head of differences: the baseline's name where there is one.
func versus(s *analysis.Scenario) string {
	baselines := cellsOf(s, func(c *analysis.Cell) bool { return c.Role == results.RoleBaseline && c.Variant != "" })
	names := unique(each(baselines, func(c *analysis.Cell) string { return c.Variant }))
	if len(names) > 1 {
		names = []string{"baseline"}
	}
	return when(len(names) > 0, "vs "+strings.Join(names, "")+" (95 % CI)")
}

// levels are the factor levels of a scenario, in the order of their first cells.
func levels(s *analysis.Scenario) []string {
	return unique(each(s.Cells, func(c analysis.Cell) string { return c.Level }))
}

// byLevel are rows of a table, a row a cell, under the names of their levels; last,
// unless it is nil, has the rows that end a level. A/A cells have none.
func byLevel(s *analysis.Scenario, row func(*analysis.Cell) doc.Row, last func(level string) []doc.Row) []doc.Row {
	var rows []doc.Row
	for _, level := range levels(s) {
		cells := cellsOf(s, func(c *analysis.Cell) bool { return c.Level == level && c.Role != results.RoleAA })
		if level != "" && len(cells) > 0 {
			rows = append(rows, doc.Row{Group: level})
		}
		rows = append(rows, each(cells, row)...)
		if last != nil {
			rows = append(rows, last(level)...)
		}
	}
	return rows
}

// together says how the comparisons with baselines hold, those of the largest level;
// alone is what is said of a single one.
func together(s *analysis.Scenario, alone string) string {
	most, n := 0, map[string]int{}
	for _, c := range s.Cells {
		if c.Role == results.RoleVariant {
			n[c.Level]++
			most = max(most, n[c.Level])
		}
	}
	if most > 1 {
		return fmt.Sprintf("simultaneous 95 %% intervals (all %d)", most)
	}
	return when(most == 1, alone)
}

// footnotes numbers the caveats of a table; cells with the same share one.
type footnotes struct{ notes []footnote }

// footnote is one text, and the cells that it is about: their labels, and these with
// what stands at their numbers.
type footnote struct {
	mark         analysis.Mark
	cells, shown []string
	unlike       bool // not the same stands at all of them
}

// number is the number of a cell's caveat.
func (f *footnotes) number(m analysis.Mark, cell string) int {
	for i := range f.notes {
		if n := &f.notes[i]; n.mark.Kind == m.Kind && n.mark.Text == m.Text {
			if !slices.Contains(n.cells, cell) { // the cell may stand in several tables
				n.cells, n.shown, n.unlike = append(n.cells, cell), append(n.shown, cell+": "+m.Show), n.unlike || m.Show != n.mark.Show
			}
			return i + 1
		}
	}
	f.notes = append(f.notes, footnote{m, []string{cell}, []string{cell + ": " + m.Show}, false})
	return len(f.notes)
}

// references are !1,2; "" of none.
func references(numbers []int) string {
	slices.Sort(numbers)
	return prefixed("!", strings.Join(each(slices.Compact(numbers), strconv.Itoa), ","))
}

// paragraphs are the notes from a number on. Each names its cells with what stands
// at their numbers, once where that is the same of all.
func (f *footnotes) paragraphs(from int) []doc.Block {
	var all []doc.Block
	for i := from; i < len(f.notes); i++ {
		n := f.notes[i]
		about := named(n.cells, ", ") + ": " + n.mark.Show
		if n.unlike {
			about = named(n.shown, "; ")
		}
		all = append(all, doc.Paragraph{Mark: "!" + strconv.Itoa(i+1), Text: about + ": " + n.mark.Text, Tone: doc.Warning})
	}
	return all
}

// formatG writes a number with so many significant digits.
func formatG(v float64, digits int) string { return strconv.FormatFloat(v, 'g', digits, 64) }

// cellColumn is a column of a table of cells, and what stands in it.
type cellColumn struct {
	doc.Column
	cell func(*analysis.Cell) doc.Cell
}

// textColumns and numberColumns are columns that have nothing but their heads.
func textColumns(heads ...string) []doc.Column {
	return each(heads, func(head string) doc.Column { return doc.Column{Head: head} })
}

func numberColumns(heads ...string) []doc.Column {
	return each(heads, func(head string) doc.Column { return doc.Column{Head: head, Number: true} })
}

// valid is a column that says nothing of invalid cells.
func valid(head doc.Column, cell func(*analysis.Cell) doc.Cell) cellColumn {
	return cellColumn{head, func(c *analysis.Cell) doc.Cell {
		if c.Invalid != "" {
			return doc.Cell{}
		}
		return cell(c)
	}}
}

// cellColumns are the columns of a table.
type cellColumns []cellColumn

func (all cellColumns) heads() []doc.Column {
	return each(all, func(c cellColumn) doc.Column { return c.Column })
}

// row is a cell in the table; one that is invalid stands out.
func (all cellColumns) row(c *analysis.Cell) doc.Row {
	r := doc.Row{Cells: each(all, func(column cellColumn) doc.Cell { return column.cell(c) })}
	if c.Invalid != "" {
		r.Tone = doc.Bad
	}
	return r
}

// variantColumn begins the rows of cells that stand under their levels.
var variantColumn = cellColumn{doc.Column{Head: "variant"}, func(c *analysis.Cell) doc.Cell { return doc.Cell{Text: c.Variant} }}

// notInstrumented is the row of an invalid cell.
func notInstrumented(c *analysis.Cell) doc.Row {
	return doc.Row{Cells: doc.Texts(c.Variant), Span: inPlace(c), Tone: doc.Bad}
}

// inPlace is what stands in place of a number of an invalid cell.
func inPlace(c *analysis.Cell) string {
	if r := c.Records; r != nil && r.Verdict == proof.NotInstrumented {
		return string(r.Verdict)
	}
	return "not comparable"
}

// metricColumns are the columns of one metric: cell, n, mean, difference and ratio.
func metricColumns(s *analysis.Scenario, m results.Metric) cellColumns {
	per := cmp.Or(map[results.Sample]string{results.SampleRequest: "per request", results.SampleCall: "per call"}[m.Sample()], "mean")
	return cellColumns{
		variantColumn,
		valid(doc.Column{Head: "n", Number: true, Rank: 1}, func(c *analysis.Cell) doc.Cell { return doc.Cell{Text: count(metricOf(c, m.Name).Mean)} }),
		{doc.Column{Head: per, Number: true}, func(c *analysis.Cell) doc.Cell {
			if c.Invalid != "" {
				return doc.Cell{Text: inPlace(c)}
			}
			return meanOf(metricOf(c, m.Name).Mean, m.Unit)
		}},
		{doc.Column{Head: versus(s), Number: true}, func(c *analysis.Cell) doc.Cell {
			a := metricOf(c, m.Name)
			if c.Invalid != "" || a.Difference == nil && a.NoDifference != "" {
				return doc.Cell{Text: "–"}
			}
			return difference(a.Difference, m.Unit)
		}},
		valid(doc.Column{Head: "ratio", Number: true, Rank: 3}, func(c *analysis.Cell) doc.Cell { return ratio(metricOf(c, m.Name).Ratio) }),
	}
}
