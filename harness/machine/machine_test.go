package machine

import (
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestMain(m *testing.M) {
	if path := os.Getenv(lockerVar); path != "" {
		holdLock(path)
	}
	if dir := os.Getenv(victimVar); dir != "" {
		quietenForever(dir)
	}
	os.Exit(m.Run())
}

// machineOf is a tree of testdata.
func machineOf(t *testing.T, name string) fs.FS {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	root := fstest.MapFS{}
	for _, f := range a.Files {
		root[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o444}
	}
	return root
}

func TestObserve(t *testing.T) {
	for _, name := range []string{"desktop", "server", "laptop", "vm", "container"} {
		root := machineOf(t, name)
		topology, err := ReadTopology(root)
		if err != nil {
			t.Fatal(err)
		}
		m := Observe(root, Place(nil, topology))
		delete(m.Facts, "architecture") // of the machine that tests
		got, err := json.MarshalIndent(m, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		golden := filepath.Join("testdata", name+".json")
		if *update {
			if err := os.WriteFile(golden, append(got, '\n'), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(strings.TrimSpace(string(want)), string(got)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if strings.Contains(string(got), "SECRET") {
			t.Errorf("%s: a serial number, or what the kernel was booted with, is kept", name)
		}
	}
}

func TestObserveNothing(t *testing.T) {
	m := Observe(machineOf(t, "window"), Placement{}) // nothing of it is where it should be
	if m.ID == "" || m.CPUs != 0 || len(m.Knobs) != len(Knobs()) {
		t.Errorf("%+v", m)
	}
	for _, k := range m.Knobs {
		if k.Found != "" || k.Reason == "" {
			t.Errorf("%s: found %q, reason %q", k.Name, k.Found, k.Reason)
		}
	}
}

func TestTurbo(t *testing.T) {
	for path, want := range map[string]string{
		"intel_pstate/no_turbo 1": "off", "intel_pstate/no_turbo 0": "on", "cpufreq/boost 1": "on", "cpu3/cpufreq/boost 0": "off",
	} {
		name, content, _ := strings.Cut(path, " ")
		root := fstest.MapFS{cpuDir + "/" + name: &fstest.MapFile{Data: []byte(content + "\n")}}
		if got, err := (turbo{}).Observe(root, Placement{}); got.Value != want || err != nil {
			t.Errorf("%s: %v, %v, want %s", path, got, err, want)
		}
	}
}

func TestBootID(t *testing.T) {
	for name, want := range map[string]string{"desktop": "11112222-3333-4444-5555-666677778888", "vm": "1795252656", "container": ""} {
		if got := BootID(machineOf(t, name)); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if Sitting() == "" {
		t.Error("no sitting")
	}
}

func TestThisMachine(t *testing.T) {
	m, p, err := Look(Root())
	if err != nil {
		t.Skipf("needs /proc and /sys: %v", err)
	}
	if m.CPUs == 0 || m.Memory == 0 || m.Kernel == "" || len(p.Fixture) == 0 {
		t.Errorf("%+v\n%+v", m, p)
	}
	free, err := FreeBytes(t.TempDir())
	if err != nil || free < 0 {
		t.Errorf("free: %d, %v", free, err)
	}
	if _, err := FreeBytes("/nowhere/at/all"); err == nil {
		t.Error("free space of nothing")
	}
	c := MeasureClock(Root())
	if c.ReadNS <= 0 || c.TickNS <= 0 {
		t.Errorf("clock: %+v", c)
	}
	a, err := MeasureAccounting()
	if err != nil || a.TickNS <= 0 || !strings.Contains(a.String(), "only in windows of ") {
		t.Errorf("accounting: %v, %v", a, err)
	}
}

func TestSetSelf(t *testing.T) {
	before, err := Allowed()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := SetSelf(before); err != nil {
			t.Error(err)
		}
	}()
	one := before[len(before)-1:]
	if err := (Placement{Housekeeping: one}).TakeOurs(); err != nil {
		t.Fatal(err)
	}
	threads, err := filepath.Glob("/proc/self/task/*/status")
	if err != nil || len(threads) == 0 {
		t.Fatalf("threads: %v, %v", threads, err)
	}
	for _, path := range threads {
		status, err := os.ReadFile(path)
		if err != nil {
			continue // it ended
		}
		if got := value(string(status), "Cpus_allowed_list"); got != FormatCPUs(one) {
			t.Errorf("%s is on CPU %s, want %s", path, got, FormatCPUs(one))
		}
	}
	if err := SetSelf([]int{1000}); err == nil || !strings.Contains(err.Error(), "pinning moobench to CPUs 1000") {
		t.Errorf("got %v", err)
	}
	if now, err := Allowed(); err != nil || !slices.Equal(now, one) {
		t.Errorf("on %v, %v", now, err)
	}
}
