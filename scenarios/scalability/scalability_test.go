package scalability

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/results"
)

func TestScalings(t *testing.T) {
	cells := func(factor string, values ...string) []results.Cell {
		var all []results.Cell
		for _, v := range values {
			for _, one := range []string{"false", "true"} {
				all = append(all, results.Cell{Factors: []results.Value{{Name: factor, Value: v}, {Name: "one_by_one", Value: one}}})
			}
		}
		return all
	}
	of := func(factor string) []results.Scaling {
		return []results.Scaling{
			{Factor: factor, Metric: "turnaround", Margin: 1e5}, {Factor: factor, Metric: "match", Margin: 1e5}, {Factor: factor, Metric: "swap", Margin: 1e5},
		}
	}
	for _, c := range []struct {
		name  string
		cells []results.Cell
		want  []results.Scaling
	}{
		{"nothing varies", []results.Cell{{ID: "c00"}}, nil},
		{"two levels", cells("at_once", "5", "10"), nil},
		{"three levels", cells("at_once", "5", "10", "15"), of("at_once")},
		{"none of ours", cells("cpus", "1", "2", "3"), nil},
		{"no number", cells("busy_wait", "lazy", "wall", "cpu"), nil},
		{"no number, of its own", cells("watcher", "a", "b", "c"), nil},
		{"patterns", cells("patterns", "0", "10", "1000"), of("patterns")},
	} {
		if diff := cmp.Diff(c.want, Scenario{}.Scalings(c.cells)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
