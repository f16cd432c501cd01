package history

import (
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"moobench/analysis"
	"moobench/results"
)

var duration = results.Metric{Name: "duration", Unit: "ns", Better: results.Lower, Profile: results.ProfileTiming, Primary: true}

func of(x float64) *float64 { return &x }

// answers are those of a campaign with a baseline, its second, a pinned reference
// and a variant at one depth.
func answers() *analysis.Answers {
	start := time.Date(2026, 11, 21, 3, 4, 5, 0, time.UTC)
	depth := []results.Value{{Name: "depth", Value: "10"}}
	a := &analysis.Answers{
		Campaign: analysis.Campaign{
			Name: "nightly", Created: start.Add(-time.Minute), Start: &start, Seed: 7, PlanHash: "abc",
			Versions: map[string]string{"moobench": "1.2.0"},
		},
		Scenarios: []analysis.Scenario{{
			Label: "overhead", Use: "overhead", Metrics: []results.Metric{duration}, WindowKind: results.WindowSteady,
			Common: []results.Value{{Name: "calls", Value: "2000000"}},
			Cells: []analysis.Cell{
				{ID: "c00", Label: "none depth=10", Variant: "none", Role: results.RoleBaseline, Factors: depth},
				{ID: "c01", Label: "none#aa depth=10", Variant: "none", Role: results.RoleAA, Factors: depth},
				{ID: "c02", Label: "pinned/bci/collect depth=10", Variant: "pinned/bci/collect", Role: results.RoleVariant, Factors: depth},
				{
					ID: "c03", Label: "mine/bci/collect depth=10", Variant: "mine/bci/collect", Role: results.RoleVariant, Factors: depth,
					Launch: results.Launch{Artifacts: []results.Artifact{{Name: "my-agent.jar", SHA256: "11"}}},
					Marks:  []analysis.Mark{{Kind: "lost", Show: "lost 4 %"}},
				},
			},
			AA: []analysis.AA{{Cell: "c01", State: analysis.AAResolves}},
		}},
	}
	for i := range a.Scenarios[0].Cells {
		mean := &analysis.Estimate{N: 16, Value: map[bool]float64{true: 1900, false: 2000}[i == 2]}
		a.Scenarios[0].Cells[i].Metrics = []analysis.MetricAnswer{{Metric: duration.Name, Mean: mean}}
	}
	for _, c := range []string{"c00", "c01", "c02", "c03"} {
		a.Invocations = append(a.Invocations, analysis.Invocation{
			Cell: c, Profile: results.ProfileTiming, Status: results.StatusOK, Machine: "m1", Runtime: "17.0.15+6",
		})
	}
	return a
}

// pin sets a cell against the pinned reference.
func pin(a *analysis.Answers, cell string, log float64) analysis.Pinned {
	s := &a.Scenarios[0]
	return analysis.Pinned{
		Scenario: s, Cell: s.Cell(cell), Reference: s.Cell("c02"), Metric: duration,
		Log: &analysis.Estimate{N: 16, Value: log, SD: of(0.04), SE: of(0.01), DF: of(15)},
	}
}

func TestNights(t *testing.T) {
	a := answers()
	none := pin(a, "c00", 0)
	none.Log, none.Absent = nil, "no pairs"
	pinned := []analysis.Pinned{pin(a, "c01", -0.9), pin(a, "c02", 0), pin(a, "c03", 0.05), none}
	nights := Nights(a, pinned, Origin{Commit: "abc1234", Folder: "2026-11-21T0300Z-nightly"})
	if len(nights) != 2 {
		t.Fatalf("%d nights, want the second baseline and the variant: %+v", len(nights), nights)
	}
	if !nights[0].AA || nights[0].ID != nights[1].ID {
		t.Errorf("%+v", nights[0])
	}
	got := nights[1]
	id, plan := got.ID, got.Plan
	got.ID, got.Plan = "", ""
	want := Night{
		Key: Key{
			Campaign: "nightly", Scenario: "overhead", Cell: "mine/bci/collect depth=10", Metric: "duration",
			Reference: "pinned/bci/collect", Machine: "m1", Runtime: "17.0.15+6",
		},
		When: time.Date(2026, 11, 21, 3, 4, 5, 0, time.UTC), Commit: "abc1234", Folder: "2026-11-21T0300Z-nightly", Tool: "1.2.0",
		Unit: "ns", Better: results.Lower, Log: 0.05, SE: 0.01, DF: 15, N: 16, Raw: 2000, ReferenceRaw: 1900,
		Artifacts: []results.Artifact{{Name: "my-agent.jar", SHA256: "11"}}, Marks: []string{"lost 4 %"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if len(id) != len("2026-11-21T0303Z-00000000") || id[:16] != "2026-11-21T0303Z" || len(plan) != 16 {
		t.Errorf("ID %q, plan %q", id, plan)
	}
	if !got.Judged() {
		t.Error("a night is not judged because records were lost")
	}
}

// What may differ between the nights of a series, and what may not.
func TestPlanAndID(t *testing.T) {
	nightOf := func(a *analysis.Answers) Night {
		return Nights(a, []analysis.Pinned{pin(a, "c03", 0.05)}, Origin{})[0]
	}
	first := nightOf(answers())
	for name, c := range map[string]struct {
		change           func(a *analysis.Answers)
		sameID, samePlan bool
	}{
		"nothing":   {func(*analysis.Answers) {}, true, true},
		"more made": {func(a *analysis.Answers) { a.Campaign.Extra = 3 }, true, true},
		"seed":      {func(a *analysis.Answers) { a.Campaign.Seed = 8 }, false, true},
		"agent":     {func(a *analysis.Answers) { a.Scenarios[0].Cells[3].Launch.Artifacts = nil }, true, true},
		"next":      {func(a *analysis.Answers) { a.Campaign.Created = a.Campaign.Created.AddDate(0, 0, 1) }, false, true},
		"calls":     {func(a *analysis.Answers) { a.Scenarios[0].Common[0].Value = "1000" }, true, false},
		"window":    {func(a *analysis.Answers) { a.Scenarios[0].WindowKind = results.WindowAll }, true, false},
		"a factor that was common": {func(a *analysis.Answers) {
			a.Scenarios[0].Common = append(a.Scenarios[0].Common, a.Scenarios[0].Cells[3].Factors...)
			a.Scenarios[0].Cells[3].Factors = nil
		}, true, true},
		"governor": {func(a *analysis.Answers) {
			a.Campaign.Control = &results.Control{Wishes: []results.KnobState{{Name: "governor", Wanted: "performance"}}}
		}, true, false},
	} {
		a := answers()
		c.change(a)
		got := nightOf(a)
		if (got.ID == first.ID) != c.sameID || (got.Plan == first.Plan) != c.samePlan {
			t.Errorf("%s: ID %s, plan %s; before %s, %s", name, got.ID, got.Plan, first.ID, first.Plan)
		}
	}
}

func TestNightsOfATroubledCampaign(t *testing.T) {
	a := answers()
	p := []analysis.Pinned{pin(a, "c03", 0.05)}
	a.Scenarios[0].AA[0].State = analysis.AAFailed
	a.Invocations[3].Machine = "m2"
	got := Nights(a, p, Origin{Artifacts: map[string][]results.Artifact{"c03": {{Name: "other.jar"}}}})
	if len(got) != 1 || got[0].Judged() || got[0].Machine != "m1+m2" || got[0].Artifacts[0].Name != "other.jar" {
		t.Errorf("%+v", got)
	}
	a.Scenarios[0].AA[0].State, a.Scenarios[0].Cells[2].Invalid = analysis.AAFailed, "not instrumented"
	if got := Nights(a, p, Origin{}); len(got) != 1 || !slices.Contains(got[0].Marks, MarkInvalid) {
		t.Errorf("%+v", got)
	}
	// A sized campaign keeps the standard error and degrees of freedom of its plan.
	p[0].Log.SE, p[0].Log.DF = new(0.013), new(9.0) // more than SD/sqrt(N)
	if got := Nights(a, p, Origin{}); got[0].DF != 9 || got[0].SE != 0.013 {
		t.Errorf("%+v", got)
	}
	p[0].Log.Value = math.NaN()
	if got := Nights(a, p, Origin{}); len(got) != 0 {
		t.Errorf("a row that is not a number: %+v", got)
	}
}
