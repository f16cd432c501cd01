package numbers

import (
	"fmt"
	"math"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
)

// hugeDF makes a t of a z.
const hugeDF = 1e9

// CompareRates compares the rate of the first arm with that of each other one;
// a single arm's is estimated. Where the counts of runs scatter more than
// Poisson's law allows, quasi-Poisson and the permutation of runs decide, and
// Poisson's p value is marked as not valid. Errors are Mistakes.
func CompareRates(o Options, arms []Counts) (*Report, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if err := fitArms(o, arms); err != nil {
		return nil, err
	}
	r := newReport(o)
	if len(arms) == 1 {
		return r.single(arms[0])
	}
	level := infer.Level(o.Alpha, len(arms)-1)
	for _, b := range arms[1:] {
		c := rates{o, level, arms[0], b, &Comparison{A: arms[0].describe(), B: b.describe()}, r.warn}
		if err := r.add(c.Comparison, c.compare, c.sentence); err != nil {
			return nil, err
		}
	}
	r.holm()
	return r, nil
}

func fitArms(o Options, arms []Counts) error {
	var wrong Mistakes
	for _, a := range arms {
		switch {
		case len(a.Count) == 0 || len(a.Count) != len(a.Exposure):
			wrong = append(wrong, Mistake{File: a.Name, Text: "holds no counts with exposures"})
		case math.IsInf(a.exposure(), 0):
			wrong = append(wrong, Mistake{File: a.Name, Text: "the exposures add up to more than a 64-bit number holds"})
		case a.count() > exact:
			wrong = append(wrong, Mistake{File: a.Name, Text: "the counts add up to more than 2^53"})
		case o.Paired && len(a.Count) != len(arms[0].Count):
			wrong = append(wrong, Mistake{File: a.Name, Text: fmt.Sprintf("holds %d runs, and %s %d: pairs need as many", len(a.Count), arms[0].Name, len(arms[0].Count))})
		}
	}
	return wrong.Err()
}

func (c Counts) count() (sum int64) {
	for _, k := range c.Count {
		if sum += k; sum > exact {
			return exact + 1
		}
	}
	return sum
}

func (c Counts) exposure() (sum float64) {
	for _, s := range c.Exposure {
		sum += s
	}
	return sum
}

func (c Counts) describe() Described {
	k, s := c.count(), c.exposure()
	return Described{Name: c.Name, N: len(c.Count), Count: &k, Exposure: &s, Rate: bound(float64(k) / s)}
}

// single estimates one rate.
func (r *Report) single(a Counts) (*Report, error) {
	c := Comparison{A: a.describe(), Verdict: infer.NoAnswer}
	i, err := stats.RateInterval(*c.A.Count, *c.A.Exposure, r.Confidence)
	if err != nil {
		return nil, Mistakes{{File: a.Name, Text: err.Error()}}
	}
	r.Method = "exact interval of a Poisson rate"
	if r.Alternative != stats.TwoSided {
		return nil, Mistakes{{Text: "one rate alone is estimated, not tested: leave --alternative out"}}
	}
	c.Estimate = &Estimate{What: "rate", Value: c.A.Rate, Low: bound(i.Low), High: bound(i.High), Level: i.Level}
	c.Sentence = rateSentence(&c)
	r.Comparisons = []Comparison{c}
	return r, nil
}

// rates is the comparison of two arms under way.
type rates struct {
	Options
	level float64
	a, b  Counts
	*Comparison
	warn func(format string, args ...any)
}

func (c *rates) compare() error {
	if *c.A.Count == 0 && *c.B.Count == 0 {
		c.Verdict = infer.NoAnswer
		c.warn("%s against %s: nothing was counted in either: compare each with its bound, by giving one alone", c.A.Name, c.B.Name)
		return nil
	}
	t, err := stats.CompareRates(c.a.runs(), c.b.runs(), c.Paired, c.Alternative, c.level)
	if err != nil {
		return err
	}
	p := t.Poisson
	c.Estimate = &Estimate{What: "ratio of rates", Value: bound(p.Ratio), Neutral: 1, Level: p.Interval.Level, Low: bound(p.Interval.Low), High: bound(p.Interval.High)}
	if c.Alternative == stats.Less {
		c.Estimate.Low = nil
	}
	c.P = positiveP(p.P)
	c.Verdict = c.Estimate.verdict()
	alpha := 1 - c.level
	if c.Alternative != stats.TwoSided {
		alpha *= 2
	}
	se, _ := t.LogSE()
	switch {
	case t.Scatter == nil:
		c.warn("%s against %s: with one count an arm it can't be checked whether they scatter more than Poisson's law allows; they usually do: give the counts of the runs", c.A.Name, c.B.Name)
	case t.Scattered():
		c.decide(t)
		return nil
	default:
		c.Scatter = &Scatter{ChiSquare: t.Scatter.Chi2, DF: t.Scatter.DF, P: *positiveP(t.Scatter.P)}
	}
	c.detect(se, hugeDF, alpha)
	return nil
}

func (c Counts) runs() stats.EventRuns { return stats.EventRuns{Events: c.Count, Exposure: c.Exposure} }

// absurd is a quantile of t that no effect worth finding exceeds.
const absurd = 1e6

// detect is the smallest ratio that such counts show four times in five.
func (c *rates) detect(se, df, alpha float64) {
	if stats.TQuantile(alpha/2, df) > absurd {
		return
	}
	d, err := stats.Detectable(se, df, alpha, infer.Power)
	if v := known(math.Exp(d), err); v != nil {
		c.Detectable = &Detectable{Value: *v, Power: infer.Power, Ratio: true}
	}
}

// decide replaces Poisson's interval and verdict where the counts scatter: the
// interval is that of the log ratio with the dispersion seen, and something is
// shown when both quasi-Poisson and the permutation say so.
func (c *rates) decide(t stats.RateComparison) {
	f, q := t.Scatter, t.Scatter.Quasi
	c.Scatter = &Scatter{
		ChiSquare: f.Chi2, DF: f.DF, P: *positiveP(f.P), TooScattered: true,
		Dispersion: bound(q.Dispersion), F: bound(q.F), DF1: bound(q.DF1), DF2: bound(q.DF2),
		PQuasi: positiveP(q.P), PPermuted: positiveP(f.Permuted), Exact: f.Exact,
	}
	c.Estimate.Low, c.Estimate.High = nil, nil
	if i, bounded := t.Interval(); bounded {
		c.Estimate.Low, c.Estimate.High = bound(i.Low), bound(i.High)
		se, df := t.LogSE()
		c.detect(se, df, 1-c.level)
	}
	if c.Verdict = c.Estimate.verdict(); !t.Differ() {
		c.Verdict = infer.Undecided
	}
	c.warn("%s against %s: the counts scatter more than Poisson's law allows (p = %.2g): Poisson's p value is not valid here; quasi-Poisson and the permutation of the runs decide", c.A.Name, c.B.Name, f.P)
	if c.Alternative != stats.TwoSided {
		c.warn("%s against %s: the deciding tests are two-sided, although a one-sided one was asked for", c.A.Name, c.B.Name)
	}
}

// verdict is read from the interval.
func (e *Estimate) verdict() Verdict {
	less := e.High != nil && *e.High < e.Neutral
	more := e.Low != nil && *e.Low > e.Neutral
	switch {
	case e.Exclusive || !less && !more:
		return infer.Undecided
	case less:
		return infer.Lower
	}
	return infer.Higher
}
