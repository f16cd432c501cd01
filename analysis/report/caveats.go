package report

import (
	"fmt"
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/results"
)

// caveat is one thing that distorts a number. Its kind is the same from night to
// night; what is shown has the amount too.
type caveat struct{ kind, show string }

// campaignCaveats distort every number of a campaign.
func campaignCaveats(a *analysis.Answers) []caveat {
	var all []caveat
	if len(failedSelfTests(a)) > 0 {
		all = append(all, caveat{"A/A failed", "A/A FAILED"})
	}
	if shortened(a) != "" {
		all = append(all, caveat{"shortened", fmt.Sprintf("shortened to %v", a.Campaign.Scale)})
	}
	if slices.ContainsFunc(calibrations(a), func(c calibration) bool { return c.Bad }) {
		all = append(all, caveat{"calibration in doubt", "calibration in doubt"})
	}
	if a.Changed != "" {
		all = append(all, caveat{"changed since sealed", "changed since it was sealed"})
	}
	return all
}

// campaignTexts are the caveats of a campaign in whole sentences, for the head of a
// document; but for a change since it was sealed, which its warnings say too.
func campaignTexts(a *analysis.Answers) []string {
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

// headTexts are the caveats at the head of a document that has no room for warnings.
func headTexts(a *analysis.Answers) []string {
	texts := campaignTexts(a)
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

// caveatsOf are those of a cell by itself: its marks, and the caveats of the campaign.
func caveatsOf(c *analysis.Cell, campaign []caveat) []caveat {
	var all []caveat
	for _, m := range c.Marks {
		all = append(all, caveat{m.Kind, m.Show})
	}
	return append(all, campaign...)
}

// caveatsAgainst are those of a cell's comparison with its baseline: the marks of the
// baseline too.
func caveatsAgainst(s *analysis.Scenario, c *analysis.Cell, campaign []caveat) []caveat {
	all := caveatsOf(c, campaign)
	if b := cellOf(s, c.Baseline); c.Baseline != "" && b != nil && b != c {
		for _, m := range b.Marks {
			all = append(all, caveat{"baseline " + m.Kind, "baseline " + m.Show})
		}
	}
	return all
}

// kindsOf names the kinds once each, in the order of the alphabet: the same trouble
// has the same name every night.
func kindsOf(all []caveat) string {
	var kinds []string
	for _, c := range all {
		kinds = append(kinds, c.kind)
	}
	slices.Sort(kinds)
	return strings.Join(slices.Compact(kinds), "; ")
}

// showsOf are all caveats as they stand at a number.
func showsOf(all []caveat) string {
	var shows []string
	for _, c := range all {
		shows = append(shows, c.show)
	}
	return strings.Join(shows, "; ")
}

// reading is one number of a campaign: a mean over invocations, or of events a
// rate per million.
type reading struct {
	scenario   *analysis.Scenario
	cell       *analysis.Cell
	metric     results.Metric
	unit       string // of value and interval
	n          int    // invocations
	value      float64
	interval   *analysis.Interval // nil when noInterval says why
	noInterval string
	ratio      *analysis.Estimate // of the primary metric to the baseline's, nil when there is none
	caveats    []caveat
	against    []caveat // those of the ratio
}

// perMillionUnit is that of rates of events.
const perMillionUnit = "per million"

// readings are all numbers of a campaign that count. What is absent, and what
// belongs to an invalid cell, is not among them.
func readings(a *analysis.Answers) []reading {
	campaign := campaignCaveats(a)
	var all []reading
	for i := range a.Scenarios {
		s := &a.Scenarios[i]
		for j := range s.Cells {
			c := &s.Cells[j]
			if c.Void != "" {
				continue
			}
			alone, against := caveatsOf(c, campaign), caveatsAgainst(s, c, campaign)
			for _, m := range s.Metrics {
				r := reading{scenario: s, cell: c, metric: m, unit: m.Unit, caveats: alone, against: against}
				switch a := metricOf(c, m.Name); {
				case a.Rate == nil && a.Mean == nil:
					continue
				case a.Rate != nil:
					r.unit, r.n, r.value, r.interval = perMillionUnit, a.Rate.N, a.Rate.PerMillion, a.Rate.Interval
				default:
					r.n, r.value, r.interval, r.noInterval = a.Mean.N, a.Mean.Value, a.Mean.Interval, a.Mean.NoInterval
					if m.Name == s.Primary {
						r.ratio = a.Ratio
					}
				}
				all = append(all, r)
			}
		}
	}
	return all
}
