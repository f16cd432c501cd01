package derive

import (
	"math"
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

// second is one second of the load.
type second struct {
	sinceNS int64 // its begin, since the load's own
	p99NS   int64 // of the answers in it; 0: there are none
	held    bool  // the load is not raised any more
}

// settledNS is how long after the load's begin, in whole seconds, the p99 of the
// latency had come to its steady level; ok is false when it never did.
//
// The level is the median over the last half of the seconds in which the load was
// held. The p99 of a second is far from smooth: each is replaced by the median of
// the five around it. It has settled with the first second that lies within 20 % of
// the level, as do nine in ten of those that follow, from whichever of them (but
// the last nine) one begins to count; and that must be before the last half begins,
// or there was no steady level. So what grows or jumps until the end has not
// settled, and neither has what was held for less than ten seconds. A second
// without an answer lies nowhere near.
func settledNS(all []second) (ns int64, ok bool) {
	var p99 []float64
	held := len(all)
	for i, s := range all {
		v := float64(s.p99NS)
		if s.p99NS <= 0 {
			v = math.Inf(1)
		}
		p99 = append(p99, v)
		if s.held {
			held = min(held, i)
		}
	}
	if len(all)-held < fewestSettled {
		return 0, false
	}
	half := (held + len(all)) / 2
	level := middle(p99[half:])
	if math.IsInf(level, 1) {
		return 0, false
	}
	first := firstSettled(p99, level)
	if first > half {
		return 0, false
	}
	return all[first].sinceNS + int64(time.Second), true
}

// firstSettled is the index of the first second that has settled, len(p99) when
// none has. It counts from the end: far is how many of those from i on lie far from
// the level.
func firstSettled(p99 []float64, level float64) int {
	first, far := len(p99), 0
	for i := len(p99) - 1; i >= 0; i-- {
		around := middle(p99[max(0, i-smoothed/2):min(len(p99), i+smoothed/2+1)])
		near := math.Abs(around-level) <= settledWithin*level
		if !near {
			far++
		}
		left := len(p99) - i
		if left < fewestSettled {
			continue
		}
		if far*fewestSettled > left {
			break
		}
		if near {
			first = i
		}
	}
	return first
}
