package numbers

import (
	"errors"
	"math"

	"moobench/analysis/stats"
)

// ranks is a test without a distribution.
func (c *one) ranks() error {
	t, what, err := c.rankTest()
	if errors.Is(err, stats.ErrTooFew) { // all differences are 0
		c.none()
		return nil
	}
	if err != nil {
		return err
	}
	c.Estimate = &Estimate{
		What: what, Value: bound(t.Shift.Value), Level: t.Shift.Interval.Level,
		Low: bound(t.Shift.Interval.Low), High: bound(t.Shift.Interval.High),
	}
	c.P = positiveP(t.P)
	name := map[Kind]string{MannWhitney: "W", SignedRank: "V", Sign: "S"}[c.Kind]
	c.Statistic = &Statistic{Name: name, Value: t.Statistic, Exact: new(t.Exact)}
	c.Verdict = c.rankVerdict()
	c.smallest(t)
	c.ties(t, c.compared())
	c.effects()
	if e, err := c.difference(c.Alternative, c.level); err == nil {
		if c.detectable(e, false); c.Detectable != nil {
			c.Detectable.ByT = true
		}
	}
	return nil
}

func (c *one) rankTest() (t stats.RankTest, what string, err error) {
	x, y := c.a.Values, c.b.Values
	switch c.Kind {
	case SignedRank:
		t, err = stats.SignedRank(x, y, c.Alternative, c.level)
		what = "Hodges-Lehmann pseudomedian of the differences"
	case Sign:
		t, err = stats.Sign(x, y, c.Alternative, c.level)
		what = "median of the differences"
	default:
		t, err = stats.MannWhitney(x, y, c.Alternative, c.level)
		what = "Hodges-Lehmann shift"
	}
	return t, what, err
}

// compared is what the test gives ranks to.
func (c *one) compared() []float64 {
	if c.Kind == MannWhitney {
		return append(append([]float64(nil), c.a.Values...), c.b.Values...)
	}
	d := make([]float64, len(c.a.Values))
	for i := range d {
		d[i] = math.Abs(c.a.Values[i] - c.b.Values[i])
	}
	return d
}

// rankVerdict asks both the p value, which knows the ties, and the interval.
// Where they part, nothing is shown.
func (c *one) rankVerdict() Verdict {
	byInterval := c.Estimate.verdict()
	byP := *c.P < 1-c.level
	switch {
	case byP && byInterval == VerdictUndecided:
		c.warn("%s against %s: p is below alpha, but the interval holds 0, as ties can make it: taken as undecided", c.A.Name, c.B.Name)
	case !byP && byInterval != VerdictUndecided:
		c.warn("%s against %s: the interval does not hold 0, but p is not below alpha, as ties can make it: taken as undecided", c.A.Name, c.B.Name)
		return VerdictUndecided
	}
	return byInterval
}

// smallest warns when no outcome at all could have a p value below alpha.
func (c *one) smallest(t stats.RankTest) {
	n := float64(t.NX)
	logP := -n * math.Ln2
	if c.Kind == MannWhitney {
		m := float64(t.NY)
		logP = lgamma(n+1) + lgamma(m+1) - lgamma(n+m+1)
	}
	if c.Alternative == stats.TwoSided {
		logP += math.Ln2
	}
	if p := min(1, math.Exp(logP)); p >= 1-c.level {
		c.warn("%s against %s: with so few values the smallest p value that this test can have is %.2g: it can't show anything at this level; a t test, or more runs, can", c.A.Name, c.B.Name, p)
	}
}

func lgamma(x float64) float64 {
	v, _ := math.Lgamma(x)
	return v
}
