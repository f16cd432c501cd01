package report

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/caveat"
	"moobench/analysis/chapter/locks/locked"
	"moobench/analysis/chapter/threads/order"
	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
	"moobench/analysis/rows"
	"moobench/results"
)

// strips draws the differences of the primary metric, each as a picture of 100 by 9 on one axis, which the head
// of their column names.
func (b *builder) strips() doc.ColumnOf[*analysis.Cell] {
	m, rows, drawn := primary(b.s), plot.Rows{}, map[string]plot.Row{}
	for _, c := range counted(b.s) {
		if e := metricOf(c, m.Name).Difference; c.Role == results.RoleVariant && e != nil {
			drawn[c.ID] = plot.RowOf("", "", e)
			rows.Items = append(rows.Items, drawn[c.ID])
		}
	}
	values := append(rows.Values(), 0)
	axis, fit := plot.NewAxis(values, false), figure.Fit(m.Unit, values...)
	column := doc.Column{Depth: doc.Paged}
	if len(drawn) > 0 {
		column.Zero = plot.StripZero(axis)
		column.Head = "more than the baseline, " + plot.Number(axis.Low/fit.Factor) + " … " +
			join(plot.Number(axis.High/fit.Factor), fit.Unit)
	}
	return doc.NewColumn(column, func(c *analysis.Cell) doc.Cell {
		r := drawn[c.ID]
		return doc.Cell{Drawing: plot.Strip(axis, r.Value, r.Low, r.High)}
	})
}

// smallAcross is the number of metrics side by side.
const smallAcross = 4

// smalls draws the metrics that have a better direction or are key ones: a dot with its interval for each cell,
// in one row with the cell's label.
func (b *builder) smalls() *doc.Figure {
	var columns []plot.Column
	cells := counted(b.s)
	labels := each(cells, func(c *analysis.Cell) string { return c.Label })
	for _, m := range b.s.Metrics {
		if m.Name == b.s.Primary || m.Better == results.Neither && !m.Key || !observed(b.s, m.Name) {
			continue
		}
		column := plot.Column{Name: m.Name}
		var values []float64
		for _, c := range cells {
			pt := plot.Point{Y: math.NaN()}
			if e := metricOf(c, m.Name).Mean; e != nil {
				pt = plot.Estimate(0, e, "")
				values = append(values, pt.Low, pt.High)
				if c.Role == results.RoleBaseline && column.Baseline == nil {
					column.Baseline = &e.Value
				}
			}
			column.Points = append(column.Points, pt)
		}
		if len(values) > 0 {
			column.Axis = plot.InUnit(plot.NewAxis(values, plot.SpansDecades(values, 2)), "", m.Unit, values)
			columns = append(columns, column)
		}
	}
	svg := ""
	for some := range slices.Chunk(columns, smallAcross) {
		svg += `<div class="scroll">` + plot.Grid(labels, some) + "</div>"
	}
	return doc.FigureOf(svg,
		"Means with their 95 % intervals, each metric on its own axis; "+
			"the dashed line is the first baseline. A – is a cell without a value.")
}

// writeSheet draws, for slides or LaTeX, the overhead of every cell of every scenario with its interval, as one
// self-contained figure. Caveats stand beside their number; remarks are quieter than misleading ones.
func writeSheet(begin func(title string) *plot.Sheet) func(io.Writer, *analysis.Answers, Options) error {
	return func(w io.Writer, a *analysis.Answers, _ Options) error {
		facts := headline(a)
		sheet := begin(facts[0])
		sheet.Line("small", strings.Join(facts[1:], " · "))
		sheet.Line("spoilt", behind("! ", headTexts(a))...)
		campaign := campaignCaveats(a)
		for _, s := range a.Scenarios {
			sheet.Line("name", s.Label)
			sheet.Line("small", priced(&s), describe(&s))
			sheet.Line("small", s.Notes...)
			caveats := func(c *analysis.Cell) []analysis.Mark { return s.CaveatsAgainst(c, campaign) }
			if !sheet.Rows(overheads(&s, caveats)) {
				sheet.Line("small", "no cell is compared with a baseline")
				continue
			}
			sheet.Line("small", "intervals: "+together(&s, "95 %")+"; over "+s.Window)
		}
		sheet.Line("small", provenanceLine(a))
		_, err := io.WriteString(w, sheet.String())
		return err
	}
}

// overheads are the cells that have a baseline, in the order and unit of the answer; rates of events are per
// million. Costs that differ tenfold have a logarithmic axis.
func overheads(s *analysis.Scenario, caveatsOf func(*analysis.Cell) []analysis.Mark) *plot.Rows {
	m := primary(s)
	unit := cmp.Or(textIf(m.Of != "", rows.PerMillion), m.Unit)
	rows := &plot.Rows{Alt: "Overheads with their intervals", Zero: true}
	for _, c := range ranked(s) {
		a := metricOf(&c, m.Name)
		e := costTold(s, &c)
		switch {
		case c.Role != results.RoleVariant:
			continue
		case c.Invalid != "":
			e = nil
		case a.Rate != nil && a.Rate.Versus != nil:
			e = &analysis.Estimate{Value: a.Rate.Versus.Difference, Interval: a.Rate.Versus.Interval}
		}
		row := plot.RowOf(c.Label, added(e, unit).String(), e)
		caveats := caveatsOf(&c)
		loud := slices.DeleteFunc(slices.Clone(caveats), func(m analysis.Mark) bool {
			return m.Rank == caveat.Remark
		})
		row.Notes, row.Remarks = behind("! ", shows(loud)), shows(ofRank(caveats, caveat.Remark))
		rows.Items = append(rows.Items, row)
	}
	if vs := rows.Values(); len(vs) > 0 && plot.SpansDecades(vs, 1) {
		rows.Axis, rows.Zero = plot.NewAxis(vs, true), false
	}
	title := "more than the baseline" + textIf(s.AtStandard(), " at standard speed") +
		textIf(executions(s) != "", ", one execution")
	rows.Axis = plot.InUnit(rows.Axis, title, unit, rows.Values())
	return rows
}

// picture draws the scenario's answer, with misleading caveats at their numbers.
func (b *builder) picture() *doc.Figure {
	rows := overheads(b.s, misleads)
	more := len(rows.Items) - drawnMost
	rows.Items = rows.Items[:min(drawnMost, len(rows.Items))]
	return doc.FigureOf(rows.SVG(),
		textIf(more > 0, "The cheapest; "+strconv.Itoa(more)+" more cells are in the table of cells."))
}

// traced draws what the threads of a cell's first invocation did, if a probe logged it.
func (b *builder) traced() []*doc.Section {
	var all []*doc.Section
	for _, t := range b.a.Traced {
		c := b.s.Cell(t.Cell)
		if c == nil {
			continue
		}
		s := &doc.Section{
			Title: "Threads, " + c.Label, Folded: true, Depth: doc.Paged,
			About: "what the threads of " + t.Invocation + " did",
		}
		all = append(all, s)
		if err := drawThreads(s, t, tracedDrawn/len(b.a.Traced)); err != nil {
			s.Add(doc.Paragraph{Mark: "!", Tone: doc.Warning, Text: err.Error()})
		}
	}
	return all
}

// tracedDrawn is the number of critical sections that a campaign's page draws, over all programs.
const tracedDrawn = 8

// drawThreads draws one traced invocation: its locks if they were logged, with pictures of the first drawn
// sections, or else its calls.
func drawThreads(s *doc.Section, t analysis.Traced, drawn int) error {
	o, g, err := t.Follow()
	if err != nil {
		return err
	}
	if !o.OfLocks() {
		s.Add(doc.Paragraph{Text: order.Legend})
		for _, p := range order.Remarks(o.Log, o.Unmatched, "") {
			s.Add(p)
		}
		for _, picture := range order.Sections(o, g, order.View{}) {
			s.Add(picture)
		}
		return nil
	}
	r, err := t.Locks()
	if err != nil {
		return err
	}
	s.Add(doc.Paragraph{Text: locked.Legend})
	for _, p := range locked.Remarks(r, "") {
		s.Add(p)
	}
	for _, part := range locked.Sections(r, o, drawn, order.View{Suffix: " of " + t.Cell}) {
		part.Title = strings.TrimSuffix(part.Title, " of "+t.Cell) // IDs must be unique on the page
		s.Add(part)
	}
	return nil
}
