package evidence

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/stats"
	"moobench/internal/testgolden"
	"moobench/results"
)

// dumped prints a campaign as it was read, a few lines for each of the first most invocations.
func dumped(all All, most int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d invocations, %d superseded, problems %q, hosts %v\n", len(all.Invocations), len(all.Superseded), all.Problems, all.Hosts)
	for _, r := range all.References {
		fmt.Fprintf(&b, "reference %q on %s: %d, mean %.6g, sd %.6g, at %.6g, %s\n", r.Level, r.Machine, r.N, r.Mean, r.SD, r.At, r.Unused)
	}
	for i := range all.Invocations[:min(most, len(all.Invocations))] {
		e := &all.Invocations[i]
		s := &e.Samples
		fmt.Fprintf(&b, "%s of %s, %s from %.4g, host %d, by %q\n", e.Identity, e.Cell, e.Class, e.WindowFrom, e.Host, e.RepeatedBy)
		for _, name := range slices.Sorted(maps.Keys(e.Values)) {
			fmt.Fprintf(&b, "  %s %.6g %.6g batched %t\n", name, e.Values[name], e.quantiles[name], e.Batched[name])
		}
		fmt.Fprintf(&b, "  warm %d, %.6g; pool %d, %.6g; calls %d, in the window %d, left out %.4g; other %.6g; settled %.4g; whole %t\n",
			s.WarmCalls, s.WarmMean, s.Pool.N, s.Pool.Mean(), s.Calls, s.Counted, s.LeftOut, s.Other, s.settled, e.Whole)
		if n := len(s.Trace); n > 0 {
			fmt.Fprintf(&b, "  trace %d: %.6g … %.6g … %.6g; reference %.6g, %.6g\n", n, s.Trace[0], s.Trace[n/2], s.Trace[n-1], e.Reference, e.wholeReference)
		}
		for _, name := range slices.Sorted(maps.Keys(e.carried)) {
			if c := e.carried[name]; c.Law != nil {
				fmt.Fprintf(&b, "  %s carried from %.6g by %.6g of %s, %d in %d groups\n", name, c.Measured, c.Law.Value, c.Law.Program, int(c.Law.Response.N), int(c.Law.Response.Groups))
			}
		}
		for _, label := range slices.Sorted(maps.Keys(e.strata)) {
			one := e.strata[label]
			fmt.Fprintf(&b, "  label %s: %d sent, %d right, mean %.6g, %.6g\n", label, one.sent, one.right, one.means["latency"], one.quantiles["latency"])
		}
		if e.Course != nil {
			fmt.Fprintf(&b, "  course of %d steps of %v ns, toggles %d\n", len(e.Course.Rows), e.Course.StepNS, len(e.Course.Toggles))
		}
	}
	return b.String()
}

// TestGather: what is read of campaigns that are made up in different ways.
func TestGather(t *testing.T) {
	for name, c := range map[string]struct {
		made *testcampaign.Store
		most int
	}{
		"small": {testcampaign.Small(), 12}, "troubled": {testcampaign.Troubled(), 60}, "served": {testcampaign.Served(), 6}, "repeated": {testcampaign.Repeated(), 12},
		"unordered": {testcampaign.Unordered(), 4},
	} {
		testgolden.Check(t, filepath.Join("testdata", name+".txt"), dumped(Gather(c.made), c.most))
	}
}

// TestValues: values keep to where and when they were measured.
func TestValues(t *testing.T) {
	law := &Law{Elasticity: stats.Elasticity{Value: 1}}
	carried := func(x float64) Carried {
		return Carried{Measured: x, Speed: math.Log(2000), To: math.Log(1000), Law: law}
	}
	in := func(lane, host, block int, x float64, turn results.Turn) Value {
		return Value{Block: block, X: x, host: host, turn: block, lane: lane, inTurn: turn}
	}
	lanes := Values{
		in(1, 0, 1, 10, results.Turn{Number: 2, Others: 1}), in(2, 0, 2, 20, results.Turn{Number: 1, Others: 0}), in(1, 0, 3, 30, results.Turn{Number: 1, Others: 1}),
	}
	numbers := func(vs Values) string { return fmt.Sprint(vs.Numbers()) }
	var turns []string
	for _, turn := range lanes.ByTurn() {
		turns = append(turns, numbers(turn))
	}
	all := Values{{X: 4, Carried: carried(8)}, {X: 9, Carried: carried(18)}}
	beside, at := all.Speed()
	nothing, none := lanes.Speed()
	for what, c := range map[string]struct{ got, want any }{
		"numbers":        {numbers(lanes), "[10 20 30]"},
		"of a lane":      {numbers(lanes.InLane(1)), "[10 30]"},
		"beside another": {numbers(lanes.Beside(1)), "[10 30]"},
		"by turn":        {strings.Join(turns, " "), "[20 30] [10]"},
		"in lanes":       {lanes.InLanes(), true},
		"in none":        {Values{{X: 1}}.InLanes() || Values{}.InLanes(), false},
		"lane":           {lanes[1].Lane(), 2},
		"one host":       {lanes.Hosts() == nil && Values{}.Hosts() == nil, true},
		"two hosts":      {fmt.Sprint(Values{{host: 1}, {host: 0}, {host: 1}}.Hosts()), "[1 0 1]"},
		"carried":        {all.Carried(), true},
		"partly carried": {append(all.Measured(), all...).Carried() || Values{}.Carried(), false},
		"speed":          {fmt.Sprintf("%.0f %.0f", beside, at), "2000 1000"},
		"no speed":       {nothing + none, 0.0},
		"in steps":       {Values{{Carried: carried(7)}, {Carried: carried(7)}, {Carried: carried(8)}}.Stepped(), true},
		"not in steps":   {Values{{Carried: carried(7)}, {Carried: carried(7)}, {Carried: carried(8)}, {Carried: carried(9)}}.Stepped(), false},
		"as measured":    {Values{{X: 7}, {X: 7}}.Stepped(), false},
		"logarithms":     {fmt.Sprintf("%.4f", Values{{X: 1}, {X: 0}, {X: -1}, {X: math.E}}.Logarithms().Numbers()), "[0.0000 1.0000]"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", what, c.got, c.want)
		}
	}
	e := stats.Elasticity{}
	hangs := Values{{X: 4, Carried: carried(8), Sensitivities: []stats.Sensitivity{{On: &e, By: 2}}}}.Logarithms()
	if s := hangs[0].Sensitivities[0]; s.By != 0.5 || s.On != &e || hangs.Carried() {
		t.Errorf("a logarithm hangs on %+v", s)
	}
}

// TestPairs: values of one block are a pair, by host and in order of time; of each the differences and what they hang on.
func TestPairs(t *testing.T) {
	one, two := &stats.Elasticity{}, &stats.Elasticity{}
	a := Values{
		{Block: 3, X: 30, host: 1, turn: 1}, {Block: 1, X: 10, host: 0, turn: 2, Sensitivities: []stats.Sensitivity{{On: one, By: 3}}}, {Block: 2, X: 20, host: 0, turn: 1}, {Block: 9, X: 90},
	}
	b := Values{{Block: 1, X: 4, Sensitivities: []stats.Sensitivity{{On: two, By: 5}}}, {Block: 2, X: 5}, {Block: 3, X: 6}}
	ps := PairsOf(a, b)
	if got := fmt.Sprint(ps.Blocks, ps.X, ps.Y, ps.Differences()); got != "[2 1 3] [20 10 30] [5 4 6] [15 6 24]" {
		t.Error(got)
	}
	want := []stats.Sensitivity{{On: one, By: 6}, {On: two, By: -10}}
	if got := ps.Sensitivities(1, 2); len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("the difference hangs on %+v", got)
	}
	inOrder := Pairs{Blocks: []int{1, 2, 5}}
	for block, before := range map[int]int{1: 0, 2: 1, 3: 2, 5: 2, 6: 3} {
		if got := inOrder.Before(block); got != before {
			t.Errorf("%d pairs before block %d, want %d", got, block, before)
		}
	}
}

// TestCPUs: the fewest and the most CPUs of those that are known.
func TestCPUs(t *testing.T) {
	var es []*Invocation
	for _, list := range []string{"", "0-3", "1", "nonsense", "2-3"} {
		es = append(es, &Invocation{Invocation: &results.Invocation{CPUs: list}})
	}
	if fewest, most := CPUs(es); fewest != 1 || most != 4 {
		t.Errorf("%d to %d", fewest, most)
	}
	if fewest, most := CPUs(es[:1]); fewest != 0 || most != 0 {
		t.Errorf("of an unknown number %d to %d", fewest, most)
	}
}

// TestThreadParts: CPU time belongs to the owner of the thread, without the reference; threads that no baseline has
// belong to the variant.
func TestThreadParts(t *testing.T) {
	threads := &results.Threads{EndedNS: 10, Names: []results.ThreadTime{
		{Name: "main", RunNS: 60}, {Name: "exporter", RunNS: 20}, {Name: "idle", RunNS: 0}, {Name: "C2", Group: results.ThreadsCompiler, RunNS: 30},
	}}
	of := func(role results.Role, reference float64) (map[results.ThreadGroup]float64, []string) {
		e := &Invocation{Invocation: &results.Invocation{Threads: threads, Scalars: map[string]float64{referenceTotal: reference}}}
		return e.parts(&results.Cell{Role: role}, map[string]bool{"main": true}), e.agentThreads
	}
	parts, names := of(results.RoleVariant, 20)
	want := map[results.ThreadGroup]float64{results.ThreadsEnded: 0.1, results.ThreadsApplication: 0.4, results.ThreadsAgent: 0.2, results.ThreadsCompiler: 0.3}
	if diff := cmp.Diff(want, parts); diff != "" || !slices.Equal(names, []string{"exporter"}) {
		t.Errorf("threads of the variant %q; parts (-want +got):\n%s", names, diff)
	}
	parts, names = of(results.RoleBaseline, math.NaN())
	if parts[results.ThreadsApplication] != 80.0/120 || parts[results.ThreadsAgent] != 0 || names != nil {
		t.Errorf("of a baseline: %v, %q", parts, names)
	}
	if got := AgentThreadsOf([]*Invocation{{agentThreads: []string{"a", "b"}}, {agentThreads: []string{"b"}}}); !slices.Equal(got, []string{"b", "a"}) {
		t.Errorf("%q", got)
	}
}

// TestSlope: calls follow the reference, but not against it, and no more than twice as much as it moves; what is noise
// on noise is nothing.
func TestSlope(t *testing.T) {
	for name, c := range map[string]struct{ reference, calls, low, high float64 }{
		"as much": {10, 10, 0.98, 1}, "three times as much": {10, 30, 2, 2}, "the other way": {10, -10, 0, 0}, "hardly": {0.01, 0.01, 0, 0.01},
	} {
		var r response
		var reference, calls []float64
		for i := range 400 {
			sign := float64(i/20%2*2 - 1)
			reference, calls = append(reference, 100+c.reference*sign), append(calls, 100+c.calls*sign)
		}
		r.add(reference, calls)
		if got := r.slope(); got < c.low || got > c.high || r.groups != 40 || r.invocations != 1 {
			t.Errorf("%s: %v of %v groups, want %v to %v", name, got, r.groups, c.low, c.high)
		}
	}
	if (response{}).slope() != 0 {
		t.Error("nothing has a slope")
	}
	if got := grouped([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}); !slices.Equal(got, []float64{3, 8}) {
		t.Errorf("groups %v", got)
	}
}
