package report

import (
	"fmt"
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

// doubt is a caveat of a whole campaign, and the sentences that say why.
type doubt struct {
	caveat
	texts []string
}

// doubts are what distorts every number of a campaign.
func doubts(a *analysis.Answers) []doubt {
	lost := nonEmpty(each(calibrations(a), func(c doc.Paragraph) string { return when(c.Tone == doc.Bad, c.Text) })...)
	all := []doubt{
		{caveat{"A/A failed", "A/A FAILED"}, failedSelfTests(a)},
		{caveat{"shortened", fmt.Sprintf("shortened to %v", a.Campaign.Scale)}, nonEmpty(shortened(a))},
		{caveat{"calibration in doubt", "calibration in doubt"}, lost},
		{caveat{"changed since sealed", "changed since it was sealed"}, nonEmpty(a.Changed)},
	}
	return slices.DeleteFunc(all, func(d doubt) bool { return len(d.texts) == 0 })
}

// campaignCaveats stand at every number of a campaign.
func campaignCaveats(a *analysis.Answers) []caveat {
	return each(doubts(a), func(d doubt) caveat { return d.caveat })
}

// headTexts are the caveats of a campaign in whole sentences, at the head of a document
// that has no room for warnings.
func headTexts(a *analysis.Answers) []string {
	return slices.Concat(each(doubts(a), func(d doubt) []string { return d.texts })...)
}

// Unsaid are the warnings that a format has no room for: they are to be said beside
// it.
func Unsaid(format string, a *analysis.Answers) []string {
	if slices.Contains([]string{"text", "json", "html", "markdown", "junit"}, format) {
		return nil
	}
	return a.Warnings
}

// caveatsOf are the caveats of a cell by itself: its marks, and the caveats of the campaign.
func caveatsOf(c *analysis.Cell, campaign []caveat) []caveat {
	return append(each(c.Marks, func(m analysis.Mark) caveat { return caveat{m.Kind, m.Show} }), campaign...)
}

// caveatsAgainst are the caveats of a cell's comparison with its baseline: the marks of the
// baseline too.
func caveatsAgainst(s *analysis.Scenario, c *analysis.Cell, campaign []caveat) []caveat {
	all := caveatsOf(c, campaign)
	if b := s.Cell(c.Baseline); c.Baseline != "" && b != nil && b.ID != c.ID {
		all = append(all, each(b.Marks, func(m analysis.Mark) caveat { return caveat{"baseline " + m.Kind, "baseline " + m.Show} })...)
	}
	return all
}

// kindsOf names the kinds once each, in the order of the alphabet: the same trouble
// has the same name every night.
func kindsOf(all []caveat) string {
	kinds := each(all, func(c caveat) string { return c.kind })
	slices.Sort(kinds)
	return strings.Join(slices.Compact(kinds), "; ")
}

// showsOf are all caveats as they stand at a number.
func showsOf(all []caveat) string {
	return strings.Join(each(all, func(c caveat) string { return c.show }), "; ")
}

// reading is one number of a campaign: a mean over invocations, or of events a
// rate per million.
type reading struct {
	*analysis.Estimate
	scenario *analysis.Scenario
	cell     *analysis.Cell
	metric   results.Metric
	unit     string             // of value and interval
	ratio    *analysis.Estimate // of the primary metric to the baseline's, nil when there is none
	caveats  []caveat
	against  []caveat // those of the ratio
}

// perMillionUnit is the unit of rates of events.
const perMillionUnit = "per million"

// rateOf is a rate as an estimate per million.
func rateOf(r *analysis.Rate) *analysis.Estimate {
	return &analysis.Estimate{N: r.N, Value: r.PerMillion, Interval: r.Interval}
}

// readings are all numbers of a campaign that count. What is absent, and what
// belongs to an invalid cell, is not among them.
func readings(a *analysis.Answers) []reading {
	campaign := campaignCaveats(a)
	var all []reading
	for _, s := range a.Scenarios {
		for _, c := range cellsOf(&s, func(c *analysis.Cell) bool { return c.Invalid == "" }) {
			alone, against := caveatsOf(c, campaign), caveatsAgainst(&s, c, campaign)
			for _, m := range s.Metrics {
				a := metricOf(c, m.Name)
				r := reading{a.Mean, &s, c, m, m.Unit, nil, alone, against}
				switch {
				case a.Rate != nil:
					r.Estimate, r.unit = rateOf(a.Rate), perMillionUnit
				case m.Name == s.Primary:
					r.ratio = a.Ratio
				}
				if r.Estimate != nil {
					all = append(all, r)
				}
			}
		}
	}
	return all
}

// calibrations says, of every machine, what its last calibration showed: in a bad tone
// where what it measures is in doubt.
func calibrations(a *analysis.Answers) []doc.Paragraph {
	var all []doc.Paragraph
	latest := hosts(a) // each in its latest state
	for _, h := range latest {
		c, text := h.Calibration, when(len(latest) > 1, h.Machine.Host+" ")
		if c == nil {
			if a.Campaign.Design != results.DesignUnordered { // else it was measured elsewhere, by another tool
				text += "not calibrated: moobench doctor --calibrate shows whether this machine recovers a known cost"
				all = append(all, doc.Paragraph{Text: text, Tone: doc.Soft})
			}
			continue
		}
		s := figure.Fit("ns", c.MeasuredNS, c.LowNS, c.HighNS)
		text += "calibrated " + c.When.UTC().Format("2006-01-02") + ": a known cost of " + figure.Exactly(c.KnownNS, "ns") + " came out as " +
			s.WithUnit(s.Number(c.MeasuredNS)+" ("+s.Number(c.LowNS)+" … "+s.Number(c.HighNS)+")")
		bad := true
		switch {
		case !c.Recovered:
			text += ": NOT recovered: differences that are measured here can be wrong by more than their intervals say; quieten the machine and calibrate again"
		case c.TooWide():
			text += ": too noisy to say whether it is recovered; quieten the machine and calibrate again"
		default:
			text, bad = text+": recovered", c.AA == string(analysis.AAFailed)
		}
		switch {
		case c.AA == string(analysis.AAResolves) && c.Resolves > 0:
			text += "; A/A within " + figure.Percent(c.Resolves)
		case c.AA != "":
			text += "; A/A: " + c.AA
		}
		p := doc.Paragraph{Text: text, Tone: doc.Soft}
		if bad {
			p = doc.Paragraph{Mark: "!", Text: text, Tone: doc.Bad, General: true}
		}
		all = append(all, p)
	}
	return all
}

// origin is one thing that is known of where numbers come from.
type origin struct{ name, value string }

// provenance says where the answers come from, as far as it is known.
func provenance(a *analysis.Answers) []origin {
	c, seed, blocks := a.Campaign, "", ""
	if c.Design != results.DesignUnordered {
		seed, blocks = fmt.Sprint(c.Seed), fmt.Sprint(c.Blocks)
	}
	all := slices.Concat([]origin{
		{"campaign", c.Name},
		{"created", c.Created.UTC().Format("2006-01-02T15:04:05Z")},
		{"source", c.Source},
		{"design", string(c.Design)},
		{"seed", seed},
		{"blocks", blocks},
		{"plan", c.PlanHash},
		{"jdk", strings.Join(c.Runtimes, ", ")},
	}, each(hosts(a), func(h host) origin { return origin{"machine", strings.Join(machineLine(h.Machine, nil), " · ")} }), sorted(c.Versions))
	return withValues(each(all, func(o origin) origin { return origin{doc.Clean(o.name), doc.Clean(o.value)} }))
}

// withValues are the origins of which something is known.
func withValues(all []origin) []origin {
	return slices.DeleteFunc(all, func(o origin) bool { return o.value == "" })
}

// provenanceLine is the provenance in one line.
func provenanceLine(a *analysis.Answers) string {
	return strings.Join(each(provenance(a), func(o origin) string { return o.name + " " + o.value }), " · ")
}
