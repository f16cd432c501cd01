package infer

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/combin"

	"moobench/analysis/stats"
)

// ranks computes a distribution-free test. The interval is two-sided, as for all questions; p is of
// the alternative. If interval and p disagree because of ties, nothing is shown.
func (c *comparison) ranks() {
	c.Ratio, c.NoRatio, c.NoDifference = nil, "ranks have no ratio", ""
	if c.test.Pairing == Paired && !c.data.Paired && !c.data.Alone {
		c.Verdict, c.NoDifference = NoAnswer, "unordered: there are no pairs"
		return
	}
	two, err := c.rankTest(stats.TwoSided, c.Level())
	one := two
	if err == nil && c.OneSided() {
		one, err = c.rankTest(c.Alternative, c.Level())
	}
	if err != nil {
		c.unranked(err)
		return
	}
	if c.Difference, c.NoDifference = ranked(two.Shift); c.Difference == nil {
		c.Verdict = NoAnswer
		return
	}
	c.Difference.Test = &Test{T: one.Statistic, P: max(one.P, math.SmallestNonzeroFloat64), Kind: string(c.Kind)}
	if c.OneSided() {
		c.Difference.Test.Alternative = string(c.Alternative)
	}
	c.Exact = one.Exact
	c.Difference.Detectable = c.solver.Detectable(c.D, c.Level()) // by the t test on the same values
	logs := c.rankRatio()
	c.decide(func(room Doubt) *Equivalence { return c.rankEquivalence(logs, room) })
	if c.Doubt != nil && c.Doubt.Decided {
		c.rankCaveats(one)
		return
	}
	// Require both p, which accounts for ties, and the interval. The p against the direction not
	// asked about is from the two-sided test.
	p := one.P
	if c.Verdict == No {
		p = two.P / 2
	}
	byP := p < c.alpha()
	switch shown := c.Verdict.Shown() || c.Verdict == No; {
	case byP && !shown && c.Difference.Interval != nil:
		c.Caveats = append(c.Caveats, Caveat{Kind: CaveatTiesInterval})
	case !byP && shown:
		c.Caveats = append(c.Caveats, Caveat{Kind: CaveatTiesP})
		if c.Verdict == Negligible {
			c.Verdict = Equivalent
		} else {
			c.Verdict = Undecided
		}
	}
	c.rankCaveats(one)
}

// unranked says why there is no test. Differences that are all 0 have no ranks, but their median is
// known.
func (c *comparison) unranked(err error) {
	c.Verdict, c.NoDifference = NoAnswer, Reason(err)
	n := len(c.data.X.Values)
	if !errors.Is(err, stats.ErrTooFew) || n == 0 {
		return
	}
	c.Caveats = append(c.Caveats, Caveat{Kind: CaveatStill, N: n})
	if c.NoDifference = "all differences are 0"; c.test.signs {
		c.Difference, c.NoDifference = Median(make([]float64, n), c.Level())
		c.Equivalence = c.rankEquivalence(nil, Doubt{})
		c.Verdict = VerdictOf(c.Difference, 0, c.alternative(), c.Equivalence)
	}
}

// rankRatio computes the same estimate for the logarithms of pairs, reported as a ratio. It returns
// the comparison of the logarithms, or nil.
func (c *comparison) rankRatio() *comparison {
	x, errX := stats.Logs(c.data.X.Values)
	y, errY := stats.Logs(c.data.Y.Values)
	if c.data.Alone || errX != nil || errY != nil {
		return nil
	}
	logs := *c
	logs.D = c.L
	logs.data = Data{X: Sample{Values: x}, Y: Sample{Values: y}, Paired: c.data.Paired}
	t, err := logs.rankTest(stats.TwoSided, c.Level())
	if err != nil {
		return nil
	}
	if s := t.Shift; c.data.Paired {
		s.Value = math.Exp(s.Value)
		s.Interval.Low, s.Interval.High = math.Exp(s.Interval.Low), math.Exp(s.Interval.High)
		c.Ratio, c.NoRatio = ranked(s)
	}
	return &logs
}

func (c *comparison) rankTest(alt stats.Alternative, level float64) (stats.RankTest, error) {
	x, y := c.data.X.Values, c.data.Y.Values
	if c.data.Alone {
		y = make([]float64, len(x))
	}
	t, err := c.test.ranks(x, y, alt, level)
	if err == nil {
		c.D.widen(&t, alt)
	}
	return t, err
}

// widen widens an interval of ranks by as much as the t interval of the same values is widened for
// autocorrelation and elasticities, and increases its p accordingly.
func (s Scale) widen(t *stats.RankTest, alt stats.Alternative) {
	times := math.Sqrt(max(1, s.Alike))
	if !s.Spread() || s.Still() || times == 1 && s.Carry == 0 {
		return
	}
	wider := times
	if s.Carry > 0 {
		wider *= s.SE / math.Sqrt(s.apart())
	}
	if i := t.Shift.Interval; stats.Finite(i.Low, i.High) {
		t.Shift.Interval = s.around(i, t.Shift.Value, times)
	}
	sides := 1.0
	if alt == stats.TwoSided {
		sides = 2
	}
	if z := stats.NormalQuantile(t.P / sides); stats.Finite(z) {
		t.P = min(1, sides*stats.NormalTail(z/wider))
	}
}

// rankEquivalence uses the interval of ranks at 1 - 2 alpha, of the logarithms if the margin is a
// share. P is the smallest alpha at which such an interval would do.
func (c *comparison) rankEquivalence(logs *comparison, room Doubt) *Equivalence {
	share, ok := c.relative()
	if !ok || !(c.alpha() < 0.5) || share && logs == nil {
		return nil
	}
	values, back := c, itself
	e := &Equivalence{Relative: share}
	if e.Margin = c.Margin.Amount; share {
		values, back, e.Margin = logs, math.Exp, c.Margin.Share
	}
	t, err := values.rankTest(stats.TwoSided, 1-2*c.alpha())
	i := t.Shift.Interval
	off := room.Amount
	if share {
		off = room.Share
	}
	i.Low, i.High = i.Low-off, i.High+off
	e.Interval = Interval{Low: back(i.Low), High: back(i.High), Level: i.Level}
	if err != nil || !stats.Finite(i.Low, i.High, e.Interval.High) {
		return nil
	}
	e.Within = -e.Margin < i.Low && i.High < e.Margin
	if share {
		e.Within = -math.Log1p(e.Margin) < i.Low && i.High < math.Log1p(e.Margin)
	}
	if e.P = 1; e.Within {
		e.P = (1 - i.Level) / 2
	}
	return e
}

// rankCaveats adds caveats for ties, zeros, and samples too small for significance.
func (c *comparison) rankCaveats(t stats.RankTest) {
	x, y := c.data.X.Values, c.data.Y.Values
	values := slices.Concat(x, y) // the ranked values
	if c.test.Pairing != Unpaired {
		values = slices.Clone(x)
		for i := range values {
			if !c.data.Alone {
				values[i] -= y[i]
			}
			values[i] = math.Abs(values[i])
		}
	}
	if zeros := len(values) - t.NX; c.test.Pairing == Paired && zeros > 0 {
		c.Caveats = append(c.Caveats, Caveat{Kind: CaveatZeros, N: zeros, Of: len(values)})
	}
	if !c.test.signs {
		sorted := slices.Sorted(slices.Values(values))
		tied := 0
		for i, v := range sorted {
			if i > 0 && sorted[i-1] == v || i+1 < len(sorted) && sorted[i+1] == v {
				tied++
			}
		}
		if tied > 0 {
			c.Caveats = append(c.Caveats, Caveat{Kind: CaveatTied, N: tied, Of: len(sorted)})
		}
	}
	// The smallest p possible with so many values.
	n, m := float64(t.NX), float64(t.NY)
	logP := -n * math.Ln2
	if c.test.Pairing == Unpaired {
		logP = -combin.LogGeneralizedBinomial(n+m, n)
	}
	if !c.OneSided() {
		logP += math.Ln2
	}
	if p := min(1, math.Exp(logP)); p >= c.alpha() {
		c.Caveats = append(c.Caveats, Caveat{Kind: CaveatHopeless, Value: p})
	}
}
