package history

import (
	"cmp"
	"math"
	"slices"

	"moobench/analysis/infer"
)

// origin is the origin of a bound between two levels. Of several at one position the first counts;
// found comes last because it may be due to chance.
type origin int

const (
	replanned origin = iota // the plan changed: levels on both sides are not compared
	confirmed               // measured again
	returned                // the level before a confirmed change is back
	agreed                  // accepted, but not detected
	found                   // a change point
)

// bound separates two levels: the earlier one ends before position at.
type bound struct {
	at   int
	kind origin
	p    float64 // of found and returned bounds
	over string  // see Change
}

// span is the positions from (included) to (excluded).
type span struct{ from, to int }

func (s span) holds(at int) bool { return s.from <= at && at < s.to }

// order sorts the bounds, and keeps one at each position.
func (t *track) order() {
	slices.SortStableFunc(t.bounds, func(a, b bound) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.kind, b.kind))
	})
	t.bounds = slices.CompactFunc(t.bounds, func(a, b bound) bool { return a.at == b.at })
}

// plan returns the span of the plan in force at a position.
func (t *track) plan(at int) span {
	s := span{0, len(t.x)}
	for _, b := range t.bounds {
		switch {
		case b.kind != replanned:
		case b.at <= at:
			s.from = b.at
		default:
			s.to = min(s.to, b.at)
		}
	}
	return s
}

// spanOf returns the span of a re-measured change: from after old's night to new's night. If a
// confirmation names no old, the span is the single night.
func (t *track) spanOf(c *Confirmation) (span, bool) {
	last, ok := t.position(c.Night)
	if !ok || last >= len(t.x) {
		return span{}, false
	}
	first := last
	if old, ok := t.position(c.Against); ok && old < last {
		first = old
		if t.night(old).ID == c.Against {
			first++
		}
	}
	return span{first, last + 1}, first > 0
}

// breakAtConfirmed adds bounds where a re-measurement confirmed a change, unless a later
// re-measurement of the same nights contradicts it.
func (t *track) breakAtConfirmed(least float64) {
	var spans []span
	for _, c := range t.settled {
		where, ok := t.spanOf(c)
		if !ok || c.Verdict == infer.Open {
			continue
		}
		spans = slices.DeleteFunc(spans, func(s span) bool { return s.from < where.to && where.from < s.to })
		if c.confirms(least) {
			spans = append(spans, where)
		}
	}
	for _, where := range spans {
		t.bounds = append(t.bounds, bound{at: t.likeliest(where), kind: confirmed})
	}
	t.order()
}

// likeliest returns the position of the largest change in a span: a re-measurement confirms a
// change, but does not date it.
func (t *track) likeliest(where span) int {
	about := t.plan(where.from)
	from, to := max(about.from, where.from-window), min(about.to, where.to+window)
	best, least := where.from, math.Inf(1)
	for at := where.from; at < min(where.to, to); at++ {
		before, after := t.x[from:at], t.x[at:to]
		if ss := squares(before, mean(before)) + squares(after, mean(after)); ss < least {
			best, least = at, ss
		}
	}
	return best
}

// levels returns the spans between the bounds.
func (t *track) levels() []span {
	levels, from := []span{}, 0
	for _, b := range t.bounds {
		levels = append(levels, span{from, b.at})
		from = b.at
	}
	return append(levels, span{from, len(t.x)})
}

// pooled returns the pooled standard deviation of the nights about their own levels, separately for
// each machine, between two positions.
func (t *track) pooled(from, to int) (sd, df float64) {
	var p pool
	for _, l := range t.stretches() {
		if l.from, l.to = max(l.from, from), min(l.to, to); l.to-l.from >= 2 {
			xs := t.x[l.from:l.to]
			p.add(mean(xs), 1, xs, nil)
		}
	}
	if p.df == 0 {
		return 0, 0
	}
	return math.Sqrt(p.ss / p.df), p.df
}
