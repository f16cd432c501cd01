package analysis_test

import (
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
)

// TestHostWhoseAAFails: it is named, stays in the answers, and what they would be without it stands beside them.
func TestHostWhoseAAFails(t *testing.T) {
	a, err := analysis.Analyse(testcampaign.Merged(50))
	if err != nil {
		t.Fatal(err)
	}
	var failed []string
	for _, h := range a.Campaign.Hosts {
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
	a, err := analysis.Analyse(testcampaign.Merged(0))
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range a.Campaign.Hosts {
		if h.Failed {
			t.Errorf("%s failed: p %v", h.Name, *h.P)
		}
	}
	if m := a.Scenarios[0].Cells[2].MetricNamed(a.Scenarios[0].Primary); m.Healthy != nil {
		t.Errorf("%+v", m.Healthy)
	}
}
