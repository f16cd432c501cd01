package compare

import (
	"fmt"
	"math"
	"slices"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/stats"
	"moobench/results"
)

// judge fills in the scenarios of a comparison.
type judge struct {
	Options
	table    *table
	machines []string // IDs of the first campaign's machines
}

// scenario compares the metrics of a scenario: the primary metric, the key metrics, and with All
// the others and their quantiles.
func (j *judge) scenario(s section) Scenario {
	first := s.scenarios[0]
	sc := Scenario{Label: first.Label, Use: first.Use, About: first.About, Metrics: []Metric{}}
	ranks := []func(results.Metric) bool{
		func(m results.Metric) bool { return m.Name == first.Primary },
		func(m results.Metric) bool { return m.Name != first.Primary && m.Key },
		func(m results.Metric) bool { return m.Name != first.Primary && !m.Key && j.All },
	}
	for _, wanted := range ranks {
		for _, m := range first.Metrics {
			if !wanted(m) {
				continue
			}
			all := []quantity{{metric: m}}
			if j.All && m.Series != "" {
				for _, name := range comparedQuantiles {
					all = append(all, quantity{m, name})
				}
			}
			for _, q := range all {
				if one := j.metric(s, q); len(one.Rows) > 0 {
					sc.Metrics = append(sc.Metrics, one)
				}
			}
		}
	}
	return sc
}

// metric compares all cells in a metric. Cells without an answer in any campaign are left out,
// except in the primary metric. The changes of the variants of one factor level form a family with
// simultaneous intervals; each baseline and A/A is a family by itself.
func (j *judge) metric(s section, q quantity) Metric {
	one := Metric{Metric: q.defined(), Quantile: q.quantile, Primary: q.name() == s.scenarios[0].Primary, Rows: []Row{}}
	families, sizes := map[string][]contrast{}, map[string]int{}
	for _, cell := range s.cells {
		r, changes := j.row(cell, q)
		family := string(r.Role) + "\x00" + r.Cell
		if r.Role == results.RoleVariant {
			family = "variants\x00" + r.Level
		}
		sizes[family] += len(changes) // fixed by the plan, however many answers there are
		if one.Primary || slices.ContainsFunc(r.Sides, func(s Side) bool { return s.Mean != nil || s.Rate != nil }) {
			one.Rows = append(one.Rows, r)
			families[family] = append(families[family], changes...)
		}
	}
	for family, changes := range families {
		j.family(changes, sizes[family], q.metric.Better)
	}
	return one
}

// row compares the sides of one cell.
func (j *judge) row(cell matched, q quantity) (Row, []contrast) {
	first := cell.sides[0].cell
	r := Row{Cell: cell.label, Variant: first.Variant, Role: first.Role, Level: first.Level}
	r.Changes = make([]Change, 0, len(cell.sides)) // with full capacity, so that pointers to elements stay valid
	means := meaning(cell.sides[0].scenario, q.metric.Name)
	var older scales
	var changes []contrast
	for i, s := range cell.sides {
		shown, own := j.figures(s, q, means)
		r.Sides = append(r.Sides, shown)
		switch {
		case i == 0:
			older = own
		case s != nil:
			titles := [2]string{j.table.columns[0].title, j.table.columns[i].title}
			r.Changes = append(r.Changes, Change{Campaign: titles[1], Verdict: infer.NotJudged})
			c := contrast{Change: &r.Changes[len(changes)], role: r.Role}
			j.set(&c, cell, i, q, [2]scales{older, own}, titles)
			// Each campaign is one night: add the variation between nights.
			n := j.component(cell, q.name(), c.Relative)
			if n == nil || c.Raw {
				c.Scale.SE = math.Hypot(c.Scale.SE, math.Sqrt2*c.next)
			}
			if n != nil && c.Spread() && !c.Raw {
				blocks := stats.VarianceOf(c.Scale.SE, c.DF)
				if !c.Relative { // assume the history's nights are as precise as the two compared ones
					n.within = blocks.Times(0.5)
				}
				// 0 if the nights differ by no more than their own standard errors
				c.Between = &Between{SD: math.Sqrt(max(0, n.total.Value-n.within.Value)), Nights: n.nights}
				if c.Between.SD != 0 {
					v := stats.SumOfVariances(blocks, n.total.Times(2), n.within.Times(-2))
					c.Scale.SE, c.DF = v.SE(), v.DF
				}
			}
			changes = append(changes, c)
		}
	}
	return r, changes
}

// set compares a cell's figures in a campaign with those in the first: at one CPU speed, if both
// were carried to their campaign's.
func (j *judge) set(c *contrast, cell matched, newer int, q quantity, sides [2]scales, titles [2]string) {
	if sides[0].why == "" && sides[1].why == "" {
		a, ok, why := j.carry(cell, newer, q)
		if why != "" {
			c.Why = why
			return
		}
		if ok {
			c.between(a.sides[0], a.sides[1], titles, j.Margin)
			if c.Why == "" && c.Spread() {
				a.show(c)
				c.next, c.handed = a.own(c.Relative), a.handed
				c.Doubt = a.doubt()
			}
			return
		}
	}
	c.between(sides[0], sides[1], titles, j.Margin)
}

// family fills in a family of changes. Their intervals are at 1 - 0.05/size, so that each verdict
// agrees with its printed interval. Holm's p values are for the planned family: a change without a
// test counts, with p = 1.
func (j *judge) family(changes []contrast, size int, better results.Better) {
	ps := slices.Repeat([]float64{1}, max(size, len(changes)))
	tested := func(c contrast) bool { return c.Change.Estimate != nil && c.Change.Estimate.Test != nil }
	for i, c := range changes {
		if j.change(c, size, better); tested(c) {
			ps[i] = c.Change.Estimate.Test.P
		}
	}
	for i, p := range stats.Holm(ps)[:len(changes)] {
		if tested(changes[i]) {
			changes[i].PHolm = infer.FinitePtr(p)
		}
	}
}

// takesTurns is the reason for not reporting a difference.
const takesTurns = "calls and the agent's threads take turns on one CPU, beside other work: " +
	"only a history knows how much two such campaigns differ; use --history FILE, or a quieter machine"

// tooMuchRoom is the reason for withdrawing a verdict.
const tooMuchRoom = "what is shown is less than the two programs may do to the work that tells the CPU's speed, " +
	"up to %s of a call: measure both in one campaign, " +
	"or show that work beside each with moobench doctor --calibrate FILE before"

// room returns the allowance for Doubt, on the scale of the contrast.
func (c contrast) room() float64 {
	switch {
	case c.Doubt == nil:
		return 0
	case c.Relative:
		return c.Doubt.Share
	}
	return c.Doubt.Amount
}

// change fills in one change of a family of the given size.
func (j *judge) change(c contrast, size int, better results.Better) {
	to, level := c.Change, infer.Level(alpha, size)
	if to.Family = size; to.Why != "" {
		to.Absent = prose.If(to.Whose != "", "%s: ", to.Whose) + to.Why
		return
	}
	// In the metric's unit, the margin is an amount. Equivalence needs a spread and a margin above
	// 0.
	estimate, margin := c.Scale.Estimate, c.amount
	if c.Relative {
		estimate, margin = c.Ratio, j.Margin
	}
	if to.Estimate, to.Absent = estimate(level); to.Estimate == nil {
		to.Why = to.Absent
		return
	}
	if to.Estimate.NoInterval == infer.OnePair {
		to.Estimate.NoInterval = "only one block: an interval needs two"
	}
	to.SE, to.Equivalence = to.Estimate.SE, c.Equivalent(margin, c.Relative, infer.Share(alpha, size), c.room())
	if c.role != results.RoleVariant { // only variants are judged
		better = results.Neither
	}
	to.Verdict = c.verdict(to.Estimate, better)
	if to.Doubt != nil && to.Estimate.Interval != nil {
		sure, wide := to.Verdict, *to.Estimate
		wide.Interval = to.Doubt.Widen(*wide.Interval, c.Relative)
		to.Verdict = c.verdict(&wide, better)
		if to.Doubt.Decided = to.Verdict != sure; to.Doubt.Decided {
			to.Absent = fmt.Sprintf(tooMuchRoom, figure.Percent(to.Doubt.Share))
		}
	}
	if to.Verdict == infer.Differs && c.handed {
		to.Verdict, to.Absent = infer.UndecidedYet, takesTurns
	}
	if to.Verdict == infer.NotJudged {
		to.Absent, to.Why = to.Estimate.NoInterval, to.Estimate.NoInterval
	}
	if to.Verdict != infer.UndecidedYet {
		return
	}
	// The smallest true change that two such campaigns detect with 80 % power; if relative, the
	// excess over 1.
	if d := j.Solver.Detectable(c.Scale, level); d != nil && c.Relative {
		to.Estimate.Detectable = new(math.Expm1(*d))
	} else {
		to.Estimate.Detectable = d
	}
}

// verdict judges a change: Same if it is shown to lie within the margin, whether or not it differs
// from 0, or if nothing varies and both are equal; otherwise by the side of its interval.
func (c contrast) verdict(e *infer.Estimate, better results.Better) infer.Judgement {
	if q := c.Equivalence; q != nil && q.Within || c.Still() && c.Value == 0 {
		return infer.Same
	}
	neutral := map[bool]float64{true: 1}[c.Relative]
	return infer.Judge(infer.VerdictOf(e, neutral, stats.TwoSided, nil), better, c.Between == nil)
}
