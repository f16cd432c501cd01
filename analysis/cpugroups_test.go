package analysis

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"moobench/analysis/caveat"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// onThreads is a campaign of none and of an agent whose call takes 30 ns longer, with the CPU time
// of a call in ns by thread; ended is what threads of the agent took that have ended.
func onThreads(agent map[string]float64, ended float64) *testcampaign.Store {
	cells := append(testcampaign.Baselines(), testcampaign.Variant(2, "one/bci/x", results.ProofPlan{Kind: results.ProofNone}))
	rng := rand.New(rand.NewPCG(2, 7))
	var values []testcampaign.Value
	for block := range 8 {
		for slot, c := range cells {
			jvm := 1 + 0.002*rng.NormFloat64()
			took := map[string]float64{"java": 100, "C* CompilerThre": 5, "VM Thread": 1, "late-*": 0}
			longer, lost := 0.0, 0.0
			if c.Role == results.RoleVariant {
				longer, lost = 30, ended
				took["java"] = 130
				for name, ns := range agent {
					took[name] = ns
				}
			}
			sum := lost
			threads := &results.Threads{EndedNS: lost * 1e6 * jvm}
			for _, name := range slices.Sorted(maps.Keys(took)) {
				group := map[string]results.ThreadGroup{
					"C* CompilerThre": results.ThreadsCompiler, "VM Thread": results.ThreadsCollector, "told": results.ThreadsAgent,
				}[name]
				threads.Names = append(threads.Names, results.ThreadTime{Name: name, Threads: 1, RunNS: took[name] * 1e6 * jvm, Group: group})
				sum += took[name]
			}
			threads.ProcessNS = sum * 1e6 * jvm
			values = append(values, testcampaign.Value{
				Block: block + 1, Slot: slot, Cell: c.ID, NS: (100 + longer) * jvm, CPUNS: sum * jvm, Threads: threads,
			})
		}
	}
	return testcampaign.FromValues(cells, values)
}

// TestWhoseThreads: a thread is the agent's where something tells that it is, or where no baseline
// has a thread of its name.
func TestWhoseThreads(t *testing.T) {
	for name, c := range map[string]struct {
		threads           map[string]float64
		ended             float64
		agent, collector  float64 // what is found to be added
		says, saysNothing string  // of the kinds of its caveats
	}{
		"its name":            {map[string]float64{"sender": 200}, 0, 200, 0, "CPU of its threads", "CPU of the collector"},
		"its class":           {map[string]float64{"told": 10}, 0, 10, 0, "", "CPU of its threads"},
		"less than a call":    {map[string]float64{"sender": 20}, 0, 20, 0, "", "CPU of its threads"},
		"a baseline's name":   {map[string]float64{"late-*": 200}, 0, 0, 0, "", "CPU of its threads"},
		"garbage":             {map[string]float64{"VM Thread": 61}, 0, 0, 60, "CPU of the collector", "CPU of its threads"},
		"some of them ended":  {map[string]float64{"sender": 200}, 10, 200, 0, "CPU of its threads", ""},
		"most of them ended":  {map[string]float64{"sender": 200}, 100, math.NaN(), math.NaN(), "", "CPU of its threads"},
		"compilers a remark":  {map[string]float64{"C* CompilerThre": 65}, 0, 0, 0, "CPU of compilers", "CPU of its threads"},
		"nothing of its own":  {nil, 0, 0, 0, "", "CPU of its threads"},
		"two and the sum":     {map[string]float64{"sender": 100, "timer": 50}, 0, 150, 0, "CPU of its threads", ""},
		"an idle thread only": {map[string]float64{"sender": 0}, 0, 0, 0, "", "CPU of its threads"},
	} {
		a, err := Analyse(onThreads(c.threads, c.ended))
		if err != nil {
			t.Fatal(err)
		}
		cell := &a.Scenarios[0].Cells[2]
		for group, want := range map[results.ThreadGroup]float64{results.ThreadsAgent: c.agent, results.ThreadsCollector: c.collector} {
			m := cell.MetricNamed(group.Metric())
			switch {
			case math.IsNaN(want):
				if m.Difference != nil || !strings.Contains(m.NoDifference, "whose they were is not known") || m.Mean == nil {
					t.Errorf("%s: %s %+v", name, group, m)
				}
			case m.Difference == nil || math.Abs(m.Difference.Value-want) > 1+want/50:
				t.Errorf("%s: %s adds %+v, want %v", name, group, m.Difference, want)
			}
		}
		sum, whole := 0.0, cell.MetricNamed("cpu_ns").Mean.Value
		for _, g := range results.ThreadGroups() {
			sum += cell.MetricNamed(g.Metric()).Mean.Value
		}
		if math.Abs(sum/whole-1) > 1e-9 {
			t.Errorf("%s: the parts are %v of %v", name, sum, whole)
		}
		kinds := results.Each(cell.Marks, func(m caveat.Mark) string { return m.Kind })
		if c.says != "" && !slices.Contains(kinds, c.says) || slices.Contains(kinds, c.saysNothing) {
			t.Errorf("%s: caveats %q", name, kinds)
		}
	}
}
