package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
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
	add := func(mark, text string, tone doc.Tone) {
		d.Blocks = append(d.Blocks, doc.Paragraph{Mark: mark, Text: text, Tone: tone, General: mark != ""})
	}
	add("", r.Source, doc.Soft)
	if r.Campaign != "" {
		ours := slices.Concat([]string{r.Campaign}, r.Machines, jdks(r.Runtimes))
		add("", "ours: "+strings.Join(ours, " · "), doc.Plain)
	}
	for _, text := range r.Unanswered {
		add("!", "incomplete: "+text, doc.Bad)
	}
	for _, text := range r.Warnings {
		add("!", text, doc.Warning)
	}
	for _, t := range r.Tables {
		d.Blocks = append(d.Blocks, beside(t, remark))
	}
	if len(r.Checks) > 0 {
		d.Blocks = append(d.Blocks, recomputed(r, remark))
	}
	if len(r.Claims) == 0 {
		return d
	}
	claims := &doc.Entries{}
	for _, j := range r.Claims {
		opening := strings.ToUpper(settledWord(j.Verdict))
		if j.Detectable != "" {
			opening += " (" + j.Detectable + ")"
		}
		e := doc.Entry{Term: j.Text + " (" + j.Where + ")", Badge: doc.Badge{Text: settledWord(j.Verdict)}, Opening: opening + scaleRemark(j.Scale), Items: []doc.Paragraph{{Text: j.Because}}}
		if j.Note != "" {
			e.Items = append(e.Items, doc.Paragraph{Text: j.Note, Tone: doc.Soft})
		}
		claims.Items = append(claims.Items, e)
	}
	d.Blocks = append(d.Blocks, &doc.Section{ID: "claims", Title: "claims" + remark, Blocks: []doc.Block{claims}})
	return d
}

// settledWord is the verdict on a claim as the report has it.
func settledWord(v infer.Settlement) string {
	if v == infer.CannotDecide {
		return "cannot be decided"
	}
	return string(v)
}

// scaleRemark is what every part of the output of a shortened campaign says.
func scaleRemark(scale float64) string {
	if scale == 0 {
		return ""
	}
	return " · shortened to " + strconv.FormatFloat(scale, 'g', -1, 64)
}

// beside is a printed table with ours beside it: for each column its figures as
// printed, ours in the same arithmetic, and ours over invocations.
func beside(t replication.Beside, remark string) *doc.Section {
	sec := &doc.Section{ID: t.ID, Title: t.Title + ", " + t.Unit + remark}
	for _, text := range said("printed: "+t.Source, t.Note) {
		sec.Add(doc.Paragraph{Text: text, Tone: doc.Soft})
	}
	names := replication.Statistics()
	table := &doc.Table{Paper: true, Joined: true, Columns: []doc.Column{{Head: "column"}, {Head: "figures", Short: " "}}}
	for _, name := range names {
		table.Columns = append(table.Columns, doc.Column{Head: name, Number: true})
	}
	for _, c := range t.Columns {
		for _, of := range []struct {
			whose   string
			figures map[string]replication.Number
			doubts  map[string]string
		}{{"printed", c.Printed, c.Doubts}, {"ours, same arithmetic", c.Ours, nil}} {
			if len(of.figures) == 0 {
				continue
			}
			r := doc.Row{Cells: doc.Texts(c.Title, of.whose)}
			for _, name := range names {
				text := of.figures[name].Text
				if of.doubts[name] != "" && text != "" {
					text += " ?"
				}
				r.Cells = append(r.Cells, doc.Cell{Text: text})
			}
			table.Rows = append(table.Rows, r)
		}
	}
	sec.Add(table)
	for _, c := range t.Columns {
		if text := ownMethod(c); text != "" {
			sec.Add(doc.Paragraph{Text: text})
		}
	}
	for _, c := range t.Columns {
		for _, name := range names {
			if why := c.Doubts[name]; why != "" {
				sec.Add(doc.Paragraph{Mark: "?", Text: c.Title + ", " + name + " " + c.Printed[name].Text + ": " + why})
			}
		}
	}
	return sec
}

// ownMethod is what our own method says of a column, over invocations.
func ownMethod(c replication.ColumnPair) string {
	who := c.Title
	if c.Variant != "" {
		who += " (" + c.Variant + ")"
	}
	switch e, r := c.Mean, c.Rate; {
	case c.NoOurs != "":
		return who + ": no figures of ours: " + c.NoOurs
	case r != nil && r.Interval != nil:
		return fmt.Sprintf("%s, over invocations: %s (%s), n = %d", who, figure.Quantity(r.PerMillion, "per million"), figure.Range(r.Interval.Low, r.Interval.High, "per million"), r.N)
	case e != nil && e.Interval != nil:
		return fmt.Sprintf("%s, over invocations: %s (%s), n = %d", who, figure.Quantity(e.Value, c.MeanUnit), figure.Range(e.Interval.Low, e.Interval.High, c.MeanUnit), e.N)
	case e != nil:
		return fmt.Sprintf("%s, over invocations: %s, n = %d: no interval", who, figure.Quantity(e.Value, c.MeanUnit), e.N)
	}
	return ""
}

// recomputed is what follows from the printed figures alone; notes follow by number.
func recomputed(r *replication.Replication, remark string) *doc.Section {
	sec := &doc.Section{ID: "recomputed", Title: "recomputed from the printed figures alone" + remark}
	table := &doc.Table{Paper: true, Columns: []doc.Column{{Head: "check"}, {Head: "note", Short: " "}, {Head: "printed", Number: true}, {Head: "recomputed", Number: true}, {Head: "follows?"}}}
	if r.Campaign != "" {
		table.Columns = append(table.Columns, doc.Column{Head: "from ours", Number: true})
	}
	var notes []doc.Block
	for i := range r.Checks {
		c := &r.Checks[i]
		name, mark, printed := c.Name, "", "–"
		if c.Where != "" {
			name += " (" + c.Where + ")"
		}
		remarks := said(c.Wrong, c.Note, behind("none from ours: ", c.NoOurs))
		if len(remarks) > 0 {
			mark = fmt.Sprintf("[%d]", len(notes)+1)
			notes = append(notes, doc.Paragraph{Mark: mark, Text: strings.Join(remarks, "; ")})
		}
		if c.Printed != nil {
			printed = c.Printed.Text
		}
		if c.Wrong != "" {
			mark += " !"
		}
		row := doc.Row{Cells: doc.Texts(name, mark, printed, c.Text, string(c.Follows))}
		if r.Campaign != "" {
			ours := ""
			if c.Ours != nil {
				ours = formatG(*c.Ours, 6)
			} else if c.NoOurs != "" {
				ours = "none"
			}
			row.Cells = append(row.Cells, doc.Cell{Text: ours})
		}
		table.Rows = append(table.Rows, row)
	}
	sec.Blocks = append([]doc.Block{table}, notes...)
	return sec
}
