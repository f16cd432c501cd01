package distribution_test

import (
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/internal/testchapter"
	"moobench/results"
)

// The distribution of a cell holds the calls of the windows of all its
// invocations; without single calls there is none, and it is said why.
func TestDistributions(t *testing.T) {
	a := testchapter.Analyse(t, testcampaign.Troubled())
	cell := func(variant string) *analysis.Cell {
		return results.Find(a.Scenarios[0].Cells, func(c *analysis.Cell) bool { return c.Variant == variant })
	}
	d := cell("none").Distribution
	if d == nil || d.Invocations != 6 || d.N < 6*1000 || d.N > 6*2000 {
		t.Fatalf("baseline: %+v", d)
	}
	if p50 := d.Box[2].Value; p50 < 500 || p50 > 620 {
		t.Errorf("the median call takes %v ns", p50)
	}
	if c := cell("opentelemetry/bci/otlp"); c.Distribution != nil || !strings.Contains(c.NoDistribution, "several calls") {
		t.Errorf("batched: %+v, %q", c.Distribution, c.NoDistribution)
	}
	if c := cell("kieker/bci/wrong-class"); c.Distribution != nil || c.NoDistribution != "" {
		t.Errorf("void: %+v, %q", c.Distribution, c.NoDistribution)
	}
	if c := cell("kieker/bci/collect"); c.Distribution == nil || c.Distribution.Invocations != 3 {
		t.Errorf("three invocations failed: %+v", c.Distribution)
	}
}
