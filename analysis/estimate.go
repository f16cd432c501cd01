package analysis

import (
	"errors"
	"fmt"

	"moobench/analysis/stats"
	"moobench/results"
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
	e.Interval = &Interval{s.Interval.Low, s.Interval.High, s.Interval.Level}
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

// paired estimates difference and ratio of pairs.
func paired(x, y []float64, level float64) (difference, ratio *Estimate, noDifference, noRatio string) {
	switch len(x) {
	case 0:
		why := "no block holds both it and its baseline"
		return nil, nil, why, why
	case 1:
		const why = "one pair: how much others would differ is not known"
		difference = &Estimate{N: 1, Value: x[0] - y[0], NoInterval: why}
		if x[0] > 0 && y[0] > 0 {
			return difference, &Estimate{N: 1, Value: x[0] / y[0], NoInterval: why}, "", ""
		}
		return difference, nil, "", reason(stats.ErrNotPositive)
	}
	difference, noDifference = estimated(stats.PairedDifference(x, y, level))
	ratio, noRatio = estimated(stats.PairedLogRatio(x, y, level))
	return difference, ratio, noDifference, noRatio
}

// unpaired estimates the difference of campaigns without blocks.
func unpaired(x, y []float64, level float64) (*Estimate, string) {
	if len(x) < 2 || len(y) < 2 {
		if len(x) == 0 || len(y) == 0 {
			return nil, "it or its baseline has no value"
		}
		return nil, "one invocation of it or of its baseline: how much others would differ is not known"
	}
	return estimated(stats.WelchDifference(x, y, level))
}

// quantilesOf estimates the median over invocations of each quantile.
func quantilesOf(es []evidence, m results.Metric) ([]Quantile, string) {
	if m.Series == "" {
		return nil, ""
	}
	var found []Quantile
	for i, q := range quantiles {
		var xs []float64
		for _, e := range es {
			if e.batched[m.Name] {
				return nil, "a sample covers several calls, so quantiles of calls were not observed"
			}
			if qs := e.quantiles[m.Name]; len(qs) > i && qs[i] == qs[i] {
				xs = append(xs, qs[i])
			}
		}
		if len(xs) == 0 {
			continue
		}
		found = append(found, Quantile{Name: q.name, P: q.p, Estimate: median(xs)})
	}
	return found, ""
}

func median(xs []float64) Estimate {
	s, err := stats.MedianInterval(xs, confidence)
	if err == nil {
		e, _ := estimated(s, nil)
		return *e
	}
	return Estimate{N: len(xs), Value: s.Value, NoInterval: fmt.Sprintf("%d invocations: an interval of the median needs six", len(xs))}
}
