package numbers

import (
	"errors"
	"fmt"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

// compare asks the one inference, and takes down what it says.
func (c *one) compare() error {
	x, y := infer.Sample{Values: c.a.Values, Summary: c.a.Summary}, infer.Sample{Values: c.b.Values, Summary: c.b.Summary}
	a := c.Solver.Compare(c.question(), infer.Data{X: x, Y: y, Paired: c.pairs() && !c.alone, Alone: c.alone})
	c.Verdict = a.Verdict
	c.caveats(&a)
	e, neutral := a.Main()
	if e == nil {
		if a.Has(infer.CaveatStill) {
			return nil // said by the caveat
		}
		return errors.New(a.NoDifference + a.NoRatio)
	}
	c.estimate(&a, e, neutral)
	c.statistic(&a, e)
	c.equivalent(&a)
	c.detect(&a)
	if a.Fieller != nil {
		c.delta()
	}
	c.effects()
	return nil
}

// question is what is asked, in the words of campaigns.
func (c *one) question() infer.Question {
	q := infer.Question{Kind: results.Comparison(c.Kind), Alternative: c.Alternative, Alpha: c.Alpha, Family: c.family}
	switch {
	case c.Kind == TOST && c.Margin.Relative:
		q.Margin = &results.Margin{Share: c.Margin.Size}
	case c.Kind == TOST:
		q.Margin = &results.Margin{Amount: c.Margin.Size}
	}
	return q
}

// what names the estimates of each kind.
func (c *one) what() string {
	switch c.Kind {
	case Paired:
		return "mean of the differences"
	case MannWhitney:
		return "Hodges-Lehmann shift"
	case SignedRank:
		return "Hodges-Lehmann pseudomedian of the differences"
	case Sign:
		return "median of the differences"
	case Fieller:
		return "ratio of means"
	case LogRatio:
		return "ratio of geometric means"
	}
	return "difference of means"
}

func (c *one) estimate(a *infer.Answer, e *infer.Estimate, neutral float64) {
	t := &Estimate{What: c.what(), Value: bound(e.Value), Level: a.Level(), Neutral: neutral}
	c.Estimate = t
	if a.Fieller != nil {
		t.Exclusive = a.Fieller.Exclusive
		t.Low, t.High = bound(a.Fieller.Interval.Low), bound(a.Fieller.Interval.High)
		return
	}
	if e.Interval != nil {
		t.Low, t.High, t.Level = bound(e.Interval.Low), bound(e.Interval.High), e.Interval.Level
	}
	t.asked(a.Question, a.Verdict)
}

// asked leaves the bounds that were asked for: of a one-sided question one, at
// 1 - alpha. Where that one is denied, the other bound says so.
func (t *Estimate) asked(q infer.Question, v infer.Verdict) {
	if !q.OneSided() {
		return
	}
	t.Level = 1 - (1-t.Level)/2
	if (q.Alternative == stats.Less) == (v != infer.No) {
		t.Low = nil
	} else {
		t.High = nil
	}
}

func (c *one) statistic(a *infer.Answer, e *infer.Estimate) {
	t := e.Test
	if t == nil {
		return
	}
	c.P = positiveP(t.P)
	if c.ranked() {
		name := map[Kind]string{MannWhitney: "W", SignedRank: "V", Sign: "S"}[c.Kind]
		c.Statistic = &Statistic{Name: name, Value: t.T, Exact: new(a.Exact)}
		return
	}
	c.Statistic = &Statistic{Name: "t", Value: t.T, DF: &t.DF}
	if c.Kind != TOST { // which rejects two other hypotheses
		c.Statistic.RejectBelow, c.Statistic.RejectAbove = rejects(c.Alternative, infer.Share(c.Alpha, c.family), t.DF)
	}
}

// rejects is where a t test at alpha begins to reject.
func rejects(alt stats.Alternative, alpha, df float64) (below, above *float64) {
	switch alt {
	case stats.Less:
		return bound(-stats.TQuantile(alpha, df)), nil
	case stats.Greater:
		return nil, bound(stats.TQuantile(alpha, df))
	}
	t := stats.TQuantile(alpha/2, df)
	return bound(-t), bound(t)
}

// equivalent is the result of tost: its p is that of the equivalence.
func (c *one) equivalent(a *infer.Answer) {
	q := a.Equivalence
	if c.Kind != TOST || q == nil {
		return
	}
	c.P = positiveP(q.P)
	c.Equivalence = &Equivalence{
		PLow: *positiveP(q.PLow), PHigh: *positiveP(q.PHigh), Equivalent: q.Within,
		Low: q.Interval.Low, High: q.Interval.High, Level: q.Interval.Level,
	}
}

// detect is the smallest effect that such samples find: of ratios of geometric
// means a ratio, of everything else a difference.
func (c *one) detect(a *infer.Answer) {
	from, ratio := a.Difference, false
	if c.Kind == LogRatio {
		from, ratio = a.Ratio, true
	}
	if from == nil || from.Detectable == nil {
		return
	}
	d := Detectable{Value: *from.Detectable, Power: infer.Power, Ratio: ratio, ByT: c.ranked()}
	if ratio {
		d.Value++
	}
	c.Detectable = &d
}

// delta is the interval by the delta method, beside Fieller's.
func (c *one) delta() {
	if c.a.Summary != nil || c.b.Summary != nil {
		return
	}
	if d, err := stats.DeltaRatio(c.a.Values, c.b.Values, c.Paired, infer.Level(c.Alpha, c.family)); err == nil {
		c.Delta = &Estimate{What: "ratio of means", Value: bound(d.Value), Level: d.Interval.Level, Neutral: 1, Low: bound(d.Interval.Low), High: bound(d.Interval.High)}
	}
}

// caveats puts what limits the answer into words.
func (c *one) caveats(a *infer.Answer) {
	for _, v := range a.Caveats {
		text := ""
		switch v.Kind {
		case infer.CaveatStill:
			text = "nothing varies: either the clock is too coarse, or one number was copied"
		case infer.CaveatTiesInterval:
			text = "p is below alpha, but the interval holds 0, as ties can make it: taken as undecided"
		case infer.CaveatTiesP:
			text = "the interval does not hold 0, but p is not below alpha, as ties can make it: taken as undecided"
		case infer.CaveatHopeless:
			text = fmt.Sprintf("with so few values the smallest p value that this test can have is %.2g: it can't show anything at this level; a t test, or more runs, can", v.Value)
		case infer.CaveatZeros:
			text = fmt.Sprintf("%d of %d differences are 0, and left out by this test", v.N, v.Of)
		case infer.CaveatTied:
			how := "the normal approximation is corrected for that"
			if a.Exact {
				how = "the exact distribution takes account of that"
			}
			text = fmt.Sprintf("%d of %d values are tied; %s", v.N, v.Of, how)
		case infer.CaveatUnbounded:
			text = fmt.Sprintf("the mean of %s can't be told from 0, so that the ratio has no bounded interval: any ratio, or all but a few, would fit; ask for the difference instead", c.B.Name)
		default:
			continue // few values are named for all samples at once
		}
		c.warn("%s against %s: %s", c.A.Name, c.B.Name, text)
	}
}

// effects are sizes without a unit, where the values are there.
func (c *one) effects() {
	x, y := c.a, c.b
	if c.alone {
		return
	}
	f := Effects{}
	if c.A.Mean != nil && c.B.Mean != nil && *c.A.Mean > 0 && *c.B.Mean > 0 {
		f.Ratio = bound(*c.A.Mean / *c.B.Mean)
	}
	if x.Summary == nil && y.Summary == nil {
		f.HedgesG = known(stats.HedgesG(x.Values, y.Values))
		f.CliffDelta = known(stats.CliffDelta(x.Values, y.Values))
		f.A12 = known(stats.A12(x.Values, y.Values))
	}
	if f != (Effects{}) {
		c.Effects = &f
	}
}
