package evidence

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"moobench/analysis/stats"
	"moobench/analysis/steady"
	"moobench/results"
	"moobench/results/summary"
)

// Reference is what the invocations of one factor level on one machine say of the speed of
// the CPU: how long a fixed piece of work took, which they did between their calls.
type Reference struct {
	Scenario string  `json:"-"`
	Level    string  `json:"level,omitempty"` // factor level
	Machine  string  `json:"machine"`         // ID
	N        int     `json:"n"`               // invocations
	Mean     float64 `json:"mean_ns"`         // over the means of the invocations
	SD       float64 `json:"sd_ns"`           // between these
	// Unused says why the values are not adjusted by it; absent when they are.
	Unused string `json:"unused,omitempty"`
}

// touchedAlpha is the level at which the reference counts as slowed by what is monitored,
// of all variants of a level together, and touchedLeast by how much at least, as a share:
// on a machine at rest a tenth of a per cent is told apart, and moves no cost by more than a
// fraction of its interval.
const (
	touchedAlpha = 0.01
	touchedLeast = 0.002
)

// adjust takes from each value of a primary metric what the machine brought: values become
// what they would be if the reference had taken the same in all invocations of the level,
// by the slope of their cell. This is the analysis of covariance (Fisher 1932), or a control
// variate: the reference has nothing of a variant in it, so that whatever the slopes are,
// differences keep their expectation. Where the reference took another time beside a
// variant, nothing of the level is adjusted.
func adjust(c *results.Campaign, all []Invocation, slopes map[string]response) []Reference {
	var timed []*Invocation
	for i := range all {
		if all[i].Reference > 0 {
			timed = append(timed, &all[i])
		}
	}
	about := func(e *Invocation) Reference {
		cell := c.Cell(e.Cell)
		return Reference{Scenario: cell.Scenario, Level: cell.Level(), Machine: e.Machine}
	}
	var found []Reference
	for _, es := range stats.Grouped(timed, about) {
		r := about(es[0])
		r.N, r.Unused = len(es), touched(c, es)
		times := ValuesOf(es, func(e *Invocation) float64 { return e.Reference }).Numbers()
		r.Mean, _ = stats.Mean(times) // of one or more
		r.SD, _ = stats.SD(times)     // 0 of one
		found = append(found, r)
		if r.Unused != "" {
			continue
		}
		for _, e := range es {
			slope := slopes[program(c.Cell(e.Cell))].slope()
			e.Values[e.adjusted] -= slope * (e.Reference - r.Mean)
			e.Samples.Other -= slope * (e.Samples.beside - r.Mean)
		}
	}
	return found
}

// touched says beside which variant the reference took another time than beside its
// baseline, by more than touchedLeast: "" where it did beside none. Log ratios of the same
// blocks decide, each at an equal share of touchedAlpha. Beside a second baseline nothing is
// monitored: what differs there is the machine, which adjusting is for.
func touched(c *results.Campaign, es []*Invocation) string {
	byCell := map[string][]*Invocation{}
	for _, e := range es {
		byCell[e.Cell] = append(byCell[e.Cell], e)
	}
	time := func(e *Invocation) float64 { return e.Reference }
	variants := slices.DeleteFunc(slices.Clone(c.Cells), func(cell results.Cell) bool {
		return cell.Baseline == "" || cell.Role == results.RoleAA || byCell[cell.ID] == nil
	})
	for _, cell := range variants {
		pairs := PairsOf(ValuesOf(byCell[cell.ID], time), ValuesOf(byCell[cell.Baseline], time))
		ratios, err := stats.LogRatios(pairs.X, pairs.Y)
		s, errS := stats.SampleOf(ratios)
		if cmp.Or(err, errS) != nil || s.N < 3 || s.SD == 0 {
			continue
		}
		t := max(0, math.Abs(s.Mean)-math.Log1p(touchedLeast)) / s.SD * math.Sqrt(float64(s.N))
		if p := stats.TTwoSided(t, float64(s.N-1)); p < touchedAlpha/float64(len(variants)) {
			return fmt.Sprintf("beside %s it took %.1f %% of the time that it took beside the baseline", cell.Label(), 100*math.Exp(s.Mean))
		}
	}
	return ""
}

// response is how the calls of a cell follow the reference: how many ns a call takes longer
// where the reference takes one ns longer. It is a regression over groups of batches in the
// second halves, each about the means of its own invocation: what invocations differ by,
// which is what is estimated, is not in it.
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
		has := slices.ContainsFunc(inv.Series, func(s results.Series) bool { return s.Name == results.SeriesReference })
		if sc == nil || inv.Superseded || inv.Status != results.StatusOK || inv.Invalid != "" || !has || inv.Profile == results.ProfilePilot {
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
