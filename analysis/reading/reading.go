// Package reading reads one scenario of a campaign: the values of its cells, how two cells compare, and why some
// are not compared. Chapters and the answers of cells are made from it.
package reading

import (
	"cmp"
	"slices"

	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/stats"
	"moobench/results"
)

const (
	// Confidence is the level of all intervals; the verdicts of one family share Alpha.
	Confidence = 1 - Alpha
	Alpha      = 0.05
)

// Reading is the evidence of one scenario, with the solver and CPU references to analyse it.
type Reading struct {
	*evidence.View
	Solver infer.Solver
	Speed  []evidence.Reference
}

// New reads a scenario of a campaign from its invocations by cell. It takes the references of this
// scenario from those of all; the solver may be nil.
func New(c *results.Campaign, s *results.Scenario, byCell map[string][]*evidence.Invocation, solver infer.Solver,
	references []evidence.Reference,
) *Reading {
	speed := slices.DeleteFunc(slices.Clone(references), func(r evidence.Reference) bool { return r.Scenario != s.Label })
	return &Reading{evidence.NewView(c, s, byCell), solver, speed}
}

// Without is the reading without the invocations that drop reports. Its cells have to be judged again.
func (r *Reading) Without(drop func(*evidence.Invocation) bool) *Reading {
	return &Reading{r.View.Without(drop), r.Solver, r.Speed}
}

// Family counts the variants of a level. They are compared with its baseline, and their intervals are
// simultaneous.
func (r *Reading) Family(level string) int {
	n := 0
	for _, c := range r.Cells {
		if c.Role == results.RoleVariant && c.Level() == level {
			n++
		}
	}
	return n
}

const (
	UnorderedPairs = "unordered: there are no pairs"
	NoPairs        = "no block holds both it and its baseline"
)

// Compare compares a metric of two cells; intervals are simultaneous over the family. The spread of a sized
// scenario's primary metric is at least that of its pilot.
func (r *Reading) Compare(a, b string, m results.Metric, family int) infer.Answer {
	return r.CompareWithin(nil, a, b, m, family)
}

// CompareWithin is compare with a margin within which the difference does not matter.
func (r *Reading) CompareWithin(margin *results.Margin, a, b string, m results.Metric, family int) infer.Answer {
	if why := cmp.Or(r.NoMean(a, b, m), r.NoTimes(a, b, m), r.unsplit(a, b, m)); why != "" {
		return infer.Answer{NoDifference: why, NoRatio: why, Verdict: infer.NoAnswer}
	}
	q := infer.Question{Alpha: Alpha, Family: family, Margin: margin}
	found := r.Ask(q, r.Values(a, m), r.Values(b, m), r.SecondStage(m))
	r.Relate(&found, a, b, m)
	return found
}

// Negligible is the default margin, if no question names one: 1 % of the baseline. For times and sizes below
// 100 ns or 100 B it is 1 ns or 1 B: nobody pays for less, and it also suits a baseline of 0.
func Negligible(m results.Metric) *results.Margin {
	if m.Unit == "ns" || m.Unit == "B" {
		return &results.Margin{Share: 0.01, Amount: 1, ShareFrom: 100}
	}
	return &results.Margin{Share: 0.01}
}

// Ask puts a question to the values of two cells: paired over the blocks that hold both, or as two samples
// (Welch) for unpaired questions and campaigns without blocks. Blocks numbered below first are the pilot's.
func (r *Reading) Ask(q infer.Question, vs, others evidence.Values, first int) infer.Answer {
	none := func(why string) infer.Answer {
		return infer.Answer{Question: q, NoDifference: why, NoRatio: why, Verdict: infer.NoAnswer}
	}
	switch {
	case len(vs) == 0:
		return none(infer.NoValue)
	case len(others) == 0:
		return none("no invocation of the baseline observed it")
	}
	d := infer.Data{X: SampleOf(vs), Y: SampleOf(others)}
	if !q.Unpaired() && !r.Unordered() {
		pairs := evidence.PairsOf(vs, others)
		if len(pairs.Blocks) == 0 {
			return none(NoPairs)
		}
		d = Paired(pairs)
		d.Pilot, d.Beside = pairs.Before(first), beside(pairs)
	}
	a := r.Solver.Compare(q, d)
	if a.Doubt != nil && a.Doubt.Decided { // only pairs have such a doubt
		measured := Paired(evidence.PairsOf(vs.Measured(), others.Measured()))
		measured.Pilot = d.Pilot
		a.ByMeasured(r.Solver.Compare(q, measured))
	}
	if r.Unordered() {
		a.Ratio, a.NoRatio, a.L = nil, UnorderedPairs, infer.Scale{}
	}
	return a
}

// CompareMeasured compares a metric of two cells as measured, without carrying values to a common CPU speed.
func (r *Reading) CompareMeasured(a, b string, m results.Metric, family int) infer.Answer {
	return r.Ask(infer.Question{Alpha: Alpha, Family: family}, r.Values(a, m).Measured(),
		r.Values(b, m).Measured(), r.SecondStage(m))
}

// SampleOf turns the values of one cell into a sample for comparison.
func SampleOf(vs evidence.Values) infer.Sample {
	return infer.Sample{
		Values:        vs.Numbers(),
		Sensitivities: vs.Sensitivities(),
		Strata:        vs.Hosts(),
		Complete:      vs.InLanes(),
	}
}

// Paired turns pairs, one per block, into data for comparison.
func Paired(pairs evidence.Pairs) infer.Data {
	return infer.Data{X: SampleOf(pairs.First), Y: SampleOf(pairs.Second), Paired: true, Ordered: true}
}

// InvalidReason names the first invalid cell among cells and says why; "" if all are valid.
func (r *Reading) InvalidReason(cells ...string) string {
	for _, id := range cells {
		if why := r.Invalid[id]; why != "" {
			return r.Campaign.Cell(id).Label() + " is " + why
		}
	}
	return ""
}

// namedMost is the largest number of reasons, or labels, that a text names.
const namedMost = 4

// Typical returns the invocation with the median value of the primary metric: the first made of equals, the lower of
// an even number; nil if none has a value.
func (r *Reading) Typical(es []*evidence.Invocation) *evidence.Invocation {
	value := func(e *evidence.Invocation) float64 { return e.Value(r.Primary.Name) }
	es = evidence.Select(es, func(e *evidence.Invocation) bool { return stats.Finite(value(e)) })
	slices.SortFunc(es, func(x, y *evidence.Invocation) int {
		return cmp.Or(cmp.Compare(value(x), value(y)), cmp.Compare(x.Identity.String(), y.Identity.String()))
	})
	if len(es) == 0 {
		return nil
	}
	return es[(len(es)-1)/2]
}

// PlainVerdict is the two-sided verdict on a difference, without a margin.
func PlainVerdict(e *infer.Estimate) infer.Verdict { return infer.VerdictOf(e, 0, stats.TwoSided, nil) }

// AtLevel is " at " with a factor level; "" without one.
func AtLevel(level string) string { return prose.If(level != "", " at %s", level) }

// Batched says why there are no quantiles of calls.
const Batched = "a sample covers several calls, so quantiles of calls were not observed"

// UsuallyAlike is the average widening of intervals by the correction for alike neighbouring blocks, if these
// are in fact independent (METHOD.md, section 10). A pilot can't show how alike they are.
const UsuallyAlike = 1.06
