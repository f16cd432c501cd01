package infer

import (
	"errors"
	"math"

	"moobench/analysis/stats"
)

// Million is the number of chances that rates and their differences refer to.
const Million = 1e6

// Counts are the runs of two arms: events out of so much exposure each.
type Counts struct {
	A, B stats.EventRuns
	// Blocked says that A[i] and B[i] are of one block.
	Blocked bool
}

// Arm is what one side of a comparison of rates has seen.
type Arm struct {
	N          int     `json:"n"`           // invocations
	Events     int64   `json:"events"`      // how often the event was
	Exposure   float64 `json:"exposure"`    // how often it could have been
	PerMillion float64 `json:"per_million"` // events per million chances
}

// ArmOf adds the runs of an arm up.
func ArmOf(runs stats.EventRuns) Arm {
	a := Arm{N: len(runs.Events)}
	a.Events, a.Exposure = runs.Total()
	a.PerMillion = float64(a.Events) / a.Exposure * Million
	return a
}

// RateScatter tests whether counts vary within the arms as chance makes them, and
// by tests that see it whether the rates differ.
type RateScatter struct {
	Chi2       float64  `json:"chi2"`                 // Pearson's
	DF         float64  `json:"df"`                   // degrees of freedom
	P          float64  `json:"p"`                    // a small one says that invocations vary more than chance makes them
	Dispersion *float64 `json:"dispersion,omitempty"` // variance by mean, held at 1 or more
	F          *float64 `json:"f,omitempty"`          // quasi-Poisson test that the rates are the same, on 1 and DF degrees of freedom
	PQuasi     *float64 `json:"p_quasi,omitempty"`    // its p
	PPermuted  *float64 `json:"p_permuted,omitempty"` // p of scattered counts: invocations exchanged within blocks, or shared out anew
	Exact      bool     `json:"exact,omitempty"`      // no arrangement was left out
	// Least says that PPermuted is the smallest that so few invocations can have.
	Least bool `json:"least_permuted,omitempty"`
}

// RateTests names the tests that decided.
type RateTests string

const (
	NoRateTest     RateTests = ""               // one run an arm, or no event
	PoissonTests   RateTests = "poisson"        // exact and quasi-Poisson, both
	ExchangedPairs RateTests = "exchange pairs" // quasi-Poisson and the exchange within blocks, both
	ExchangedRuns  RateTests = "exchange runs"  // quasi-Poisson and the exchange of all runs, both
)

// Rates is what two arms of counts say. Everything in it is of one estimator, the
// events of an arm by its exposure; see [stats.CompareRates].
type Rates struct {
	Question
	A, B Arm
	// Ratio is A's rate by B's: infinite when only A has events, not a number
	// when neither has. The bounds of its interval may be 0 and infinite.
	Ratio         float64
	RatioInterval *Interval
	// Difference is A's rate minus B's, per million, with its interval; where
	// there is none, NoInterval says why.
	Difference float64
	Interval   *Interval
	NoInterval string
	// Poisson is the p of the exact conditional test, nil without an event.
	// Scattered says that it does not hold, because invocations vary by more.
	Poisson   *float64
	Scatter   *RateScatter
	Scattered bool
	Decided   RateTests
	// Detectable is the smallest rate of A, per million, that such a design finds
	// with 80 % power; nil where there is none up to a million.
	Detectable  *float64
	Equivalence *Equivalence
	Verdict     Verdict
	Caveats     []Caveat
}

// CompareRates answers a question about the rates of two arms; an error when the
// counts can't be compared at all. A margin's amount is per million, its share one of
// B's rate. One run an arm has no verdict: it says nothing of how runs vary.
func CompareRates(q Question, data Counts) (*Rates, error) {
	t, err := stats.CompareRates(data.A, data.B, data.Blocked)
	if err != nil {
		return nil, err
	}
	x := &Rates{
		Question: q, A: ArmOf(data.A), B: ArmOf(data.B), Ratio: t.Ratio, Difference: t.Difference * Million,
		Scattered: t.Scattered(), Verdict: NoAnswer,
	}
	if !stats.Finite(x.A.PerMillion, x.B.PerMillion, x.A.Exposure, x.B.Exposure, x.Difference) {
		return nil, stats.ErrNotFinite
	}
	c := rateComparison{x, t}
	c.tests(data.Blocked)
	if err := c.intervals(); err != nil {
		return nil, err
	}
	if t.Runs != nil {
		c.detect()
		x.Equivalence = c.equivalence()
		x.Verdict = x.verdict()
	}
	if n := min(x.A.N, x.B.N); n < FewInvocations {
		x.Caveats = append(x.Caveats, Caveat{Kind: CaveatFew, N: n})
	}
	if t.Opposite() {
		x.Caveats = append(x.Caveats, Caveat{Kind: CaveatOpposite})
	}
	return x, nil
}

// Has says whether the answer has a caveat of a kind.
func (x *Rates) Has(k CaveatKind) bool { return (&Answer{Caveats: x.Caveats}).Has(k) }

// verdict is read from the interval, as that of means. Where pooled rates and those
// of the runs have opposite signs, there is neither an interval beyond 0 nor a verdict.
func (x *Rates) verdict() Verdict {
	if x.Interval == nil {
		return Undecided
	}
	return VerdictOf(&Estimate{Value: x.Difference, Interval: x.Interval}, 0, x.alternative(), x.Equivalence)
}

// rateComparison is an answer under way.
type rateComparison struct {
	*Rates
	t stats.RateComparison
}

func (c rateComparison) tests(blocked bool) {
	events := c.A.Events+c.B.Events > 0
	if p := max(c.t.ExactP(c.alternative()), math.SmallestNonzeroFloat64); events {
		c.Poisson = &p
	}
	r := c.t.Runs
	if r == nil {
		return
	}
	c.Scatter = &RateScatter{Chi2: r.Chi2, DF: r.DF, P: r.PScatter, Dispersion: &r.Dispersion, F: &r.F, PQuasi: &r.PQuasi}
	switch {
	case !events:
	case !r.Scattered:
		c.Decided = PoissonTests
	case blocked:
		c.Decided = ExchangedPairs
	default:
		c.Decided = ExchangedRuns
	}
	if r.Scattered {
		c.Scatter.PPermuted, c.Scatter.Exact, c.Scatter.Least = &r.Permuted, r.Exact, r.Permuted <= r.LeastPermuted
	}
}

// intervals takes both, or says why there is none.
func (c rateComparison) intervals() error {
	ratio, err := c.t.RatioInterval(c.Level())
	switch {
	case errors.Is(err, stats.ErrTooFew):
		c.NoInterval = OnePair
		return nil
	case errors.Is(err, stats.ErrOpposite):
		c.NoInterval = Opposite
		return nil
	case err != nil:
		return err
	}
	i, err := c.difference(c.Level())
	if err != nil {
		return err
	}
	if d := c.t.RunDifference * Million; c.t.Opposite() && (d < i.Low || d > i.High) {
		c.NoInterval = Opposite
		return nil
	}
	c.RatioInterval, c.Interval = &Interval{ratio.Low, ratio.High, ratio.Level}, &i
	return nil
}

// difference is the interval of the difference, per million. Events that are some of
// their chances have no rate above 1, and so no difference beyond.
func (c rateComparison) difference(level float64) (Interval, error) {
	i, err := c.t.DifferenceInterval(level)
	if err != nil {
		return Interval{}, err
	}
	low, high := i.Low*Million, i.High*Million
	if c.chances() {
		low, high = max(low, -Million), min(high, Million)
	}
	if !stats.Finite(low, high) {
		return Interval{}, stats.ErrNotFinite
	}
	return Interval{low, high, i.Level}, nil
}

// chances says whether the exposures count chances of which the events are some.
func (c rateComparison) chances() bool {
	return float64(c.A.Events) <= c.A.Exposure && float64(c.B.Events) <= c.B.Exposure
}

// detect finds the smallest rate of A that the design tells from B's. Scattered
// counts are worth as many fewer as they scatter more, and few runs are held to
// the alpha of t.
func (c rateComparison) detect() {
	d := c.t.Runs.Dispersion
	r, err := stats.DetectableRate(float64(c.B.Events)/c.B.Exposure, c.A.Exposure/d, c.B.Exposure/d, c.t.Alpha(1-c.Level()), Power)
	if r *= Million; err == nil && stats.Finite(r) && (r <= Million || !c.chances()) {
		c.Detectable = &r
	}
}

// equivalence is two one-sided tests by the interval at 1 - 2 alpha, of the
// difference or, of a share, of the ratio.
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
		low, high, at = 1/(1+e.Margin), 1+e.Margin, func(level float64) (Interval, error) {
			i, err := c.t.RatioInterval(level)
			return Interval{i.Low, i.High, i.Level}, err
		}
	}
	inside := func(alpha float64) bool {
		i, err := at(1 - 2*alpha)
		return err == nil && low < i.Low && i.High < high
	}
	i, err := at(1 - 2*alpha)
	if err != nil || !stats.Finite(e.Margin, i.Low, i.High) {
		return nil
	}
	e.Interval, e.Within, e.P = i, inside(alpha), leastAlpha(inside)
	return &e
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
