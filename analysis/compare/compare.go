package compare

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/history"
	"moobench/analysis/infer"
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
}

// Compare sets a newer campaign against an older one. Campaigns that are not
// alike are an *UnlikeError unless o.Anyway, those without a common cell
// ErrNothing.
func Compare(older, newer *analysis.Answers, o Options) (*Comparison, error) {
	return Several([]*analysis.Answers{older, newer}, o)
}

// Several sets two campaigns to ten against the first of them, as Compare does;
// the changes of all of them are one family.
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
	unlike := t.unlike()
	if len(unlike) > 0 && !o.Anyway {
		return nil, &UnlikeError{Titles: t.titles(), Lines: unlike}
	}
	c := &Comparison{
		Version: Version, Margin: o.Margin, Confidence: confidence, Unlike: unlike, Changed: t.changed(),
		Scenarios: []Scenario{}, Only: t.only,
	}
	for i, col := range t.columns {
		c.Campaigns = append(c.Campaigns, col.campaign(folder(o.Folders, i)))
	}
	j := newJudge(t, o)
	for _, s := range t.sections {
		if sc := j.scenario(s); len(sc.Metrics) > 0 {
			c.Scenarios = append(c.Scenarios, sc)
		}
	}
	c.Notes = c.notes(o.Nights != nil)
	if text := c.sharper(); text != "" {
		c.Notes = append(c.Notes, text)
	}
	return c, nil
}

func folder(all []string, i int) string {
	if i < len(all) {
		return all[i]
	}
	return ""
}

// campaign is what stands at the head of a column.
func (c column) campaign(folder string) Campaign {
	a := c.answers
	one := Campaign{
		Title: c.title, Folder: folder, Name: a.Campaign.Name, Start: a.Campaign.Start, Blocks: a.Campaign.Blocks,
		Moobench: version(a), Machines: machines(a), Runtimes: a.Campaign.Runtimes, Incomplete: a.Unanswered,
		Warnings: a.Warnings,
	}
	for _, s := range a.Scenarios {
		for _, aa := range s.AA {
			if aa.State == analysis.AAFailed {
				one.Failed = append(one.Failed, strings.TrimSpace(s.Label+" "+aa.Level)+": "+aa.Text.Rest)
			}
		}
	}
	return one
}

// NotIncluded is what every output says where the variation between nights is
// not in the intervals.
const NotIncluded = "between-night variation not included"

// notes say what the changes are about.
func (c *Comparison) notes(known bool) []string {
	night := "one night against one night"
	if len(c.Campaigns) > 2 {
		night = "each campaign is one night"
	}
	included, lacking := 0, []string{}
	for _, s := range c.Scenarios {
		for _, m := range s.Metrics {
			for _, r := range m.Rows {
				has, lacks := r.nights()
				included += has
				if lacks > 0 {
					lacking = append(lacking, r.Cell+" ("+m.Metric.Name+")")
				}
			}
		}
	}
	switch {
	case !known:
		return []string{night + ": " + NotIncluded + ", so the intervals are about these nights and not about any others; --history FILE includes what the nights in it differed by"}
	case included == 0:
		return []string{fmt.Sprintf("%s: %s, because the history has fewer than %d nights of every cell here against its own reference, on this machine and JDK", night, NotIncluded, leastNights)}
	case len(lacking) > 0:
		return []string{fmt.Sprintf("%s: what nights differ by of themselves is in the intervals; %s of %s, of which the history has fewer than %d nights against the same reference", night, NotIncluded, some(lacking), leastNights)}
	}
	return []string{night + ": what nights differ by of themselves, as the history knows it, is in the intervals"}
}

// sharper names the changes whose Holm's p is below alpha although their intervals,
// which are Bonferroni's, leave them undecided; "" when there are none.
func (c *Comparison) sharper() string {
	var cells []string
	for _, s := range c.Scenarios {
		for _, m := range s.Metrics {
			for _, r := range m.Rows {
				for _, change := range r.Changes {
					if change.Verdict != infer.UndecidedYet || change.PHolm == nil || *change.PHolm >= alpha {
						continue
					}
					what := m.Metric.Name
					if len(c.Campaigns) > 2 {
						what += ", " + change.Campaign
					}
					cells = append(cells, r.Cell+" ("+what+")")
				}
			}
		}
	}
	if len(cells) == 0 {
		return ""
	}
	return fmt.Sprintf("%s: Holm's p is below %v, although the simultaneous interval leaves the change undecided. Holm is the sharper of the two, and has no interval: the verdict is the interval's", some(cells), alpha)
}

// nights counts the changes of a variant's overhead that have the variation
// between nights in them, and those that lack it.
func (r *Row) nights() (has, lacks int) {
	for _, c := range r.Changes {
		switch {
		case r.Role != results.RoleVariant || c.Raw || c.SE == nil:
		case c.Between != nil:
			has++
		default:
			lacks++
		}
	}
	return has, lacks
}
