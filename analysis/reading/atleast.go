package reading

import (
	"fmt"
	"math"

	"moobench/analysis/evidence"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

// AtLeast describes a metric for which some runs give only a lower bound: a mean would leave out the largest
// values. Medians and ranks don't depend on how much larger they are.
type AtLeast struct {
	Runs int `json:"runs"` // runs with only a bound
	Of   int `json:"of"`   // all runs
	// Bound is the smallest of the bounds, in the metric's unit.
	Bound float64 `json:"bound"`
	// Median is the median of all runs; absent if it is only known to exceed Bound.
	Median *float64 `json:"median,omitempty"`
	// Difference is the median over blocks of cell minus baseline, with each bound taken as the value: the true
	// median is no smaller. Absent without such blocks.
	Difference *float64 `json:"difference,omitempty"`
	// Low is the lower end of its 95 % order-statistic interval; absent with too few blocks.
	Low    *float64 `json:"low,omitempty"`
	Blocks int      `json:"blocks,omitempty"` // blocks that hold both
	// Verdict is higher if Low is over 0, else undecided; no answer without a baseline.
	Verdict infer.Verdict `json:"verdict"`
}

// bounded returns the values of a cell, with bounds in place of values that are only known to be larger; over
// marks the blocks of the latter.
func (r *Reading) bounded(cell string, m results.Metric) (vs evidence.Values, over map[int]bool) {
	over = map[int]bool{}
	for _, e := range r.Succeeded(cell, evidence.ProfileOf(m)) {
		x, is := e.AtLeast[m.Name]
		if !is {
			x = e.Value(m.Name)
		}
		if stats.Finite(x) {
			vs = append(vs, evidence.Value{Block: e.Block, X: x})
			over[e.Block] = over[e.Block] || is
		}
	}
	return vs, over
}

// AtLeast describes a metric of a cell with values that are only known to exceed a bound; nil if it has none.
func (r *Reading) AtLeast(c *results.Cell, m results.Metric) *AtLeast {
	vs, over := r.bounded(c.ID, m)
	a := &AtLeast{Of: len(vs), Bound: math.Inf(1), Verdict: infer.NoAnswer}
	var ranked []float64 // bounded values rank last
	for _, v := range vs {
		if !over[v.Block] {
			ranked = append(ranked, v.X)
			continue
		}
		a.Runs++
		a.Bound = min(a.Bound, v.X)
		ranked = append(ranked, unbounded)
	}
	if a.Runs == 0 {
		return nil
	}
	if x, err := stats.Median(ranked); err == nil && x < unbounded/2 {
		a.Median = &x
	}
	if c.Baseline != "" {
		r.exceeds(a, c, m)
	}
	return a
}

// unbounded stands for a value that is only known to be larger (negated: smaller) than all others. Order
// statistics are exact with it.
const unbounded = math.MaxFloat64 / 8

// exceeds fills in the least amount by which a cell exceeds its baseline.
func (r *Reading) exceeds(a *AtLeast, c *results.Cell, m results.Metric) {
	vs, _ := r.bounded(c.ID, m)
	others, over := r.bounded(c.Baseline, m)
	pairs := evidence.PairsOf(vs, others)
	ds := pairs.Differences()
	for i, block := range pairs.Blocks {
		if over[block] { // the baseline's value has no upper bound, so the difference has no lower one
			ds[i] = -unbounded
		}
	}
	a.Blocks = len(ds)
	x, err := stats.Median(ds)
	if err != nil || x <= -unbounded/2 { // half of the blocks have no lower bound
		return
	}
	a.Difference, a.Verdict = &x, infer.Undecided
	e, err := stats.MedianInterval(ds, Confidence)
	if err != nil || e.Interval.Low <= -unbounded/2 {
		return
	}
	a.Low = &e.Interval.Low
	if e.Interval.Side(0) > 0 {
		a.Verdict = infer.Higher
	}
}

// Text says why there is no mean, and gives the bounds instead.
func (a *AtLeast) Text(unit string) string {
	say := func(x float64) string { return figure.Quantity(x, unit) }
	text := fmt.Sprintf("in %d of %s it was over %s", a.Runs, figure.Plural(a.Of, "run", "runs"), say(a.Bound))
	if a.Difference != nil {
		text += fmt.Sprintf(", at least %s more than without in the median of %s",
			say(*a.Difference), figure.Plural(a.Blocks, "block", "blocks"))
	}
	if a.Low != nil {
		text += " (95 %: at least " + say(*a.Low) + ")"
	}
	return text
}
