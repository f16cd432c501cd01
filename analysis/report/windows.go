package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
	"moobench/analysis/stats"
	"moobench/results"
)

// steadyText summarises the course of a cell's invocations: "warmup, 12,000 calls", "inconsistent (5 flat, 3
// warmup)".
func steadyText(s *analysis.Steady) string {
	if s == nil {
		return ""
	}
	return s.Classes() + prefixed(", ", warmupCalls(s))
}

// warmupCalls formats the number of calls before the steady state; "" without any.
func warmupCalls(s *analysis.Steady) string {
	if w := s.WarmupCalls; w != nil && w.Value >= 0.5 && w.Value < math.MaxInt64 {
		return figure.Plural(int(math.Round(w.Value)), "call", "calls")
	}
	return ""
}

// manyCells is the number of cells from which they are not named one by one if all are alike.
const manyCells = 8

// steadyStates names the class of every cell, grouped by class, with the calls before the steady state. It
// replaces a column that finds no room.
func steadyStates(s *analysis.Scenario) string {
	cells := slices.DeleteFunc(counted(s), func(c *analysis.Cell) bool { return c.Steady == nil })
	classes := stats.Grouped(cells, func(c *analysis.Cell) string { return c.Steady.Classes() })
	texts := each(classes, func(all []*analysis.Cell) string {
		withCalls := each(all, func(c *analysis.Cell) string { return c.Label + bracketed(warmupCalls(c.Steady)) })
		labels := strings.Join(withCalls, ", ")
		if len(classes) == 1 && len(all) >= manyCells && !strings.Contains(labels, "(") {
			labels = "all cells"
		}
		return all[0].Steady.Classes() + ": " + labels
	})
	return prefixed("steady state: ", strings.Join(texts, "; "))
}

// warmups has separate estimates of warm-up and steady state, and shows how much depends on the window; nil if
// nothing is known.
func (b *builder) warmups() *doc.Section {
	s, m := b.s, primary(b.s)
	windows := map[results.Window]string{results.WindowSteady: "steady state", results.WindowHalf: "second half"}
	cells, other := cellsOf(s, func(c *analysis.Cell) bool { return c.Steady != nil && c.Invalid == "" }), ""
	for _, c := range cells {
		if c.Other != nil {
			other = cmp.Or(windows[c.Other.Window], "all samples")
		}
	}
	mean := func(head string, of func(*analysis.Cell) *analysis.Estimate) doc.ColumnOf[*analysis.Cell] {
		return doc.NewColumn(doc.Column{Head: head, Number: true}, func(c *analysis.Cell) doc.Cell {
			return doc.Mean(of(c), m.Unit)
		})
	}
	t := doc.View[*analysis.Cell]{
		doc.TextColumn("cell", func(c *analysis.Cell) string { return c.Label }),
		mean("before it", func(c *analysis.Cell) *analysis.Estimate { return c.Steady.WarmupMean }),
		mean("window", func(c *analysis.Cell) *analysis.Estimate { return metricOf(c, s.Primary).Mean }),
		mean(other, func(c *analysis.Cell) *analysis.Estimate { return cmp.Or(c.Other, &analysis.OtherWindow{}).Mean }),
		doc.NewColumn(doc.Column{Head: "class", Rank: 1, Instead: steadyStates(s)}, func(c *analysis.Cell) doc.Cell {
			return doc.Cell{Text: c.Steady.Text}
		}),
	}.Table(cells)
	return &doc.Section{Title: "warm-up and steady state", Folded: true, Depth: doc.Full, Blocks: []doc.Block{t}}
}

// quantiles are the quantiles of the primary metric's calls, and what monitoring adds to them.
func (b *builder) quantiles() *doc.Section {
	s := b.s
	columns := quantileColumns(s)
	t := &doc.Table{Joined: true, Columns: columns.Heads()}
	for _, c := range counted(s) {
		a := metricOf(c, s.Primary)
		for i := range a.Quantiles {
			t.Rows = append(t.Rows, columns.Row(cellQuantile{c.Label, &a.Quantiles[i]}))
		}
		if a.NoQuantiles != "" {
			t.Rows = append(t.Rows, doc.Row{Cells: doc.Texts(c.Label), Span: a.NoQuantiles, Tone: doc.Soft})
		}
	}
	about := "of the window of each invocation; medians over invocations and blocks with order-statistic 95 % intervals"
	return &doc.Section{
		Title:  "quantiles of " + s.Primary,
		About:  about,
		Folded: true,
		Depth:  doc.Full,
		Blocks: []doc.Block{t},
	}
}

// cellQuantile is a quantile of the cell with a label.
type cellQuantile struct {
	label string
	*analysis.Quantile
}

// quantileColumns are the columns of quantiles; also those at standard speed, if costs are.
func quantileColumns(s *analysis.Scenario) doc.View[cellQuantile] {
	unit := primary(s).Unit
	number := func(head string, rank int, cell func(cellQuantile) doc.Cell) doc.ColumnOf[cellQuantile] {
		return doc.NewColumn(doc.Column{Head: head, Number: true, Rank: rank}, cell)
	}
	atStandard := func(q cellQuantile) *analysis.AtStandard { return cmp.Or(q.AtStandard, &analysis.AtStandard{}) }
	columns := doc.View[cellQuantile]{
		doc.TextColumn("cell", func(q cellQuantile) string { return q.label }),
		doc.NewColumn(doc.Column{Head: "quantile", Short: " "}, func(q cellQuantile) doc.Cell {
			return doc.Cell{Text: q.Name}
		}),
		doc.NewColumn(doc.Column{Head: "n", Number: true, Depth: doc.Paged}, func(q cellQuantile) doc.Cell {
			return doc.Cell{Text: strconv.Itoa(q.Estimate.N)}
		}),
		number("median over invocations", 0, func(q cellQuantile) doc.Cell { return doc.Quantity(&q.Estimate, unit) }),
		number(versus(s), 0, func(q cellQuantile) doc.Cell { return doc.Difference(q.Difference, unit) }),
		number("ratio", 1, func(q cellQuantile) doc.Cell { return doc.Ratio(q.Ratio) }),
	}
	if s.AtStandard() {
		columns = append(columns,
			number("at standard speed", 2, func(q cellQuantile) doc.Cell {
				return doc.Quantity(atStandard(q).Estimate, unit)
			}),
			number(join(versus(s), "at standard speed"), 2, func(q cellQuantile) doc.Cell {
				return doc.Difference(atStandard(q).Difference, unit)
			}))
	}
	return append(columns, doc.NewColumn(doc.Column{Head: "remark", Depth: doc.Paged}, func(q cellQuantile) doc.Cell {
		return doc.Cell{Text: cmp.Or(q.NoDifference, q.Estimate.NoInterval)}
	}))
}

// pooled is others' arithmetic over calls, kept away from ours; nil if nobody asked for it.
func (b *builder) pooled() *doc.Section {
	s, unit := b.s, primary(b.s).Unit
	cells := cellsOf(s, func(c *analysis.Cell) bool { return c.Pooled != nil && c.Invalid == "" })
	if len(cells) == 0 {
		return nil
	}
	tooNarrow := func(p *analysis.Pooled) bool { return p.TooNarrow != nil && *p.TooNarrow > 1 }
	column := func(head string, rank int, text func(*analysis.Pooled) string) doc.ColumnOf[*analysis.Cell] {
		return doc.NewColumn(doc.Column{Head: head, Number: true, Rank: rank}, func(c *analysis.Cell) doc.Cell {
			return doc.Cell{Text: text(c.Pooled)}
		})
	}
	t := doc.View[*analysis.Cell]{
		doc.TextColumn("cell", func(c *analysis.Cell) string { return c.Label }),
		column("n", 1, func(p *analysis.Pooled) string { return figure.Count(p.N) }),
		column("mean", 0, func(p *analysis.Pooled) string { return figure.Quantity(p.Mean, unit) }),
		column("± 1.96 sd/√n", 0, func(p *analysis.Pooled) string { return "± " + figure.Quantity(p.Half, unit) }),
		column("sd", 3, func(p *analysis.Pooled) string { return figure.Quantity(p.SD, unit) }),
		column("t against baseline", 2, func(p *analysis.Pooled) string {
			if p.Test == nil {
				return ""
			}
			return strings.Replace(formatG(p.Test.T, 6), "-", "−", 1) + ", " + figure.P(p.Test.P)
		}),
		column("too narrow", 1, func(p *analysis.Pooled) string {
			return textIf(tooNarrow(p), "× "+doc.Optional(p.TooNarrow, figure.Ratio))
		}),
	}.Table(cells)
	least, most := math.Inf(1), 0.0
	for i, c := range cells {
		t.Rows[i].Tone = doc.Soft
		if p := c.Pooled; tooNarrow(p) {
			least, most = min(least, *p.TooNarrow), max(most, *p.TooNarrow)
		}
	}
	title, narrow := "the papers' arithmetic over calls: pseudo-replication", figure.Ratio(most)
	if s.PoolKind == results.PoolLastLoop {
		title = "what MooBench itself prints, of the last loop alone: pseudo-replication"
	}
	if least := figure.Ratio(least); least != narrow {
		narrow = least + " to " + narrow
	}
	title += textIf(most > 1, ", intervals "+narrow+" times too narrow")
	sec := &doc.Section{Title: "The arithmetic of others", Silent: true, Tone: doc.Warning}
	sec.Add(warning(title), doc.Paragraph{Text: s.Pooled, Tone: doc.Soft}, t)
	return sec
}
