package session

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/cmd/internal/outcome"
	"moobench/internal/testmaven"
	"moobench/results"
	"moobench/results/fleet"
)

// began is when the campaigns of these tests were begun.
var began = time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)

// measured puts the blocks of such a campaign into a folder, each invocation of which took ten seconds on the machine
// m1; change is made before.
func measured(t *testing.T, dir string, o observed, change func(c *results.Campaign)) *results.Store {
	t.Helper()
	c := o.Campaign()
	c.Name, c.Created = "made", began
	c.Versions = map[string]string{"moobench": "1", "machine": "m1", "jdk": "17"}
	change(c)
	store, err := results.Create(dir, c, []byte("name = \"made\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := store.AddMachine(results.Machine{ID: "m1", Host: "h", CPU: "EPYC"}); err != nil {
		t.Fatal(err)
	}
	all, err := o.Invocations()
	if err != nil {
		t.Fatal(err)
	}
	for i, inv := range all {
		block := results.Find(c.Blocks, func(b *results.Block) bool { return b.Number == inv.Block })
		if block == nil {
			continue // another shard has it
		}
		d, err := store.Begin(inv.Identity)
		if err != nil {
			t.Fatal(err)
		}
		inv.Machine, inv.Boot, inv.Cell = "m1", "b", block.Order[inv.Slot]
		inv.Start = began.Add(time.Duration(i) * 10 * time.Second)
		inv.End = inv.Start.Add(10 * time.Second)
		if err := d.Seal(inv); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Seal(); err != nil {
		t.Fatal(err)
	}
	return store
}

func unchanged(*results.Campaign) {}

// TestForecastOfEarlierCampaigns: those campaigns say how exact costs will be that are of this machine and JDK, whole,
// and have the variants with their baselines; five of them are enough.
func TestForecastOfEarlierCampaigns(t *testing.T) {
	s, _, _ := planned(t, previewed["watched"], Options{})
	now := even(4).Campaign()
	s.Plan.Campaign = now
	host := results.Machine{ID: "m1", CPU: "EPYC"}
	usual := measured(t, "usual", even(4)[:infer.FewInvocations], unchanged)
	old := *usual.Campaign()
	several := []*results.Store{usual, usual, usual, usual, usual, usual}
	version := func(key, value string) func(c *results.Campaign) {
		return func(c *results.Campaign) { c.Versions = map[string]string{"machine": "m1", "jdk": "17", key: value} }
	}
	for name, c := range map[string]struct {
		campaigns int
		change    func(c *results.Campaign)
		folders   int
	}{
		"none":             {0, unchanged, 0},
		"one":              {1, unchanged, 1},
		"two":              {2, unchanged, 2},
		"five":             {5, unchanged, 5},
		"more":             {6, unchanged, 5},
		"another CPU":      {1, func(*results.Campaign) { host.CPU = "Xeon" }, 0},
		"another JDK":      {1, version("jdk", "21"), 0},
		"another machine":  {1, version("machine", "m2"), 0},
		"imported":         {1, func(c *results.Campaign) { c.Source = "JMH" }, 0},
		"another use":      {1, func(c *results.Campaign) { c.Scenarios[0].Use = "t" }, 0},
		"another scenario": {1, func(c *results.Campaign) { c.Scenarios[0].Label = "t" }, 0},
		"another variant":  {1, func(c *results.Campaign) { c.Cells[1].Variant = "theirs" }, 0},
		"another baseline": {1, func(c *results.Campaign) { c.Cells[0].Variant = "theirs" }, 0},
	} {
		host.CPU = "EPYC"
		changed := old
		changed.Scenarios, changed.Cells = slices.Clone(old.Scenarios), slices.Clone(old.Cells)
		c.change(&changed)
		*usual.Campaign() = changed
		f := s.forecast(&now.Scenarios[0], 20, several[:c.campaigns], host, "17")
		if (f == nil) != (c.folders == 0) {
			t.Errorf("%s: %+v", name, f)
			continue
		}
		if f == nil {
			continue
		}
		v := f.variants[0]
		if len(f.folders) != c.folders || f.folders[0] != "usual" || len(f.variants) != 1 || v.reach == nil {
			t.Errorf("%s: %+v", name, f)
		}
		if f.block != 20*time.Second || f.blocks != 20 || f.pilot != 0 || f.wanted != exact || v.family != 1 {
			t.Errorf("%s: %+v", name, f)
		}
	}
	*usual.Campaign(), host.CPU = old, "EPYC"
	now.Scenarios[0].Sizing = &results.Sizing{Precision: 0.02, Pilot: 7}
	f := s.forecast(&now.Scenarios[0], 20, several[:1], host, "17")
	if f.pilot != 7 || f.wanted != 0.02 {
		t.Errorf("%+v", f)
	}
	now.Scenarios[0].Sizing.Precision = 0
	if f = s.forecast(&now.Scenarios[0], 20, several[:1], host, "17"); f.pilot != 0 || f.wanted != exact {
		t.Errorf("%+v", f)
	}
	now.Blocks[0].Order = append(now.Blocks[0].Order, "c02")
	if f = s.forecast(&now.Scenarios[0], 20, several[:1], host, "17"); f.block != 0 {
		t.Errorf("a cell that was never measured takes %v", f.block)
	}
	now.Blocks = nil
	if f = s.forecast(&now.Scenarios[0], 20, several[:1], host, "17"); f.block != 0 {
		t.Errorf("no block takes %v", f.block)
	}
	if err := os.WriteFile("usual/benchmarks.toml", []byte("name = \"other\"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if f = s.forecast(&now.Scenarios[0], 20, several[:1], host, "17"); f != nil {
		t.Errorf("it was changed since: %+v", f)
	}
}

// TestReachIsTold: a plan with variants says how exact their costs will be, or that nobody knows.
func TestReachIsTold(t *testing.T) {
	s, out, _ := planned(t, previewed["watched"], Options{Dir: "runs/new"})
	for i := range s.Plan.Cells {
		s.Plan.Cells[i].Launch.Fixture = ""
	}
	s.Plan.Campaign = even(4).Campaign()
	unknown := func() bool { return strings.HasPrefix(out.String(), "\nhow exact costs come out is not known: ") }
	if s.writeReach(out); !unknown() {
		t.Errorf("%q", out)
	}
	out.Reset()
	s.Plan.Campaign.Cells[1].Role = results.RoleAA
	if s.writeReach(out); out.Len() > 0 {
		t.Errorf("there are no variants: %q", out)
	}
}

// TestMerge: shards become one campaign whose answers are said and whose page is written; what is computed from all of
// them bears the time of the last invocation, and of a merge that failed nothing stays.
func TestMerge(t *testing.T) {
	s, out, said := planned(t, previewed["watched"], Options{})
	testmaven.Fake(t, t.TempDir(), "exit 1\n") // the page needs no charts here
	t.Setenv("MAVEN_OPTS", "-Dmaven.repo.local="+t.TempDir())
	shard := func(i int) string {
		store := measured(t, "shard", even(4)[:4], func(c *results.Campaign) {
			c.PlanHash, c.Plan = strings.Repeat("ab", 32), []string{"seed 7"}
			c.Shard = &results.Shard{Index: i, Count: 2, Planned: 4}
			var own []results.Block
			for b, block := range c.Blocks {
				if c.Shard.Measures(b) {
					own = append(own, block)
				}
			}
			c.Blocks = own
		})
		file := []string{"1.tar", "2.tar"}[i-1]
		if err := errors.Join(fleet.Pack(t.Context(), store, file), os.RemoveAll("shard")); err != nil {
			t.Fatal(err)
		}
		return file
	}
	files := []string{shard(1), shard(2)}
	if err := s.lab.Merge(t.Context(), files, "merged", false); err != nil && !outcome.Said(err) {
		t.Fatal(err)
	}
	const head, page = "2 of 2 shards in merged\n", "\nreport: merged/"
	if !strings.HasPrefix(said.String(), head) || !strings.Contains(out.String(), page) {
		t.Errorf("%q, %q", said, out)
	}
	store, err := results.Open("merged")
	if err != nil {
		t.Fatal(err)
	}
	if sealed, changed := store.Sealed(); !sealed || store.Campaign().Merged == nil {
		t.Errorf("not sealed: %s", changed)
	}
	if last, err := lastEnd(store); err != nil || !last.Equal(began.Add(80*time.Second)) {
		t.Errorf("it ends at %v, %v", last, err)
	}
	if err := s.lab.Merge(t.Context(), append(files, "gone.tar"), "again", false); err == nil || outcome.Said(err) {
		t.Errorf("a shard that there is not: %v", err)
	}
	if _, err := os.Stat("again"); err == nil {
		t.Error("what is not merged stays")
	}
}

// TestAnswer: a measured campaign is answered; one that failed is not, and one that was interrupted only as far as it
// went.
func TestAnswer(t *testing.T) {
	s, out, _ := planned(t, previewed["watched"], Options{})
	store := measured(t, "a", even(4)[:4], unchanged)
	ended, end := context.WithCancel(t.Context())
	end()
	failed := errors.New("it failed")
	for name, c := range map[string]struct {
		ctx           context.Context
		err           error
		answered, far bool
	}{
		"well":        {t.Context(), nil, true, false},
		"failed":      {t.Context(), failed, false, false},
		"interrupted": {ended, failed, false, true},
	} {
		out.Reset()
		answered := false
		m := &measuring{Session: s, store: store, err: c.err}
		m.tell = func(got *results.Store, answers *analysis.Answers) error {
			answered = got == store && len(answers.Scenarios) == 1
			return failed
		}
		_, err := m.answer(c.ctx)
		if answered != c.answered || errors.Is(err, failed) != c.answered || (out.Len() > 0) != c.far {
			t.Errorf("%s: %t, %v, %q", name, answered, err, out)
		}
	}
	out.Reset()
	s.soFar(nil)
	s.soFar(measured(t, "b", even(4)[:0], unchanged))
	s.soFar(measured(t, "c", even(4)[:4], func(c *results.Campaign) { c.Cells[1].Role = results.RoleAA }))
	if out.Len() > 0 {
		t.Errorf("there is nothing to say: %q", out)
	}
}
