package derive

import (
	"fmt"

	"moobench/results"
)

// hot derives what a change did to the hot method: the mean of a call in the second
// half of each phase, and how it came back.
func (f *Figures) hot(s Samples) {
	steady := map[string]float64{}
	for _, phase := range []string{results.SeriesBefore, results.SeriesDuring, results.SeriesAfter} {
		ns := s[phase]["t"]
		if len(ns) == 0 {
			return
		}
		steady[phase] = mean(ns[len(ns)/2:])
		f.Values[phase] = steady[phase]
		if phase == results.SeriesDuring {
			f.recovery(ns)
		}
	}
	f.expect(results.DerivedResidue)
	if steady[results.SeriesBefore] > 0 {
		f.Values[results.DerivedResidue] = steady[results.SeriesAfter] / steady[results.SeriesBefore]
	}
}

// Shares of the steady state that a call counts as back within.
const (
	roughly = 0.20
	nearly  = 0.05
)

// recovery is how long the hot method took to come back from its swap.
func (f *Figures) recovery(ns []int64) {
	f.expect(results.DerivedBack20Calls, results.DerivedBack20NS, results.DerivedBack5Calls, results.DerivedBack5NS, results.DerivedRecovery)
	c, ok := settle(ns)
	if !ok {
		f.Warnings = append(f.Warnings, fmt.Sprintf("%d calls after the swap are too few to see when it is back in steady state: at least %d", len(ns), fewestBatches*batchCalls))
		return
	}
	if n, ok := c.back(roughly); ok {
		f.Values[results.DerivedBack20Calls] = float64(n)
		f.Values[results.DerivedBack20NS] = c.took(n)
	}
	n, ok := c.back(nearly)
	if !ok {
		f.Warnings = append(f.Warnings, fmt.Sprintf("the hot method did not settle within %d calls of its swap: make calls larger", len(ns)/2))
		return
	}
	f.Values[results.DerivedBack5Calls] = float64(n)
	f.Values[results.DerivedBack5NS] = c.took(n)
	f.Values[results.DerivedRecovery] = c.lost(n)
}
