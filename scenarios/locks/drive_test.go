package locks

import (
	"testing"

	"moobench/harness/plan"
	"moobench/results"
	"moobench/scenarios/internal/testcell"
)

// TestDrive: a fixture that takes another number of locks than was ordered has no numbers; threads that contend
// have a throughput, and records are expected where each execution makes one.
func TestDrive(t *testing.T) {
	for _, c := range []struct {
		name       string
		cell       results.Cell
		calls      int64
		rounds     []int64
		perCall    string
		proof      results.ProofKind
		failed     bool
		throughput float64
		expected   int64
	}{
		{
			"plain", cell("program", "stack", "runs", "10", "rounds", "2"), 20,
			[]int64{5, 5},
			runs, results.ProofCount,
			false, 0, 20,
		},
		{
			"too few", cell("program", "stack", "runs", "10", "rounds", "2"), 19,
			[]int64{5, 5},
			runs,
			results.ProofCount, true, 0, 0,
		},
		{
			"of another kind", cell("program", "stack", "runs", "10"), 10,
			[]int64{5},
			runs, results.ProofZero, false,
			0, 0,
		},
		{
			"of another number", cell("program", "stack", "runs", "10"), 10,
			[]int64{5},
			"depth", results.ProofCount,
			false, 0, 0,
		},
		{
			"contended", cell("program", contended, "runs", "10", "threads", "2"), 20,
			[]int64{4e9, 1e9},
			runs,
			results.ProofCount, false, 4, 20,
		},
		{
			"in no time", cell("program", contended, "runs", "10", "threads", "2"), 20, nil, runs, results.ProofCount,
			false, 0, 20,
		},
	} {
		inv := plan.Invocation{Cell: plan.Cell{Cell: c.cell}, Profile: results.ProfileTiming}
		inv.Cell.Proof.Kind, inv.Cell.Recipe.Proof.PerCall = c.proof, c.perCall
		f := testcell.NewProgram(t.TempDir(), c.calls, c.rounds...)
		err := Scenario{}.Drive(t.Context(), inv, f, f)
		if (err != nil) != c.failed {
			t.Errorf("%s: %v", c.name, err)
		}
		if got, told := f.Scalars[throughput]; got != c.throughput || told != (c.throughput > 0) ||
			f.Records != c.expected {
			t.Errorf("%s: %v a second, %d records are expected", c.name, got, f.Records)
		}
	}
}

// TestTakes: what a run takes is what its executions take, one after the other, and the slowest logger is given
// twenty times as long.
func TestTakes(t *testing.T) {
	for _, c := range []struct {
		cell results.Cell
		ns   float64
	}{
		{cell("program", "stack", "runs", "10", "rounds", "3"), 3 * 10 * 30e3},
		{cell("program", fastSlow, "runs", "10"), 10 * 17e6},
		{cell("program", contended, "runs", "10", "threads", "2", "work", "5000", "outside", "3000"), 20 * 9e3},
	} {
		if w := (Scenario{}).Work(&c.cell); w.TakesNS != c.ns || w.MayTakeNS != 20*c.ns {
			t.Errorf("%v: %v, at most %v, want %v", c.cell.Parameters, w.TakesNS, w.MayTakeNS, c.ns)
		}
	}
}
