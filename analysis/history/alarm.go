package history

import (
	"fmt"
	"math"
	"slices"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
)

// runs are how many last nights are compared with those before: one night that is
// far off, or several that are less so.
var runs = []int{1, 3, 5}

// alarm is the comparison of a series' last nights with the nights of the current
// level before them.
type alarm struct {
	*track
	from     int // position of the first of the last nights
	level    span
	estimate stats.Estimate
}

// alarms compares the last nights of each campaign and machine with the current
// level of its series. Where a change point is so near that there is no level to
// compare with, there is no alarm beside it. The p values are adjusted over all
// comparisons of the night (Holm).
func (c *checker) alarms(judged []*track) {
	last := map[place]string{}
	for _, t := range c.tracks {
		newest, ok := last[t.place()]
		if !ok || t.last().ID != newest && t.later(c.tracks, newest) {
			last[t.place()] = t.last().ID
		}
	}
	tonight := map[place][]alarm{}
	for _, t := range judged {
		t.rest()
		if t.last().ID == last[t.place()] && t.last().Judged() {
			tonight[t.place()] = append(tonight[t.place()], t.tonight(c.Least)...)
		}
	}
	for _, t := range judged { // in the order of the series, so that warnings have one
		c.raise(tonight[t.place()])
		delete(tonight, t.place())
		t.unfinished()
	}
}

// raise decides the alarms of one night, of each series at most one. Each
// direction is tested by itself, so that what gets better takes nothing from the
// power to see what gets worse.
func (c *checker) raise(as []alarm) {
	up, down := make([]float64, len(as)), make([]float64, len(as))
	series := map[*track]bool{}
	for i, a := range as {
		series[a.track] = true
		up[i], down[i] = a.tails()
		if e, ok := a.earlier(a.level); ok && a.from == len(a.x)-1 {
			alpha := min(0.5, 2*nightAlpha/float64(len(as)))
			a.Detectable = share(a.estimate.SD * c.detectable(e.DF, alpha))
		}
	}
	up, down = stats.Holm(up), stats.Holm(down)
	raised := map[*track]Change{}
	for i, a := range as {
		p := min(up[i], down[i])
		if p > nightAlpha || math.Abs(a.estimate.Value) < c.leastOf(a.track, a.level.from, len(a.x)) {
			continue
		}
		change := a.change(p, c.Least)
		if known, ok := raised[a.track]; !ok || known.State == StateRefuted && change.State != StateRefuted {
			raised[a.track] = change
		}
	}
	c.together(as, raised, len(series))
}

// tails are the one-sided p values of a rise and of a fall.
func (a alarm) tails() (up, down float64) {
	p := pOf(a.estimate) / 2
	if a.estimate.Value > 0 {
		return p, 1 - p
	}
	return 1 - p, p
}

// change is what an alarm says, and what measuring again said of its nights.
func (a alarm) change(p, least float64) Change {
	change := Change{State: StateSuspected, Night: a.at[a.from], P: p, Alarm: true, Worse: a.worse(a.estimate.Value)}
	if len(a.x)-a.from >= detectedFrom {
		change.State = StateDetected
	}
	change.resized(a.estimate)
	for _, s := range a.settled {
		if where, ok := a.spanOf(s); ok && where.holds(a.from) {
			change.settledBy(s, a.track, least)
		}
	}
	return change
}

// tonight compares the last nights, fewest first; none when there is nothing to
// compare them with.
func (t *track) tonight(least float64) []alarm {
	var as []alarm
	levels := t.levels()
	begin, n := levels[len(levels)-1].from, len(t.x)
	for _, k := range runs {
		level := span{begin, n - k}
		nights := t.lasting(n-k, least)
		e, ok := t.earlier(level)
		if !ok || len(nights) == 0 {
			continue
		}
		estimate, err := stats.Against(pick(t.x, nights), pick(t.se, nights), t.df[n-1], e, 0, confidence)
		if err == nil {
			as = append(as, alarm{t, nights[0], level, estimate})
		}
	}
	return as
}

// lasting are the positions from one on that speak for a change together. A night
// that was measured again and refuted speaks for none: it is compared by itself
// alone, where it is known to be refuted. In company it would raise the alarm that
// was just settled a second time, under the name of an older night.
func (t *track) lasting(from int, least float64) []int {
	if from == len(t.x)-1 {
		return []int{from}
	}
	var nights []int
	for i := from; i < len(t.x); i++ {
		if !t.refuted(i, least) {
			nights = append(nights, i)
		}
	}
	if n := len(nights); n < 2 || nights[n-1] < len(t.x)-1 { // tonight was refuted
		return nil
	}
	return nights
}

// refuted says whether the last clear word of measuring a night again was that
// nothing changed.
func (t *track) refuted(at int, least float64) bool {
	refuted := false
	for _, s := range t.settled {
		if s.Night == t.night(at).ID && s.Verdict != infer.Open {
			refuted = !s.confirms(least)
		}
	}
	return refuted
}

// pick are the values at some positions.
func pick(xs []float64, positions []int) []float64 {
	picked := make([]float64, len(positions))
	for i, at := range positions {
		picked[i] = xs[at]
	}
	return picked
}

// together takes the alarms of a night in, and warns when most series changed in
// one direction: what they have in common is not what is measured.
func (c *checker) together(as []alarm, raised map[*track]Change, series int) {
	up, down := 0, 0
	for t, change := range raised {
		t.Changes = append(t.Changes, change)
		if change.Log > 0 {
			up++
		} else {
			down++
		}
	}
	moved := max(up, down)
	if moved < 3 || 2*moved <= series {
		return
	}
	n := as[0].last()
	c.warnings = append(c.warnings, fmt.Sprintf("%d of %d series changed in the same direction in the nights up to %s: what they share, such as the reference %s or the machine, is likelier the cause than each of them; look at the raw values before measuring again",
		moved, series, n.When.Format("2 January 2006"), n.Reference))
}

// later says whether a series' last night is later than the one of an ID.
func (t *track) later(tracks []*track, id string) bool {
	for _, o := range tracks {
		if last := o.last(); last.ID == id {
			own := t.last()
			return own.When.After(last.When) || own.When.Equal(last.When) && own.ID > id
		}
	}
	return true
}

// unfinished adds the change whose re-measurement was begun and needs another
// night, where the nights alone do not show it any more.
func (t *track) unfinished() {
	n := len(t.settled)
	if n == 0 || !t.settled[n-1].NeedsNight() || t.Ended {
		return
	}
	c := t.settled[n-1]
	where, ok := t.spanOf(c)
	if !ok || t.planned(where.from) < t.planned(len(t.x)) ||
		slices.ContainsFunc(t.Changes, func(known Change) bool { return known.Confirmation == c }) ||
		slices.ContainsFunc(t.accepted, func(a *Acceptance) bool { at, ok := t.position(a.Night); return ok && at+slack >= where.from }) {
		return
	}
	t.Changes = append(t.Changes, Change{
		State: StateSuspected, Night: t.at[t.likeliest(where)], Log: c.Joint.Log, Share: share(c.Joint.Log),
		Worse: t.worse(c.Alarm), P: 1, Alarm: true, Confirmation: c,
	})
}

// rest says how the current level scatters.
func (t *track) rest() {
	levels := t.levels()
	current := levels[len(levels)-1]
	if current.to-current.from >= leastNights {
		if sd, err := stats.SD(t.x[current.from:current.to]); err == nil {
			t.Noise = sd
		}
		if r, _, err := stats.Lag1(t.x[current.from:current.to]); err == nil {
			t.Lag1 = r
		}
		return
	}
	t.Noise, _ = t.pooled(t.planned(current.from), current.to)
}
