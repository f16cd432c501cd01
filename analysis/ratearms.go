package analysis

import (
	"errors"
	"math"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

// rateArms compares the counts of two cells.
type rateArms struct {
	q       rateQuestion
	a, b    stats.EventRuns
	blocked bool
	flips   *stats.FlipInterval // of the differences per million; nil unless signs decide
	// Dispersion and its degrees of freedom are 1 and infinite under Poisson's law.
	dispersion, df float64
}

func (c *rateArms) compare(x *Rates) error {
	t, err := stats.CompareRates(c.a, c.b, c.blocked, stats.TwoSided, c.q.level)
	c.dispersion, c.df = 1, math.Inf(1)
	switch {
	case errors.Is(err, stats.ErrTooFew) && x.A.Events+x.B.Events == 0:
		x.Decided = "no test: nothing was counted on either side"
	case err != nil:
		return err
	default:
		if err := c.decide(x, t); err != nil {
			return err
		}
	}
	if i, err := c.difference(x, c.q.level); err == nil {
		i = agreeing(i, x.Verdict)
		x.Interval = &Interval{Low: i.Low, High: i.High, Level: i.Level}
	}
	c.detect(x)
	x.Equivalence = c.equivalence(x, t)
	x.Verdict = settled(x.Verdict, x.Equivalence)
	return nil
}

// decide takes the verdict from the tests that hold.
func (c *rateArms) decide(x *Rates, t stats.RateComparison) error {
	if finite(t.Poisson.Ratio) {
		x.Ratio = &t.Poisson.Ratio
	}
	if i, bounded := t.Interval(); bounded {
		x.RatioLow, x.RatioHigh = bound(i.Low), bound(i.High)
	}
	if err := c.poisson(x, t); err != nil {
		return err
	}
	x.Decided = "the exact conditional test of Poisson counts"
	if f := t.Scatter; f != nil {
		x.Scatter = &RateScatter{Chi2: f.Chi2, DF: f.DF, P: f.P}
	}
	if t.Scattered() {
		if err := c.scattered(x, *t.Scatter); err != nil {
			return err
		}
	}
	if t.Differ() {
		x.Verdict = VerdictMore
		if t.Poisson.Ratio < 1 {
			x.Verdict = VerdictLess
		}
	}
	return nil
}

// poisson is the exact test's p, one-sided where that was asked for.
func (c *rateArms) poisson(x *Rates, t stats.RateComparison) error {
	p := t.Poisson.P
	if c.q.alternative != stats.TwoSided {
		one, err := stats.RateRatio(x.A.Events, x.A.Exposure, x.B.Events, x.B.Exposure, c.q.alternative, c.q.level)
		if err != nil {
			return err
		}
		p = one.P
	}
	x.Poisson = &p
	return finiteAll(p)
}

// scattered notes the tests that decide in Poisson's stead.
func (c *rateArms) scattered(x *Rates, f stats.Scatter) error {
	q, permuted := f.Quasi, f.Permuted
	x.PoissonFails = true
	x.Scatter.Dispersion, x.Scatter.F, x.Scatter.PQuasi, x.Scatter.PPermuted, x.Scatter.Exact = &q.Dispersion, &q.F, &q.P, &permuted, f.Exact
	c.dispersion, c.df = max(1, q.Dispersion), q.DF2
	x.Decided = "quasi-Poisson and the permutation of the invocations, both"
	if !c.blocked {
		return nil
	}
	x.Decided = "quasi-Poisson and signs flipped within blocks, both"
	var err error
	if c.flips, err = stats.NewFlipInterval(c.a.Rates(), c.b.Rates()); err != nil {
		return err
	}
	x.Difference = c.flips.Mean() * million
	return nil
}

// difference is the interval of the difference of the rates, per million: what
// flipping signs does not reject where that decides, else from the two rates' own
// intervals.
func (c *rateArms) difference(x *Rates, level float64) (stats.Interval, error) {
	if c.flips != nil {
		i, err := c.flips.At(level)
		return perMillion(i), errors.Join(err, finiteAll(i.Low*million, i.High*million))
	}
	a, err := stats.ScatteredRateInterval(x.A.Events, x.A.Exposure, c.dispersion, c.df, level)
	if err != nil {
		return stats.Interval{}, err
	}
	b, err := stats.ScatteredRateInterval(x.B.Events, x.B.Exposure, c.dispersion, c.df, level)
	if err != nil {
		return stats.Interval{}, err
	}
	i, err := stats.RateDifference(x.A.PerMillion, perMillion(a), x.B.PerMillion, perMillion(b))
	return i, err
}

// agreeing is an interval of the difference that holds 0 just when the tests do
// not tell the rates apart: what they leave open is not closed by an
// approximation, and no difference that they exclude is left in.
func agreeing(i stats.Interval, v Verdict) stats.Interval {
	switch v {
	case VerdictMore:
		i.Low = max(i.Low, 0)
	case VerdictLess:
		i.High = min(i.High, 0)
	default:
		i.Low, i.High = min(i.Low, 0), max(i.High, 0)
	}
	return i
}

// detect finds the smallest rate of A that the design would have told from B's.
// Scattered counts are worth as many fewer as they scatter more.
func (c *rateArms) detect(x *Rates) {
	if c.q.metric.Better == results.Higher {
		return
	}
	base := float64(x.B.Events) / x.B.Exposure
	r, err := stats.DetectableRate(base, x.A.Exposure/c.dispersion, x.B.Exposure/c.dispersion, 1-c.q.level, infer.Power)
	if r *= million; err == nil && finite(r) {
		x.Detectable = &r
	}
}

func bound(v float64) *float64 {
	if !finite(v) {
		return nil
	}
	return &v
}

// equivalence is about a margin within which a difference does not matter: an
// amount per million, or a share of B's rate.
func (c *rateArms) equivalence(x *Rates, t stats.RateComparison) *Equivalence {
	m := c.q.margin
	if m == nil || !(c.q.alpha > 0 && c.q.alpha < 0.5) {
		return nil
	}
	e := &Equivalence{Margin: m.Amount}
	at := func(alpha float64) (stats.Interval, error) { return c.difference(x, 1-2*alpha) }
	inside := func(i stats.Interval) bool { return -m.Amount < i.Low && i.High < m.Amount }
	if m.Share > 0 && (m.Amount <= 0 || x.B.PerMillion >= m.ShareFrom) {
		e.Margin, e.Relative = m.Share, true
		at = func(alpha float64) (stats.Interval, error) { return c.ratio(x, t, 1-2*alpha) }
		inside = func(i stats.Interval) bool { return 1/(1+m.Share) < i.Low && i.High < 1+m.Share }
	}
	i, err := at(c.q.alpha)
	if err != nil || !(e.Margin > 0) || finiteAll(e.Margin, i.Low, i.High) != nil {
		return nil
	}
	e.Interval, e.Within = Interval{Low: i.Low, High: i.High, Level: i.Level}, inside(i)
	e.P = leastAlpha(func(alpha float64) bool {
		i, err := at(alpha)
		return err == nil && inside(i)
	})
	return e
}

// ratio is the interval of the ratio at a level; an error when it is not bounded.
func (c *rateArms) ratio(x *Rates, t stats.RateComparison, level float64) (stats.Interval, error) {
	if x.A.Events == 0 || x.B.Events == 0 {
		return stats.Interval{}, stats.ErrNotPositive
	}
	if t.Scattered() {
		se, df := t.LogSE()
		e := stats.Studentised(math.Log(t.Poisson.Ratio), se, df, stats.TwoSided, level)
		return stats.Interval{Low: math.Exp(e.Interval.Low), High: math.Exp(e.Interval.High), Level: level}, nil
	}
	p, err := stats.RateRatio(x.A.Events, x.A.Exposure, x.B.Events, x.B.Exposure, stats.TwoSided, level)
	return p.Interval, err
}

// leastAlpha is the p of two one-sided tests: the least alpha at which they
// reject, 0.5 when there is none.
func leastAlpha(rejects func(alpha float64) bool) float64 {
	low, high := math.Log(1e-12), math.Log(0.5)
	for range 30 {
		if mid := (low + high) / 2; rejects(math.Exp(mid)) {
			high = mid
		} else {
			low = mid
		}
	}
	return math.Exp(high)
}

// settled is the verdict on a difference that a margin is given for.
func settled(v Verdict, e *Equivalence) Verdict {
	switch {
	case e == nil || !e.Within:
	case v == VerdictMore || v == VerdictLess:
		return VerdictSmall
	case v == VerdictUndecided:
		return VerdictFree
	}
	return v
}
