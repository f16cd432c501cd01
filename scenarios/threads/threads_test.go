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
