package derive

import (
	"fmt"
	"slices"

	"moobench/results"
	"moobench/results/summary"
)

// hot derives the effect of a change on the hot method: the mean call time in the second half of
// each phase, and the recovery.
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

// Shares of the steady state within which a call counts as back.
const (
	roughly = 0.20
	nearly  = 0.05
)

// recovery derives how long the hot method took to recover from its swap.
func (f *Figures) recovery(ns []int64) {
	f.expect(
		results.DerivedBack20Calls, results.DerivedBack20NS,
		results.DerivedBack5Calls, results.DerivedBack5NS,
		results.DerivedRecovery,
	)
	c, ok := steadyLevel(ns)
	if !ok {
		const few = "%d calls after the swap are too few to see when it is back in steady state: at least %d"
		f.Warnings = append(f.Warnings, fmt.Sprintf(few, len(ns), fewestBatches*batchCalls))
		return
	}
	if n, ok := c.back(roughly); ok {
		f.Values[results.DerivedBack20Calls] = float64(n)
		f.Values[results.DerivedBack20NS] = c.took(n)
	}
	n, ok := c.back(nearly)
	if !ok {
		const unsettled = "the hot method did not settle within %d calls of its swap: make calls larger"
		f.Warnings = append(f.Warnings, fmt.Sprintf(unsettled, len(ns)/2))
		return
	}
	f.Values[results.DerivedBack5Calls] = float64(n)
	f.Values[results.DerivedBack5NS] = c.took(n)
	f.Values[results.DerivedRecovery] = c.lost(n)
}

const (
	batchCalls = 100 // calls per batch
	// fewestBatches is the least number of batches for two distinguishable halves.
	fewestBatches = 20
	lookAhead     = 10 // in batches
	// enoughTenths is the share of batches, in tenths, that must be back in steady state: a
	// collection or an interrupt slows one now and then.
	enoughTenths = 9
)

// hotCalls holds the times in ns of the hot method's calls since its probe was swapped in, and
// their steady level.
type hotCalls struct {
	ns      []int64
	medians []float64 // of batches of 100 calls; a partial last batch is dropped
	steady  float64   // median of the last half of the calls
	mean    float64   // of the same calls
}

// steadyLevel finds the steady level of a series; ok is false with fewer than 2,000 calls.
func steadyLevel(ns []int64) (c hotCalls, ok bool) {
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

// back returns the number of calls until the method is back within a share of its steady state:
// those before the first batch
//
//   - whose median is at most that share above the steady state. There is no lower bound, because
//     faster is no loss;
//   - that begins a run of ten batches of which nine qualify, so that a lucky batch in the middle
//     of the recovery does not count;
//   - from which nine tenths of all batches to the end qualify, so that a plateau of the compiler
//     before the next slow stretch does not count.
//
// Medians are used because one collection in a hundred calls says nothing about the others. The
// batch must lie in the first half (ok): the second half defines the steady state, so a series that
// only settles there has no known one.
func (c *hotCalls) back(share float64) (calls int, ok bool) {
	n := len(c.medians)
	in := make([]int, n+1) // number of batches that are back, before each index
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

// took returns the time in ns of the first calls.
func (c *hotCalls) took(calls int) float64 {
	var sum int64
	for _, t := range c.ns[:calls] {
		sum += t
	}
	return float64(sum)
}

// lost returns the excess time of the first calls over as many in steady state, in ns, and at least
// 0. It uses the mean, because collections are paid in steady state too.
func (c *hotCalls) lost(calls int) float64 { return max(0, c.took(calls)-float64(calls)*c.mean) }
