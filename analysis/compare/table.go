package compare

import (
	"fmt"
	"slices"

	"moobench/analysis"
	"moobench/results"
)

// table holds the campaigns with their cells matched.
type table struct {
	answers  []*analysis.Answers
	columns  []column
	sections []section
	only     []Only
}

// column is one campaign, with the observed conditions of its cells.
type column struct {
	title    string
	answers  *analysis.Answers
	observed map[string]observed // by cell ID
}

// section is a scenario that the first campaign shares with another.
type section struct {
	label     string
	scenarios []*analysis.Scenario // nil if a campaign has no such scenario
	cells     []matched            // in the first campaign and another
}

// matched is one cell of all campaigns.
type matched struct {
	label string
	sides []*side // nil if a campaign has no such cell
}

// side is a cell in one campaign.
type side struct {
	scenario *analysis.Scenario
	cell     *analysis.Cell
	observed observed
	// unordered: its campaign has no pairs.
	unordered bool
}

func newTable(as []*analysis.Answers) *table {
	t := &table{answers: as}
	var labels []string // of all scenarios, the first campaign's first
	for i, a := range as {
		title := string(rune('A' + i))
		if len(as) == 2 {
			title = []string{"old", "new"}[i]
		}
		t.columns = append(t.columns, column{title, a, observe(a)})
		for _, s := range a.Scenarios {
			if !slices.Contains(labels, s.Label) {
				labels = append(labels, s.Label)
			}
		}
	}
	for _, label := range labels {
		t.match(label)
	}
	return t
}

// cells returns the number of compared cells.
func (t *table) cells() int {
	n := 0
	for _, s := range t.sections {
		n += len(s.cells)
	}
	return n
}

// match matches the cells of one scenario. Cells in the first campaign and another are compared;
// cells missing from some campaign are listed. Cells match by variant, role and factor level, not
// by name.
func (t *table) match(label string) {
	s := section{label: label, scenarios: make([]*analysis.Scenario, len(t.columns))}
	var factors []string // of any campaign: a factor of one may be fixed in another
	for i, c := range t.columns {
		sc := c.answers.Scenario(label)
		if s.scenarios[i] = sc; sc == nil {
			continue
		}
		for _, cell := range sc.Cells {
			for _, f := range cell.Factors {
				if !slices.Contains(factors, f.Name) {
					factors = append(factors, f.Name)
				}
			}
		}
	}
	var all []matched
	at := map[string]int{}
	for i, sc := range s.scenarios {
		if sc == nil {
			continue
		}
		column := t.columns[i]
		unordered := column.answers.Campaign.Design == results.DesignUnordered
		for j := range sc.Cells {
			c := &sc.Cells[j]
			key := c.Variant + "\x00" + string(c.Role)
			for _, name := range factors {
				key += fmt.Sprintf("\x00%q", column.parameter(sc, c, name))
			}
			for n, taken := at[key]; taken && all[n].sides[i] != nil; n, taken = at[key] {
				key += "\x00" // a duplicate in the same campaign is another cell
			}
			n, known := at[key]
			if !known {
				n, at[key] = len(all), len(all)
				all = append(all, matched{label: c.Label, sides: make([]*side, len(t.columns))})
			}
			all[n].sides[i] = &side{sc, c, column.observed[c.ID], unordered}
		}
	}
	for _, m := range all {
		var in []string
		for i, side := range m.sides {
			if side != nil {
				in = append(in, t.columns[i].title)
			}
		}
		if m.sides[0] != nil && len(in) > 1 {
			s.cells = append(s.cells, m)
		}
		if len(in) < len(t.columns) {
			t.only = append(t.only, Only{s.label, m.label, in})
		}
	}
	if len(s.cells) > 0 {
		t.sections = append(t.sections, s)
	}
}

// parameter returns the value of a cell's parameter, "" if not set.
func parameter(sc *analysis.Scenario, c *analysis.Cell, name string) string {
	return (&results.Cell{Factors: slices.Concat(c.Factors, sc.Common)}).Factor(name)
}

// parameter returns a parameter of a cell in the campaign. The CPU model is a factor only in
// campaigns merged from several machines; otherwise it comes from the campaign.
func (c column) parameter(sc *analysis.Scenario, cell *analysis.Cell, name string) string {
	value := parameter(sc, cell, name)
	if value == "" && name == results.FactorModel {
		return models(c.answers)
	}
	return value
}

// baseline returns the reference of a side's cell, or nil.
func (s *side) baseline() *analysis.Cell {
	if s.cell.Baseline == "" {
		return nil
	}
	return s.scenario.Cell(s.cell.Baseline)
}

// baselineSide returns the reference of a side's cell, which must exist, as a side.
func (s *side) baselineSide() *side {
	other := *s
	other.cell = s.baseline()
	return &other
}
