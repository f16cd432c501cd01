package sizing

import (
	"strings"

	"moobench/analysis/caveat"
	"moobench/analysis/chapter"
	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/analysis/rows"
	"moobench/results"
)

// Show says how many blocks were made and why, and which precision that gave: in a section of its own on the
// page, with a table.
func (s *Sizing) Show(at *chapter.Scene) []doc.Block {
	if s == nil {
		return nil
	}
	var reached, missed []string
	for _, r := range s.Reached {
		text := at.Label(r.Cell) + " " + figure.Level(r.Share)
		if r.atypical() {
			text += " (its blocks vary " + figure.Ratio(r.SD/r.PilotSD) +
				" times as much as its pilot: the pilot was not typical)"
		}
		switch {
		case s.Precision <= 0: // none was wanted
		case r.OK:
			reached = append(reached, text)
		default:
			missed = append(missed, text)
		}
	}
	t := s.columns(at).Table(s.Reached)
	t.Depth = doc.Paged
	t.Legend = []string{
		"the half-width of each difference as a share of the cell’s own mean; " +
			"the interval keeps the spread of the pilot where there was one",
	}
	wanted, own := figure.Level(s.Precision), &doc.Section{Title: "Size: how many blocks, and how precise", Depth: doc.Paged}
	own.Add(
		doc.Paragraph{Text: "size: " + s.Text},
		doc.Paragraph{
			Text: prose.If(len(reached) > 0, "within %s of their own means: %s", wanted, strings.Join(reached, ", ")),
			Tone: doc.Soft,
		},
		doc.Paragraph{
			Text: prose.If(len(missed) > 0, "%s not reached: %s", wanted, strings.Join(missed, ", ")),
			Tone: doc.Warning,
		},
		t)
	if !at.Paged {
		return own.Blocks
	}
	return []doc.Block{own}
}

// columns show a cell in the table.
func (s *Sizing) columns(at *chapter.Scene) doc.View[Reached] {
	unit := at.Metric(at.Primary).Unit
	return doc.View[Reached]{
		doc.TextColumn("cell", func(r Reached) string { return at.Label(r.Cell) }),
		doc.NumberColumn("half-width", func(r Reached) string { return figure.Level(r.Share) }),
		doc.NumberColumn("blocks wanted", func(r Reached) string {
			wanted := s.decided(r).Wanted
			return prose.If(wanted > 0, "%s", figure.Count(int64(wanted)))
		}),
		doc.NumberColumn("sd, pilot", func(r Reached) string { return figure.Quantity(r.PilotSD, unit) }),
		doc.NewColumn(doc.Column{Head: "sd, all blocks", Number: true}, func(r Reached) doc.Cell {
			c := doc.Cell{Text: figure.Quantity(r.SD, unit)}
			if r.atypical() {
				c.Marks = []string{"unlike its pilot"}
			}
			return c
		}),
		doc.NewColumn(doc.Column{Head: "precision"}, func(r Reached) doc.Cell {
			var c doc.Cell
			switch {
			case s.Precision <= 0: // none was wanted
			case r.OK:
				c.Text = "reached"
			default:
				c = doc.Cell{Text: "not reached", Tone: doc.Warning}
			}
			c.Text += prose.If(s.decided(r).SetAside, ", set aside: it needs far more blocks than the others")
			return c
		}),
	}
}

// decided returns the pilot's decision about a cell; zero without a pilot.
func (s *Sizing) decided(r Reached) (c results.CellSize) {
	if s.Decision == nil {
		return c
	}
	if found := results.Find(s.Decision.Cells, func(c *results.CellSize) bool { return c.Cell == r.Cell }); found != nil {
		return *found
	}
	return c
}

// atypical reports whether all blocks vary far more than the pilot did.
func (r Reached) atypical() bool { return r.PilotSD > 0 && r.SD > notTypical*r.PilotSD }

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
