// Package timelines shows loads over time, and how latency changes just after a toggle.
package timelines

import (
	"cmp"
	"slices"

	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/reading"
	"moobench/analysis/stats"
	"moobench/results"
)

// Timeline shows the load of one invocation over time: the one with its cell's median latency.
type Timeline struct {
	Cell       string `json:"cell"`       // ID
	Invocation string `json:"invocation"` // b0003.s07.r0
	evidence.Course
}

// Loads are the loads of a scenario over time.
type Loads struct {
	// Timelines show one typical invocation of each cell over time.
	Timelines []Timeline `json:"timelines,omitempty"`
	// ToggleEffects compare the latency just after a toggle with the latency of the rest of the time until the next.
	ToggleEffects []ToggleEffect `json:"toggle_effects,omitempty"`
}

// Of finds the timelines of a scenario.
func Of(r *reading.Reading) (l Loads) {
	l.Timelines, l.ToggleEffects = find(r)
	return l
}

// ToggleEffect is the latency just after a toggle minus that of the rest of the time until the next: the median
// over the toggles of an invocation, and the mean of these over invocations.
type ToggleEffect struct {
	Cell     string          `json:"cell"`          // ID
	WithinNS float64         `json:"within_ns"`     // time after a toggle that counts as just after it
	P50      *infer.Estimate `json:"p50,omitempty"` // of the median latency
	P99      *infer.Estimate `json:"p99,omitempty"` // of the 99 % quantile
}

// find returns the timeline of each cell's typical invocation: the one with the median value, the first
// made of equals, the lower of an even number. Effects exist for cells with fine enough timelines.
func find(r *reading.Reading) (all []Timeline, effects []ToggleEffect) {
	for _, c := range r.Cells {
		if r.Invalid[c.ID] != "" || c.Role == results.RoleAA {
			continue
		}
		es := evidence.Select(r.Primaries(c.ID), func(e *evidence.Invocation) bool { return e.Course != nil })
		effect := func(latency func(evidence.TimelineRow) float64) []float64 {
			return evidence.ValuesOf(es, func(e *evidence.Invocation) float64 {
				return e.Course.Effect(latency)
			}).Numbers()
		}
		if p50 := effect(func(row evidence.TimelineRow) float64 { return row.P50NS }); len(p50) > 1 {
			x := ToggleEffect{Cell: c.ID}
			for _, e := range es {
				x.WithinNS = max(x.WithinNS, e.Course.AfterNS())
			}
			x.P50, _ = infer.Mean(p50, reading.Confidence)
			x.P99, _ = infer.Mean(effect(func(row evidence.TimelineRow) float64 { return row.P99NS }), reading.Confidence)
			effects = append(effects, x)
		}
		value := func(e *evidence.Invocation) float64 { return e.Value(r.Primary.Name) }
		es = evidence.Select(es, func(e *evidence.Invocation) bool { return stats.Finite(value(e)) })
		slices.SortFunc(es, func(x, y *evidence.Invocation) int {
			return cmp.Or(cmp.Compare(value(x), value(y)), cmp.Compare(x.Identity.String(), y.Identity.String()))
		})
		if n := len(es); n > 0 {
			all = append(all, Timeline{c.ID, es[(n-1)/2].Identity.String(), *es[(n-1)/2].Course})
		}
	}
	return all, effects
}
