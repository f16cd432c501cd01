package report

import (
	"testing"

	"moobench/analysis"
	"moobench/analysis/rows"
)

// A count of collections has no negative bound, whatever its t interval says.
func TestBencherCountsFromZero(t *testing.T) {
	wide := &analysis.Interval{Low: -1.1, High: 2.3, Level: 0.95}
	if i := fromZero(rows.Row{Unit: "1", Estimate: &analysis.Estimate{Value: 0.6, Interval: wide}}); i.Low != 0 || i.High != 2.3 || wide.Low != -1.1 {
		t.Errorf("%+v of %+v", i, wide)
	}
	if i := fromZero(rows.Row{Unit: "ns", Estimate: &analysis.Estimate{Value: 0.6, Interval: wide}}); i != wide {
		t.Errorf("a time has %+v", i)
	}
}
