package sizing

import (
	"strings"

	"moobench/analysis/caveat"
	"moobench/analysis/chapter"
	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/analysis/rows"
)

// Show says how many blocks were made and why, and which precision that gave: in a section of its own on the
// page, with a table.
func (s *Sizing) Show(at *chapter.Scene) []doc.Block {
	if s == nil {
		return nil
	}
	unit := at.Metric(at.Primary).Unit
	t := &doc.Table{
		Depth: doc.Paged,
		Legend: []string{
			"the half-width of each difference as a share of the cell’s own mean; " +
				"the interval keeps the spread of the pilot where there was one",
		},
		Columns: []doc.Column{
			{Head: "cell"},
			{Head: "half-width", Number: true},
			{Head: "blocks wanted", Number: true},
			{Head: "sd, pilot", Number: true},
			{Head: "sd, all blocks", Number: true},
			{Head: "precision"},
		},
	}
	var reached, missed []string
	for _, r := range s.Reached {
		label, share := at.Label(r.Cell), figure.Level(r.Share)
		text := label + " " + share
		row := doc.Row{Cells: doc.Texts(label, share, "", figure.Quantity(r.PilotSD, unit), figure.Quantity(r.SD, unit), "")}
		if r.PilotSD > 0 && r.SD > 1.5*r.PilotSD { // all blocks vary far more than the pilot did
			text += " (its blocks vary " + figure.Ratio(r.SD/r.PilotSD) + " times as much as its pilot: the pilot was not typical)"
			row.Cells[4].Marks = []string{"unlike its pilot"}
		}
		switch {
		case s.Precision <= 0: // none was wanted
		case r.OK:
			reached, row.Cells[5].Text = append(reached, text), "reached"
		default:
			missed, row.Cells[5] = append(missed, text), doc.Cell{Text: "not reached", Tone: doc.Warning}
		}
		if s.Decision != nil {
			for _, c := range s.Decision.Cells {
				if c.Cell == r.Cell && c.Wanted > 0 {
					row.Cells[2].Text = figure.Count(int64(c.Wanted))
				}
				if c.Cell == r.Cell && c.SetAside {
					row.Cells[5].Text += ", set aside: it needs far more blocks than the others"
				}
			}
		}
		t.Rows = append(t.Rows, row)
	}
	wanted, own := figure.Level(s.Precision), &doc.Section{Title: "Size: how many blocks, and how precise", Depth: doc.Paged}
	own.Add(doc.Paragraph{Text: "size: " + s.Text},
		doc.Paragraph{Text: prose.If(len(reached) > 0, "within %s of their own means: %s", wanted, strings.Join(reached, ", ")), Tone: doc.Soft},
		doc.Paragraph{Text: prose.If(len(missed) > 0, "%s not reached: %s", wanted, strings.Join(missed, ", ")), Tone: doc.Warning}, t)
	if !at.Paged {
		return own.Blocks
	}
	return []doc.Block{own}
}

// Rows is empty: what was reached is in the intervals.
func (s *Sizing) Rows(*chapter.Scene) []rows.Row { return nil }

// Notes is empty: each cell has its own caveats.
func (s *Sizing) Notes() []string { return nil }

// Marks has the caveats of cells that miss the wanted precision, or whose pilot was not typical.
func (s *Sizing) Marks() map[string][]caveat.Mark {
	if s == nil {
		return nil
	}
	return s.marks
}
