package analysis

import (
	"fmt"
	"slices"

	"moobench/analysis/figure"
	"moobench/results"
)

// Repeats says what became of the disturbed invocations of a scenario that extra
// blocks repeated. All that completed are in the numbers; Kept, of a metric and of
// an answer, is without the repeated ones.
type Repeats struct {
	Repeated  int    `json:"repeated"`  // invocations that were repeated
	Completed int    `json:"completed"` // invocations that gave numbers, the repeated ones included
	Primary   string `json:"primary"`   // always all
	// P is the smallest p of Fisher's exact tests that a cell was repeated as
	// often as all others, Holm-adjusted.
	P    *float64 `json:"p,omitempty"`
	Cell string   `json:"cell,omitempty"` // ID of that cell
	// Uneven says that P is below 0.05: what hits one cell more than the others may be
	// its own doing.
	Uneven bool `json:"uneven,omitempty"`
	// Differs names the comparisons whose verdict is another one without the
	// repeated invocations.
	Differs []string `json:"differs,omitempty"`
	Text    string   `json:"text"` // in words, with the reason
}

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

// settleRepeats answers for the scenario over all invocations that completed, and
// puts beside that what it would be without those that were repeated. It returns
// the reader of the evidence.
func (r *reader) settleRepeats() (Scenario, *reader) {
	used := r.over(r.made)
	s := used.answerAll()
	if !slices.ContainsFunc(r.cells(), func(c *results.Cell) bool { return len(r.repeated(c.ID)) > 0 }) {
		return s, used
	}
	without := r.over(kept(r.made)).answerAll()
	s.Repeats = r.repeatsOf(&s, &without)
	if s.Repeats.Uneven || len(s.Repeats.Differs) > 0 {
		s.Notes = append(s.Notes, s.Repeats.Text)
	}
	both(&s, &without)
	return s, used
}

// both puts the answers without the repeated invocations beside those over all.
func both(s, kept *Scenario) {
	for i := range s.Cells {
		for j := range s.Cells[i].Metrics {
			if m := &s.Cells[i].Metrics[j]; m.Metric == s.Primary {
				m.Kept, m.All = kept.Cells[i].Metrics[j].Difference, m.Difference
			}
		}
	}
	for i := range s.Answers {
		a, k := &s.Answers[i], kept.Answers[i].Difference
		a.Kept, a.All = k, a.Difference
		if k != nil && k.Interval != nil {
			a.Without = fmt.Sprintf("without the disturbed that were repeated: %s, n = %d", inWords(k, a.Unit), k.N)
		}
	}
}

// inWords is +2.016 µs (1.981 … 2.052).
func inWords(e *Estimate, unit string) string {
	if e == nil || e.Interval == nil {
		return "not known"
	}
	s := figure.Fit(unit, e.Value, e.Interval.Low, e.Interval.High)
	return fmt.Sprintf("%s (%s … %s)", s.WithUnit(s.Signed(e.Value)), s.Number(e.Interval.Low), s.Number(e.Interval.High))
}
