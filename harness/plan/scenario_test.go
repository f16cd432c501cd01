package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/results"
)

func TestAgainst(t *testing.T) {
	at := func(id string, role results.Role, depth string) results.Cell {
		return results.Cell{ID: id, Scenario: "s", Variant: "50%s/off", Role: role, Baseline: "c00", Factors: []results.Value{{Name: "depth", Value: depth}}}
	}
	cells := []results.Cell{at("c00", results.RoleBaseline, "1"), at("c01", results.RoleAA, "1"), at("c02", results.RoleVariant, "1"), at("c03", results.RoleVariant, "2")}
	got := Against(cells, func(c *results.Cell) []results.Question {
		return []results.Question{{ID: "cost", Text: "What does %s cost?", Metric: "duration"}, {ID: "p99", Metric: "duration", Family: "tail", Quantile: 0.99}}
	})
	q := func(id, text, family string, quantile float64) results.Question {
		return results.Question{ID: id, Text: text, Metric: "duration", A: id[len(id)-3:], B: "c00", Family: family, Quantile: quantile}
	}
	want := []results.Question{
		q("cost-c02", "What does 50%s/off depth=1 cost?", "s/duration/depth=1", 0), q("p99-c02", "", "s/tail/depth=1", 0.99),
		q("cost-c03", "What does 50%s/off depth=2 cost?", "s/duration/depth=2", 0), q("p99-c03", "", "s/tail/depth=2", 0.99),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("questions (-want +got):\n%s", diff)
	}
}
