package results

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A campaign has one owner at a time; readers need not be.
func TestOwn(t *testing.T) {
	s := newStore(t)
	release, err := s.Own()
	if err != nil {
		t.Fatal(err)
	}
	other := reopen(t, s.Dir(), nil)
	if _, err := other.Own(); problemOf(err) != problemOwned || !strings.Contains(err.Error(), s.Dir()) {
		t.Errorf("a second owner: %v", err)
	}
	if _, err := Lock(s.Dir()); problemOf(err) != problemOwned {
		t.Errorf("locked by a second one: %v", err)
	}
	draft, err := s.Begin(Identity{1, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	// What recovers while it is not the owner's does not take the lock away.
	if err := draft.Discard(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Recover(); err != nil {
		t.Error(err)
	}
	if _, err := other.Own(); problemOf(err) != problemOwned {
		t.Errorf("a second owner, after recovering: %v", err)
	}
	if list, err := other.Invocations(); len(list) != 0 || err != nil {
		t.Errorf("a reader: %v, %v", list, err)
	}
	release()
	if left := everything(t, s.Dir()); strings.Contains(strings.Join(left, " "), tmpPrefix) {
		t.Errorf("left over: %q", left)
	}
	if release, err = other.Own(); err != nil {
		t.Fatal(err)
	}
	release()
}

// The lock of a process that was killed is a file that nobody holds.
func TestOwnAfterAKill(t *testing.T) {
	s := newStore(t)
	if err := os.WriteFile(filepath.Join(s.Dir(), lockFile), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	release, err := s.Own()
	if err != nil {
		t.Fatal(err)
	}
	release()
}

// Whoever has removed the folder leaves the lock of the next one alone.
func TestReleaseLeavesAnothersLock(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "c")
	lock := func() func() {
		t.Helper()
		release, err := Lock(dir)
		if err != nil {
			t.Fatal(err)
		}
		return release
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	first := lock()
	if err := errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o777)); err != nil {
		t.Fatal(err)
	}
	second := lock()
	first()
	if _, err := Lock(dir); problemOf(err) != problemOwned {
		t.Errorf("beside the second one: %v", err)
	}
	second()
	lock()()
}

// A lock that leads elsewhere is not followed.
func TestOwnFollowsNoLink(t *testing.T) {
	_, victim := victimIn(t)
	s := newStore(t)
	if err := os.Symlink(victim, filepath.Join(s.Dir(), lockFile)); err != nil {
		t.Fatal(err)
	}
	_, err := s.Own()
	damagedAt(t, "owning", err, s.Dir())
	if text := read(t, victim); string(text) != "precious" {
		t.Errorf("the victim holds %q", text)
	}
}

// Whoever becomes the owner knows what the last one wrote.
func TestOwnReadsAgain(t *testing.T) {
	s := newStore(t)
	campaign := s.Campaign()
	other := reopen(t, s.Dir(), nil)
	other.Campaign().About = "changed meanwhile"
	if err := other.SaveCampaign(); err != nil {
		t.Fatal(err)
	}
	release, err := s.Own()
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if s.Campaign() != campaign || campaign.About != "changed meanwhile" {
		t.Errorf("it says %q", campaign.About)
	}
}

// An owner unseals: what is being added to is not as it was sealed. What was changed
// is not sealed again.
func TestOwnUnseals(t *testing.T) {
	s, inv := sealedStore(t)
	release, err := s.Own()
	if err != nil {
		t.Fatal(err)
	}
	if sealed, changed := s.Sealed(); sealed || changed != "" {
		t.Errorf("sealed %t, %q", sealed, changed)
	}
	if err := s.Seal(); err != nil {
		t.Fatal(err)
	}
	release()
	if sealed, changed := s.Sealed(); !sealed || changed != "" {
		t.Errorf("not sealed again: %q", changed)
	}

	// A sitting that was killed may have found another machine.
	if err := s.AddMachine(Machine{ID: "m", Host: "other"}); err != nil {
		t.Fatal(err)
	}
	if release, err = s.Own(); err != nil {
		t.Fatal(err)
	}
	if err := s.Seal(); err != nil {
		t.Fatal(err)
	}
	release()
	for _, path := range []string{s.path(tomlFile), s.path(invocationsDir, inv.Identity.String(), invocationFile)} {
		before := read(t, path)
		if err := os.WriteFile(path, append(before[:len(before):len(before)], '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := s.Own()
		damagedAt(t, "a changed file", err, path)
		if !strings.Contains(err.Error(), changedSince) {
			t.Error(err)
		}
		if err := os.WriteFile(path, before, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if release, err = s.Own(); err != nil {
		t.Fatal(err)
	}
	release()
}

// Of two who find a folder empty at the same time, one gets it whole.
func TestCreateAtTheSameTime(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "c")
	var other error
	_, err := create(dir, testCampaign(), nil, func(step string) error {
		if step == "mkdir "+dir { // both have seen that it is empty
			_, other = Create(dir, testCampaign(), []byte("other = true\n"))
		}
		return nil
	})
	if problemOf(err) != problemExists || other != nil {
		t.Errorf("%v, and the other one %v", err, other)
	}
	s := reopen(t, dir, nil)
	if text, err := s.TOML(); string(text) != "other = true\n" || err != nil {
		t.Errorf("it holds %q, %v", text, err)
	}
}

// While one begins a campaign in a folder, nobody else does.
func TestCreateBesideAnother(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "c")
	var other error
	_, err := create(dir, testCampaign(), nil, func(step string) error {
		if strings.HasPrefix(step, "mkdir ") && step != "mkdir "+dir {
			_, other = Create(dir, testCampaign(), nil)
		}
		return nil
	})
	if err != nil || problemOf(other) != problemExists || !strings.Contains(other.Error(), "just begun") {
		t.Errorf("%v, and the other one %v", err, other)
	}
}

// A folder in which a moobench was killed while it began a campaign is begun in again;
// one with anything else in it, or with a benchmarks.toml alone, stays as it is.
func TestCreateWhereOneWasKilled(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "c")
	step := func(names ...string) {
		for _, name := range names {
			path := filepath.Join(dir, name)
			var err error
			if strings.HasSuffix(name, "/") {
				err = os.MkdirAll(path, 0o777)
			} else {
				err = os.WriteFile(path, []byte("half"), 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, left := range [][]string{
		{"/"},
		{"/", ".tmp-lock"},
		{"/", ".tmp-lock", "invocations/"},
		{"/", "invocations/", "machines/", ".tmp-benchmarks.toml"},
		{"/", ".tmp-lock", "invocations/", "machines/", "benchmarks.toml", ".tmp-campaign.json"},
	} {
		os.RemoveAll(dir)
		step(left...)
		s, err := Create(dir, testCampaign(), []byte("whole"))
		if err != nil {
			t.Errorf("%q: %v", left, err)
			continue
		}
		if text, err := reopen(t, s.Dir(), nil).TOML(); string(text) != "whole" || err != nil {
			t.Errorf("%q: %q, %v", left, text, err)
		}
	}
	for _, left := range [][]string{
		{"/", "benchmarks.toml"},
		{"/", "notes.txt"},
		{"/", "invocations/", "invocations/b0001.s00.r0/"},
		{"/", "invocations/", "machines/", "machines/m.json"},
		{"/", "invocations/", "campaign.json"},
		{"/", ".tmp-x/"},
	} {
		os.RemoveAll(dir)
		step(left...)
		before := everything(t, dir)
		if _, err := Create(dir, testCampaign(), nil); problemOf(err) != problemExists {
			t.Errorf("%q: %v", left, err)
		}
		if after := everything(t, dir); !slices.Equal(before, after) {
			t.Errorf("%q became %q", before, after)
		}
	}
}

// A campaign that was changed says so in one sentence, which names few of many files.
func TestChanged(t *testing.T) {
	s := newStore(t)
	for slot := range 5 {
		sealOne(t, s, Identity{1, slot, 0}, 3)
	}
	if _, got := s.Sealed(); got != "" {
		t.Errorf("not sealed: %q", got)
	}
	if err := s.Seal(); err != nil {
		t.Fatal(err)
	}
	if _, got := s.Sealed(); got != "" {
		t.Errorf("sealed: %q", got)
	}
	for slot := range 5 {
		path := s.path(invocationsDir, Identity{1, slot, 0}.String(), invocationFile)
		text := strings.Replace(string(read(t, path)), `"cpu": 1.5`, `"cpu": 15`, 1)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, got := s.Sealed()
		if !strings.HasPrefix(got, "changed since it was sealed: invocations/b0001.s00.r0/invocation.json") || strings.Contains(got, "s03") ||
			strings.Contains(got, " and 2 more") != (slot == 4) {
			t.Errorf("%d files: %q", slot+1, got)
		}
	}
	if err := errors.Join(os.Remove(s.path(sealedFile)), os.Mkdir(s.path(sealedFile), 0o777)); err != nil {
		t.Fatal(err)
	}
	if _, got := s.Sealed(); !strings.HasPrefix(got, changedSince+": ") || !strings.Contains(got, sealedFile) {
		t.Errorf("a folder as SEALED: %q", got)
	}
}
