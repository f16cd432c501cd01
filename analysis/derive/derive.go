// Package derive computes the figures of an invocation that need a rule, such as when a method is
// back at its speed, from the kept samples. They are computed at each analysis, so a better rule
// applies to old campaigns too.
package derive

import (
	"math"
	"slices"

	"github.com/montanaflynn/stats"

	"moobench/results"
)

// Samples are the values of an invocation, by series and column.
type Samples map[string]map[string][]int64

// Figures holds derived values by metric name, in ns, or 1 for ratios. A value is NaN if the
// samples should yield it but don't, such as the recovery of a method that did not recover.
type Figures struct {
	Values   map[string]float64
	Warnings []string
}

// Reads reports whether figures may be derived from a series.
func Reads(series string) bool {
	return slices.Contains([]string{
		results.SeriesFirst, results.SeriesTurnaround,
		results.SeriesBefore, results.SeriesDuring, results.SeriesAfter, results.SeriesSeconds,
		results.SeriesRound, results.SeriesExecution, results.SeriesSlow,
	}, series)
}

// Of derives all figures that the samples allow.
func Of(s Samples) Figures {
	f := Figures{Values: map[string]float64{}}
	f.changes(s)
	f.hot(s)
	f.settled(s[results.SeriesSeconds])
	f.executions(s)
	return f
}

// expect sets figures that the samples should yield to NaN, until they are computed.
func (f *Figures) expect(names ...string) {
	for _, name := range names {
		f.Values[name] = math.NaN()
	}
}

// settled derives the time until the p99 of a load reached its steady level.
func (f *Figures) settled(columns map[string][]int64) {
	since, p99, held := columns["since"], columns["p99"], columns["held"]
	if len(since) == 0 || len(p99) != len(since) || len(held) != len(since) {
		return
	}
	f.expect(results.DerivedSettled)
	if ns, ok := settledNS(since, p99, held); ok {
		f.Values[results.DerivedSettled] = float64(ns)
	}
}

// mean is the arithmetic mean; 0 for an empty slice.
func mean(ns []int64) float64 {
	if len(ns) == 0 {
		return 0
	}
	m, _ := stats.Mean(stats.LoadRawData(ns))
	return m
}

// deviation is the sample standard deviation; NaN with fewer than two values.
func deviation(ns []int64) float64 {
	sd, _ := stats.StandardDeviationSample(stats.LoadRawData(ns))
	return sd
}

// middle is the median of values that may be infinite; infinite for an empty slice.
func middle(values []float64) float64 {
	m, err := stats.Median(values)
	if err != nil {
		return math.Inf(1)
	}
	return m
}
