package report

import (
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
)

// unlikePilot is how much more all blocks may vary than the pilot did.
const unlikePilot = 1.5

// sizing says how many blocks were made and why, and how precise it came out.
func (p *printer) sizing(s *analysis.Scenario) {
	if s.Sizing == nil {
		return
	}
	p.wrapped(plain, "  ", "size: "+s.Sizing.Text)
	if s.Sizing.Precision <= 0 {
		return
	}
	var reached, missed []string
	for _, r := range s.Sizing.Reached {
		text := labelOf(s, r.Cell) + " " + figure.Level(r.Share)
		if r.PilotSD > 0 && r.SD > unlikePilot*r.PilotSD {
			text += " (its blocks vary " + figure.Ratio(r.SD/r.PilotSD) + " times as much as its pilot: the pilot was not typical)"
		}
		if r.OK {
			reached = append(reached, text)
		} else {
			missed = append(missed, text)
		}
	}
	wanted := figure.Level(s.Sizing.Precision)
	if len(reached) > 0 {
		p.wrapped(dim, "  ", "within "+wanted+" of their own means: "+strings.Join(reached, ", "))
	}
	if len(missed) > 0 {
		p.wrapped(warn, "  ", wanted+" not reached: "+strings.Join(missed, ", "))
	}
}

// labelOf is the label of the cell with this ID.
func labelOf(s *analysis.Scenario, id string) string {
	for i := range s.Cells {
		if s.Cells[i].ID == id {
			return s.Cells[i].Label
		}
	}
	return id
}

// sizeRow is one cell of the plan's size, for the page.
type sizeRow struct {
	Label, Share, PilotSD, SD, Wanted, Verdict string
	OK, Unlike                                 bool
}

func newSizes(s *analysis.Scenario) []sizeRow {
	if s.Sizing == nil {
		return nil
	}
	var rows []sizeRow
	unit := primary(s).Unit
	for _, r := range s.Sizing.Reached {
		row := sizeRow{
			Label: labelOf(s, r.Cell), Share: figure.Level(r.Share), PilotSD: figure.Quantity(r.PilotSD, unit), SD: figure.Quantity(r.SD, unit),
			OK: r.OK, Unlike: r.PilotSD > 0 && r.SD > unlikePilot*r.PilotSD,
		}
		row.Wanted, row.Verdict = wanted(s, r)
		rows = append(rows, row)
	}
	return rows
}

// wanted is how many blocks the pilot asked for, and what became of it.
func wanted(s *analysis.Scenario, r analysis.Reached) (blocks, verdict string) {
	if s.Sizing.Precision > 0 {
		verdict = "not reached"
		if r.OK {
			verdict = "reached"
		}
	}
	if s.Sizing.Decision == nil {
		return "", verdict
	}
	for _, c := range s.Sizing.Decision.Cells {
		if c.Cell != r.Cell {
			continue
		}
		if c.Wanted > 0 {
			blocks = figure.Count(int64(c.Wanted))
		}
		if c.SetAside {
			verdict += ", set aside: it needs far more blocks than the others"
		}
	}
	return blocks, verdict
}
