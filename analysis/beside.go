package analysis

import (
	"math"
	"slices"

	"moobench/analysis/evidence"
	"moobench/analysis/stats"
	"moobench/results"
)

// ReferenceShift compares the time of the reference beside a variant with the time beside its baseline, in the
// blocks of one campaign.
type ReferenceShift struct {
	Cell     string // ID of the variant's cell
	Machine  string // ID
	Runtime  string // JDK build
	LogRatio float64
}

// leastShifted is the least number of blocks for a shift.
const leastShifted = 3

// shifts returns the shifts of variants that ran in enough blocks on one machine and JDK build. They use no
// earlier knowledge, so that they can be pooled with it. Shifts so large that nothing was carried are included:
// without them the rest would look too small.
func shifts(c *results.Campaign, all evidence.All) []ReferenceShift {
	byCell := evidence.ByCell(all.Invocations)
	var shifts []ReferenceShift
	for i := range c.Scenarios {
		view := evidence.NewView(c, &c.Scenarios[i], byCell)
		for _, cell := range view.Cells {
			if cell.Role != results.RoleVariant {
				continue
			}
			its, others := view.Primaries(cell.ID), view.Primaries(cell.Baseline)
			machine, runtime, one := onePlace(slices.Concat(its, others))
			pairs := evidence.PairsOf(evidence.ValuesOf(its, logReference), evidence.ValuesOf(others, logReference))
			if !one || len(pairs.Blocks) < leastShifted {
				continue
			}
			mean, _ := stats.Mean(pairs.Differences()) // not empty
			shifts = append(shifts, ReferenceShift{cell.ID, machine, runtime, mean})
		}
	}
	return shifts
}

// logReference is the logarithm of the reference's time in an invocation, in ns; not finite if none was taken.
func logReference(e *evidence.Invocation) float64 { return math.Log(e.Reference) }

// onePlace returns the machine and JDK build of the invocations, if all share one.
func onePlace(es []*evidence.Invocation) (machine, runtime string, one bool) {
	elsewhere := func(e *evidence.Invocation) bool { return e.Machine != es[0].Machine || e.Runtime != es[0].Runtime }
	if len(es) == 0 || slices.ContainsFunc(es, elsewhere) {
		return "", "", false
	}
	return es[0].Machine, es[0].Runtime, true
}
