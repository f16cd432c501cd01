package locks

import (
	"testing"

	"moobench/harness/plan"
	"moobench/results"
	"moobench/scenarios/internal/testcell"
)

func cell(values ...string) results.Cell { return testcell.Of(Scenario{}.Schema(), values...) }

// TestSections: what the fixture's own test holds it against.
func TestSections(t *testing.T) {
	for _, c := range []struct {
		cell results.Cell
		want int64
	}{
		{cell(), 50},
		{cell("program", "hashmap", "runs", "17", "threads", "4"), 17},
		{cell("program", fastSlow, "runs", "250"), 500},
		{cell("program", nested, "runs", "20"), 80},
		{cell("program", contended, "runs", "500", "threads", "4"), 2000},
	} {
		if got := sections(&c.cell); got != c.want {
			t.Errorf("%v: %d, want %d", c.cell.Parameters, got, c.want)
		}
	}
}

// TestWork: what threads are busy for is what it takes at least.
func TestWork(t *testing.T) {
	for _, c := range []struct {
		cell        results.Cell
		least, most float64 // ns
		values      int64
	}{
		{cell(), 0.1e9, 2e9, 51},
		{cell("program", fastSlow, "runs", "250", "rounds", "2"), 2e9, 20e9, 1002},
		{cell("program", contended, "runs", "1000", "threads", "4", "work", "1000000", "outside", "1000000"), 4e9, 9e9, 1001},
	} {
		w := Scenario{}.Work(&c.cell)
		if w.TakesNS < c.least || w.TakesNS > c.most || w.MayTakeNS <= w.TakesNS || w.Values != c.values || w.Pattern != "* moobench.locks..*.*(..) throws .." {
			t.Errorf("%v: %+v", c.cell.Parameters, w)
		}
	}
	for _, p := range (Scenario{}).Schema().Parameters {
		if p.Name == program && len(p.Values) != 16 {
			t.Errorf("%d programs, want the paper's 15 and contended: %q", len(p.Values), p.Values)
		}
	}
}

// TestCheck: what the fixture has no room for is refused before it is started.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		cell results.Cell
		key  string
	}{
		{cell(), ""},
		{cell("runs", "1048576", "rounds", "31", "threads", "1024"), ""},
		{cell("runs", "1048577"), "runs"},
		{cell("runs", "1048576", "rounds", "32"), "rounds"},
		{cell("runs", "1", "rounds", "16777216"), ""},
		{cell("runs", "1", "rounds", "16777217"), "rounds"},
		{cell("runs", "3", "rounds", "8388609"), "rounds"},
		{cell("threads", "1025"), "threads"},
		{cell("program", contended, "threads", "2", "locks", "3"), "locks"},
		{cell("program", contended, "threads", "3", "locks", "3"), ""},
		{cell("locks", "3"), ""},
	} {
		got := (Scenario{}).Check(&plan.Cell{Cell: c.cell})
		if len(got) > 1 || (len(got) == 1) != (c.key != "") || len(got) == 1 && got[0].Key != c.key {
			t.Errorf("%v: %v, want %q refused", c.cell.Parameters, got, c.key)
		}
	}
}
