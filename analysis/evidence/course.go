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

// Levels are a subject's counters at regular times of its window, read from one side.
type Levels struct {
	Series  string      // results.SeriesJVM or SeriesProcess
	columns []string    // the first is since
	rows    [][]float64 // at most 1,000
}

// levelsOf reads the series of levels.
func levelsOf(inv *results.Invocation, sum *summary.Summary) (all []Levels) {
	for _, s := range inv.Series {
		if s.Name != results.SeriesJVM && s.Name != results.SeriesProcess {
			continue
		}
		names := results.Each(s.Columns, func(c results.Column) string { return c.Name })
		if rows := rowsOf(sum, s.Name, names...); len(rows) > 0 && names[0] == "since" {
			all = append(all, Levels{s.Name, names, rows})
		}
	}
	return all
}

// EndNS returns the time of the last row, in ns from the first.
func (l *Levels) EndNS() float64 { return l.rows[len(l.rows)-1][0] }

// Of returns the levels of a column, in its unit, and when they were read, in ns from the first row; nil if the column
// does not exist. Rows in which the level is not known (below 0) are left out, and with the name of a counter those
// before which it has not risen: the level is as old as they are.
func (l *Levels) Of(column, counter string) (sinceNS, levels []float64) {
	at, rises := slices.Index(l.columns, column), slices.Index(l.columns, counter)
	if at < 0 || counter != "" && rises < 0 {
		return nil, nil
	}
	for i, row := range l.rows {
		old := counter != "" && (i == 0 || row[rises] <= l.rows[i-1][rises])
		if !old && row[at] >= 0 {
			sinceNS, levels = append(sinceNS, row[0]), append(levels, row[at])
		}
	}
	return sinceNS, levels
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
