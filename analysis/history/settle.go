package history

import (
	"math"
	"slices"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
)

// settle turns levels and bounds into segments and changes, and says of each
// change what measuring again and the maintainer said of it.
func (t *track) settle(least float64) {
	if len(t.x) == 0 {
		return
	}
	t.agree()
	levels := t.levels()
	for i, l := range levels {
		s := Segment{First: t.at[l.from], Last: len(t.Nights) - 1, Mean: mean(t.x[l.from:l.to])}
		if i == 0 {
			s.First = 0
		}
		if i+1 < len(levels) {
			s.Last = t.at[l.to] - 1
		}
		if sd, err := stats.SD(t.x[l.from:l.to]); err == nil {
			s.SD = sd
		}
		t.Segments = append(t.Segments, s)
	}
	for i, b := range t.bounds {
		if b.kind != replanned {
			t.Changes = append(t.Changes, t.change(b, levels[i], levels[i+1], least))
		}
	}
	t.accept()
}

// agree puts bounds where a level was accepted that no change point is near.
func (t *track) agree() {
	for _, a := range t.accepted {
		at, ok := t.position(a.Night)
		if !ok || at == 0 || at >= len(t.x) {
			continue
		}
		if !slices.ContainsFunc(t.bounds, func(b bound) bool { return near(b.at, at) }) {
			t.bounds = append(t.bounds, bound{at: at, kind: agreed})
		}
	}
	t.order()
}

func near(a, b int) bool { return a-b <= slack && b-a <= slack }

// change is that at a bound, between two levels.
func (t *track) change(b bound, before, after span, least float64) Change {
	c := Change{Night: t.at[b.at], P: b.p, Over: b.over, State: StateSuspected}
	if len(t.x)-b.at >= detectedFrom {
		c.State = StateDetected
	}
	e := t.difference(before, after)
	c.resized(e)
	if b.kind == confirmed || b.kind == agreed {
		c.P = pOf(e)
	}
	c.Worse = t.worse(c.Log)
	switch {
	case c.Over != "":
	case t.planned(b.at) < t.planned(len(t.x)):
		c.Over = "the plan changed since"
	case t.Ended:
		c.Over = "the series is not measured any more"
	}
	t.confirm(&c, b, least)
	return c
}

// resized takes the size of a change from an estimate.
func (c *Change) resized(e stats.Estimate) {
	c.Log, c.Share = e.Value, share(e.Value)
	if e.Interval.Level > 0 {
		c.Low, c.High = e.Interval.Low, e.Interval.High
	}
}

// pOf is the p of an estimate; of one without scatter it is 0 or 1.
func pOf(e stats.Estimate) float64 {
	switch {
	case e.Test != nil:
		return e.Test.P
	case e.Interval.Level > 0 && e.Value != 0:
		return 0
	}
	return 1
}

// difference is by how much a level differs from the one before; without interval
// where there are too few nights.
func (t *track) difference(before, after span) stats.Estimate {
	x, y := t.x[after.from:after.to], t.x[before.from:before.to]
	if len(x) > 1 && len(y) > 1 {
		if e, err := stats.WelchDifference(x, y, confidence); err == nil {
			return e
		}
	}
	if e, ok := t.earlier(before); ok && len(x) == 1 {
		if e, err := stats.Against(x, t.se[after.from:after.to], t.df[after.from], e, 0, confidence); err == nil {
			return e
		}
	}
	return stats.Estimate{Value: mean(x) - mean(y)}
}

// confirm looks for the last measurement that was about this change. Where one
// confirmed a change among the same nights, it was that one.
func (t *track) confirm(c *Change, b bound, least float64) {
	for _, s := range t.settled {
		where, ok := t.spanOf(s)
		if !ok || !where.holds(b.at) {
			continue
		}
		other := slices.ContainsFunc(t.bounds, func(o bound) bool { return o.kind == confirmed && where.holds(o.at) })
		if b.kind == confirmed || !other {
			c.settledBy(s, t, least)
		}
	}
}

// settledBy is what a measurement makes of a change.
func (c *Change) settledBy(s *Confirmation, t *track, least float64) {
	if s.Verdict == infer.Open && c.Confirmation != nil && c.Confirmation.Verdict != infer.Open {
		return // an earlier measurement was clearer
	}
	c.Confirmation = s
	switch {
	case s.confirms(least):
		c.State, c.Worse = StateConfirmed, t.worse(s.Log)
	case s.Verdict != infer.Open:
		c.State = StateRefuted
	}
}

// confirms says whether a confirmed change is worth a word, too.
func (c *Confirmation) confirms(least float64) bool {
	return c.Verdict == infer.Confirmed && math.Abs(c.Log) >= math.Log1p(least)
}

// accept makes the levels normal that were accepted, with all changes before them.
func (t *track) accept() {
	for _, a := range t.accepted {
		at, ok := t.position(a.Night)
		if !ok {
			continue
		}
		for i := range t.Changes {
			c := &t.Changes[i]
			night, _ := slices.BinarySearch(t.at, c.Night)
			if night <= at+slack && c.State != StateRefuted && c.Over == "" && !t.wasReturn(night) {
				c.State = StateAccepted
			}
		}
	}
}

// wasReturn says whether the change at a position is a level's coming back.
func (t *track) wasReturn(at int) bool {
	return slices.ContainsFunc(t.bounds, func(b bound) bool { return b.at == at && b.kind == returned })
}
