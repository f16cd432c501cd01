// Package derive makes those figures of one invocation that take a rule, such as
// when a method is back at its speed, from the samples that were kept. They are
// made whenever a campaign is analysed: a better rule holds for old campaigns too.
package derive

import (
	"math"
	"slices"

	"github.com/montanaflynn/stats"

	"moobench/results"
)

// Samples are values of an invocation, by series and column.
type Samples map[string]map[string][]int64

// Figures are derived values by the names of their metrics, in ns, or 1 where they are
// ratios. A value is NaN where the samples should tell it and don't, such as the
// recovery of a method that did not recover.
type Figures struct {
	Values   map[string]float64
	Warnings []string
}

// Reads reports whether figures may be derived from a series.
func Reads(series string) bool {
	return slices.Contains([]string{
		results.SeriesFirst, results.SeriesTurnaround, results.SeriesBefore, results.SeriesDuring, results.SeriesAfter, results.SeriesSeconds,
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

// expect sets figures to NaN, which the samples should tell, until they are known.
func (f *Figures) expect(names ...string) {
	for _, name := range names {
		f.Values[name] = math.NaN()
	}
}

// settled derives when the p99 of a load had come to its level.
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

// mean is the arithmetic mean; 0 of nothing.
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

// middle is the median of values that may be infinite; infinite when there is
// none.
func middle(values []float64) float64 {
	m, err := stats.Median(values)
	if err != nil {
		return math.Inf(1)
	}
	return m
}
