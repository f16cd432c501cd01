package evidence

import (
	"math"
	"slices"

	"moobench/results"
)

// referenceTotal is the scalar of the reference's CPU time, on a measuring thread.
const referenceTotal = "reference_ns"

// splitCPU splits the CPU time of invocations by the owner of the threads. A thread of the JVM, or
// whose class or class loader identifies its owner, belongs to that; any other belongs to the
// variant if no baseline of the scenario has a thread of that name, else to the application. The
// reference runs on the application's threads, and is subtracted: no reported CPU time contains it.
func splitCPU(c *results.Campaign, all []Invocation) {
	baselines := map[string]map[string]bool{} // thread names, by scenario
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

// parts returns the shares of an invocation's CPU time by thread group. Shares are of the sum of
// the parts, which may exceed the whole because they are read one after the other.
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

// AgentThreadsOf returns the names of the threads that variants started, those found in most
// invocations first.
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
