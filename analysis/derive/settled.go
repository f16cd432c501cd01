package derive

import (
	"math"
	"slices"
	"time"
)

const (
	// settledWithin is how far from the steady level a second may lie, as a
	// share of that level.
	settledWithin = 0.2
	// smoothed is over how many seconds the median is taken: one collection, or
	// two, does not change the level.
	smoothed = 5
	// fewestSettled is the least number of seconds that show a level, and one in
	// as many may lie elsewhere.
	fewestSettled = 10
)

// settledNS is how long after the load's begin, in whole seconds, the p99 of the
// latency had come to its steady level; ok is false when it never did. Of each second of
// the load, since is its begin, p99NS that of the answers in it, 0 without any, and held
// is 0 while the load is still raised.
//
// The level is the median over the last half of the seconds in which the load was
// held. The p99 of a second is far from smooth: each is replaced by the median of
// the five around it. It has settled with the first second that lies within 20 % of
// the level, as do nine in ten of those that follow, from whichever of them (but
// the last nine) one begins to count; and that must be before the last half begins,
// or there was no steady level. So what grows or jumps until the end has not
// settled, and neither has what was held for less than ten seconds. A second
// without an answer lies nowhere near.
func settledNS(since, p99NS, held []int64) (ns int64, ok bool) {
	p99 := make([]float64, len(p99NS))
	for i, ns := range p99NS {
		if p99[i] = float64(ns); ns <= 0 {
			p99[i] = math.Inf(1)
		}
	}
	from := slices.IndexFunc(held, func(h int64) bool { return h != 0 })
	if from < 0 || len(held)-from < fewestSettled {
		return 0, false
	}
	half := (from + len(held)) / 2
	level := middle(p99[half:])
	// From the end on: far is how many of those from i on lie far from the level.
	first, far := len(p99), 0
	for i := len(p99) - 1; i >= 0; i-- {
		around := middle(p99[max(0, i-smoothed/2):min(len(p99), i+smoothed/2+1)])
		near := math.Abs(around-level) <= settledWithin*level
		if !near {
			far++
		}
		left := len(p99) - i
		if left >= fewestSettled && far*fewestSettled > left {
			break
		}
		if left >= fewestSettled && near {
			first = i
		}
	}
	if math.IsInf(level, 1) || first > half {
		return 0, false
	}
	return since[first] + int64(time.Second), true
}
