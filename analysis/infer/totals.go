package infer

import (
	"cmp"
	"math"

	"moobench/analysis/stats"
)

// NoDivisor is the reason if a ratio of totals has no interval: its divisor may be 0.
const NoDivisor = "its divisor can't be told from 0"

// RatioOfTotals estimates Σx/Σy over invocations with Fieller's set; nil with the reason if that
// fails. Only x may have sensitivities. If the residuals x - (Σx/Σy) y are autocorrelated, all
// variances are inflated accordingly. Source: Fieller 1954.
func RatioOfTotals(x Sample, y []float64, ordered bool, level float64) (*Estimate, string) {
	mx, errX := stats.Mean(x.Values)
	my, errY := stats.Mean(y)
	ratio := mx / my
	switch {
	case errX != nil || errY != nil:
		return nil, NoValue
	case !(my > 0):
		return nil, NoDivisor
	case !stats.Finite(ratio):
		return nil, overflow
	}
	residuals := make([]float64, len(y))
	for i := range y {
		residuals[i] = x.Values[i] - ratio*y[i]
	}
	s, why := Sample{Values: residuals, Sensitivities: x.Sensitivities}.Scale(ordered)
	if why != "" {
		return nil, why
	}
	s.Size = math.Abs(mx)
	e, why := Scale{N: s.N, Value: ratio, SE: s.SE / my, DF: s.DF, SD: s.SD / my, Size: math.Abs(ratio)}.Estimate(level)
	if e == nil || e.Interval == nil || s.Still() {
		return e, why
	}
	e.Test = nil
	plain, err := stats.SampleOf(residuals)
	times := s.apart() / (plain.SD * plain.SD / float64(plain.N)) // for autocorrelation, and for fitted elasticities
	f, errSet := stats.FiellerWider(x.Values, y, stats.Wider{Times: times, Beside: s.Carry * s.Carry, DF: s.DF}, level)
	switch err := cmp.Or(err, errSet); {
	case err != nil:
		e.Interval, e.NoInterval = nil, Reason(err)
	case !f.Bounded:
		e.Interval, e.NoInterval = nil, NoDivisor
	default:
		e.Interval = &f.Interval
	}
	return e, ""
}
