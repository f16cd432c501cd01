// Package compare sets campaigns beside each other: yesterday's and today's, or
// those of several versions.
//
// Each campaign is one night. What a cell costs in it is what it adds to its own
// baseline, which was measured in the same blocks, in the metric's unit; what two nights
// differ by is the difference of the two costs. Where the reference is monitored itself,
// a cost is the logarithm of the ratio to it, from which the night's own speed cancels. Of
// both, d = c_new - c_old, with
//
//	SE² = SE_old² + SE_new² [+ 2 s²],  df by Satterthwaite (1946),
//
// s² being the variance between nights, which only a history knows: the sample
// variance of the nights of the current level less the mean of their own SE² (of
// differences, which the history has no SE of: less the mean SE² of the two that are
// compared), not below 0. Without a history it is not in the intervals, which are then about
// these two nights and not about any two.
//
// Where both campaigns know how fast their CPU was, both are first carried to the speed
// between theirs, by one elasticity where the program is the same, and 2 τ² is added, τ being
// what campaigns differ by of themselves (METHOD.md, sections 20 and 21).
//
// SE and degrees of freedom are those of the campaigns' own intervals: that of a
// sized scenario keeps the spread and the degrees of freedom of its pilot.
//
// Verdicts are read from intervals at 1 - 0.05/m, m the compared cells of one
// scenario, metric and factor level; equivalence within the margin is shown by
// two one-sided tests (Schuirmann 1987) at 0.05/m; printed p values are Holm's
// (1979).
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
	// confidence of the intervals of a family together.
	confidence = 1 - alpha
	alpha      = 0.05
	// defaultMargin is the share within which a change does not matter.
	defaultMargin = 0.03
	// most campaigns that are compared at once.
	most = 10
)

// ErrNothing means that the campaigns have no cell in common.
var ErrNothing = errors.New("they have no cell in common: no scenario, variant and factor level is in the first one and in another")

// Options of a comparison.
type Options struct {
	// Folders are named beside the campaigns, in their order.
	Folders []string
	// Margin is the share within which a change does not matter; 0 is 0.03.
	Margin float64
	// All compares every metric, not only primary and key ones.
	All bool
	// Anyway compares unlike campaigns, and says so in the comparison.
	Anyway bool
	// Nights are what the history of these cells says of nights; nil leaves the
	// variation between nights out.
	Nights *history.Findings
	// Solver remembers what designs detect; nil is a new one.
	Solver infer.Solver
}

// Several sets two campaigns to ten against the first of them; the changes of all of
// them are one family. Campaigns that are not alike are an *UnlikeError unless o.Anyway,
// those without a common cell ErrNothing.
func Several(as []*analysis.Answers, o Options) (*Comparison, error) {
	if len(as) < 2 || len(as) > most {
		return nil, fmt.Errorf("comparing %s: from two to %d can be compared", figure.Plural(len(as), "campaign", "campaigns"), most)
	}
	if o.Margin == 0 {
		o.Margin = defaultMargin
	}
	if !(o.Margin > 0) || math.IsInf(o.Margin, 0) {
		return nil, fmt.Errorf("comparing campaigns: a margin of %v is no share above 0", o.Margin)
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
			Title: col.title, Name: a.Campaign.Name, Start: a.Campaign.Start, Blocks: a.Campaign.Blocks, Moobench: version(a),
			Machines: machines(a), Runtimes: a.Campaign.Runtimes, Incomplete: a.Unanswered, Warnings: a.Warnings,
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

// notIncluded is what every output says where the variation between nights is
// not in the intervals.
const notIncluded = "between-night variation not included"

// addNotes says what the changes are about, and names those whose Holm's p is below
// alpha although their intervals, which are Bonferroni's, leave them undecided. The
// history of the nights is known or not.
func (c *Comparison) addNotes(known bool) {
	night := "one night against one night"
	if len(c.Campaigns) > 2 {
		night = "each campaign is one night"
	}
	included := 0
	var guessed []float64         // what campaigns are taken to differ by
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
						sharper = append(sharper, r.Cell+" ("+m.Metric.Name+prose.If(len(c.Campaigns) > 2, ", %s", change.Campaign)+")")
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
		night += fmt.Sprintf(": that campaigns differ by %s%s of themselves is in the intervals, a guess; ",
			strings.TrimSuffix(figure.Percent(least), prose.If(most > least, " %%")), prose.If(most > least, " to %s", figure.Percent(most))) +
			prose.If(known, "the history has fewer than %d nights of every cell, on this machine and JDK", leastNights) +
			prose.If(!known, "--history FILE knows what nights here differ by")
	case !known:
		night += ": " + notIncluded + "; --history FILE includes it"
	case included == 0:
		night += fmt.Sprintf(": %s, because the history has fewer than %d nights of every cell, on this machine and JDK", notIncluded, leastNights)
	case len(lacking) > 0:
		night += fmt.Sprintf(": what nights differ by is in the intervals; %s of %s, of which the history has fewer than %d nights", notIncluded, firstFew(lacking), leastNights)
	default:
		night += ": what nights differ by is in the intervals"
	}
	c.Notes = []string{night}
	if len(sharper) > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s: Holm's p is below %v, although the simultaneous interval leaves the change undecided. Holm is the sharper of the two, and has no interval: the verdict is the interval's", firstFew(sharper), alpha))
	}
}

// firstFew names the first few of many.
func firstFew(names []string) string {
	const few = 3
	more := figure.Count(int64(len(names) - few))
	return strings.Join(names[:min(few, len(names))], ", ") + prose.If(len(names) > few, " and %s more", more)
}
