package numbers

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/refusal"
	"moobench/results"
)

// Compare compares the first sample with each of the others. A single sample holds differences of pairs, and is
// compared with 0. Errors are [refusal.Mistakes].
func Compare(o Options, samples []Sample) (*Report, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if len(samples) == 0 {
		return nil, refusal.Mistake("comparing samples: there is none")
	}
	alone, given := len(samples) == 1, samples
	if alone { // the counterpart of differences alone
		zeros := Sample{Name: "0", Values: make([]float64, len(samples[0].Values))}
		if s := samples[0].Summary; s != nil {
			zeros.Summary = &Summary{N: s.N}
		}
		samples = []Sample{samples[0], zeros}
	}
	if err := o.fit(samples, alone); err != nil {
		return nil, err
	}
	r := newReport(o)
	r.sizes(o, given)
	if o.Solver == nil {
		o.Solver = infer.Solver{}
	}
	return compareEach(o, r, samples, func(c *comparison, a, b Sample) error {
		if c.A, c.B = describe(a), describe(b); alone {
			c.B = Described{Name: "0"}
		}
		return c.samples(a, b, alone)
	})
}

// CompareRates compares the rate of the first arm with that of each other one; a single arm's rate is
// estimated. See [infer.CompareRates] for the test that decides. Errors are [refusal.Mistakes].
func CompareRates(o Options, arms []Counts) (*Report, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if len(arms) == 0 {
		return nil, refusal.Mistake("comparing rates: there is none")
	}
	var wrong refusal.Mistakes
	for _, a := range arms {
		switch count, exposure := a.sums(); {
		case len(a.Events) == 0 || len(a.Events) != len(a.Exposure):
			wrong.At(a.Name, 0, "holds no counts with exposures")
		case math.IsInf(exposure, 0):
			wrong.At(a.Name, 0, "the exposures add up to more than a 64-bit number holds")
		case count > exact:
			wrong.At(a.Name, 0, "the counts add up to more than 2^53")
		case o.Paired && len(a.Events) != len(arms[0].Events):
			wrong.At(a.Name, 0, "holds %d runs, and %s %d: pairs need as many", len(a.Events), arms[0].Name, len(arms[0].Events))
		}
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	r := newReport(o)
	if len(arms) == 1 {
		return r, r.single(arms[0])
	}
	return compareEach(o, r, arms, func(c *comparison, a, b Counts) error {
		c.A, c.B = a.describe(), b.describe()
		return c.rates(a, b)
	})
}

// compareEach adds the comparisons of the first with each of the others to the report, in words.
func compareEach[T any](o Options, r *Report, all []T, compare func(c *comparison, a, b T) error) (*Report, error) {
	for _, b := range all[1:] {
		c := comparison{o, &Comparison{}, r, len(all) - 1}
		if err := compare(&c, all[0], b); err != nil {
			return nil, refusal.Mistake("comparing %s with %s: %v", c.A.Name, c.B.Name, err)
		}
		c.Sentence = c.sentence()
		r.Comparisons = append(r.Comparisons, *c.Comparison)
	}
	if len(r.Comparisons) < 2 {
		return r, nil
	}
	// The intervals are simultaneous by Bonferroni; warn if Holm's p values disagree with them.
	ps := make([]float64, len(r.Comparisons))
	for i, c := range r.Comparisons {
		ps[i] = *cmp.Or(c.P, new(math.NaN()))
	}
	for i, p := range stats.Holm(ps) {
		c := &r.Comparisons[i]
		c.PHolm = infer.FinitePtr(p)
		if c.Verdict == infer.Undecided && p < 1-r.Confidence && !o.kind().Margin {
			r.warn("%s against %s: Holm's p is below alpha, although the simultaneous interval holds the neutral value: Holm is the sharper of the two, and has no interval", c.A.Name, c.B.Name)
		}
	}
	return r, nil
}

// comparison is a comparison of two samples, or of two arms, in progress.
type comparison struct {
	Options
	*Comparison
	report *Report
	family int // comparisons that share alpha
}

// warn adds a warning about the comparison.
func (c *comparison) warn(format string, args ...any) {
	c.report.warn("%s against %s: %s", c.A.Name, c.B.Name, fmt.Sprintf(format, args...))
}

// ask is the question for infer.
func (c *comparison) ask() infer.Question {
	q := infer.Question{Kind: c.Kind, Alternative: c.Alternative, Alpha: c.Alpha, Family: c.family}
	switch {
	case c.Margin.Relative:
		q.Margin = &results.Margin{Share: c.Margin.Size}
	case c.kind().Margin:
		q.Margin = &results.Margin{Amount: c.Margin.Size}
	}
	return q
}

// samples compares two samples, or differences alone with 0.
func (c *comparison) samples(a, b Sample, alone bool) error {
	k := c.kind()
	x := c.Solver.Compare(c.ask(), infer.Data{
		X: infer.Sample{Values: a.Values, Summary: a.Summary}, Y: infer.Sample{Values: b.Values, Summary: b.Summary},
		Paired: (isPaired(k) || c.Paired) && !alone, Ordered: c.Ordered, Alone: alone,
	})
	c.Verdict = x.Verdict
	c.caveats(&x)
	e, neutral := x.Main()
	if e == nil {
		if x.Has(infer.CaveatStill) {
			return nil // the caveat says so
		}
		why := cmp.Or(x.NoDifference, x.NoRatio)
		if k.Ratio {
			why = cmp.Or(x.NoRatio, x.NoDifference)
		}
		return errors.New(why)
	}
	c.Estimate = &Estimate{What: k.Estimates, Value: infer.FinitePtr(e.Value), Level: x.Level(), Neutral: neutral}
	switch t := c.Estimate; {
	case x.Fieller != nil:
		t.Exclusive = x.Fieller.Exclusive
		t.Low, t.High = infer.FinitePtr(x.Fieller.Interval.Low), infer.FinitePtr(x.Fieller.Interval.High)
	case e.Interval != nil:
		t.Low, t.High, t.Level = infer.FinitePtr(e.Interval.Low), infer.FinitePtr(e.Interval.High), e.Interval.Level
	}
	c.leaveAsked(x.Question)
	c.statistic(&x, e)
	if q := x.Equivalence; k.Margin && q != nil {
		c.P = positiveP(q.P)
		c.Equivalence = &Equivalence{PLow: *positiveP(q.PLow), PHigh: *positiveP(q.PHigh), Interval: q.Interval, Equivalent: q.Within}
	}
	c.sizes(&x, e, a, b, alone)
	return nil
}

// statistic fills in the test's statistic, and the values beyond which it rejects.
func (c *comparison) statistic(x *infer.Answer, e *infer.Estimate) {
	k, t := c.kind(), e.Test
	if t == nil {
		return
	}
	c.P = positiveP(t.P)
	c.Statistic = &Statistic{Name: k.Letter(), Value: t.T, DF: &t.DF}
	switch {
	case k.Ranks():
		c.Statistic.DF, c.Statistic.Exact = nil, new(x.Exact)
	case !k.Margin: // tost rejects two other hypotheses
		alpha := infer.Share(c.Alpha, c.family)
		if !x.OneSided() {
			alpha /= 2
		}
		from := stats.TQuantile(alpha, t.DF)
		if c.Alternative != stats.Greater {
			c.Statistic.RejectBelow = infer.FinitePtr(-from)
		}
		if c.Alternative != stats.Less {
			c.Statistic.RejectAbove = infer.FinitePtr(from)
		}
	}
}

// sizes fills in the detectable effect, the effect sizes without a unit and, if the values are given, the
// interval of a ratio by the delta method.
func (c *comparison) sizes(x *infer.Answer, e *infer.Estimate, a, b Sample, alone bool) {
	k := c.kind()
	// For ratios of geometric means a ratio is detectable, for everything else a difference.
	if d := x.Difference; !k.Logarithms && d != nil && d.Detectable != nil {
		c.Detectable = &Detectable{Value: *d.Detectable, Power: infer.Power, ByT: k.Ranks()}
	} else if k.Logarithms && e.Detectable != nil {
		c.Detectable = &Detectable{Value: *e.Detectable + 1, Power: infer.Power, Ratio: true}
	}
	if !alone {
		f := Effects{}
		if c.A.Mean != nil && c.B.Mean != nil && *c.A.Mean > 0 && *c.B.Mean > 0 {
			f.Ratio = infer.FinitePtr(*c.A.Mean / *c.B.Mean)
		}
		if a.Summary == nil && b.Summary == nil {
			f.HedgesG = infer.FinitePtr(stats.HedgesG(a.Values, b.Values))
			f.CliffDelta = infer.FinitePtr(stats.CliffDelta(a.Values, b.Values))
			f.A12 = infer.FinitePtr(stats.A12(a.Values, b.Values))
		}
		if f != (Effects{}) {
			c.Effects = &f
		}
	}
	if x.Fieller != nil && a.Summary == nil && b.Summary == nil {
		if d, err := stats.DeltaRatio(a.Values, b.Values, c.Paired, infer.Level(c.Alpha, c.family)); err == nil {
			c.Delta = &Estimate{What: k.Estimates, Value: infer.FinitePtr(d.Value), Level: d.Interval.Level, Neutral: 1}
			c.Delta.Low, c.Delta.High = infer.FinitePtr(d.Interval.Low), infer.FinitePtr(d.Interval.High)
		}
	}
}

// leaveAsked keeps the bounds that were asked for: both or, for a one-sided question, one at 1 - alpha. If the
// answer is no, that is the opposite bound, which shows it.
func (c *comparison) leaveAsked(q infer.Question) {
	e := c.Estimate
	if !q.OneSided() {
		return
	}
	e.Level = 1 - (1-e.Level)/2
	if (q.Alternative == stats.Less) == (c.Verdict != infer.No) {
		e.Low = nil
	} else {
		e.High = nil
	}
}

// caveats puts caveats into words. Report.sizes names small samples, all at once.
func (c *comparison) caveats(x *infer.Answer) {
	for _, v := range x.Caveats {
		switch v.Kind {
		case infer.CaveatStill:
			c.warn("nothing varies: either the clock is too coarse, or one number was copied")
		case infer.CaveatTiesInterval:
			c.warn("p is below alpha, but the interval holds 0, as ties can make it: taken as undecided")
		case infer.CaveatTiesP:
			c.warn("the interval does not hold 0, but p is not below alpha, as ties can make it: taken as undecided")
		case infer.CaveatHopeless:
			c.warn("with so few values the smallest p value that this test can have is %.2g: it can't show anything at this level; a t test, or more runs, can", v.Value)
		case infer.CaveatZeros:
			c.warn("%d of %d differences are 0, and left out by this test", v.N, v.Of)
		case infer.CaveatTied:
			how := map[bool]string{true: "the exact distribution takes account of that", false: "the normal approximation is corrected for that"}
			c.warn("%d of %d values are tied; %s", v.N, v.Of, how[x.Exact])
		case infer.CaveatUnbounded:
			c.warn("the mean of %s can't be told from 0, so that the ratio has no bounded interval: any ratio, or all but a few, would fit; ask for the difference instead", c.B.Name)
		}
	}
}

// rates compares the rates of two arms.
func (c *comparison) rates(a, b Counts) error {
	if *c.A.Count == 0 && *c.B.Count == 0 {
		c.Verdict = infer.Undecided
		if min(len(a.Events), len(b.Events)) < 2 { // one run does not show how runs vary
			c.Verdict = infer.NoAnswer
		}
		c.warn("nothing was counted in either: compare each with its bound, by giving one alone")
		return nil
	}
	x, err := infer.CompareRates(c.ask(), infer.Counts{A: a.EventRuns, B: b.EventRuns, Blocked: c.Paired})
	if err != nil {
		return err
	}
	c.Verdict, c.P = x.Verdict, x.Poisson
	c.Estimate = &Estimate{What: c.kind().Estimates, Value: x.Ratio, Low: x.RatioLow, High: x.RatioHigh, Neutral: 1, Level: x.Level}
	c.leaveAsked(x.Question)
	if d := x.Detectable; d != nil && x.B.PerMillion > 0 && stats.Finite(*d/x.B.PerMillion) { // else none is detectable
		c.Detectable = &Detectable{Value: *d / x.B.PerMillion, Power: infer.Power, Ratio: true}
	}
	if s := x.Scatter; s != nil {
		c.Scatter = &Scatter{RateScatter: *s, DF1: 1, DF2: s.DF, TooScattered: x.PoissonFails}
		c.Scatter.P, c.Scatter.PQuasi = *positiveP(s.P), *positiveP(s.PQuasi)
	}
	if x.PoissonFails {
		c.warn("the counts scatter more than Poisson's law allows (p = %.2g): Poisson's p value is not valid here; quasi-Poisson and the permutation of the runs decide", x.Scatter.P)
	}
	if x.PoissonFails && x.OneSided() {
		c.warn("the p values of the deciding tests are two-sided, although a one-sided one was asked for")
	}
	switch {
	case x.NoInterval == infer.OnePair:
		c.warn("one count an arm does not show whether counts scatter more than Poisson's law allows; they usually do: give the counts of the runs")
	case x.Has(infer.CaveatOpposite):
		c.warn("%s", infer.Opposite)
	}
	return nil
}

// single estimates one rate.
func (r *Report) single(a Counts) error {
	c := Comparison{A: a.describe(), Verdict: infer.NoAnswer}
	i, err := stats.RateInterval(*c.A.Count, *c.A.Exposure, r.Confidence)
	switch {
	case err != nil:
		return refusal.Mistake("%s: %v", a.Name, err)
	case r.Alternative != stats.TwoSided:
		return refusal.Mistake("one rate alone is estimated, not tested: leave --alternative out")
	}
	r.Method = "exact interval of a Poisson rate"
	c.Estimate = &Estimate{What: "rate", Value: c.A.Rate, Low: infer.FinitePtr(i.Low), High: infer.FinitePtr(i.High), Level: i.Level}
	switch e := c.Estimate; {
	case *c.A.Count == 0 && e.High != nil:
		c.Sentence = fmt.Sprintf("the rate of %s is at most %s (%s bound; nothing was counted)", c.A.Name, figure.Ratio(*e.High), figure.Level(e.Level))
	case e.Low == nil || e.High == nil:
		c.Sentence = fmt.Sprintf("the rate of %s is %s", c.A.Name, ratio(e.point()))
	default:
		c.Sentence = fmt.Sprintf("the rate of %s is %s (%s CI %s)", c.A.Name, ratio(e.point()), figure.Level(e.Level), figure.Range(*e.Low, *e.High, ""))
	}
	r.Comparisons = []Comparison{c}
	return nil
}

func newReport(o Options) *Report {
	r := &Report{Kind: o.Kind, Method: o.method(), Alternative: o.Alternative, Confidence: 1 - o.Alpha, Unit: o.Unit}
	if o.kind().Margin {
		r.Margin = &o.Margin
	}
	return r
}

// warn keeps each warning once.
func (r *Report) warn(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(r.Warnings, text) {
		r.Warnings = append(r.Warnings, text)
	}
}

func describe(s Sample) Described {
	if s.Summary != nil {
		return Described{Name: s.Name, N: s.Summary.N, Mean: infer.FinitePtr(s.Summary.Mean), SD: infer.FinitePtr(s.Summary.SD)}
	}
	return Described{Name: s.Name, N: len(s.Values), Mean: infer.FinitePtr(stats.Mean(s.Values)), SD: infer.FinitePtr(stats.SD(s.Values))}
}

// sums are the sums of counts and exposures; that of counts stops just above the largest exact one.
func (c Counts) sums() (count int64, exposure float64) {
	for _, k := range c.Events {
		count = min(count+min(k, exact+1), exact+1)
	}
	for _, s := range c.Exposure {
		exposure += s
	}
	return count, exposure
}

func (c Counts) describe() Described {
	k, s := c.sums()
	return Described{Name: c.Name, N: len(c.Events), Count: &k, Exposure: &s, Rate: infer.FinitePtr(float64(k) / s)}
}

// positiveP keeps an underflowed p value above 0.
func positiveP(p float64) *float64 { return new(max(p, math.SmallestNonzeroFloat64)) }
