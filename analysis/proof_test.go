package analysis_test

import (
	"strings"
	"testing"

	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/proof"
	"moobench/results"
)

// proofs are verdicts on two invocations and a proof cell.
func TestProof(t *testing.T) {
	count := results.ProofPlan{Kind: results.ProofCount, Source: "otlp", Expected: 100}
	unknown := results.ProofPlan{Kind: results.ProofCount, Source: "otlp"}
	sibling := results.ProofPlan{Kind: results.ProofSibling, Cell: "c03"}
	optional := results.ProofPlan{Kind: results.ProofCount, Source: "otlp", Optional: true}
	idle := results.ProofPlan{Kind: results.ProofZero, Source: "otlp", Cell: "c03", Optional: true} // and so is what proves it
	zero := results.ProofPlan{Kind: results.ProofZero, Source: "otlp", Cell: "c03"}
	for name, c := range map[string]struct {
		plan    results.ProofPlan
		got     [2]int64 // records of the two invocations
		late    int64
		sibling int64 // records of the proof cell, -1: it failed, -2: not run
		want    proof.Proven
		text    string
	}{
		"all":              {count, [2]int64{100, 100}, 0, -2, proof.Instrumented, "all 200 records arrived"},
		"one short":        {count, [2]int64{100, 99}, 0, -2, proof.Lost, "0.50 % lost"},
		"lost and doubled": {count, [2]int64{101, 99}, 0, -2, proof.Lost, "0.50 % lost"},
		"doubled":          {count, [2]int64{200, 200}, 0, -2, proof.TooMany, "400 of 200"},
		"none":             {count, [2]int64{0, 0}, 0, -2, proof.NotInstrumented, "not one record"},
		"none once":        {count, [2]int64{100, 0}, 0, -2, proof.NotInstrumented, "1 of 2 invocations"},
		"late":             {count, [2]int64{100, 100}, 11, -2, proof.Deferred, "11 % only after the loop"},
		"hardly late":      {count, [2]int64{100, 100}, 10, -2, proof.Instrumented, "all"},
		"how many unknown": {unknown, [2]int64{100, 90}, 0, -2, proof.Instrumented, "190 records arrived; how many must is not known, so lost ones would not be seen"},
		"unknown and none": {unknown, [2]int64{0, 0}, 0, -2, proof.NotInstrumented, "not one record arrived, where some must"},
		"unknown, no once": {unknown, [2]int64{100, 0}, 0, -2, proof.NotInstrumented, "1 of 2 invocations"},
		"none, optional":   {optional, [2]int64{0, 0}, 0, -2, proof.Nothing, "there may be nothing here that it records"},
		"optional, once":   {optional, [2]int64{100, 0}, 0, -2, proof.NotInstrumented, "1 of 2 invocations"},
		"some, optional":   {optional, [2]int64{100, 90}, 0, -2, proof.Instrumented, "190 records arrived"},
		"zero, optional":   {idle, [2]int64{0, 0}, 0, 0, proof.Nothing, "as it must be, but none from"},
		"zero, proven":     {idle, [2]int64{0, 0}, 0, 100, proof.Instrumented, "as it must be"},
		"sibling":          {sibling, [2]int64{}, 0, 100, proof.Instrumented, "by "},
		"sibling silent":   {sibling, [2]int64{}, 0, 0, proof.NotInstrumented, "where 100 must"},
		"sibling failed":   {sibling, [2]int64{}, 0, -1, proof.NotProven, "it failed: no greeting"},
		"sibling missing":  {sibling, [2]int64{}, 0, -2, proof.NotProven, "was not run"},
		"zero":             {zero, [2]int64{0, 0}, 0, 100, proof.Instrumented, "as it must be"},
		"zero, yet some":   {zero, [2]int64{0, 3}, 0, 100, proof.Unexpected, "3 records arrived, where none may"},
		"zero, as all":     {zero, [2]int64{0, 0}, 0, 0, proof.NotInstrumented, "none from"},
		"zero, unproven":   {zero, [2]int64{0, 0}, 0, -2, proof.NotProven, "proves nothing"},
		"nothing":          {results.ProofPlan{Kind: results.ProofNone}, [2]int64{}, 0, -2, proof.NotProven, "nothing is known"},
	} {
		t.Run(name, func(t *testing.T) {
			s := twoInvocations(c.plan, c.got, c.late, c.sibling)
			r := cell(t, analyse(t, s), "mine").Records
			if r.Verdict != c.want || !strings.Contains(r.Text, c.text) {
				t.Errorf("got %s: %s, want %s: … %s …", r.Verdict, r.Text, c.want, c.text)
			}
		})
	}
}

// What can't be seen of a count stands with the number.
func TestUnknownLossesAreMarked(t *testing.T) {
	s := twoInvocations(results.ProofPlan{Kind: results.ProofCount, Source: "otlp"}, [2]int64{100, 90}, 50, -2)
	a := analyse(t, s)
	var shows []string
	for _, m := range cell(t, a, "mine").Marks {
		shows = append(shows, m.Show)
	}
	if got := strings.Join(shows, "; "); !strings.HasPrefix(got, `losses unknown (add per_call = "depth" to the proof); cost deferred 50 %`) {
		t.Errorf("marks %q", got)
	}
	for _, inv := range s.Runs {
		inv.Proof.Expected = 100 // the scenario knew it after all
	}
	if r := cell(t, analyse(t, s), "mine").Records; r.Verdict != proof.Lost {
		t.Errorf("%s: %s", r.Verdict, r.Text)
	}
}

// TestWhyRecordsAreMissing: what is known of it stands with the verdict, and only where some are.
func TestWhyRecordsAreMissing(t *testing.T) {
	count := results.ProofPlan{Kind: results.ProofCount, Source: "jfr", Expected: 100}
	for _, c := range []struct {
		got  [2]int64
		says string
	}{{[2]int64{0, 0}, "200 must; it was stopped"}, {[2]int64{100, 50}, "lost; it was stopped"}, {[2]int64{100, 0}, "invocations; it was stopped"}} {
		s := twoInvocations(count, c.got, 0, -2)
		for _, inv := range s.Runs {
			if inv.Cell == "c02" && inv.Proof.ByExit < 100 {
				inv.Proof.Missing = "it was stopped"
			}
		}
		if r := cell(t, analyse(t, s), "mine").Records; !strings.Contains(r.Text, c.says) {
			t.Errorf("of %v records it says %q, want %q", c.got, r.Text, c.says)
		}
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
		for _, m := range analyse(t, s).Scenarios[0].Cell("c03").Marks {
			if m.Kind == "records per call" {
				got = m.Show
			}
		}
		if got != want {
			t.Errorf("%d records of 2,000,000 calls: %q, want %q", records, got, want)
		}
	}
}
