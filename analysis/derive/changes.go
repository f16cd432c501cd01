package derive

import (
	"fmt"
	"math"
	"slices"

	"moobench/results"
	"moobench/results/summary"
)

// How far the parts may be off the turnaround they make up: a share of it, and
// what the calls and clock readings between the parts take before they are
// compiled, which is all of the rest where a flag is set in a few hundred ns.
const (
	partsWithin   = 0.02
	partsWithinNS = 10_000
)

// changes are the changes of an invocation, a value of each column for each; the
// first change is the first.
type changes map[string][]int64

// changes derives the figures of all changes together. But where the name says
// otherwise, the first is left out.
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
		f.Warnings = append(f.Warnings, fmt.Sprintf("its parts add up to %.1f %% of the turnaround: something else was in it", 100*share))
	}
}

// parts is the share of the turnaround that its parts add up to.
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
