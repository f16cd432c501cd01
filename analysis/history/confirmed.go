package history

import (
	"math"
	"slices"

	"moobench/analysis/infer"
)

// spanOf is where the change lies that was measured again: behind the night that
// old is of, and not behind the night that new is of. A confirmation that does
// not name old is of the single night.
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

func (s span) holds(at int) bool { return s.from <= at && at < s.to }

func (s span) overlaps(o span) bool { return s.from < o.to && o.from < s.to }

// breakAtConfirmed puts bounds where old and new were measured again and differ,
// unless a later measurement of the same nights says otherwise.
func (t *track) breakAtConfirmed(least float64) {
	var spans []span
	for _, c := range t.settled {
		where, ok := t.spanOf(c)
		if !ok || c.Verdict == infer.Open {
			continue
		}
		spans = slices.DeleteFunc(spans, where.overlaps)
		if c.confirms(least) {
			spans = append(spans, where)
		}
	}
	for _, where := range spans {
		t.bounds = append(t.bounds, bound{at: t.likeliest(where), kind: confirmed})
	}
	t.order()
}

// likeliest is where in a span the nights about it change most: measuring again
// says that they do, and not when.
func (t *track) likeliest(where span) int {
	from, to := t.fixed(where.from)
	from, to = max(from, where.from-defaultWindow), min(to, where.to+defaultWindow)
	best, least := where.from, math.Inf(1)
	for at := where.from; at < min(where.to, to); at++ {
		if ss := scatter(t.x[from:at]) + scatter(t.x[at:to]); ss < least {
			best, least = at, ss
		}
	}
	return best
}

// fixed is the stretch of one plan that holds a position.
func (t *track) fixed(at int) (from, to int) {
	from, to = 0, len(t.x)
	for _, b := range t.bounds {
		switch {
		case b.kind != replanned:
		case b.at <= at:
			from = b.at
		default:
			return from, b.at
		}
	}
	return from, to
}

// scatter is the sum of squares about the mean; 0 of none.
func scatter(xs []float64) float64 {
	m, ss := mean(xs), 0.0
	for _, x := range xs {
		ss += (x - m) * (x - m)
	}
	return ss
}
