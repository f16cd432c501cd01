package infer

import (
	"cmp"
	"errors"
	"math"

	"moobench/analysis/stats"
)

// Million is the exposure that rates and their differences refer to.
const Million = 1e6

// Counts are the runs of two arms, with events and exposure.
type Counts struct {
	A, B stats.EventRuns
	// Blocked says that A[i] and B[i] are of one block.
	Blocked bool
}

// Arm is one side of a comparison of rates.
type Arm struct {
	N          int     `json:"n"`           // invocations
	Events     int64   `json:"events"`      // number of events
	Exposure   float64 `json:"exposure"`    // number of chances for the event
	PerMillion float64 `json:"per_million"` // events per million chances
}

// ArmOf sums the runs of an arm.
func ArmOf(runs stats.EventRuns) Arm {
	a := Arm{N: len(runs.Events)}
	a.Events, a.Exposure = runs.Total()
	a.PerMillion = float64(a.Events) / a.Exposure * Million
	return a
}

// mostChances is the largest exposure for a binomial interval: beyond, it equals the Poisson
// interval to all digits.
const mostChances = 1 << 30

// isShare reports whether the events are a subset of counted chances.
func (a Arm) isShare() bool {
	return float64(a.Events) <= a.Exposure && a.Exposure == math.Trunc(a.Exposure) && a.Exposure <= mostChances
}

// IntervalOf returns the exact interval of one arm, per million, and whether its runs are
// overdispersed: then the interval is wider. It is Clopper and Pearson's for a share, Garwood's for
// a rate.
func IntervalOf(runs stats.EventRuns, level float64) (i Interval, scattered bool, err error) {
	a := ArmOf(runs)
	dispersion, interval := stats.ShareDispersion, stats.ScatteredShareInterval
	if !a.isShare() {
		dispersion, interval = rateDispersion, stats.ScatteredRateInterval
	}
	chi2, df, p, err := dispersion(runs)
	if scattered = err == nil && p < stats.ScatterAlpha; !scattered {
		df = math.Inf(1) // no overdispersion
	}
	i, err = interval(a.Events, a.Exposure, max(1, chi2/df), df, level)
	i.Low, i.High = i.Low*Million, i.High*Million
	if err == nil && !stats.Finite(a.PerMillion, a.Exposure, i.Low, i.High) {
		err = stats.ErrNotFinite
	}
	return i, scattered, err
}

func rateDispersion(runs stats.EventRuns) (chi2, df, p float64, err error) {
	return stats.Dispersion(runs)
}

// Descriptions of the deciding tests of two rates.
const (
	poissonDecided  = "the exact conditional test of Poisson counts and quasi-Poisson, both"
	flippedDecided  = "quasi-Poisson and signs flipped within blocks, both"
	permutedDecided = "quasi-Poisson and the permutation of the invocations, both"
	nothingCounted  = "no test: nothing was counted on either side"
	noRuns          = "no test: " + OnePair
)

// Rates compares two arms of counts. Rates and differences are per million, and all are from one
// estimator, the events of an arm by its exposure; see [stats.CompareRates].
type Rates struct {
	Question `json:"-"`
	A        Arm  `json:"a"`       // one cell
	B        Arm  `json:"b"`       // the other cell
	Blocked  bool `json:"blocked"` // whether only invocations that share a block count; both n are then pairs
	// Ratio is the first rate divided by the second, absent if the second has no event.
	Ratio *float64 `json:"ratio,omitempty"`
	// RatioLow and RatioHigh are its bounds, absent for 0 and if unbounded.
	RatioLow  *float64 `json:"ratio_low,omitempty"`
	RatioHigh *float64 `json:"ratio_high,omitempty"`
	// Difference is the first rate minus the second, per million.
	Difference float64   `json:"difference"`
	Interval   *Interval `json:"interval,omitempty"`    // of Difference
	NoInterval string    `json:"no_interval,omitempty"` // why it is absent
	Level      float64   `json:"level"`                 // of the intervals
	// Poisson is the p of the exact conditional test.
	Poisson *float64 `json:"poisson_p,omitempty"`
	// PoissonFails says that Poisson is invalid, because the counts are overdispersed, and is to be
	// shown struck out.
	PoissonFails bool `json:"poisson_invalid,omitempty"`
	// Scatter tests the counts within the cells for overdispersion.
	Scatter *stats.RateScatter `json:"overdispersion,omitempty"`
	Decided string             `json:"deciding_test"` // which test decided, in words
	// Detectable is the smallest first rate, per million, that such a design would detect with 80 %
	// power, absent if no possible rate is so high.
	Detectable *float64 `json:"detectable,omitempty"`
	// Equivalence is about the margin; absent without one.
	Equivalence *Equivalence `json:"equivalence,omitempty"`
	Verdict     Verdict      `json:"verdict"` // as in Answer
	// Caveats limit the answer.
	Caveats []Caveat `json:"caveats,omitempty"`
}

// CompareRates answers a question about the rates of two arms; it returns an error if the counts
// can't be compared at all. A margin's amount is per million, its share is of B's rate. With one
// run per arm there is no verdict, because the variation between runs is not known.
func CompareRates(q Question, data Counts) (*Rates, error) {
	t, err := stats.CompareRates(data.A, data.B, data.Blocked)
	if err != nil {
		return nil, err
	}
	x := &Rates{
		Question: q, A: ArmOf(data.A), B: ArmOf(data.B), Blocked: data.Blocked,
		Ratio: FinitePtr(t.Ratio), Difference: t.Difference * Million, Level: q.Level(),
		PoissonFails: t.Scattered(), Scatter: t.Scatter, Verdict: NoAnswer, Decided: noRuns,
	}
	if !stats.Finite(x.A.PerMillion, x.B.PerMillion, x.A.Exposure, x.B.Exposure, x.Difference) {
		return nil, stats.ErrNotFinite
	}
	if t.Scatter != nil {
		switch {
		case !t.Scattered():
			x.Decided = poissonDecided
		case data.Blocked:
			x.Decided = flippedDecided
		default:
			x.Decided = permutedDecided
		}
	}
	if x.A.Events+x.B.Events == 0 {
		x.Decided = nothingCounted
	} else {
		x.Poisson = new(max(t.ExactP(q.alternative()), math.SmallestNonzeroFloat64))
	}
	c := rateComparison{x, t}
	if err := c.intervals(); err != nil {
		return nil, err
	}
	if t.Scatter != nil {
		x.Detectable = c.detectable()
		x.Equivalence = c.equivalence()
		// The verdict is read from the interval, as for means. If the pooled difference and the
		// mean difference of the runs have opposite signs, no interval excludes 0, and there is no
		// verdict of a difference.
		if x.Verdict = Undecided; x.Interval != nil {
			e := &Estimate{Value: x.Difference, Interval: x.Interval}
			x.Verdict = VerdictOf(e, 0, q.alternative(), x.Equivalence)
		}
	}
	if n := min(x.A.N, x.B.N); n < FewInvocations {
		x.Caveats = append(x.Caveats, Caveat{Kind: CaveatFew, N: n})
	}
	if t.Opposite() {
		x.Caveats = append(x.Caveats, Caveat{Kind: CaveatOpposite})
	}
	return x, nil
}

// FinitePtr returns a pointer to a value; nil on error, or if it is not finite.
func FinitePtr(v float64, errs ...error) *float64 {
	if cmp.Or(errs...) != nil || !stats.Finite(v) {
		return nil
	}
	return &v
}

// rateComparison is a Rates being computed.
type rateComparison struct {
	*Rates
	t stats.RateComparison
}

// intervals sets both intervals, or says why they are absent.
func (c rateComparison) intervals() error {
	ratio, err := c.t.RatioInterval(c.Level)
	i, noDifference := c.difference(c.Level)
	d := c.t.RunDifference * Million
	switch {
	case errors.Is(err, stats.ErrTooFew):
		c.NoInterval = OnePair
	case errors.Is(err, stats.ErrOpposite):
		c.NoInterval = Opposite
	case err != nil:
		return err
	case noDifference != nil:
		return noDifference
	case c.t.Opposite() && (d < i.Low || d > i.High):
		c.NoInterval = Opposite
	default:
		c.RatioLow, c.RatioHigh, c.Interval = FinitePtr(ratio.Low), FinitePtr(ratio.High), &i
	}
	return nil
}

// difference returns the interval of the difference, per million. If the events are a subset of the
// chances, rates are at most 1, and the interval is cut to ±1.
func (c rateComparison) difference(level float64) (Interval, error) {
	i, err := c.t.DifferenceInterval(level)
	low, high := i.Low*Million, i.High*Million
	if c.chances() {
		low, high = max(low, -Million), min(high, Million)
	}
	if err == nil && !stats.Finite(low, high) {
		err = stats.ErrNotFinite
	}
	return Interval{Low: low, High: high, Level: i.Level}, err
}

// chances reports whether the exposures count chances, with the events a subset.
func (c rateComparison) chances() bool {
	return float64(c.A.Events) <= c.A.Exposure && float64(c.B.Events) <= c.B.Exposure
}

// detectable returns the smallest rate of A that the design distinguishes from B's. Overdispersion
// reduces the exposure accordingly, and few runs use the alpha of t.
func (c rateComparison) detectable() *float64 {
	d := c.t.Scatter.Dispersion
	base := float64(c.B.Events) / c.B.Exposure
	r, err := stats.DetectableRate(base, c.A.Exposure/d, c.B.Exposure/d, c.t.Alpha(1-c.Level), Power)
	if r *= Million; err != nil || !stats.Finite(r) || r > Million && c.chances() {
		return nil
	}
	return &r
}

// equivalence does two one-sided tests by the interval at 1 - 2 alpha, of the difference, or for a
// share of the ratio. Its p is the smallest alpha at which both reject, at most 0.5.
func (c rateComparison) equivalence() *Equivalence {
	share, ok := relative(c.Margin, c.B.PerMillion)
	alpha := c.alpha()
	if !ok || !(alpha > 0 && alpha < 0.5) || c.NoInterval != "" {
		return nil
	}
	e := Equivalence{Margin: c.Margin.Amount, Relative: share}
	low, high, at := -e.Margin, e.Margin, c.difference
	if share {
		e.Margin = c.Margin.Share
		low, high, at = 1/(1+e.Margin), 1+e.Margin, c.t.RatioInterval
	}
	inside := func(alpha float64) bool {
		i, err := at(1 - 2*alpha)
		return err == nil && low < i.Low && i.High < high
	}
	i, err := at(1 - 2*alpha)
	if err != nil || !stats.Finite(e.Margin, i.Low, i.High) {
		return nil
	}
	e.Interval, e.Within = i, inside(alpha)
	_, to := stats.Bisect(math.Log(1e-12), math.Log(0.5), 30, func(log float64) bool { return !inside(math.Exp(log)) })
	e.P = math.Exp(to)
	return &e
}

// Has reports whether the answer has a caveat of a kind.
func (x *Rates) Has(k CaveatKind) bool { return has(x.Caveats, k) }
