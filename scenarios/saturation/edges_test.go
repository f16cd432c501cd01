package saturation

import (
	"testing"

	"moobench/harness/plan"
	"moobench/scenarios/internal/testcell"
)

// TestLimitsOfACurve: what is just possible is not refused.
func TestLimitsOfACurve(t *testing.T) {
	for _, c := range []struct {
		values []string
		key    string // "": it may be asked for
	}{
		{nil, ""},
		{[]string{lowest, "1000", highest, "1000"}, highest},
		{[]string{lowest, "1000", highest, "1001"}, ""},
		{[]string{highest, "100000000"}, ""},
		{[]string{highest, "100000001"}, highest},
		{[]string{hold, "0"}, hold},
		{[]string{lowest, "100", hold, "1000000000"}, ""},
		{[]string{lowest, "99", hold, "1000000000"}, hold},
	} {
		cell := testcell.Of(Scenario{}.Schema(), append([]string{hold, "2000000000"}, c.values...)...)
		got := Scenario{}.Check(&plan.Cell{Cell: cell, Work: Scenario{}.Work(&cell)})
		if len(got) > 1 || (len(got) == 1) != (c.key != "") || len(got) == 1 && got[0].Key != c.key {
			t.Errorf("%q: %v, want %q refused", c.values, got, c.key)
		}
	}
}
