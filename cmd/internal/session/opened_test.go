package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moobench/cmd/internal/doctor"
	"moobench/cmd/internal/outcome"
	"moobench/harness/machine"
	"moobench/harness/plan"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/safefile"
)

// TestOpenAPlan: a plan that was written is opened as it was made, in whole or a shard of it, and without what was
// decided when it was made.
func TestOpenAPlan(t *testing.T) {
	s, out, said := planned(t, previewed["watched"], Options{Seed: 9, Seeded: true})
	if err := s.WritePlan("plan.json", ""); err != nil {
		t.Fatal(err)
	}
	const told = "plan.json: 3 timing blocks, 3 resource blocks · seed 9 · plan "
	if !strings.HasPrefix(out.String(), told) || said.Len() > 0 {
		t.Errorf("%q, %q", out.String(), said.String())
	}
	third := Options{Shard: results.Shard{Index: 1, Count: 3}}
	for name, c := range map[string]struct {
		o      Options
		file   string
		want   string // how the error begins
		blocks int
	}{
		"the whole":    {Options{}, "plan.json", "", 6},
		"a shard":      {third, "plan.json", "", 2},
		"another seed": {Options{Seed: 9, Seeded: true}, "plan.json", "plan.json is a plan: --only and --seed", 0},
		"some of it":   {Options{Only: "kieker"}, "plan.json", "plan.json is a plan: --only and --seed", 0},
		"no plan":      {third, "x.toml", "shards and lanes are those of a plan", 0},
		"no lanes":     {Options{Lanes: 1}, "x.toml", "shards and lanes are those of a plan", 0},
		"no file":      {Options{}, "", "there is no benchmarks.toml here", 0},
	} {
		var named []string
		if c.file != "" {
			named = []string{c.file}
		}
		opened, err := s.lab.Open(c.o, named...)
		if c.want == "" {
			if err != nil || opened.frozen == nil {
				t.Errorf("%s: %+v, %v", name, opened, err)
			} else if got := opened.Plan.Campaign; len(got.Blocks) != c.blocks || got.Seed != 9 {
				t.Errorf("%s: %d blocks, seed %d", name, len(got.Blocks), got.Seed)
			}
			continue
		}
		if _, usage := errors.AsType[outcome.UsageError](err); !usage || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if err := os.WriteFile("benchmarks.toml", []byte(previewed["watched"]), 0o666); err != nil {
		t.Fatal(err)
	}
	if found, err := s.lab.Open(Options{}); err != nil || found.File.Name != "watched" {
		t.Errorf("the file of the folder: %v", err)
	}
	text, err := os.ReadFile("plan.json")
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(text), "calls     = 1000", "calls     = 1001", 1)
	if changed == string(text) {
		t.Fatal("nothing was changed")
	}
	if err := os.WriteFile("plan.json", []byte(changed), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := s.lab.Open(Options{}, "plan.json"); err == nil {
		t.Error("a plan that isn't that of its file was opened")
	}
}

// TestPlanOfAPilot: a plan whose numbers a pilot is to find isn't frozen, and that is said.
func TestPlanOfAPilot(t *testing.T) {
	s, out, said := planned(t, previewed["auto"], Options{})
	said.Reset()
	if err := s.WritePlan("plan.json", ""); err != nil || s.Plan.Campaign.Frozen != nil {
		t.Fatal(err)
	}
	const warns = "a pilot decides how many calls it makes: it can be run as a whole, and not in shards"
	if strings.Contains(out.String(), "--shard") || !strings.Contains(said.String(), warns) {
		t.Errorf("%q, %q", out.String(), said.String())
	}
	if err := s.WritePlan("plan.json", "no-such-folder"); err == nil {
		t.Error("decisions of a campaign that there is not")
	}
}

// TestTurnOnTheMachine: who measures keeps others out, who wait for as long as they were told to.
func TestTurnOnTheMachine(t *testing.T) {
	s, _, said := planned(t, previewed["watched"], Options{})
	dir := t.TempDir()
	t.Setenv(machine.LockVar, filepath.Join(dir, "lock"))
	t.Setenv(machine.JournalVar, filepath.Join(dir, "machine.journal"))
	free, err := s.lab.lock(t.Context(), "first", 0)
	if err != nil || said.Len() > 0 {
		t.Fatalf("%v, %q", err, said.String())
	}
	ended, end := context.WithCancel(t.Context())
	end()
	const waits = "waiting for up to "
	for name, c := range map[string]struct {
		ctx        context.Context
		wait       time.Duration
		says, want string
	}{
		"no wait":         {t.Context(), 0, "", "first"},
		"a negative wait": {t.Context(), -1, "", "first"},
		"a short wait":    {t.Context(), 1, waits, "first"},
		"interrupted":     {ended, time.Hour, waits, "interrupted while it waited: nothing was started"},
	} {
		said.Reset()
		release, err := s.lab.lock(c.ctx, "second", c.wait)
		if release != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if n := strings.Count(said.String(), waits); n > 1 || (n > 0) != (c.says != "") {
			t.Errorf("%s: %q, want %q", name, said.String(), c.says)
		}
	}
	if err := free(); err != nil {
		t.Fatal(err)
	}
	again, err := s.lab.lock(t.Context(), "second", 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := again(); err != nil {
		t.Error(err)
	}
	said.Reset()
	if err := os.WriteFile(machine.JournalPath(), []byte("no JSON"), 0o600); err != nil {
		t.Fatal(err)
	}
	if again, err = s.lab.lock(t.Context(), "second", 0); err != nil {
		t.Fatal(err)
	}
	const odd = "moobench: warning: the journal of changes"
	if err := again(); err != nil || !strings.HasPrefix(said.String(), odd) {
		t.Errorf("%v, %q", err, said.String())
	}
}

// TestRemoveUnowned: a folder that an earlier run left is removed, unless somebody has locked it.
func TestRemoveUnowned(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "left")
	if err := removeUnowned(dir); err != nil {
		t.Errorf("there is none: %v", err)
	}
	if err := errors.Join(os.Mkdir(dir, 0o777), os.WriteFile(filepath.Join(dir, "file"), nil, 0o666)); err != nil {
		t.Fatal(err)
	}
	free, err := results.Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := removeUnowned(dir); err == nil || !strings.HasPrefix(err.Error(), "removing what an earlier run left: ") {
		t.Errorf("it is somebody's: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "file")); err != nil {
		t.Error("somebody's folder was removed")
	}
	free()
	if err := removeUnowned(dir); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("it is still there")
	}
}

// TestRestoredIsTold: what was left or could not be put back is a warning each, and what to do follows problems alone.
func TestRestoredIsTold(t *testing.T) {
	s, _, said := planned(t, previewed["watched"], Options{})
	for _, c := range []struct {
		done machine.Restored
		want string
		hint bool
	}{
		{machine.Restored{Done: []string{"a"}}, "", false},
		{machine.Restored{Left: []string{"a"}}, "moobench: warning: a\n", false},
		{machine.Restored{Problems: []string{"b"}}, "moobench: warning: b\n", true},
		{
			machine.Restored{Left: []string{"a"}, Problems: []string{"b", "c"}},
			"moobench: warning: a\nmoobench: warning: b\nmoobench: warning: c\n", true,
		},
	} {
		said.Reset()
		s.lab.tellRestored(c.done)
		rest, found := strings.CutPrefix(said.String(), c.want)
		if !found || strings.Contains(rest, "doctor --restore") != c.hint || (rest != "") != c.hint {
			t.Errorf("%+v: %q, want %q", c.done, said.String(), c.want)
		}
	}
}

// TestUndo: phases are undone from the last one back to the given one, and each once; nothing is, if that one has
// nothing to undo.
func TestUndo(t *testing.T) {
	failed := errors.New("it failed")
	for since, want := range map[string]string{"": "cba", "a": "cba", "b": "cb", "c": "c", "d": ""} {
		got, m := "", &measuring{}
		for _, name := range []string{"a", "b", "c"} {
			m.undos = append(m.undos, undoing{name, func() error {
				got += name
				if name == "c" {
					return failed
				}
				return nil
			}})
		}
		if err := m.undo(since); got != want || errors.Is(err, failed) != (want != "") || len(m.undos) != 3-len(want) {
			t.Errorf("since %q: %q, %v, want %q", since, got, err, want)
		}
		if err := m.undo(since); err != nil || since != "" && got != want {
			t.Errorf("since %q again: %q, %v", since, got, err)
		}
	}
}

// TestUnfit: an error that is the machine's is one of a shard only, and of a phase that says so.
func TestUnfit(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	for name, c := range map[string]struct {
		ctx   context.Context
		unfit bool
		shard *results.Shard
		want  bool
	}{
		"of a shard":    {t.Context(), true, &results.Shard{}, true},
		"of a campaign": {t.Context(), true, nil, false},
		"of the plan":   {t.Context(), false, &results.Shard{}, false},
		"interrupted":   {ended, true, &results.Shard{}, false},
	} {
		failed := errors.New("it failed")
		m := &measuring{Session: &Session{Plan: &plan.Plan{Campaign: &results.Campaign{Shard: c.shard}}}}
		p := phase{unfit: c.unfit, run: func(*measuring, context.Context) (undo func() error, err error) {
			return nil, failed
		}}
		err := m.carry(c.ctx, []phase{p})
		if _, unfit := errors.AsType[outcome.UnfitError](err); !errors.Is(err, failed) || unfit != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAtBest: what equal JVMs resolve here is said, if it was found out.
func TestAtBest(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	cache, err := safefile.CacheFolder()
	if err != nil {
		t.Fatal(err)
	}
	host := results.Machine{ID: "m1"}
	const unknown, known = "; moobench run measures them, and moobench doctor --calibrate says what equal JVMs resolve",
		"; moobench run measures them. Equal JVMs resolve 1.0 % here in 3 min (moobench doctor --calibrate), " +
			"and those of an agent differ by more"
	if got := atBest(host); got != unknown {
		t.Errorf("before the first: %s", got)
	}
	for share, want := range map[float64]string{0: unknown, 0.01: known} {
		err := doctor.SaveCalibration(cache, "m1", results.Calibration{
			When: time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC), KnownNS: 2000, LowNS: 1990, MeasuredNS: 2001,
			HighNS: 2010, Level: 0.99, ResolvesShare: share, ResolvesInNS: int64(3 * time.Minute),
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := atBest(host); got != want {
			t.Errorf("%v: %s, want %s", share, got, want)
		}
	}
}

// TestJDKVersions: the JDKs of a plan are those of its cells, each once and in order; a plan without Java has none.
func TestJDKVersions(t *testing.T) {
	s, _, _ := planned(t, previewed["watched"], Options{})
	s.File.JVM.Homes = []string{"/b", "/a"}
	for i := range s.Plan.Cells {
		s.Plan.Cells[i].JDK = plan.JDK{Home: "/b", Version: "21", Major: 21}
	}
	s.Plan.Cells[0].JDK = plan.JDK{Home: "/a", Version: "25", Major: 25}
	if got, err := s.jdkVersions(); got != "21, 25" || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	s.Plan.Cells = nil
	if got, err := s.jdkVersions(); got != "" || err != nil || s.needsJava() || s.needsFixtures() || s.prepares() {
		t.Errorf("no cells: %s, %v", got, err)
	}
	if java, err := s.suited(); err != nil || java.Version != "" {
		t.Errorf("no cells: %+v, %v", java, err)
	}
	if err := notFrozen("x"); !strings.Contains(refusal.Do(err), "moobench plan --pilot DIR") {
		t.Error(err)
	}
}

// TestEarlierCampaigns: those beside the chosen folder are found, the newest first, and what can't be read is left out.
func TestEarlierCampaigns(t *testing.T) {
	s, _, _ := planned(t, previewed["watched"], Options{})
	for name, day := range map[string]int{"a": 20, "b": 22, "c": 21} {
		for _, folder := range []string{"mine", filepath.FromSlash(RunsFolder)} {
			c := *s.Plan.Campaign
			c.Created = time.Date(2026, 11, day, 3, 0, 0, 0, time.UTC)
			if err := os.MkdirAll(folder, 0o777); err != nil {
				t.Fatal(err)
			}
			if _, err := results.Create(filepath.Join(folder, name), &c, []byte(previewed["watched"])); err != nil {
				t.Fatal(err)
			}
		}
	}
	damaged := errors.Join(os.Mkdir("mine/d", 0o777), os.WriteFile("mine/d/campaign.json", []byte("{"), 0o666))
	if err := damaged; err != nil {
		t.Fatal(err)
	}
	for chosen, folder := range map[string]string{"": RunsFolder, "mine/new": "mine", "other/new": ""} {
		var got []string
		for _, store := range earlierCampaigns(chosen) {
			got = append(got, filepath.ToSlash(store.Dir()))
		}
		want := ""
		if folder != "" {
			want = strings.ReplaceAll("F/b F/c F/a", "F", folder)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %v, want %s", chosen, got, want)
		}
	}
	c, text, err := Resumable("mine/a")
	if err != nil || c.Name != "watched" || string(text) != previewed["watched"] {
		t.Errorf("%+v, %v", c, err)
	}
	s.lab.Tree = nil // nothing asks the machine
	if again, err := s.lab.Open(Options{Resume: "mine/a"}); err != nil || again.Plan.Campaign.Seed != 5 {
		t.Errorf("going on: %v", err)
	}
}
