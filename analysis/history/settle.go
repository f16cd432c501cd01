package history

import (
	"math"
	"slices"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

// settle turns levels and bounds into segments and changes, and applies re-measurements and
// acceptances to the changes.
func (t *track) settle(least float64) {
	if len(t.x) == 0 {
		return
	}
	for _, a := range t.accepted { // accepted levels without a change point nearby
		at, ok := t.position(a.Night)
		near := func(b bound) bool { return b.at-at <= slack && at-b.at <= slack }
		if ok && at > 0 && at < len(t.x) && !slices.ContainsFunc(t.bounds, near) {
			t.bounds = append(t.bounds, bound{at: at, kind: agreed})
		}
	}
	t.order()
	levels := t.levels()
	for i, l := range levels {
		s := Segment{First: t.at[l.from], Last: len(t.Nights) - 1, Mean: t.level(l), SD: t.spread(l)}
		s.AtStandard = t.atStandard && l.from >= t.standardFrom
		if i+1 < len(levels) {
			s.Last = t.at[l.to] - 1
		}
		t.Segments = append(t.Segments, s)
	}
	t.Segments[0].First = 0
	for i, b := range t.bounds {
		if b.kind != replanned {
			t.Changes = append(t.Changes, t.change(b, levels[i], levels[i+1], least))
		}
	}
	for _, a := range t.accepted { // accepting a level accepts all changes before it
		at, ok := t.position(a.Night)
		if !ok {
			continue
		}
		for i := range t.Changes {
			c := &t.Changes[i]
			night, _ := slices.BinarySearch(t.at, c.Night)
			back := slices.ContainsFunc(t.bounds, func(b bound) bool { return b.at == night && b.kind == returned })
			if night <= at+slack && c.State != StateRefuted && c.Over == "" && !back {
				c.State = StateAccepted
			}
		}
	}
}

// newChange returns a change that begins at a position, based on the nights alone.
func (t *track) newChange(at int, e stats.Estimate, p float64) Change {
	c := Change{
		State: StateSuspected, Night: t.at[at], Log: e.Value, Share: share(e.Value),
		Low: e.Interval.Low, High: e.Interval.High, P: p, Worse: t.worse(e.Value),
	}
	if len(t.x)-at >= detectedFrom {
		c.State = StateDetected
	}
	return c
}

// change returns the change at a bound between two levels. Of several re-measurements of it, the
// last counts; one that confirmed another change in the same span does not apply.
func (t *track) change(b bound, before, after span, least float64) Change {
	e, p := t.difference(before, after), b.p
	if b.kind == confirmed || b.kind == agreed {
		p = pOf(e)
	}
	c := t.newChange(b.at, e, p)
	switch {
	case b.over != "":
		c.Over = b.over
	case t.plan(b.at).to < len(t.x):
		c.Over = "the plan changed since"
	case t.Ended:
		c.Over = "the series is not measured any more"
	}
	for _, s := range t.settled {
		where, ok := t.spanOf(s)
		if !ok || !where.holds(b.at) {
			continue
		}
		other := func(o bound) bool { return o.kind == confirmed && where.holds(o.at) }
		if b.kind == confirmed || !slices.ContainsFunc(t.bounds, other) {
			c.settledBy(s, t, least)
		}
	}
	return c
}

// pOf returns the p value of an estimate; without scatter it is 0 or 1.
func pOf(e stats.Estimate) float64 {
	switch {
	case e.Test != nil:
		return e.Test.P
	case e.Interval.Level > 0 && e.Value != 0:
		return 0
	}
	return 1
}

// difference estimates the difference of a level from the one before; without an interval if there
// are too few nights.
func (t *track) difference(before, after span) stats.Estimate {
	x, y := t.x[after.from:after.to], t.x[before.from:before.to]
	if !t.oneMachine(span{before.from, after.to}) {
		if e, ok := t.across(before, after); ok {
			return e
		}
	} else if e, err := stats.WelchDifference(x, y, confidence); err == nil {
		return e
	}
	if e, ok := t.earlier(before, after.positions()); ok && len(x) == 1 {
		if e, err := stats.Against(x, t.se[after.from:after.to], t.df[after.from], e, confidence); err == nil {
			return e
		}
	}
	return stats.Estimate{Value: t.level(after) - t.level(before)}
}

// settledBy applies a re-measurement to a change.
func (c *Change) settledBy(s *Confirmation, t *track, least float64) {
	if s.Verdict == infer.Open && c.Confirmation != nil && c.Confirmation.Verdict != infer.Open {
		return // an earlier one was conclusive
	}
	c.Confirmation = s
	switch {
	case s.confirms(least):
		c.State, c.Worse = StateConfirmed, t.worse(s.Log)
	case s.Verdict != infer.Open:
		c.State = StateRefuted
	}
}

// confirms reports whether the change is confirmed, and large enough to report.
func (c *Confirmation) confirms(least float64) bool {
	return c.Verdict == infer.Confirmed && math.Abs(c.Log) >= math.Log1p(least)
}

// Regresses reports whether a log change is for the worse.
func Regresses(better results.Better, log float64) bool {
	return better == results.Lower && log > 0 || better == results.Higher && log < 0
}

func (t *track) worse(log float64) bool { return Regresses(t.last().Better, log) }

const wentBack = "the level before is back"

// returns adds bounds where a level came back after a confirmed change, and reports whether it
// added any. If so, it removes the change points found by search, which must be searched again
// between the new bounds.
func (t *track) returns() bool {
	var back []bound
	for i, b := range t.bounds {
		at, p, ok := t.returnAfter(i)
		if b.kind != confirmed || !ok {
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

// returnAfter returns the position from which the nights after bound i are back, on the old side of
// half the change by a t test at changeAlpha: a run of nights that are all on that side, however
// few, or a level found by search. The earliest such run counts, so that a later bad night does not
// undo it. A level can come back until the plan changes.
func (t *track) returnAfter(i int) (at int, p float64, ok bool) {
	levels, b := t.levels(), t.bounds[i]
	after := span{b.at, t.plan(b.at).to}
	e, known := t.earlier(levels[i], after.positions())
	if !known || e.SD == 0 {
		return 0, 0, false
	}
	change := 0.0 // as re-measured
	for _, c := range t.settled {
		if where, ok := t.spanOf(c); ok && where.holds(b.at) && c.Verdict == infer.Confirmed {
			change = c.Log
		}
	}
	half := func(from, to int) float64 { // p of the nights not being back
		n := float64(to - from)
		distance := e.Mean + change/2 - mean(t.x[from:to])
		earlier := e
		if len(t.moved) > 0 { // depends on these nights' share of the shift
			earlier, _ = t.earlier(levels[i], span{from, to}.positions())
		}
		v, df := earlier.Spread(n)
		return stats.TTail(math.Copysign(1, change)*distance/v, df)
	}
	from := after.from
	for k := after.from; k < after.to; k++ {
		if math.Abs(t.x[k]-e.Mean) >= math.Abs(t.x[k]-e.Mean-change) {
			from = k + 1
			continue
		}
		if p := half(from, k+1); from > after.from && p <= changeAlpha {
			return from, p, true
		}
	}
	for _, l := range levels[i+2:] {
		if p := half(l.from, l.to); l.to <= after.to && p <= changeAlpha {
			return l.from, p, true
		}
	}
	return 0, 0, false
}
