package infer

import (
	"errors"

	"moobench/analysis/stats"
)

// Estimate is an estimated quantity. N counts invocations, or pairs of them; of
// two independent samples it is the smaller size.
type Estimate struct {
	N     int      `json:"n"`
	Value float64  `json:"value"`
	SD    *float64 `json:"sd,omitempty"` // between invocations, or of what the pairs differ by
	// SE is the standard error and DF its degrees of freedom; of a ratio those of
	// its logarithm. Both are absent of one value, of medians, and of ranks. SE is
	// not always SD/sqrt(N): two samples, and sizes that a pilot decided.
	SE       *float64  `json:"se,omitempty"`
	DF       *float64  `json:"df,omitempty"`
	Interval *Interval `json:"interval,omitempty"`
	Test     *Test     `json:"test,omitempty"`
	// Detectable is the smallest true value (of a difference; of a ratio the
	// smallest excess over 1) that such a design finds with 80 % power, at the
	// interval's level.
	Detectable *float64 `json:"detectable,omitempty"`
	// NoInterval says why there is none.
	NoInterval string `json:"no_interval,omitempty"`
}

// Interval is a confidence interval. Level is its own: where it is simultaneous
// with others it is higher than 0.95.
type Interval struct {
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Level float64 `json:"level"`
}

// Half is the half-width.
func (i Interval) Half() float64 { return (i.High - i.Low) / 2 }

// Test is a test of no difference, two-sided unless Alternative says less or
// greater. It is a t test unless Kind names another; rank tests have their
// statistic in T and no DF.
type Test struct {
	T           float64 `json:"t"`
	DF          float64 `json:"df,omitempty"`
	P           float64 `json:"p"`
	Kind        string  `json:"kind,omitempty"`
	Alternative string  `json:"alternative,omitempty"`
}

// Reasons why there is no interval, or no estimate.
const (
	OneInvocation = "one invocation: how much others would differ is not known"
	OnePair       = "one pair: how much others would differ is not known"
	Opposite      = "the rates of all, and the rates of the invocations, differ in opposite directions, because the two were exposed unlike"
	TooFewRanks   = "too few invocations for an interval at this level"
	NoVariation   = "the values do not vary: an interval of so few that are all alike is not known"
	NoValue       = "no invocation observed it"
	tooFew        = "too few invocations"
	notPositive   = "a value is 0 or below, so there is no ratio"
	overflow      = "the values overflow"
)

// Reason is why a statistic could not be had.
func Reason(err error) string {
	switch {
	case errors.Is(err, stats.ErrTooFew):
		return tooFew
	case errors.Is(err, stats.ErrNotPositive):
		return notPositive
	case errors.Is(err, stats.ErrNotFinite):
		return overflow
	}
	return err.Error()
}

// Mean estimates the mean of invocations with its t interval at a level; nil with
// the reason where there is none. One invocation has a value and no interval.
func Mean(xs []float64, level float64) (*Estimate, string) {
	if len(xs) == 0 {
		return nil, NoValue
	}
	s, why := ScaleOf(xs)
	if why != "" {
		return nil, why
	}
	e, why := s.Estimate(level)
	if e == nil {
		return nil, why
	}
	if e.Test = nil; e.NoInterval == OnePair { // that a mean is 0 is nobody's question
		e.NoInterval = OneInvocation
	}
	return e, ""
}

// Median estimates the median of the population that values come from, with an
// order-statistic interval of at least the level, which supposes nothing of their
// distribution (David and Nagaraja 2003, 7.1). 95 % needs six values.
func Median(xs []float64, level float64) (*Estimate, string) {
	s, err := stats.MedianInterval(xs, level)
	switch {
	case errors.Is(err, stats.ErrTooFew) && len(xs) > 0:
		return &Estimate{N: len(xs), Value: s.Value, NoInterval: TooFewRanks}, ""
	case err != nil:
		return nil, Reason(err)
	}
	return ranked(s)
}

// ranked is an estimate by ranks: it has an interval, and no standard error.
func ranked(s stats.Estimate) (*Estimate, string) {
	e := &Estimate{N: s.N, Value: s.Value, SD: &s.SD}
	switch {
	case !stats.Finite(s.Value, s.SD):
		return nil, overflow
	case s.Interval.Level == 1: // (-inf, inf): no other interval reaches the level
		e.NoInterval = TooFewRanks
	case !stats.Finite(s.Interval.Low, s.Interval.High):
		return nil, overflow
	default:
		e.Interval = &Interval{s.Interval.Low, s.Interval.High, s.Interval.Level}
	}
	return e, ""
}
