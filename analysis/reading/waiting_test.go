package reading_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/caveat"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/internal/testchapter"
	"moobench/results"
)

// waiting makes the timed invocations of a campaign wait, each for these shares of its time.
func waiting(s *testcampaign.Store, of func(inv *results.Invocation) *results.Waited) *testcampaign.Store {
	for _, inv := range s.Runs {
		if inv.Profile != results.ProfileTiming || inv.Scalars == nil {
			continue
		}
		w, loop := of(inv), inv.Scalars["loop_ns"]
		inv.Scalars["run_delay_ns"] = (w.ForeignNS + w.OthersNS + w.OwnNS) * loop
		for _, x := range []*float64{&w.ForeignNS, &w.OthersNS, &w.OwnNS, &w.StealNS, &w.DoubtNS} {
			*x *= loop
		}
		w.ThreadsNS = loop
		if w.Programs == nil {
			w.Programs = []results.Program{{Name: "make", Session: 7, RunNS: w.ForeignNS}}
		}
		inv.Waited = w
	}
	return s
}

// What calls waited for is said of each cell, with its size, and what became of the mean.
func TestWaitingIsSaid(t *testing.T) {
	const cell = "c03" // kieker/bci/tcp
	plain := testchapter.Analyse(t, testcampaign.Small())
	for _, c := range []struct {
		name  string
		w     func(variant bool) results.Waited
		rank  caveat.Rank // "" says nothing
		show  string
		text  string
		share float64 // of the mean that remains; 0: it has none
	}{
		{"nothing", func(bool) results.Waited { return results.Waited{OwnNS: 0.1} }, "", "", "", 1},
		{"a neighbour", func(bool) results.Waited { return results.Waited{ForeignNS: 0.3} }, caveat.Remark, "waited 30 %", "for others (make, session 7): taken out", 0.7},
		{"too long", func(bool) results.Waited { return results.Waited{ForeignNS: 0.65} }, caveat.NoResult, "waited 65 %", "more than 35 % can't be taken out; end them", 0},
		{"who knows whom", func(bool) results.Waited { return results.Waited{OthersNS: 0.3} }, caveat.Misleading, "waited 30 % for some", "may have caused them, so the time stays", 1},
		{"a helper", func(variant bool) results.Waited {
			if variant {
				return results.Waited{ForeignNS: 0.2}
			}
			return results.Waited{}
		}, caveat.Misleading, "others ran more beside it", "waited 20 % of their time for others that ran more beside a variant", 1},
		{"hand-over", func(bool) results.Waited { return results.Waited{ForeignNS: 0.3, OwnNS: 0.4} }, caveat.Misleading, "took turns", "also waited 40 %", 0.7},
	} {
		a := testchapter.Analyse(t, waiting(testcampaign.Small(), func(inv *results.Invocation) *results.Waited {
			w := c.w(inv.Cell == cell)
			return &w
		}))
		s := &a.Scenarios[0]
		found := s.Cell(cell)
		i := slices.IndexFunc(found.Marks, func(m analysis.Mark) bool {
			return m.Show == c.show && m.Rank == c.rank && strings.Contains(m.Text, c.text)
		})
		if (i >= 0) != (c.rank != "") {
			t.Errorf("%s: want %q, has %+v", c.name, c.show, found.Marks)
		}
		was, is := plain.Scenarios[0].Cell(cell).MetricNamed(s.Primary), found.MetricNamed(s.Primary)
		if len(is.Quantiles) != len(was.Quantiles) || is.Quantiles[0].Estimate.Value != was.Quantiles[0].Estimate.Value {
			t.Errorf("%s: quantiles are not as measured", c.name)
		}
		if c.share == 0 {
			if is.Mean != nil || is.Difference != nil || !strings.Contains(found.Unanswered(s.Primary), "waited 65 %") || !a.Incomplete() {
				t.Errorf("%s: %+v", c.name, is)
			}
			if q := s.Answers[1]; q.Verdict != "no answer" || !strings.Contains(q.Sentence.String(), "waited 65 %") {
				t.Errorf("%s: the question is answered: %+v", c.name, q.Sentence)
			}
			continue
		}
		if got := is.Mean.Value / was.Mean.Value; math.Abs(got-c.share) > 1e-9 {
			t.Errorf("%s: %v of the mean remains, want %v", c.name, got, c.share)
		}
		once := slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, "other quantiles are as measured") })
		if once != (c.share < 1) {
			t.Errorf("%s: notes %q", c.name, s.Notes)
		}
	}
}

// Of campaigns that did not record whom calls waited for nothing is taken, and how long they
// waited stands beside what disturbed them.
func TestWaitingOfOldCampaigns(t *testing.T) {
	s := testcampaign.Small()
	for _, inv := range s.Runs {
		if inv.Profile == results.ProfileTiming && inv.Scalars != nil {
			inv.Scalars["run_delay_ns"] = 0.68 * inv.Scalars["loop_ns"]
			inv.Disturbed = &results.Disturbance{OthersNS: 2e9, Share: 0.4, Reason: "other processes took 40 % of the measured CPUs"}
		}
	}
	plain, a := testchapter.Analyse(t, testcampaign.Small()), testchapter.Analyse(t, s)
	for i, c := range a.Scenarios[0].Cells {
		if got, want := c.Metrics[0].Mean.Value, plain.Scenarios[0].Cells[i].Metrics[0].Mean.Value; got != want {
			t.Errorf("%s: %v, want %v", c.Label, got, want)
		}
		if !slices.ContainsFunc(c.Marks, func(m analysis.Mark) bool {
			return m.Kind == "disturbed" && strings.Contains(m.Text, "the 68 % of their time")
		}) {
			t.Errorf("%s: %+v", c.Label, c.Marks)
		}
	}
}
