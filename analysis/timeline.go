package analysis

import (
	"cmp"
	"math"
	"slices"

	"moobench/analysis/stats"
	"moobench/results"
	"moobench/results/summary"
)

// Timeline shows the load of one invocation over time: of its cell's, the one
// with the median latency.
type Timeline struct {
	Cell       string  `json:"cell"`       // ID
	Invocation string  `json:"invocation"` // b0003.s07.r0
	StepNS     float64 `json:"step_ns"`    // length of a step
	// Rows are one for each step, at most 1,000.
	Rows []TimelineRow `json:"rows"`
	// Toggles are the changes of what is monitored.
	Toggles []Toggle `json:"toggles,omitempty"`
}

// TimelineRow is a step of the load. Without an answer in it, its quantiles are 0.
type TimelineRow struct {
	SinceNS  float64 `json:"since_ns"` // from the load's begin to the step's
	Requests float64 `json:"requests"` // requests that were to be sent in it
	Lost     float64 `json:"lost"`     // how many of these were lost
	// P50NS, P99NS and MaxNS are quantiles of the latency of the others.
	P50NS float64 `json:"p50_ns"`
	P99NS float64 `json:"p99_ns"`
	MaxNS float64 `json:"max_ns"`
}

// Toggle is a change of what is monitored.
type Toggle struct {
	SinceNS float64 `json:"since_ns"` // from the load's begin until it was asked for
	TookNS  float64 `json:"took_ns"`  // until it was in effect
	On      bool    `json:"on"`       // whether the probe was in after it
}

// ToggleEffect is by how much the latency just after a toggle exceeds that of the
// rest of the time until the next: of each invocation the median over its
// toggles, of these the mean over invocations.
type ToggleEffect struct {
	Cell     string    `json:"cell"`          // ID
	WithinNS float64   `json:"within_ns"`     // how long after a toggle counts as just after it
	P50      *Estimate `json:"p50,omitempty"` // of the median latency
	P99      *Estimate `json:"p99,omitempty"` // of the 99 % quantile
}

// course is what one invocation went through.
type course struct {
	step    float64
	rows    []TimelineRow
	toggles []Toggle
}

// courseOf reads the series timeline and toggle; nil when there is no timeline
// that shows each row.
func courseOf(sum *summary.Summary) *course {
	t := rowsOf(sum, results.SeriesTimeline, "since", "requests", "lost", "p50", "p99", "max")
	if len(t) < 2 {
		return nil
	}
	c := &course{step: t[1][0] - t[0][0]}
	for _, x := range t {
		c.rows = append(c.rows, TimelineRow{x[0], x[1], x[2], x[3], x[4], x[5]})
	}
	for _, x := range rowsOf(sum, results.SeriesToggle, "since", "took", "on") {
		c.toggles = append(c.toggles, Toggle{x[0], x[1], x[2] != 0})
	}
	if !(c.step > 0) {
		return nil
	}
	return c
}

// rowsOf are the rows of a series that is so short that each is a batch of its
// own; nil of another.
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

// timelines are those of the typical invocation of each cell.
func (r *reader) timelines() []Timeline {
	p := r.primary()
	if p == nil {
		return nil
	}
	var all []Timeline
	for _, c := range r.cells() {
		if e := typical(succeeded(r.all[c.ID], r.profile()), p.Name); e != nil && r.void[c.ID] == "" && c.Role != results.RoleAA {
			all = append(all, Timeline{Cell: c.ID, Invocation: e.Identity.String(), StepNS: e.course.step, Rows: e.course.rows, Toggles: e.course.toggles})
		}
	}
	return all
}

// typical is the invocation with the median value of those that have a timeline;
// of equals the first made, of an even number the lower one.
func typical(es []evidence, metric string) *evidence {
	var some []*evidence
	for i := range es {
		if _, ok := es[i].values[metric]; ok && es[i].course != nil {
			some = append(some, &es[i])
		}
	}
	if len(some) == 0 {
		return nil
	}
	slices.SortFunc(some, func(x, y *evidence) int {
		return cmp.Or(cmp.Compare(x.values[metric], y.values[metric]), cmp.Compare(x.Identity.String(), y.Identity.String()))
	})
	return some[(len(some)-1)/2]
}

// leastWithin is the shortest stretch after a toggle that counts as just after it.
const leastWithin = 100e6

// toggleEffects are there for cells whose timelines are fine enough: two steps fit
// into the stretch just after a toggle, and as much time is left before the next.
func (r *reader) toggleEffects() []ToggleEffect {
	var all []ToggleEffect
	for _, c := range r.cells() {
		if r.void[c.ID] != "" || c.Role == results.RoleAA {
			continue
		}
		a := ToggleEffect{Cell: c.ID}
		var p50, p99 []float64
		for _, e := range succeeded(r.all[c.ID], r.profile()) {
			if e.course == nil {
				continue
			}
			a.WithinNS = max(a.WithinNS, e.course.within())
			p50 = appendKnown(p50, e.course.effect(func(row TimelineRow) float64 { return row.P50NS }))
			p99 = appendKnown(p99, e.course.effect(func(row TimelineRow) float64 { return row.P99NS }))
		}
		if len(p50) > 1 {
			a.P50, _ = meanOf(p50)
			a.P99, _ = meanOf(p99)
			all = append(all, a)
		}
	}
	return all
}

func appendKnown(xs []float64, x float64) []float64 {
	if stats.Finite(x) {
		return append(xs, x)
	}
	return xs
}

func (c *course) within() float64 { return max(leastWithin, 2*c.step) }

// effect is the median over the toggles of what their first stretch has more than
// the rest of the time to the next; NaN when the steps are too coarse to tell.
func (c *course) effect(latency func(TimelineRow) float64) float64 {
	var ds []float64
	for i, t := range c.toggles[:max(0, len(c.toggles)-1)] {
		end := c.toggles[i+1].SinceNS
		if end-t.SinceNS < 2*c.within() {
			continue
		}
		after := c.between(t.SinceNS, t.SinceNS+c.within(), latency)
		rest := c.between(t.SinceNS+c.within(), end, latency)
		if len(after) > 0 && len(rest) > 1 {
			x, errX := stats.Median(after)
			y, errY := stats.Median(rest)
			if errX == nil && errY == nil {
				ds = append(ds, x-y)
			}
		}
	}
	m, err := stats.Median(ds)
	if err != nil {
		return math.NaN()
	}
	return m
}

// between are the latencies of the steps that lie whole in a stretch of time and
// have answers.
func (c *course) between(from, to float64, latency func(TimelineRow) float64) []float64 {
	var xs []float64
	for _, row := range c.rows {
		if row.SinceNS >= from && row.SinceNS+c.step <= to && latency(row) > 0 {
			xs = append(xs, latency(row))
		}
	}
	return xs
}
