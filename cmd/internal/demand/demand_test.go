package demand

import (
	"errors"
	"strings"
	"testing"

	"moobench/harness/config"
	"moobench/harness/machine"
	"moobench/harness/machine/cpu"
	"moobench/internal/testmachine"
	"moobench/refusal"
	"moobench/results"
)

// A pin that can't be had stands in the remark, or is said with all that can be done
// about it where it is required.
func TestPinThatCannotBeHad(t *testing.T) {
	allowed, err := cpu.Allowed()
	if err != nil {
		t.Fatal(err)
	}
	all := config.Machine{CPUs: allowed.String(), PinPolicy: results.PolicyTry}
	p, err := Place(all, machine.System())
	if err != nil || !strings.Contains(p.Remark, "not pinned as wished: pin: CPU "+all.CPUs+" for the fixture leaves none for moobench") {
		t.Errorf("%+v, %v", p, err)
	}
	all.PinPolicy = results.PolicyRequire
	usual, err := Place(all, machine.System())
	var unmet *machine.RequireError
	if !errors.As(err, &unmet) || len(unmet.Unmet) != 1 || usual.Fixture.String() != p.Fixture.String() {
		t.Fatalf("%+v, %v", usual, err)
	}
	text := refusal.Text(err)
	own, general := strings.Index(text, "\nhint: name both, cpus and housekeeping"), strings.Index(text, "\nhint: do what it says")
	if !strings.HasPrefix(text, "this machine is not as [machine] requires: pin should be "+all.CPUs) || own < 0 || general < own || refusal.Do(unmet.Unmet[0].Why) == "" {
		t.Error(text)
	}
}

func TestUnmet(t *testing.T) {
	for name, want := range map[string]int{"desktop": 0, "vm": 3} {
		tree := testmachine.Open(t, name)
		if unmet := Unmet(tree, cpu.Placement{}, "fixed"); len(unmet) != want {
			t.Errorf("%s: %+v, want %d", name, unmet, want)
		}
	}
}
