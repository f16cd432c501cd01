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
	// jointAlpha is the two-sided level of the interval that a confirmation needs,
	// of all nights of a pair together. It is so small because a series is
	// suspected a dozen times a year, and each suspicion is looked at after each of
	// its nights.
	jointAlpha = 0.0002
	// mostNights is how many nights a pair is re-measured in, unless somebody asks
	// for more.
	mostNights = 5
	// leastOwn is how many degrees of freedom confirmations need to tell by how much
	// new/old differs from night to night, enoughOwn from how many on nothing else is
	// asked, mostOwn how many of the last ones are.
	leastOwn  = 4
	enoughOwn = 20
	mostOwn   = 60
	oneNight  = 12 * time.Hour
	// aloneFrom is by how many times of what nights differ by one night alone has to be off: one
	// campaign in twenty may be off by 4.4 of them, and of t3 values one in ten thousand is off by 9.
	// It takes nights that are known by enoughOwn degrees of freedom.
	aloneFrom = 8
	// unsure is the chance with which the standard deviation of fewer is taken too small, if they are
	// normal: of others a few tell too little.
	unsure = 0.05
	// nextNight is within how long two nights follow each other.
	nextNight = 36 * time.Hour
	// mostAlike is the largest correlation of two nights that is believed of so few.
	mostAlike = 0.9
)

// settle is the verdict on an alarm, the change of the logarithm that was to be
// settled, after one or more nights in which new and old were re-measured; least
// is the least change worth a word, as a share.
//
// The nights' mean has two intervals. The blocks' one, at ConfirmAlpha, says what
// these nights differ by. The joint one, at jointAlpha, holds what nights differ by
// without any change, too: its half-width is the larger of t(df) times the blocks'
// standard error and t(DF) v,
//
//	v² = (SD² + max(0, mean SE² - Within²))/k
//
// the prediction of the mean of k nights from a scatter SD whose nights had the
// standard errors Within (see stats.Against). Where nights that follow each other are alike, with a
// correlation Lag1 of what is between them, that part of v² is larger, as of the mean of a first-order
// autoregression. It is confirmed when the mean is
// worth a word, the joint interval is on the alarm's side of 0, and no single night makes it so: without
// the one that is furthest on the alarm's side, the others' interval at ConfirmAlpha is on that side,
// too. One night alone has to be off by aloneFrom times what nights differ by. Refuted when
// the mean is not worth a word, and the blocks' interval does not reach the alarm
// or does not hold 0; else open. Without a scatter nothing is confirmed.
func settle(alarm float64, nights []results.Remeasured, scatter *results.Scatter, least float64) (Joint, infer.Settlement) {
	return quantiled{stats.TQuantile}.settle(alarm, nights, scatter, least)
}

// quantiled says where quantiles of t come from: computed, or from a table.
type quantiled struct{ t func(p, df float64) float64 }

func (q quantiled) settle(alarm float64, nights []results.Remeasured, scatter *results.Scatter, least float64) (Joint, infer.Settlement) {
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
	each := blocks.Times(k) // of one night, on average
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

// half is the half-width of the interval of the mean of k nights, two-sided at alpha; each is the
// variance that the blocks of one night leave.
func (q quantiled) half(alpha, k float64, each stats.Variance, scatter *results.Scatter) float64 {
	wide := q.t(alpha/2, each.DF) * math.Sqrt(each.Value/k)
	if scatter == nil {
		return wide
	}
	within, between := scatter.Within*scatter.Within, between(scatter)
	alike := 0.0 // by how much the mean of nights that are alike varies more
	for j := 1.0; j < k; j++ {
		alike += 2 * (1 - j/k) * math.Pow(scatter.Lag1, j)
	}
	v := math.Sqrt((scatter.SD*scatter.SD + max(0, each.Value-within) + alike*between*between) / k)
	return max(wide, q.t(alpha/2, scatter.DF)*v)
}

// between is the standard deviation of what nights do, without the part that their own errors make.
func between(s *results.Scatter) float64 { return math.Sqrt(max(0, s.SD*s.SD-s.Within*s.Within)) }

// others says whether the nights besides the one that is furthest on the alarm's side show the
// change, too; of a single night, whether it is further off than nights ever are.
func (q quantiled) others(nights []results.Remeasured, alarm float64, each stats.Variance, scatter *results.Scatter) bool {
	sum, furthest := 0.0, math.Inf(-1)
	for _, n := range nights {
		log := math.Copysign(1, alarm) * n.Log
		sum, furthest = sum+log, max(furthest, log)
	}
	k := float64(len(nights))
	return k == 1 && sum > aloneNeeds(scatter) || k > 1 && sum-furthest > q.othersNeed(k, each, scatter)
}

// aloneNeeds is what one night alone has to be off by; nothing is enough where nights are known by few.
func aloneNeeds(scatter *results.Scatter) float64 {
	if scatter.DF < enoughOwn {
		return math.Inf(1)
	}
	return aloneFrom * scatter.SD
}

// othersNeed is what the sum of k nights without the furthest has to exceed.
func (q quantiled) othersNeed(k float64, each stats.Variance, scatter *results.Scatter) float64 {
	return (k - 1) * q.half(ConfirmAlpha, k-1, each, scatter)
}

// needed is what the last of some nights has to exceed so that all of them confirm a rise of at least
// so much; the last one's own value does not matter.
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
	if sum <= rest { // even where the last one is the furthest, the others don't show it
		return math.Inf(1)
	}
	return max(joint, rest-(sum-furthest))
}

// ConfirmationOf is the record of an alarm that a campaign settles, by what its n
// blocks said tonight. Folder is for the caller to fill in.
func ConfirmationOf(c *results.Confirm, a results.Alarm, tonight results.Remeasured, n int) Confirmation {
	j, verdict := settle(a.Log, append(slices.Clone(a.Before), tonight), a.Scatter, cmp.Or(c.Least, leastChange))
	half := stats.TQuantile(ConfirmAlpha/2, tonight.DF) * tonight.SE
	r := Confirmation{
		Key: a.HistoryKey, Night: c.Night, Against: c.Against, When: tonight.When, OldCommit: c.OldCommit, NewCommit: c.NewCommit,
		Log: tonight.Log, Low: tonight.Log - half, High: tonight.Log + half, Alpha: ConfirmAlpha, N: n,
		SE: tonight.SE, DF: tonight.DF, Alarm: a.Log, Joint: &j, Verdict: verdict,
	}
	joint := "by how much nights differ is not known, so nothing is confirmed"
	if j.Scatter != nil {
		joint = j.jointText("interval")
	}
	r.Reason = fmt.Sprintf("new is %s against old %s, and %s raised the alarm; %s; %s",
		percent(r.Log), interval(r.Alpha, "interval", r.Low, r.High), percent(r.Alarm), figure.Plural(r.N, "block", "blocks"), joint)
	return r
}

// Distrust takes the verdict back, for a reason that spoils every difference of the
// campaign.
func (c *Confirmation) Distrust(why string) {
	c.Verdict, c.Joint, c.Distrusted = infer.Open, nil, true
	c.Reason += "; but " + why
}

// byNight are the nights in the order of time. What was measured twice within
// twelve hours shares what its night does to it: it is one night, the mean weighted
// by 1/SE².
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
		v := stats.SumOfVariances(stats.VarianceOf(n.SE, n.DF).Times((1-share)*(1-share)), stats.VarianceOf(m.SE, m.DF).Times(share*share))
		n.Log += share * (m.Log - n.Log)
		n.SE, n.DF = v.SE(), v.DF
	}
	return nights
}

// remeasured is what the blocks of a confirmation say; without degrees of freedom
// it says nothing. Records of older versions have no standard error; their
// interval is t(n-1) of them wide.
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

// pair names what is re-measured: old and new of a series.
type pair struct {
	Key
	old, new string
}

func (c *Confirmation) pair() pair { return pair{c.Key, c.Against, c.Night} }

// scatterOf is by how much log(new/old) of a series is taken to differ from night
// to night, for a pair that is to be settled. Where the last confirmations of the
// same metric of the same scenario on the same machine have enough degrees of freedom,
// they tell: of pairs that are not confirmed the mean square, as nothing is shown to
// have changed, and of the others the variance between their nights. Leaving out what
// is still open would leave out the largest. Until they have twenty, those of the machines that the series came
// from are added, wider by as much as its nights are; and while all of them are fewer, the scatter of
// cell/reference, which holds more than that, stands in where it makes the narrower
// interval.
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

// newestAlike are the last confirmations that tell by how much new/old of a series differs on some machines, the
// newest first.
func newestAlike(settled []*Confirmation, s *Series, sought pair, machines ...string) (last []*Confirmation) {
	for _, c := range slices.Backward(settled) {
		if len(last) < mostOwn && alike(c, s, machines...) && c.pair() != sought && c.remeasured().DF > 0 {
			last = append(last, c)
		}
	}
	return last
}

// poolOf pools the scatter of confirmations, times a factor: that of pairs that are not confirmed about 0, as nothing
// is shown to have changed, and that of the others about their own mean.
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

// widening is by how many times the nights of a series differ by more on its machine than they did before, on
// others, at least 1, before a night that may have changed. It is not ok where too few nights tell.
func (s *Series) widening(last Segment, until int) (factor float64, ok bool) {
	at := s.firstHere()
	if at == 0 {
		return 0, false
	}
	before, here := s.scatter(0, at, last), s.scatter(at, until, last)
	return before.widening(&here)
}

// lag1Of is the correlation of what nights that follow each other do to old and new, without the part
// that their own errors make: of pairs that are not confirmed, as nothing is shown to have changed.
// It is shrunk as that of blocks is; 0 where no two nights tell it.
func lag1Of(settled []*Confirmation) float64 {
	var products, squares, within, n, pairs float64
	for _, group := range stats.Grouped(settled, (*Confirmation).pair) {
		if group[0].Verdict == infer.Confirmed { // the newest
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

// narrower is what the confirmations say, or the scatter of the nights as a bound: see scatterOf.
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

// alike says whether a confirmation tells by how much new/old of a series differs from night to
// night on some machines: it is of the same metric there.
func alike(c *Confirmation, s *Series, machines ...string) bool {
	same := c.Campaign == s.Campaign && c.Scenario == s.Scenario && c.Metric == s.Metric
	return same && slices.Contains(machines, c.Key.Series().Machine)
}

// nightScatter is by how much a series' nights differ about their levels, up to the
// level before a change; nil when there are too few. Those of other machines differ by as much more as they do
// here, before a night that may have changed.
func nightScatter(s *Series, last Segment, until int) *results.Scatter {
	at := s.firstHere()
	all := s.scatter(0, at, last)
	if factor, ok := s.widening(last, until); ok {
		all.widen(factor)
	}
	all.join(s.scatter(at, len(s.Nights), last))
	return boundOf(&all)
}

// scatter pools the scatter of the typical nights between two indices about their levels, up to a level.
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

// boundOf is the scatter of nights about their levels, as a bound; nil where it is of too few.
func boundOf(all *pool) *results.Scatter {
	if all.df < leastNights-1 {
		return nil
	}
	bound := all.scatter()
	bound.Bound = true
	return bound
}
