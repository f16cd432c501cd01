package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/analysis/stats"
	"moobench/results"
)

// builder makes the section of a scenario.
type builder struct {
	a     *analysis.Answers
	s     *analysis.Scenario
	id    string
	paged bool // with the parts for the page alone
	step  int  // index in details
	// partial says that some cells are not shown in detail.
	partial bool
	// placed are the chapters that were shown.
	placed map[string]bool
}

// newBuilder makes the builder of a scenario's section.
func newBuilder(a *analysis.Answers, s *analysis.Scenario, id string, paged bool) *builder {
	return &builder{a: a, s: s, id: id, paged: paged, placed: map[string]bool{}}
}

// section is the whole section of the scenario, in the order of a page.
func (b *builder) section() *doc.Section {
	s := b.s
	sec := &doc.Section{ID: b.id, Title: s.Label, About: priced(s)}
	sec.Add(doc.Paragraph{Mark: "!", Text: shortened(b.a), Tone: doc.Bad, Depth: doc.Paged})
	if sec.Add(b.chapter("saturations")...); b.paged {
		sec.Add(b.picture())
	}
	sec.Add(b.answer(), b.answers())
	sec.Add(b.labels(), b.byHost())
	sec.Add(b.chapter("lanes")...)
	sec.Add(b.byThreads(), b.cells())
	whole := b
	shown, more := detailedCells(s, b.step)
	if b.paged && more > 0 {
		text := fmt.Sprintf("The first %d of %s cells are shown in detail below. The table above has all of them, "+
			"and moobench report DIR --format json everything.", len(shown.Cells), figure.Count(int64(len(s.Cells))))
		sec.Add(doc.Paragraph{Depth: doc.Paged, Tone: doc.Warning, Text: text})
		few := *b.a
		few.Invocations = slices.DeleteFunc(slices.Clone(few.Invocations), func(i analysis.Invocation) bool {
			return shown.Cell(i.Cell) == nil
		})
		b = &builder{a: &few, s: shown, id: b.id, paged: true, step: b.step, partial: true, placed: b.placed}
	}
	sec.Add(blocks(b.lost())...)
	sec.Add(b.chapter("timelines")...)
	sec.Add(b.published())
	sec.Add(b.chapter("contrasts")...)
	sec.Add(b.chapter("growths")...)
	sec.Add(b.chapter("settling")...)
	sec.Add(b.warmups())
	sec.Add(b.chapter("distributions")...)
	sec.Add(b.quantiles())
	if b.paged {
		sec.Add(b.traces(), b.drift())
		sec.Add(blocks(whole.factors())...) // it has its own limits
		sec.Add(b.chapter("records")...)
		sec.Add(b.spread())
	}
	sec.Add(b.otherMetrics()...)
	if b.paged {
		sec.Add(b.odd(), b.troubles())
		sec.Add(blocks(whole.traced())...)
	}
	sec.Add(b.pooled(), b.pooledRates())
	sec.Add(b.furtherChapters()...)
	return sec
}

// blocks returns sections as blocks.
func blocks(sections []*doc.Section) []doc.Block {
	return each(sections, func(s *doc.Section) doc.Block { return s })
}

// chapter shows a chapter in its place.
func (b *builder) chapter(name string) []doc.Block {
	var all []doc.Block
	for _, c := range analysis.Chapters() {
		if c.Name != name {
			continue
		}
		if v := c.Of(b.s); v != nil {
			at := b.s.Scene(b.id, b.paged)
			at.Partial = b.partial
			all = append(all, v.Show(at)...)
		}
	}
	b.placed[name] = true
	return all
}

// furtherChapters shows the chapters that have no place of their own.
func (b *builder) furtherChapters() []doc.Block {
	var all []doc.Block
	for _, c := range analysis.Chapters() {
		if !b.placed[c.Name] {
			all = append(all, b.chapter(c.Name)...)
		}
	}
	return all
}

// answers are the questions with their answers. A terminal prints them last. If the scenario itself asks very
// many, one for each cell, a page shows the first; the table of cells has the other verdicts.
func (b *builder) answers() *doc.Section {
	asked := &doc.Entries{Title: "Questions of benchmarks.toml"}
	own := &doc.Entries{Title: "Questions and answers", Depth: doc.Full}
	many := b.paged && len(b.s.Answers) > detailMost
	var more []string
	for i := range b.s.Answers {
		a := &b.s.Answers[i]
		entry := answerEntry(a)
		switch {
		case a.Asked:
			asked.Items = append(asked.Items, entry)
		case many && len(own.Items) >= detailFew:
			more = append(more, entry.Badge.Text)
		default:
			own.Items = append(own.Items, entry)
		}
	}
	sec := &doc.Section{Silent: true, Flush: true}
	sec.Add(asked)
	if b.paged { // the answer's table and its picture say the same
		about := "what the scenario asks of each cell by itself, with tests"
		folded := []doc.Block{&doc.Entries{Items: own.Items}}
		sec.Add(&doc.Section{Title: own.Title, About: about, Folded: true, Blocks: folded})
	} else {
		sec.Add(own)
	}
	unseen := doc.Paragraph{Text: b.s.Unseen, Tone: doc.Soft}
	if len(asked.Items) == 0 {
		unseen.Depth = doc.Full
	}
	rest := textIf(len(more) > 0, "The other questions of this kind, which are in the table of cells: "+
		strings.Join(tallied(more), ", ")+".")
	sec.Add(unseen, doc.Paragraph{Depth: doc.Paged, Text: rest})
	return sec
}

// answerEntry is a question with its answer.
func answerEntry(a *analysis.Answer) doc.Entry {
	badge := verdictBadge(a.Verdict)
	if a.Rates == nil {
		badge.Text = prose.Verdict(a.Verdict, a.Equivalence, a.Unit)
	}
	items := []doc.Paragraph{{Text: a.Sentence.Rest}}
	items = append(items, paragraphs(
		doc.Paragraph{Text: a.Detail, Tone: doc.Soft},
		doc.Paragraph{Text: a.Pooled, Tone: doc.Soft},
		doc.Paragraph{Text: a.Without, Depth: doc.Full, Fold: "Without the disturbed", Tone: doc.Soft},
	)...)
	return doc.Entry{
		Term: cmp.Or(a.Text, a.ID), Tone: doc.Strong, Badge: badge, Opening: a.Sentence.Opening, Items: items,
	}
}

// tallied counts equal texts: "12 equivalent", "3 undecided".
func tallied(texts []string) []string {
	kinds := stats.Grouped(texts, func(text string) string { return text })
	return each(kinds, func(alike []string) string { return figure.Count(int64(len(alike))) + " " + alike[0] })
}

// verdictBadge is the badge of a verdict.
func verdictBadge(v analysis.Verdict) doc.Badge {
	badge := doc.Badge{Text: string(v), Kind: "none"}
	switch v {
	case infer.Higher, infer.Lower, infer.Equivalent, infer.Negligible, infer.Undecided:
		badge.Kind = string(v)
	}
	return badge
}

// wideMost is the largest number of cells for which a page's table has the cost per record and the intervals of
// ratios: a thousand rows must stay short.
const wideMost = 200

// cells is the full table of the primary metric, with its notes.
func (b *builder) cells() *doc.Section {
	s, notes, strips := b.s, &footnotes{}, b.strips()
	columns := b.cellColumns(notes, strips)
	legend := "mean ± half of its 95 % interval over invocations" +
		prefixed("; ", together(s, "the comparison at 95 %")) + "; over " + s.Window
	t := &doc.Table{Explore: "cell cells", Legend: []string{legend}, Columns: columns.Heads()}
	t.Rows = cellRows(s, func(c *analysis.Cell) doc.Row {
		r := cellRow(columns, c)
		if len(c.Marks) > 0 && r.Tone == doc.Plain {
			r.Tone = doc.Warning
		}
		return r
	})
	if b.paged {
		for _, c := range cellsOf(s, func(c *analysis.Cell) bool { return c.Role == results.RoleAA }) {
			notes.number(c) // the caveats of the second baselines, too
		}
		differences := "differences are paired over blocks"
		if b.a.Campaign.Design == results.DesignUnordered {
			differences = "differences are between means"
		}
		drawn := textIf(strips.Head != "", ", drawn with their intervals: right of the line is above the baseline")
		t.Legend = append(t.Legend, differences+drawn)
	}
	sec := &doc.Section{Title: "each cell, " + s.Primary, About: describe(s), Folded: true, Depth: doc.Full}
	sec.Add(t)
	sec.Add(b.selfTestTexts()...)
	if s.Loops.Share != nil {
		text := figure.Percent(*s.Loops.Share) + " of the wall time lay inside the loops, agents' own start-up left out"
		sec.Add(doc.Paragraph{Text: text, Tone: doc.Soft})
	}
	sec.Add(b.chapter("sizing")...)
	sec.Add(notes.paragraphs()...)
	return sec
}

// cellColumns are the columns of the primary metric, with caveats, and pictures of the differences.
func (b *builder) cellColumns(
	notes *footnotes, strips doc.ColumnOf[*analysis.Cell],
) doc.View[*analysis.Cell] {
	s, m, verdicts := b.s, primary(b.s), b.verdicts()
	wide := b.paged && len(s.Cells) > wideMost
	columns := metricColumns(s, m)
	columns[1].Help = "invocations that gave a number"
	if last := &columns[4]; wide { // the column of ratios
		whole := last.Cell
		last.Cell = func(c *analysis.Cell) doc.Cell { return doc.Cell{Text: whole(c).Text, Sort: whole(c).Sort} }
	}
	if slices.ContainsFunc(s.Cells, func(c analysis.Cell) bool { return c.Unadjusted != nil }) {
		columns = append(columns, valid(doc.Column{
			Head: "unadjusted", Number: true, Depth: doc.Full, Rank: 6,
			Help: "the difference from the baseline, not adjusted for the speed of the CPU",
		}, func(c *analysis.Cell) doc.Cell { return doc.Difference(c.Unadjusted, m.Unit) }))
	}
	return append(slices.Insert(columns, 3, strips),
		valid(doc.Column{
			Head: "detectable", Number: true, Depth: doc.Paged,
			Help: "the smallest true difference that such a design finds with 80 % power",
		}, func(c *analysis.Cell) doc.Cell {
			return doc.Quantity(doc.Detectable(metricOf(c, m.Name).Difference), m.Unit)
		}),
		doc.NewColumn(doc.Column{Head: "verdict", Depth: doc.Paged}, func(c *analysis.Cell) doc.Cell {
			return doc.Cell{Text: verdicts[c.ID].Text, Kind: verdicts[c.ID].Kind}
		}),
		doc.NewColumn(doc.Column{Head: "records"}, func(c *analysis.Cell) doc.Cell {
			return doc.Cell{Text: join(c.Outcome.Brief(), notes.number(c)), Marks: otherMarks(c)}
		}),
		valid(doc.Column{Head: "steady state", Rank: 4, Instead: steadyStates(s)}, func(c *analysis.Cell) doc.Cell {
			return doc.Cell{Text: steadyText(c.Steady)}
		}),
		valid(doc.Column{
			Head: "per record", Number: true, Rank: 5,
			Help: "the difference from the baseline, divided by the records that were delivered",
		}, func(c *analysis.Cell) doc.Cell {
			r := doc.Difference(c.PerRecord, m.Unit)
			switch {
			case m.Once || wide:
				return doc.Cell{}
			case c.PerRecord == nil && b.paged:
				r.Remark = c.NoPerRecord
			case c.PerRecord != nil && c.Records != nil && c.Records.Lost > 0:
				r.Below = "per record delivered " + r.String()
			}
			return r
		}),
		doc.NewColumn(doc.Column{Head: "caveats", Rank: 2, Depth: doc.Unpaged}, func(c *analysis.Cell) doc.Cell {
			return doc.Cell{Text: strings.Join(otherMarks(c), ", ")}
		}),
	)
}

// otherMarks are the caveats of a valid cell that its records column does not show.
func otherMarks(c *analysis.Cell) []string {
	other := func(m analysis.Mark) string { return textIf(c.Invalid == "" && m.Show != c.Outcome.Brief(), m.Show) }
	return prose.NonEmpty(each(c.Marks, other)...)
}

// levelsMost is the largest number of A/As of one kind that have a line each on a page.
const levelsMost = 3

// selfTestTexts describe the A/As: each that failed, and the others, many of one kind together.
func (b *builder) selfTestTexts() []doc.Block {
	var all []doc.Block
	for _, kind := range []struct {
		state analysis.AAState
		many  string // words for many
		tone  doc.Tone
	}{
		{analysis.AAFailed, "", doc.Bad},
		{analysis.AATooFew, "too few blocks to say", doc.Warning},
		{analysis.AAResolves, "the equal baselines agree", doc.Good},
	} {
		texts := prose.NonEmpty(each(b.s.AA, func(aa analysis.AA) string {
			return textIf(aa.State == kind.state, aa.Name()+prefixed(" at ", aa.Level)+": "+aa.Text.String())
		})...)
		if n := len(texts); n > levelsMost && kind.many != "" {
			about := kind.many + " at " + textIf(n == len(b.s.AA), "all ") + strconv.Itoa(n) + " levels"
			all = append(all, &doc.Section{
				Title: "A/A", About: about, Tone: kind.tone, Folded: true,
				Blocks: doc.Paragraphs(doc.Paragraph{}, texts...),
			})
		} else {
			all = append(all, doc.Paragraphs(doc.Paragraph{Tone: kind.tone}, texts...)...)
		}
	}
	return all
}

// verdicts are the verdicts on the scenario's own questions about the cost of each cell, by its ID.
func (b *builder) verdicts() map[string]doc.Badge {
	badges := map[string]doc.Badge{}
	for _, a := range b.s.Answers {
		c := b.s.Cell(a.A)
		own := c != nil && !a.Asked && a.B == c.Baseline && a.B != ""
		if own && a.Metric == b.s.Primary && a.Rates == nil && a.Quantile == 0 {
			badges[a.A] = verdictBadge(a.Verdict)
		}
	}
	return badges
}

// otherMetrics are the tables of all metrics but the primary one.
func (b *builder) otherMetrics() []doc.Block {
	s := b.s
	head := &doc.Section{Title: "Resources and other metrics", Silent: true, Depth: doc.Paged}
	if b.paged {
		secondary := "Differences here are secondary: each interval holds at 95 % by itself, not all at once."
		head.Add(b.smalls(), doc.Paragraph{Text: secondary, Tone: doc.Soft})
	}
	all, few := []doc.Block{head}, false
	for _, m := range s.Metrics {
		if m.Name == s.Primary || !observed(s, m.Name) {
			continue
		}
		sec := &doc.Section{Title: m.Name, About: m.About, Folded: true, Depth: doc.Full}
		if b.paged && m.Profile != "" {
			sec.About = strings.TrimPrefix(m.About+"; "+string(m.Profile)+" profile", "; ")
		}
		columns := metricColumns(s, m)
		sec.Add(&doc.Table{Columns: columns.Heads(), Rows: cellRows(s, func(c *analysis.Cell) doc.Row { return cellRow(columns, c) })})
		all = append(all, sec)
		few = few || slices.ContainsFunc(s.Cells, func(c analysis.Cell) bool {
			e := metricOf(&c, m.Name).Mean
			return e != nil && e.N > 1 && e.N < infer.FewInvocations
		})
	}
	if len(all) == 1 {
		return nil
	}
	caption := "in the tables of other metrics: mean ± half of its 95 % interval over invocations; " +
		"each comparison at 95 % by itself, and not together with others" +
		textIf(few, "; with fewer than six invocations they assume normal values, "+
			"which so few can't show")
	captioned := []doc.Block{doc.Paragraph{Text: caption, Tone: doc.Soft}}
	return append(all, &doc.Section{Silent: true, Depth: doc.Full, Blocks: captioned})
}
