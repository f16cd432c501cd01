package history

import (
	"cmp"
	"math"
	"slices"

	"moobench/analysis/stats"
)

// origin says where a bound between two levels comes from.
type origin int

const (
	found     origin = iota // a change point
	replanned               // the plan changed: levels on both sides are not compared
	confirmed               // measured again
	returned                // the level before a confirmed change is back
	agreed                  // accepted, and not found
)

// bound is between two levels: the first one ends before the position at.
type bound struct {
	at   int
	kind origin
	p    float64 // of found and returned ones
	over string  // see Change
}

// order sorts the bounds; of several at one position the one that was not found
// by chance counts.
func (t *track) order() {
	slices.SortStableFunc(t.bounds, func(a, b bound) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(rank(a.kind), rank(b.kind)))
	})
	t.bounds = slices.CompactFunc(t.bounds, func(a, b bound) bool { return a.at == b.at })
}

func rank(k origin) int {
	return slices.Index([]origin{replanned, confirmed, returned, agreed, found}, k)
}

// breakAtPlans puts bounds where the plan changed.
func (t *track) breakAtPlans() {
	for i := 1; i < len(t.x); i++ {
		if t.night(i).Plan != t.night(i-1).Plan {
			t.bounds = append(t.bounds, bound{at: i, kind: replanned})
		}
	}
}

// levels are the spans between the bounds.
func (t *track) levels() []span {
	levels, from := []span{}, 0
	for _, b := range t.bounds {
		levels = append(levels, span{from, b.at})
		from = b.at
	}
	return append(levels, span{from, len(t.x)})
}

// merge removes the change points that are smaller than what is worth a word, the
// smallest first: each removal changes the levels beside it.
func (t *track) merge(leastOf func(t *track, from, to int) float64) {
	for {
		weakest, at := 1.0, -1
		levels := t.levels()
		for i, b := range t.bounds {
			if b.kind != found {
				continue
			}
			before, after := levels[i], levels[i+1]
			size := math.Abs(mean(t.x[after.from:after.to]) - mean(t.x[before.from:before.to]))
			if share := size / leastOf(t, before.from, after.to); share < weakest {
				weakest, at = share, i
			}
		}
		if at < 0 {
			return
		}
		t.bounds = slices.Delete(t.bounds, at, at+1)
	}
}

// pooled is the scatter of the nights about their own levels, between two
// positions.
func (t *track) pooled(from, to int) (sd, df float64) {
	ss := 0.0
	for _, l := range t.levels() {
		l.from, l.to = max(l.from, from), min(l.to, to)
		if l.to-l.from < 2 {
			continue
		}
		ss += scatter(t.x[l.from:l.to])
		df += float64(l.to - l.from - 1)
	}
	if df == 0 {
		return 0, 0
	}
	return math.Sqrt(ss / df), df
}

// earlier is what the nights of a level say to nights after them. A level of few
// nights borrows its scatter from the others of the same plan.
func (t *track) earlier(l span) (stats.Earlier, bool) {
	if l.to-l.from < 1 {
		return stats.Earlier{}, false
	}
	if l.to-l.from >= leastNights {
		e, err := stats.EarlierOf(typical(t.x[l.from:l.to], t.se[l.from:l.to]))
		return e, err == nil
	}
	begin := t.planned(l.from)
	sd, df := t.pooled(begin, l.to)
	within := 0.0
	for _, se := range t.se[begin:l.to] {
		within = math.Hypot(within, se)
	}
	e := stats.Earlier{Mean: mean(t.x[l.from:l.to]), N: l.to - l.from, SD: sd, DF: df, Within: within / math.Sqrt(float64(l.to-begin))}
	return e, df >= leastNights-1
}

// planned is the first position of the plan that holds at a position.
func (t *track) planned(at int) int {
	begin := 0
	for _, b := range t.bounds {
		if b.kind == replanned && b.at <= at {
			begin = b.at
		}
	}
	return begin
}
