package analysis

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"moobench/analysis/infer"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// levelled is a campaign of twelve blocks with two equal variants at each of so
// many levels, and one question that is asked at all of them.
func levelled(rng *rand.Rand, levels int, scenarios ...string) *testcampaign.Flat {
	f := &testcampaign.Flat{}
	for _, label := range scenarios {
		s := results.Scenario{Label: label, Metrics: []results.Metric{{Name: "x", Unit: "ns", Better: results.Lower, Primary: true}}}
		for l := range levels {
			for _, v := range []string{"a", "b"} {
				f.Made.Cells = append(f.Made.Cells, results.Cell{
					ID: fmt.Sprintf("%s%s%d", label, v, l), Scenario: label, Variant: v, Role: results.RoleVariant,
					Factors: []results.Value{{Name: "depth", Value: fmt.Sprint(l)}},
				})
			}
			q := results.Question{ID: "q1", Metric: "x", A: fmt.Sprintf("%sa%d", label, l), B: fmt.Sprintf("%sb%d", label, l), Asked: true, Alpha: 0.05}
			if levels > 1 {
				q.ID += fmt.Sprintf("@depth=%d", l)
			}
			if len(scenarios) > 1 {
				q.ID, q.Family = "q-"+label, "both"
			}
			s.Questions = append(s.Questions, q)
		}
		f.Made.Scenarios = append(f.Made.Scenarios, s)
	}
	for b := 1; b <= 12; b++ {
		for slot, c := range f.Made.Cells {
			f.All = append(f.All, &results.Invocation{
				Identity: results.Identity{Block: b, Slot: slot}, Cell: c.ID, Profile: results.ProfileTiming, Status: results.StatusOK,
				Scalars: map[string]float64{"x": 100 * (1 + 0.01*rng.NormFloat64())},
			})
		}
	}
	return f
}

// TestQuestionAtManyLevels: of two equal variants, a question at ten levels tells
// any level apart as seldom as a question at one.
func TestQuestionAtManyLevels(t *testing.T) {
	const campaigns = 400
	for _, levels := range []int{1, 3, 10} {
		rng := rand.New(rand.NewPCG(11, uint64(levels)))
		apart := 0
		for range campaigns {
			a, err := Analyse(levelled(rng, levels, "s"))
			if err != nil {
				t.Fatal(err)
			}
			for _, q := range a.Scenarios[0].Answers {
				if q.FamilySize != levels {
					t.Fatalf("%s shares its alpha with %d, want %d", q.ID, q.FamilySize, levels)
				}
				if q.Verdict.Shown() {
					apart++
					break
				}
			}
		}
		if share := float64(apart) / campaigns; share > 0.08 {
			t.Errorf("%d levels: some level is told apart in %.1f %% of campaigns, want 5", levels, 100*share)
		}
	}
}

// TestFamilyOverScenarios: a family that two scenarios name is one.
func TestFamilyOverScenarios(t *testing.T) {
	a, err := Analyse(levelled(rand.New(rand.NewPCG(1, 1)), 1, "s", "t"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range a.Scenarios {
		q := s.Answers[0]
		if q.FamilySize != 2 || q.Family != "both" || q.Difference.Interval.Level != infer.Level(0.05, 2) {
			t.Errorf("%s: %d of family %q at %v", s.Label, q.FamilySize, q.Family, q.Difference.Interval.Level)
		}
	}
}

// TestOneSidedQuestionsClaimNoOtherDirection: of equal cells "yes" is said in at
// most 5 %, and the other direction never.
func TestOneSidedQuestionsClaimNoOtherDirection(t *testing.T) {
	const campaigns = 1000
	rng := rand.New(rand.NewPCG(12, 1))
	yes, no := 0, 0
	for range campaigns {
		f := levelled(rng, 1, "s")
		f.Made.Scenarios[0].Questions[0].Alternative = "less"
		a, err := Analyse(f)
		if err != nil {
			t.Fatal(err)
		}
		switch q := a.Scenarios[0].Answers[0]; q.Verdict {
		case infer.Lower:
			yes++
		case infer.No:
			no++
		case infer.Higher:
			t.Fatalf("asked whether it is less: %s", q.Sentence.String())
		}
	}
	if y, n := float64(yes)/campaigns, float64(no)/campaigns; y > 0.07 || n > 0.07 || n == 0 {
		t.Errorf("yes in %.1f %%, no in %.1f %%, want 5 each", 100*y, 100*n)
	}
}
