package numbers

import (
	"math"

	"moobench/analysis/stats"
)

// tost asks whether A and B are equivalent within the margin.
func (c *one) tost() error {
	q, e, err := c.equivalence()
	if err != nil {
		return err
	}
	same := func(v float64) float64 { return v }
	if c.Margin.Relative {
		// The paired t test of the logs, told as a ratio.
		l := *c
		l.a, l.b = logs(c.a), logs(c.b)
		if e, err = l.difference(stats.TwoSided, c.level); err != nil {
			return err
		}
		c.estimated("ratio of geometric means", e, math.Exp, 1)
	} else {
		c.estimated("difference of means", e, same, 0)
	}
	c.detectable(e, c.Margin.Relative)
	c.effects()
	c.P = positiveP(q.P)
	c.Equivalence = &Equivalence{
		PLow: *positiveP(q.PLow), PHigh: *positiveP(q.PHigh), Equivalent: q.Equivalent,
		Low: q.Interval.Low, High: q.Interval.High, Level: q.Interval.Level,
	}
	switch {
	case q.Equivalent && c.Verdict == VerdictUndecided:
		c.Verdict = VerdictFree
	case q.Equivalent:
		c.Verdict = VerdictSmall
	}
	return nil
}

func (c *one) equivalence() (stats.Equivalence, stats.Estimate, error) {
	alpha, m := 1-c.level, c.Margin.Size
	switch {
	case c.Margin.Relative:
		return stats.PairedRatioTOST(c.a.Values, c.b.Values, m, alpha)
	case c.Paired:
		return stats.PairedTOST(c.a.Values, c.b.Values, -m, m, alpha)
	}
	x, err := c.a.summary()
	if err != nil {
		return stats.Equivalence{}, stats.Estimate{}, err
	}
	y, err := c.b.summary()
	if err != nil {
		return stats.Equivalence{}, stats.Estimate{}, err
	}
	return stats.WelchTOST(x, y, -m, m, alpha)
}
