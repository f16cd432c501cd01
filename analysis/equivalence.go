package analysis

import (
	"math"

	"moobench/analysis/figure"
	"moobench/analysis/stats"
	"moobench/results"
)

// equivalence is about a margin within which a cost does not matter: two
// one-sided tests, each at alpha. It is nil without margin or spread.
func (c comparison) equivalence(m *results.Margin, baseline, alpha float64) *Equivalence {
	if m == nil || c.unordered || c.noDifference != "" || c.difference.n < 2 {
		return nil
	}
	if m.Share > 0 && (m.Amount <= 0 || baseline >= m.ShareFrom) {
		if c.noRatio != "" {
			return nil
		}
		limit := math.Log1p(m.Share)
		e, err := stats.EquivalenceT(c.ratio.value, c.ratio.se, c.ratio.df, -limit, limit, alpha)
		e.Interval.Low, e.Interval.High = math.Exp(e.Interval.Low), math.Exp(e.Interval.High)
		return tested(e, err, m.Share, true)
	}
	if m.Amount <= 0 {
		return nil
	}
	d := c.difference
	e, err := stats.EquivalenceT(d.value, d.se, d.df, -m.Amount, m.Amount, alpha)
	return tested(e, err, m.Amount, false)
}

func tested(e stats.Equivalence, err error, margin float64, relative bool) *Equivalence {
	if err != nil || finiteAll(e.P, e.Interval.Low, e.Interval.High) != nil {
		return nil
	}
	return &Equivalence{
		Margin: margin, Relative: relative, P: e.P, Free: e.Equivalent,
		Interval: Interval{e.Interval.Low, e.Interval.High, e.Interval.Level},
	}
}

// size is the margin in words.
func (e *Equivalence) size(unit string) string {
	if e.Relative {
		return figure.Level(e.Margin)
	}
	return figure.Quantity(e.Margin, unit)
}

// beyond says whether the whole interval lies outside the margin.
func (e *Equivalence) beyond() bool {
	if e.Relative {
		return e.Interval.Low > 1+e.Margin || e.Interval.High < 1/(1+e.Margin)
	}
	return e.Interval.Low > e.Margin || e.Interval.High < -e.Margin
}

// verdict is read from the intervals, never from a p.
func (f *findings) verdict() Verdict { return settled(verdict(f.difference), f.equivalence) }

func verdict(d *Estimate) Verdict {
	switch {
	case d == nil || d.Interval == nil:
		return VerdictNone
	case d.Interval.Low > 0:
		return VerdictMore
	case d.Interval.High < 0:
		return VerdictLess
	}
	return VerdictUndecided
}
