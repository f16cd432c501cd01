// Package scalability measures how the turnaround of a change of what is
// monitored grows: with the classes that change at once, by one pattern or one
// by one, with the classes that are loaded, with their methods, and with the
// patterns in the list.
package scalability

import (
	"slices"

	"moobench/harness/plan"
	"moobench/results"
	"moobench/scenarios/changes"
)

// Scenario is the scalability scenario: the changes of the turnaround scenario,
// made at several levels, without its hot method.
type Scenario struct{ changes.Kit }

// Schema has the changes.
func (Scenario) Schema() plan.Schema { return changes.Schema("scalability", "20", false) }

// flatNS is the growth over the whole range of a factor, in ns, that counts as none: a
// tenth of a millisecond is below what anybody notices of a change, and well below what
// the JVM needs to stand still for it.
const flatNS = 100_000

// fewestLevels is the number of levels that show the shape of a growth: two fit any line.
const fewestLevels = 3

// Scalings ask, for each integer factor with at least three values, how the turnaround,
// the finding of what has to change, and the exchange grow with it.
func (s Scenario) Scalings(cells []results.Cell) []results.Scaling {
	var all []results.Scaling
	for _, p := range s.Schema().Parameters {
		var levels []string
		for _, c := range cells {
			if v := c.Factor(p.Name); v != "" && !slices.Contains(levels, v) {
				levels = append(levels, v)
			}
		}
		if p.Type != results.TypeInt || !p.Factor || len(levels) < fewestLevels {
			continue
		}
		for _, metric := range []string{changes.Turnaround, changes.Match, changes.Swap} {
			all = append(all, results.Scaling{Factor: p.Name, Metric: metric, Margin: flatNS})
		}
	}
	return all
}
