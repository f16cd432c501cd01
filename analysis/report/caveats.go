package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
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

// calibration is what is known of a machine's ability to measure.
type calibration struct {
	Text string
	Bad  bool
}

// calibrations says, of every machine, what its last calibration showed.
func calibrations(a *analysis.Answers) []calibration {
	var latest []*results.Machine
	for _, m := range a.Machines { // the latest state of each comes first
		if m != nil && !slices.ContainsFunc(latest, func(l *results.Machine) bool { return l.ID == m.ID }) {
			latest = append(latest, m)
		}
	}
	var all []calibration
	for _, m := range latest {
		if m.Calibration == nil && a.Campaign.Design == results.DesignUnordered {
			continue // it was measured elsewhere, by another tool
		}
		c := calibrated(m)
		if len(latest) > 1 {
			c.Text = m.Host + " " + c.Text
		}
		all = append(all, c)
	}
	return all
}

func calibrated(m *results.Machine) calibration {
	c := m.Calibration
	if c == nil {
		return calibration{Text: "not calibrated: moobench doctor --calibrate shows whether this machine recovers a known cost"}
	}
	s := figure.Fit("ns", c.MeasuredNS, c.LowNS, c.HighNS)
	text := "calibrated " + c.When.UTC().Format("2006-01-02") + ": a known cost of " + figure.Exactly(c.KnownNS, "ns") + " came out as " +
		s.WithUnit(s.Number(c.MeasuredNS)+" ("+s.Number(c.LowNS)+" … "+s.Number(c.HighNS)+")")
	switch {
	case !c.Recovered:
		return calibration{text + ": NOT recovered: differences that are measured here can be wrong by more than their intervals say; quieten the machine and calibrate again" + selfTest(c), true}
	case c.TooWide():
		return calibration{text + ": too noisy to say whether it is recovered; quieten the machine and calibrate again" + selfTest(c), true}
	}
	return calibration{text + ": recovered" + selfTest(c), c.AA == string(analysis.AAFailed)}
}

func selfTest(c *results.Calibration) string {
	switch {
	case c.AA == "":
		return ""
	case c.AA == string(analysis.AAResolves) && c.Resolves > 0:
		return "; A/A within " + figure.Percent(c.Resolves)
	}
	return "; A/A: " + c.AA
}

// origin is one thing that is known of where numbers come from.
type origin struct{ name, value string }

// provenance says where the answers come from, as far as it is known.
func provenance(a *analysis.Answers) []origin {
	c := a.Campaign
	all := []origin{
		{"campaign", c.Name},
		{"created", c.Created.UTC().Format("2006-01-02T15:04:05Z")},
		{"source", c.Source},
		{"design", string(c.Design)},
	}
	if c.Design != results.DesignUnordered {
		all = append(all, origin{"seed", fmt.Sprint(c.Seed)}, origin{"blocks", fmt.Sprint(c.Blocks)})
	}
	all = append(all, origin{"plan", c.PlanHash}, origin{"jdk", strings.Join(c.Runtimes, ", ")})
	var seen []string
	for _, m := range a.Machines {
		if m != nil && !slices.Contains(seen, m.ID) {
			seen = append(seen, m.ID)
			all = append(all, origin{"machine", strings.Join(machineLine(m, nil), " · ")})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Versions)) {
		all = append(all, origin{name, c.Versions[name]})
	}
	for i := range all {
		all[i] = origin{doc.Clean(all[i].name), doc.Clean(all[i].value)}
	}
	return slices.DeleteFunc(all, func(o origin) bool { return o.value == "" })
}

// provenanceLine is all of it in one line.
func provenanceLine(a *analysis.Answers) string {
	var parts []string
	for _, o := range provenance(a) {
		parts = append(parts, o.name+" "+o.value)
	}
	return strings.Join(parts, " · ")
}
