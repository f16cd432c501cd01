package analysis

import (
	"slices"

	"moobench/analysis/caveat"
	"moobench/analysis/evidence"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/results"
)

// threadMarks are caveats of cells in which another thread takes more CPU time than calls got longer: a low
// cost for the caller need not be a low cost.
func (r *reader) threadMarks(c *Cell) (ms caveat.List) {
	wall, sample := c.MetricNamed(r.Primary.Name), r.Primary.Sample()
	counts := sample == results.SampleCall || sample == results.SampleRequest
	if c.Role != results.RoleVariant || !counts || r.Primary.Unit != unitNS || wall == nil || wall.Difference == nil {
		return nil
	}
	longer := max(0, wall.Difference.Value)
	for _, m := range r.Scenario.Metrics {
		a := c.MetricNamed(m.Name)
		if m.Threads == "" || a == nil || a.Difference == nil || a.Verdict != infer.Higher ||
			a.Difference.Value <= longer {
			continue
		}
		more := figure.Quantity(a.Difference.Value, m.Unit)
		than := "more than the " + figure.Quantity(longer, unitNS) + " that a " + string(sample) + " takes longer"
		switch m.Threads {
		case results.ThreadsAgent:
			ms.Add(true, caveat.Misleading, "CPU of its threads", "its threads "+more,
				"threads that it has started%s take %s of CPU time a %s, %s: "+
					"it costs so little only where CPUs are idle",
				among(c.AgentThreads), more, sample, than)
		case results.ThreadsCollector:
			ms.Add(true, caveat.Misleading, "CPU of the collector", "collector "+more,
				"the garbage collector takes %s more CPU time a %s, %s: it costs so little only where CPUs are idle",
				more, sample, than)
		case results.ThreadsCompiler:
			ms.Add(true, caveat.Remark, "CPU of compilers", "compilers "+more,
				"compilers take %s more CPU time a %s, %s; it is paid once, mostly in the warm-up", more, sample, than)
		}
	}
	return ms
}

// agentThreads names the threads that a cell's variant started, three at most.
func (r *reader) agentThreads(cell string) []string {
	names := evidence.AgentThreadsOf(r.Succeeded(cell, r.Profile()))
	return names[:min(len(names), namedThreads)]
}

const namedThreads = 3

// HasAgentThreads reports whether a variant of the scenario has threads of its own.
func (s *Scenario) HasAgentThreads() bool {
	return slices.ContainsFunc(s.Cells, func(c Cell) bool { return len(c.AgentThreads) > 0 })
}
