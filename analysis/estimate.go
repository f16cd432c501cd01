package analysis

import (
	"errors"

	"moobench/analysis/stats"
)

const (
	// confidence of all intervals; verdicts share 1 - confidence among those
	// of one family.
	confidence = 0.95
	// aaConfidence is that of the A/A: two one-sided tests at 5 %.
	aaConfidence = 0.90
	// aaAlpha is the level at which an A/A fails.
	aaAlpha = 0.01
	// aaPairs are needed to say what an A/A resolves: the spread of fewer is
	// itself unknown by a factor of four.
	aaPairs = 5
)

// estimated turns a statistic into an Estimate, or says why there is none.
func estimated(s stats.Estimate, err error) (*Estimate, string) {
	if err != nil {
		return nil, reason(err)
	}
	e := &Estimate{N: s.N, Value: s.Value, SD: &s.SD}
	switch {
	case s.Interval.Level == 1 && finiteAll(s.Value, s.SD) == nil: // of ranks: only everything is so sure
		e.NoInterval = "too few invocations for an interval at this level"
	case finiteAll(s.Value, s.SD, s.Interval.Low, s.Interval.High) != nil:
		return nil, reason(stats.ErrNotFinite)
	default:
		e.Interval = &Interval{s.Interval.Low, s.Interval.High, s.Interval.Level}
	}
	if s.Test != nil {
		e.Test = &Test{T: s.Test.T, DF: s.Test.DF, P: s.Test.P}
	}
	return e, ""
}

func reason(err error) string {
	switch {
	case errors.Is(err, stats.ErrTooFew):
		return "too few invocations"
	case errors.Is(err, stats.ErrNotPositive):
		return "a value is 0 or below, so there is no ratio"
	case errors.Is(err, stats.ErrNotFinite):
		return "the values overflow"
	}
	return err.Error()
}

// meanOf estimates a mean; one invocation has a value and no interval.
func meanOf(xs []float64) (*Estimate, string) {
	switch len(xs) {
	case 0:
		return nil, "no invocation observed it"
	case 1:
		return &Estimate{N: 1, Value: xs[0], NoInterval: "one invocation: how much others would differ is not known"}, ""
	}
	return estimated(stats.MeanInterval(xs, confidence))
}
