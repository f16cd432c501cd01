// Package repeats says what became of disturbed invocations that extra blocks repeated.
package repeats

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moobench/analysis/caveat"
	"moobench/analysis/chapter"
	"moobench/analysis/evidence"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/proof"
	"moobench/analysis/prose"
	"moobench/analysis/reading"
	"moobench/analysis/report/doc"
	"moobench/analysis/rows"
	"moobench/analysis/stats"
	"moobench/results"
)

// Repeats says what became of the disturbed invocations of a scenario that extra blocks repeated. All completed
// ones are in the numbers; Kept, of a metric and of an answer, leaves out the repeated ones.
type Repeats struct {
	Repeated  int    `json:"repeated"`  // invocations that were repeated
	Completed int    `json:"completed"` // invocations that gave numbers, the repeated ones included
	Primary   string `json:"primary"`   // always all
	// P is the smallest p of Fisher's exact tests that compare how often a cell and all others were repeated,
	// Holm-adjusted.
	P    *float64 `json:"p,omitempty"`
	Cell string   `json:"cell,omitempty"` // ID of that cell
	// Uneven says that P is below 0.05: disturbances that hit one cell more than the others may be its own
	// doing.
	Uneven bool `json:"uneven,omitempty"`
	// Differs names the comparisons whose verdict changes without the repeated invocations.
	Differs []string `json:"changed_verdicts,omitempty"`
	Text    string   `json:"text"` // in words, with the reason
}

// ratesAlpha is the level at which rates of repetition count as different.
const ratesAlpha = 0.05

// repeated reports whether an invocation was disturbed and another one repeats it.
func repeated(e *evidence.Invocation) bool { return e.RepeatedBy != "" }

// Without returns the reading without the repeated invocations; nil if there are none.
func Without(r *reading.Reading) *reading.Reading {
	anyRepeated := func(c *results.Cell) bool { return slices.ContainsFunc(r.ByCell[c.ID], repeated) }
	if !slices.ContainsFunc(r.Cells, anyRepeated) {
		return nil
	}
	without := r.Without(repeated)
	proof.Judge(without.View)
	return without
}

// Compared is a comparison by all completed invocations, and without the repeated ones. All stays primary: what a
// variant does to itself hits it alone, and no rule that looks at the values reliably tells that from an outside
// disturbance.
type Compared struct {
	What      string // the difference of agent
	Unit      string
	All, Kept infer.Answer // with their differences and verdicts only
}

// Text puts the difference without the repeated invocations in words; "" if it has no interval.
func (c *Compared) Text() string {
	e := c.Kept.Difference
	if e == nil || e.Interval == nil {
		return ""
	}
	return fmt.Sprintf("without the disturbed invocations that were repeated: %s, n = %d", prose.WithInterval(e, c.Unit), e.N)
}

// Of says how often the cells of a scenario were repeated, and which of its comparisons hang on that.
func Of(r *reading.Reading, compared []Compared) *Repeats {
	rep := &Repeats{Primary: "all"}
	var cells []count
	var counts []string
	for _, c := range r.Cells {
		es := r.Primaries(c.ID)
		n := count{c, len(evidence.Select(es, repeated)), len(es)}
		cells, rep.Repeated, rep.Completed = append(cells, n), rep.Repeated+n.repeated, rep.Completed+n.completed
		if n.repeated > 0 {
			counts = append(counts, fmt.Sprintf("%s %d", c.Label(), n.repeated))
		}
	}
	for _, c := range compared {
		if c.All.Verdict != c.Kept.Verdict {
			rep.Differs = append(rep.Differs, fmt.Sprintf("%s is %s with them and %s without", c.What,
				prose.WithInterval(c.All.Difference, c.Unit), prose.WithInterval(c.Kept.Difference, c.Unit)))
		}
	}
	rep.Text = fmt.Sprintf("all completed invocations count, also the %d of %d that were disturbed and repeated (%s)",
		rep.Repeated, rep.Completed, strings.Join(counts, ", "))
	if rates := rep.compareRates(cells); rep.P != nil && *rep.P < ratesAlpha {
		rep.Uneven = true
		rep.Text += "; " + rates + ": a cell that is disturbed more than the others may cause it itself"
	}
	rep.Text += prose.If(len(rep.Differs) > 0, "; without them the verdict differs: %s",
		strings.Join(rep.Differs, "; "))
	return rep
}

// count says how many invocations of a cell were completed, and how many of these repeated.
type count struct {
	*results.Cell
	repeated, completed int
}

// compareRates compares how often each cell was repeated with all others, counting a baseline and its A/A as
// one: Fisher's exact test, Holm-adjusted over the cells. It fills in the smallest p, and returns that
// comparison in words.
func (rep *Repeats) compareRates(cells []count) string {
	subject := func(c count) string {
		if c.Role == results.RoleAA {
			return c.Baseline
		}
		return c.ID
	}
	var sums []count // cells, with their second baselines added
	var ps []float64
	for _, group := range stats.Grouped(cells, subject) {
		g := count{Cell: group[0].Cell}
		for _, c := range group {
			g.completed, g.repeated = g.completed+c.completed, g.repeated+c.repeated
		}
		if g.completed == 0 {
			continue
		}
		p, err := stats.FisherExact(g.repeated, g.completed-g.repeated, rep.Repeated-g.repeated,
			rep.Completed-g.completed-rep.Repeated+g.repeated)
		if err != nil {
			p = 1
		}
		sums, ps = append(sums, g), append(ps, p)
	}
	if len(ps) < 2 {
		return ""
	}
	if len(ps) > 2 { // with two cells it is one test, asked twice
		ps = stats.Holm(ps)
	}
	share := func(g count) float64 { return float64(g.repeated) / float64(g.completed) }
	least := 0
	for i, g := range sums {
		if cmp.Or(cmp.Compare(ps[i], ps[least]), cmp.Compare(share(sums[least]), share(g))) < 0 {
			least = i
		}
	}
	g := sums[least]
	rep.P, rep.Cell = &ps[least], subject(g)
	return fmt.Sprintf(
		"%s was disturbed and repeated in %d of %s, the others in %d of %d (Fisher's exact test, Holm, %s)",
		g.Label(), g.repeated, figure.Plural(g.completed, "invocation", "invocations"), rep.Repeated-g.repeated,
		rep.Completed-g.completed, figure.P(*rep.P))
}

// Notes say it where a cell was repeated more often than the others, or a verdict hangs on the repeated ones.
func (rep *Repeats) Notes() []string {
	if rep == nil || !rep.Uneven && len(rep.Differs) == 0 {
		return nil
	}
	return []string{rep.Text}
}

// Marks is empty: a cell that was repeated says so among its other disturbances.
func (rep *Repeats) Marks() map[string][]caveat.Mark { return nil }

// Show is empty: the notes say it.
func (rep *Repeats) Show(*chapter.Scene) []doc.Block { return nil }

// Rows is empty: exports have the numbers of all invocations.
func (rep *Repeats) Rows(*chapter.Scene) []rows.Row { return nil }
