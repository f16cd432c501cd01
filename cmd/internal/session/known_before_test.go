package session

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/replication"
	"moobench/cmd/internal/influence"
	"moobench/cmd/internal/outcome"
	"moobench/harness/jvm"
	"moobench/harness/machine"
	"moobench/harness/machine/cpu"
	jvmfixtures "moobench/jvm-fixtures"
	"moobench/refusal"
	"moobench/results"
)

// epyc is the machine of these tests.
var epyc = results.Machine{ID: "m1", Host: "h", CPU: "EPYC", Stepping: "25-1-1", Core: "P"}

// TestSubjects: the variants that a file measures beside a reference are compared with their baselines, those of equal
// programs as one; a variant that is not the one that its file names is told, and not compared.
func TestSubjects(t *testing.T) {
	m := keeping(t)
	m.runner.Java = jvm.Java{Version: "17.0.2"}
	all, err := m.subjects(m.runner, epyc)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, i := range all {
		got = append(got, i.Variant)
		if i.CPU != "EPYC" || i.Stepping != "25-1-1" || i.Core != "P" || i.Runtime != "17.0.2" ||
			i.Reference != jvmfixtures.ReferenceVersion || i.Subject == "" || m.Plan.Cell(i.Cell).Label() != i.Variant {
			t.Errorf("%+v", i)
		}
	}
	if text := strings.Join(got, " "); text != "none#aa mine/bci/default theirs/bci/default" {
		t.Error(text)
	}
	if all[0].Subject == all[1].Subject || all[1].Subject == all[2].Subject {
		t.Errorf("unlike programs are one: %+v", all)
	}
	refused := m.refused(m.runner)
	if len(refused) != 1 || refused[0].Variant != "changed/bci/default" || !refused[0].Absent ||
		refused[0].Scenario != "overhead" || len(refused[0].Failures) != 1 {
		t.Errorf("%+v", refused)
	}
	for i := range m.Plan.Cells {
		c := &m.Plan.Cells[i]
		if c.Baseline == "" {
			continue
		}
		if wrong := m.wrong(m.runner, c); (wrong != nil) != (c.Variant == "changed/bci/default") {
			t.Errorf("%s: %v", c.Label(), wrong)
		}
	}
}

// TestInfluences: a campaign has what is known of its variants, and tells what it finds; kinds of cores that are mixed
// have no one speed, and a file that can't be read stops nothing.
func TestInfluences(t *testing.T) {
	m, state := keeping(t), t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	said := m.lab.Err.(interface{ String() string })
	mixed := epyc
	mixed.Core = results.MixedCores
	if known, err := m.influences(m.runner, mixed); err != nil || known.file != nil {
		t.Errorf("%+v, %v", known, err)
	}
	known, err := m.influences(m.runner, epyc)
	if err != nil || known.file == nil || known.machine != "m1" || len(known.variants) != 2 {
		t.Fatalf("%+v, %v", known, err)
	}
	if len(m.Plan.Campaign.Influences) > 0 {
		t.Errorf("nothing is known yet: %+v", m.Plan.Campaign.Influences)
	}
	mine := known.variants[0]
	for n := range influence.FewestPairs {
		shifts := []analysis.ReferenceShift{
			{Cell: mine.Cell, Machine: "m2", Runtime: mine.Runtime, LogRatio: 0.5},
			{Cell: mine.Cell, Machine: "m1", Runtime: "21", LogRatio: 0.5},
			{Cell: "c99", Machine: "m1", Runtime: mine.Runtime, LogRatio: 0.5},
			{Cell: mine.Cell, Machine: "m1", Runtime: mine.Runtime, LogRatio: 0.01},
		}
		m.tellInfluences(known, began.AddDate(0, 0, n), shifts)
		if m.untold != nil {
			t.Fatal(m.untold)
		}
	}
	m.tellInfluences(beside{}, began, nil)
	if known, err = m.influences(m.runner, epyc); err != nil {
		t.Fatal(err)
	}
	told := m.Plan.Campaign.Influences
	if len(told) != 1 || told[0].Cell != mine.Cell || told[0].LogRatio < 0.0099 || told[0].LogRatio > 0.0101 {
		t.Errorf("%+v", told)
	}
	m.Plan.Campaign.Influences, m.Resume = nil, "runs/a"
	if _, err := m.influences(m.runner, epyc); err != nil || m.Plan.Campaign.Influences != nil {
		t.Errorf("a campaign that goes on has its own: %+v, %v", m.Plan.Campaign.Influences, err)
	}
	if err := os.WriteFile(known.file.Path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if known, err := m.influences(m.runner, epyc); err != nil || known.file != nil {
		t.Errorf("%+v, %v", known, err)
	}
	if !strings.Contains(said.String(), ": verdicts allow for what this campaign alone shows\n") {
		t.Error(said.String())
	}
}

// TestStandards: a new campaign has the standard speed that is named, or those that are kept; a file that was named
// must be read, and the user's own need not be.
func TestStandards(t *testing.T) {
	state := t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	own := filepath.Join(state, "moobench", "standards.json")
	for name, c := range map[string]struct {
		standard, kept string
		resume         string
		shard          bool
		ns             float64 // of the campaign; 0: none
		fails, says    string
	}{
		"none":         {"", "", "", false, 0, "", ""},
		"a time":       {"2373ns", "", "", false, 2373, "", ""},
		"of a shard":   {"2373ns", "", "", true, 2373, "", ""},
		"gone on with": {"2373ns", "", "runs/a", false, 0, "", ""},
		"no time":      {"2373", "", "", false, 0, "--standard: ", ""},
		"no file of mine": {
			"", "{", "", false, 0, "", ": this campaign makes a standard speed of its own\n",
		},
		"no file that is named": {"bad.json", "", "", false, 0, "reading the standard speeds in bad.json", ""},
	} {
		s, _, said := planned(t, previewed["watched"], Options{Standard: c.standard})
		s.Resume = c.resume
		if c.shard {
			s.Plan.Campaign.Shard = &results.Shard{Index: 1, Count: 1}
		}
		if err := os.WriteFile("bad.json", []byte("{"), 0o666); err != nil {
			t.Fatal(err)
		}
		err := os.RemoveAll(own)
		if c.kept != "" {
			err = errors.Join(err, os.MkdirAll(filepath.Dir(own), 0o700), os.WriteFile(own, []byte(c.kept), 0o600))
		}
		if err != nil {
			t.Fatal(err)
		}
		kept, err := s.standards(epyc)
		if (err == nil) != (c.fails == "") || err != nil && !strings.HasPrefix(err.Error(), c.fails) {
			t.Errorf("%s: %v, want %q", name, err, c.fails)
		}
		if _, usage := errors.AsType[outcome.UsageError](err); usage != (name == "no time") {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil && (kept == nil || (kept.Path == "") != (c.shard || c.kept != "")) {
			t.Errorf("%s: kept in %+v", name, kept)
		}
		var ns float64
		for _, standard := range s.Plan.Campaign.Standards {
			ns += standard.NS
		}
		if ns != c.ns || !strings.Contains(said.String(), c.says) || (said.Len() > 0) != (c.says != "") {
			t.Errorf("%s: %v ns, %q", name, ns, said)
		}
	}
}

// TestOwn: a campaign's folder says with what it is measured and where, and belongs to one moobench until that lets go
// of it.
func TestOwn(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	for _, hash := range []string{"", "f"} {
		m := keeping(t)
		m.Standard = "2373ns"
		m.runner.Java, m.runner.Host.Placement = jvm.Java{Version: "17"}, cpu.Placement{Shared: true}
		m.runner.Fixtures.Hash, m.runner.Fixtures.Jars = hash, "j"
		m.lab.Moobench, m.dir, m.host = "1.0.0", "runs/a", epyc
		release, err := m.begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		c := m.store.Campaign()
		v := c.Versions
		if v["moobench"] != "1.0.0" || v["jdk"] != "17" || v["fixtures"] != hash || v["machine"] != "m1" {
			t.Errorf("%v", v)
		}
		if _, has := v[results.VersionReference]; has != (hash != "") || v[fixtureJars] != "j" {
			t.Errorf("%v", v)
		}
		machines, err := m.store.Machines()
		if err != nil || len(machines) != 1 || machines[0].ID != "m1" || len(c.Standards) != 1 {
			t.Errorf("%+v, %v, %+v", machines, err, c.Standards)
		}
		if _, err := m.store.Own(); err == nil {
			t.Error("two have it")
		}
		if err := m.runner.Finish(); err != nil || m.unkept != nil || m.untold != nil || len(m.made) > 0 {
			t.Errorf("%v, %v, %v", err, m.unkept, m.made)
		}
		if err := release(); err != nil {
			t.Error(err)
		}
		disown, err := m.store.Own()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.begin(t.Context()); err == nil {
			t.Error("it is there already, and somebody's")
		}
		disown()
	}
	m := keeping(t)
	m.Standard, m.dir = "bad", "runs/a"
	if err := os.WriteFile("bad", []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if undo, err := m.begin(t.Context()); err == nil || undo != nil || results.HasCampaign("runs/a") {
		t.Errorf("it was begun without its standard: %v", err)
	}
}

// TestScratch: a folder of the user's cache is emptied for one machine, which nobody else may measure on meanwhile.
func TestScratch(t *testing.T) {
	s, _, _ := planned(t, previewed["watched"], Options{})
	dir := t.TempDir()
	t.Setenv(machine.LockVar, filepath.Join(dir, "lock"))
	t.Setenv(machine.JournalVar, filepath.Join(dir, "machine.journal"))
	place, err := s.lab.scratch(t.Context(), "turns", 0)
	if err != nil {
		t.Fatal(err)
	}
	if place.host.ID == "" || place.dir != filepath.Join(place.cache, "turns", place.host.ID) {
		t.Errorf("%+v", place)
	}
	if _, err := s.lab.scratch(t.Context(), "turns", 0); err == nil {
		t.Error("two measure at once")
	}
	if err := errors.Join(os.Mkdir(place.dir, 0o777), place.release()); err != nil {
		t.Fatal(err)
	}
	if place, err = s.lab.scratch(t.Context(), "turns", 0); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(place.dir); err == nil {
		t.Error("what an earlier run left is still there")
	}
	if err := errors.Join(os.Mkdir(place.dir, 0o777), place.release()); err != nil {
		t.Fatal(err)
	}
	free, err := results.Lock(place.dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.lab.scratch(t.Context(), "turns", 0); err == nil {
		t.Error("it is somebody's")
	}
	free()
	if place, err = s.lab.scratch(t.Context(), "turns", 0); err != nil {
		t.Fatalf("the machine is still locked: %v", err)
	}
	if err := place.release(); err != nil {
		t.Error(err)
	}
}

// TestShortened: a paper's campaign has fewer blocks, and less of what the paper names, and says so; at full length
// its text stays as it is.
func TestShortened(t *testing.T) {
	s, _, _ := planned(t, previewed["watched"], Options{})
	text := []byte(strings.Replace(previewed["watched"], "= 3", "= 30", 1))
	paper := &replication.Paper{Short: []replication.Shorter{{Parameter: "calls", Least: "200"}}}
	for scale, want := range map[float64]struct {
		blocks int
		calls  string
	}{1: {30, "1000"}, 0.5: {15, "500"}, 0.1: {3, "200"}} {
		got, err := s.lab.Shortened(Options{}, "x.toml", text, paper, scale)
		if err != nil {
			t.Fatal(err)
		}
		is := float64(0)
		if scale < 1 {
			is = scale
		}
		calls := got.Plan.Cells[0].Parameter("calls")
		if got.File.Scenarios[0].Blocks != want.blocks || calls != want.calls || got.Plan.Campaign.Scale != is {
			t.Errorf("%v: %s calls, scale %v\n%s", scale, calls, got.Plan.Campaign.Scale, got.File.Text)
		}
		if strings.Contains(string(got.File.Text), "Shortened to ") != (scale < 1) {
			t.Errorf("%v: %s", scale, got.File.Text)
		}
	}
	for _, scale := range []float64{0, 2} {
		if _, err := s.lab.Shortened(Options{}, "x.toml", text, paper, scale); err == nil {
			t.Errorf("a scale of %v", scale)
		}
	}
	if _, err := s.lab.Shortened(Options{}, "x.toml", []byte("name ="), paper, 0.5); err == nil {
		t.Error("no TOML")
	}
}

// TestRehearses: a program whose time limit follows from a trial is tried before a new campaign, and not before one
// that goes on.
func TestRehearses(t *testing.T) {
	free := strings.NewReplacer("max_time  = \"2min\"\n", "", "= 2\n", "= 8\n").Replace(previewed["command"])
	for _, c := range []struct {
		text, resume string
		want         bool
	}{{free, "", true}, {free, "runs/a", false}, {previewed["command"], "", false}, {previewed["watched"], "", false}} {
		s, _, _ := planned(t, c.text, Options{})
		if s.Resume = c.resume; s.rehearses() != c.want {
			t.Errorf("%s, resuming %q: %t", s.File.Name, c.resume, s.rehearses())
		}
	}
}

// TestLanesOfAPilot: a plan that is not frozen is not shown in lanes.
func TestLanesOfAPilot(t *testing.T) {
	s, _, _ := planned(t, previewed["watched"], Options{Lanes: 2})
	if text, err := s.tellLanes(); err == nil || text != "" || refusal.Do(err) == "" {
		t.Errorf("%s, %v", text, err)
	}
	if err := s.Preview(); err == nil {
		t.Error("lanes of a plan that is not frozen are shown")
	}
}
