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
	t := &doc.Table{Columns: append(doc.TextColumns("cell"), doc.NumberColumns("before it", "window", "")...)}
	t.Columns = append(t.Columns, doc.Column{Head: "class", Rank: 1, Instead: steadyStates(s)})
	for _, c := range cellsOf(s, func(c *analysis.Cell) bool { return c.Steady != nil && c.Invalid == "" }) {
		r := doc.Row{
			Cells: []doc.Cell{
				{Text: c.Label},
				doc.Mean(c.Steady.WarmupMean, m.Unit),
				doc.Mean(metricOf(c, s.Primary).Mean, m.Unit),
				{Text: "–"},
				{Text: c.Steady.Text},
			},
		}
		if c.Other != nil {
			r.Cells[3], t.Columns[3].Head = doc.Mean(c.Other.Mean, m.Unit), cmp.Or(windows[c.Other.Window], "all samples")
		}
		t.Rows = append(t.Rows, r)
	}
	return &doc.Section{Title: "warm-up and steady state", Folded: true, Depth: doc.Full, Blocks: []doc.Block{t}}
}

// quantiles are the quantiles of the primary metric's calls, and what monitoring adds to them.
func (b *builder) quantiles() *doc.Section {
	s, unit := b.s, primary(b.s).Unit
	t := &doc.Table{Joined: true, Columns: []doc.Column{
		{Head: "cell"},
		{Head: "quantile", Short: " "},
		{Head: "n", Number: true, Depth: doc.Paged},
		{Head: "median over invocations", Number: true},
		{Head: versus(s), Number: true},
		{Head: "ratio", Number: true, Rank: 1},
	}}
	if s.AtStandard() { // costs are at standard speed, too
		t.Columns = append(t.Columns,
			doc.Column{Head: "at standard speed", Number: true, Rank: 2},
			doc.Column{Head: join(versus(s), "at standard speed"), Number: true, Rank: 2})
	}
	t.Columns = append(t.Columns, doc.Column{Head: "remark", Depth: doc.Paged})
	for _, c := range counted(s) {
		a := metricOf(c, s.Primary)
		for _, q := range a.Quantiles {
			cells := append(doc.Texts(c.Label, q.Name, strconv.Itoa(q.Estimate.N)), doc.Quantity(&q.Estimate, unit),
				doc.Difference(q.Difference, unit), doc.Ratio(q.Ratio))
			if s.AtStandard() {
				at := cmp.Or(q.AtStandard, &analysis.AtStandard{})
				cells = append(cells, doc.Quantity(at.Estimate, unit), doc.Difference(at.Difference, unit))
			}
			t.Rows = append(t.Rows, doc.Row{
				Cells: append(cells, doc.Cell{Text: cmp.Or(q.NoDifference, q.Estimate.NoInterval)}),
			})
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

// pooled is others' arithmetic over calls, kept away from ours; nil if nobody asked for it.
func (b *builder) pooled() *doc.Section {
	s, unit := b.s, primary(b.s).Unit
	t := &doc.Table{Columns: []doc.Column{
		{Head: "cell"},
		{Head: "n", Number: true, Rank: 1},
		{Head: "mean", Number: true},
		{Head: "± 1.96 sd/√n", Number: true},
		{Head: "sd", Number: true, Rank: 3},
		{Head: "t against baseline", Number: true, Rank: 2},
		{Head: "too narrow", Number: true, Rank: 1},
	}}
	least, most := math.Inf(1), 0.0
	for _, c := range cellsOf(s, func(c *analysis.Cell) bool { return c.Pooled != nil && c.Invalid == "" }) {
		p, test, narrow := c.Pooled, "", ""
		if p.Test != nil {
			test = strings.Replace(formatG(p.Test.T, 6), "-", "−", 1) + ", " + figure.P(p.Test.P)
		}
		if p.TooNarrow != nil && *p.TooNarrow > 1 {
			least, most = min(least, *p.TooNarrow), max(most, *p.TooNarrow)
			narrow = "× " + figure.Ratio(*p.TooNarrow)
		}
		t.Rows = append(t.Rows, doc.Row{
			Tone: doc.Soft,
			Cells: doc.Texts(c.Label, figure.Count(p.N), figure.Quantity(p.Mean, unit),
				"± "+figure.Quantity(p.Half, unit), figure.Quantity(p.SD, unit), test, narrow),
		})
	}
	if len(t.Rows) == 0 {
		return nil
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
