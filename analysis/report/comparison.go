package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/caveat"
	"moobench/analysis/compare"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
	"moobench/analysis/stats"
	"moobench/results"
)

// WriteComparison prints a comparison in a format of documents; COMPARISON.md
// documents the JSON.
func WriteComparison(w io.Writer, format string, c *compare.Comparison, o Options) error {
	return WriteDocument(w, format, c, func(paged bool) *doc.Document { return comparison(c, paged) }, o)
}

// comparison is the document of several campaigns.
func comparison(c *compare.Comparison, paged bool) *doc.Document {
	d := &doc.Document{Foot: "Each campaign’s costs are over its own baseline, measured in the same blocks."}
	names := prose.Unique(each(c.Campaigns, func(one compare.Campaign) string { return one.Name }))
	d.Title = "comparison · " + strings.Join(names, ", ")
	d.Add(comparedCampaigns(c)...)
	metrics, index := comparedMetrics(c, paged)
	if paged {
		d.Blocks = append(d.Blocks, index)
	}
	d.Add(&doc.Section{
		ID:     "changed",
		Title:  "not the same",
		About:  "what may have changed the figures below, or did",
		Blocks: []doc.Block{differences(c, "", c.Changed)},
	})
	d.Add(metrics...)
	return d
}

// comparedCampaigns says what is compared, and what distorts all numbers. A terminal prints last what is not compared.
func comparedCampaigns(c *compare.Comparison) []doc.Block {
	campaigns := &doc.Entries{Facts: true, Names: 4}
	var failed, warnings, incomplete []string
	for _, one := range c.Campaigns {
		// Imported campaigns have no known start, and no known blocks.
		start := moment(one.Start, "2006-01-02 15:04 UTC")
		blocks := textIf(one.Blocks > 0, figure.Plural(one.Blocks, "block", "blocks"))
		facts := slices.Concat([]string{one.Name, start, blocks}, one.Machines, jdks(one.Runtimes), []string{one.Folder})
		campaigns.Items = append(campaigns.Items, doc.Entry{
			Name: one.Title, Term: strings.Join(prose.NonEmpty(facts...), " · "),
		})
		failed = append(failed, behind("A/A FAILED in "+one.Title+": ", one.Failed)...)
		warnings = append(warnings, behind(one.Title+": ", one.Warnings)...)
		incomplete = append(incomplete, behind(one.Title+": ", one.Incomplete)...)
	}
	unlike := prose.Unique(each(c.Unlike, func(d compare.Difference) string { return d.What }))
	notAlike := prefixed("NOT ALIKE (--anyway): these differ, and may be the cause of what is seen below: ",
		strings.Join(unlike, ", "))
	only := each(c.Only, func(o compare.Only) string {
		return textIf(len(c.Scenarios) > 1, o.Scenario+": ") + o.Cell + " (only in " + strings.Join(o.In, ", ") + ")"
	})
	left := &doc.Section{Silent: true, Last: 1}
	left.Add(doc.Paragraph{Mark: "not compared:", Text: strings.Join(only, ", "), Tone: doc.Soft})
	left.Add(doc.Paragraphs(doc.Paragraph{Mark: "! incomplete:", Tone: doc.Bad}, incomplete...)...)

	var all doc.Section
	all.Add(campaigns)
	all.Add(general(doc.Bad, notAlike)...)
	all.Add(general(doc.Bad, failed...)...)
	all.Add(general(doc.Warning, warnings...)...)
	all.Add(differences(c, "Why they are not alike", c.Unlike))
	all.Add(general(doc.Warning, c.Notes...)...)
	all.Add(left)
	return all.Blocks
}

// comparedMetrics has a section for each metric, and the page's index of them.
func comparedMetrics(c *compare.Comparison, paged bool) (sections []doc.Block, index *doc.Entries) {
	index = &doc.Entries{}
	said := map[string]bool{}
	for i := range c.Scenarios {
		s := &c.Scenarios[i]
		for j := range s.Metrics {
			b := comparedMetric{
				c:    c,
				s:    s,
				m:    &s.Metrics[j],
				said: said,
				id:   "m" + strconv.Itoa(i) + "-" + strconv.Itoa(j),
			}
			b.executions = b.executionsOfCall()
			sections = append(sections, b.section(paged))
			index.Items = append(index.Items, doc.Entry{
				Term:  s.Label + ", " + b.m.Metric.Name,
				Link:  b.id,
				Items: []doc.Paragraph{{Text: b.tally()}},
			})
		}
	}
	return sections, index
}

// general are caveats about all numbers of a document.
func general(tone doc.Tone, texts ...string) []doc.Block {
	return doc.Paragraphs(doc.Paragraph{Mark: "!", Tone: tone, General: true}, texts...)
}

// behind puts a word before each text.
func behind(word string, texts []string) []string {
	return each(texts, func(text string) string { return word + text })
}

// differences is the table of differing provenance, one column per campaign.
func differences(c *compare.Comparison, title string, all []compare.Difference) *doc.Table {
	rows := each(all, func(d compare.Difference) doc.Row {
		return doc.Row{
			Cells: append(doc.Texts(d.What), doc.Texts(d.Values...)...),
			Note:  prefixed("of ", aboutCells(d)),
		}
	})
	return &doc.Table{
		Title:   title,
		Unfold:  true,
		Columns: append(doc.TextColumns("what"), doc.TextColumns(titles(c)...)...),
		Rows:    rows,
	}
}

// titles are the campaigns' titles in the comparison.
func titles(c *compare.Comparison) []string {
	return each(c.Campaigns, func(one compare.Campaign) string { return one.Title })
}

// aboutCells names the cells that a difference is about; "" if it is about all of them.
func aboutCells(d compare.Difference) string {
	return prose.First(d.Cells, 3, ", ", " and %s more")
}

// Refusal says why campaigns are not compared, for the error: one line for each difference, with the values
// side by side.
func Refusal(e *compare.UnlikeError) string {
	campaigns := each(e.Titles, func(title string) compare.Campaign { return compare.Campaign{Title: title} })
	c := &compare.Comparison{Campaigns: campaigns}
	lines := slices.Clone(e.Lines)
	for i, d := range lines {
		lines[i].What, lines[i].Cells = d.What+prefixed(" of ", aboutCells(d)), nil
	}
	text := "not comparing: " + e.Error()
	var b strings.Builder
	d := &doc.Document{Blocks: []doc.Block{doc.Paragraph{Text: text}, differences(c, "", lines)}}
	if err := doc.Text(&b, d, doc.TextOptions{Width: 1 << 12}); err != nil { // an error is not wrapped
		return doc.OneLine(text)
	}
	return strings.TrimSuffix(strings.ReplaceAll(b.String(), "\n  ", "\n"), "\n") // an error starts at the left edge
}

// comparedMetric makes the section of one metric of one scenario.
type comparedMetric struct {
	c    *compare.Comparison
	s    *compare.Scenario
	m    *compare.Metric
	said map[string]bool // legends and caveats that are already printed
	id   string
	// executions is the number of monitored executions of a call, if costs are divided by it; else "".
	executions string
}

// section is the table of the metric, with its legend.
func (b comparedMetric) section(paged bool) *doc.Section {
	about := cmp.Or(costOf(b.executions), textIf(b.m.Primary, b.s.About), b.m.Metric.About)
	sec := &doc.Section{ID: b.id, Title: b.s.Label, About: b.m.Metric.Name + prefixed(": ", about)}
	sec.Add(doc.Paragraph{Text: b.tally(), Tone: map[bool]doc.Tone{true: doc.Bad}[b.m.Count(infer.Regression) > 0]})
	if n := len(b.c.Campaigns); n == 2 || paged {
		if paged {
			sec.Add(b.figure())
		}
		for newer := 1; newer < n; newer++ {
			t := b.pair(newer)
			t.Title = textIf(n > 2, b.c.Campaigns[0].Title+" → "+b.c.Campaigns[newer].Title)
			sec.Add(t)
		}
	} else {
		sec.Add(b.several()...)
	}
	for _, text := range b.legend() {
		sec.Add(doc.Paragraph{Text: textIf(!b.said[text], text), Tone: doc.Soft})
		b.said[text] = true
	}
	return sec
}

// rows are the rows of a table, grouped by level.
func (b comparedMetric) rows(row func(*compare.Row) doc.Row) []doc.Row {
	level := func(r compare.Row) string { return r.Level }
	return doc.ByLevel(b.m.Rows, level, func(r compare.Row) doc.Row { return row(&r) })
}

// pair is the table that compares the first campaign with another one.
func (b comparedMetric) pair(newer int) *doc.Table {
	columns, title := b.pairColumns(newer), b.c.Campaigns[newer].Title
	t := &doc.Table{Columns: columns.Heads()}
	t.Rows = b.rows(func(r *compare.Row) doc.Row {
		label, change := b.comparedLabel(r), changeTo(r, title)
		switch {
		case change == nil:
			return doc.Row{Cells: doc.Texts(label), Span: "not compared"}
		case change.Estimate == nil:
			return doc.Row{Cells: doc.Texts(label), Span: "no answer", Under: change.Absent, Tone: comparedTone(change)}
		}
		row := columns.Row(r)
		row.Tone, row.Under, row.Note = comparedTone(change), change.Absent, b.misleadingCaveats(r, 0, newer)
		return row
	})
	return t
}

// pairColumns are what such a table shows of a cell with an estimate of its change.
func (b comparedMetric) pairColumns(newer int) doc.View[*compare.Row] {
	m, title := b.m.Metric, b.c.Campaigns[newer].Title
	changed := func(head doc.Column, cell func(*compare.Row, *compare.Change) doc.Cell) doc.ColumnOf[*compare.Row] {
		return doc.NewColumn(head, func(r *compare.Row) doc.Cell { return cell(r, changeTo(r, title)) })
	}
	columns := doc.View[*compare.Row]{
		doc.TextColumn("cell", b.comparedLabel),
		doc.NumberColumn("old → new", func(r *compare.Row) string { return b.oldToNew(r, b.figures(r, newer)...) }),
		changed(doc.Column{Head: "change", Number: true}, func(r *compare.Row, c *compare.Change) doc.Cell {
			return changeOf(b.scaled(r, c), m)
		}),
		changed(doc.Column{Head: "verdict", Short: " "}, func(_ *compare.Row, c *compare.Change) doc.Cell {
			return doc.Cell{Text: c.Verdict.Word(), Kind: judgementBadge(c.Verdict).Kind}
		}),
		changed(doc.Column{
			Head:   "could detect",
			Number: true,
			Rank:   1,
			Help:   "the smallest true change that such campaigns find with 80 % power",
		}, func(r *compare.Row, c *compare.Change) doc.Cell {
			return doc.Cell{Text: wouldSee(b.scaled(r, c), m)}
		}),
		changed(doc.Column{Head: "p", Number: true, Rank: 3}, func(_ *compare.Row, c *compare.Change) doc.Cell {
			return doc.Cell{Text: strings.TrimPrefix(doc.Optional(c.PHolm, figure.P), "p = ")}
		}),
		changed(doc.Column{
			Head:   join(sampled(m), b.statistic()+", old → new"),
			Number: true,
			Rank:   2,
		}, func(r *compare.Row, c *compare.Change) doc.Cell {
			first, other := r.Sides[0], r.Sides[newer]
			if x := c.OneSpeed; x != nil {
				first.Mean, other.Mean = x.OldMean, x.NewMean
			}
			return doc.Cell{Text: sideMean(&first, m) + " → " + sideMean(&other, m)}
		}),
	}
	if b.standards(newer) {
		columns = append(columns, doc.NewColumn(doc.Column{
			Head:   "at standard speed, old → new",
			Number: true,
			Depth:  doc.Full,
			Rank:   3,
		}, func(r *compare.Row) doc.Cell {
			return doc.Cell{Text: b.oldToNew(r, atStandard(r, 0), atStandard(r, newer))}
		}))
	}
	return append(columns, doc.NewColumn(doc.Column{Head: "caveats", Depth: doc.Written}, func(r *compare.Row) doc.Cell {
		return b.marks(r, 0, newer)
	}))
}

// comparedTone is the tone of a change.
func comparedTone(c *compare.Change) doc.Tone {
	if c.Verdict == infer.UndecidedYet {
		return doc.Plain
	}
	return judgementTone(c.Verdict)
}

// several are the tables of three campaigns or more: the first one's overheads beside the changes of the
// others, and the means of all.
func (b comparedMetric) several() []doc.Block {
	columns := append(doc.TextColumns("cell"), doc.NumberColumns(titles(b.c)...)...)
	changes, means := &doc.Table{Split: true, Columns: columns}, &doc.Table{Split: true, Columns: columns}
	var absent []doc.Block
	changes.Rows = b.rows(func(r *compare.Row) doc.Row {
		row := doc.Row{Cells: doc.Texts(b.comparedLabel(r))}
		var all []int
		for i, one := range b.c.Campaigns {
			text, change := "–", changeTo(r, one.Title)
			switch all = append(all, i); {
			case i == 0:
				text = b.oldToNew(r, sideFigure(r, &r.Sides[0]))
			case change != nil:
				text = join(changeOf(b.scaled(r, change), b.m.Metric).String(),
					prose.Judgement(change.Verdict, b.c.Margin))
				if change.Absent != "" {
					why := change.Absent
					if change.Whose == "" || change.Whose == one.Title { // the campaign is named before it already
						why = change.Why
					}
					absent = append(absent,
						doc.Paragraph{Text: r.Cell + " in " + one.Title + ": " + why, Tone: doc.Warning})
				}
				if change.Verdict == infer.Regression {
					row.Tone = doc.Bad
				}
			}
			row.Cells = append(row.Cells, doc.Cell{Text: text})
		}
		row.Note = b.misleadingCaveats(r, all...)
		return row
	})
	means.Rows = b.rows(func(r *compare.Row) doc.Row {
		texts := each(r.Sides, func(side compare.Side) string { return sideMean(&side, b.m.Metric) })
		return doc.Row{
			Cells: doc.Texts(append([]string{r.Variant + textIf(r.Role == results.RoleAA, " (A/A)")}, texts...)...),
		}
	})
	return append(append([]doc.Block{changes}, absent...),
		&doc.Section{Title: "means", Tone: doc.Soft, Blocks: []doc.Block{means}})
}

// marks are all caveats of some sides of a row, as printed at numbers.
func (b comparedMetric) marks(r *compare.Row, sides ...int) doc.Cell {
	all := each(sides, func(i int) []string { return behind(b.c.Campaigns[i].Title+": ", shows(r.Sides[i].Marks)) })
	return doc.Cell{Text: strings.Join(slices.Concat(all...), ", ")}
}

// misleadingCaveats lists the caveats that a reader of a row's numbers must know, with each reason once in the
// document.
func (b comparedMetric) misleadingCaveats(r *compare.Row, sides ...int) string {
	all := each(sides, func(i int) []string {
		return behind(b.c.Campaigns[i].Title+" ", explained(ofRank(r.Sides[i].Marks, caveat.Misleading), b.said))
	})
	return strings.Join(slices.Concat(all...), "; ")
}

// remarks are the kinds of the other caveats, each with its number of cells.
func (b comparedMetric) remarks() []string {
	var marks []analysis.Mark
	for _, r := range b.m.Rows {
		for _, s := range r.Sides {
			marks = append(marks, ofRank(s.Marks, caveat.Remark)...)
		}
	}
	kinds := stats.Grouped(marks, func(m analysis.Mark) string { return m.Kind })
	return each(kinds, func(all []analysis.Mark) string {
		return fmt.Sprintf("%s (%d)", cmp.Or(remarked[all[0].Kind], all[0].Kind), len(all))
	})
}

// changeTo returns the change of a row in a campaign, or nil.
func changeTo(r *compare.Row, title string) *compare.Change {
	i := slices.IndexFunc(r.Changes, func(c compare.Change) bool { return c.Campaign == title })
	if i < 0 {
		return nil
	}
	return &r.Changes[i]
}

// figure draws all changes in per cent of the measured mean, with the margin as a band: changes of variants'
// overheads, and of the second baselines'.
func (b comparedMetric) figure() *doc.Figure {
	p := plot.Rows{
		Alt:  "Changes with their intervals; the table below has the same numbers",
		Axis: plot.Axis{Title: "%"}, Zero: true,
		Band: &[2]float64{100 * (1/(1+b.c.Margin) - 1), 100 * b.c.Margin},
	}
	for _, r := range b.m.Rows {
		for _, change := range r.Changes {
			e, whole := change.Estimate, 0.0 // the mean that the margin is a share of
			if q := change.Equivalence; q != nil && !q.Relative {
				whole = q.Margin / b.c.Margin
			}
			if r.Role != results.RoleVariant && r.Role != results.RoleAA || e == nil || e.Interval == nil ||
				!change.Relative && whole == 0 {
				continue
			}
			share := func(v float64) *float64 {
				if change.Relative {
					return new(100 * (v - 1))
				}
				return new(100 * v / whole)
			}
			p.Items = append(p.Items, plot.Row{
				Label: join(b.comparedLabel(&r), r.Level) + textIf(len(b.c.Campaigns) > 2, " · "+change.Campaign),
				Text: join(changeOf(b.scaled(&r, &change), b.m.Metric).Text,
					prose.Judgement(change.Verdict, b.c.Margin)),
				Class: judgementBadge(change.Verdict).Kind, Value: share(e.Value),
				Low: share(e.Interval.Low), High: share(e.Interval.High),
			})
		}
	}
	if len(p.Items) == 0 { // otherwise only the margin would be drawn
		return &doc.Figure{}
	}
	return doc.ChartedFigure(b.id+"-changes", p.Alt, p.SVG(), p.Chart(),
		"What each cost changed by, in per cent of the cell’s mean, with its interval. "+
			"Right of 0 is above the first campaign. The band is the margin within which a change does not matter.")
}

// tally counts the verdicts of a metric: "1 worse, 0 better, 2 same within 3 %".
func (b comparedMetric) tally() string {
	var parts []string
	better := b.m.Metric.Better
	judged := (better == results.Lower || better == results.Higher) && b.m.Count(infer.Differs) == 0
	for i, v := range []infer.Judgement{
		infer.Regression, infer.Improvement, infer.Differs, infer.Changed, infer.Same,
		infer.UndecidedYet, infer.NotJudged,
	} {
		if n := b.m.Count(v); n > 0 || v == infer.Same || i < 2 && judged {
			parts = append(parts, fmt.Sprintf("%d %s", n, prose.Judgement(v, b.c.Margin)))
		}
	}
	return strings.Join(parts, ", ")
}
