package run

import (
	"context"
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/results"
)

// taking is a scenario whose JVMs are ready for their turns once they are started.
type taking struct{ instant }

func (taking) Ready(ctx context.Context, _ plan.Invocation, s Subject, _ Recorder) error {
	return s.Start(ctx)
}

// turners is a runner whose baseline and variant play these answers to turn.
func turners(t *testing.T, baseline, variant string) *Runner {
	t.Helper()
	r, _ := runnerOn(t, created(t, campaignOf(1, nil)), instant{})
	r.Scenarios, r.Java = []Scenario{taking{}}, jvm.Java{Path: self(t)}
	for i, answer := range []string{baseline, variant} {
		c := &r.Plan.Cells[i]
		c.Launch.Fixture, c.Work = "calls", plan.Work{Calls: 1000}
		c.Recipe.Env = playing("turn " + answer)
	}
	return r
}

// TestRatioOfTurns: turns have as many calls as fill their time, and the ratio is that of the reference's mean times.
func TestRatioOfTurns(t *testing.T) {
	// The number of calls that fills a turn is 200,000.
	r := turners(t, "turned begin_ns=7 end_ns=%calls07 reference_ns=%calls references=2",
		"turned begin_ns=0 end_ns=%calls00 reference_ns=600000 references=2")
	all := []*Turned{{Baseline: "c00", Cell: "c01"}}
	dir := t.TempDir()
	if err := r.TakeTurns(t.Context(), Turns{Pairs: 1, Couples: 3, Dir: dir}, all); err != nil {
		t.Fatal(err)
	}
	one := all[0]
	if len(one.Ratios) != 1 || math.Abs(one.Ratios[0]-math.Log(3)) > 1e-3 || one.Failures != nil || one.Done.IsZero() {
		t.Errorf("%+v", one)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v are left, %v", left, err)
	}
}

// TestTurnsFail: a pair fails with a JVM that says nonsense, or is not instrumented; who says so is named.
func TestTurnsFail(t *testing.T) {
	const good = "turned begin_ns=0 end_ns=%calls00 reference_ns=10 references=1"
	for name, c := range map[string]struct {
		variant string
		silent  bool
		want    string
	}{
		"not instrumented": {good, true, "pair 1: x: not instrumented: no record arrived"},
		"no end":           {"turned begin_ns=0 reference_ns=10 references=1", false, "pair 1: x: "},
		"refuses":          {"error message=never", false, "never"},
	} {
		r := turners(t, good, c.variant)
		if c.silent {
			r.Plan.Cells[1].Proof = results.ProofPlan{Kind: results.ProofCount, Source: "otlp"}
		}
		all := []*Turned{{Baseline: "c00", Cell: "c01"}}
		if err := r.TakeTurns(t.Context(), Turns{Pairs: 1, Couples: 1, Dir: t.TempDir()}, all); err != nil {
			t.Fatal(err)
		}
		if f := strings.Join(all[0].Failures, ", "); len(all[0].Ratios) > 0 || !strings.Contains(f, c.want) {
			t.Errorf("%s: %v, %q", name, all[0].Ratios, f)
		}
	}
}

// TestTurnIsToldWhole: a turn took time, and had references that took some.
func TestTurnIsToldWhole(t *testing.T) {
	told := []struct {
		says          string
		took, mean    float64
		contradictory bool
		next          int64
	}{
		{"begin_ns=2 end_ns=3 reference_ns=1 references=1", 1, 1, false, 1000},
		{"begin_ns=10000000 end_ns=30000000 reference_ns=30 references=4", 20e6, 7.5, false, 1000},
		{"begin_ns=0 end_ns=40000000 reference_ns=30 references=4", 40e6, 7.5, false, 500},
		{"begin_ns=0 end_ns=900000000 reference_ns=30 references=4", 900e6, 7.5, false, 50},
		{"begin_ns=0 end_ns=900000000 reference_ns=30 references=4", 900e6, 7.5, false, 5},
		{"begin_ns=0 end_ns=900000000 reference_ns=30 references=4", 900e6, 7.5, false, 1},
		{"begin_ns=0 end_ns=900000000 reference_ns=30 references=4", 900e6, 7.5, false, 1},
		{"begin_ns=3 end_ns=3 reference_ns=1 references=1", 0, 0, true, 0},
		{"begin_ns=4 end_ns=3 reference_ns=1 references=1", 0, 0, true, 0},
		{"begin_ns=2 end_ns=3 reference_ns=0 references=1", 0, 0, true, 0},
		{"begin_ns=2 end_ns=3 reference_ns=1 references=0", 0, 0, true, 0},
	}
	var answers []string
	for _, c := range told {
		answers = append(answers, "turn turned "+c.says, "turn turned "+c.says)
	}
	one := &turner{attempt: played(t, answers...), calls: 100}
	if err := one.subject.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, c := range told {
		got, err := one.ask(t.Context())
		f, _ := errors.AsType[*jvm.Failure](err)
		if (err != nil) != c.contradictory || c.contradictory && f.Kind != KindCounts {
			t.Errorf("%s: %v", c.says, err)
		}
		if err == nil && (got.tookNS != c.took || got.referenceNS != c.mean) {
			t.Errorf("%s: %+v", c.says, got)
		}
		err = one.pace(t.Context())
		if (err != nil) != c.contradictory || err == nil && one.calls != c.next {
			t.Errorf("%s: %d calls, %v", c.says, one.calls, err)
		}
	}
	one.kill()
	if _, gone := one.subject.ended(); !gone {
		t.Error("its JVM lives on")
	}
}
