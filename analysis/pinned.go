package analysis

import (
	"cmp"
	"math"

	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/reading"
	"moobench/analysis/stats"
	"moobench/results"
)

// Pinned compares a metric of a cell with that of a reference cell measured in the same blocks, so that the
// machine's drift cancels.
type Pinned struct {
	Scenario  *Scenario
	Cell      *Cell // never a proof
	Reference *Cell // the reference cell of the same factor level, or nil
	Metric    results.Metric
	// Log is the mean of the paired logarithms log(cell/reference), with its SD between blocks and its 95 %
	// interval. It is nil if Absent says why.
	Log *Estimate
	// Absent says why the cell has no Log, without its label: no pairs, invalid, not positive.
	Absent string
	// Standard is the same at the standard speed of the CPU; nil if there is no such speed, or the values do
	// not follow it.
	Standard *PinnedStandard
}

// PinnedStandard is a Pinned at the standard speed of the CPU, with the data to carry it to another speed
// later: how its cell followed the reference between its JVMs.
type PinnedStandard struct {
	StandardNS float64 // time of the reference at that speed
	AtNS       float64 // its time that night, the geometric mean
	// Log is like Pinned's; nil if the speed that night was too far from the standard.
	Log      *Estimate
	Response stats.Response
	Alike    float64 // factor by which alike neighbours increase the variance
}

// Pin is Analyse, and compares the primary metric and the key metrics of each cell with those of the reference
// variant's cell at the same factor level, scenario by scenario; "" stands for each cell's own baseline. It
// fails only if nothing can be said about the campaign; Analyse names the unreadable parts.
func Pin(src Source, variant string) (*Answers, []Pinned, error) {
	a, readings, err := analyse(infer.Solver{}, src)
	if err != nil {
		return nil, nil, err
	}
	all := []Pinned{}
	for i, r := range readings {
		s, references := &a.Scenarios[i], r.references(variant)
		for _, c := range r.Cells {
			for _, m := range r.Scenario.Metrics {
				if !m.Key && m.Name != r.Primary.Name {
					continue
				}
				p := Pinned{Scenario: s, Cell: s.Cell(c.ID), Metric: m, Absent: noReference(variant)}
				if ref := references[c.Level()]; ref != nil {
					ratio, lacking, why := r.logRatio(c, ref, m)
					if lacking == ref {
						why = "its reference " + ref.Label() + ": " + why
					}
					if why == "" {
						p.Log, why = ratio.L.Estimate(reading.Confidence)
					}
					p.Reference, p.Absent = s.Cell(ref.ID), why
					if why == "" {
						p.Standard = r.pinStandard(s, c, ref, m)
					}
				}
				all = append(all, p)
			}
		}
	}
	return a, all, nil
}

// pinStandard compares a cell with its reference at the standard speed.
func (r *reader) pinStandard(s *Scenario, c, ref *results.Cell, m results.Metric) *PinnedStandard {
	values := r.Values(c.ID, m)
	ns := r.standard(c)
	if ns == 0 || !values.Carried() || !r.Values(ref.ID, m).Carried() {
		return nil
	}
	first := values[0].Carried
	p := &PinnedStandard{StandardNS: ns, AtNS: math.Exp(first.To), Response: first.Law.Response, Alike: 1}
	if math.Abs(first.To-math.Log(ns)) > mostCarried {
		return p
	}
	if x, why := s.atSpeed(r.Solver, c.ID, ref.ID, m.Name, math.Log(ns)); why == "" && x.NoRatio == "" {
		p.Alike = max(1, x.L.Alike)
		p.Log, _ = x.L.Estimate(reading.Confidence)
	}
	return p
}

func noReference(variant string) string {
	return "there is no " + cmp.Or(variant, string(results.RoleBaseline)) + " at its factor level"
}

// references returns the cells of a variant by factor level; for "", the baselines.
func (r *reader) references(variant string) map[string]*results.Cell {
	found := map[string]*results.Cell{}
	for _, c := range r.Cells {
		if c.Role != results.RoleAA && (c.Variant == variant || variant == "" && c.Role == results.RoleBaseline) {
			found[c.Level()] = c
		}
	}
	return found
}

// logRatio compares two cells in a metric over the blocks that hold both: L is the logarithm of their ratio.
// why says why it is absent, and lacking is the cell of the two that has no value, if that is why. The spread of a
// sized scenario's primary metric is at least that of its pilot.
func (r *reader) logRatio(c, ref *results.Cell, m results.Metric) (s infer.Answer, lacking *results.Cell, why string) {
	switch {
	case c.ID == ref.ID:
		return s, nil, "it is the reference itself"
	case r.Unordered():
		return s, nil, reading.UnorderedPairs
	case m.Of != "":
		return s, nil, countsAreRates
	case evidence.ProfileOf(m) == results.ProfileCalibration:
		return s, nil, "it is found before the measurement: there are no pairs"
	}
	for _, cell := range []*results.Cell{c, ref} {
		if why := r.noValue(cell, m); why != "" {
			return s, cell, why
		}
	}
	if why := r.unlikeCPUs(c, ref); why != "" {
		return s, nil, why
	}
	found := r.Compare(c.ID, ref.ID, m, 1)
	if found.NoRatio == reading.NoPairs {
		return s, nil, "no block holds both it and its reference"
	}
	if found.L.N > 0 { // with two blocks the ratio's interval may overflow; the logarithm's does not
		return found, nil, ""
	}
	return found, nil, found.NoRatio
}

// noValue says why a cell has no value of a metric; "" if it has one.
func (r *reader) noValue(c *results.Cell, m results.Metric) string {
	if why := r.Invalid[c.ID]; why != "" || len(r.Values(c.ID, m)) > 0 {
		return why
	}
	return cmp.Or(r.AllInvalid(c.ID, m), r.Refused(c.ID, m), infer.NoValue)
}
