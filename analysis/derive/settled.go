package derive

import (
	"math"
	"slices"
	"time"
)

const (
	// settledWithin is the allowed distance of a second from the steady level, as a share of that
	// level.
	settledWithin = 0.2
	// smoothed is the width of the running median in seconds: one or two collections do not change
	// the level.
	smoothed = 5
	// fewestSettled is the least number of seconds that show a level; one in as many may lie
	// elsewhere.
	fewestSettled = 10
)

// settledNS returns the time from the start of the load, in whole seconds, until the p99 of the
// latency reached its steady level; ok is false if it never did. For each second of the load, since
// is its start, p99NS the p99 of its answers (0: no answers), and held is 0 while the load is still
// ramping up.
//
// The level is the median over the last half of the seconds with the load held. The p99 of single
// seconds is noisy, so each is replaced by the median of the five around it. The latency has
// settled at the first second within 20 % of the level from which nine in ten of the following
// seconds lie there too, counted from any of them but the last nine. That second must come before
// the last half begins, else there was no steady level. So a p99 that grows or jumps until the end
// has not settled, nor has a load held for less than ten seconds. A second without answers lies
// outside.
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
	// Backwards from the end: far counts the seconds from i on that lie far from the level.
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
