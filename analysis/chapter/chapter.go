// Package chapter has the form of a chapter: one thing that a campaign says of a scenario, and that is more than
// numbers of cells. Each chapter is a package below this one, with its numbers, its words and its pictures; the table
// of all is in package analysis. A chapter knows no other one, except that sizing asks modes, and locks draws with threads.
package chapter

import (
	"slices"
	"strings"

	"moobench/analysis/caveat"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/analysis/rows"
	"moobench/results"
)

// Value holds the findings of a chapter in a scenario.
type Value interface {
	// Show returns the value as blocks of a document; none if there is nothing to say.
	Show(s *Scene) []doc.Block
	// Rows returns those of its numbers that exports have.
	Rows(s *Scene) []rows.Row
}

// Marked is a value that distorts numbers: it adds notes to its scenario, and caveats to cells.
type Marked interface {
	Value
	Notes() []string
	// Marks returns the caveats by the ID of the cell.
	Marks() map[string][]caveat.Mark
}

// Scene is the scenario that a value is shown in.
type Scene struct {
	ID       string // of the scenario's section: the IDs of its figures begin with it
	Paged    bool   // with the parts for a page alone
	Scenario string // label
	Primary  string // name of the primary metric
	Metrics  []results.Metric
	Common   []results.Value // parameters that all cells share
	Cells    []Cell          // those that are shown
	Partial  bool            // some cells are not shown
}

// Cell is a cell of a scene.
type Cell struct {
	rows.Key
	Factors []results.Value
	Marks   []caveat.Mark
}

// Cell returns the cell with an ID, or nil.
func (s *Scene) Cell(id string) *Cell {
	return results.Find(s.Cells, func(c *Cell) bool { return c.Cell == id })
}

// Label returns the label of the cell with an ID, or the ID itself.
func (s *Scene) Label(id string) string {
	if c := s.Cell(id); c != nil {
		return c.Label
	}
	return id
}

// Metric returns the definition of a metric; of an unknown one, only its name.
func (s *Scene) Metric(name string) *results.Metric {
	if m := results.Find(s.Metrics, func(m *results.Metric) bool { return m.Name == name }); m != nil && name != "" {
		return m
	}
	return &results.Metric{Name: name}
}

// Marks are the caveats of cells as printed at a number, those of several each after its label; empty if one of them
// is unknown.
func (s *Scene) Marks(ids ...string) doc.Cell {
	var all []string
	for _, id := range ids {
		c := s.Cell(id)
		if c == nil {
			return doc.Cell{}
		}
		for _, m := range c.Marks {
			all = append(all, prose.If(len(ids) > 1, "%s: ", c.Label)+m.Show)
		}
	}
	return doc.Cell{Text: strings.Join(all, ", ")}
}

// Lacks reports whether one of the cells is left out of a partial scene.
func (s *Scene) Lacks(ids ...string) bool {
	return s.Partial && slices.ContainsFunc(ids, func(id string) bool { return s.Cell(id) == nil })
}

// drawnMost is the largest number of cells with a drawing of their own: more would make the page slow, and nobody looks
// at them.
const drawnMost = 60

// DrawnPoints is the largest number of points of a line in such a drawing: more could not be told apart, and make the
// page large.
const DrawnPoints = 190

// Drawn returns the values of cells that get a drawing of their own, by the ID of each one's cell, and how many more
// the scene has.
func Drawn[T any](at *Scene, all []T, cell func(T) string) (drawn []T, more int) {
	drawn = slices.DeleteFunc(slices.Clone(all), func(x T) bool { return at.Lacks(cell(x)) })
	more = max(0, len(drawn)-drawnMost)
	return drawn[:len(drawn)-more], more
}
