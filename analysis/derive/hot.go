package derive

import (
	"fmt"
	"slices"

	"moobench/results"
	"moobench/results/summary"
)

// hot derives what a change did to the hot method: the mean of a call in the second
// half of each phase, and how it came back.
func (f *Figures) hot(s Samples) {
	for _, phase := range []string{results.SeriesBefore, results.SeriesDuring, results.SeriesAfter} {
		ns := s[phase]["t"]
		if len(ns) == 0 {
			return
		}
		f.Values[phase] = mean(ns[len(ns)/2:])
		if phase == results.SeriesDuring {
			f.recovery(ns)
		}
	}
	f.expect(results.DerivedResidue)
	if before := f.Values[results.SeriesBefore]; before > 0 {
		f.Values[results.DerivedResidue] = f.Values[results.SeriesAfter] / before
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

const (
	batchCalls = 100 // calls of one batch
	// A series needs so many batches for its two halves to be told apart.
	fewestBatches = 20
	lookAhead     = 10 // batches
	// enough of the batches, in tenths, are back in steady state: a collection
	// or an interrupt takes one in a while.
	enoughTenths = 9
)

// hotCalls are the times in ns of the calls of the hot method from the first one
// after its probe was swapped in, and the level that they settle at.
type hotCalls struct {
	ns      []int64
	medians []float64 // of batches of 100 calls; calls left over are in none
	steady  float64   // median of the last half of the calls
	mean    float64   // of the same calls
}

// settle finds the level that a series settles at; it is not known (ok is
// false) with fewer than 2,000 calls.
func settle(ns []int64) (c hotCalls, ok bool) {
	if len(ns) < fewestBatches*batchCalls {
		return c, false
	}
	c.ns = ns
	for b := range slices.Chunk(ns[:len(ns)/batchCalls*batchCalls], batchCalls) {
		c.medians = append(c.medians, summary.Median(b))
	}
	half := ns[len(ns)/2:]
	c.steady, c.mean = summary.Median(half), mean(half)
	return c, c.steady > 0
}

// back is the number of calls until the method is back within a share of its
// steady state: the number of those before the first batch
//
//   - whose median is at most that share above the steady state. Quicker is no
//     loss, so there is no bound below;
//   - that begins a run of ten batches of which nine are so: a lucky batch in
//     the middle of the recovery does not count;
//   - from which on nine tenths of all batches to the end are so: nor is a
//     plateau of the compiler's before the next slow stretch.
//
// Medians are taken, because one collection in a hundred calls says nothing of
// the others. The first half must be enough (ok): the steady state is that of
// the second, and what only comes back there has no known one.
func (c *hotCalls) back(share float64) (calls int, ok bool) {
	n := len(c.medians)
	in := make([]int, n+1) // batches that are back, up to each
	for i, m := range c.medians {
		in[i+1] = in[i]
		if m <= c.steady*(1+share) {
			in[i+1]++
		}
	}
	enough := func(from, to int) bool { return 10*(in[to]-in[from]) >= enoughTenths*(to-from) }
	for i := range n / 2 {
		if in[i+1] > in[i] && enough(i, i+lookAhead) && enough(i, n) {
			return i * batchCalls, true
		}
	}
	return 0, false
}

// took is the time in ns of the first calls.
func (c *hotCalls) took(calls int) float64 {
	var sum int64
	for _, t := range c.ns[:calls] {
		sum += t
	}
	return float64(sum)
}

// lost is the excess time of the first calls over as many in steady state, in ns,
// and never less than 0. Here the mean counts: collections are paid in steady
// state too.
func (c *hotCalls) lost(calls int) float64 { return max(0, c.took(calls)-float64(calls)*c.mean) }
