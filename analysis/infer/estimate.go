package infer

import (
	"errors"
	"math"

	"moobench/analysis/stats"
)

// Estimate is an estimated quantity.
type Estimate struct {
	N     int     `json:"n"`     // invocations, or pairs; for two independent samples the smaller number
	Value float64 `json:"value"` // the estimate
	// SD is the standard deviation between invocations, or of the pairs' differences; for a ratio,
	// of the logarithms.
	SD *float64 `json:"sd,omitempty"`
	// SE is the standard error; for a ratio, of its logarithm. It is absent for one value, medians,
	// and ranks. It is not always sd/√n: not for two samples, nor for sizes that a pilot
	// determined.
	SE *float64 `json:"se,omitempty"`
	DF *float64 `json:"df,omitempty"` // degrees of freedom of SE
	// Interval is the confidence interval.
	Interval *Interval `json:"interval,omitempty"`
	// Test is the test of no difference; absent for means, and if the values do not vary.
	Test *Test `json:"test,omitempty"`
	// Detectable is the smallest true value (of a difference; of a ratio the smallest excess over
	// 1) that such a design detects with 80 % power, at the interval's level.
	Detectable *float64 `json:"detectable,omitempty"`
	NoInterval string   `json:"no_interval,omitempty"` // why it is absent
}

// Interval is a confidence interval.
type Interval = stats.Interval

// Over divides the estimate by an exact number; nil for nil.
func (e *Estimate) Over(n float64) *Estimate {
	if e == nil {
		return nil
	}
	part := *e
	part.Value /= n
	for _, v := range []**float64{&part.SD, &part.SE, &part.Detectable} {
		if *v != nil {
			*v = new(**v / n)
		}
	}
	if i := e.Interval; i != nil {
		part.Interval = &Interval{Low: i.Low / n, High: i.High / n, Level: i.Level}
	}
	return &part
}

// Test is a test of no difference.
type Test struct {
	T           float64 `json:"t"`                     // statistic; of rank tests, their own
	DF          float64 `json:"df,omitempty"`          // degrees of freedom; absent for rank tests
	P           float64 `json:"p"`                     // two-sided unless Alternative says otherwise
	Kind        string  `json:"kind,omitempty"`        // name of the test; absent: a t test
	Alternative string  `json:"alternative,omitempty"` // less, greater; absent: two-sided
}

// Reasons for a missing interval or estimate.
const (
	oneInvocation = "only one invocation: an interval needs two"
	oneOfThem     = "only one invocation of it or of its baseline: an interval needs two of each"
	OnePair       = "only one complete pair: an interval needs two"
	Opposite      = "the pooled rates and the rates of the invocations differ in opposite directions, because exposures differ"
	tooFewRanks   = "too few invocations for an interval at this level"
	noVariation   = "the values do not vary: so few equal values give no interval"
	NoValue       = "no invocation observed it"
	tooFew        = "too few invocations"
	notPositive   = "a value is 0 or below, so there is no ratio"
	overflow      = "the values overflow"
	zeroBelow     = "the divisor is 0 on average, so there is no ratio"
)

// Reason says why a statistic could not be computed.
func Reason(err error) string {
	switch {
	case errors.Is(err, stats.ErrTooFew):
		return tooFew
	case errors.Is(err, stats.ErrNotPositive):
		return notPositive
	case errors.Is(err, stats.ErrZeroBelow):
		return zeroBelow
	case errors.Is(err, stats.ErrNotFinite):
		return overflow
	}
	return err.Error()
}

// Mean estimates the mean of invocations with its t interval at a level; nil with the reason if
// that fails. A single invocation has a value but no interval.
func Mean(xs []float64, level float64) (*Estimate, string) {
	return MeanOf(Sample{Values: xs}, level, false)
}

// MeanOf is Mean for values that may depend on elasticities, and be in order of time.
func MeanOf(sample Sample, level float64, ordered bool) (*Estimate, string) {
	if len(sample.Values) == 0 {
		return nil, NoValue
	}
	s, why := sample.Scale(ordered)
	if why != "" {
		return nil, why
	}
	e, why := s.Estimate(level)
	if e == nil {
		return nil, why
	}
	if e.Test = nil; e.NoInterval == OnePair { // nobody asks whether a mean is 0
		e.NoInterval = oneInvocation
	}
	return e, ""
}

// Median estimates the population median, with an order-statistic interval of at least the level,
// free of distributional assumptions (David and Nagaraja 2003, 7.1). 95 % needs six values.
func Median(xs []float64, level float64) (*Estimate, string) {
	s, err := stats.MedianInterval(xs, level)
	switch {
	case errors.Is(err, stats.ErrTooFew) && len(xs) > 0:
		return &Estimate{N: len(xs), Value: s.Value, NoInterval: tooFewRanks}, ""
	case err != nil:
		return nil, Reason(err)
	}
	return ranked(s)
}

// MedianOf is Median for values that may depend on elasticities.
func MedianOf(sample Sample, level float64) (*Estimate, string) {
	e, why := Median(sample.Values, level)
	if e == nil || e.Interval == nil {
		return e, why
	}
	if s, _ := sample.Scale(false); s.Spread() && s.Carry > 0 {
		i := *e.Interval
		e.Interval = new(s.around(i, e.Value, 1))
	}
	return e, ""
}

// around widens an interval about a value by a factor, and then by the uncertainty of the
// elasticities, as for the mean of the same values.
func (s Scale) around(i Interval, value, times float64) Interval {
	carry := stats.TQuantile((1-i.Level)/2, s.DF) * s.Carry
	i.Low = value - math.Hypot(times*(value-i.Low), carry)
	i.High = value + math.Hypot(times*(i.High-value), carry)
	return i
}

// ranked converts an estimate by ranks: it has an interval, but no standard error.
func ranked(s stats.Estimate) (*Estimate, string) {
	e := &Estimate{N: s.N, Value: s.Value, SD: &s.SD}
	switch {
	case !stats.Finite(s.Value, s.SD):
		return nil, overflow
	case s.Interval.Level == 1: // (-inf, inf): no other interval reaches the level
		e.NoInterval = tooFewRanks
	case !stats.Finite(s.Interval.Low, s.Interval.High):
		return nil, overflow
	default:
		e.Interval = &s.Interval
	}
	return e, ""
}
