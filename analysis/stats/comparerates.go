package stats

import (
	"fmt"
	"math"
)

// ScatterAlpha is the p of the dispersion below which Poisson's law is not
// believed. It is high, because a test that misses scatter makes all after it
// too sure.
const ScatterAlpha = 0.1

// EventRuns are the events of runs, and the exposure (calls, requests, seconds) that
// each was seen in.
type EventRuns struct {
	Events   []int64
	Exposure []float64
}

// Total is the sum over the runs.
func (r EventRuns) Total() (events int64, exposure float64) {
	for i, k := range r.Events {
		events, exposure = events+k, exposure+r.Exposure[i]
	}
	return events, exposure
}

// Rates are events by exposure, of each run.
func (r EventRuns) Rates() []float64 {
	rates := make([]float64, len(r.Events))
	for i, k := range r.Events {
		rates[i] = float64(k) / r.Exposure[i]
	}
	return rates
}

// RateComparison compares the rates of two arms of runs.
type RateComparison struct {
	// Poisson is the exact test, which holds when runs vary as Poisson's law has
	// it.
	Poisson RateTest
	// Scatter says whether they do; nil when each arm has a single run.
	Scatter *Scatter
	a, b    int64 // events
	level   float64
}

// Scatter is the test of dispersion within the arms; when it finds TooMuch,
// Quasi and Permuted are the tests that hold.
type Scatter struct {
	Chi2, DF, P float64
	TooMuch     bool
	Quasi       QuasiPoissonTest
	// Permuted is the p of PermuteBlocks for pairs, of PermuteSplits for others;
	// Exact that no arrangement was left out.
	Permuted float64
	Exact    bool
}

// CompareRates compares the rate of arm a with that of b by RateRatio, and lets
// QuasiPoisson and the permutation of the runs decide where Dispersion has p
// below 0.1. Paired runs, i of a with i of b, are permuted within their pair.
// The tests that then decide are two-sided. ErrTooFew when nothing was counted in
// either arm.
func CompareRates(a, b EventRuns, paired bool, alt Alternative, level float64) (RateComparison, error) {
	for _, r := range []EventRuns{a, b} {
		if len(r.Events) != len(r.Exposure) {
			return RateComparison{}, fmt.Errorf("%w: %d counts, %d exposures", ErrUnpaired, len(r.Events), len(r.Exposure))
		}
	}
	ka, sa := a.Total()
	kb, sb := b.Total()
	c := RateComparison{a: ka, b: kb, level: level}
	var err error
	if c.Poisson, err = RateRatio(ka, sa, kb, sb, alt, level); err != nil || len(a.Events)+len(b.Events) <= 2 {
		return c, err
	}
	c.Scatter, err = scatterOf(a, b, paired)
	return c, err
}

func scatterOf(a, b EventRuns, paired bool) (*Scatter, error) {
	k := append(append([]int64(nil), a.Events...), b.Events...)
	s := append(append([]float64(nil), a.Exposure...), b.Exposure...)
	arm := make([]int, len(k))
	for i := range b.Events {
		arm[len(a.Events)+i] = 1
	}
	f := new(Scatter)
	var err error
	if f.Chi2, f.DF, f.P, err = Dispersion(k, s, arm); err != nil {
		return nil, fmt.Errorf("checking the scatter of the counts: %w", err)
	}
	if f.TooMuch = f.P < ScatterAlpha; !f.TooMuch {
		return f, nil
	}
	if f.Quasi, err = QuasiPoisson(k, s, arm); err != nil {
		return nil, fmt.Errorf("fitting quasi-Poisson: %w", err)
	}
	permute := PermuteSplits
	if paired {
		permute = PermuteBlocks
	}
	if f.Permuted, f.Exact, err = permute(a.Rates(), b.Rates()); err != nil {
		return nil, fmt.Errorf("permuting the runs: %w", err)
	}
	return f, nil
}

// Scattered says whether Poisson's law does not hold.
func (c RateComparison) Scattered() bool { return c.Scatter != nil && c.Scatter.TooMuch }

// LogSE is the standard error of the logarithm of the ratio and its degrees of
// freedom, infinite where Poisson's law holds; it is infinite itself when an arm
// has no event.
func (c RateComparison) LogSE() (se, df float64) {
	se = math.Sqrt(1/float64(c.a) + 1/float64(c.b))
	if !c.Scattered() {
		return se, math.Inf(1)
	}
	return se * math.Sqrt(c.Scatter.Quasi.Dispersion), c.Scatter.Quasi.DF2
}

// Interval is that of the ratio: Clopper and Pearson's, and under scatter that of
// the log ratio with the dispersion seen; bounded is false when there is none,
// because an arm has no event.
func (c RateComparison) Interval() (i Interval, bounded bool) {
	if !c.Scattered() {
		return c.Poisson.Interval, true
	}
	se, df := c.LogSE()
	if math.IsInf(se, 0) {
		return Interval{0, math.Inf(1), c.level}, false
	}
	e := Studentised(math.Log(c.Poisson.Ratio), se, df, TwoSided, c.level)
	return Interval{math.Exp(e.Interval.Low), math.Exp(e.Interval.High), c.level}, true
}

// Differ says whether the tests that decide show a difference, at 1 - level: the
// exact interval holds no 1, or, under scatter, quasi-Poisson and the
// permutation both are significant.
func (c RateComparison) Differ() bool {
	if !c.Scattered() {
		i := c.Poisson.Interval
		return i.Low > 1 || i.High < 1
	}
	return c.Scatter.Quasi.P < 1-c.level && c.Scatter.Permuted < 1-c.level
}
