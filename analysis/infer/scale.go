package infer

import (
	"math"
	"slices"

	"moobench/analysis/stats"
	"moobench/results"
)

// Scale is an estimate on a scale where 0 is no difference: a difference, or the logarithm of a
// ratio. Interval, test, detectable effect and equivalence follow from it.
type Scale struct {
	N             int // pairs, or invocations of the smaller sample
	Value, SE, DF float64
	SD            float64 // of the averaged values
	// Size is the magnitude of the values of which Value is a difference. A standard error that is
	// tiny relative to it is rounding, not variation.
	Size float64
	// Carry is the part of SE due to the uncertainty of carrying the values to one CPU speed: SE²
	// contains Carry², which more blocks do not reduce.
	Carry float64
	// on are the sensitivities of Value behind Carry.
	on []Sensitivity
	// Alike is the variance inflation factor for autocorrelation; 0 if not estimated.
	Alike float64
}

// ScaleOf averages independent values; a single one has no spread. It returns the reason if it
// fails.
func ScaleOf(xs []float64) (Scale, string) {
	if len(xs) == 1 && stats.Finite(xs[0]) {
		return Scale{N: 1, Value: xs[0], Size: math.Abs(xs[0])}, ""
	}
	s, err := stats.SampleOf(xs)
	if err != nil {
		return Scale{}, Reason(err)
	}
	return scaleOfSample(s), ""
}

func scaleOfSample(s stats.Sample) Scale {
	n := float64(s.N)
	return Scale{N: s.N, Value: s.Mean, SE: s.SD / math.Sqrt(n), DF: n - 1, SD: s.SD, Size: math.Abs(s.Mean)}
}

// Scale averages the values of a sample, which may be in order of time.
func (s Sample) Scale(ordered bool) (Scale, string) {
	hangs := func(at []int) []Sensitivity { return absolute(s.pick(at), 1) }
	if mean, _, ok := s.overStrata(s.Values, 0, hangs, ordered); ok {
		return mean, ""
	}
	mean, why := ScaleOf(s.Values)
	if why != "" {
		return mean, why
	}
	return mean.along(s.Values, absolute(s, 1), ordered), ""
}

// Off widens the standard error by the uncertainty of elasticities, given the estimate's
// sensitivities.
func (s Scale) Off(on []Sensitivity) Scale {
	_, variance := shared(on)
	s.on, s.Carry = on, math.Sqrt(variance)
	s.SE = math.Hypot(s.SE, s.Carry)
	return s
}

// apart returns the squared standard error without the part due to elasticities.
func (s Scale) apart() float64 { return max(0, s.SE*s.SE-s.Carry*s.Carry) }

// along widens the standard error of the mean of values xs for their dependence: on common
// elasticities, and between neighbours.
func (s Scale) along(xs []float64, on []Sensitivity, ordered bool) Scale {
	if !s.Spread() {
		return s
	}
	mean := slices.Clone(on)
	for i := range mean {
		mean[i].By /= float64(len(xs))
	}
	lost, variance := shared(mean)
	// The law is fitted to more values than these, so that two of them don't lose the one degree they have: with a
	// hundredth of it, t has no finite quantile. simulation.TestTwoBlocks shows that the intervals hold with one.
	left := max(s.DF-lost, min(s.DF, 1))
	wider := math.Sqrt(s.DF / left)
	s.SD, s.SE, s.DF = s.SD*wider, s.SE*wider, left
	if ordered && !s.Still() {
		s.Alike = stats.Alike(xs)
		s.SE *= math.Sqrt(s.Alike)
	}
	s.on, s.Carry = mean, math.Sqrt(variance)
	s.SE = math.Hypot(s.SE, s.Carry)
	return s
}

// shared returns the effect of elasticities on an estimate: the degrees of freedom lost by fitting
// them, and a variance. Errors of values on one elasticity add up before squaring. If each
// program's elasticity took one degree of freedom, the residuals lose only one, because the fit
// mainly follows the noisiest program.
func shared(on []Sensitivity) (lost, variance float64) {
	by := map[*stats.Elasticity]float64{}
	var order []*stats.Elasticity // for a fixed order of summation
	for _, s := range on {
		if _, known := by[s.On]; !known {
			order = append(order, s.On)
		}
		by[s.On] += s.By
	}
	for _, e := range order {
		lost = max(lost, e.Lost)
		variance += by[e] * by[e] * e.Variance
	}
	return lost, variance
}

// ScaleFrom returns the scale of an estimate with its standard error; for a ratio, of its
// logarithm. It returns nil if e is nil, or a ratio not above 0.
func (e *Estimate) ScaleFrom(ratio bool) *Scale {
	if e == nil || ratio && !(e.Value > 0) {
		return nil
	}
	s := &Scale{N: e.N, Value: e.Value}
	if ratio {
		s.Value = math.Log(e.Value)
	}
	s.Size = math.Abs(s.Value)
	if e.SD != nil {
		s.SD = *e.SD
	}
	if e.SE == nil || e.DF == nil {
		s.N = 1 // no spread is known
		return s
	}
	s.SE, s.DF = *e.SE, *e.DF
	return s
}

// Spread reports whether the standard error is known.
func (s Scale) Spread() bool { return s.N > 1 && s.DF > 0 }

// Still reports whether the values don't vary, or by no more than rounding.
func (s Scale) Still() bool { return s.Spread() && stats.IsRounding(s.SE, s.Size) }

// Minus returns the difference of two independent estimates; the degrees of freedom of its standard
// error are Satterthwaite's.
func (s Scale) Minus(other Scale) Scale {
	d := Scale{N: min(s.N, other.N), Value: s.Value - other.Value, Size: max(s.Size, other.Size)}
	if !s.Spread() || !other.Spread() {
		d.N = min(d.N, 1)
		return d
	}
	own := stats.Variance{Value: s.apart(), DF: s.DF}
	others := stats.Variance{Value: other.apart(), DF: other.DF}
	v := stats.SumOfVariances(own, others)
	d.SE, d.DF = v.SE(), v.DF
	if on := minus(s.on, other.on); len(on) > 0 { // errors from a common elasticity are dependent
		return d.Off(on)
	}
	return d
}

// minus returns the sensitivities of the difference of two estimates.
func minus(a, b []Sensitivity) []Sensitivity {
	all := slices.Clone(a)
	for _, s := range b {
		all = append(all, Sensitivity{On: s.On, By: -s.By})
	}
	return all
}

// Known returns the estimate with its standard error and degrees of freedom only.
func (s Scale) Known() stats.Known { return stats.Known{Value: s.Value, SE: s.SE, DF: s.DF} }

// Estimate returns the estimate with its interval at a level, and the two-sided test. Values that
// do not vary have an interval of zero width if the order-statistic interval of n equal values,
// which covers the median with 1 - 2/2^n, reaches the level.
func (s Scale) Estimate(level float64) (*Estimate, string) {
	return s.reported(level, stats.TwoSided, itself)
}

// Ratio returns the estimate of the ratio, for a scale of logarithms.
func (s Scale) Ratio(level float64) (*Estimate, string) {
	return s.reported(level, stats.TwoSided, math.Exp)
}

func itself(v float64) float64 { return v }

// reported returns the estimate on the reported scale. The interval is two-sided whatever the
// alternative of the test.
func (s Scale) reported(level float64, alt stats.Alternative, on func(float64) float64) (*Estimate, string) {
	e := &Estimate{N: s.N, Value: on(s.Value)}
	if !stats.Finite(e.Value, s.SE, s.SD) {
		return nil, overflow
	}
	if !s.Spread() {
		e.NoInterval = OnePair
		return e, ""
	}
	e.SE, e.DF = new(s.SE), new(s.DF)
	if s.SD > 0 || s.SE == 0 {
		e.SD = new(s.SD)
	}
	i := s.Interval(level)
	e.Interval = &Interval{Low: on(i.Low), High: on(i.High), Level: level}
	switch {
	case s.Still() && !(1-AlikeP(s.N) >= level):
		e.Interval, e.NoInterval = nil, noVariation
	case s.Still():
		e.Interval = &Interval{Low: e.Value, High: e.Value, Level: level}
	case !stats.Finite(e.Interval.Low, e.Interval.High):
		return nil, overflow
	default:
		e.Test = s.test(alt)
	}
	return e, ""
}

// Interval returns the two-sided interval at a level; it needs a spread.
func (s Scale) Interval(level float64) Interval {
	return stats.IntervalT(s.Value, s.SE, s.DF, stats.TwoSided, level)
}

// test returns the t test of 0; nil without spread.
func (s Scale) test(alt stats.Alternative) *Test {
	t := stats.TestT(s.Value, s.SE, s.DF, alt)
	if !s.Spread() || s.Still() || t == nil {
		return nil
	}
	x := &Test{T: t.T, DF: t.DF, P: max(t.P, math.SmallestNonzeroFloat64)}
	if alt != stats.TwoSided {
		x.Alternative = string(alt)
	}
	return x
}

// Equivalence has the two one-sided tests (Schuirmann 1987).
type Equivalence struct {
	// Margin is a share of the baseline's mean when Relative (0.01 is 1 %, and the ratio must lie
	// between 1/1.01 and 1.01), else in the metric's unit.
	Margin   float64 `json:"margin"`
	Relative bool    `json:"relative,omitempty"` // whether the margin is a share
	stats.Equivalence
}

// Beyond reports whether the whole interval lies outside the margin.
func (e *Equivalence) Beyond() bool {
	if e.Relative {
		return e.Interval.Low > 1+e.Margin || e.Interval.High < 1/(1+e.Margin)
	}
	return e.Interval.Low > e.Margin || e.Interval.High < -e.Margin
}

// relative reports whether a margin is a share, for a baseline's mean; ok is false without a
// margin.
func relative(m *results.Margin, baseline float64) (share, ok bool) {
	switch {
	case m == nil:
		return false, false
	case m.Share > 0 && (m.Amount <= 0 || baseline >= m.ShareFrom):
		return true, true
	}
	return false, m.Amount > 0 && !math.IsInf(m.Amount, 0)
}

// Equivalent tests whether the value lies within ± margin, each side at alpha; nil without spread.
// On a log scale, the limit is log(1 + margin) if the margin is a share. room is a possible bias
// beyond the standard error: it is subtracted from the limit, and widens the interval.
func (s Scale) Equivalent(margin float64, share bool, alpha, room float64) *Equivalence {
	limit, on := margin, itself
	if share {
		limit, on = math.Log1p(margin), math.Exp
	}
	if !s.Spread() || !(limit > 0) || !stats.Finite(limit) || !(alpha > 0 && alpha < 0.5) {
		return nil
	}
	e := Equivalence{Margin: margin, Relative: share}
	if s.Still() {
		// Equal values: the order-statistic interval has zero width.
		e.P = AlikeP(s.N) / 2 // one-sided
		e.Within = e.P <= alpha && math.Abs(s.Value) < limit-room
		if math.Abs(s.Value) >= limit-room {
			e.P = 1
		}
		e.PLow, e.PHigh = e.P, e.P
		e.Interval = Interval{Low: on(s.Value - room), High: on(s.Value + room), Level: 1 - 2*alpha}
	} else {
		within := max(limit-room, math.SmallestNonzeroFloat64) // a limit of 0 can't be shown
		q, err := stats.EquivalenceT(s.Value, s.SE, s.DF, -within, within, alpha)
		if err != nil {
			return nil
		}
		e.Equivalence = q
		e.Interval.Low, e.Interval.High = on(q.Interval.Low-room), on(q.Interval.High+room)
	}
	if !stats.Finite(e.P, e.Interval.Low, e.Interval.High) {
		return nil
	}
	return &e
}

// Solver computes and caches detectable effects: the same designs occur in every cell and metric,
// and the noncentral t distribution is slow. A nil Solver caches nothing. It is not safe for
// concurrent use.
type Solver map[design]float64

// design holds the arguments of a detectable effect in standard errors.
type design struct {
	df, alpha float64
	alt       stats.Alternative
}

// Detectable returns the smallest true value, in the unit of s, that a two-sided test at 1 - level
// detects with 80 % power; nil if unknown.
func (d Solver) Detectable(s Scale, level float64) *float64 {
	return d.detect(s, design{s.DF, 1 - level, stats.TwoSided})
}

// DetectableAbove returns the smallest true value above 0 that a one-sided lower bound at 1 - alpha
// shows to be above 0 with 80 % power; nil if unknown.
func (d Solver) DetectableAbove(s Scale, alpha float64) *float64 {
	return d.detect(s, design{s.DF, alpha, stats.Greater})
}

// absurd is a number of standard errors beyond any reasonable effect.
const absurd = 1e6

// detect interpolates between tabulated degrees of freedom, because every pair of samples has its
// own fractional ones: the effect is nearly linear in 1/df between integers, or below 8 between
// quarters. Below 2 it solves exactly.
func (d Solver) detect(s Scale, x design) *float64 {
	if !s.Spread() || s.Still() {
		return nil
	}
	step := 1.0
	if x.df < 8 {
		step = 0.25
	}
	low, units := math.Floor(x.df/step)*step, 0.0
	if x.df < 2 || low == x.df {
		units = d.solve(x)
	} else {
		high := low + step
		a, b := d.solve(design{low, x.alpha, x.alt}), d.solve(design{high, x.alpha, x.alt})
		units = a + (b-a)*(1/low-1/x.df)/(1/low-1/high)
	}
	if v := units * s.SE; units < absurd && stats.Finite(v) {
		return &v
	}
	return nil
}

// Units returns the smallest true value that a two-sided t test at alpha detects with 80 % power,
// in standard errors; NaN if unknown.
func (d Solver) Units(df, alpha float64) float64 { return d.solve(design{df, alpha, stats.TwoSided}) }

func (d Solver) solve(x design) float64 {
	if v, known := d[x]; known {
		return v
	}
	v, err := stats.Detectable(1, x.df, x.alpha, Power, x.alt)
	if err != nil {
		v = math.NaN()
	}
	if d != nil {
		d[x] = v
	}
	return v
}
