package numbers

import (
	"fmt"
	"math"

	"moobench/analysis/stats"
)

// t is Student's, Welch's or the paired test.
func (c *one) t() error {
	e, err := c.difference(c.Alternative, c.level)
	if err != nil {
		return err
	}
	what := "difference of means"
	if c.Kind == Paired {
		what = "mean of the differences"
	}
	c.estimated(what, e, func(v float64) float64 { return v }, 0)
	c.detectable(e, false)
	c.effects()
	return nil
}

// difference is the t test of a - b that fits the kind: the kind itself if it
// is one, else paired or Welch's.
func (c *one) difference(alt stats.Alternative, level float64) (stats.Estimate, error) {
	if c.pairs() && c.a.Summary == nil {
		return stats.Paired(c.a.Values, c.b.Values, alt, level)
	}
	x, err := c.a.summary()
	if err != nil {
		return stats.Estimate{}, err
	}
	if c.alone {
		n := float64(x.N)
		e := stats.Studentised(x.Mean, x.SD/math.Sqrt(n), n-1, alt, level)
		e.N, e.SD = x.N, x.SD
		return e, nil
	}
	y, err := c.b.summary()
	if err != nil {
		return stats.Estimate{}, err
	}
	if c.Kind == Student {
		return stats.Student(x, y, alt, level)
	}
	return stats.Welch(x, y, alt, level)
}

// estimated keeps a t test's estimate on its scale, the statistic with its
// critical values, and the verdict that follows from the interval.
func (c *one) estimated(what string, e stats.Estimate, scale func(float64) float64, neutral float64) {
	c.Estimate = &Estimate{
		What: what, Value: bound(scale(e.Value)), Level: e.Interval.Level, Neutral: neutral,
		High: bound(scale(e.Interval.High)),
	}
	if !math.IsInf(e.Interval.Low, 0) { // exp would make a bound of it
		c.Estimate.Low = bound(scale(e.Interval.Low))
	}
	c.Verdict = c.Estimate.verdict()
	if e.Test == nil {
		return
	}
	c.P = positiveP(e.Test.P)
	c.Statistic = &Statistic{Name: "t", Value: e.Test.T, DF: &e.Test.DF}
	if c.Kind != TOST { // which rejects two other hypotheses
		c.Statistic.RejectBelow, c.Statistic.RejectAbove = rejects(c.Alternative, c.level, e.Test.DF)
	}
}

// rejects is where a t test at the level begins to reject.
func rejects(alt stats.Alternative, level, df float64) (below, above *float64) {
	switch alt {
	case stats.Less:
		return bound(-stats.TQuantile(1-level, df)), nil
	case stats.Greater:
		return nil, bound(stats.TQuantile(1-level, df))
	}
	t := stats.TQuantile((1-level)/2, df)
	return bound(-t), bound(t)
}

// verdict is read from the interval.
func (e *Estimate) verdict() Verdict {
	less := e.High != nil && *e.High < e.Neutral
	more := e.Low != nil && *e.Low > e.Neutral
	switch {
	case e.Exclusive || !less && !more:
		return VerdictUndecided
	case less:
		return VerdictLess
	}
	return VerdictMore
}

// absurd is a quantile of t that no effect worth finding exceeds.
const absurd = 1e6

// detectable is what a two-sided t test at the level finds four times in five,
// or a one-sided one at the same level; on a log scale, as a ratio.
func (c *one) detectable(e stats.Estimate, ratio bool) {
	if e.Test == nil {
		return
	}
	alpha, tail := 1-c.level, (1-c.level)/2
	half := e.Interval.High - e.Value
	if c.Alternative != stats.TwoSided {
		tail, alpha = alpha, 2*alpha
	}
	if math.IsInf(half, 0) {
		half = e.Value - e.Interval.Low
	}
	t := stats.TQuantile(tail, e.Test.DF)
	if t > absurd {
		return
	}
	d, err := stats.Detectable(half/t, e.Test.DF, alpha, power)
	if ratio {
		d = math.Exp(d)
	}
	if v := known(d, err); v != nil {
		c.Detectable = &Detectable{Value: *v, Power: power, Ratio: ratio}
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

// logRatio is a t test of logarithms, paired or Welch's, told as a ratio.
func (c *one) logRatio() error {
	l := *c
	l.a, l.b = logs(c.a), logs(c.b)
	e, err := l.difference(c.Alternative, c.level)
	if err != nil {
		return err
	}
	c.estimated("ratio of geometric means", e, math.Exp, 1)
	c.detectable(e, true)
	c.effects()
	return nil
}

func logs(s Sample) Sample {
	values := make([]float64, len(s.Values))
	for i, v := range s.Values {
		values[i] = math.Log(v)
	}
	return Sample{Name: s.Name, Values: values}
}

// method names the test.
func (o Options) method() string {
	unpaired := map[bool]string{true: "paired", false: "unpaired (Welch)"}[o.Paired]
	switch o.Kind {
	case Student:
		return "Student's t test with pooled variance"
	case Welch:
		return "Welch's t test"
	case Paired:
		return "paired t test"
	case MannWhitney:
		return "Mann-Whitney test"
	case SignedRank:
		return "Wilcoxon's signed-rank test"
	case Sign:
		return "sign test"
	case TOST:
		if o.Margin.Relative {
			return "two one-sided paired t tests of the log ratio"
		}
		return "two one-sided t tests, " + unpaired
	case Fieller:
		return "ratio of means with Fieller's interval, " + unpaired
	case LogRatio:
		return "t test of the log ratio, " + unpaired
	case Poisson:
		return "exact conditional test of two Poisson rates"
	}
	return fmt.Sprintf("unknown kind %q", string(o.Kind))
}
