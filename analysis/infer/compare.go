package infer

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"moobench/analysis/stats"
	"moobench/results"
)

// Compare answers a question about two samples. If a figure can't be computed, the answer has the
// reason.
func (d Solver) Compare(q Question, data Data) Answer {
	if q.Kind == "" {
		q.Kind = results.TestPaired
	}
	test, known := KindOf(q.Kind)
	c := comparison{Answer: Answer{Question: q, Verdict: NoAnswer}, data: data, solver: d, test: test}
	if mean, err := stats.Mean(data.X.Values); err == nil && data.Beside > 0 {
		c.Doubt = &Doubt{Share: data.Beside, Amount: data.Beside * math.Abs(mean)}
	}
	if !known || test.Counts {
		c.NoDifference = fmt.Sprintf("there is no test %q", q.Kind)
		c.NoRatio = c.NoDifference
		return c.Answer
	}
	c.difference()
	c.logRatio()
	switch {
	case test.conclude != nil:
		test.conclude(&c)
	case test.Ranks():
		c.ranks()
	default:
		c.byT()
	}
	c.tellHosts()
	e, _ := c.Main()
	if e != nil && e.N < FewInvocations {
		c.Caveats = append(c.Caveats, Caveat{Kind: CaveatFew, N: e.N})
	}
	if e != nil && c.Verdict.within() {
		c.Caveats = append(c.Caveats, Unseen(e.N)...)
	}
	still := c.D.Still()
	if c.test.Logarithms {
		still = c.L.Still()
	}
	if still && !c.test.Ranks() {
		c.Caveats = append(c.Caveats, Caveat{Kind: CaveatStill, N: c.D.N})
	}
	return c.Answer
}

// comparison is an Answer being computed.
type comparison struct {
	Answer
	data   Data
	solver Solver
	test   Kind
	// The estimates by host of the difference, and of the log ratio; nil for one host.
	dHosts, lHosts *overHosts
}

// difference computes the scale of X - Y: over pairs, or unpaired by Student's or Welch's method,
// or of given differences alone.
func (c *comparison) difference() {
	switch {
	case c.data.Alone && c.data.X.Summary != nil:
		c.D = scaleOfSample(*c.data.X.Summary)
	case c.data.Alone:
		c.D, c.NoDifference = c.data.X.Scale(c.data.Ordered)
	case c.data.Paired:
		size := floats.Norm(slices.Concat(c.data.X.Values, c.data.Y.Values), math.Inf(1))
		c.D, c.dHosts, c.NoDifference = c.paired(stats.Differences, size, absolute)
	default:
		if c.D, c.dHosts, c.NoDifference = c.unpaired(c.data.X, c.data.Y); c.NoDifference == "" {
			c.D = c.D.off(c.data.X, c.data.Y, absolute)
		}
	}
}

// logRatio computes the scale of log X/Y.
func (c *comparison) logRatio() {
	x, y := c.data.X, c.data.Y
	switch {
	case c.data.Alone || x.Summary != nil || y.Summary != nil:
		c.NoRatio = "the values themselves are not known, so there is no ratio of pairs"
	case c.data.Paired:
		c.L, c.lHosts, c.NoRatio = c.paired(stats.LogRatios, 1, relatively)
	default:
		lx, errX := stats.Logs(x.Values)
		ly, errY := stats.Logs(y.Values)
		if err := cmp.Or(errX, errY); err != nil {
			c.NoRatio = Reason(err)
			return
		}
		x.Values, y.Values = lx, ly
		c.L, c.lHosts, c.NoRatio = c.unpaired(x, y)
		if c.NoRatio == "" {
			c.L = c.L.off(c.data.X, c.data.Y, relatively)
		}
	}
}

// paired returns the scale of the pairs' differences or log ratios. size is the size of the
// subtracted values: rounding relative to it is not variation.
func (c *comparison) paired(
	by func(x, y []float64) ([]float64, error), size float64, on sensitivities,
) (Scale, *overHosts, string) {
	ds, err := by(c.data.X.Values, c.data.Y.Values)
	if err != nil {
		return Scale{}, nil, Reason(err)
	}
	hangs := func(at []int) []Sensitivity {
		return slices.Concat(on(c.data.X.pick(at), 1), on(c.data.Y.pick(at), -1))
	}
	if s, hosts, ok := c.data.X.overStrata(ds, size, hangs, c.data.Ordered); ok {
		return s, hosts, ""
	}
	s, why := ScaleOf(ds)
	s.Size = max(s.Size, size)
	if why != "" {
		return s, nil, why
	}
	s = c.piloted(s, ds)
	return s.along(ds, slices.Concat(on(c.data.X, 1), on(c.data.Y, -1)), c.data.Ordered), nil, ""
}

// piloted returns the scale of differences with the spread of the pilot that determined their
// number.
func (c *comparison) piloted(s Scale, ds []float64) Scale {
	n := c.data.Pilot
	if n < 2 || n >= len(ds) {
		return s
	}
	// Use the larger of the pilot's standard deviation and that of all values, with the pilot's
	// degrees of freedom. The pilot's alone is exact for normal values (Stein 1945), but too small
	// if the values are skewed, or if a slow mode did not occur in the pilot; the larger one never
	// covers less.
	if pilot, _ := ScaleOf(ds[:n]); pilot.Spread() && s.Spread() {
		s.SD = max(s.SD, pilot.SD)
		s.SE, s.DF = s.SD/math.Sqrt(float64(s.N)), pilot.DF
	}
	return s
}

// sensitivities returns the sensitivities of a sample's values, or of their logarithms, times a
// factor.
type sensitivities func(s Sample, factor float64) []Sensitivity

// absolute returns the sensitivities of the values.
func absolute(s Sample, factor float64) []Sensitivity {
	var all []Sensitivity
	for _, on := range s.Sensitivities {
		for _, x := range on {
			all = append(all, Sensitivity{On: x.On, By: factor * x.By})
		}
	}
	return all
}

// relatively returns the sensitivities of the values' logarithms.
func relatively(s Sample, factor float64) []Sensitivity {
	var all []Sensitivity
	for i, on := range s.Sensitivities {
		for _, x := range on {
			all = append(all, Sensitivity{On: x.On, By: factor * x.By / s.Values[i]})
		}
	}
	return all
}

// off widens the standard error of the difference of two means by the uncertainty of the
// elasticities.
func (s Scale) off(x, y Sample, on sensitivities) Scale {
	if !s.Spread() || len(x.Values) == 0 || len(y.Values) == 0 {
		return s
	}
	share := float64(len(x.Values)) / float64(len(y.Values)) // so that all divide by the number of X
	all := slices.Concat(on(x, 1), on(y, -share))
	for i := range all {
		all[i].By /= float64(len(x.Values))
	}
	return s.Off(all)
}

// unpaired returns the scale of the difference of two independent means, within hosts if the same
// hosts measured both.
func (c *comparison) unpaired(a, b Sample) (Scale, *overHosts, string) {
	if s, hosts, ok := apart(a, b); ok {
		return s, hosts, ""
	}
	x, errX := a.summary()
	y, errY := b.summary()
	means := c.test.means
	if means == nil {
		means = stats.Welch
	}
	e, err := means(x, y, stats.TwoSided, c.Level())
	switch err := cmp.Or(errX, errY, err); {
	case err == nil:
		size := max(math.Abs(x.Mean), math.Abs(y.Mean))
		return Scale{N: e.N, Value: e.Value, SE: e.SE, DF: e.DF, SD: e.SD, Size: size}, nil, ""
	case len(a.Values) == 1 && len(b.Values) > 0 || len(b.Values) == 1 && len(a.Values) > 0:
		// A difference without an interval: one value says nothing of the variation.
		meanA, _ := stats.Mean(a.Values) // no error: not empty
		meanB, _ := stats.Mean(b.Values)
		return Scale{N: 1, Value: meanA - meanB, Size: max(math.Abs(meanA), math.Abs(meanB))}, nil, ""
	default:
		return Scale{}, nil, Reason(err)
	}
}

// byT turns the scales into estimates, and reads the verdict.
func (c *comparison) byT() {
	level := c.Level()
	if c.NoDifference == "" {
		c.Difference, c.NoDifference = c.D.reported(level, c.alternative(), itself)
	}
	if e := c.Difference; e != nil && e.NoInterval == OnePair && !c.data.Paired && !c.data.Alone {
		e.NoInterval = oneOfThem
	}
	if e := c.Difference; e != nil {
		e.Detectable = c.solver.Detectable(c.D, level)
		if e.Test != nil && c.Kind != results.TestPaired && !c.test.Margin {
			e.Test.Kind = string(c.Kind)
		}
	}
	if c.NoRatio == "" {
		c.Ratio, c.NoRatio = c.L.reported(level, c.alternative(), math.Exp)
	}
	if c.Ratio != nil {
		if v := c.solver.Detectable(c.L, level); v != nil && stats.Finite(math.Expm1(*v)) {
			c.Ratio.Detectable = new(math.Expm1(*v))
		}
	}
	c.decide(c.equivalence)
}

// decide reads the verdict from the interval and the equivalence, with an allowance for Doubt.
func (c *comparison) decide(equivalence func(room Doubt) *Equivalence) {
	c.Equivalence = equivalence(Doubt{})
	e, neutral := c.Main()
	c.Verdict = VerdictOf(e, neutral, c.alternative(), c.Equivalence)
	if c.Verdict == Undecided && c.D.Still() && e.Interval.Low == neutral && e.Interval.High == neutral {
		c.Verdict = Equivalent // all values are equal: within every margin
	}
	if c.Doubt == nil || e == nil || e.Interval == nil {
		return
	}
	sure, wide := c.Verdict, *e
	wide.Interval = c.Doubt.Widen(*e.Interval, neutral == 1)
	if d := c.Difference; d != nil && d.Interval != nil {
		c.Doubt.Interval = c.Doubt.Widen(*d.Interval, false)
	}
	c.Equivalence = equivalence(*c.Doubt)
	c.Verdict = VerdictOf(&wide, neutral, c.alternative(), c.Equivalence)
	c.Doubt.sure, c.Doubt.Decided = sure, c.Verdict != sure
	c.Doubt.addTo(c.Difference, c.Ratio)
}

// Widen extends both ends of an interval, of a ratio or of a difference, by the doubt.
func (d *Doubt) Widen(i Interval, ratio bool) *Interval {
	if ratio {
		return &Interval{Low: i.Low * math.Exp(-d.Share), High: i.High * math.Exp(d.Share), Level: i.Level}
	}
	return &Interval{Low: i.Low - d.Amount, High: i.High + d.Amount, Level: i.Level}
}

// addTo increases detectable effects by the doubt, below which nothing can be shown.
func (d *Doubt) addTo(difference, ratio *Estimate) {
	if difference != nil && difference.Detectable != nil {
		*difference.Detectable += d.Amount
	}
	if ratio != nil && ratio.Detectable != nil {
		*ratio.Detectable = math.Expm1(math.Log1p(*ratio.Detectable) + d.Share)
	}
}

// equivalence tests against the margin, on the scale of the margin. A share can't be tested for
// values without logarithms.
func (c *comparison) equivalence(room Doubt) *Equivalence {
	m := c.Margin
	share, ok := c.relative()
	switch {
	case !ok || c.NoDifference != "":
		return nil
	case share && c.NoRatio == "":
		return c.L.Equivalent(m.Share, true, c.alpha(), room.Share)
	case !share:
		return c.D.Equivalent(m.Amount, false, c.alpha(), room.Amount)
	}
	return nil
}

// relative says whether the margin is a share for this baseline; ok is false without a margin.
func (c *comparison) relative() (share, ok bool) {
	baseline, err := c.data.Y.summary()
	if err != nil && len(c.data.Y.Values) == 1 {
		baseline.Mean = c.data.Y.Values[0]
	}
	return relative(c.Margin, baseline.Mean)
}

// fieller computes the ratio of arithmetic means with Fieller's set, and the test that their
// difference is 0, which is the same hypothesis.
func (c *comparison) fieller() {
	level, x, y := c.Level(), c.data.X, c.data.Y
	a, errX := x.summary()
	b, errY := y.summary()
	r, err := stats.FiellerSummary(a, b, level)
	if x.Summary == nil && y.Summary == nil {
		r, err = stats.Fieller(x.Values, y.Values, c.data.Paired, level)
	}
	if c.Ratio, c.NoRatio, err = nil, "", cmp.Or(errX, errY, err); err != nil {
		c.NoRatio, c.Verdict = Reason(err), NoAnswer
		return
	}
	c.Fieller = &r
	c.Ratio = &Estimate{N: r.N, Value: r.Value, DF: &r.DF, Test: c.D.test(stats.TwoSided)}
	if r.Bounded && stats.Finite(r.Interval.Low, r.Interval.High) {
		c.Ratio.Interval = &r.Interval
	}
	if c.Difference, c.NoDifference = c.D.Estimate(level); c.Difference != nil {
		c.Difference.Detectable = c.solver.Detectable(c.D, level)
	}
	switch {
	case c.D.Still():
		c.Verdict = NoAnswer
	case !r.Bounded:
		// An unbounded set can exclude 1, exactly if the test of the difference rejects: direction
		// and p follow from that test.
		c.Verdict = VerdictOf(c.Difference, 0, stats.TwoSided, nil)
		c.Caveats = append(c.Caveats, Caveat{Kind: CaveatUnbounded})
	default:
		c.Verdict = VerdictOf(c.Ratio, 1, stats.TwoSided, nil)
	}
}
