package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

// ratesAlpha is the level at which the rates of repeated invocations count as
// different.
const ratesAlpha = 0.05

// repeatsOf says what became of the repeated invocations, from the answers over
// all that completed and those without the repeated ones. The first are primary
// always: what a variant does to itself hits it alone, and no rule that looks at
// the values tells that from a visitor often enough.
func (r *reader) repeatsOf(all, kept *Scenario) *Repeats {
	rep := &Repeats{Primary: "all"}
	var counts []string
	for _, c := range all.Cells {
		rep.Completed += c.OK
		if c.Repeated > 0 {
			rep.Repeated += c.Repeated
			counts = append(counts, fmt.Sprintf("%s %d", c.Label, c.Repeated))
		}
	}
	rep.Text = fmt.Sprintf("all completed invocations count, also the %d of %d that were disturbed and repeated (%s)", rep.Repeated, rep.Completed, strings.Join(counts, ", "))
	if rates := r.rates(all.Cells, rep); rep.P != nil && *rep.P < ratesAlpha {
		rep.Uneven = true
		rep.Text += "; " + rates + ": what hits one cell more than the others may be its own doing"
	}
	if rep.Differs = differing(all, kept); len(rep.Differs) > 0 {
		rep.Text += "; without them the verdict differs: " + strings.Join(rep.Differs, "; ")
	}
	return rep
}

// rates compares how often each cell was repeated with all others, a baseline
// and its A/A counting as one: Fisher's exact test, Holm-adjusted over the
// cells. It fills in the smallest p, and returns what it is about.
func (r *reader) rates(cells []Cell, rep *Repeats) string {
	groups := groupsOf(cells)
	if len(groups) < 2 {
		return ""
	}
	ps := make([]float64, len(groups))
	for i, g := range groups {
		p, err := stats.FisherExact(g.repeated, g.ok-g.repeated, rep.Repeated-g.repeated, rep.Completed-g.ok-rep.Repeated+g.repeated)
		if err != nil {
			p = 1
		}
		ps[i] = p
	}
	if len(ps) > 2 { // of two cells it is one test, asked twice
		ps = stats.Holm(ps)
	}
	least := 0
	for i, g := range groups {
		if order := cmp.Compare(ps[i], ps[least]); order < 0 || order == 0 && g.share() > groups[least].share() {
			least = i
		}
	}
	g := groups[least]
	rep.P, rep.Cell = &ps[least], g.id
	return fmt.Sprintf("%s was disturbed and repeated in %d of %s, the others in %d of %d (Fisher's exact test, Holm, %s)",
		g.label, g.repeated, figure.Plural(g.ok, "invocation", "invocations"), rep.Repeated-g.repeated, rep.Completed-g.ok, figure.P(*rep.P))
}

// group is a cell, a baseline together with its A/A, and how many of its
// completed invocations were repeated.
type group struct {
	id, label    string
	ok, repeated int
}

func (g group) share() float64 { return float64(g.repeated) / float64(max(1, g.ok)) }

func groupsOf(cells []Cell) []group {
	var all []group
	at := map[string]int{}
	for _, c := range cells {
		id := c.ID
		if c.Role == results.RoleAA {
			id = c.Baseline
		}
		i, known := at[id]
		if !known {
			i, at[id] = len(all), len(all)
			all = append(all, group{id: id, label: c.Label})
		}
		all[i].ok += c.OK
		all[i].repeated += c.Repeated
	}
	return slices.DeleteFunc(all, func(g group) bool { return g.ok == 0 })
}

// differing names the comparisons whose verdict is another one without the
// repeated invocations.
func differing(all, kept *Scenario) []string {
	var found []string
	add := func(label, unit string, v, w Verdict, d, k *Estimate) {
		if v != w {
			found = append(found, fmt.Sprintf("%s is %s with them and %s without", label, inWords(d, unit), inWords(k, unit)))
		}
	}
	for i, c := range all.Cells {
		for j, m := range c.Metrics {
			if k := kept.Cells[i].Metrics[j].Difference; m.Metric == all.Primary && c.Role == results.RoleVariant {
				add("the difference of "+c.Label, unitOf(all, m.Metric), plainVerdict(m.Difference), plainVerdict(k), m.Difference, k)
			}
		}
	}
	for i, a := range all.Answers {
		k := kept.Answers[i]
		add("the answer to “"+a.Text+"”", a.Unit, a.Verdict, k.Verdict, a.Difference, k.Difference)
	}
	return found
}

// plainVerdict is that of a difference alone.
func plainVerdict(e *Estimate) Verdict { return infer.VerdictOf(e, 0, stats.TwoSided, nil) }

func unitOf(s *Scenario, metric string) string {
	for _, m := range s.Metrics {
		if m.Name == metric {
			return m.Unit
		}
	}
	return ""
}
