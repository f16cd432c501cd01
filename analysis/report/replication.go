package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/analysis/replication"
	"moobench/analysis/report/doc"
	"moobench/analysis/rows"
)

// WriteReplication prints a paper beside a campaign of ours in a format of documents.
func WriteReplication(w io.Writer, format string, r *replication.Replication, o Options) error {
	o.EChartsJS = nil // its pictures stand beside printed ones, and are static like them
	return WriteDocument(w, format, r, func(paged bool) *doc.Document { return replicated(r, paged) }, o)
}

// replicated is the document of a replication: the verdicts, which a terminal prints last, then the printed
// figures, with ours beside them.
func replicated(r *replication.Replication, paged bool) *doc.Document {
	d := &doc.Document{Title: r.Paper + textIf(r.Scale != 0, " · shortened to "+formatG(r.Scale, -1)), Inset: true}
	d.Add(doc.Paragraph{Text: r.Source, Tone: doc.Soft})
	ours := strings.Join(slices.Concat([]string{r.Campaign}, r.Machines, jdks(r.Runtimes)), " · ")
	d.Add(doc.Paragraph{Text: textIf(r.Campaign != "", "ours: "+ours)})
	reservations := append(general(doc.Bad, behind("incomplete: ", r.Unanswered)...),
		general(doc.Warning, r.Warnings...)...)
	if paged {
		lack := figure.Plural(len(r.Unanswered), "cell has", "cells have") + " no answer: why stands below the verdicts"
		d.Add(general(doc.Bad, textIf(len(r.Unanswered) > 0, "incomplete: "+lack))...)
		d.Add(claims(r, paged)...)
		d.Add(&doc.Section{ID: "reservations", Title: "what is to be read with care", Blocks: reservations})
	} else {
		d.Add(reservations...)
		d.Add(claims(r, paged)...)
	}
	p := pictures{r: r, paged: paged, drawn: map[string]bool{}}
	for i, t := range r.Tables {
		sec := beside(t)
		last := i == len(r.Tables)-1 || r.Tables[i+1].Scenario != t.Scenario
		if paged && last && t.Scenario != "" {
			sec.Add(p.overheads(t.Scenario))
		}
		d.Add(sec)
		if last {
			d.Add(p.of(t.Scenario)...)
		}
	}
	for _, f := range r.Figures {
		d.Add(p.of(f.Scenario)...)
	}
	d.Add(recomputed(r))
	return d
}

// pictures draws those of our campaign, each once, in place of printed ones.
type pictures struct {
	r     *replication.Replication
	paged bool
	drawn map[string]bool // scenarios
}

// builder makes parts of the report of a scenario; nil if the campaign has none of that label.
func (p *pictures) builder(scenario string) *builder {
	if p.r.Answers == nil {
		return nil
	}
	for i := range p.r.Answers.Scenarios {
		if s := &p.r.Answers.Scenarios[i]; s.Label == scenario {
			return newBuilder(p.r.Answers, s, "s"+strconv.Itoa(i), p.paged)
		}
	}
	return nil
}

// overheads draws the costs of a scenario's variants.
func (p *pictures) overheads(scenario string) *doc.Figure {
	b := p.builder(scenario)
	if b == nil || len(b.s.Cells) > drawnMost {
		return nil
	}
	return b.picture()
}

// of are the printed pictures of a scenario with ours, unless they were drawn before.
func (p *pictures) of(scenario string) []doc.Block {
	if p.drawn[scenario] {
		return nil
	}
	p.drawn[scenario] = true
	var all []doc.Block
	for _, f := range p.r.Figures {
		if f.Scenario != scenario {
			continue
		}
		sec := &doc.Section{ID: f.ID, Title: f.Title}
		sec.Add(doc.Paragraphs(doc.Paragraph{Tone: doc.Soft}, "printed: "+f.Source, f.Note)...)
		drawn := p.draw(f)
		sec.Add(drawn...)
		switch {
		case f.NoOurs != "":
			sec.Add(doc.Paragraph{Text: "no picture of ours: " + f.NoOurs})
		case len(drawn) == 0 && !p.paged:
			sec.Add(doc.Paragraph{
				Text: "ours is on the page: moobench replicate --report DIR --format html",
				Tone: doc.Soft,
			})
		case len(drawn) == 0:
			sec.Add(doc.Paragraph{Text: "no picture of ours: the campaign has nothing to draw it from"})
		}
		all = append(all, sec)
	}
	return all
}

// draw is our picture in place of a printed one, with its numbers; documents that are no page only have those
// of growth.
func (p *pictures) draw(f replication.Pictured) []doc.Block {
	b := p.builder(f.Scenario)
	if b == nil || f.NoOurs != "" || !p.paged && f.Shows != replication.ShowsGrowth {
		return nil
	}
	var all doc.Section
	switch f.Shows {
	case replication.ShowsCalls:
		all.Add(b.chapter("distributions")...)
	case replication.ShowsCourse:
		if all.Add(b.s.Loads.Drawn(b.s.Scene(b.id, b.paged))); all.Blocks == nil {
			all.Add(b.traces())
		}
	case replication.ShowsGrowth:
		all.Add(f.Growths.Show(b.s.Scene(b.id, b.paged))...)
		atBrief(all.Blocks)
	case replication.ShowsLost:
		for _, l := range b.lost() {
			all.Add(l)
		}
	}
	return all.Blocks
}

// atBrief shows the tables of sections to every reader.
func atBrief(sections []doc.Block) {
	for _, b := range sections {
		switch b := b.(type) {
		case *doc.Section:
			atBrief(b.Blocks)
		case *doc.Table:
			b.Depth = doc.Brief
		}
	}
}

// claims are the paper's claims with our verdicts, followed by claims of our own.
func claims(r *replication.Replication, paged bool) []doc.Block {
	theirs, own := &doc.Entries{}, &doc.Entries{}
	var verdicts []string
	for _, j := range r.Claims {
		list := own
		if !j.Own {
			list, verdicts = theirs, append(verdicts, string(j.Verdict))
		}
		e := doc.Entry{
			Term: j.Text + bracketed(j.Where), Badge: doc.Badge{Text: string(j.Verdict)},
			Opening: strings.ToUpper(string(j.Verdict)) + bracketed(j.Detectable),
			Items: append([]doc.Paragraph{{Text: j.Reason}},
				paragraphs(doc.Paragraph{Text: j.Note, Tone: doc.Soft})...),
		}
		if paged { // there the badge is the verdict
			e.Opening, e.Items[0].Text = "", j.Reason+bracketed(j.Detectable)
		}
		list.Items = append(list.Items, e)
	}
	about := textIf(len(verdicts) > 1,
		figure.Count(int64(len(verdicts)))+" of them, each judged by itself: "+strings.Join(tallied(verdicts), ", "))
	all := []doc.Block{&doc.Section{ID: "claims", Title: "claims", About: about, Last: 1, Blocks: []doc.Block{theirs}}}
	if len(own.Items) > 0 {
		all = append(all, &doc.Section{
			ID:     "own-claims",
			Title:  "claims of ours, which the paper does not make",
			Last:   2,
			Blocks: []doc.Block{own},
		})
	}
	return all
}

// beside is a printed table with ours beside it: for each column its figures as printed, ours in the same
// arithmetic, and ours over invocations.
func beside(t replication.Beside) *doc.Section {
	sec := &doc.Section{ID: t.ID, Title: t.Title + textIf(t.Unit != "1", ", "+t.Unit)}
	sec.Add(doc.Paragraphs(doc.Paragraph{Tone: doc.Soft}, "printed: "+t.Source, t.Note)...)
	names := replication.Statistics()
	table := &doc.Table{
		Paper:   true,
		Joined:  true,
		Columns: []doc.Column{{Head: "column"}, {Head: "figures", Short: " "}},
	}
	table.Columns = append(table.Columns, doc.NumberColumns(names...)...)
	for _, c := range t.Columns {
		for _, row := range []struct {
			whose   string
			figures map[string]replication.Number
			doubts  map[string]string
		}{
			{"printed", c.Printed, c.Doubts},
			{"ours, same arithmetic" + textIf(c.Speed != nil, ", as they ran"), c.Ours, nil},
		} {
			if len(row.figures) == 0 {
				continue
			}
			figures := each(names, func(name string) string {
				return row.figures[name].Text + textIf(row.doubts[name] != "" && row.figures[name].Text != "", " ?")
			})
			table.Rows = append(table.Rows, doc.Row{
				Cells: doc.Texts(append([]string{c.Title, row.whose}, figures...)...),
			})
		}
	}
	sec.Add(table)
	sec.Add(doc.Paragraphs(doc.Paragraph{}, each(t.Columns, ownMethod)...)...)
	for _, c := range t.Columns {
		for _, name := range names {
			sec.Add(doc.Paragraph{
				Mark: "?",
				Text: prefixed(c.Title+", "+name+" "+c.Printed[name].Text+": ", c.Doubts[name]),
			})
		}
	}
	return sec
}

// ownMethod is our own result for a column, over invocations.
func ownMethod(c replication.ColumnPair) string {
	column := c.Title + bracketed(c.Variant)
	if c.NoOurs != "" {
		return column + ": no figures of ours: " + c.NoOurs
	}
	e, unit, over := c.Mean, c.MeanUnit, ", over invocations"
	if c.Speed != nil {
		over += ", at one speed of the CPU"
	}
	if r := c.Rate; r != nil && r.Interval != nil {
		e, unit = rows.RateOf(r), rows.PerMillion
	}
	switch {
	case e == nil:
		return ""
	case e.Interval == nil:
		return fmt.Sprintf("%s%s: %s, n = %d: no interval", column, over, figure.Quantity(e.Value, unit), e.N)
	}
	return fmt.Sprintf("%s%s: %s (%s), n = %d",
		column, over, figure.Quantity(e.Value, unit), figure.Range(e.Interval.Low, e.Interval.High, unit), e.N)
}

// noneFromOurs begins the reason why a check has no number of ours.
func noneFromOurs(c replication.Recomputed) string {
	return map[bool]string{true: "by ours ", false: "none from ours: "}[c.Never]
}

// recomputed has the results that follow from the printed figures alone, with numbered notes.
func recomputed(r *replication.Replication) *doc.Section {
	sec := &doc.Section{ID: "recomputed", Title: "recomputed from the printed figures alone"}
	table := &doc.Table{
		Paper: true,
		Columns: []doc.Column{
			{Head: "check"},
			{Head: "note", Short: " "},
			{Head: "printed", Number: true},
			{Head: "recomputed", Number: true},
			{Head: "follows?"},
		},
	}
	if r.Campaign != "" {
		table.Columns = append(table.Columns, doc.Column{Head: "from ours", Number: true})
	}
	var notes []doc.Block
	for _, c := range r.Checks {
		mark, printed := "", "–"
		if remarks := prose.NonEmpty(c.Wrong, c.Note, prefixed(noneFromOurs(c), c.NoOurs)); len(remarks) > 0 {
			mark = fmt.Sprintf("[%d]", len(notes)+1)
			notes = append(notes, doc.Paragraph{Mark: mark, Text: strings.Join(remarks, "; ")})
		}
		if c.Printed != nil {
			printed = c.Printed.Text
		}
		name, mark := c.Name+bracketed(c.Where), mark+textIf(c.Wrong != "", " !")
		row := doc.Row{Cells: doc.Texts(name, mark, printed, c.Text, string(c.Follows))}
		if r.Campaign != "" {
			ours := doc.Optional(c.Ours, func(v float64) string { return formatG(v, 6) })
			row.Cells = append(row.Cells, doc.Cell{
				Text: cmp.Or(ours, textIf(c.Never, "never"), textIf(c.NoOurs != "", "none")),
			})
		}
		table.Rows = append(table.Rows, row)
	}
	sec.Add(append([]doc.Block{table}, notes...)...)
	return sec
}
