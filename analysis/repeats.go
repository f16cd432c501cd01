package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moobench/analysis/evidence"
	"moobench/analysis/figure"
	"moobench/analysis/proof"
	"moobench/analysis/prose"
	"moobench/analysis/reading"
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

// settleRepeats adds the answers without repeated invocations to those over all completed ones, and says where
// a verdict changes. The latter stay primary: what a variant does to itself hits it alone, and no rule that
// looks at the values reliably tells that from an outside disturbance.
func (r *reader) settleRepeats(s *Scenario) {
	anyRepeated := func(c *results.Cell) bool { return slices.ContainsFunc(r.ByCell[c.ID], repeated) }
	if !slices.ContainsFunc(r.Cells, anyRepeated) {
		return
	}
	without := &reader{r.Without(repeated)}
	proof.Judge(without.View)
	rep := &Repeats{Primary: "all"}
	differs := func(what, unit string, v, w Verdict, d, kept *Estimate) {
		if v != w {
			rep.Differs = append(rep.Differs, fmt.Sprintf(
				"%s is %s with them and %s without", what, prose.WithInterval(d, unit), prose.WithInterval(kept, unit)))
		}
	}
	var counts []string
	for i := range s.Cells {
		c := &s.Cells[i]
		rep.Completed += c.OK
		if c.Repeated > 0 {
			rep.Repeated += c.Repeated
			counts = append(counts, fmt.Sprintf("%s %d", c.Label, c.Repeated))
		}
		if m := c.MetricNamed(s.Primary); m != nil {
			m.Kept, m.All = without.metric(r.Cells[i], r.Primary).Difference, m.Difference
			if c.Role == results.RoleVariant {
				differs("the difference of "+c.Label, r.Primary.Unit, reading.PlainVerdict(m.All),
					reading.PlainVerdict(m.Kept), m.All, m.Kept)
			}
		}
	}
	for i, kept := range without.answers(nil) {
		a := &s.Answers[i]
		differs("the answer to “"+a.Text+"”", a.Unit, a.Verdict, kept.Verdict, a.Difference, kept.Difference)
		a.Kept, a.All = kept.Difference, a.Difference
		if a.Kept != nil && a.Kept.Interval != nil {
			a.Without = fmt.Sprintf("without the disturbed that were repeated: %s, n = %d",
				prose.WithInterval(a.Kept, a.Unit), a.Kept.N)
		}
	}
	rep.Text = fmt.Sprintf("all completed invocations count, also the %d of %d that were disturbed and repeated (%s)",
		rep.Repeated, rep.Completed, strings.Join(counts, ", "))
	if rates := rep.compareRates(s.Cells); rep.P != nil && *rep.P < ratesAlpha {
		rep.Uneven = true
		rep.Text += "; " + rates + ": what hits one cell more than the others may be its own doing"
	}
	rep.Text += prose.If(len(rep.Differs) > 0, "; without them the verdict differs: %s",
		strings.Join(rep.Differs, "; "))
	if s.Repeats = rep; rep.Uneven || len(rep.Differs) > 0 {
		s.Notes = append(s.Notes, rep.Text)
	}
}

// compareRates compares how often each cell was repeated with all others, counting a baseline and its A/A as
// one: Fisher's exact test, Holm-adjusted over the cells. It fills in the smallest p, and returns that
// comparison in words.
func (rep *Repeats) compareRates(cells []Cell) string {
	subject := func(c Cell) string {
		if c.Role == results.RoleAA {
			return c.Baseline
		}
		return c.ID
	}
	var sums []Cell // cells, with their second baselines added
	var ps []float64
	for _, group := range stats.Grouped(cells, subject) {
		g := Cell{ID: subject(group[0]), Label: group[0].Label}
		for _, c := range group {
			g.OK, g.Repeated = g.OK+c.OK, g.Repeated+c.Repeated
		}
		if g.OK == 0 {
			continue
		}
		p, err := stats.FisherExact(g.Repeated, g.OK-g.Repeated, rep.Repeated-g.Repeated,
			rep.Completed-g.OK-rep.Repeated+g.Repeated)
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
	share := func(g Cell) float64 { return float64(g.Repeated) / float64(g.OK) }
	least := 0
	for i, g := range sums {
		if cmp.Or(cmp.Compare(ps[i], ps[least]), cmp.Compare(share(sums[least]), share(g))) < 0 {
			least = i
		}
	}
	g := sums[least]
	rep.P, rep.Cell = &ps[least], g.ID
	return fmt.Sprintf(
		"%s was disturbed and repeated in %d of %s, the others in %d of %d (Fisher's exact test, Holm, %s)",
		g.Label, g.Repeated, figure.Plural(g.OK, "invocation", "invocations"), rep.Repeated-g.Repeated,
		rep.Completed-g.OK, figure.P(*rep.P))
}
