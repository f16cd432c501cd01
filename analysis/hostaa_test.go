package analysis_test

import (
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// onThree is a merged campaign of three machines with six blocks each, the second of which favours one of two
// equal baselines by so much, in ns.
func onThree(favours float64) *testcampaign.Store {
	cells := append(testcampaign.Baselines(), testcampaign.Variant(2, "agent", results.ProofPlan{Kind: results.ProofNone}))
	var values []testcampaign.Value
	noise := []float64{0.3, -0.2, 0.1, -0.4, 0.25, -0.05}
	for b := range 18 {
		x := noise[b%6]
		aa := 1000 + noise[(b+2)%6]
		if b/6 == 1 {
			aa += favours
		}
		for i, ns := range []float64{1000 + x, aa, 1100 + noise[(b+4)%6] + float64(b/6)} {
			values = append(values, testcampaign.Value{Block: b + 1, Slot: i, Cell: cells[i].ID, NS: ns})
		}
	}
	s := testcampaign.FromValues(cells, values)
	s.Made.Merged = &results.Merged{Count: 3}
	machine := *s.Hosts[0]
	s.Hosts = nil
	for _, id := range []string{"m1", "m2", "m3"} {
		m := machine
		m.ID, m.Host = id, "host-"+id
		s.Hosts = append(s.Hosts, &m)
	}
	for _, inv := range s.Runs {
		inv.Machine, inv.Boot = s.Hosts[(inv.Block-1)/6].ID, "b"
	}
	return s
}

// TestHostWhoseAAFails: it is named, stays in the answers, and what they would be without it stands beside them.
func TestHostWhoseAAFails(t *testing.T) {
	a, err := analysis.Analyse(onThree(50))
	if err != nil {
		t.Fatal(err)
	}
	var failed []string
	for _, h := range a.Campaign.Fleet {
		if h.P == nil {
			t.Errorf("%s: its A/A is not judged", h.Name)
		}
		if h.Failed {
			failed = append(failed, h.Name)
		}
	}
	if strings.Join(failed, " ") != "host-m2" {
		t.Errorf("failed: %v", failed)
	}
	m := a.Scenarios[0].Cells[2].MetricNamed(a.Scenarios[0].Primary)
	if len(m.Hosts.Each) != 3 || m.Healthy == nil || m.Healthy.N != 12 || m.Difference.N != 18 {
		t.Errorf("%+v, without it %+v", m.Difference, m.Healthy)
	}
}

// TestHealthyHosts: nothing stands beside answers that nothing speaks against.
func TestHealthyHosts(t *testing.T) {
	a, err := analysis.Analyse(onThree(0))
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range a.Campaign.Fleet {
		if h.Failed {
			t.Errorf("%s failed: p %v", h.Name, *h.P)
		}
	}
	if m := a.Scenarios[0].Cells[2].MetricNamed(a.Scenarios[0].Primary); m.Healthy != nil {
		t.Errorf("%+v", m.Healthy)
	}
}
