package records_test

import (
	"strings"
	"testing"

	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/internal/testchapter"
	"moobench/analysis/proof"
	"moobench/results"
)

// What can't be seen of a count stands with the number.
func TestUnknownLossesAreMarked(t *testing.T) {
	s := twoInvocations(results.ProofPlan{Kind: results.ProofCount, Source: "otlp"}, [2]int64{100, 90}, 50, -2)
	var shows []string
	for _, m := range testchapter.Analyse(t, s).Scenarios[0].Cell("c02").Marks {
		shows = append(shows, m.Show)
	}
	if got := strings.Join(shows, "; "); !strings.HasPrefix(got, `losses unknown (add per_call = "depth" to the proof); cost deferred 50 %`) {
		t.Errorf("marks %q", got)
	}
	for _, inv := range s.Runs {
		inv.Proof.Expected = 100 // the scenario knew it after all
	}
	if r := testchapter.Analyse(t, s).Scenarios[0].Cell("c02").Records; r.Verdict != proof.Lost {
		t.Errorf("%s: %s", r.Verdict, r.Text)
	}
}

func twoInvocations(plan results.ProofPlan, got [2]int64, late, sibling int64) *testcampaign.Store {
	proof := testcampaign.Variant(3, "mine/counted", results.ProofPlan{Kind: results.ProofCount, Source: "otlp", Expected: 100, Optional: plan.Optional})
	proof.Role = results.RoleProof
	s := testcampaign.Make(testcampaign.Plan{
		Blocks: 2, Samples: 100, Cells: append(testcampaign.Baselines(), testcampaign.Variant(2, "mine", plan), proof),
		Behaves: []testcampaign.Behaviour{{Mean: 100}, {Mean: 100}, {Mean: 200}, {Mean: 1}},
	})
	var kept []*results.Invocation
	for _, inv := range s.Runs {
		switch {
		case inv.Cell == "c02" && plan.Source != "":
			n := got[inv.Block-1]
			inv.Proof = results.Proof{Source: "otlp", Expected: plan.Expected, ByExit: n, ByLoopEnd: n - n*late/100}
		case inv.Cell == "c03" && sibling == -2:
			continue
		case inv.Cell == "c03" && sibling == -1:
			inv.Status, inv.Failure = results.StatusFailed, &results.Failure{Kind: "start", Message: "no greeting"}
		case inv.Cell == "c03":
			inv.Proof = results.Proof{Source: "otlp", Expected: 100, ByExit: sibling, ByLoopEnd: sibling}
		}
		kept = append(kept, inv)
	}
	s.Runs = kept
	return s
}

// A cost of one execution says so where a call made another number of records than it is taken to
// make executions, and nothing else says how many it makes.
func TestRecordsPerCallAreCompared(t *testing.T) {
	for records, want := range map[int64]string{14_000_000: "7.000 records a call", 20_000_000: ""} {
		s := testcampaign.Small()
		for i := range s.Made.Cells {
			if s.Made.Cells[i].ID == "c03" {
				s.Made.Cells[i].Proof.Expected = 0
			}
		}
		for _, inv := range s.Runs {
			if inv.Cell == "c03" {
				inv.Proof.Expected, inv.Proof.ByExit, inv.Proof.ByLoopEnd = 0, records, records
			}
		}
		got := ""
		for _, m := range testchapter.Analyse(t, s).Scenarios[0].Cell("c03").Marks {
			if m.Kind == "records per call" {
				got = m.Show
			}
		}
		if got != want {
			t.Errorf("%d records of 2,000,000 calls: %q, want %q", records, got, want)
		}
	}
}

func TestShown(t *testing.T) {
	testchapter.Check(t, testcampaign.Troubled(), 0, "records")
}
