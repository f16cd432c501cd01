package settling

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis/evidence"
	"moobench/analysis/steady"
	"moobench/results"
)

// takes is how long the i-th call of a cell takes, in ns.
type takes func(i float64) float64

// coming comes down to a level within some calls, and stays there.
func coming(level, calls float64) takes {
	return func(i float64) float64 {
		if i < calls {
			return level * (3.2 - 2*i/calls)
		}
		return level
	}
}

// drifting changes by a share of what it was in each million calls, for ever.
func drifting(level, by float64) takes {
	return func(i float64) float64 { return max(level/4, level*(1+by*i/1e6)) }
}

// inTurn is one series in the first JVM of a cell, the other one in the next, and so on.
func inTurn(odd, even takes) takes {
	jvm, last := 0, math.Inf(1)
	return func(i float64) float64 {
		if i <= last {
			jvm++
		}
		last = i
		if jvm%2 == 1 {
			return odd(i)
		}
		return even(i)
	}
}

// run is what a pilot says of its cell, by the rule of the steady state.
func (f takes) run(t *testing.T, calls int64, noise *rand.Rand) trial {
	t.Helper()
	const batches = 1000
	x := make([]float64, batches)
	e := &evidence.Invocation{}
	for i := range x {
		x[i] = f((float64(i)+0.5)/batches*float64(calls)) * (1 + 0.002*noise.NormFloat64())
		if i%10 == 0 {
			e.Samples.Trace = append(e.Samples.Trace, x[i])
		}
	}
	found, err := steady.Classify(x)
	if err != nil {
		t.Fatal(err)
	}
	e.Class, e.Samples.WarmCalls = string(found.Class), int64(found.From)*calls/batches
	return trialOf(calls, e)
}

// TestPilotFindsCalls lets pilots run on made-up series until they decide: their runs, and
// what they decide.
func TestPilotFindsCalls(t *testing.T) {
	type cells map[string]takes // by variant and level
	tests := []struct {
		name   string
		cells  cells
		within float64 // s
		want   string
	}{
		{"baseline only", cells{"none": coming(40, 3000)}, 10, "none: 10000 4000000 4000000\n" +
			"1,300,000, so that those of none take 50 ms"},
		{"early", cells{"none": coming(40, 3000), "x": coming(4000, 20_000)}, 10, "none: 10000 4000000 4000000\n" +
			"x: 10000 260000 590000 590000\n" +
			"1,300,000, so that those of none take 50 ms"},
		{"late", cells{"none": coming(40, 3000), "x": coming(5000, 600_000)}, 10, "none: 10000 4000000 4000000\n" +
			"x: 10000 150000 710000 1200000 1200000\n" +
			"1,200,000, all that fit into 10 s of calls of x"},
		{"too late", cells{"none": coming(40, 3000), "x": coming(50_000, 190_000)}, 10, "none: 10000 4000000 4000000\n" +
			"x: 10000 15000 65000 65000\n" +
			"70,000, all that fit into 10 s of calls of x\n" +
			"x can't settle within 10 s of calls: its series still falls"},
		{"never", cells{"none": coming(40, 3000), "x": coming(4000, 20_000), "y": drifting(6000, -0.2)}, 10, "none: 10000 4000000 4000000\n" +
			"x: 10000 260000 590000 590000\n" +
			"y: 10000 410000 1700000 1700000\n" +
			"1,300,000, so that those of none take 50 ms\n" +
			"y can't settle within 10 s of calls: its series still falls"},
		{"a queue that fills up", cells{"none": coming(40, 3000), "x": drifting(3000, 0.1)}, 10, "none: 10000 4000000 4000000\n" +
			"x: 10000 830000 3100000 3100000\n" +
			"1,300,000, so that those of none take 50 ms\n" +
			"x can't settle within 10 s of calls: its series still rises"},
		{"one JVM in two", cells{"none": coming(40, 3000), "x": inTurn(drifting(6000, -0.2), coming(6000, 20_000))}, 10, "none: 10000 4000000 4000000\n" +
			"x: 10000 410000 410000 1700000 1700000\n" +
			"1,300,000, so that those of none take 50 ms\n" +
			"x doesn't settle in every JVM within 10 s of calls: its series still falls"},
		{"one JVM of the baseline in two", cells{"none": inTurn(coming(40, 3000), drifting(40, 0.1)), "x": coming(4000, 20_000)}, 10, "none: 10000 4000000 4000000\n" +
			"x: 10000 260000 590000 590000\n" +
			"1,300,000, so that those of none take 50 ms\n" +
			"none doesn't settle in every JVM within 10 s of calls: its series still rises"},
		{"nothing settles", cells{"none": drifting(2000, 0.1), "x": drifting(3000, 0.1)}, 2, "none: 10000 240000 980000 980000\n" +
			"x: 10000 160000 650000 650000\n" +
			"640,000, all that fit into 2 s of calls of x\n" +
			"none can't settle within 2 s of calls: its series still rises\n" +
			"x can't settle within 2 s of calls: its series still rises"},
		{"slow calls", cells{"none": coming(900_000, 100), "x": coming(1_000_000, 1000)}, 30, "none: 10000 10000\n" +
			"x: 10000 10000\n" +
			"10,000, as many as x needs to settle"},
		{"one quick, one slow", cells{"none": coming(40, 900_000), "x": coming(100_000, 1000)}, 10, "none: 10000 4000000 4000000\n" +
			"x: 10000 23000 23000\n" +
			"98,000, all that fit into 10 s of calls of x\n" +
			"none needs 2,300,000 to settle: raise settle_within"},
		{"two levels", cells{"none 1": coming(30, 3000), "x 1": coming(500, 3000), "none 9": coming(3000, 3000), "x 9": coming(5000, 600_000)}, 10, "none 1: 10000 4000000 4000000\n" +
			"x 1: 10000 4000000 4000000\n" +
			"none 9: 10000 820000 820000\n" +
			"x 9: 10000 150000 710000 1200000 1200000\n" +
			"1,700,000 at depth=1, so that those of none depth=1 take 50 ms\n" +
			"1,200,000 at depth=9, all that fit into 10 s of calls of x depth=9"},
	}
	asked := "two levels that a question compares"
	tests = append(tests, tests[len(tests)-1])
	last := &tests[len(tests)-1]
	last.name, last.want = asked, strings.Replace(last.want, "1,700,000 at depth=1, so that those of none depth=1 take 50 ms\n1,200,000 at depth=9", "1,200,000 at depth=1", 1)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sc := results.Scenario{Label: "s", Settling: &results.Settling{WithinNS: int64(tt.within * 1e9)}}
			if tt.name == asked {
				sc.Questions = []results.Question{{A: "x 9", B: "x 1"}}
			}
			c, trials := &results.Campaign{}, map[string][]trial{}
			var got strings.Builder
			for _, id := range []string{"none", "x", "y", "none 1", "x 1", "none 9", "x 9"} {
				f := tt.cells[id]
				if f == nil {
					continue
				}
				variant, level, _ := strings.Cut(id, " ")
				cell := results.Cell{ID: id, Scenario: "s", Variant: variant, Role: results.RoleBaseline}
				if level != "" {
					cell.Factors = []results.Value{{Name: "depth", Value: level}}
				}
				if variant != "none" {
					cell.Role, cell.Baseline = results.RoleVariant, strings.TrimSpace("none "+level)
				}
				c.Cells = append(c.Cells, cell)
				noise := rand.New(rand.NewPCG(1, uint64(len(c.Cells))))
				fmt.Fprintf(&got, "%s:", id)
				for n := next(nil, tt.within*1e9); n > 0; n = next(trials[id], tt.within*1e9) {
					trials[id] = append(trials[id], f.run(t, n, noise))
					fmt.Fprintf(&got, " %d", n)
				}
				got.WriteString("\n")
			}
			d := decideCalls(c, &sc, trials)
			got.WriteString(strings.ReplaceAll(strings.TrimPrefix(d.Reason, "calls found by a pilot of 2 JVMs a cell: "), "; ", "\n"))
			if diff := cmp.Diff(tt.want, got.String()); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, strings.ReplaceAll(got.String(), "\n", "|"))
			}
		})
	}
}
