package session

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/cmd/internal/outcome"
	"moobench/harness/fixture"
	"moobench/harness/machine"
	"moobench/harness/run"
	"moobench/internal/testmachine"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/fleet"
)

// TestBundle: a bundle is opened as the plan in it, wherever it is, and does without fixtures of another moobench.
func TestBundle(t *testing.T) {
	s, _, _ := planned(t, previewed["watched"], Options{Seed: 9, Seeded: true})
	if err := s.WritePlan("plan.json", ""); err != nil {
		t.Fatal(err)
	}
	b := &fleet.Bundle{JDK: "17"}
	if err := b.Write(t.Context(), "x.tar", map[string]string{fleet.PlanName: "plan.json"}); err != nil {
		t.Fatal(err)
	}
	opened, err := s.lab.Open(Options{Shard: results.Shard{Index: 1, Count: 3}}, "x.tar")
	if err != nil {
		t.Fatal(err)
	}
	c := opened.Plan.Campaign
	if c.Seed != 9 || c.Shard == nil || opened.bundle == nil || opened.bundle.JDK != "17" || opened.frozen == nil {
		t.Errorf("%+v, %+v", c.Shard, opened.bundle)
	}
	if !strings.HasPrefix(opened.bundleFolder, os.Getenv("XDG_CACHE_HOME")) || opened.brought() == nil {
		t.Errorf("it is in %s", opened.bundleFolder)
	}
	_, err = s.lab.Open(Options{Only: "kieker"}, "x.tar")
	if err == nil || !strings.HasPrefix(err.Error(), "x.tar is a plan: ") {
		t.Error(err)
	}
	m := &measuring{Session: opened}
	builder := &fixture.Builder{Sources: os.DirFS("."), JavaHome: "jdk"}
	if _, err := m.built(builder); err == nil || !strings.Contains(refusal.Text(err), "moobench fetch") {
		t.Errorf("it has fixtures: %v", err)
	}
	if builder.Cache != filepath.Join(opened.bundleFolder, fleet.FixturesDir) {
		t.Errorf("they are looked for in %s", builder.Cache)
	}
}

// TestNothingToMeasure: what is there is not measured again, and a plan that can't be measured changes nothing.
func TestNothingToMeasure(t *testing.T) {
	s, out := sharded(t, 2)
	packed(t, s.Plan.Campaign, "shard-2-of-3.tar")
	if err := s.RunShard(t.Context()); err != nil || out.String() != "shard 2/3 is there already: shard-2-of-3.tar\n" {
		t.Errorf("%v, %s", err, out)
	}
	other, shard := *s.Plan.Campaign, results.Shard{Index: 1, Count: 3}
	other.Shard = &shard
	if _, err := results.Create("x.tar"+workSuffix, &other, []byte(previewed["watched"])); err != nil {
		t.Fatal(err)
	}
	s.Dir = "x.tar"
	if err := s.RunShard(t.Context()); err == nil || err.Error() != "x.tar.d holds another shard" {
		t.Errorf("another shard goes on: %v", err)
	}
	s, out, _ = planned(t, previewed["watched"], Options{Lanes: 2, Dir: "a"})
	err := s.RunLanes(t.Context(), "x.json")
	if err == nil || !strings.HasPrefix(err.Error(), "the plan is not frozen") {
		t.Errorf("lanes: %v", err)
	}
	old := *s.Plan.Campaign
	old.Merged = &results.Merged{}
	if _, err := results.Create("a", &old, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.RunLanes(t.Context(), "x.json"); err != nil || out.String() != "it is there already: a\n" {
		t.Errorf("lanes that were merged: %v, %s", err, out)
	}
}

// TestRunWithoutJava: a campaign that has no JDK ends before anything is touched, and nobody hears of answers.
func TestRunWithoutJava(t *testing.T) {
	s, out, said := planned(t, jdkTOML(`home = "gone"`), Options{Dir: "runs/a"})
	if err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "looking for Java in ") {
		t.Error(err)
	}
	if results.HasCampaign("runs/a") || out.Len() > 0 || said.Len() > 0 {
		t.Errorf("%q, %q", out, said)
	}
}

// TestForeseen: what [machine] requires and this machine can't have is refused before minutes of building.
func TestForeseen(t *testing.T) {
	const observed, required = `thp = { policy = "observe" }`, `turbo = { set = "off", policy = "require" }`
	for name, want := range map[string]bool{"server": true, "vm": false} {
		s, _, _ := planned(t, strings.Replace(previewed["watched"], observed, required, 1), Options{})
		s.lab.Tree = testmachine.Open(t, name)
		_, err := (&measuring{Session: s}).foresee(t.Context())
		if _, lacks := errors.AsType[*machine.RequireError](err); (err == nil) != want || lacks == want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWishesOfTheFile: a machine is described with the CPUs and the host that its file asks for, as far as it is that
// one.
func TestWishesOfTheFile(t *testing.T) {
	described := func(asks string) (host results.Machine, fixture string) {
		t.Helper()
		const observed = `thp = { policy = "observe" }`
		s, _, _ := planned(t, strings.Replace(previewed["watched"], observed, asks, 1), Options{})
		t.Setenv(machine.JournalVar, filepath.Join(t.TempDir(), "machine.journal"))
		q, host, err := s.quieten("x")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := q.Restore(); err != nil {
			t.Error(err)
		}
		return host, q.Placement.Fixture.String()
	}
	state := func(host results.Machine, name string) *results.KnobState {
		return results.Find(host.Knobs, func(k *results.KnobState) bool { return k.Name == name })
	}
	host, _ := described("")
	if pin, named := state(host, "pin"), state(host, "host"); pin != nil || named != nil {
		t.Errorf("nobody asked: %+v, %+v", pin, named)
	}
	for wanted, another := range map[string]bool{host.Host: false, "elsewhere": true} {
		got, _ := described("host = \"" + wanted + "\"")
		k := state(got, "host")
		if k == nil || k.Wanted != wanted || k.Got != host.Host || k.Unmet() != another || (k.Reason != "") != another {
			t.Errorf("%s: %+v", wanted, k)
		}
	}
	got, fixture := described("[machine.pin]\ncpus = \"9999\"\npolicy = \"try\"")
	if k := state(got, "pin"); k == nil || k.Wanted != "9999" || k.Got != fixture || k.Policy != results.PolicyTry {
		t.Errorf("%+v, on %s", k, fixture)
	}
}

// TestNoTurns: nothing takes turns where no variant has a reference beside it, nor on cores of two kinds.
func TestNoTurns(t *testing.T) {
	s, _, _ := planned(t, previewed["watched"], Options{})
	if err := os.WriteFile("command.toml", []byte(previewed["command"]), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := s.lab.Influences(t.Context(), Options{}, "command.toml")
	_, usage := errors.AsType[outcome.UsageError](err)
	if !usage || !strings.HasSuffix(err.Error(), "has no variant beside which a reference is taken") {
		t.Error(err)
	}
	mixed := results.Machine{Core: results.MixedCores}
	if all, err := s.takeTurns(t.Context(), &run.Runner{}, mixed, "x"); err == nil || all != nil {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestLaneOutsideOfLanes: a block is measured in a lane only where somebody gives lanes their turns.
func TestLaneOutsideOfLanes(t *testing.T) {
	s, _, said := planned(t, previewed["watched"], Options{InLane: true, Quiet: true})
	m := &measuring{Session: s, runner: &run.Runner{Plan: s.Plan}, store: measured(t, "a", even(4)[:1], unchanged)}
	m.tell = func(*results.Store, *analysis.Answers) error { return nil }
	_, err := m.run(t.Context())
	if _, usage := errors.AsType[outcome.UsageError](err); !usage || said.Len() > 0 {
		t.Errorf("%v, %s", err, said)
	}
}
