package history

import (
	"fmt"
	"math"
	"slices"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
)

// alarm is the comparison of a series' last nights with the earlier nights of the current level.
type alarm struct {
	*track
	from     int // position of the first of the last nights
	earlier  stats.Earlier
	level    span
	estimate stats.Estimate
}

// alarms compares the last nights of each campaign and machine with the current level of its
// series. If a change point is too near, there is no level to compare with, and no alarm. The p
// values are adjusted over all comparisons of the night (Holm).
func (c *checker) alarms(judged []*track) {
	tonight := map[place][]alarm{}
	for _, t := range judged {
		levels := t.levels()
		level := levels[len(levels)-1]
		if xs := t.x[level.from:level.to]; len(xs) < leastNights {
			t.Noise, _ = t.pooled(t.plan(level.from).from, level.to)
		} else {
			t.Noise = t.spread(level)
			parts := t.parts(level)
			last := parts[len(parts)-1]
			t.Lag1, _, _ = stats.Lag1(t.x[last.from:last.to]) // 0 if not known
		}
		if t.current && t.last().Judged() {
			tonight[t.place()] = append(tonight[t.place()], t.tonight(c.least)...)
		}
	}
	for _, t := range judged { // in the order of the series, for a stable order of warnings
		c.raise(tonight[t.place()])
		delete(tonight, t.place())
		// Keep a change whose re-measurement was begun and needs another night, even if the nights
		// alone no longer show it.
		n := len(t.settled)
		if n == 0 || !t.settled[n-1].NeedsNight() || t.Ended {
			continue
		}
		begun := t.settled[n-1]
		where, ok := t.spanOf(begun)
		accepted := func(a *Acceptance) bool {
			at, ok := t.position(a.Night)
			return ok && at+slack >= where.from
		}
		if !ok || t.plan(where.from).to < len(t.x) ||
			slices.ContainsFunc(t.Changes, func(known Change) bool { return known.Confirmation == begun }) ||
			slices.ContainsFunc(t.accepted, accepted) {
			continue
		}
		t.Changes = append(t.Changes, Change{
			State: StateSuspected, Night: t.at[t.likeliest(where)], Log: begun.Joint.Log, Share: share(begun.Joint.Log),
			Worse: t.worse(begun.Alarm), P: 1, Alarm: true, Confirmation: begun,
		})
	}
}

// raise decides the alarms of one night, at most one per series. Each direction is tested by
// itself, so that improvements take no power from the detection of regressions. It warns if most
// series changed in one direction: the cause is then likely shared, not the measured programs.
func (c *checker) raise(as []alarm) {
	up, down := make([]float64, len(as)), make([]float64, len(as))
	series := map[*track]bool{}
	for i, a := range as {
		series[a.track] = true
		p := pOf(a.estimate) / 2
		if up[i], down[i] = 1-p, p; a.estimate.Value > 0 {
			up[i], down[i] = p, 1-p
		}
		if a.from == len(a.x)-1 {
			alpha := min(0.5, 2*nightAlpha/float64(len(as)))
			a.Detectable = share(a.estimate.SD * c.solver.Units(a.earlier.DF, alpha))
		}
	}
	up, down = stats.Holm(up), stats.Holm(down)
	raised := map[*track]Change{}
	for i, a := range as {
		p := min(up[i], down[i])
		if p > nightAlpha || math.Abs(a.estimate.Value) < c.leastOf(a.track, a.level.from, len(a.x)) {
			continue
		}
		change := a.newChange(a.from, a.estimate, p)
		change.Alarm = true
		for _, s := range a.settled {
			if where, ok := a.spanOf(s); ok && where.holds(a.from) {
				change.settledBy(s, a.track, c.least)
			}
		}
		if known, ok := raised[a.track]; !ok || known.State == StateRefuted && change.State != StateRefuted {
			raised[a.track] = change
		}
	}
	risen := 0
	for t, change := range raised {
		t.Changes = append(t.Changes, change)
		if change.Log > 0 {
			risen++
		}
	}
	if moved := max(risen, len(raised)-risen); moved >= 3 && 2*moved > len(series) {
		n := as[0].last()
		const shared = "%d of %d series changed in the same direction in the nights up to %s: " +
			"what they share, such as the reference %s or the machine, is likelier the cause than each of them; " +
			"look at the raw values before measuring again"
		night := n.When.Format("2 January 2006")
		c.warnings = append(c.warnings, fmt.Sprintf(shared, moved, len(series), night, n.Reference))
	}
}

// tonight compares the last one, three and five nights with the nights before: to detect one
// distant night, or several less distant ones. It returns nothing if there is no level to compare
// with.
func (t *track) tonight(least float64) []alarm {
	var as []alarm
	levels := t.levels()
	begin, n := levels[len(levels)-1].from, len(t.x)
	for _, k := range []int{1, 3, 5} {
		level := span{begin, n - k}
		nights := t.lasting(n-k, least)
		e, ok := t.earlier(level, nights)
		var xs, ses []float64
		for _, at := range nights {
			xs, ses = append(xs, t.x[at]), append(ses, t.se[at])
		}
		if estimate, err := stats.Against(xs, ses, t.df[n-1], e, confidence); ok && err == nil {
			as = append(as, alarm{t, nights[0], e, level, estimate})
		}
	}
	return as
}

// lasting returns the positions from the given one on that are compared together. A refuted night
// is compared only by itself: among others it would raise the settled alarm again, dated earlier.
func (t *track) lasting(from int, least float64) []int {
	if from == len(t.x)-1 {
		return []int{from}
	}
	var nights []int
	for i := from; i < len(t.x); i++ {
		refuted := false // by its last conclusive re-measurement
		for _, s := range t.settled {
			if s.Night == t.night(i).ID && s.Verdict != infer.Open {
				refuted = !s.confirms(least)
			}
		}
		if !refuted {
			nights = append(nights, i)
		}
	}
	if n := len(nights); n < 2 || nights[n-1] < len(t.x)-1 { // tonight was refuted
		return nil
	}
	return nights
}
