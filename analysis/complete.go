package analysis

import (
	"fmt"

	"moobench/results"
)

// unanswered says which planned cells have no answer.
func (a *Answers) unanswered() []string {
	var why []string
	for _, s := range a.Scenarios {
		for _, aa := range s.AA {
			if aa.State == AAFailed {
				why = append(why, fmt.Sprintf("%s: the A/A%s failed", s.Label, at(aa.Level)))
			}
		}
		missing := 0
		for _, c := range s.Cells {
			missing += c.Missing
			if w := c.Unanswered(s.Primary); w != "" {
				why = append(why, fmt.Sprintf("%s: %s has no answer: %s", s.Label, c.Label, w))
			}
		}
		if missing > 0 {
			why = append(why, fmt.Sprintf("%s: unfinished, %d planned invocations are missing", s.Label, missing))
		}
	}
	return why
}

func at(level string) string {
	if level == "" {
		return ""
	}
	return " at " + level
}

// Unanswered says why a cell has no answer in the primary metric, "" when it
// has one. A single planned block can give no interval, and is not blamed.
func (c *Cell) Unanswered(primary string) string {
	if c.Void != "" {
		return c.Void
	}
	if c.GivenUp != "" {
		return "given up: " + c.GivenUp
	}
	for _, m := range c.Metrics {
		if m.Metric != primary {
			continue
		}
		if m.Rate != nil {
			return m.Rate.NoVersus
		}
		if m.Mean == nil {
			return m.Absent
		}
		if c.Role != results.RoleVariant || c.Baseline == "" {
			continue
		}
		if m.Difference == nil {
			return m.NoDifference
		}
		if m.Difference.Interval == nil && c.Planned > 1 {
			return m.Difference.NoInterval
		}
	}
	return ""
}
