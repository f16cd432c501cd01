// Package distribution shows how the calls of each cell are distributed.
package distribution

import (
	"math"
	"slices"

	"moobench/analysis/reading"
	"moobench/analysis/stats"
	"moobench/results"
	"moobench/results/summary"
)

// Distribution is the distribution of a cell's calls: the windows of all its invocations together, from their
// mergeable histograms. It only shows a shape: calls of one invocation are correlated, so no interval rests on
// it.
type Distribution struct {
	N           int64 `json:"n"`           // calls
	Invocations int   `json:"invocations"` // invocations with these calls
	// Box are the quantiles 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999 and 1.
	Box []BoxPoint `json:"box"`
	// Tail goes from the shortest call, of share 1, to the longest, of share 1/n.
	Tail []TailPoint `json:"tail"`
}

// Cell is the distribution of a cell.
type Cell struct {
	ID string
	*Distribution
}

// Cells lists the cells of a scenario with a distribution.
type Cells []Cell

// BoxPoint is a quantile.
type BoxPoint struct {
	P     float64 `json:"p"`     // from 0 to 1
	Value float64 `json:"value"` // in the metric's unit
}

// TailPoint is the share of calls that took at least Value.
type TailPoint struct {
	Value float64 `json:"value"` // in the metric's unit
	Share float64 `json:"share"` // from 1 to 1/n
}

const (
	// tailMost is the largest number of points of a tail.
	tailMost = 200
	// tailSteps is the number of points per power of ten, where calls become rare.
	tailSteps = 8
)

const negativeCalls = "calls shorter than 0 were recorded: the clock stepped back"

var boxed = [...]float64{0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999, 1}

// Of merges the invocations of a cell; why says why it is absent.
func Of(r *reading.Reading, c *results.Cell) (d *Distribution, why string) {
	if r.Primary.Series == "" || r.Invalid[c.ID] != "" {
		return nil, ""
	}
	var all []summary.Distribution
	for _, e := range r.Primaries(c.ID) {
		if e.Batched[r.Primary.Name] {
			return nil, reading.Batched
		}
		if e.Samples.Counts.N() > 0 {
			all = append(all, e.Samples.Counts)
		}
	}
	if len(all) == 0 {
		return nil, ""
	}
	return newDistribution(summary.Merge(all...), len(all))
}

func newDistribution(calls summary.Distribution, invocations int) (d *Distribution, why string) {
	d = &Distribution{N: calls.N(), Invocations: invocations}
	for _, p := range boxed {
		v := calls.Quantile(p)
		if !stats.Finite(v) || v < 0 {
			return nil, negativeCalls
		}
		d.Box = append(d.Box, BoxPoint{p, v})
	}
	for _, share := range tailShares(calls.N()) {
		v := calls.Quantile(1 - share)
		if stats.Finite(v) && v >= 0 && (len(d.Tail) == 0 || v > d.Tail[len(d.Tail)-1].Value) {
			d.Tail = append(d.Tail, TailPoint{v, share})
		}
	}
	if len(d.Tail) == 0 {
		return nil, negativeCalls
	}
	// Only one call reaches the longest time, whatever interpolation gives.
	if last, longest := &d.Tail[len(d.Tail)-1], calls.Quantile(1); longest > last.Value {
		d.Tail = append(d.Tail, TailPoint{longest, 1 / float64(calls.N())})
	}
	return d, ""
}

// tailShares fall from 1: in tenths at first, then by equal factors, down to 1/n.
func tailShares(n int64) []float64 {
	least := 1 / float64(n)
	often := []float64{0.99, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2}
	shares := append([]float64{1}, slices.DeleteFunc(often, func(s float64) bool { return s <= least })...)
	share := func(k int) float64 { return math.Pow(10, -float64(k)/tailSteps) }
	for k := tailSteps; len(shares) < tailMost-1 && share(k) > least; k++ {
		shares = append(shares, share(k))
	}
	return shares
}
