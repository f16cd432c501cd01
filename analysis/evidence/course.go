package evidence

import (
	"math"
	"slices"

	"moobench/analysis/stats"
	"moobench/results"
	"moobench/results/summary"
)

// Course is one invocation over time.
type Course struct {
	StepNS float64 `json:"step_ns"` // length of a step
	// Rows are the steps, at most 1,000.
	Rows []TimelineRow `json:"rows"`
	// Toggles are the changes of instrumentation.
	Toggles []Toggle `json:"toggles,omitempty"`
}

// TimelineRow is a step of the load. Its quantiles are 0 if it has no answers.
type TimelineRow struct {
	SinceNS  float64 `json:"since_ns"` // from the start of the load to the start of the step
	Requests float64 `json:"requests"` // requests scheduled in it
	Lost     float64 `json:"lost"`     // how many of them were lost
	// P50NS, P99NS and MaxNS are quantiles of the latency of the other requests.
	P50NS float64 `json:"p50_ns"`
	P99NS float64 `json:"p99_ns"`
	MaxNS float64 `json:"max_ns"`
}

// Toggle is a change of instrumentation.
type Toggle struct {
	SinceNS float64 `json:"since_ns"` // from the start of the load to the request for it
	TookNS  float64 `json:"took_ns"`  // from the request until it was in effect
	On      bool    `json:"on"`       // whether the probe was active afterwards
}

// courseOf reads the series timeline and toggle; nil without a timeline that is kept row by row.
func courseOf(sum *summary.Summary) *Course {
	t := rowsOf(sum, results.SeriesTimeline, "since", "requests", "lost", "p50", "p99", "max")
	if len(t) < 2 || !(t[1][0] > t[0][0]) {
		return nil
	}
	toggles := rowsOf(sum, results.SeriesToggle, "since", "took", "on")
	row := func(x []float64) TimelineRow { return TimelineRow{x[0], x[1], x[2], x[3], x[4], x[5]} }
	return &Course{
		StepNS:  t[1][0] - t[0][0],
		Rows:    results.Each(t, row),
		Toggles: results.Each(toggles, func(x []float64) Toggle { return Toggle{x[0], x[1], x[2] != 0} }),
	}
}

// rowsOf returns the rows of a series short enough that each is a batch of its own; nil for longer
// ones.
func rowsOf(sum *summary.Summary, series string, columns ...string) [][]float64 {
	var rows [][]float64
	for i, name := range columns {
		found := sum.Find(series, name)
		if len(found) != 1 || found[0].Count > summary.MaxBatches || i > 0 && len(found[0].Sum) != len(rows) {
			return nil
		}
		for k, x := range found[0].Sum {
			if !stats.Finite(x) {
				return nil
			}
			if i == 0 {
				rows = append(rows, make([]float64, len(columns)))
			}
			rows[k][i] = x
		}
	}
	return rows
}

// ratedOf reads the windows of calls at fixed rates.
func ratedOf(sum *summary.Summary) []results.Rated {
	names := results.Each(results.RatedColumns(), func(c results.Column) string { return c.Name })
	rows := rowsOf(sum, results.SeriesRated, names...)
	whole := func(row []float64) bool { return row[0] > 0 && row[1] > 0 && row[2] > 0 } // else division by 0
	return results.Each(slices.DeleteFunc(rows, func(row []float64) bool { return !whole(row) }), results.RatedOf)
}

// leastAfterNS is the least length of the time just after a toggle.
const leastAfterNS = 100e6

// AfterNS returns the length of the time just after a toggle: at least two steps.
func (c *Course) AfterNS() float64 { return max(leastAfterNS, 2*c.StepNS) }

// Effect returns the excess latency just after a toggle over the rest of the time to the next one,
// as the median over toggles; NaN if the steps are too coarse, or too little time is left before
// the next toggle.
func (c *Course) Effect(latency func(TimelineRow) float64) float64 {
	var ds []float64
	for i, t := range c.Toggles[:max(0, len(c.Toggles)-1)] {
		end, split := c.Toggles[i+1].SinceNS, t.SinceNS+c.AfterNS()
		rest := c.between(split, end, latency)
		x, errX := stats.Median(c.between(t.SinceNS, split, latency)) // error: no step
		y, errY := stats.Median(rest)
		if end-t.SinceNS >= 2*c.AfterNS() && len(rest) > 1 && errX == nil && errY == nil {
			ds = append(ds, x-y)
		}
	}
	m, err := stats.Median(ds)
	if err != nil {
		return math.NaN()
	}
	return m
}

// between returns the latencies of the steps with answers that lie entirely in [from, to].
func (c *Course) between(from, to float64, latency func(TimelineRow) float64) []float64 {
	var xs []float64
	for _, row := range c.Rows {
		if row.SinceNS >= from && row.SinceNS+c.StepNS <= to && latency(row) > 0 {
			xs = append(xs, latency(row))
		}
	}
	return xs
}
