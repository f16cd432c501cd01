package history

import (
	"math"
	"slices"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
)

const wentBack = "the level before is back"

// returns looks whether levels came back that were left by a confirmed change,
// and puts bounds there; it says whether it put any. The change points that were
// found are taken away then, because what is searched has changed.
func (t *track) returns(alpha float64) bool {
	var back []bound
	for i, b := range t.bounds {
		if b.kind != confirmed {
			continue
		}
		at, p, ok := t.back(i, alpha)
		if !ok {
			continue
		}
		t.bounds[i].over = wentBack
		if !slices.ContainsFunc(t.bounds, func(o bound) bool { return o.at == at && o.kind != found }) {
			back = append(back, bound{at: at, kind: returned, p: p})
		}
	}
	if back == nil {
		return false
	}
	t.bounds = slices.DeleteFunc(t.bounds, func(b bound) bool { return b.kind == found })
	t.bounds = append(t.bounds, back...)
	t.order()
	return true
}

// back is the position from which on the nights after the bound i are on the old
// side of half the change, by a t test at alpha: a run of nights that are all on
// that side, however few, or a level that was found. Looking from the oldest
// night on, the first such run counts, so that one bad night later does not take
// it back. A level can come back until the plan changes.
func (t *track) back(i int, alpha float64) (at int, p float64, ok bool) {
	levels, b := t.levels(), t.bounds[i]
	after := span{b.at, t.plan(b.at).to}
	e, known := t.earlier(levels[i])
	if !known || e.SD == 0 {
		return 0, 0, false
	}
	change := 0.0 // as it was measured
	for _, c := range t.settled {
		if where, ok := t.spanOf(c); ok && where.holds(b.at) && c.Verdict == infer.Confirmed {
			change = c.Log
		}
	}
	half := func(from, to int) float64 { // p of the nights not being back
		n := float64(to - from)
		distance := e.Mean + change/2 - mean(t.x[from:to])
		return stats.TTail(math.Copysign(1, change)*distance/(e.SD*math.Sqrt(1/n+1/float64(e.N))), e.DF)
	}
	from := after.from
	for k := after.from; k < after.to; k++ {
		if math.Abs(t.x[k]-e.Mean) >= math.Abs(t.x[k]-e.Mean-change) {
			from = k + 1
			continue
		}
		if p := half(from, k+1); from > after.from && p <= alpha {
			return from, p, true
		}
	}
	for _, l := range levels[i+2:] {
		if p := half(l.from, l.to); l.to <= after.to && p <= alpha {
			return l.from, p, true
		}
	}
	return 0, 0, false
}
