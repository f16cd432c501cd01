package overhead

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/results"
)

func TestQuestionsHaveMargins(t *testing.T) {
	cell := func(id string, role results.Role, depth string) results.Cell {
		return results.Cell{
			ID: id, Scenario: "overhead", Variant: "x", Role: role, Baseline: "c00",
			Parameters: []results.Value{{Name: "depth", Value: depth}},
		}
	}
	got := Scenario{}.Questions([]results.Cell{
		{ID: "c00", Role: results.RoleBaseline},
		cell("c01", results.RoleAA, "10"),
		cell("c02", results.RoleVariant, "10"), cell("c03", results.RoleVariant, "1"),
	})
	q := func(id string, amount float64) results.Question {
		return results.Question{
			ID: "cost-" + id, Text: "What does x cost per call?", Metric: Duration, A: id, B: "c00",
			Family: "overhead/duration/", Margin: &results.Margin{Share: 0.01, Amount: amount, ShareFrom: 1000},
		}
	}
	if diff := cmp.Diff([]results.Question{q("c02", 10), q("c03", 1)}, got); diff != "" {
		t.Errorf("questions (-want +got):\n%s", diff)
	}
}
