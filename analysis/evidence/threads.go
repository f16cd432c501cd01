package evidence

import (
	"math"
	"slices"

	"moobench/results"
)

// referenceTotal is the scalar of the CPU time that the reference took, on a thread that measures.
const referenceTotal = "reference_ns"

// splitCPU gives invocations the parts of their CPU time by whose threads took it. A thread whose
// class, or whose class loader, tells whose it is, and one of the JVM, is that; any other one is the
// variant's where no baseline of the scenario has a thread of that name, else the application's.
// The reference is the application's, and is in no CPU time that is told: it is taken off.
func splitCPU(c *results.Campaign, all []Invocation) {
	baselines := map[string]map[string]bool{} // names of threads, by scenario
	for i := range all {
		e := &all[i]
		cell := c.Cell(e.Cell)
		if e.Threads == nil || cell.Role == results.RoleVariant {
			continue
		}
		if baselines[cell.Scenario] == nil {
			baselines[cell.Scenario] = map[string]bool{}
		}
		for _, t := range e.Threads.Names {
			baselines[cell.Scenario][t.Name] = true
		}
	}
	for i := range all {
		e := &all[i]
		if e.Threads == nil || !e.counts() {
			continue
		}
		sc := scenarioOf(c, e.Invocation)
		parts := e.parts(c.Cell(e.Cell), baselines[sc.Label])
		for _, m := range sc.Metrics {
			whole, known := e.Values[m.PartOf]
			if m.Threads != "" && known && ProfileOf(m) == e.Profile {
				e.Values[m.Name] = whole * parts[m.Threads]
			}
		}
	}
}

// parts are the shares of an invocation's CPU time that groups of threads took. Where the parts add
// up to more than the whole, since they are read one after the other, the whole is their sum.
func (e *Invocation) parts(cell *results.Cell, baselines map[string]bool) map[results.ThreadGroup]float64 {
	ns := map[results.ThreadGroup]float64{results.ThreadsEnded: e.Threads.EndedNS}
	for _, t := range e.Threads.Names {
		group := t.Group
		if group == "" && cell.Role == results.RoleVariant && baselines != nil && !baselines[t.Name] {
			group = results.ThreadsAgent
		}
		if group == "" {
			group = results.ThreadsApplication
		}
		if ns[group] += t.RunNS; group == results.ThreadsAgent && t.RunNS > 0 {
			e.agentThreads = append(e.agentThreads, t.Name)
		}
	}
	if reference := e.Scalar(referenceTotal); !math.IsNaN(reference) {
		ns[results.ThreadsApplication] = max(0, ns[results.ThreadsApplication]-reference)
	}
	sum := 0.0
	for _, part := range ns {
		sum += part
	}
	for group := range ns {
		if sum > 0 {
			ns[group] /= sum
		}
	}
	return ns
}

// AgentThreadsOf are the names of the threads that variants have started in some invocations, those
// of the most invocations first.
func AgentThreadsOf(es []*Invocation) []string {
	count := map[string]int{}
	var names []string
	for _, e := range es {
		for _, name := range e.agentThreads {
			if count[name]++; count[name] == 1 {
				names = append(names, name)
			}
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return count[b] - count[a] })
	return names
}
