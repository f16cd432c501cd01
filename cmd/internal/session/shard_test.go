package session

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"moobench/cmd/internal/outcome"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/fleet"
)

// sharded is a session of a shard of the plan of 3 blocks.
func sharded(t *testing.T, index int) (s *Session, out *bytes.Buffer) {
	t.Helper()
	s, out, _ = planned(t, previewed["watched"], Options{})
	if err := s.Plan.Shard(results.Shard{Index: index, Count: 3}); err != nil {
		t.Fatal(err)
	}
	return s, out
}

// packed packs a campaign into a file, as if it had been measured.
func packed(t *testing.T, c *results.Campaign, file string) {
	t.Helper()
	store, err := results.Create(t.TempDir(), c, []byte(previewed["watched"]))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(store.Seal(), fleet.Pack(t.Context(), store, file)); err != nil {
		t.Fatal(err)
	}
}

// TestShardIsThere: a shard that was measured is not measured again, and a file of anything else is
// neither taken for it nor written over.
func TestShardIsThere(t *testing.T) {
	const file, there, plan = "shard.tar", "shard.tar is there already, and ", "belongs to another plan"
	for name, c := range map[string]struct {
		change func(c *results.Campaign)
		want   string // "" is no error
	}{
		"the same":      {func(*results.Campaign) {}, ""},
		"another shard": {func(c *results.Campaign) { c.Shard.Index = 1 }, there + "is shard 1/3"},
		"of more":       {func(c *results.Campaign) { c.Shard.Count = 4 }, there + "is shard 2/4"},
		"no shard":      {func(c *results.Campaign) { c.Shard = nil }, there + plan},
		"another plan":  {func(c *results.Campaign) { c.PlanHash = strings.Repeat("a", 64) }, there + plan},
	} {
		t.Run(name, func(t *testing.T) {
			s, out := sharded(t, 2)
			if there, err := s.isThere(t.Context(), file); there || err != nil || out.Len() > 0 {
				t.Errorf("nothing was measured: %t, %v, %s", there, err, out)
			}
			other, shard := *s.Plan.Campaign, *s.Plan.Campaign.Shard
			other.Shard = &shard
			c.change(&other)
			packed(t, &other, file)
			found, err := s.isThere(t.Context(), file)
			if c.want == "" {
				if !found || err != nil || out.String() != "shard 2/3 is there already: shard.tar\n" {
					t.Errorf("%t, %v, %s", found, err, out)
				}
				return
			}
			_, usage := errors.AsType[outcome.UsageError](err)
			if found || !usage || err.Error() != c.want || out.Len() > 0 {
				t.Fatalf("%t, %v, %s, want %s", found, err, out, c.want)
			}
			if refusal.Do(err) != "choose another file with -o" {
				t.Error(refusal.Do(err))
			}
		})
	}
	t.Run("no campaign", func(t *testing.T) {
		s, _ := sharded(t, 2)
		if err := os.WriteFile(file, []byte("of somebody"), 0o666); err != nil {
			t.Fatal(err)
		}
		if there, err := s.isThere(t.Context(), file); there || err == nil {
			t.Errorf("a file of somebody is the shard: %t, %v", there, err)
		}
	})
}

// TestGoOnWithAShard: only an interrupted shard of the same number and the same plan goes on.
func TestGoOnWithAShard(t *testing.T) {
	for name, c := range map[string]struct {
		change func(c *results.Campaign)
		want   string // how the error begins; "" is none
	}{
		"the same":      {func(*results.Campaign) {}, ""},
		"another shard": {func(c *results.Campaign) { c.Shard.Index = 1 }, "x.tar.d holds another shard"},
		"no shard":      {func(c *results.Campaign) { c.Shard = nil }, "x.tar.d holds another shard"},
		"another plan": {
			func(c *results.Campaign) { c.Plan = c.Plan[1:] }, "going on in x.tar.d: the plan has changed: ",
		},
	} {
		s, _ := sharded(t, 2)
		s.Resume = "x.tar.d"
		old, shard := *s.Plan.Campaign, *s.Plan.Campaign.Shard
		old.Shard = &shard
		c.change(&old)
		err := s.continueShard(&old)
		if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if err != nil && refusal.Do(err) != "choose another file with -o" {
			t.Errorf("%s: %s", name, refusal.Do(err))
		}
	}
}

// TestShardIsTold: a host learns what its shard has, and that a few blocks can't judge it.
func TestShardIsTold(t *testing.T) {
	s, _, _ := planned(t, strings.ReplaceAll(previewed["watched"], "= 3", "= 5"), Options{})
	const few = "; fewer than 5 blocks on a host: its own A/A can't be judged, " +
		"and its outlying JVMs can't be found"
	for _, c := range []struct {
		shard results.Shard
		want  string
	}{
		{results.Shard{Index: 1, Count: 1, Planned: 4}, "shard 1/1: 4 blocks of 4, "},
		{results.Shard{Index: 1, Count: 1, Planned: 5}, "shard 1/1: 5 blocks of 5, "},
		{results.Shard{Index: 2, Count: 5, Planned: 5}, "shard 2/5: 1 block of 5, "},
	} {
		s.Plan.Campaign.Shard = &c.shard
		got := s.tellShard()
		if !strings.HasPrefix(got, c.want) || strings.HasSuffix(got, few) != (c.shard.Blocks() < 5) {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestCut: a shard is cut from a frozen plan alone, and from a plan that has as many blocks.
func TestCut(t *testing.T) {
	s, _, _ := planned(t, previewed["watched"], Options{})
	if err := s.cut("x.json"); err != nil || s.Plan.Campaign.Shard != nil {
		t.Errorf("nobody asks for a shard: %v, %v", s.Plan.Campaign.Shard, err)
	}
	s.Shard = results.Shard{Index: 2, Count: 3}
	err := s.cut("x.json")
	_, usage := errors.AsType[outcome.UsageError](err)
	notFrozen := strings.HasPrefix(err.Error(), "x.json is not frozen")
	if !usage || !notFrozen || !strings.Contains(refusal.Do(err), "--pilot") {
		t.Errorf("each host would decide: %v", err)
	}
	s.frozen = &results.Frozen{}
	if err := s.cut("x.json"); err != nil || s.Plan.Campaign.Shard == nil || s.Plan.Campaign.Shard.Index != 2 {
		t.Errorf("shard %v, %v", s.Plan.Campaign.Shard, err)
	}
	s, _, _ = planned(t, previewed["watched"], Options{Shard: results.Shard{Index: 1, Count: 99}})
	s.frozen = &results.Frozen{}
	if _, usage := errors.AsType[outcome.UsageError](s.cut("x.json")); !usage {
		t.Error("there are as many shards as anybody likes")
	}
}
