package analysis

import (
	"math"
	"math/rand/v2"

	"moobench/analysis/figure"
	"moobench/analysis/stats"
	"moobench/results"
)

const (
	// levelSide is how many blocks each level of a baseline must have.
	levelSide = 5
	// levelPoints are the points of a series that is searched: of more blocks, so many
	// medians of neighbours. A search takes their square.
	levelPoints = 100
	// levelAlpha is the level of the test of a change, by levelOrders orders of the series.
	// Neighbours are correlated in what lasts for months, so that a change must be large, too.
	levelAlpha, levelOrders = 0.001, 999
	levelRatio              = 1.1
)

// levels warns where the baseline that another tool measured goes on at another level: then
// one file is of several machines, JDKs or loads, and nothing in it says so. Differences
// within blocks stay right, but their mean is that of no machine.
func (r *reading) levels(c *Cell) []Mark {
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
	var ms marks
	ms.add(math.Abs(math.Log(after/before)) > math.Log(levelRatio), Misleading, "levels", "baseline changes",
		"the baseline goes from %s to %s at block %d: from there on it is another machine, JDK, program or load, and what is added is a mean over both; import what is before and what comes after each by itself",
		figure.Quantity(before, r.Primary.Unit), figure.Quantity(after, r.Primary.Unit), base[from].Block)
	return ms
}

// levelChange is where values begin and end that differ from those before; equal where none do.
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
