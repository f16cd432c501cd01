package repeats_test

import (
	"slices"
	"testing"

	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/internal/testchapter"
	"moobench/internal/testgolden"
)

// A variant that is disturbed more often than the others may do so itself: that is said, and both answers are there.
func TestOwnDoingIsSaid(t *testing.T) {
	s := testchapter.Analyse(t, testcampaign.OwnDoing()).Scenarios[0]
	testgolden.Check(t, "testdata/said.txt", s.Repeats.Text+"\n")
	if r := s.Repeats; !r.Uneven || *r.P > 0.01 || r.Cell != "c02" || !slices.Contains(s.Notes, r.Text) {
		t.Errorf("%+v, notes %q", r, s.Notes)
	}
	m := s.Cell("c02").MetricNamed(s.Primary)
	if m.Difference.N != 25 || m.All.N != 25 || m.Kept.N != 20 || m.Difference.Value != m.All.Value {
		t.Errorf("%+v", m.Difference)
	}
}
