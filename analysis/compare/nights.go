package compare

import (
	"math"
	"slices"

	"moobench/analysis/history"
	"moobench/analysis/stats"
)

// leastNights are needed to say what nights differ by: the spread of fewer is
// itself hardly known.
const leastNights = 5

// nights know what nights of a cell differ by.
type nights struct {
	findings *history.Findings
	table    *table
	machines []string // IDs, of the first campaign
}

// newNights is nil without a history.
func newNights(t *table, f *history.Findings) *nights {
	if f == nil {
		return nil
	}
	return &nights{f, t, machineIDs(t.columns[0].answers)}
}

// component is the variance of the nights of one level: in total, and what their
// own standard errors make of it.
type component struct {
	nights        int
	total, within stats.Variance
}

// sd is what nights differ by beyond their own standard errors, 0 when that is
// nothing.
func (c *component) sd() float64 { return math.Sqrt(max(0, c.total.Value-c.within.Value)) }

// of is the component of a cell's overhead in a metric, against its own
// reference, on the machine and JDK of the first campaign; nil when the history
// has too few nights of that.
func (n *nights) of(cell matched, metric string) *component {
	if n == nil {
		return nil
	}
	for i := range n.findings.Series {
		if s := &n.findings.Series[i]; n.about(s, cell, metric) {
			if c := n.component(s); c != nil {
				return c
			}
		}
	}
	return nil
}

// about says whether a series is that of a cell and metric.
func (n *nights) about(s *history.Series, cell matched, metric string) bool {
	first := n.table.columns[0]
	own := cell.sides[0]
	base := own.baseline()
	return base != nil && s.Reference == base.Variant && s.Metric == metric && s.Cell == cell.label &&
		s.Scenario == own.scenario.Label && s.Campaign == first.answers.Campaign.Name &&
		slices.Contains(n.machines, s.Machine) &&
		slices.Contains(first.observed[own.cell.ID].runtimes, s.Runtime)
}

// component is that of the current level's nights that are judged, those that are
// compared left out: they must not decide themselves how much they may differ.
func (n *nights) component(s *history.Series) *component {
	if len(s.Segments) == 0 {
		return nil
	}
	last := s.Segments[len(s.Segments)-1]
	var logs []float64
	var own []stats.Variance
	for i := max(0, last.First); i <= last.Last && i < len(s.Nights); i++ {
		night := &s.Nights[i]
		if n.compared(night) || !night.Judged() || !(night.DF > 0) || !stats.Finite(night.Log) || !stats.Finite(night.SE) {
			continue
		}
		logs = append(logs, night.Log)
		own = append(own, stats.VarianceOf(night.SE, night.DF))
	}
	if len(logs) < leastNights {
		return nil
	}
	sample, err := stats.SampleOf(logs)
	if err != nil {
		return nil
	}
	within := stats.SumOfVariances(own...)
	return &component{len(logs), stats.VarianceOf(sample.SD, float64(len(logs)-1)), within.Times(1 / float64(len(logs)))}
}

// compared says whether a night is one of the campaigns: both began with the same
// invocation.
func (n *nights) compared(night *history.Night) bool {
	return slices.ContainsFunc(n.table.columns, func(c column) bool {
		start := c.answers.Campaign.Start
		return start != nil && start.Equal(night.When)
	})
}
