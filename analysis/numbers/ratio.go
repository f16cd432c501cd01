package numbers

import (
	"moobench/analysis/stats"
)

// fieller is the ratio of means, with the delta method's interval beside it.
func (c *one) fieller() error {
	r, err := c.ratio()
	if err != nil {
		return err
	}
	c.Estimate = &Estimate{
		What: "ratio of means", Value: bound(r.Value), Level: r.Interval.Level, Neutral: 1, Exclusive: r.Exclusive,
		Low: bound(r.Interval.Low), High: bound(r.Interval.High),
	}
	c.Verdict = c.Estimate.verdict()
	if !r.Bounded {
		c.Verdict = VerdictUndecided
		c.warn("%s against %s: the mean of %s can't be told from 0, so that the ratio has no bounded interval: any ratio, or all but a few, would fit; ask for the difference instead", c.A.Name, c.B.Name, c.B.Name)
	}
	if c.a.Summary == nil && c.b.Summary == nil {
		if d, err := stats.DeltaRatio(c.a.Values, c.b.Values, c.Paired, c.level); err == nil {
			c.Delta = &Estimate{What: "ratio of means", Value: bound(d.Value), Level: d.Interval.Level, Neutral: 1, Low: bound(d.Interval.Low), High: bound(d.Interval.High)}
		}
	}
	e, err := c.difference(stats.TwoSided, c.level)
	if err != nil {
		return err
	}
	c.testOfRatio(e)
	c.detectable(e, false)
	c.effects()
	return nil
}

func (c *one) ratio() (stats.Ratio, error) {
	if c.a.Summary == nil && c.b.Summary == nil {
		return stats.Fieller(c.a.Values, c.b.Values, c.Paired, c.level)
	}
	x, err := c.a.summary()
	if err != nil {
		return stats.Ratio{}, err
	}
	y, err := c.b.summary()
	if err != nil {
		return stats.Ratio{}, err
	}
	return stats.FiellerSummary(x, y, c.level)
}

// testOfRatio: that the ratio of means is 1 is that their difference is 0.
func (c *one) testOfRatio(e stats.Estimate) {
	if e.Test == nil {
		return
	}
	c.P = positiveP(e.Test.P)
	c.Statistic = &Statistic{Name: "t", Value: e.Test.T, DF: &e.Test.DF}
	c.Statistic.RejectBelow, c.Statistic.RejectAbove = rejects(stats.TwoSided, c.level, e.Test.DF)
}
