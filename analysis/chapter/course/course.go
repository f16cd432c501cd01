// Package course shows what JVMs use over time while they are measured, and how fast that grows in one of them.
package course

import (
	"math"

	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/reading"
	"moobench/analysis/stats"
	"moobench/results"
)

// Courses are the courses of a scenario's JVMs.
type Courses struct {
	// Typical has the memory of one typical invocation of each cell over time: the one with the median value, or the
	// first where none has a value.
	Typical []Course `json:"typical,omitempty"`
	// Slopes say how fast each quantity grows within an invocation.
	Slopes []Slope `json:"slopes,omitempty"`
}

// Course is one invocation over time.
type Course struct {
	Cell       string `json:"cell"`       // ID
	Invocation string `json:"invocation"` // b0003.s07.r0
	Lines      []Line `json:"lines"`      // one for each quantity
}

// Line is a quantity over time, at most 1,000 points.
type Line struct {
	Quantity string    `json:"quantity"` // name
	SinceNS  []float64 `json:"since_ns"` // from the first reading
	Values   []float64 `json:"values"`   // in the quantity's unit
}

// Slope is the growth of a quantity within an invocation: the slope of a least-squares line through the readings in
// the second half of its window, and the mean of that over invocations.
type Slope struct {
	Cell     string `json:"cell"`     // ID
	Quantity string `json:"quantity"` // name
	Unit     string `json:"unit"`     // of the quantity
	// SpanNS is the length of the shortest of those halves.
	SpanNS  float64         `json:"span_ns"`
	PerHour *infer.Estimate `json:"per_hour"` // in Unit; n counts invocations
}

// quantity is a column of a series.
type quantity struct {
	series, column string
	counter        string // the level is only known anew after this counter has risen; "": in each row
	title, unit    string
	memory         bool // of which a leak is suspected first
}

func quantities() []quantity {
	return []quantity{
		{results.SeriesJVM, "heap_after_gc", "collections", "heap after a collection", "B", true},
		{results.SeriesProcess, "rss", "", "resident memory", "B", true},
		{results.SeriesJVM, "threads", "", "Java threads", "1", false},
		{results.SeriesProcess, "threads", "", "threads", "1", false},
		{results.SeriesJVM, "classes", "", "classes", "1", false},
		{results.SeriesJVM, "collections", "", "collections", "1", false},
		{results.SeriesJVM, "gc", "", "time in collections", "ns", false},
		{results.SeriesProcess, "cpu", "", "CPU time", "ns", false},
		{results.SeriesProcess, "written", "", "bytes written", "B", false},
	}
}

func (q *quantity) name() string { return q.series + "_" + q.column }

// quantityNamed returns the quantity with a name, or nil.
func quantityNamed(name string) *quantity {
	return results.Find(quantities(), func(q *quantity) bool { return q.name() == name })
}

// Of reads the courses of a scenario.
func Of(r *reading.Reading) (all Courses) {
	for _, c := range r.Cells {
		if r.Invalid[c.ID] != "" || c.Role == results.RoleAA {
			continue
		}
		es := evidence.Select(r.Succeeded(c.ID, results.ProfileTiming), func(e *evidence.Invocation) bool {
			return len(e.Levels) > 0
		})
		e := r.Typical(es)
		if e == nil && len(es) > 0 { // where a cell's values don't count, its memory still does
			e = es[0]
		}
		if e != nil {
			all.Typical = append(all.Typical, Course{c.ID, e.Identity.String(), lines(e)})
		}
		for _, q := range quantities() {
			if s := slopeOf(es, &q); s != nil {
				s.Cell = c.ID
				all.Slopes = append(all.Slopes, *s)
			}
		}
	}
	return all
}

// lines returns the memory of an invocation over time.
func lines(e *evidence.Invocation) (all []Line) {
	for _, q := range quantities() {
		if l := q.in(e); l != nil && q.memory {
			since, values := l.Of(q.column, q.counter)
			all = append(all, Line{q.name(), since, values})
		}
	}
	return all
}

// in returns the series of the quantity in an invocation, or nil.
func (q *quantity) in(e *evidence.Invocation) *evidence.Levels {
	return results.Find(e.Levels, func(l *evidence.Levels) bool { return l.Series == q.series })
}

// slopeOf returns the slope of a quantity over the invocations; nil if it is known in none.
func slopeOf(es []*evidence.Invocation, q *quantity) *Slope {
	s := &Slope{Quantity: q.name(), Unit: q.unit, SpanNS: math.Inf(1)}
	slopes := evidence.ValuesOf(es, func(e *evidence.Invocation) float64 {
		l := q.in(e)
		if l == nil {
			return math.NaN()
		}
		slope := perHour(l, q)
		if stats.Finite(slope) {
			s.SpanNS = min(s.SpanNS, l.EndNS()/2)
		}
		return slope
	})
	if s.PerHour, _ = infer.Mean(slopes.Numbers(), reading.Confidence); s.PerHour == nil {
		return nil
	}
	return s
}

// hourNS is an hour in ns.
const hourNS = 3600e9

// perHour returns the slope of a quantity in the second half of a window, per hour; NaN with fewer than three
// readings, through which there is always a line.
func perHour(l *evidence.Levels, q *quantity) float64 {
	since, values := l.Of(q.column, q.counter)
	from := 0
	for from < len(since) && since[from] < l.EndNS()/2 {
		from++
	}
	line, err := stats.Linear(since[from:], values[from:])
	if err != nil {
		return math.NaN()
	}
	return line.Slope * hourNS
}
