package analysis

import (
	"testing"

	"moobench/analysis/internal/testcampaign"
)

// TestSoFar: what a display says of a finished campaign is what the answers say.
func TestSoFar(t *testing.T) {
	src := testcampaign.Small()
	a, err := Analyse(src)
	if err != nil {
		t.Fatal(err)
	}
	f := Follow(src)
	for _, c := range a.Scenarios[0].Cells {
		value, half, ok := f.Adds(c.ID)
		want := c.PerExecution
		if want == nil {
			want = c.MetricNamed("duration").Difference
		}
		if c.Role != "variant" {
			want = nil
		}
		if ok != (want != nil) || ok && (value != want.Value || half != want.Interval.Half()) {
			t.Errorf("%s: %v ± %v, %v; want %+v", c.Label, value, half, ok, want)
		}
	}
	if _, _, ok := f.Adds("nowhere"); ok {
		t.Error("a cell that is none adds something")
	}
}
