package importer

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"moobench/results"
)

// Without is the name of a variant in which nothing monitors. Of a baseline by
// another name nobody knows.
const Without = "none"

// Cells collects the cells of an imported scenario.
type Cells struct {
	// Scenario is the scenario's label.
	Scenario string
	list     []results.Cell
}

// ID is that of the cell of a variant at these factors. A new one is added
// behind the others.
func (c *Cells) ID(variant string, factors ...results.Value) string {
	for _, cell := range c.list {
		if cell.Variant == variant && slices.Equal(cell.Factors, factors) {
			return cell.ID
		}
	}
	id := fmt.Sprintf("c%02d", len(c.list))
	c.list = append(c.list, results.Cell{
		ID: id, Scenario: c.Scenario, Variant: variant, Factors: factors,
		Role: results.RoleVariant, Proof: results.ProofPlan{Kind: results.ProofNone},
	})
	return id
}

// Settle returns the cells, each with the cell of the baseline variant at its own
// factors as its baseline; without a name the first variant is the baseline. It
// is a mistake if no variant has the name. A cell at whose factors there is no
// baseline has none.
func (c *Cells) Settle(baseline string) ([]results.Cell, error) {
	if baseline == "" && len(c.list) > 0 {
		baseline = c.list[0].Variant
	}
	of := map[string]string{} // level → ID
	var variants []string
	for i := range c.list {
		cell := &c.list[i]
		if cell.Variant == baseline {
			cell.Role = results.RoleBaseline
			of[cell.Level()] = cell.ID
			if baseline == Without {
				cell.Proof.Kind = results.ProofBaseline
			}
		}
		if !slices.Contains(variants, cell.Variant) {
			variants = append(variants, cell.Variant)
		}
	}
	if len(of) == 0 {
		return nil, Refuse("there is no variant %q to be the baseline: there are %s", baseline, strings.Join(variants, ", "))
	}
	for i := range c.list {
		if cell := &c.list[i]; cell.Role != results.RoleBaseline {
			cell.Baseline = of[cell.Level()]
		}
	}
	return c.list, nil
}

// Compared hands out each cell that has a baseline, and that.
func Compared(cells []results.Cell) iter.Seq2[*results.Cell, *results.Cell] {
	return func(yield func(cell, baseline *results.Cell) bool) {
		for i := range cells {
			b := slices.IndexFunc(cells, func(o results.Cell) bool { return cells[i].Baseline != "" && o.ID == cells[i].Baseline })
			if b >= 0 && !yield(&cells[i], &cells[b]) {
				return
			}
		}
	}
}

// Family names the questions about a metric at a cell's factors, whose intervals
// are simultaneous.
func Family(cell *results.Cell, metric string) string {
	return strings.TrimSpace(cell.Scenario + "/" + metric + " " + cell.Level())
}
