package analysis

import (
	"fmt"
	"slices"

	"moobench/analysis/figure"
	"moobench/results"
)

// Repeats says what became of the disturbed invocations of a scenario that extra
// blocks repeated.
type Repeats struct {
	Repeated  int   `json:"repeated"`
	Completed int   `json:"completed"` // invocations that gave numbers, the repeated ones included
	Primary   Basis `json:"primary"`
	// P is the smallest p of Fisher's exact tests that a cell was repeated as
	// often as all others, Holm-adjusted; Cell is that cell's ID.
	P    *float64 `json:"p,omitempty"`
	Cell string   `json:"cell,omitempty"`
	// Moved is how far the answer that moves most lies from itself over all
	// completed invocations, in half-widths of its interval over the kept ones.
	Moved *float64 `json:"moved,omitempty"`
	Text  string   `json:"text"`
}

// Basis is the set of invocations that numbers rest on.
type Basis string

const (
	BasisKept Basis = "kept" // without the disturbed invocations that were repeated
	BasisAll  Basis = "all"  // all that gave numbers
)

// findRepeats settles which invocation stands for a disturbed one: its cell's in
// the extra block that names it, once that is there and has numbers, with its
// baseline. Those without stay in.
func findRepeats(c *results.Campaign, all []evidence) {
	type place struct {
		block int
		cell  string
	}
	at, done := map[string]*evidence{}, map[place]string{}
	for i, e := range all {
		at[e.Identity.String()] = &all[i]
		if e.Status == results.StatusOK && e.Void == "" {
			done[place{e.Block, e.Cell}] = e.Identity.String()
		}
	}
	for _, b := range c.Blocks {
		for _, id := range b.Repeats {
			e := at[id]
			if b.Kind != results.BlockExtra || e == nil || e.Status != results.StatusOK || e.Void != "" || e.Disturbed == nil || e.Profile != b.Profile || e.Block >= b.Number {
				continue
			}
			baseline := c.Cell(e.Cell).Baseline
			if repeat := done[place{b.Number, e.Cell}]; baseline == "" || done[place{b.Number, baseline}] != "" {
				e.repeatedBy = repeat
			}
		}
	}
}

// kept are the invocations that no other stands for.
func kept(all map[string][]evidence) map[string][]evidence {
	rest := map[string][]evidence{}
	for cell, es := range all {
		for _, e := range es {
			if e.repeatedBy == "" {
				rest[cell] = append(rest[cell], e)
			}
		}
	}
	return rest
}

// repeated are the invocations of a cell that others stand for.
func (r *reader) repeated(cell string) []evidence {
	return slices.DeleteFunc(slices.Clone(r.made[cell]), func(e evidence) bool { return e.repeatedBy == "" })
}

// over is the same reader of other evidence.
func (r *reader) over(all map[string][]evidence) *reader {
	other := *r
	other.all, other.void = all, map[string]string{}
	return &other
}

// settleRepeats answers for the scenario over the invocations that count: without those
// that were repeated, unless leaving them out could be a choice that the
// variants made. It returns the reader of that evidence.
func (r *reader) settleRepeats() (Scenario, *reader) {
	some := slices.ContainsFunc(r.cells(), func(c *results.Cell) bool { return len(r.repeated(c.ID)) > 0 })
	without, with := r.over(kept(r.made)), r.over(r.made)
	if !some {
		return with.answerAll(), with
	}
	a, b := without.answerAll(), with.answerAll()
	rep := r.weigh(&a, &b)
	s, used := &a, without
	if rep.Primary == BasisAll {
		s, used = &b, with
	}
	both(s, &a, &b)
	s.Repeats, s.Notes = rep, append(s.Notes, rep.Text)
	return *s, used
}

// both puts the answers of both kinds beside those of s, which is one of the
// two.
func both(s, kept, all *Scenario) {
	for i := range s.Cells {
		for j := range s.Cells[i].Metrics {
			if m := &s.Cells[i].Metrics[j]; m.Metric == s.Primary {
				m.Kept, m.All = kept.Cells[i].Metrics[j].Difference, all.Cells[i].Metrics[j].Difference
			}
		}
	}
	for i := range s.Answers {
		a, k, w := &s.Answers[i], kept.Answers[i].Difference, all.Answers[i].Difference
		a.Kept, a.All = k, w
		other, which := w, "over all completed invocations"
		if s == all {
			other, which = k, "without those that were repeated"
		}
		if a.Detail != "" && other != nil && other.Interval != nil {
			a.Detail += fmt.Sprintf("; %s: %s, n = %d", which, inWords(other, a.unit), other.N)
		}
	}
}

// inWords is +2.016 µs (1.981 … 2.052).
func inWords(e *Estimate, unit string) string {
	s := figure.Fit(unit, e.Value, e.Interval.Low, e.Interval.High)
	return fmt.Sprintf("%s (%s … %s)", s.WithUnit(s.Signed(e.Value)), s.Number(e.Interval.Low), s.Number(e.Interval.High))
}
