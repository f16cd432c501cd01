package history

import (
	"slices"

	"moobench/analysis/stats"
)

// moved is a position where a track continues on another machine.
type moved struct {
	at    int            // position of the first judged night there
	shift stats.Variance // of the shift applied to the nights before
}

// parts splits a span by machine, oldest first.
func (t *track) parts(l span) []span {
	var parts []span
	for _, m := range t.moved {
		if l.from < m.at && m.at < l.to {
			parts, l.from = append(parts, span{l.from, m.at}), m.at
		}
	}
	return append(parts, l)
}

// stretches returns the parts of all levels: they are separated by bounds or changes of machine.
func (t *track) stretches() []span {
	var all []span
	for _, l := range t.levels() {
		all = append(all, t.parts(l)...)
	}
	return all
}

// weighed is the weighted mean of nights on several machines.
type weighed struct {
	mean float64
	n    float64 // effective number of nights: equal weights would give the same variance
	// carried holds, per move of the track, the weight of the nights before it.
	carried []float64
}

// weigh returns the mean of the nights of some parts of a level, given their standard deviation sd.
// Each part is weighted by its inverse variance on the newest machine: n nights carried over a
// shift with standard error s count as 1/(1/n + s²/sd²) nights there.
func (t *track) weigh(parts []span, values [][]float64, sd float64) weighed {
	w := weighed{carried: make([]float64, len(t.moved))}
	for i, part := range parts {
		n := float64(len(values[i]))
		if i == 0 {
			w.mean, w.n = mean(values[i]), n
			continue
		}
		for j, m := range t.moved { // moves between the part before and this one
			if parts[i-1].to <= m.at && m.at <= part.from {
				w.carried[j] = 1
			}
		}
		variance := 1 / w.n
		if v := t.shifted(w.carried, nil).Value; v > 0 {
			variance += v / (sd * sd)
		}
		old := 1 / (1 + n*variance) // weight of the nights so far
		w.mean = old*w.mean + (1-old)*mean(values[i])
		w.n = 1 / (old*old/w.n + (1-old)*(1-old)/n)
		for j := range w.carried {
			w.carried[j] *= old
		}
	}
	for j, m := range t.moved {
		if parts[len(parts)-1].to <= m.at {
			w.carried[j] = 1
		}
	}
	return w
}

// shifted returns the variance of the shifts in the difference of two means: each shift counts by
// the difference of its weights in the two.
func (t *track) shifted(a, b []float64) stats.Variance {
	var all []stats.Variance
	for i, m := range t.moved {
		share := a[i]
		if b != nil {
			share -= b[i]
		}
		if share != 0 && m.shift.Value > 0 {
			all = append(all, m.shift.Times(share*share))
		}
	}
	return stats.SumOfVariances(all...)
}

// carriedOf returns, per move, the share of some nights that lie before it.
func (t *track) carriedOf(nights []int) []float64 {
	shares := make([]float64, len(t.moved))
	for i, m := range t.moved {
		for _, at := range nights {
			if at < m.at {
				shares[i] += 1 / float64(len(nights))
			}
		}
	}
	return shares
}

// positions lists a span's positions.
func (s span) positions() (all []int) {
	for i := s.from; i < s.to; i++ {
		all = append(all, i)
	}
	return all
}

// level returns the mean of a level.
func (t *track) level(l span) float64 {
	if t.oneMachine(l) {
		return mean(t.x[l.from:l.to])
	}
	return t.weighAll(l, t.spread(l)).mean
}

// weighAll weighs all nights of a level.
func (t *track) weighAll(l span, sd float64) weighed {
	var values [][]float64
	parts := t.parts(l)
	for _, part := range parts {
		values = append(values, t.x[part.from:part.to])
	}
	return t.weigh(parts, values, sd)
}

// earlier summarises the nights of a level for a comparison with later ones. A level with few
// nights borrows its standard deviation from the other levels of the same plan.
func (t *track) earlier(l span, later []int) (stats.Earlier, bool) {
	if l.to-l.from < 1 {
		return stats.Earlier{}, false
	}
	if l.to-l.from >= leastNights {
		return t.earlierOf(l, later)
	}
	begin := t.plan(l.from).from
	sd, df := t.pooled(begin, l.to)
	w := t.weighAll(l, sd)
	e := stats.Earlier{
		Mean: w.mean, N: w.n, SD: sd, DF: df, Within: stats.RootMeanSquare(t.se[begin:l.to]),
		Carried: t.shifted(w.carried, t.carriedOf(later)),
	}
	return e, df >= leastNights-1
}

// earlierOf summarises the typical nights of a level. Their variance is pooled over machines, each
// about its own mean; if the newest machine's nights vary more, the others' variance is widened to
// match.
func (t *track) earlierOf(l span, later []int) (stats.Earlier, bool) {
	if t.oneMachine(l) {
		e, err := stats.EarlierOf(typical(t.x[l.from:l.to], t.se[l.from:l.to]))
		e.Carried = t.shifted(t.carriedOf(l.positions()), t.carriedOf(later))
		return e, err == nil
	}
	parts := t.parts(l)
	values := make([][]float64, len(parts))
	var all, here pool
	for i, part := range parts {
		var ses []float64
		values[i], ses = typical(t.x[part.from:part.to], t.se[part.from:part.to])
		if i < len(parts)-1 {
			all.add(mean(values[i]), 1, values[i], ses)
		} else {
			here.add(mean(values[i]), 1, values[i], ses)
		}
	}
	if factor, ok := all.widening(&here); ok {
		all.widen(factor)
	}
	if all.join(here); all.df < 1 {
		return stats.Earlier{}, false
	}
	s := all.scatter()
	w := t.weigh(parts, values, s.SD)
	return stats.Earlier{
		Mean: w.mean, N: w.n, SD: s.SD, DF: s.DF, Within: s.Within, Carried: t.shifted(w.carried, t.carriedOf(later)),
	}, true
}

// across compares a level with the one before if nights of several machines are involved: Welch's
// comparison, with the variance of the shifts added. ok is false if there are too few nights.
func (t *track) across(before, after span) (e stats.Estimate, ok bool) {
	var parts []stats.Variance
	var levels [2]weighed
	for i, l := range []span{before, after} {
		sd, df := t.pooled(l.from, l.to)
		if df < 1 {
			return stats.Estimate{}, false
		}
		levels[i] = t.weighAll(l, sd)
		parts = append(parts, stats.Variance{Value: sd * sd / levels[i].n, DF: df})
	}
	if v := t.shifted(levels[0].carried, levels[1].carried); v.Value > 0 {
		parts = append(parts, v)
	}
	v := stats.SumOfVariances(parts...)
	value := levels[1].mean - levels[0].mean
	return stats.Estimate{
		Value: value, SE: v.SE(), DF: v.DF, Interval: stats.IntervalT(value, v.SE(), v.DF, stats.TwoSided, confidence),
		Test: stats.TestT(value, v.SE(), v.DF, stats.TwoSided),
	}, true
}

// oneMachine reports whether all nights of a span are of one machine.
func (t *track) oneMachine(s span) bool {
	return !slices.ContainsFunc(t.moved, func(m moved) bool { return s.from < m.at && m.at < s.to })
}

// spread returns the standard deviation of a level's nights, pooled over machines; 0 for one night.
func (t *track) spread(l span) float64 {
	if t.oneMachine(l) {
		sd, _ := stats.SD(t.x[l.from:l.to]) // 0 for one night
		return sd
	}
	sd, _ := t.pooled(l.from, l.to)
	return sd
}
