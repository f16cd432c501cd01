package evidence

import (
	"slices"

	"moobench/analysis/stats"
	"moobench/analysis/steady"
	"moobench/results"
	"moobench/results/summary"
)

// response is the regression of a cell's call times on the reference inside invocations: how many
// ns a call slows down when the reference slows down by one ns. It uses groups of batches in the
// second halves, each centred on the means of its invocation. The search for the steady state is
// adjusted by it; no value is carried by it, because single batches are too noisy (collections,
// writers, preemption).
type response struct {
	xx, xy, x, y        float64
	groups, invocations float64
}

// steadyShare is the fluctuation of the reference, as a share of its mean, that says nothing about
// the CPU: a machine at rest shows a tenth of a per cent, and a slope on that would fit noise to
// noise.
const steadyShare = 0.005

// slope returns the slope, shrunk towards 0 the less the reference varied, by ridge regression
// (Hoerl and Kennard 1970); 0 if nothing is known. It lies between 0 and the slope of calls that
// slow down twice as much as the reference: sharing a core explains nothing outside.
func (r response) slope() float64 {
	if r.xx == 0 {
		return 0
	}
	noise := steadyShare * r.x / r.invocations
	return max(0, min(r.xy/(r.xx+r.groups*noise*noise), 2*r.y/r.x))
}

// add adds the batches of an invocation.
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

// group is the number of batches averaged for one point of the regression. Single batches measure
// the reference too inexactly, which flattens slopes.
const group = 5

// grouped returns the means of groups of batches.
func grouped(batches []float64) []float64 {
	var all []float64
	for g := range slices.Chunk(batches, group) {
		if mean, err := stats.Mean(g); err == nil && len(g) == group {
			all = append(all, mean)
		}
	}
	return all
}

// program returns the cell whose program a cell runs: a second baseline runs its baseline's
// program. With slopes of their own, which differ by chance, the two would drift apart wherever the
// reference's time differs between them and the variants.
func program(c *results.Cell) string {
	if c.Role == results.RoleAA {
		return c.Baseline
	}
	return c.ID
}

// responses returns the responses of the programs measured with a reference.
func responses(src Source, invocations []*results.Invocation) (map[string]response, error) {
	all := map[string]response{}
	for _, inv := range invocations {
		sc := scenarioOf(src.Campaign(), inv)
		if sc == nil || inv.Superseded || inv.Status != results.StatusOK || inv.Invalid != "" ||
			!hasReference(inv) || inv.Profile == results.ProfilePilot {
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

// referenceOf returns the reference's time in each batch, averaged over the threads; nil if the
// numbers of batches differ. The longest of several times in a batch is left out: an interruption
// is not a slow core.
func referenceOf(s *summary.Summary, batches int) []float64 {
	columns := s.Find(results.SeriesReference, "t")
	differs := func(c *summary.Column) bool { return c.Batches() != batches }
	if len(columns) == 0 || slices.ContainsFunc(columns, differs) {
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

// wholeReference returns the reference's time over the whole invocation, in ns; 0 if none was
// taken. The summary is nil if not read yet.
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
	mean, _ := stats.Mean(referenceOf(s, columns[0].Batches())) // 0 if empty
	return mean, nil
}

// shifts returns the amounts to subtract from the batch means: the machine's part of each, by the
// reference, relative to the invocation's median; nil: nothing.
func (c columns) shifts(slope float64) []float64 {
	middle, err := stats.Median(c.reference)
	if err != nil || slope == 0 { // no reference, or no response to it
		return nil
	}
	all := make([]float64, len(c.reference))
	for i, x := range c.reference {
		all[i] = slope * (x - middle)
	}
	return all
}
