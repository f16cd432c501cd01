package reading

import (
	"cmp"
	"slices"

	"moobench/analysis/evidence"
	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/analysis/stats"
	"moobench/results"
)

// Waiting describes what the calls of a cell waited for; nil if unknown.
func (r *Reading) Waiting(cell string) *evidence.Waiting {
	for _, e := range r.Primaries(cell) {
		if e.Waiting != nil {
			return e.Waiting
		}
	}
	return nil
}

// Refused says why a cell has no mean of a metric although its calls were timed: they waited too long for other
// programs.
func (r *Reading) Refused(cell string, m results.Metric) string {
	if w := r.Waiting(cell); w != nil && m.Name == r.Primary.Name {
		return w.Refused
	}
	return ""
}

// NoMean says why two cells are not compared in the mean of a metric: one of them lacks it.
func (r *Reading) NoMean(a, b string, m results.Metric) string {
	without := func(cell string) string {
		if c := r.Campaign.Cell(cell); c != nil {
			if more := r.AtLeast(c, m); more != nil {
				return more.Text(m.Unit)
			}
		}
		return cmp.Or(r.AllInvalid(cell, m), r.Refused(cell, m))
	}
	if why := without(a); why != "" {
		return why
	}
	why := without(b)
	return prose.If(why != "", "of %s, %s", r.Campaign.Cell(b).Label(), why)
}

// endedMost is the largest share of CPU time for threads that ended in the window. Beyond it, too much time
// belongs to unknown groups to compare their parts.
const endedMost = 0.05

// unsplit says why two cells are not compared in a thread group's part of their CPU time; "" if they are.
func (r *Reading) unsplit(a, b string, m results.Metric) string {
	if m.Threads == "" {
		return ""
	}
	ended := results.ThreadsEnded.Metric()
	for _, cell := range []string{a, b} {
		es := r.Succeeded(cell, evidence.ProfileOf(m))
		shares := evidence.ValuesOf(es, func(e *evidence.Invocation) float64 {
			return e.Value(ended) / e.Value(m.PartOf)
		})
		if share, err := stats.Mean(shares.Numbers()); err == nil && share > endedMost {
			return figure.Percent(share) + " of the CPU time of " + r.Campaign.Cell(cell).Label() +
				" was that of threads which ended in the window, and whose they were is not known"
		}
	}
	return ""
}

// AllInvalid says why a cell has no value of a metric, if that is because all its values are invalid; else "".
func (r *Reading) AllInvalid(cell string, m results.Metric) string {
	p := evidence.ProfileOf(m)
	es, void := r.Invalids(cell, p), r.Voids(cell, m)
	all := func(n int) string { return figure.Plural(n, "run", "runs") }
	switch left := len(r.Succeeded(cell, p)) - len(void); {
	case left > 0 || len(es)+len(void) == 0:
		return ""
	case len(void) == 0:
		return all(len(es)) + ", and none counts: " +
			oneOfAKind(es, func(e *evidence.Invocation) string { return e.Invalid })
	}
	es = slices.Concat(es, void)
	return all(len(es)) + ", and the " + prose.Spaced(m.Name) + " of none counts: " +
		oneOfAKind(es, func(e *evidence.Invocation) string { return cmp.Or(e.Invalid, e.Void[m.Name]) })
}

// oneOfAKind lists the reasons why invocations don't count; of reasons that differ only in figures, the first.
func oneOfAKind(es []*evidence.Invocation, why func(*evidence.Invocation) string) string {
	kinds := stats.Grouped(results.Each(es, why), prose.WithoutFigures)
	firsts := results.Each(kinds, func(texts []string) string { return texts[0] })
	return prose.First(firsts, namedMost, "; ", "; and %s more reasons")
}

// SecondStage is the number of the first block after the pilot, for a metric whose intervals keep the pilot's
// spread; else 0. The decision has seen all blocks before it, extra ones included.
func (r *Reading) SecondStage(m results.Metric) int {
	s, made := r.Scenario.Sizing, 0
	if s == nil || s.Precision <= 0 || m.Name != r.Primary.Name {
		return 0
	}
	for _, b := range r.Campaign.Blocks {
		holds := func(c *results.Cell) bool { return slices.Contains(b.Order, c.ID) }
		if b.Kind == results.BlockPlanned && b.Profile == r.Profile() && slices.ContainsFunc(r.Cells, holds) {
			made++
		}
		if made > s.Pilot {
			return b.Number
		}
	}
	return 0
}
