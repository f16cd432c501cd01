package report

import (
	"fmt"
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/results"
)

// spoil is one thing that spoils a number. Its kind is the same from night to
// night; what is shown has the amount too.
type spoil struct{ kind, show string }

// stamps spoil every number of a campaign.
func stamps(a *analysis.Answers) []spoil {
	var all []spoil
	if len(failedSelfTests(a)) > 0 {
		all = append(all, spoil{"A/A failed", "A/A FAILED"})
	}
	if shortened(a) != "" {
		all = append(all, spoil{"shortened", fmt.Sprintf("shortened to %v", a.Campaign.Scale)})
	}
	if slices.ContainsFunc(calibrations(a), func(c calibration) bool { return c.Bad }) {
		all = append(all, spoil{"calibration in doubt", "calibration in doubt"})
	}
	if a.Changed != "" {
		all = append(all, spoil{"changed since sealed", "changed since it was sealed"})
	}
	return all
}

// stampTexts are the stamps in whole sentences, for the head of a document.
func stampTexts(a *analysis.Answers) []string {
	texts := failedSelfTests(a)
	if short := shortened(a); short != "" {
		texts = append(texts, short)
	}
	for _, c := range calibrations(a) {
		if c.Bad {
			texts = append(texts, c.Text)
		}
	}
	return texts
}

// headTexts are the stamps of a document that has no room for warnings.
func headTexts(a *analysis.Answers) []string {
	texts := stampTexts(a)
	if a.Changed != "" {
		texts = append(texts, a.Changed)
	}
	return texts
}

// Unsaid are the warnings that a format has no room for: they are to be said beside
// it.
func Unsaid(format string, a *analysis.Answers) []string {
	if slices.Contains([]string{"text", "json", "html", "markdown", "junit"}, format) {
		return nil
	}
	return a.Warnings
}

// spoils are what spoils the numbers of a cell by itself: its marks, and the
// stamps of the campaign.
func spoils(c *analysis.Cell, stamped []spoil) []spoil {
	var all []spoil
	for _, m := range c.Marks {
		all = append(all, spoil{m.Kind, m.Show})
	}
	return append(all, stamped...)
}

// spoilsAgainst are what spoils its comparison with its baseline: that, and the
// marks of the baseline.
func spoilsAgainst(s *analysis.Scenario, c *analysis.Cell, stamped []spoil) []spoil {
	all := spoils(c, stamped)
	if b := baselineOf(s, c); b != nil {
		for _, m := range b.Marks {
			all = append(all, spoil{"baseline " + m.Kind, "baseline " + m.Show})
		}
	}
	return all
}

// baselineOf is the cell that another is compared with, nil when there is none.
func baselineOf(s *analysis.Scenario, c *analysis.Cell) *analysis.Cell {
	for i := range s.Cells {
		if b := &s.Cells[i]; c.Baseline != "" && b.ID == c.Baseline && b != c {
			return b
		}
	}
	return nil
}

// spoilKinds names the kinds once each, in the order of the alphabet: the same
// trouble has the same name every night.
func spoilKinds(all []spoil) string {
	var kinds []string
	for _, s := range all {
		kinds = append(kinds, s.kind)
	}
	slices.Sort(kinds)
	return strings.Join(slices.Compact(kinds), "; ")
}

// spoilShows are all of them as they stand at a number.
func spoilShows(all []spoil) string {
	var shows []string
	for _, s := range all {
		shows = append(shows, s.show)
	}
	return strings.Join(shows, "; ")
}

// reading is one number of a campaign: a mean over invocations, or of events a
// rate per million.
type reading struct {
	scenario *analysis.Scenario
	cell     *analysis.Cell
	metric   results.Metric
	unit     string // of value and interval
	n        int    // invocations
	value    float64
	interval *analysis.Interval // nil when noInterval says why
	// noInterval says why there is no interval.
	noInterval string
	// ratio is that of the primary metric to the baseline's, nil when there is
	// none.
	ratio  *analysis.Estimate
	spoils []spoil
	// against is what spoils the ratio.
	against []spoil
}

// perMillionUnit is that of rates of events.
const perMillionUnit = "per million"

// readings are all numbers of a campaign that count. What is absent, and what
// belongs to a cell that is void, is not among them.
func readings(a *analysis.Answers) []reading {
	stamped := stamps(a)
	var all []reading
	for i := range a.Scenarios {
		s := &a.Scenarios[i]
		for j := range s.Cells {
			c := &s.Cells[j]
			if c.Void != "" {
				continue
			}
			alone, against := spoils(c, stamped), spoilsAgainst(s, c, stamped)
			for _, m := range s.Metrics {
				if r, ok := read(s, c, m); ok {
					r.spoils, r.against = alone, against
					all = append(all, r)
				}
			}
		}
	}
	return all
}

// read takes the number of one metric of a cell; ok is false when there is none.
func read(s *analysis.Scenario, c *analysis.Cell, m results.Metric) (r reading, ok bool) {
	r = reading{scenario: s, cell: c, metric: m, unit: m.Unit}
	a := metricOf(c, m.Name)
	switch {
	case a != nil && a.Rate != nil:
		r.unit, r.n, r.value, r.interval = perMillionUnit, a.Rate.N, a.Rate.PerMillion, a.Rate.Interval
	case a != nil && a.Mean != nil:
		r.n, r.value, r.interval = a.Mean.N, a.Mean.Value, a.Mean.Interval
		r.noInterval = a.Mean.NoInterval
		if m.Name == s.Primary {
			r.ratio = a.Ratio
		}
	default:
		return r, false
	}
	return r, true
}

// halfWidth of an interval.
func halfWidth(i *analysis.Interval) float64 { return i.High/2 - i.Low/2 }
