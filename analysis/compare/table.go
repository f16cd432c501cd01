package compare

import (
	"fmt"
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/results"
)

// table is the campaigns with their cells side by side.
type table struct {
	columns  []column
	sections []section
	only     []Only
}

// column is one campaign, and what its invocations say of its cells.
type column struct {
	title    string
	answers  *analysis.Answers
	observed map[string]observed // by cell ID
}

// section is a scenario that the first campaign shares with another.
type section struct {
	label     string
	scenarios []*analysis.Scenario // nil where a campaign has none
	cells     []matched            // of the first campaign and another
}

// matched is one cell, with what each campaign has of it.
type matched struct {
	label string
	sides []side
}

// side is a cell in one campaign.
type side struct {
	scenario *analysis.Scenario
	cell     *analysis.Cell // nil: the campaign has no such cell
	// unordered says that its campaign has no pairs.
	unordered bool
}

func newTable(as []*analysis.Answers) *table {
	t := &table{}
	for i, a := range as {
		t.columns = append(t.columns, column{title(i, len(as)), a, observe(a)})
	}
	for _, label := range t.labels() {
		t.match(label)
	}
	return t
}

// title names a campaign.
func title(i, n int) string {
	switch {
	case n > 2:
		return string(rune('A' + i))
	case i == 0:
		return "old"
	}
	return "new"
}

func (t *table) titles() []string {
	var all []string
	for _, c := range t.columns {
		all = append(all, c.title)
	}
	return all
}

// cells is the number of cells that are compared.
func (t *table) cells() int {
	n := 0
	for _, s := range t.sections {
		n += len(s.cells)
	}
	return n
}

// labels are those of all scenarios, those of the first campaign first.
func (t *table) labels() []string {
	var all []string
	for _, c := range t.columns {
		for _, s := range c.answers.Scenarios {
			if !slices.Contains(all, s.Label) {
				all = append(all, s.Label)
			}
		}
	}
	return all
}

// match puts the cells of one scenario side by side. Cells are the same when
// their variant, role and factor level are: the names of cells are not.
func (t *table) match(label string) {
	s := section{label: label, scenarios: make([]*analysis.Scenario, len(t.columns))}
	for i, c := range t.columns {
		for j := range c.answers.Scenarios {
			if sc := &c.answers.Scenarios[j]; sc.Label == label {
				s.scenarios[i] = sc
			}
		}
	}
	var all []matched
	at := map[string]int{}
	factors := s.factors()
	for i, sc := range s.scenarios {
		if sc == nil {
			continue
		}
		for j := range sc.Cells {
			c := &sc.Cells[j]
			key := keyOf(sc, c, factors)
			for n, taken := at[key]; taken && all[n].sides[i].cell != nil; n, taken = at[key] {
				key += "\x00" // a second one of the same name is another cell
			}
			n, known := at[key]
			if !known {
				n, at[key] = len(all), len(all)
				all = append(all, matched{label: c.Label, sides: make([]side, len(t.columns))})
			}
			all[n].sides[i] = side{sc, c, t.columns[i].answers.Campaign.Design == results.DesignUnordered}
		}
	}
	t.share(s, all)
}

// factors are the names of all factors of the scenario, in any campaign: what
// one of them varies may be fixed in another.
func (s *section) factors() []string {
	var names []string
	for _, sc := range s.scenarios {
		if sc == nil {
			continue
		}
		for _, c := range sc.Cells {
			for _, f := range c.Factors {
				if !slices.Contains(names, f.Name) {
					names = append(names, f.Name)
				}
			}
		}
	}
	return names
}

func keyOf(sc *analysis.Scenario, c *analysis.Cell, factors []string) string {
	parts := []string{c.Variant, string(c.Role)}
	for _, name := range factors {
		parts = append(parts, fmt.Sprintf("%q", parameter(sc, c, name)))
	}
	return strings.Join(parts, "\x00")
}

// parameter is the value of a cell's parameter, "" when it has none.
func parameter(sc *analysis.Scenario, c *analysis.Cell, name string) string {
	for _, v := range slices.Concat(c.Factors, sc.Common) {
		if v.Name == name {
			return v.Value
		}
	}
	return ""
}

// share keeps the cells of the first campaign that another has too, and lists
// those that not all have.
func (t *table) share(s section, all []matched) {
	for _, m := range all {
		var in []string
		for i, side := range m.sides {
			if side.cell != nil {
				in = append(in, t.columns[i].title)
			}
		}
		if m.sides[0].cell != nil && len(in) > 1 {
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

// baseline is the reference of a side's cell, nil when it has none.
func (s side) baseline() *analysis.Cell {
	if s.cell == nil || s.cell.Baseline == "" {
		return nil
	}
	for i := range s.scenario.Cells {
		if c := &s.scenario.Cells[i]; c.ID == s.cell.Baseline {
			return c
		}
	}
	return nil
}

// answer is what a side says of a metric, nil when it says nothing.
func (s side) answer(metric string) *analysis.MetricAnswer {
	if s.cell == nil {
		return nil
	}
	for i := range s.cell.Metrics {
		if s.cell.Metrics[i].Metric == metric {
			return &s.cell.Metrics[i]
		}
	}
	return nil
}

// role and level are those of the first campaign's cell.
func (m matched) role() results.Role { return m.sides[0].cell.Role }

func (m matched) level() string { return m.sides[0].cell.Level }

// some names the first few of many.
func some(names []string) string {
	const few = 3
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:few], ", ") + " and " + figure.Count(int64(len(names)-few)) + " more"
}
