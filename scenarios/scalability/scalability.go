// Package scalability measures how the turnaround of a change of monitoring grows: with the classes that change
// at once, by one pattern or one by one, with the loaded classes, with their methods, and with the patterns in
// the list.
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

// flatNS is the growth over the whole range of a factor, in ns, that counts as flat: nobody notices a tenth of
// a millisecond, and the JVM needs much longer to stand still for a change.
const flatNS = 100_000

// fewestLevels is the number of levels that show the shape of a growth: any line fits two.
const fewestLevels = 3

// Scalings asks, for each integer factor with at least three values, how the turnaround, the matching, and the
// exchange grow with it.
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
