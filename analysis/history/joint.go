package history

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

const (
	// jointAlpha is the two-sided level of the interval needed for a confirmation, of all nights of
	// a pair together. It is so small because a series is suspected a dozen times a year, and each
	// suspicion is tested after each of its nights.
	jointAlpha = 0.0002
	// mostNights is the number of nights in which a pair is re-measured at most, unless more are
	// asked for.
	mostNights = 5
	// leastOwn is the least degrees of freedom at which confirmations estimate the scatter of
	// new/old between nights; from enoughOwn on, only they are used; mostOwn limits how many of the
	// last ones are used.
	leastOwn  = 4
	enoughOwn = 20
	mostOwn   = 60
	oneNight  = 12 * time.Hour
	// aloneFrom is the number of standard deviations between nights by which a single night must be
	// off to confirm: one campaign in twenty may be off by 4.4, and one in ten thousand t3 values
	// is off by 9. The standard deviation must have enoughOwn degrees of freedom.
	aloneFrom = 8
	// unsure is the probability that the inflated standard deviation is still too small, for fewer
	// degrees of freedom and normal values: of other distributions, a few values tell too little.
	unsure = 0.05
	// nextNight is the longest time between two consecutive nights.
	nextNight = 36 * time.Hour
	// mostAlike is the largest accepted lag-1 correlation, which is estimated from few nights.
	mostAlike = 0.9
)

// settle returns the verdict on an alarm, given by its log change, after one or more nights in
// which new and old were re-measured; least is the least reported change, as a share.
//
// The nights' mean has two intervals. The blocks' interval, at ConfirmAlpha, covers the difference
// in these nights. The joint interval, at jointAlpha, includes the variation between nights without
// any change: its half-width is the larger of t(df) times the blocks' standard error and t(DF) v,
//
//	v² = (SD² + max(0, mean SE² - Within²))/k
//
// which predicts the mean of k nights from a scatter SD whose nights had the standard errors Within
// (see stats.Against). If consecutive nights are correlated, the part of v² between nights is
// inflated by Lag1, as for the mean of a first-order autoregression.
//
// Confirmed: the mean is at least the least change, the joint interval is on the alarm's side of 0,
// and no single night decides that: without the night furthest on the alarm's side, the others'
// interval at ConfirmAlpha is on that side too. A single night must be off by aloneFrom standard
// deviations between nights. Refuted: the mean is below the least change, and the blocks' interval
// does not reach the alarm or excludes 0. Otherwise open. Without a scatter nothing is confirmed.
func settle(
	alarm float64, nights []results.Remeasured, scatter *results.Scatter, least float64,
) (Joint, infer.Settlement) {
	return quantiled{stats.TQuantile}.settle(alarm, nights, scatter, least)
}

// quantiled gets quantiles of t, computed or from a table.
type quantiled struct{ t func(p, df float64) float64 }

func (q quantiled) settle(
	alarm float64, nights []results.Remeasured, scatter *results.Scatter, least float64,
) (Joint, infer.Settlement) {
	nights = byNight(nights)
	j := Joint{Nights: len(nights), Alpha: jointAlpha, Scatter: scatter}
	if len(nights) == 0 || alarm == 0 || math.IsNaN(alarm) {
		return j, infer.Open
	}
	k := float64(len(nights))
	own := make([]stats.Variance, len(nights))
	for i, n := range nights {
		j.Log += n.Log / k
		own[i] = stats.VarianceOf(n.SE, n.DF)
	}
	blocks := stats.SumOfVariances(own...).Times(1 / (k * k))
	each := blocks.Times(k) // variance of one night, on average
	wide := q.half(jointAlpha, k, each, scatter)
	j.Low, j.High = j.Log-wide, j.Log+wide
	narrow := q.t(ConfirmAlpha/2, blocks.DF) * blocks.SE()
	log := math.Copysign(1, alarm) * j.Log
	switch {
	case log >= math.Log1p(least):
		if scatter != nil && log > wide && q.others(nights, alarm, each, scatter) {
			return j, infer.Confirmed
		}
	case math.Abs(log) > narrow || log+narrow < math.Abs(alarm):
		return j, infer.Refuted
	}
	return j, infer.Open
}

// half returns the half-width of the interval of the mean of k nights, two-sided at alpha; each is
// the variance of one night due to its blocks.
func (q quantiled) half(alpha, k float64, each stats.Variance, scatter *results.Scatter) float64 {
	wide := q.t(alpha/2, each.DF) * math.Sqrt(each.Value/k)
	if scatter == nil {
		return wide
	}
	within, between := scatter.Within*scatter.Within, between(scatter)
	alike := 0.0 // variance inflation of the mean by correlated nights, less 1
	for j := 1.0; j < k; j++ {
		alike += 2 * (1 - j/k) * math.Pow(scatter.Lag1, j)
	}
	v := math.Sqrt((scatter.SD*scatter.SD + max(0, each.Value-within) + alike*between*between) / k)
	return max(wide, q.t(alpha/2, scatter.DF)*v)
}

// between returns the standard deviation between nights, without the part due to their own errors.
func between(s *results.Scatter) float64 { return math.Sqrt(max(0, s.SD*s.SD-s.Within*s.Within)) }

// others reports whether the nights without the one furthest on the alarm's side show the change
// too; for a single night, whether it exceeds aloneNeeds.
func (q quantiled) others(
	nights []results.Remeasured, alarm float64, each stats.Variance, scatter *results.Scatter,
) bool {
	sum, furthest := 0.0, math.Inf(-1)
	for _, n := range nights {
		log := math.Copysign(1, alarm) * n.Log
		sum, furthest = sum+log, max(furthest, log)
	}
	k := float64(len(nights))
	return k == 1 && sum > aloneNeeds(scatter) || k > 1 && sum-furthest > q.othersNeed(k, each, scatter)
}

// aloneNeeds returns how far off a single night must be; infinite if the scatter has too few
// degrees of freedom.
func aloneNeeds(scatter *results.Scatter) float64 {
	if scatter.DF < enoughOwn {
		return math.Inf(1)
	}
	return aloneFrom * scatter.SD
}

// othersNeed returns what the sum of k nights without the furthest must exceed.
func (q quantiled) othersNeed(k float64, each stats.Variance, scatter *results.Scatter) float64 {
	return (k - 1) * q.half(ConfirmAlpha, k-1, each, scatter)
}

// needed returns the value that the last of some nights must exceed for all of them to confirm a
// rise of at least the least change; the last one's own value is ignored.
func (q quantiled) needed(nights []results.Remeasured, scatter *results.Scatter, least float64) float64 {
	k, sum, furthest := float64(len(nights)), 0.0, math.Inf(-1)
	own := make([]stats.Variance, len(nights))
	for i, n := range nights {
		own[i] = stats.VarianceOf(n.SE, n.DF)
		if i < len(nights)-1 {
			sum, furthest = sum+n.Log, max(furthest, n.Log)
		}
	}
	each := stats.SumOfVariances(own...).Times(1 / k)
	joint := k*max(math.Log1p(least), q.half(jointAlpha, k, each, scatter)) - sum
	if k == 1 {
		return max(joint, aloneNeeds(scatter))
	}
	rest := q.othersNeed(k, each, scatter)
	if sum <= rest { // even if the last is the furthest, the others don't show it
		return math.Inf(1)
	}
	return max(joint, rest-(sum-furthest))
}

// ConfirmationOf returns the record of a re-measured alarm, from the result of tonight's n blocks.
// The caller fills in Folder.
func ConfirmationOf(c *results.Confirm, a results.Alarm, tonight results.Remeasured, n int) Confirmation {
	j, verdict := settle(a.Log, append(slices.Clone(a.Before), tonight), a.Scatter, cmp.Or(c.Least, leastChange))
	half := stats.TQuantile(ConfirmAlpha/2, tonight.DF) * tonight.SE
	r := Confirmation{
		Key: a.HistoryKey, Night: c.Night, Against: c.Against, When: tonight.When,
		OldCommit: c.OldCommit, NewCommit: c.NewCommit,
		Log: tonight.Log, Low: tonight.Log - half, High: tonight.Log + half, Alpha: ConfirmAlpha, N: n,
		SE: tonight.SE, DF: tonight.DF, Alarm: a.Log, Joint: &j, Verdict: verdict,
	}
	joint := "how much nights differ is not known, so nothing is confirmed"
	if j.Scatter != nil {
		joint = j.jointText("interval")
	}
	blocks := figure.Plural(r.N, "block", "blocks")
	r.Reason = fmt.Sprintf("new is %s against old %s, and %s raised the alarm; %s; %s",
		percent(r.Log), interval(r.Alpha, "interval", r.Low, r.High), percent(r.Alarm), blocks, joint)
	return r
}

// Distrust withdraws the verdict, for a reason that invalidates every difference of the campaign.
func (c *Confirmation) Distrust(why string) {
	c.Verdict, c.Joint, c.Distrusted = infer.Open, nil, true
	c.Reason += "; but " + why
}

// byNight returns the nights in order of time. Measurements within twelve hours share the effect of
// their night, so they are merged into one night: the mean weighted by 1/SE².
func byNight(measured []results.Remeasured) []results.Remeasured {
	measured = slices.Clone(measured)
	slices.SortStableFunc(measured, func(a, b results.Remeasured) int { return a.When.Compare(b.When) })
	var nights []results.Remeasured
	for _, m := range measured {
		last := len(nights) - 1
		if last < 0 || m.When.Sub(nights[last].When) >= oneNight {
			nights = append(nights, m)
			continue
		}
		n := &nights[last]
		share := 0.5
		if total := n.SE*n.SE + m.SE*m.SE; total > 0 {
			share = n.SE * n.SE / total
		}
		older := stats.VarianceOf(n.SE, n.DF).Times((1 - share) * (1 - share))
		newer := stats.VarianceOf(m.SE, m.DF).Times(share * share)
		v := stats.SumOfVariances(older, newer)
		n.Log += share * (m.Log - n.Log)
		n.SE, n.DF = v.SE(), v.DF
	}
	return nights
}

// remeasured returns the estimate of a confirmation's blocks; DF is 0 if it says nothing. Records
// of older versions have no standard error; it is derived from their interval, t(n-1) standard
// errors wide on each side.
func (c *Confirmation) remeasured() results.Remeasured {
	m := results.Remeasured{When: c.When, Log: c.Log, SE: c.SE, DF: c.DF}
	switch {
	case c.Distrusted:
		m.SE, m.DF = 0, 0
	case m.DF == 0 && c.N > 1:
		m.DF = float64(c.N - 1)
		m.SE = (c.High - c.Low) / 2 / stats.TQuantile(c.Alpha/2, m.DF)
	}
	return m
}

// pair identifies re-measured artifacts: old and new of a series.
type pair struct {
	Key
	old, new string
}

func (c *Confirmation) pair() pair { return pair{c.Key, c.Against, c.Night} }

// scatterOf returns the assumed variation of log(new/old) of a series between nights, for a pair to
// be settled. It is estimated from the last confirmations of the same metric, scenario and machine,
// if they have enough degrees of freedom: from the mean square for pairs that are not confirmed,
// which show no change, and from the variance between nights for the others. Leaving out open pairs
// would leave out the largest values. Below twenty degrees of freedom, confirmations on the series'
// earlier machines are added, widened by as much as its nights vary more here; and as long as all
// of them are fewer, the scatter of cell/reference, an upper bound, is used if it gives the
// narrower interval.
func scatterOf(settled []*Confirmation, s *Series, level Segment, sought pair, until int) *results.Scatter {
	here := newestAlike(settled, s, sought, s.Machine)
	all := poolOf(here, 1)
	if factor, ok := s.widening(level, until); ok && all.df < enoughOwn {
		var before []string
		for _, shift := range s.Shifts {
			before = append(before, shift.From)
		}
		all.join(poolOf(newestAlike(settled, s, sought, before...), factor))
	}
	all.lag1 = lag1Of(here)
	return quantiled{stats.TQuantile}.narrower(&all, nightScatter(s, level, until))
}

// newestAlike returns the last confirmations that estimate the variation of new/old of a series on
// some machines, newest first.
func newestAlike(settled []*Confirmation, s *Series, sought pair, machines ...string) (last []*Confirmation) {
	for _, c := range slices.Backward(settled) {
		if len(last) < mostOwn && alike(c, s, machines...) && c.pair() != sought && c.remeasured().DF > 0 {
			last = append(last, c)
		}
	}
	return last
}

// poolOf pools the scatter of confirmations, times a factor: of pairs that are not confirmed, which
// show no change, about 0; of the others about their own mean.
func poolOf(confirmations []*Confirmation, factor float64) pool {
	var all pool
	for _, group := range stats.Grouped(confirmations, (*Confirmation).pair) {
		var logs, ses []float64
		for _, c := range group {
			m := c.remeasured()
			logs, ses = append(logs, factor*m.Log), append(ses, factor*m.SE)
		}
		if group[0].Verdict == infer.Confirmed {
			all.add(mean(logs), 1, logs, ses)
			continue
		}
		for i := range logs {
			all.add(0, 0, logs[i:i+1], ses[i:i+1])
		}
	}
	return all
}

// widening returns the factor by which the nights of a series vary more on its machine than on
// those before, at least 1, using nights before until, which may have changed. ok is false if there
// are too few nights.
func (s *Series) widening(last Segment, until int) (factor float64, ok bool) {
	at := s.firstHere()
	if at == 0 {
		return 0, false
	}
	before, here := s.scatter(0, at, last), s.scatter(at, until, last)
	return before.widening(&here)
}

// lag1Of returns the lag-1 correlation of the night effects on new/old, without the part due to
// their own errors: of pairs that are not confirmed, which show no change. It is shrunk like that
// of blocks; 0 without two consecutive nights.
func lag1Of(settled []*Confirmation) float64 {
	var products, squares, within, n, pairs float64
	for _, group := range stats.Grouped(settled, (*Confirmation).pair) {
		if group[0].Verdict == infer.Confirmed { // the newest verdict
			continue
		}
		for i, c := range group {
			m := c.remeasured()
			squares, within, n = squares+m.Log*m.Log, within+m.SE*m.SE, n+1
			if i > 0 && group[i-1].When.Sub(c.When) < nextNight {
				products, pairs = products+m.Log*group[i-1].remeasured().Log, pairs+1
			}
		}
	}
	if variance := (squares - within) / n; pairs > 0 && variance > 0 {
		return pairs / (pairs + 8) * min(mostAlike, max(0, products/pairs/variance))
	}
	return 0
}

// narrower returns the confirmations' scatter, or that of the nights as a bound: see scatterOf.
func (q quantiled) narrower(all *pool, bound *results.Scatter) *results.Scatter {
	// reach is the half-width of the joint interval of one night.
	reach := func(s *results.Scatter) float64 { return q.t(jointAlpha/2, s.DF) * s.SD }
	if all.df < leastOwn {
		return bound
	}
	own := all.scatter()
	if own.DF < enoughOwn {
		own.SD *= stats.UpperSD(own.DF, unsure)
	}
	if bound == nil || all.df >= enoughOwn || reach(own) < reach(bound) {
		return own
	}
	return bound
}

// alike reports whether a confirmation estimates the variation of new/old of a series on some
// machines: it is of the same metric there.
func alike(c *Confirmation, s *Series, machines ...string) bool {
	same := c.Campaign == s.Campaign && c.Scenario == s.Scenario && c.Metric == s.Metric
	return same && slices.Contains(machines, c.Key.Series().Machine)
}

// nightScatter returns the standard deviation of a series' nights about their levels, up to the
// level before a change; nil if there are too few. Nights on other machines are widened to vary as
// much as the nights here before until.
func nightScatter(s *Series, last Segment, until int) *results.Scatter {
	at := s.firstHere()
	all := s.scatter(0, at, last)
	if factor, ok := s.widening(last, until); ok {
		all.widen(factor)
	}
	all.join(s.scatter(at, len(s.Nights), last))
	return boundOf(&all)
}

// scatter pools the typical nights between two indices about their levels, up to a level.
func (s *Series) scatter(first, end int, last Segment) (all pool) {
	for _, level := range s.Segments {
		if level.First > last.First {
			break
		}
		from := max(level.First, first)
		var xs, ses []float64
		for _, n := range s.Nights[from:max(from, min(level.Last+1, end))] {
			if n.Judged() {
				xs, ses = append(xs, n.Log), append(ses, n.SE)
			}
		}
		if xs, ses = typical(xs, ses); len(xs) > 1 {
			all.add(mean(xs), 1, xs, ses)
		}
	}
	return all
}

// boundOf returns the scatter of nights about their levels, as an upper bound; nil if there are too
// few.
func boundOf(all *pool) *results.Scatter {
	if all.df < leastNights-1 {
		return nil
	}
	bound := all.scatter()
	bound.Bound = true
	return bound
}
