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

// TestVerifySummaries: a summary of an older format is that of its samples; one of another version is not asked.
func TestVerifySummaries(t *testing.T) {
	s, inv := sealedStore(t)
	path := s.path(invocationsDir, inv.Identity.String(), summaryFile)
	whole := string(read(t, path))
	for name, c := range map[string]struct {
		old, by string
		ok      bool
	}{
		"as it was":      {"", "", true},
		"format 1":       {`"format":2`, `"format":1`, true},
		"format 0":       {`"format":2`, `"format":0`, false},
		"format -1":      {`"format":2`, `"format":-1`, false},
		"another format": {`"format":2`, `"format":3`, false},
		"other version":  {`"version":1`, `"version":0`, true},
		"other numbers":  {`"count":2000`, `"count":2001`, false},
	} {
		text := strings.Replace(whole, c.old, c.by, 1)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		inv.Files[summaryFile] = hashOf([]byte(text))
		if c.old != "" && !strings.Contains(text, c.by) {
			t.Fatalf("%s: there is no %s", name, c.old)
		}
		if got := s.verifyInvocation(t.Context(), inv); (len(got) == 0) != c.ok {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestMostBytes: a file of an invocation may be as large as its series say, up to a limit.
func TestMostBytes(t *testing.T) {
	series := func(columns int, count int64) Series {
		return Series{Name: "s", Columns: make([]Column, columns), Count: count}
	}
	for _, c := range []struct {
		series []Series
		want   int64
	}{
		{nil, 4 << 20},
		{[]Series{series(2, 0)}, 12 << 20},
		{[]Series{series(2, 0), series(1, 0)}, 16 << 20},
		{[]Series{series(254, 0)}, 1020 << 20},
		{[]Series{series(255, 0)}, 1 << 30},
		{[]Series{series(400, 0)}, 1 << 30},
	} {
		inv := &Invocation{Series: c.series}
		if got := inv.mostOf(summaryFile); got != c.want || summaryBound(inv) != c.want {
			t.Errorf("%d series: %d, want %d", len(c.series), got, c.want)
		}
	}
	columns := []Column{{Name: "a", Unit: "1", Kind: KindCount}}
	one := Series{Name: "s", Columns: columns, Count: 1000}
	of := int64(len(newLayout([]Series{one}).columns))
	for _, c := range []struct {
		counts []int64
		want   int64
	}{
		{nil, 1 << 20},
		{[]int64{0}, 2 << 20},
		{[]int64{1000}, 2<<20 + 16*1000*of},
		{[]int64{1000, 500}, 3<<20 + 16*1500*of},
		{[]int64{mostBytes / 16 / of}, mostBytes},
		{[]int64{mostBytes/16/of - 1<<20}, 2<<20 + 16*of*(mostBytes/16/of-1<<20)},
		{[]int64{mostBytes/16/of + 1}, mostBytes},
		{[]int64{1 << 62}, mostBytes},
	} {
		inv := &Invocation{}
		for i, count := range c.counts {
			inv.Series = append(inv.Series, Series{Name: "s", Thread: i, Columns: columns, Count: count})
		}
		if got := inv.mostOf(samplesFile); got != min(c.want, mostBytes) {
			t.Errorf("%d: %d, want %d", c.counts, got, c.want)
		}
	}
	if (&Invocation{}).mostOf("jvm.log") != mostBytes || anyLength("x") != mostBytes {
		t.Error("another file has another limit")
	}
}
