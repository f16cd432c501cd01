package overhead

import (
	"testing"

	"moobench/harness/plan"
	"moobench/results"
)

// TestCallsOfAPilot: what cells do before a pilot has found their calls, in it, and after it,
// also in a campaign that is resumed.
func TestCallsOfAPilot(t *testing.T) {
	lines := "variants = [\"none\", \"kieker/bci/tcp\", \"kieker/bci/disabled\"]\ncalls = \"auto\"\nbatch = 3\ndepth = [1, 10]"
	p, err := planned(t, lines)
	if err != nil {
		t.Fatal(err)
	}
	c := p.Campaign
	tcp := func(p *plan.Plan, depth string) *plan.Cell {
		for i := range p.Cells {
			if cell := &p.Cells[i]; cell.Variant == "kieker/bci/tcp" && cell.Role == results.RoleVariant && cell.Factor("depth") == depth {
				return cell
			}
		}
		t.Fatal("no such cell")
		return nil
	}
	check := func(what string, got *plan.Cell, parameter string, calls, records int64) {
		t.Helper()
		if got.Parameter("calls") != parameter || got.Work.Calls != calls || got.Proof.Expected != records {
			t.Errorf("%s: calls = %s, %d calls, %d records, want %s, %d, %d",
				what, got.Parameter("calls"), got.Work.Calls, got.Proof.Expected, parameter, calls, records)
		}
	}
	deep := tcp(p, "10")
	check("before", deep, results.Auto, 10_002, 0)
	for i := range p.Cells {
		if cell := &p.Cells[i]; cell.Role == results.RoleProof && (cell.Parameter("calls") != "10002" || cell.Proof.Expected == 0) {
			t.Errorf("the proof makes %s calls, %d records", cell.Parameter("calls"), cell.Proof.Expected)
		}
	}
	inv, err := p.Invocation(plan.Pilot(c, deep.ID, 100_000), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	// Two records are no calls.
	check("pilot", &inv.Cell, "100002", 100_002, 1_000_022)
	if inv.Profile != results.ProfilePilot || inv.Cell.Timeout <= deep.Timeout {
		t.Errorf("pilot: profile %s, timeout %s", inv.Profile, inv.Cell.Timeout)
	}

	c.Scenarios[0].Settling.Decision = &results.SettlingDecision{Groups: []results.SettledGroup{{Calls: 2_000_001, Cells: []results.SettledCell{{Cell: deep.ID}}}}}
	p.Settle()
	check("after", tcp(p, "10"), "2000001", 2_000_001, 20_000_012)
	check("another level", tcp(p, "1"), results.Auto, 10_002, 0)
	if got := c.Cell(deep.ID); got.Parameter("calls") != results.Auto || got.Proof.Expected != 20_000_012 {
		t.Errorf("the campaign says calls = %s, %d records", got.Parameter("calls"), got.Proof.Expected)
	}
	again, err := planned(t, lines)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Resume(c); err != nil {
		t.Fatal(err)
	}
	check("resumed", tcp(again, "10"), "2000001", 2_000_001, 20_000_012)
}
