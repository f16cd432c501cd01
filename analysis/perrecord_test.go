package analysis_test

import (
	"math"
	"testing"

	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// The latency of a request is not the price of the records that it makes, although
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

// What a record costs is what all of them cost together: the JVM that delivered least has no more
// weight than another.
func TestPerRecordIsTheRatioOfTotals(t *testing.T) {
	s := testcampaign.Small()
	shares, calls := []float64{0.02, 0.6, 0.1, 0.05, 0.3, 0.02, 0.6, 0.1}, 2000.0
	cpu := map[string]float64{}
	for _, inv := range s.Runs {
		if inv.Cell == "c03" && inv.Profile == results.ProfileTiming {
			inv.Proof.ByExit = int64(shares[inv.Block-1] * float64(inv.Proof.Expected))
			cpu[inv.Identity.String()] = 1e9 * float64(inv.Block)
			inv.Scalars["cpu_per_record_ns"] = cpu[inv.Identity.String()] / float64(inv.Proof.ByExit)
		}
	}
	sc := &s.Made.Scenarios[0]
	sc.Metrics = append(sc.Metrics, results.Metric{Name: "cpu_per_record_ns", Unit: "ns", Better: results.Lower, Profile: results.ProfileTiming, Per: results.Record})
	c := analyse(t, s).Scenarios[0].Cell("c03")
	records, used := 0.0, 0.0
	for _, inv := range s.Runs {
		if _, counted := cpu[inv.Identity.String()]; counted {
			records, used = records+float64(inv.Proof.ByExit), used+cpu[inv.Identity.String()]
		}
	}
	m := c.MetricNamed("duration")
	if want := m.Difference.Value * float64(len(shares)) * calls / records; c.PerRecord == nil || math.Abs(c.PerRecord.Value/want-1) > 1e-9 {
		t.Errorf("a record costs %+v, want %v", c.PerRecord, want)
	}
	got := c.MetricNamed("cpu_per_record_ns").Mean
	if math.Abs(got.Value/(used/records)-1) > 1e-9 || got.Interval.Low >= got.Value || got.Interval.High <= got.Value {
		t.Errorf("CPU time per record is %+v, want %v", got, used/records)
	}
}
