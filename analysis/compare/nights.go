package compare

import (
	"slices"

	"moobench/analysis/history"
	"moobench/analysis/stats"
)

// leastNights are needed to say what nights differ by: the spread of fewer is
// itself hardly known.
const leastNights = 5

// component is the variance of the nights of one level: in total, and what their
// own standard errors make of it.
type component struct {
	nights        int
	total, within stats.Variance
}

// component is what nights of a cell's overhead differ by in a metric, against its own
// reference, on the machine and JDK of the first campaign; nil when the history
// has too few nights of that.
func (j *judge) component(cell matched, metric string) *component {
	own, first := cell.sides[0], j.table.columns[0]
	base := own.baseline().cell
	if j.Nights == nil || base == nil {
		return nil
	}
	for i := range j.Nights.Series {
		s := &j.Nights.Series[i]
		about := s.Reference == base.Variant && s.Metric == metric && s.Cell == cell.label &&
			s.Scenario == own.scenario.Label && s.Campaign == first.answers.Campaign.Name &&
			slices.Contains(j.machines, s.Machine) && slices.Contains(own.observed.runtimes, s.Runtime)
		if !about {
			continue
		}
		if c := j.levelOf(s); c != nil {
			return c
		}
	}
	return nil
}

// levelOf is the component of the current level's nights that are judged. Those that
// are compared, which began with the same invocation as a campaign, are left out: they
// must not decide themselves how much they may differ.
func (j *judge) levelOf(s *history.Series) *component {
	if len(s.Segments) == 0 {
		return nil
	}
	last := s.Segments[len(s.Segments)-1]
	var logs []float64
	var errors []stats.Variance
	for i := max(0, last.First); i <= last.Last && i < len(s.Nights); i++ {
		night := &s.Nights[i]
		own := slices.ContainsFunc(j.table.columns, func(c column) bool {
			start := c.answers.Campaign.Start
			return start != nil && start.Equal(night.When)
		})
		if own || !night.Judged() || !(night.DF > 0) || !stats.Finite(night.Log, night.SE) {
			continue
		}
		logs = append(logs, night.Log)
		errors = append(errors, stats.VarianceOf(night.SE, night.DF))
	}
	sample, err := stats.SampleOf(logs)
	if len(logs) < leastNights || err != nil {
		return nil
	}
	n := float64(len(logs))
	return &component{len(logs), stats.VarianceOf(sample.SD, n-1), stats.SumOfVariances(errors...).Times(1 / n)}
}
