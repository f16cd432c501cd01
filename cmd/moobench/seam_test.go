package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moobench/cmd/internal/console"
	"moobench/cmd/internal/session"
	"moobench/harness/machine"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// naps is a scenario without a JVM: a process sleeps, and we note when it was
// looked at and for how long it had slept since.
type naps struct{ plan.Plain }

func (naps) Work(c *results.Cell) plan.Work {
	return plan.Work{Run: strings.Fields(c.Parameter("command"))}
}

func (naps) Schema() plan.Schema {
	return plan.Schema{Name: "naps", Parameters: []results.Parameter{
		{Name: "command", Type: results.TypeString, About: "what sleeps"},
		{Name: "looks", Type: results.TypeInt, Default: "20", Min: 1, Factor: true, About: "how often it is looked at"},
	}, Metrics: []results.Metric{
		{Name: "nap", Unit: "ns", Better: results.Lower, Profile: results.ProfileTiming, Primary: true, Series: "nap", Column: "slept", About: "sleep between two looks"},
		{Name: "length", Unit: "ns", Better: results.Lower, Profile: results.ProfileTiming, About: "from start to end"},
	}}
}

func (naps) Questions(cells []results.Cell) []results.Question {
	var qs []results.Question
	for _, c := range cells {
		if c.Role == results.RoleVariant {
			qs = append(qs, results.Question{ID: c.ID, Text: "Does it sleep longer?", Metric: "length", A: c.ID, B: c.Baseline})
		}
	}
	return qs
}

func (naps) Drive(ctx context.Context, inv plan.Invocation, s run.Subject, rec run.Recorder) error {
	begin := time.Now()
	if err := s.Start(ctx); err != nil {
		return err
	}
	var at, slept []int64
	for range inv.Cell.Int("looks") {
		now := time.Since(begin).Nanoseconds()
		at, slept = append(at, now), append(slept, 1000)
	}
	exit, err := s.Wait(ctx)
	if err != nil {
		return err
	}
	rec.Scalar("length", float64(exit.WallNS))
	columns := []results.Column{{Name: "at", Unit: "ns", Kind: results.KindInstant}, {Name: "slept", Unit: "ns", Kind: results.KindDuration}}
	return rec.Rows(results.Series{Name: "nap", Columns: columns, Batch: 1}, at, slept)
}

// TestScenarioWithoutJVM runs naps through config, plan, run, results, and
// report: none of them knows what a JVM is good for.
func TestScenarioWithoutJVM(t *testing.T) {
	p := newPlace(t)
	nap := filepath.Join(p.dir, "nap")
	if err := os.WriteFile(nap, []byte("#!/bin/sh\nexec sleep ${NAP:-0.01}\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	toml := fmt.Sprintf("name = \"naps\"\n[[scenario]]\nuse = \"naps\"\ncommand = %q\nlooks = [10, 20]\nvariants = [\"none\", \"tired\"]\nblocks = 6\nresources = 0\n[framework.tired]\nenv = { NAP = \"0.05\" }\nproof = \"none\"\n", nap)
	file := filepath.Join(p.dir, "naps.toml")
	if err := os.WriteFile(file, []byte(toml), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, v := range p.moobench().Env {
		if k, value, _ := strings.Cut(v, "="); k == "JAVA_HOME" || k == "PATH" || k == "XDG_CACHE_HOME" || k == "XDG_STATE_HOME" || k == "MOOBENCH_LOCK" {
			t.Setenv(k, value)
		}
	}
	var out, errOut bytes.Buffer
	term := &terminal{session.Lab{Console: console.Console{Out: &out, Err: &errOut}, Scenarios: []run.Scenario{naps{}}, Tree: machine.System()}}
	dir := filepath.Join(p.dir, "out")
	if status := term.run(context.Background(), []string{"run", "-o", dir, "--seed", "1", file}); status != exitFine {
		t.Fatalf("exit status %d\n%s%s", status, out.String(), errOut.String())
	}
	whole(t, dir)
	if !strings.Contains(out.String(), "tired/bci/default") || !strings.Contains(out.String(), "sleep between two looks") {
		t.Errorf("the report says:\n%s", out.String())
	}
	twoColumns(t, dir)
}

// twoColumns reads a series of two columns back.
func twoColumns(t *testing.T, dir string) {
	t.Helper()
	store, err := results.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	invocations, err := store.Invocations()
	if err != nil || len(invocations) == 0 {
		t.Fatalf("%d invocations, %v", len(invocations), err)
	}
	rows := map[int]int{}
	err = store.Samples(invocations[0], func(_ results.Series, column int, values []int64) error {
		rows[column] += len(values)
		return nil
	})
	if err != nil || len(rows) != 2 || rows[0] != rows[1] || rows[0] < 10 {
		t.Errorf("rows by column %v, %v", rows, err)
	}
}

// TestUnorderedCampaignIsReported writes a campaign as an importer would, which
// knows neither blocks nor an A/A, and reports it: nothing is invented.
func TestUnorderedCampaignIsReported(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "imported")
	store, err := results.Create(dir, &results.Campaign{
		Format: results.Format, Name: "imported", Source: "another tool", Design: results.DesignUnordered,
		Scenarios: []results.Scenario{{Label: "old", Use: "old", Metrics: naps{}.Schema().Metrics}},
		Cells: []results.Cell{
			{ID: "c00", Scenario: "old", Variant: "none", Role: results.RoleBaseline, Proof: results.ProofPlan{Kind: results.ProofBaseline}},
			{ID: "c01", Scenario: "old", Variant: "agent", Role: results.RoleVariant, Baseline: "c00", Proof: results.ProofPlan{Kind: results.ProofNone}},
		},
	}, []byte("name = \"imported\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	for slot := range 8 {
		importOne(t, store, slot)
	}
	if err := store.Seal(); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"text", "json", "html"} {
		var out, errOut bytes.Buffer
		term := &terminal{session.Lab{Console: console.Console{Out: &out, Err: &errOut}}}
		if status := term.run(context.Background(), []string{"report", dir, "--format", format}); status != exitFine {
			t.Errorf("%s: exit status %d\n%s", format, status, errOut.String())
		}
		if text := out.String(); !strings.Contains(text, "another tool") || !strings.Contains(text, "agent") || format != "html" && strings.Contains(text, "NaN") {
			t.Errorf("%s says:\n%s", format, text)
		}
	}
}

func importOne(t *testing.T, store *results.Store, slot int) {
	t.Helper()
	draft, err := store.Begin(results.Identity{Slot: slot})
	if err != nil {
		t.Fatal(err)
	}
	values := make([]int64, 100)
	for i := range values {
		values[i] = int64(1000 + 500*(slot%2) + 3*slot + i%7)
	}
	s := results.Series{
		Name: "nap", Count: 100, Batch: 1, Dump: "nap.i64",
		Columns: []results.Column{{Name: "at", Unit: "ns", Kind: results.KindInstant}, {Name: "slept", Unit: "ns", Kind: results.KindDuration}},
	}
	f, err := os.Create(filepath.Join(draft.Dir(), s.Dump))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := results.WriteDump(f, s, values, values); err != nil {
		t.Fatal(err)
	}
	inv := &results.Invocation{
		Cell: []string{"c00", "c01"}[slot%2], Profile: results.ProfileTiming, Status: results.StatusOK, Series: []results.Series{s},
	}
	if err := draft.Seal(inv); err != nil {
		t.Fatal(err)
	}
}
