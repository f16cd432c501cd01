package analysis

import "moobench/results"

// The stages with fixed meanings; any other is a framework's own output.
const (
	stageDisabled = "disabled"
	stageInactive = "inactive"
	stageCollect  = "collect"
	stageRemoved  = "removed"
	modeManual    = "manual"
	modeList      = "list"
)

// parts are what contrasts are made of, by name.
func parts() map[string]string {
	return map[string]string{
		"I":     "asking whether the probe is active",
		"C":     "collecting the record",
		"W":     "writing or sending the record",
		"I+C":   "asking and collecting: nothing here tells them apart",
		"C+W":   "collecting and writing: nothing here tells them apart",
		"I+C+W": "asking, collecting and writing: nothing here tells them apart",
	}
}

// contrasts splits what a framework costs into its parts: I, C and W fall out
// as differences of cells that differ by one stage (Flaig 2014; Waller 2014).
// They are parts of what a call costs: a time that is paid once has none.
func (r *reader) contrasts(cells []Cell) []Contrast {
	if m := r.primary(); m != nil && (m.Once || m.Series == results.SeriesRequest) {
		return nil // of a change, and of a request whose probe is switched on and off, there are no such parts
	}
	var found []Contrast
	for i := range cells {
		a := &cells[i]
		if a.Role != results.RoleVariant || a.Mode == "" || a.Stage == "" || a.Stage == stageDisabled || a.Stage == stageRemoved {
			continue
		}
		name, b := part(cells, a)
		found = append(found, r.contrast(name, a, b))
	}
	return found
}

// part names what a cell has more than its nearest lower stage of the same
// framework, mode and level, and finds that cell.
func part(cells []Cell, a *Cell) (name string, b *Cell) {
	none, inactive, collect := &Cell{ID: a.Baseline}, sibling(cells, a, stageInactive), sibling(cells, a, stageCollect)
	checks := a.Mode == modeManual || a.Mode == modeList // compiled in, it always asks first
	switch a.Stage {
	case stageInactive:
		return "I", none
	case stageCollect:
		switch {
		case inactive != nil:
			return "C", inactive
		case checks:
			return "I+C", none
		}
		return "C", none
	}
	switch {
	case collect != nil:
		return "W", collect
	case inactive != nil:
		return "C+W", inactive
	case checks:
		return "I+C+W", none
	}
	return "C+W", none
}

func sibling(cells []Cell, a *Cell, stage string) *Cell {
	for i := range cells {
		c := &cells[i]
		if c.Framework == a.Framework && c.Mode == a.Mode && c.Level == a.Level && c.Stage == stage && c.Role == results.RoleVariant {
			return c
		}
	}
	return nil
}

// contrast is the paired difference of two cells in the primary metric.
func (r *reader) contrast(name string, a, b *Cell) Contrast {
	c := Contrast{
		Name: name, About: parts()[name], Framework: a.Framework, Mode: a.Mode, Stage: a.Stage, Level: a.Level, A: a.ID, B: b.ID,
	}
	m := r.primary()
	for _, id := range []string{a.ID, b.ID} {
		if why := r.void[id]; why != "" {
			c.Absent = r.campaign.Cell(id).Label() + " is " + why
		}
	}
	if c.Absent == "" && m != nil {
		of := r.compare(r.values(a.ID, *m), b.ID, *m, 1)
		c.Estimate, c.Absent = of.Difference, of.NoDifference
	}
	return c
}
