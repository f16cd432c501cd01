// Package compare compares campaigns: yesterday's with today's, or those of several versions.
//
// Each campaign is one night. The cost of a cell is its difference from its own baseline, measured
// in the same blocks, in the metric's unit; two nights are compared by the difference of their
// costs. If the reference is monitored itself, the cost is the logarithm of the ratio to it, from
// which the night's own speed cancels. In both cases, d = c_new - c_old, with
//
//	SE² = SE_old² + SE_new² [+ 2 s²],  df by Satterthwaite (1946),
//
// where s² is the variance between nights, known only from a history: the sample variance of the
// nights of the current level, less the mean of their own SE² (for differences, whose SE the
// history doesn't know: less the mean SE² of the two compared nights), but not below 0. Without a
// history, s² is not in the intervals, which then describe these two nights only, not nights in
// general.
//
// If the CPU speed of both campaigns is known, both are first carried to the speed between them, by
// one elasticity if the program is the same, and 2 τ² is added; τ is the standard deviation between
// campaigns (METHOD.md, sections 20 and 21).
//
// SE and degrees of freedom come from the campaigns' own intervals: a sized scenario keeps the
// spread and the degrees of freedom of its pilot.
//
// Verdicts are read from intervals at 1 - 0.05/m, where m is the number of compared cells of one
// scenario, metric and factor level; equivalence within the margin is tested by two one-sided tests
// (Schuirmann 1987) at 0.05/m; printed p values are Holm's (1979).
package compare

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/history"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/results"
)

const (
	// confidence is the simultaneous level of the intervals of a family.
	confidence = 1 - alpha
	alpha      = 0.05
	// defaultMargin is the largest relative change that does not matter.
	defaultMargin = 0.03
	// most is the largest number of campaigns in a comparison.
	most = 10
)

// ErrNothing means that the campaigns have no cell in common.
var ErrNothing = errors.New("they have no cell in common: " +
	"no scenario, variant and factor level is in the first one and in another")

// Options configures a comparison.
type Options struct {
	// Folders are shown with the campaigns, in the same order.
	Folders []string
	// Margin is the largest relative change that does not matter; 0 means 0.03.
	Margin float64
	// All compares every metric, not only the primary and key ones.
	All bool
	// Anyway compares unlike campaigns too, and says so in the comparison.
	Anyway bool
	// Nights is the history of these cells; nil leaves the variation between nights out.
	Nights *history.Findings
	// Solver caches detectable effects; nil creates one.
	Solver infer.Solver
}

// Several compares two to ten campaigns with the first of them; all their changes form one family.
// Unless o.Anyway, unlike campaigns return an *UnlikeError; campaigns without a common cell return
// ErrNothing.
func Several(as []*analysis.Answers, o Options) (*Comparison, error) {
	if len(as) < 2 || len(as) > most {
		campaigns := figure.Plural(len(as), "campaign", "campaigns")
		return nil, fmt.Errorf("comparing %s: from two to %d can be compared", campaigns, most)
	}
	if o.Margin == 0 {
		o.Margin = defaultMargin
	}
	if !(o.Margin > 0) || math.IsInf(o.Margin, 0) {
		return nil, fmt.Errorf("comparing campaigns: a margin of %v is not a share above 0", o.Margin)
	}
	t := newTable(as)
	if t.cells() == 0 {
		return nil, ErrNothing
	}
	c := &Comparison{
		Version: results.Format, Margin: o.Margin, Confidence: confidence, Unlike: t.unlike(), Changed: t.changed(),
		Scenarios: []Scenario{}, Only: t.only,
	}
	titles := make([]string, len(t.columns))
	for i, col := range t.columns {
		titles[i] = col.title
		a := col.answers
		one := Campaign{
			Title: col.title, Name: a.Campaign.Name, Start: a.Campaign.Start, Blocks: a.Campaign.Blocks,
			Moobench: version(a), Machines: machines(a), Runtimes: a.Campaign.Runtimes,
			Incomplete: a.Unanswered, Warnings: a.Warnings,
		}
		for _, s := range a.Scenarios {
			for _, aa := range s.AA {
				if aa.State == analysis.AAFailed {
					one.Failed = append(one.Failed, strings.TrimSpace(s.Label+" "+aa.Level)+": "+aa.Text.Rest)
				}
			}
		}
		if i < len(o.Folders) {
			one.Folder = o.Folders[i]
		}
		c.Campaigns = append(c.Campaigns, one)
	}
	if len(c.Unlike) > 0 && !o.Anyway {
		return nil, &UnlikeError{titles, c.Unlike}
	}
	j := &judge{Options: o, table: t, machines: machineIDs(t.columns[0].answers)}
	if j.Solver == nil {
		j.Solver = infer.Solver{}
	}
	for _, s := range t.sections {
		if sc := j.scenario(s); len(sc.Metrics) > 0 {
			c.Scenarios = append(c.Scenarios, sc)
		}
	}
	c.addNotes(o.Nights != nil)
	return c, nil
}

// notIncluded is printed if the intervals leave the variation between nights out.
const notIncluded = "between-night variation not included"

// addNotes says what population the changes describe, and names the changes whose Holm p is below
// alpha although their Bonferroni intervals leave them undecided. known: there is a history of
// nights.
func (c *Comparison) addNotes(known bool) {
	night := "one night against one night"
	if len(c.Campaigns) > 2 {
		night = "each campaign is one night"
	}
	included := 0
	var guessed []float64         // assumed standard deviations between campaigns
	var lacking, sharper []string // cells
	for _, s := range c.Scenarios {
		for _, m := range s.Metrics {
			for _, r := range m.Rows {
				lacks := false
				for _, change := range r.Changes {
					switch {
					case r.Role != results.RoleVariant || change.Raw || change.SE == nil:
					case change.Between != nil:
						included++
					case change.OneSpeed != nil:
						guessed = append(guessed, change.OneSpeed.Between)
					default:
						lacks = true
					}
					if change.Verdict == infer.UndecidedYet && change.PHolm != nil && *change.PHolm < alpha {
						campaign := prose.If(len(c.Campaigns) > 2, ", %s", change.Campaign)
						sharper = append(sharper, r.Cell+" ("+m.Metric.Name+campaign+")")
					}
				}
				if lacks {
					lacking = append(lacking, r.Cell+" ("+m.Metric.Name+")")
				}
			}
		}
	}
	switch {
	case guessed != nil && included == 0 && len(lacking) == 0:
		least, most := slices.Min(guessed), slices.Max(guessed)
		from := strings.TrimSuffix(figure.Percent(least), prose.If(most > least, " %%"))
		to := prose.If(most > least, " to %s", figure.Percent(most))
		night += fmt.Sprintf(": the intervals allow for campaigns that differ by %s%s by chance, a guess; ", from, to)
		if known {
			const few = "the history has fewer than %d nights of every cell, on this machine and JDK"
			night += fmt.Sprintf(few, leastNights)
		} else {
			night += "--history FILE knows how much nights differ here"
		}
	case !known:
		night += ": " + notIncluded + "; --history FILE includes it"
	case included == 0:
		const few = ": %s, because the history has fewer than %d nights of every cell, on this machine and JDK"
		night += fmt.Sprintf(few, notIncluded, leastNights)
	case len(lacking) > 0:
		const part = ": the intervals include the variation between nights; " +
			"%s for %s, of which the history has fewer than %d nights"
		night += fmt.Sprintf(part, notIncluded, firstFew(lacking), leastNights)
	default:
		night += ": the intervals include the variation between nights"
	}
	c.Notes = []string{night}
	if len(sharper) > 0 {
		const contrary = "%s: Holm's p is below %v, although the simultaneous interval leaves the change undecided. " +
			"Holm is the sharper of the two, and has no interval: the verdict is the interval's"
		c.Notes = append(c.Notes, fmt.Sprintf(contrary, firstFew(sharper), alpha))
	}
}

// firstFew lists the first names and counts the others.
func firstFew(names []string) string {
	const few = 3
	more := figure.Count(int64(len(names) - few))
	return strings.Join(names[:min(few, len(names))], ", ") + prose.If(len(names) > few, " and %s more", more)
}
