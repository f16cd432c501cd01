package records

import (
	"cmp"
	"slices"

	"moobench/analysis/chapter"
	"moobench/analysis/figure"
	"moobench/analysis/proof"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/analysis/rows"
	"moobench/results"
)

// Outcomes say what became of the records of each cell, by its ID.
type Outcomes map[string]Outcome

// Show says on a page whether each cell was monitored, and what became of its records.
func (all Outcomes) Show(at *chapter.Scene) []doc.Block {
	if !at.Paged {
		return nil
	}
	t := &doc.Table{
		Columns: slices.Concat(doc.TextColumns("cell", "proof"),
			doc.NumberColumns("expected", "received", "only after the loop"), doc.TextColumns("verdict", "why")),
	}
	for _, c := range at.Cells {
		if o := all[c.Cell]; o.Records != nil {
			t.Rows = append(t.Rows, o.row(c.Label))
		}
	}
	return []doc.Block{&doc.Section{
		Title:  "Records: was it monitored, and what became of it",
		Folded: true,
		Depth:  doc.Paged,
		Blocks: []doc.Block{t},
	}}
}

// row is a cell with records in the table.
func (o *Outcome) row(label string) doc.Row {
	r, expected, received, deferred := o.Records, "–", "–", ""
	if r.Invocations > 0 {
		expected, received = figure.Count(r.Expected), figure.Count(r.Received)
		deferred = doc.Optional(r.Deferred, figure.Percent)
	}
	text := r.Text
	if q := o.Queue; q != nil {
		text += ". Its queue holds " + figure.Count(q.Length) + " records; the window made " +
			figure.Count(q.Produced) + prose.If(!q.Enough, ", too few to show its cost")
	}
	proven := string(r.Proof) + prose.If(r.Source != "", " (%s)", r.Source)
	return doc.Row{Cells: doc.Texts(label, proven, expected, received, deferred, string(r.Verdict), text)}
}

// Brief is the outcome in a column beside numbers; "" if it goes without saying.
func (o *Outcome) Brief() string {
	r := o.Records
	switch {
	case r == nil:
		return ""
	case r.Verdict == proof.NotInstrumented:
		return "none"
	case r.Verdict == proof.NotProven, r.Verdict == proof.Nothing:
		return string(r.Verdict)
	case r.Proof == results.ProofSibling:
		return "sibling"
	case r.Proof == results.ProofZero:
		return cmp.Or(prose.If(r.Received == 0, "none due"), figure.Count(r.Received)+" of 0")
	case r.Expected == 0:
		return ""
	}
	return figure.Share(r.Received, r.Expected)
}

// Rows is empty: exports have records beside the numbers of their cells.
func (all Outcomes) Rows(*chapter.Scene) []rows.Row { return nil }
