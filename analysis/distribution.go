package analysis

import (
	"math"
	"slices"

	"moobench/analysis/stats"
	"moobench/results"
	"moobench/results/summary"
)

// Distribution is that of the calls of a cell: the windows of all its
// invocations together, from their mergeable histograms. It shows a shape. Calls
// of one invocation are correlated, so that no interval rests on it.
type Distribution struct {
	N           int64 `json:"n"`           // calls
	Invocations int   `json:"invocations"` // invocations that the calls are from
	// Box are the quantiles 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999 and 1.
	Box []BoxPoint `json:"box"`
	// Tail goes from the shortest call, whose time all calls took at least, to the
	// longest, whose time one did.
	Tail []TailPoint `json:"tail"`
}

// BoxPoint is a quantile.
type BoxPoint struct {
	P     float64 `json:"p"`     // from 0 to 1
	Value float64 `json:"value"` // in the metric's unit
}

// TailPoint says which share of the calls took at least a value.
type TailPoint struct {
	Value float64 `json:"value"` // in the metric's unit
	Share float64 `json:"share"` // from 1 to 1/n
}

const (
	// tailMost is how many points a tail has at most.
	tailMost = 200
	// tailSteps is how many of them there are to a power of ten, where calls
	// become rare.
	tailSteps = 8
)

const negativeCalls = "calls shorter than 0 were recorded: the clock stepped back"

var boxed = [...]float64{0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999, 1}

// distribution merges the invocations of a cell, or says why there is none.
func (r *reading) distribution(c *results.Cell) (d *Distribution, why string) {
	if r.Primary.Series == "" || r.Invalid[c.ID] != "" {
		return nil, ""
	}
	var all []summary.Distribution
	for _, e := range r.Primaries(c.ID) {
		if e.Batched[r.Primary.Name] {
			return nil, batchedSamples
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
	// The longest call is reached by itself alone, whatever was interpolated.
	if last, longest := &d.Tail[len(d.Tail)-1], calls.Quantile(1); longest > last.Value {
		d.Tail = append(d.Tail, TailPoint{longest, 1 / float64(calls.N())})
	}
	return d, ""
}

// tailShares fall from 1: in tenths at first, and then by equal factors, as far
// as so many calls can tell.
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
