package analysis_test

import (
	"testing"

	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// The latency of a request is no price of the records that it makes, although
// they are counted.
func TestNoRecordOfARequestHasAPrice(t *testing.T) {
	s := testcampaign.Served()
	for _, c := range s.Made.Cells {
		if c.Role == results.RoleVariant && c.Proof.Kind != results.ProofCount {
			t.Fatalf("the records of %s are not counted: it shows nothing", c.Variant)
		}
	}
	for _, c := range analyse(t, s).Scenarios[0].Cells {
		if c.PerRecord != nil || c.NoPerRecord != "" {
			t.Errorf("%s: a record is said to cost %+v (%s)", c.Label, c.PerRecord, c.NoPerRecord)
		}
	}
}
