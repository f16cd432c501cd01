// Package timelines shows loads over time, and how latency changes just after a toggle.
package timelines

import (
	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/reading"
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

// find returns the timeline of each cell's typical invocation. Effects exist for cells with fine enough timelines.
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
		if e := r.Typical(es); e != nil {
			all = append(all, Timeline{c.ID, e.Identity.String(), *e.Course})
		}
	}
	return all, effects
}
