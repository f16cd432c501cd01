package derive

import (
	"fmt"
	"math"
	"slices"

	"moobench/results"
	"moobench/results/summary"
)

// Tolerances for the difference between the turnaround and the sum of its parts: as a share, and in
// ns, for calls and clock readings between the parts before they are compiled. The latter matter if
// a change only sets a flag, in a few hundred ns.
const (
	partsWithin   = 0.02
	partsWithinNS = 10_000
)

// changes holds the changes of an invocation: per column, one value per change, in order.
type changes map[string][]int64

// changes derives the figures of all changes together. The first change is left out, unless the
// name says otherwise.
func (f *Figures) changes(s Samples) {
	c := changes{}
	for _, name := range []string{results.SeriesFirst, results.SeriesTurnaround} {
		for column, values := range s[name] {
			c[column] = append(c[column], values...)
		}
	}
	all := c["total"]
	if len(all) == 0 || len(s[results.SeriesFirst]["total"]) != 1 {
		return
	}
	f.expect(results.DerivedOverBare, results.DerivedParts)
	others := all[1:]
	f.Values[results.DerivedSample1] = float64(all[0])
	f.Values[results.DerivedMeanAll] = mean(all)
	f.Values[results.DerivedSDAll] = deviation(all)
	f.Values[results.DerivedSD] = deviation(others)
	f.Values[results.DerivedLeast] = float64(slices.Min(all))
	f.Values[results.DerivedMost] = float64(slices.Max(all))
	if bare := c["bare"]; len(bare) > 1 && summary.Median(bare[1:]) > 0 {
		f.Values[results.DerivedOverBare] = summary.Median(others) / summary.Median(bare[1:])
	}
	share, ok := c.parts()
	if !ok {
		return
	}
	f.Values[results.DerivedParts] = share
	if off := math.Abs(share - 1); off > partsWithin && off*mean(others) > partsWithinNS {
		const more = "its parts add up to %.1f %% of the turnaround: it includes something else"
		f.Warnings = append(f.Warnings, fmt.Sprintf(more, 100*share))
	}
}

// parts returns the sum of the parts as a share of the turnaround.
func (c changes) parts() (share float64, ok bool) {
	whole := mean(c["total"][1:])
	for _, name := range []string{"match", "transform", "swap", "load", "first_call"} {
		if name == "load" && c[name] == nil {
			continue // the classes were loaded beforehand
		}
		if len(c[name]) != len(c["total"]) {
			return 0, false
		}
		share += mean(c[name][1:])
	}
	return share / whole, whole > 0
}
