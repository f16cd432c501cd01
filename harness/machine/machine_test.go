package machine

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/facts"
	"moobench/harness/machine/knob"
	"moobench/internal/testgolden"
	"moobench/internal/testmachine"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(lockerVar); path != "" {
		holdLock(path)
	}
	if dir := os.Getenv(victimVar); dir != "" {
		quietenForever(dir)
	}
	os.Exit(m.Run())
}

func TestObserve(t *testing.T) {
	for _, name := range []string{"desktop", "server", "laptop", "vm", "container"} {
		root := testmachine.Open(t, name)
		topology, err := cpu.ReadTopology(root)
		if err != nil {
			t.Fatal(err)
		}
		m := Observe(root, cpu.Place(nil, topology))
		delete(m.Facts, "architecture") // of the machine that tests
		got, err := json.MarshalIndent(m, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		testgolden.Check(t, filepath.Join("testdata", name+".json"), string(got)+"\n")
		if strings.Contains(string(got), "SECRET") {
			t.Errorf("%s: a serial number, or what the kernel was booted with, is kept", name)
		}
	}
}

func TestObserveNothing(t *testing.T) {
	m := Observe(testmachine.Open(t, "window"), cpu.Placement{}) // nothing of it is where it should be
	if m.ID == "" || m.CPUs != 0 || len(m.Knobs) != len(knob.All()) {
		t.Errorf("%+v", m)
	}
	for _, k := range m.Knobs {
		if k.Found != "" || k.Reason == "" {
			t.Errorf("%s: found %q, reason %q", k.Name, k.Found, k.Reason)
		}
	}
}

func TestBootID(t *testing.T) {
	for name, want := range map[string]string{"desktop": "11112222-3333-4444-5555-666677778888", "vm": "1795252656", "container": ""} {
		if got := bootID(testmachine.Open(t, name)); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if SessionID() == "" {
		t.Error("no session")
	}
}

func TestThisMachine(t *testing.T) {
	m, p, err := Look(System())
	if err != nil {
		t.Skipf("needs /proc and /sys: %v", err)
	}
	if m.CPUs == 0 || m.Memory == 0 || m.Kernel == "" || len(p.Fixture) == 0 {
		t.Errorf("%+v\n%+v", m, p)
	}
	free, err := FreeBytes(t.TempDir())
	if err != nil || free < 0 || free > 0 && free%512 != 0 { // whole blocks
		t.Errorf("free: %d, %v", free, err)
	}
	if _, err := FreeBytes("/nowhere/at/all"); err == nil {
		t.Error("free space of nothing")
	}
	c := facts.MeasureClock(System())
	if c.ReadNS <= 0 || c.TickNS <= 0 {
		t.Errorf("clock: %+v", c)
	}
}
