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
	moved := farthest(kept, all, rep)
	uneven := rep.P != nil && *rep.P < ratesAlpha
	if !uneven && (rep.Moved == nil || *rep.Moved <= 1) && moved.why == "" {
		rep.Text = "repeated because they were disturbed, and left out: " + which
		if rep.P != nil {
			rep.Text += "; no cell more often than chance would have it (Fisher's exact test, Holm, " + figure.P(*rep.P) + ")"
		}
		if rep.Moved != nil {
			rep.Text += fmt.Sprintf("; over all of them no answer moves by more than %s of its half-width", figure.Percent(*rep.Moved))
		}
		return rep
	}
	rep.Primary = BasisAll
	rep.Text = "repeated because they were disturbed, and yet kept in: " + which + ", because "
	if uneven {
		rep.Text += rates + ": what hits one cell more than the others may be its own doing, and leaving it out would leave out a part of its cost"
	} else {
		rep.Text += moved.text + ": what changes an answer by more than its half-width is not left out"
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

// distance says how far apart an answer is with and without repeated
// invocations; why is not empty when that alone decides.
type distance struct{ text, why string }

// farthest finds the answer that moves most, in half-widths of the kept one.
func farthest(kept, all *Scenario, rep *Repeats) distance {
	var found distance
	look := func(label, unit string, k, a *Estimate) {
		switch {
		case a == nil || a.Interval == nil:
			return
		case k == nil || k.Interval == nil:
			found = distance{"there is no interval of " + label + " without them", "no interval"}
			return
		}
		half, apart := (k.Interval.High-k.Interval.Low)/2, math.Abs(a.Value-k.Value)
		moved := apart / half
		if apart == 0 {
			moved = 0
		}
		if found.why != "" || rep.Moved != nil && moved <= *rep.Moved {
			return
		}
		found.text = fmt.Sprintf("%s is %s without them and %s with them", label, inWords(k, unit), inWords(a, unit))
		if !finite(moved) {
			found.why = "values without spread"
			return
		}
		rep.Moved = &moved
	}
	for i := range kept.Cells {
		for j, m := range kept.Cells[i].Metrics {
			if m.Metric == kept.Primary && kept.Cells[i].Role == results.RoleVariant {
				look("the difference of "+kept.Cells[i].Label, unitOf(kept, m.Metric), m.Difference, all.Cells[i].Metrics[j].Difference)
			}
		}
	}
	for i, a := range kept.Answers {
		look("the answer to “"+a.Text+"”", a.unit, a.Difference, all.Answers[i].Difference)
	}
	return found
}

func unitOf(s *Scenario, metric string) string {
	for _, m := range s.Metrics {
		if m.Name == metric {
			return m.Unit
		}
	}
	return ""
}
