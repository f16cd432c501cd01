package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/stats"
	"moobench/results"
)

// ratesAlpha is the level at which the rates of repeated invocations count as
// different.
const ratesAlpha = 0.05

// weigh decides which of two answers is primary, that over the kept invocations
// or that over all.
func (r *reader) weigh(kept, all *Scenario) *Repeats {
	rep := &Repeats{Primary: BasisKept}
	var counts []string
	for _, c := range kept.Cells {
		rep.Completed += c.OK
		if c.Repeated > 0 {
			rep.Repeated += c.Repeated
			counts = append(counts, fmt.Sprintf("%s %d", c.Label, c.Repeated))
		}
	}
	which := fmt.Sprintf("%d of %d completed invocations (%s)", rep.Repeated, rep.Completed, strings.Join(counts, ", "))
	rates := r.rates(kept.Cells, rep)
	far, suspect := farthest(kept, all, rep)
	uneven := rep.P != nil && *rep.P < ratesAlpha
	switch {
	case uneven:
		rep.Primary = BasisAll
		rep.Text = yetKept(which, rates+": what hits one cell more than the others may be its own doing, and leaving it out would leave out a part of its cost")
	case suspect != "":
		rep.Primary = BasisAll
		rep.Text = yetKept(which, suspect+": what hits one side alone, and changes the answer by more than its half-width, is not left out")
	default:
		rep.Text = "repeated because they were disturbed, and left out: " + which
		if rep.P != nil {
			rep.Text += "; no cell more often than chance would have it (Fisher's exact test, Holm, " + figure.P(*rep.P) + ")"
		}
		rep.Text += far
	}
	return rep
}

func yetKept(which, why string) string {
	return "repeated because they were disturbed, and yet kept in: " + which + ", because " + why
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

// farthest finds the answer that moves most, in half-widths of the kept one, and
// puts it in words. suspect is not empty when an answer moves by more than its
// half-width, or has an interval only with the repeated ones, and one side of it
// alone was hit: a visitor from outside hits a variant and what it is compared
// with alike, what a variant does to itself hits only the variant.
func farthest(kept, all *Scenario, rep *Repeats) (far, suspect string) {
	hit := map[string]int{}
	for _, g := range groupsOf(kept.Cells) {
		hit[g.id] = g.repeated
	}
	for _, c := range kept.Cells {
		if c.Role == results.RoleAA {
			hit[c.ID] = hit[c.Baseline]
		}
	}
	worst := 1.0
	look := func(label, unit, x, y string, k, a *Estimate) {
		moved, text, ok := distance(label, unit, k, a)
		if !ok {
			return
		}
		if finite(moved) && (rep.Moved == nil || moved > *rep.Moved) {
			rep.Moved = &moved
			far = fmt.Sprintf("; over all of them no answer moves by more than %s of its half-width", figure.Percent(moved))
			if moved > 1 {
				far = "; " + text + ", and both sides of it were hit"
			}
		}
		if oneSided := (hit[x] > 0) != (hit[y] > 0); moved > worst && (oneSided || !finite(moved)) {
			worst, suspect = moved, text
		}
	}
	for i, c := range kept.Cells {
		for j, m := range c.Metrics {
			if m.Metric == kept.Primary && c.Role == results.RoleVariant {
				look("the difference of "+c.Label, unitOf(kept, m.Metric), c.ID, c.Baseline, m.Difference, all.Cells[i].Metrics[j].Difference)
			}
		}
	}
	for i, a := range kept.Answers {
		look("the answer to “"+a.Text+"”", a.unit, a.A, a.B, a.Difference, all.Answers[i].Difference)
	}
	return far, suspect
}

// distance is how far two answers are apart, in half-widths of the kept one; it
// is infinite when only the other one has an interval, or the kept one is
// without spread. It is not ok when there is nothing to compare with.
func distance(label, unit string, kept, all *Estimate) (moved float64, text string, ok bool) {
	switch {
	case all == nil || all.Interval == nil:
		return 0, "", false
	case kept == nil || kept.Interval == nil:
		return math.Inf(1), "there is no interval of " + label + " without them", true
	case all.Value != kept.Value:
		moved = math.Abs(all.Value-kept.Value) / ((kept.Interval.High - kept.Interval.Low) / 2)
	}
	return moved, fmt.Sprintf("%s is %s without them and %s with them", label, inWords(kept, unit), inWords(all, unit)), true
}

func unitOf(s *Scenario, metric string) string {
	for _, m := range s.Metrics {
		if m.Name == metric {
			return m.Unit
		}
	}
	return ""
}
