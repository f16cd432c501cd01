package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/replication"
	"moobench/analysis/report/doc"
)

// WriteReplication prints a paper beside a campaign of ours in a format of documents.
func WriteReplication(w io.Writer, format string, r *replication.Replication, o Options) error {
	return WriteDocument(w, format, r, func(bool) *doc.Document { return replicated(r) }, o)
}

// replicated is the document of a replication. What a campaign that was shortened
// says, every part of it repeats.
func replicated(r *replication.Replication) *doc.Document {
	remark := scaleRemark(r.Scale)
	d := &doc.Document{Title: r.Paper + remark, Inset: true}
	d.Add(doc.Paragraph{Text: r.Source, Tone: doc.Soft})
	ours := strings.Join(slices.Concat([]string{r.Campaign}, r.Machines, jdks(r.Runtimes)), " · ")
	d.Add(doc.Paragraph{Text: when(r.Campaign != "", "ours: "+ours)})
	d.Add(general(doc.Bad, behind("incomplete: ", r.Unanswered)...)...)
	d.Add(general(doc.Warning, r.Warnings...)...)
	d.Add(each(r.Tables, func(t replication.Beside) doc.Block { return beside(t, remark) })...)
	d.Add(recomputed(r, remark))
	d.Add(claims(r, remark)...)
	return d
}

// claims are the paper's claims with our verdicts, and behind them those that it does not make.
func claims(r *replication.Replication, remark string) []doc.Block {
	theirs, own := &doc.Entries{}, &doc.Entries{}
	for _, j := range r.Claims {
		list := theirs
		if j.Own {
			list = own
		}
		list.Items = append(list.Items, doc.Entry{
			Term: j.Text + bracketed(j.Where), Badge: doc.Badge{Text: settledWord(j.Verdict)},
			Opening: strings.ToUpper(settledWord(j.Verdict)) + bracketed(j.Detectable) + scaleRemark(j.Scale),
			Items:   append([]doc.Paragraph{{Text: j.Reason}}, paragraphs(doc.Paragraph{Text: j.Note, Tone: doc.Soft})...),
		})
	}
	about := when(len(theirs.Items) > 1, "each is judged by itself")
	all := []doc.Block{&doc.Section{ID: "claims", Title: "claims" + remark, About: about, Blocks: []doc.Block{theirs}}}
	if len(own.Items) > 0 {
		title := "claims of ours, which the paper does not make" + remark
		all = append(all, &doc.Section{ID: "own-claims", Title: title, Blocks: []doc.Block{own}})
	}
	return all
}

// settledWord is the verdict on a claim as the report has it.
func settledWord(v infer.Settlement) string {
	return cmp.Or(when(v == infer.CannotDecide, "cannot be decided"), string(v))
}

// scaleRemark is what every part of the output of a shortened campaign says.
func scaleRemark(scale float64) string {
	return when(scale != 0, " · shortened to "+formatG(scale, -1))
}

// beside is a printed table with ours beside it: for each column its figures as
// printed, ours in the same arithmetic, and ours over invocations.
func beside(t replication.Beside, remark string) *doc.Section {
	sec := &doc.Section{ID: t.ID, Title: t.Title + when(t.Unit != "1", ", "+t.Unit) + remark}
	sec.Add(doc.Paragraphs(doc.Paragraph{Tone: doc.Soft}, "printed: "+t.Source, t.Note)...)
	names := replication.Statistics()
	table := &doc.Table{Paper: true, Joined: true, Columns: []doc.Column{{Head: "column"}, {Head: "figures", Short: " "}}}
	table.Columns = append(table.Columns, numberColumns(names...)...)
	for _, c := range t.Columns {
		for _, row := range []struct {
			whose   string
			figures map[string]replication.Number
			doubts  map[string]string
		}{{"printed", c.Printed, c.Doubts}, {"ours, same arithmetic", c.Ours, nil}} {
			if len(row.figures) == 0 {
				continue
			}
			figures := each(names, func(name string) string {
				return row.figures[name].Text + when(row.doubts[name] != "" && row.figures[name].Text != "", " ?")
			})
			table.Rows = append(table.Rows, doc.Row{Cells: doc.Texts(append([]string{c.Title, row.whose}, figures...)...)})
		}
	}
	sec.Add(table)
	sec.Add(doc.Paragraphs(doc.Paragraph{}, each(t.Columns, ownMethod)...)...)
	for _, c := range t.Columns {
		for _, name := range names {
			sec.Add(doc.Paragraph{Mark: "?", Text: prefixed(c.Title+", "+name+" "+c.Printed[name].Text+": ", c.Doubts[name])})
		}
	}
	return sec
}

// ownMethod is what our own method says of a column, over invocations.
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
		e, unit = rateOf(r), perMillionUnit
	}
	switch {
	case e == nil:
		return ""
	case e.Interval == nil:
		return fmt.Sprintf("%s%s: %s, n = %d: no interval", column, over, figure.Quantity(e.Value, unit), e.N)
	}
	return fmt.Sprintf("%s%s: %s (%s), n = %d", column, over, figure.Quantity(e.Value, unit), figure.Range(e.Interval.Low, e.Interval.High, unit), e.N)
}

// recomputed is what follows from the printed figures alone; notes follow by number.
func recomputed(r *replication.Replication, remark string) *doc.Section {
	sec := &doc.Section{ID: "recomputed", Title: "recomputed from the printed figures alone" + remark}
	table := &doc.Table{Paper: true, Columns: []doc.Column{{Head: "check"}, {Head: "note", Short: " "}, {Head: "printed", Number: true}, {Head: "recomputed", Number: true}, {Head: "follows?"}}}
	if r.Campaign != "" {
		table.Columns = append(table.Columns, doc.Column{Head: "from ours", Number: true})
	}
	var notes []doc.Block
	for _, c := range r.Checks {
		mark, printed := "", "–"
		if remarks := nonEmpty(c.Wrong, c.Note, prefixed("none from ours: ", c.NoOurs)); len(remarks) > 0 {
			mark = fmt.Sprintf("[%d]", len(notes)+1)
			notes = append(notes, doc.Paragraph{Mark: mark, Text: strings.Join(remarks, "; ")})
		}
		if c.Printed != nil {
			printed = c.Printed.Text
		}
		name, mark := c.Name+bracketed(c.Where), mark+when(c.Wrong != "", " !")
		row := doc.Row{Cells: doc.Texts(name, mark, printed, c.Text, string(c.Follows))}
		if r.Campaign != "" {
			ours := optional(c.Ours, func(v float64) string { return formatG(v, 6) })
			row.Cells = append(row.Cells, doc.Cell{Text: cmp.Or(ours, when(c.Never, "never"), when(c.NoOurs != "", "none"))})
		}
		table.Rows = append(table.Rows, row)
	}
	sec.Add(append([]doc.Block{table}, notes...)...)
	return sec
}
