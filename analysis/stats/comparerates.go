package stats

import (
	"fmt"

	"gonum.org/v1/gonum/stat"
)

// ScatterAlpha is the level of the dispersion test of Poisson's law. It is high, because missed
// overdispersion makes all later tests anti-conservative.
const ScatterAlpha = 0.1

// EventRuns holds the numbers of events of runs, and the exposure of each run (calls, requests,
// seconds).
type EventRuns struct {
	Events   []int64
	Exposure []float64
}

// Total returns the sums over the runs.
func (r EventRuns) Total() (events int64, exposure float64) {
	for i, k := range r.Events {
		events, exposure = events+k, exposure+r.Exposure[i]
	}
	return events, exposure
}

// Rates returns events by exposure for each run.
func (r EventRuns) Rates() []float64 {
	rates := make([]float64, len(r.Events))
	for i, k := range r.Events {
		rates[i] = float64(k) / r.Exposure[i]
	}
	return rates
}

// RateComparison compares the rates of two arms of runs. The ratio, the difference, their intervals
// and all tests use one estimator: the events of an arm divided by its exposure.
type RateComparison struct {
	// Ratio is the rate of a divided by that of b: infinite if only a has events, NaN if neither
	// has.
	Ratio float64
	// Difference is the rate of a minus that of b, in events per unit of exposure.
	Difference float64
	// RunDifference is the mean rate of the runs of a minus that of the runs of b, equally
	// weighted. It is only used by Opposite.
	RunDifference float64
	// Scatter is nil if each arm has a single run: then the variation between runs is unknown, and
	// nothing is decided.
	Scatter *RateScatter

	arms   binaryRates
	orders *arrangements // nil unless Scattered
}

// RateScatter tests the counts within the arms for overdispersion, and by tests that allow for it
// whether the rates differ.
type RateScatter struct {
	Chi2       float64  `json:"chi_square"`           // Pearson's
	DF         float64  `json:"df"`                   // degrees of freedom
	P          float64  `json:"p"`                    // small if invocations are overdispersed
	Dispersion float64  `json:"dispersion"`           // variance divided by mean, at least 1
	F          float64  `json:"f"`                    // quasi-Poisson test of equal rates, 1 and DF degrees of freedom
	PQuasi     float64  `json:"p_quasi"`              // its p
	PPermuted  *float64 `json:"p_permuted,omitempty"` // permutation p of overdispersed counts, within any blocks
	Exact      bool     `json:"exact,omitempty"`      // all arrangements were enumerated
	// Least says that PPermuted is the smallest possible with so few invocations.
	Least bool `json:"p_permuted_minimal,omitempty"`
}

// CompareRates compares the rate of arm a with that of b; if paired, the i-th run of a belongs to
// the i-th of b. The tests are
//   - the exact conditional one (Przyborowski and Wilenski 1940);
//   - quasi-Poisson's F with the dispersion at least 1 (McCullagh and Nelder 1989, 6.2.3), because
//     a few runs can miss overdispersion;
//   - if overdispersion is significant, the permutation of runs between the arms, within pairs if
//     paired (Fisher 1935; Pitman 1937).
//
// A difference is shown if all of them reject, and RatioInterval contains every ratio that any of
// them does not exclude. Arms without events have no ratio, but are no error.
func CompareRates(a, b EventRuns, paired bool) (RateComparison, error) {
	for _, r := range []EventRuns{a, b} {
		if len(r.Events) != len(r.Exposure) {
			err := fmt.Errorf("%w: %d counts, %d exposures", ErrUnpaired, len(r.Events), len(r.Exposure))
			return RateComparison{}, err
		}
	}
	if paired && len(a.Events) != len(b.Events) {
		return RateComparison{}, fmt.Errorf("%w: %d runs and %d", ErrUnpaired, len(a.Events), len(b.Events))
	}
	arms, err := newBinaryRates(a, b)
	if err != nil {
		return RateComparison{}, err
	}
	c := RateComparison{Ratio: arms.ratio(), Difference: arms.difference(), arms: arms}
	if len(a.Events)+len(b.Events) <= 2 {
		return c, nil
	}
	c.RunDifference = stat.Mean(a.Rates(), nil) - stat.Mean(b.Rates(), nil)
	t := new(RateScatter)
	if t.Chi2, t.DF, t.P, err = Dispersion(a, b); err != nil {
		return c, fmt.Errorf("checking the scatter of the counts: %w", err)
	}
	t.Dispersion = max(1, t.Chi2/t.DF)
	t.F = arms.deviance(1) / t.Dispersion
	t.PQuasi = fTail(t.F, 1, t.DF)
	if c.Scatter = t; !c.Scattered() {
		return c, nil
	}
	if paired {
		c.orders = arrangePairs(a, b)
	} else {
		c.orders = arrangeRuns(a, b)
	}
	p := c.orders.p(1)
	t.PPermuted, t.Exact, t.Least = &p, c.orders.exact, p <= c.orders.least()
	return c, nil
}

// Scattered reports whether the runs are significantly overdispersed.
func (c RateComparison) Scattered() bool { return c.Scatter != nil && c.Scatter.P < ScatterAlpha }

// ExactP is the p of the conditional test of equal rates: twice the smaller tail, so that it agrees
// with Clopper and Pearson's interval, or the tail of a one-sided alternative. It is valid for
// Poisson counts.
func (c RateComparison) ExactP(alt Alternative) float64 { return c.arms.exact(alt) }

// Opposite reports whether Difference and RunDifference have opposite signs, because the exposures
// of the runs differ. Then no difference is shown: it would depend on the choice between the two.
func (c RateComparison) Opposite() bool {
	return c.Difference < 0 && c.RunDifference > 0 || c.Difference > 0 && c.RunDifference < 0
}

// RatioInterval returns the interval of the ratio that belongs to the tests: the smallest one that
// contains Clopper and Pearson's, quasi-Poisson's (the ratios whose deviance divided by the
// dispersion is at most F's quantile), and for overdispersed runs, the ratios that the permutation
// test does not reject. With too few runs for a p below 1 - level, the smallest possible p
// suffices: every pair has to point the same way. Errors: ErrTooFew for one run per arm,
// ErrOpposite if the interval would show a difference although Opposite.
func (c RateComparison) RatioInterval(level float64) (Interval, error) {
	switch err := checkLevel(level); {
	case err != nil:
		return Interval{}, err
	case c.Scatter == nil:
		return Interval{}, fmt.Errorf("%w: one run an arm says nothing of how runs vary", ErrTooFew)
	}
	i := hull(c.arms.clopperPearson(level), c.arms.quasi(c.Scatter.Dispersion, c.Scatter.DF, level))
	if c.orders != nil {
		i = hull(i, c.orders.interval(level))
	}
	if c.Opposite() && (i.Low > 1 || i.High < 1) {
		return Interval{}, ErrOpposite
	}
	return i, nil
}

// hull returns the smallest interval that contains both; they have the same level.
func hull(i, j Interval) Interval {
	return Interval{Low: min(i.Low, j.Low), High: max(i.High, j.High), Level: i.Level}
}

// DifferenceInterval returns the interval of the difference, in events per unit of exposure. It is
// derived from those of the ratio and of the total number of events, which are independent, and
// contains 0 exactly if RatioInterval contains 1. It returns the errors of RatioInterval.
func (c RateComparison) DifferenceInterval(level float64) (Interval, error) {
	ratio, err := c.RatioInterval(level)
	if err != nil {
		return Interval{}, err
	}
	events, err := ScatteredRateInterval(int64(c.arms.ka+c.arms.kb), 1, c.Scatter.Dispersion, c.Scatter.DF, level)
	if err != nil {
		return Interval{}, err
	}
	i := c.arms.differenceInterval(ratio, events)
	return i, finite(i.Low, i.High)
}

// Alpha returns the two-sided alpha of a Poisson test that is as strict as quasi-Poisson's at
// alpha: the one whose normal quantile equals t's.
func (c RateComparison) Alpha(alpha float64) float64 {
	if c.Scatter == nil {
		return alpha
	}
	return 2 * normalTail(TQuantile(alpha/2, c.Scatter.DF))
}
