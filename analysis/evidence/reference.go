package evidence

import (
	"slices"

	"moobench/analysis/stats"
	"moobench/analysis/steady"
	"moobench/results"
	"moobench/results/summary"
)

// response is how the calls of a cell follow the reference inside an invocation: how many
// ns a call takes longer where the reference takes one ns longer. It is a regression over
// groups of batches in the second halves, each about the means of its own invocation. The
// steady state is looked for without what it explains; no value is carried by it, because
// batches are too noisy for that: collections, writers and preemption lie in single ones.
type response struct {
	xx, xy, x, y        float64
	groups, invocations float64
}

// steadyShare is by how much of its mean the reference goes up and down where it says
// nothing of the CPU: a tenth of a per cent is seen on a machine at rest, and a slope on that
// is one of noise on noise.
const steadyShare = 0.005

// slope is 0 where nothing is known, and between 0 and that of calls which slow down twice
// as much as the reference does: neither comes from sharing a core. It is a ridge regression
// (Hoerl and Kennard 1970): the less the reference varied, the nearer to 0.
func (r response) slope() float64 {
	if r.xx == 0 {
		return 0
	}
	noise := steadyShare * r.x / r.invocations
	return max(0, min(r.xy/(r.xx+r.groups*noise*noise), 2*r.y/r.x))
}

// add takes in the batches of an invocation.
func (r *response) add(reference, calls []float64) {
	n := min(len(reference), len(calls))
	x, y := steady.Filter(grouped(reference[n/2:n])), steady.Filter(grouped(calls[n/2:n]))
	mx, errX := stats.Mean(x)
	my, errY := stats.Mean(y)
	if errX != nil || errY != nil {
		return
	}
	for i := range x {
		r.xx += (x[i] - mx) * (x[i] - mx)
		r.xy += (x[i] - mx) * (y[i] - my)
	}
	r.x, r.y = r.x+mx, r.y+my
	r.groups, r.invocations = r.groups+float64(len(x)), r.invocations+1
}

// group is how many batches stand for one in the regression. What a single one says of the
// reference is too inexact, and makes slopes too flat.
const group = 5

// grouped are the means of groups of batches.
func grouped(batches []float64) []float64 {
	var all []float64
	for g := range slices.Chunk(batches, group) {
		if mean, err := stats.Mean(g); err == nil && len(g) == group {
			all = append(all, mean)
		}
	}
	return all
}

// program is the cell whose program a cell runs: a second baseline is its baseline again. By
// slopes of their own, which differ by chance, they would come apart wherever the reference
// took another time beside them than beside the variants.
func program(c *results.Cell) string {
	if c.Role == results.RoleAA {
		return c.Baseline
	}
	return c.ID
}

// responses are those of the programs beside which a reference was taken.
func responses(src Source, invocations []*results.Invocation) (map[string]response, error) {
	all := map[string]response{}
	for _, inv := range invocations {
		sc := scenarioOf(src.Campaign(), inv)
		if sc == nil || inv.Superseded || inv.Status != results.StatusOK || inv.Invalid != "" || !hasReference(inv) || inv.Profile == results.ProfilePilot {
			continue
		}
		sum, err := src.Summary(inv)
		if err != nil {
			return nil, err
		}
		if c := newColumns(primaryOf(sc), inv, sum); c.reference != nil {
			of := program(src.Campaign().Cell(inv.Cell))
			r := all[of]
			r.add(c.reference, c.means(0, c.least()))
			all[of] = r
		}
	}
	return all, nil
}

// referenceOf is how long the reference took in each batch, the mean over the threads; nil
// where there is none of as many batches. The longest of several times in a batch is left
// out: an interruption is no slow core.
func referenceOf(s *summary.Summary, batches int) []float64 {
	columns := s.Find(results.SeriesReference, "t")
	if len(columns) == 0 || slices.ContainsFunc(columns, func(c *summary.Column) bool { return c.Batches() != batches }) {
		return nil
	}
	all := make([]float64, batches)
	for i := range all {
		for _, c := range columns {
			m := c.Batch(i)
			if m.N > 1 {
				m.Sum, m.N = m.Sum-float64(c.Max[i]), m.N-1
			}
			all[i] += m.Sum / float64(m.N) / float64(len(columns))
		}
	}
	return steady.Filter(all)
}

func hasReference(inv *results.Invocation) bool {
	return slices.ContainsFunc(inv.Series, func(s results.Series) bool { return s.Name == results.SeriesReference })
}

// wholeReference is how long the reference took over the whole invocation, in ns; 0 where
// none was taken. The summary is nil where nothing was read from it yet.
func wholeReference(src Source, inv *results.Invocation, s *summary.Summary) (float64, error) {
	if !hasReference(inv) {
		return 0, nil
	}
	if s == nil {
		var err error
		if s, err = src.Summary(inv); err != nil {
			return 0, err
		}
	}
	columns := s.Find(results.SeriesReference, "t")
	if len(columns) == 0 {
		return 0, nil
	}
	mean, _ := stats.Mean(referenceOf(s, columns[0].Batches())) // 0 of none
	return mean, nil
}

// shifts are what is taken from the mean of each batch: as much of it as the reference says
// that the machine brought, against the rest of the invocation; nil is nothing.
func (c columns) shifts(slope float64) []float64 {
	middle, err := stats.Median(c.reference)
	if err != nil || slope == 0 { // there is no reference, or nothing follows it
		return nil
	}
	all := make([]float64, len(c.reference))
	for i, x := range c.reference {
		all[i] = slope * (x - middle)
	}
	return all
}
