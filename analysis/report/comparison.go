package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis/compare"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
	"moobench/results"
)

// WriteComparison prints a comparison in a format of documents; COMPARISON.md
// documents the JSON.
func WriteComparison(w io.Writer, format string, c *compare.Comparison, o Options) error {
	return WriteDocument(w, format, c, func(paged bool) *doc.Document { return comparison(c, paged) }, o)
}

// comparison is the document of campaigns beside each other.
func comparison(c *compare.Comparison, paged bool) *doc.Document {
	d := &doc.Document{Foot: "Each campaign’s overheads are relative to its own reference, measured in the same blocks."}
	campaigns, index, foot := &doc.Entries{Facts: true, Names: 4}, &doc.Entries{}, &doc.Section{Silent: true, Last: 1}
	var failed, warnings, only, incomplete []string
	for _, one := range c.Campaigns {
		// The start of imported campaigns is not known, nor are their blocks.
		start, blocks := moment(one.Start, "2006-01-02 15:04 UTC"), when(one.Blocks > 0, figure.Plural(one.Blocks, "block", "blocks"))
		facts := slices.Concat([]string{one.Name, start, blocks}, one.Machines, jdks(one.Runtimes), []string{one.Folder})
		campaigns.Items = append(campaigns.Items, doc.Entry{Name: one.Title, Term: strings.Join(nonEmpty(facts...), " · ")})
		failed = append(failed, behind("A/A FAILED in "+one.Title+": ", one.Failed)...)
		warnings = append(warnings, behind(one.Title+": ", one.Warnings)...)
		incomplete = append(incomplete, behind(one.Title+": ", one.Incomplete)...)
	}
	d.Title = "comparison · " + strings.Join(unique(each(c.Campaigns, func(one compare.Campaign) string { return one.Name })), ", ")
	unlike := unique(each(c.Unlike, func(d compare.Difference) string { return d.What }))
	d.Add(campaigns)
	d.Add(general(doc.Bad, prefixed(
		"NOT ALIKE: compared all the same (--anyway), although these differ, and may be what is seen below: ", strings.Join(unlike, ", ")))...)
	d.Add(general(doc.Bad, failed...)...)
	d.Add(general(doc.Warning, warnings...)...)
	d.Add(differences(c, "Why they are not alike", c.Unlike))
	d.Add(general(doc.Warning, c.Notes...)...)
	for _, o := range c.Only {
		only = append(only, when(len(c.Scenarios) > 1, o.Scenario+": ")+o.Cell+" (only in "+strings.Join(o.In, ", ")+")")
	}
	foot.Add(doc.Paragraph{Mark: "not compared:", Text: strings.Join(only, ", "), Tone: doc.Soft})
	foot.Add(doc.Paragraphs(doc.Paragraph{Mark: "! incomplete:", Tone: doc.Bad}, incomplete...)...)
	d.Add(foot)
	if paged {
		d.Blocks = append(d.Blocks, index) // its items follow
	}
	d.Add(&doc.Section{ID: "changed", Title: "not the same", About: "what may have changed the figures below, or did", Blocks: []doc.Block{differences(c, "", c.Changed)}})
	legends := map[string]bool{}
	for i := range c.Scenarios {
		s, notes := &c.Scenarios[i], &footnotes{}
		for j := range s.Metrics {
			b := comparedMetric{c: c, m: &s.Metrics[j], notes: notes, id: "m" + strconv.Itoa(i) + "-" + strconv.Itoa(j)}
			d.Add(b.section(s, paged, legends))
			index.Items = append(index.Items, doc.Entry{Term: s.Label + ", " + b.m.Metric.Name, Link: b.id, Items: []doc.Paragraph{{Text: b.tally()}}})
		}
	}
	return d
}

// general are caveats of all numbers of a document.
func general(tone doc.Tone, texts ...string) []doc.Block {
	return doc.Paragraphs(doc.Paragraph{Mark: "!", Tone: tone, General: true}, texts...)
}

// behind puts a word before each text.
func behind(word string, texts []string) []string {
	return each(texts, func(text string) string { return word + text })
}

// differences are what differs, a column for each campaign.
func differences(c *compare.Comparison, title string, all []compare.Difference) *doc.Table {
	t := &doc.Table{Title: title, Unfold: true, Columns: append(textColumns("what"), textColumns(titles(c)...)...)}
	for _, d := range all {
		t.Rows = append(t.Rows, doc.Row{Cells: append(doc.Texts(d.What), doc.Texts(d.Values...)...), Note: prefixed("of ", aboutCells(d))})
	}
	return t
}

// titles are what campaigns are called beside each other.
func titles(c *compare.Comparison) []string {
	return each(c.Campaigns, func(one compare.Campaign) string { return one.Title })
}

// aboutCells names the cells that a difference is about, "" when it is about all of them.
func aboutCells(d compare.Difference) string {
	const few = 3
	text := strings.Join(d.Cells[:min(few, len(d.Cells))], ", ")
	return text + when(len(d.Cells) > few, " and "+figure.Count(int64(len(d.Cells)-few))+" more")
}

// Refusal is why campaigns are not compared, for the error that says so: what
// differs, a line for each, with the values side by side.
func Refusal(e *compare.UnlikeError) string {
	c := &compare.Comparison{Campaigns: each(e.Titles, func(title string) compare.Campaign { return compare.Campaign{Title: title} })}
	lines := slices.Clone(e.Lines)
	for i, d := range lines {
		lines[i].What, lines[i].Cells = d.What+prefixed(" of ", aboutCells(d)), nil
	}
	text := "not comparing: " + e.Error()
	var b strings.Builder
	d := &doc.Document{Blocks: []doc.Block{doc.Paragraph{Text: text}, differences(c, "", lines)}}
	if err := doc.Text(&b, d, doc.TextOptions{Width: 1 << 12}); err != nil { // an error is not broken
		return doc.OneLine(text)
	}
	return strings.TrimSuffix(strings.ReplaceAll(b.String(), "\n  ", "\n"), "\n") // an error stands at the left edge
}

// comparedMetric makes the section of one metric of one scenario.
type comparedMetric struct {
	c     *compare.Comparison
	m     *compare.Metric
	notes *footnotes
	id    string
}

// section is a table with what is to be known of it; legends and notes that were said
// before are not said again.
func (b comparedMetric) section(s *compare.Scenario, paged bool, said map[string]bool) *doc.Section {
	about := cmp.Or(when(b.m.Primary, s.About), b.m.Metric.About)
	sec := &doc.Section{ID: b.id, Title: s.Label, About: b.m.Metric.Name + prefixed(": ", about)}
	sec.Add(doc.Paragraph{Text: b.tally(), Tone: map[bool]doc.Tone{true: doc.Bad}[b.m.Count(infer.Regression) > 0]})
	before := len(b.notes.notes)
	if n := len(b.c.Campaigns); n == 2 || paged {
		if paged {
			sec.Add(b.figure())
		}
		for newer := 1; newer < n; newer++ {
			t := b.pair(newer)
			t.Title = when(n > 2, b.c.Campaigns[0].Title+" → "+b.c.Campaigns[newer].Title)
			sec.Add(t)
		}
	} else {
		sec.Add(b.several()...)
	}
	for _, text := range b.legend() {
		sec.Add(doc.Paragraph{Text: when(!said[text], text), Tone: doc.Soft})
		said[text] = true
	}
	sec.Add(b.notes.paragraphs(before)...)
	return sec
}

// rows are those of a table, under the names of their levels.
func (b comparedMetric) rows(row func(*compare.Row) doc.Row) []doc.Row {
	var all []doc.Row
	for _, level := range unique(each(b.m.Rows, func(r compare.Row) string { return r.Level })) {
		if level != "" {
			all = append(all, doc.Row{Group: level})
		}
		for _, r := range b.m.Rows {
			if r.Level == level {
				all = append(all, row(&r))
			}
		}
	}
	return all
}

// pair is the table of the first campaign and another one.
func (b comparedMetric) pair(newer int) *doc.Table {
	m := b.m.Metric
	t := &doc.Table{Columns: []doc.Column{
		{Head: "cell"},
		{Head: "old → new", Number: true, Rank: 1},
		{Head: "change", Number: true},
		{Head: "verdict", Short: " "},
		{Head: "p", Number: true, Rank: 3},
		{Head: "mean, old → new", Number: true, Rank: 2},
		{Head: "marks", Short: " "},
	}}
	t.Rows = b.rows(func(r *compare.Row) doc.Row {
		label, change, marks := comparedLabel(r), changeTo(r, b.c.Campaigns[newer].Title), b.marks(r, 0, newer)
		switch {
		case change == nil:
			return doc.Row{Cells: doc.Texts(label), Span: join("not compared", marks.Text)}
		case change.Estimate == nil:
			return doc.Row{Cells: doc.Texts(label), Span: join("no answer: "+change.Absent, marks.Text), Tone: comparedTone(change)}
		}
		first, other := &r.Sides[0], &r.Sides[newer]
		old := overheadOf(first, m)
		return doc.Row{Tone: comparedTone(change), Under: change.Absent, Cells: []doc.Cell{
			{Text: label},
			{Text: when(old != "", old+" → "+overheadOf(other, m))},
			changeOf(change, m),
			{Text: verdictOf(change, m, b.c.Margin), Kind: judgementBadge(change.Verdict).Kind},
			{Text: strings.TrimPrefix(optional(change.PHolm, figure.P), "p = ")},
			{Text: sideMean(first, m) + " → " + sideMean(other, m)},
			marks,
		}}
	})
	return t
}

// comparedTone is how a change looks.
func comparedTone(c *compare.Change) doc.Tone {
	if c.Verdict == infer.UndecidedYet {
		return doc.Plain
	}
	return judgementTone(c.Verdict)
}

// several are the tables of three campaigns or more: the first one's overheads beside
// the changes of the others, and the means of all.
func (b comparedMetric) several() []doc.Block {
	columns := append(textColumns("cell"), numberColumns(titles(b.c)...)...)
	changes, means := &doc.Table{Split: true, Columns: columns}, &doc.Table{Split: true, Columns: columns}
	var absent []doc.Block
	changes.Rows = b.rows(func(r *compare.Row) doc.Row {
		row := doc.Row{Cells: doc.Texts(comparedLabel(r))}
		for i, one := range b.c.Campaigns {
			text, change := "–", changeTo(r, one.Title)
			switch {
			case i == 0:
				text = overheadOf(&r.Sides[0], b.m.Metric)
			case change != nil:
				text = join(changeOf(change, b.m.Metric).String(), verdictOf(change, b.m.Metric, b.c.Margin))
				if change.Absent != "" {
					why := change.Absent
					if change.Whose == "" || change.Whose == one.Title { // it stands behind the campaign already
						why = change.Why
					}
					absent = append(absent, doc.Paragraph{Text: r.Cell + " in " + one.Title + ": " + why, Tone: doc.Warning})
				}
				if change.Verdict == infer.Regression {
					row.Tone = doc.Bad
				}
			}
			row.Cells = append(row.Cells, doc.Cell{Text: join(text, b.marks(r, i).Text)})
		}
		return row
	})
	means.Rows = b.rows(func(r *compare.Row) doc.Row {
		texts := each(r.Sides, func(side compare.Side) string { return sideMean(&side, b.m.Metric) })
		return doc.Row{Cells: doc.Texts(append([]string{r.Variant + when(r.Role == results.RoleAA, " (A/A)")}, texts...)...)}
	})
	return append(append([]doc.Block{changes}, absent...), &doc.Section{Title: "means", Tone: doc.Soft, Blocks: []doc.Block{means}})
}

// marks numbers the caveats of some sides of a row: !1,2. A page has them in words too.
func (b comparedMetric) marks(r *compare.Row, sides ...int) doc.Cell {
	var refs []int
	var shows []string
	for _, i := range sides {
		for _, m := range r.Sides[i].Marks {
			refs = append(refs, b.notes.number(m, b.c.Campaigns[i].Title+" "+r.Cell))
			shows = append(shows, b.c.Campaigns[i].Title+": "+m.Show)
		}
	}
	return doc.Cell{Text: references(refs), Marks: shows}
}

// changeTo is the change of a row in a campaign, nil when there is none.
func changeTo(r *compare.Row, title string) *compare.Change {
	i := slices.IndexFunc(r.Changes, func(c compare.Change) bool { return c.Campaign == title })
	if i < 0 {
		return nil
	}
	return &r.Changes[i]
}

// figure draws all changes in per cent, with the margin as a band: of variants'
// overheads, and of the second baselines'.
func (b comparedMetric) figure() *doc.Figure {
	p := plot.Rows{
		Alt: "Changes with their intervals; the table below has the same numbers", Axis: plot.Axis{Title: "%"}, Zero: true,
		Band: &[2]float64{100 * (1/(1+b.c.Margin) - 1), 100 * b.c.Margin},
	}
	share := func(ratio float64) *float64 { v := 100 * (ratio - 1); return &v }
	for _, r := range b.m.Rows {
		for _, change := range r.Changes {
			e := change.Estimate
			if r.Role != results.RoleVariant && r.Role != results.RoleAA || e == nil || e.Interval == nil || !change.Relative {
				continue
			}
			p.Items = append(p.Items, plot.Row{
				Label: join(comparedLabel(&r), r.Level) + when(len(b.c.Campaigns) > 2, " · "+change.Campaign),
				Text:  join(changeOf(&change, b.m.Metric).Text, comparedVerdict(change.Verdict, b.c.Margin)),
				Class: judgementBadge(change.Verdict).Kind, Value: share(e.Value), Low: share(e.Interval.Low), High: share(e.Interval.High),
			})
		}
	}
	if len(p.Items) == 0 { // else the margin would be drawn alone
		return &doc.Figure{}
	}
	return figureOf(p.SVG(), "What each overhead changed by, in per cent, with its interval. Right of 0 is above the first campaign. The band is the margin within which a change does not matter.")
}

// tally counts the verdicts of a metric: "1 worse, 0 better, 2 same within 3 %".
func (b comparedMetric) tally() string {
	var parts []string
	better := b.m.Metric.Better
	judged := (better == results.Lower || better == results.Higher) && b.m.Count(infer.DiffersTonight) == 0
	for i, v := range []infer.Judgement{
		infer.Regression, infer.Improvement, infer.DiffersTonight, infer.Changed, infer.Same, infer.UndecidedYet, infer.NotJudged,
	} {
		if n := b.m.Count(v); n > 0 || v == infer.Same || i < 2 && judged {
			parts = append(parts, fmt.Sprintf("%d %s", n, comparedVerdict(v, b.c.Margin)))
		}
	}
	return strings.Join(parts, ", ")
}

// legend says what the numbers of a table are.
func (b comparedMetric) legend() []string {
	family, raw, detects := 1, false, false
	var nights []string
	for _, r := range b.m.Rows {
		raw = raw || isRaw(&r)
		for _, change := range r.Changes {
			if r.Role == results.RoleVariant {
				family = max(family, change.Family)
			}
			detects = detects || change.Estimate != nil && change.Estimate.Detectable != nil
			if n := change.Between; n != nil {
				nights = withNew(nights, fmt.Sprintf("%s (sd %s over %s)", r.Cell, figure.Percent(n.SD), figure.Plural(n.Nights, "night", "nights")))
			}
		}
	}
	holds := "; its interval holds at " + figure.Level(b.c.Confidence)
	if family > 1 {
		holds = fmt.Sprintf("; the intervals of the %d changes of a level hold together at %s, and p is Holm's over them", family, figure.Level(b.c.Confidence))
	}
	return nonEmpty(
		"change: of the overhead against each campaign's own reference"+holds,
		when(raw, "(raw): of the mean itself, with what the machine did that night in it"),
		when(detects, "detects: the smallest true change that such campaigns find with 80 % power"),
		prefixed("what nights differ by of themselves is in the intervals of ", strings.Join(nights, ", ")),
	)
}
