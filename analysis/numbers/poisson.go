package numbers

import (
	"fmt"
	"math"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
)

// CompareRates compares the rate of the first arm with that of each other one;
// a single arm's is estimated. What decides is told by [infer.CompareRates]. Errors
// are Mistakes.
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
	for _, b := range arms[1:] {
		c := rates{o, len(arms) - 1, arms[0], b, &Comparison{A: arms[0].describe(), B: b.describe()}, r.warn}
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
	family int
	a, b   Counts
	*Comparison
	warn func(format string, args ...any)
}

// compare asks the one inference, and takes down what it says.
func (c *rates) compare() error {
	if *c.A.Count == 0 && *c.B.Count == 0 {
		c.Verdict = infer.Undecided
		if min(len(c.a.Count), len(c.b.Count)) < 2 { // which says nothing of how runs vary
			c.Verdict = infer.NoAnswer
		}
		c.warn("%s against %s: nothing was counted in either: compare each with its bound, by giving one alone", c.A.Name, c.B.Name)
		return nil
	}
	q := infer.Question{Alternative: c.Alternative, Alpha: c.Alpha, Family: c.family}
	x, err := infer.CompareRates(q, infer.Counts{A: c.a.runs(), B: c.b.runs(), Blocked: c.Paired})
	if err != nil {
		return err
	}
	c.Verdict = x.Verdict
	c.P = positiveP(*x.Poisson)
	c.estimate(x)
	c.scatter(x)
	if x.Detectable != nil && x.B.PerMillion > 0 {
		if ratio := *x.Detectable / x.B.PerMillion; stats.Finite(ratio) { // else no ratio is small enough
			c.Detectable = &Detectable{Value: ratio, Power: infer.Power, Ratio: true}
		}
	}
	switch {
	case x.NoInterval == infer.OnePair:
		c.warn("%s against %s: one count an arm does not show whether counts scatter more than Poisson's law allows; they usually do: give the counts of the runs", c.A.Name, c.B.Name)
	case x.Has(infer.CaveatOpposite):
		c.warn("%s against %s: %s", c.A.Name, c.B.Name, infer.Opposite)
	}
	return nil
}

func (c Counts) runs() stats.EventRuns { return stats.EventRuns{Events: c.Count, Exposure: c.Exposure} }

func (c *rates) estimate(x *infer.Rates) {
	e := &Estimate{What: "ratio of rates", Value: bound(x.Ratio), Neutral: 1, Level: x.Level()}
	c.Estimate = e
	if i := x.RatioInterval; i != nil {
		e.Low, e.High = bound(i.Low), bound(i.High)
	}
	e.asked(x.Question, x.Verdict)
}

// scatter takes the tests that see how the runs vary.
func (c *rates) scatter(x *infer.Rates) {
	s := x.Scatter
	if s == nil {
		return
	}
	c.Scatter = &Scatter{
		ChiSquare: s.Chi2, DF: s.DF, P: *positiveP(s.P), TooScattered: x.Scattered,
		Dispersion: s.Dispersion, F: s.F, DF1: bound(1), DF2: bound(s.DF), PQuasi: positiveP(*s.PQuasi), PPermuted: s.PPermuted, Exact: s.Exact, Least: s.Least,
	}
	if x.Scattered {
		c.warn("%s against %s: the counts scatter more than Poisson's law allows (p = %.2g): Poisson's p value is not valid here; quasi-Poisson and the permutation of the runs decide", c.A.Name, c.B.Name, s.P)
		if x.OneSided() {
			c.warn("%s against %s: the p values of the deciding tests are two-sided, although a one-sided one was asked for", c.A.Name, c.B.Name)
		}
	}
}
