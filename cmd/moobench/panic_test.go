package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/cmd/internal/console"
	"moobench/cmd/internal/session"
	"moobench/harness/machine"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/internal/testmachine"
)

// clumsy is a scenario with a mistake in its code.
type clumsy struct {
	naps
	look func() // when it is too late
}

func (c clumsy) Schema() plan.Schema {
	schema := c.naps.Schema()
	schema.Name = "clumsy"
	return schema
}

func (c clumsy) Drive(context.Context, plan.Invocation, run.Subject, run.Recorder) error {
	c.look()
	panic("clumsy")
}

// TestPanicPutsBack lets a scenario panic on a machine that was quietened.
func TestPanicPutsBack(t *testing.T) {
	k := testmachine.Open(t, "desktop")
	dir := t.TempDir()
	t.Setenv("MOOBENCH_LOCK", filepath.Join(dir, "lock"))
	t.Setenv(machine.JournalVar, filepath.Join(dir, "journal"))
	toml := strings.Join([]string{
		`name = "clumsy"`, `[machine]`, `turbo = { set = "off", policy = "require" }`, `swappiness = 7`,
		`[[scenario]]`, `use = "clumsy"`, `command = "true"`, `variants = ["none"]`,
	}, "\n")
	file := filepath.Join(dir, "clumsy.toml")
	if err := os.WriteFile(file, []byte(toml), 0o666); err != nil {
		t.Fatal(err)
	}
	before, during := k.Content(), map[string]string(nil)
	scenario := clumsy{look: func() { during = k.Content() }}
	var out, errOut bytes.Buffer
	func() {
		defer func() {
			if r := recover(); r != "clumsy" {
				t.Errorf("recovered %v\n%s%s", r, out.String(), errOut.String())
			}
		}()
		term := &terminal{session.Lab{Console: console.Console{Out: &out, Err: &errOut}, Scenarios: []run.Scenario{scenario}, Tree: k}}
		status := term.run(context.Background(), []string{"run", "-o", filepath.Join(dir, "out"), file})
		t.Errorf("no panic, exit status %d\n%s", status, errOut.String())
	}()
	if during["sys/devices/system/cpu/intel_pstate/no_turbo"] != "1\n" || during["proc/sys/vm/swappiness"] != "7\n" {
		t.Errorf("it was not quietened: %v", cmp.Diff(before, during))
	}
	if diff := cmp.Diff(before, k.Content()); diff != "" {
		t.Errorf("not as found (-found +now):\n%s", diff)
	}
	if _, err := os.Stat(filepath.Join(dir, "journal")); err == nil {
		t.Error("the journal is still there")
	}
}
