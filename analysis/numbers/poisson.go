package numbers

import (
	"fmt"
	"math"

	"moobench/analysis/stats"
)

// suspicious is the p value of the dispersion below which Poisson's law is not
// believed.
const suspicious = 0.1

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
	level := stats.Bonferroni(o.Confidence, len(arms)-1)
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

// rates of the runs.
func (c Counts) rates() []float64 {
	all := make([]float64, len(c.Count))
	for i, k := range c.Count {
		all[i] = float64(k) / c.Exposure[i]
	}
	return all
}

// single estimates one rate.
func (r *Report) single(a Counts) (*Report, error) {
	c := Comparison{A: a.describe(), Verdict: VerdictNone}
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
		c.Verdict = VerdictNone
		c.warn("%s against %s: nothing was counted in either: compare each with its bound, by giving one alone", c.A.Name, c.B.Name)
		return nil
	}
	t, err := stats.RateRatio(*c.A.Count, *c.A.Exposure, *c.B.Count, *c.B.Exposure, c.Alternative, c.level)
	if err != nil {
		return err
	}
	c.Estimate = &Estimate{What: "ratio of rates", Value: bound(t.Ratio), Neutral: 1, Level: t.Interval.Level, Low: bound(t.Interval.Low), High: bound(t.Interval.High)}
	if c.Alternative == stats.Less {
		c.Estimate.Low = nil
	}
	c.P = positiveP(t.P)
	c.Verdict = c.Estimate.verdict()
	alpha := 1 - c.level
	if c.Alternative != stats.TwoSided {
		alpha *= 2
	}
	c.detect(c.logSE(), hugeDF, alpha)
	if len(c.a.Count)+len(c.b.Count) <= 2 {
		c.warn("%s against %s: with one count an arm it can't be checked whether they scatter more than Poisson's law allows; they usually do: give the counts of the runs", c.A.Name, c.B.Name)
		return nil
	}
	return c.scatter()
}

// detect is the smallest ratio that such counts show four times in five.
func (c *rates) detect(se, df, alpha float64) {
	if stats.TQuantile(alpha/2, df) > absurd {
		return
	}
	d, err := stats.Detectable(se, df, alpha, power)
	if v := known(math.Exp(d), err); v != nil {
		c.Detectable = &Detectable{Value: *v, Power: power, Ratio: true}
	}
}

// logSE is the standard error of the log ratio of two Poisson rates.
func (c *rates) logSE() float64 {
	return math.Sqrt(1/float64(*c.A.Count) + 1/float64(*c.B.Count))
}

// scatter checks Poisson's law, and lets other tests decide where it fails.
func (c *rates) scatter() error {
	k := append(append([]int64(nil), c.a.Count...), c.b.Count...)
	s := append(append([]float64(nil), c.a.Exposure...), c.b.Exposure...)
	arm := make([]int, len(k))
	for i := range c.b.Count {
		arm[len(c.a.Count)+i] = 1
	}
	chi2, df, p, err := stats.Dispersion(k, s, arm)
	if err != nil {
		return fmt.Errorf("checking the scatter of the counts: %w", err)
	}
	c.Scatter = &Scatter{ChiSquare: chi2, DF: df, P: *positiveP(p)}
	if p >= suspicious {
		return nil
	}
	c.Scatter.TooScattered = true
	q, err := stats.QuasiPoisson(k, s, arm)
	if err != nil {
		return fmt.Errorf("fitting quasi-Poisson: %w", err)
	}
	permuted, exact, err := c.permute()
	if err != nil {
		return fmt.Errorf("permuting the runs: %w", err)
	}
	c.decide(q, permuted, exact)
	return nil
}

func (c *rates) permute() (p float64, exact bool, err error) {
	if c.Paired {
		return stats.PermuteBlocks(c.a.rates(), c.b.rates())
	}
	return stats.PermuteSplits(c.a.rates(), c.b.rates())
}

// decide replaces Poisson's interval and verdict: the interval is that of the
// log ratio with the dispersion seen, and something is shown when both
// quasi-Poisson and the permutation say so.
func (c *rates) decide(q stats.QuasiPoissonTest, permuted float64, exact bool) {
	f := c.Scatter
	f.Dispersion, f.F, f.DF1, f.DF2 = bound(q.Dispersion), bound(q.F), bound(q.DF1), bound(q.DF2)
	f.PQuasi, f.PPermuted, f.Exact = positiveP(q.P), positiveP(permuted), exact
	se := c.logSE() * math.Sqrt(q.Dispersion)
	c.Estimate.Low, c.Estimate.High, c.Detectable = nil, nil, nil
	if !math.IsInf(se, 0) {
		e := stats.Studentised(math.Log(c.Estimate.point()), se, q.DF2, stats.TwoSided, c.level)
		c.Estimate.Low, c.Estimate.High = bound(math.Exp(e.Interval.Low)), bound(math.Exp(e.Interval.High))
		c.detect(se, q.DF2, 1-c.level)
	}
	c.Verdict = c.Estimate.verdict()
	if quasi, split := q.P < 1-c.level, permuted < 1-c.level; c.Verdict != VerdictUndecided && !(quasi && split) {
		c.Verdict = VerdictUndecided
	}
	c.warn("%s against %s: the counts scatter more than Poisson's law allows (p = %.2g): Poisson's p value is not valid here; quasi-Poisson and the permutation of the runs decide", c.A.Name, c.B.Name, f.P)
	if c.Alternative != stats.TwoSided {
		c.warn("%s against %s: the deciding tests are two-sided, although a one-sided one was asked for", c.A.Name, c.B.Name)
	}
}
