package report

import (
	"moobench/analysis"
	"moobench/analysis/figure"
)

// newTimelines draws the load of each cell over time, all on the same axes. It
// returns how many cells were left out.
func newTimelines(s *analysis.Scenario) (all []timeline, more int) {
	drawn := s.Timelines
	if len(drawn) > multiplesMost {
		drawn, more = drawn[:multiplesMost], len(drawn)-multiplesMost
	}
	var courses []course
	for i := range drawn {
		if len(drawn[i].Rows) > 0 {
			courses = append(courses, newCourse(s, &drawn[i]))
		}
	}
	axes, ok := newTimelineAxes(courses)
	if !ok {
		return nil, 0
	}
	for _, c := range courses {
		all = append(all, c.timeline(axes))
	}
	return all, more
}

func newCourse(s *analysis.Scenario, t *analysis.Timeline) course {
	c := course{label: labelOf(s, t.Cell), invocation: t.Invocation, ramp: rampOf(s, t.Cell)}
	for _, r := range t.Rows {
		c.stretches = append(c.stretches, stretch{
			since: r.SinceNS, until: r.SinceNS + t.StepNS, requests: r.Requests, lost: r.Lost, p50: r.P50NS, p99: r.P99NS, worst: r.MaxNS,
		})
		c.end = max(c.end, r.SinceNS+t.StepNS)
	}
	for _, g := range t.Toggles {
		c.toggles = append(c.toggles, toggled{g.SinceNS, g.TookNS, g.On})
		c.count(g)
	}
	return c.coarser(timelineSteps)
}

// count notes a toggle in the stretch that it began in.
func (c *course) count(g analysis.Toggle) {
	for i := range c.stretches {
		s := &c.stretches[i]
		if g.SinceNS < s.since || g.SinceNS >= s.until {
			continue
		}
		if g.On {
			s.on++
		} else {
			s.off++
		}
		s.longest = max(s.longest, g.TookNS)
		return
	}
}

// rampOf is how long the load of a cell grows, in ns; 0 when that is not said.
func rampOf(s *analysis.Scenario, cell string) float64 {
	values := s.Common
	for i := range s.Cells {
		if s.Cells[i].ID == cell {
			values = append(values[:len(values):len(values)], s.Cells[i].Factors...)
		}
	}
	for _, v := range values {
		if ns, _ := v.Int(); v.Name == "ramp" && ns > 0 {
			return float64(ns)
		}
	}
	return 0
}

// effectRow is what a toggle does to the latencies of a cell.
type effectRow struct {
	Label, N, Within string
	P50, P99         shown
}

func newToggleEffects(s *analysis.Scenario) []effectRow {
	var rows []effectRow
	for _, e := range s.ToggleEffects {
		rows = append(rows, effectRow{
			Label: labelOf(s, e.Cell), N: count(e.P50), Within: figure.Exactly(e.WithinNS, "ns"),
			P50: showDifference(e.P50, "ns"), P99: showDifference(e.P99, "ns"),
		})
	}
	return rows
}
