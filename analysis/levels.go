package analysis

import (
	"math"
	"math/rand/v2"

	"moobench/analysis/caveat"
	"moobench/analysis/figure"
	"moobench/analysis/stats"
	"moobench/results"
)

const (
	// levelSide is the least number of blocks at each level of a baseline.
	levelSide = 5
	// levelPoints is the largest number of points of a series to search. More blocks are reduced to that many
	// medians of neighbours, because a search takes quadratic time.
	levelPoints = 100
	// levelAlpha is the level of the test for a change, by levelOrders permutations of the series. Neighbours
	// are correlated over months, so that a change must also be large: levelRatio.
	levelAlpha, levelOrders = 0.001, 999
	levelRatio              = 1.1
)

// levels warns if the baseline that another tool measured moves to another level: then one file mixes machines,
// JDKs or loads, and nothing in it says so. Differences within blocks stay right, but their mean belongs to no
// machine.
func (r *reader) levels(c *Cell) []caveat.Mark {
	if c.Role != results.RoleVariant || r.Campaign.Design != results.DesignPaired || c.Invalid != "" {
		return nil
	}
	base := r.Values(c.Baseline, r.Primary)
	from, to := levelChange(base.Numbers(), r.Campaign.Seed)
	if from == to {
		return nil
	}
	before, _ := stats.Median(base[:from].Numbers()) // neither is empty
	after, _ := stats.Median(base[from:to].Numbers())
	var ms caveat.List
	ms.Add(math.Abs(math.Log(after/before)) > math.Log(levelRatio), caveat.Misleading, "levels", "baseline changes",
		"the baseline goes from %s to %s at block %d: from there on it is another machine, JDK, program or load, "+
			"and the costs are means over both; import what comes before and after it separately",
		figure.Quantity(before, r.Primary.Unit), figure.Quantity(after, r.Primary.Unit), base[from].Block)
	return ms
}

// levelChange returns the range of values that differ from those before; from == to if none do.
func levelChange(xs []float64, seed uint64) (from, to int) {
	each := (len(xs) + levelPoints - 1) / levelPoints
	var points []float64
	for at := 0; each > 0 && at+each <= len(xs); at += each {
		m, err := stats.Median(xs[at : at+each])
		if err != nil {
			return 0, 0
		}
		points = append(points, m)
	}
	test, err := stats.PermuteSplit(points, levelSide, 1, rand.New(rand.NewPCG(seed, 0)))
	if err != nil || test.P(levelOrders, levelAlpha) > levelAlpha {
		return 0, 0
	}
	return each * test.Point().Index, each * test.Point().End
}
