package results

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestBoundsOfPlans: what a campaign may say at the least and at the most is read, what lies beyond is not.
func TestBoundsOfPlans(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Campaign)
		ok     bool
	}{
		{"as it is", func(*Campaign) {}, true},
		{"nothing sized", func(c *Campaign) { *c.Scenarios[0].Sizing = Sizing{} }, true},
		{"nothing decided", func(c *Campaign) {
			*c.Scenarios[0].Sizing.Decision = Decision{Cells: []CellSize{{}}}
		}, true},
		{"fewer pairs than none", func(c *Campaign) { c.Scenarios[0].Sizing.Decision.Cells[0].Pairs = -1 }, false},
		{"fewer wanted than none", func(c *Campaign) { c.Scenarios[0].Sizing.Decision.Cells[1].Wanted = -1 }, false},
		{"no time to settle", func(c *Campaign) { c.Scenarios[0].Settling = &Settling{} }, true},
		{"less time to settle", func(c *Campaign) { c.Scenarios[0].Settling = &Settling{WithinNS: -1} }, false},
		{"the least quantile", func(c *Campaign) { c.Scenarios[0].Questions[0].Quantile = 0 }, true},
		{"the largest quantile", func(c *Campaign) { c.Scenarios[0].Questions[0].Quantile = 1 }, true},
		{"a lower quantile", func(c *Campaign) { c.Scenarios[0].Questions[0].Quantile = -0.001 }, false},
		{"no alpha", func(c *Campaign) { c.Scenarios[0].Questions[0].Alpha = 0 }, true},
		{"a negative alpha", func(c *Campaign) { c.Scenarios[0].Questions[0].Alpha = -0.001 }, false},
		{"no margin", func(c *Campaign) { *c.Scenarios[0].Questions[0].Margin = Margin{} }, true},
		{"a negative amount", func(c *Campaign) { c.Scenarios[0].Questions[0].Margin.Amount = -1 }, false},
		{"shares from below 0", func(c *Campaign) { c.Scenarios[0].Questions[0].Margin.ShareFrom = -1 }, false},
		{"no test", func(c *Campaign) { c.Scenarios[0].Questions[0].Test = "" }, true},
		{"a long test", func(c *Campaign) {
			c.Scenarios[0].Questions[0].Test = Comparison(strings.Repeat("a", 33))
		}, false},
		{"any alternative", func(c *Campaign) { c.Scenarios[0].Questions[0].Alternative = "" }, true},
		{"a standard", func(c *Campaign) { c.Standards = []Standard{{NS: 2000}} }, true},
		{"a standard of no time", func(c *Campaign) { c.Standards = []Standard{{NS: 2000}, {}} }, false},
	} {
		made := fullCampaign()
		c.change(made)
		if err := made.check(); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestStatesOfMachines: the latest state of a machine comes first; other files are none.
func TestStatesOfMachines(t *testing.T) {
	s := newStore(t)
	for _, host := range []string{"first", "second", "third"} {
		if err := s.AddMachine(Machine{ID: "b", Host: host}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.AddMachine(Machine{ID: "a", Host: "other"}); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(s.Dir(), machinesDir)
	data := read(t, filepath.Join(dir, "a.json"))
	for _, name := range []string{tmpPrefix + "a.json", "a.json.bak", "a.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	machines, err := s.Machines()
	hosts := Each(machines, func(m *Machine) string { return m.Host })
	if err != nil || !slices.Equal(hosts, []string{"other", "third", "second", "first"}) {
		t.Errorf("%q, %v", hosts, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "c.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if machines, err := s.Machines(); err == nil || len(machines) != 4 {
		t.Errorf("%d machines, %v", len(machines), err)
	}
}

// TestLongDumps: a dump is read whole, however many rows fit into the buffer.
func TestLongDumps(t *testing.T) {
	s := Series{Name: "s", Batch: 1, Columns: []Column{{Name: "a", Unit: "1", Kind: KindCount}}}
	for _, n := range []int{0, dumpBuffer/8 - 1, dumpBuffer / 8, dumpBuffer/8 + 1} {
		values := make([]int64, n)
		for i := range values {
			values[i] = int64(i)
		}
		path := filepath.Join(t.TempDir(), "dump")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := WriteDump(f, s, values); err != nil {
			t.Fatal(err)
		}
		f.Close()
		s.Count = int64(n)
		if got, err := ReadDump(path, s); err != nil || !slices.Equal(got[0], values) {
			t.Errorf("%d rows: %d, %v", n, len(got[0]), err)
		}
		if s.Count++; n > 0 {
			if _, err := ReadDump(path, s); err == nil {
				t.Errorf("%d rows are read as one more", n)
			}
		}
	}
}

// TestNoSecret: a name of secrets without a value hides nothing of what follows.
func TestNoSecret(t *testing.T) {
	for _, text := range []string{"a.jar=password=,mode=x", "run password=;mode=x", "x password= mode=x"} {
		if got, names := CutSecrets([]string{text}); got[0] != text || len(names) > 0 {
			t.Errorf("%q: %q, %q", text, got, names)
		}
	}
}
