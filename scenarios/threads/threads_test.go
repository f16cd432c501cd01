package threads

import (
	"testing"

	"moobench/harness/plan"
	"moobench/results"
	"moobench/scenarios/internal/testcell"
)

func cell(values ...string) results.Cell { return testcell.Of(Scenario{}.Schema(), values...) }

// TestCalls: the paper counts 800,022 entries and exits of 100,000 increments.
func TestCalls(t *testing.T) {
	for _, c := range []struct {
		cell results.Cell
		want int64
	}{
		{cell("threshold", "100000"), 400_011},
		{cell("threshold", "10"), 51},
		{cell("program", producerConsumer, "items", "3"), 7},
	} {
		if got := calls(&c.cell); got != c.want {
			t.Errorf("%v: %d calls, want %d", c.cell.Parameters, got, c.want)
		}
	}
}

// TestWork: what is waited for in the program is what it takes at least.
func TestWork(t *testing.T) {
	for _, c := range []struct {
		cell        results.Cell
		least, most float64 // ns
	}{
		{cell("threshold", "1000", "work", "1000000"), 1e9, 1.1e9},
		{cell("threshold", "100000", "work", "0"), 1e8, 1e9},
		{cell("program", producerConsumer, "items", "100", "produce", "5000000", "consume", "2000000", "rounds", "2"), 1e9, 1.1e9},
	} {
		w := Scenario{}.Work(&c.cell)
		if w.TakesNS < c.least || w.TakesNS > c.most || w.MayTakeNS <= w.TakesNS || w.Pattern != "@moobench.threads.Monitored *.*(..)" {
			t.Errorf("%v: %+v", c.cell.Parameters, w)
		}
	}
}

func TestCheck(t *testing.T) {
	for threshold, refused := range map[string]bool{"10": false, "11": true} {
		c := plan.Cell{Cell: cell("threshold", threshold)}
		if got := (Scenario{}).Check(&c); (len(got) > 0) != refused {
			t.Errorf("%s increments: %v", threshold, got)
		}
		c.Cell = cell("threshold", threshold, "program", producerConsumer)
		if got := (Scenario{}).Check(&c); len(got) > 0 {
			t.Errorf("a producer has no threshold: %v", got)
		}
	}
}

// TestDrive: the time of the rounds is divided by their entries and exits. Threads may wake without having been
// notified, ten times a round; any other number of calls is a lie.
func TestDrive(t *testing.T) {
	count := func(extra int64) plan.Cell {
		c := plan.Cell{Cell: cell("threshold", "10", "rounds", "2")} // 51 calls in a round
		c.Proof.Kind, c.Recipe.Proof.Extra = results.ProofCount, extra
		return c
	}
	tests := map[string]struct {
		cell    plan.Cell
		made    int64
		failed  bool
		warned  bool
		records int64
	}{
		"as ordered":          {count(0), 102, false, false, 102},
		"woken once":          {count(0), 103, false, true, 103},
		"woken twenty times":  {count(0), 122, false, true, 122},
		"woken too often":     {count(0), 123, true, false, 0},
		"too few":             {count(0), 101, true, false, 0},
		"one record more":     {count(1), 102, false, false, 102},
		"three records more":  {count(3), 102, false, false, 104},
		"nothing is counted":  {plan.Cell{Cell: cell("threshold", "10", "rounds", "2")}, 102, false, false, 0},
		"items and producers": {plan.Cell{Cell: cell("program", producerConsumer)}, 7, false, false, 0},
	}
	for name, c := range tests {
		f := testcell.NewProgram(t.TempDir(), c.made, 4000, 6000)
		inv := plan.Invocation{Cell: c.cell, Profile: results.ProfileTiming}
		err := Scenario{}.Drive(t.Context(), inv, f, f)
		if (err != nil) != c.failed || (len(f.Warnings) > 0) != c.warned || f.Records != c.records {
			t.Errorf("%s: %v, %q, %d records are expected", name, err, f.Warnings, f.Records)
		}
		rounds := c.cell.Int("rounds")
		perRun := float64(2*c.made) / float64(rounds)
		if !c.failed && (f.Scalars[perEvent] != 10_000/float64(2*c.made) || f.Scalars[entries] != perRun) {
			t.Errorf("%s: %v", name, f.Scalars)
		}
	}
	none := testcell.NewProgram(t.TempDir(), 102)
	err := Scenario{}.Drive(t.Context(), plan.Invocation{Cell: count(0), Profile: results.ProfileTiming}, none, none)
	if _, told := none.Scalars[perEvent]; err != nil || told {
		t.Errorf("without rounds: %v, %v", err, none.Scalars)
	}
}

// TestQuestions: each logger is asked for what it costs the program.
func TestQuestions(t *testing.T) {
	cells := []results.Cell{cell(), cell()}
	cells[0].ID, cells[0].Role = "c00", results.RoleBaseline
	cells[1].ID, cells[1].Role, cells[1].Baseline = "c01", results.RoleVariant, "c00"
	if got := (Scenario{}).Questions(cells); len(got) != 1 || got[0].A != "c01" || got[0].B != "c00" {
		t.Errorf("%+v", got)
	}
}
