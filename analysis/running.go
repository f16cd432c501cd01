package analysis

import (
	"math"

	"moobench/results"
)

// PrimaryMean is one invocation's value of its scenario's primary metric, and
// that metric's unit, as the answers will take it. It is for a display while a
// campaign runs; ok is false when there is no such value.
func PrimaryMean(src Source, inv *results.Invocation) (value float64, unit string, ok bool) {
	cell := src.Campaign().Cell(inv.Cell)
	if cell == nil {
		return 0, "", false
	}
	sc := src.Campaign().Scenario(cell.Scenario)
	if sc == nil {
		return 0, "", false
	}
	for _, m := range sc.Metrics {
		if !m.Primary {
			continue
		}
		if m.Series == "" {
			value, ok = inv.Scalars[m.Name]
			return value, m.Unit, ok
		}
		sum, err := src.Summary(inv)
		if err != nil {
			return 0, "", false
		}
		c := columnsOf(m, inv, sum, sc.Window)
		mean := c.mean()
		return mean, m.Unit, !math.IsNaN(mean)
	}
	return 0, "", false
}
