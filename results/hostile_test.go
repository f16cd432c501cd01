package results

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"moobench/internal/testrace"
)

// instead puts something else in a file's place.
func instead(t *testing.T, path string, put func(path string) error) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
	if err := put(path); err != nil {
		t.Fatal(err)
	}
}

// noFiles are what may lie in the place of a file: none of them is read or waited for.
func noFiles() map[string]func(path string) error {
	return map[string]func(path string) error{
		"a pipe":             func(path string) error { return unix.Mkfifo(path, 0o666) },
		"a folder":           func(path string) error { return os.Mkdir(path, 0o777) },
		"a link to a device": func(path string) error { return os.Symlink("/dev/zero", path) },
		"a huge file": func(path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o666), os.Truncate(path, 1<<40))
		},
	}
}

// sealedStore is a complete campaign of one invocation.
func sealedStore(t *testing.T) (*Store, *Invocation) {
	t.Helper()
	s := newStore(t)
	inv := sealOne(t, s, Identity{1, 0, 0}, 2000)
	if err := errors.Join(s.AddMachine(Machine{ID: "m"}), s.Seal()); err != nil {
		t.Fatal(err)
	}
	return s, inv
}

// damagedAt makes sure that an error is of a damaged file, and names it.
func damagedAt(t *testing.T, what string, err error, path string) {
	t.Helper()
	if problemOf(err) != problemDamaged || !strings.Contains(err.Error(), path) {
		t.Errorf("%s: %v, want it to name %s as damaged", what, err, path)
	}
}

func TestFilesThatAreNone(t *testing.T) {
	testrace.Slow(t)
	for name, put := range noFiles() {
		t.Run(name, func(t *testing.T) {
			s, inv := sealedStore(t)
			want, err := s.Summary(inv)
			if err != nil {
				t.Fatal(err)
			}
			folder := s.path(invocationsDir, inv.Identity.String())
			instead(t, filepath.Join(folder, summaryFile), put)
			if got, err := s.Summary(inv); err != nil || encode(t, got) != encode(t, want) || got.Anew == "" {
				t.Errorf("the summary is not computed anew: %v", err)
			}
			if name != "a huge file" { // of samples there may be as many as they like
				instead(t, filepath.Join(folder, samplesFile), put)
				if _, err := s.Summary(inv); err == nil || !strings.Contains(err.Error(), samplesFile) {
					t.Errorf("samples: %v", err)
				}
			}
			instead(t, filepath.Join(folder, invocationFile), put)
			_, err = s.Invocations()
			damagedAt(t, "an invocation", err, invocationFile)
			instead(t, s.path(machinesDir, "m.json"), put)
			_, err = s.Machines()
			damagedAt(t, "a machine", err, "m.json")
			instead(t, s.path(sealedFile), put)
			_, err = s.readSealed()
			damagedAt(t, "SEALED", err, sealedFile)
			if sealed, changed := s.Sealed(); sealed || !strings.Contains(changed, sealedFile) {
				t.Errorf("SEALED is damaged: %t, %q", sealed, changed)
			}
			instead(t, s.path(tomlFile), put)
			_, err = s.TOML()
			damagedAt(t, "benchmarks.toml", err, tomlFile)
			instead(t, s.path(campaignFile), put)
			_, err = Open(s.Dir())
			damagedAt(t, "the campaign", err, campaignFile)
		})
	}
}

// A series costs memory when its samples come, and not because it was announced; more
// of them than anybody has are damage.
func TestAnnouncedSeries(t *testing.T) {
	testrace.Slow(t)
	s, inv := sealedStore(t)
	path := s.path(invocationsDir, inv.Identity.String(), invocationFile)
	data := read(t, path)
	for _, n := range []int{maxSeries + 1, 300_000} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `{"name":"s","thread":%d,"columns":[{"name":"c","unit":"ns","kind":"duration"}],"count":9000,"batch":1},`, i)
		}
		text := strings.Replace(string(data), `"series": [`, `"series": [`+b.String(), 1)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		list, err := s.Invocations()
		damagedAt(t, fmt.Sprint(n, " series"), err, path)
		if len(list) != 0 {
			t.Errorf("%d series were taken", n)
		}
	}
}

// TestFilesWithoutEnd: files that hold more than they can are not read, whoever asks, and reading those that may be
// long ends with the context.
func TestFilesWithoutEnd(t *testing.T) {
	testrace.Slow(t)
	for _, name := range []string{samplesFile, summaryFile, invocationFile, "../../" + campaignFile, "../../" + sealedFile, "../../" + tomlFile} {
		s, inv := sealedStore(t)
		path := s.path(invocationsDir, inv.Identity.String(), name)
		if err := os.Truncate(path, 1<<40); err != nil {
			t.Skip(err)
		}
		_, changed := s.Sealed()
		if err := verify(s); err == nil || (name != samplesFile && name != summaryFile) != strings.Contains(changed, "longer than") {
			t.Errorf("%s: %v; %q", name, err, changed)
		}
		list, _ := s.Invocations()
		for _, inv := range list {
			s.Summary(inv)                                                         // it is read anew, or refused
			err := s.Samples(inv, func(Series, int, []int64) error { return nil }) // likewise
			if name == samplesFile && (err == nil || !strings.Contains(err.Error(), "longer than")) {
				t.Errorf("samples without end: %v", err)
			}
		}
	}
	s, inv := sealedStore(t)
	if err := os.WriteFile(s.path(invocationsDir, inv.Identity.String(), "other.log"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(s.path(invocationsDir, inv.Identity.String(), "other.log"), mostBytes); err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	s.Damages(ctx) // it comes back
}

// What is too large to be read again is not written.
func TestTooLargeToWrite(t *testing.T) {
	testrace.Slow(t)
	s := newStore(t)
	s.Campaign().About = strings.Repeat("{", maxObjects+1)
	if err := s.SaveCampaign(); err == nil || !strings.Contains(err.Error(), "objects") {
		t.Errorf("objects: %v", err)
	}
	s.Campaign().About = strings.Repeat("x", maxFile)
	if err := s.SaveCampaign(); err == nil || !strings.Contains(err.Error(), "bytes") {
		t.Errorf("bytes: %v", err)
	}
	if _, err := Open(s.Dir()); err != nil {
		t.Errorf("what was there before: %v", err)
	}
}

// victimIn makes a folder outside of any campaign, with a draft's name in it.
func victimIn(t *testing.T) (dir, file string) {
	t.Helper()
	dir = t.TempDir()
	file = filepath.Join(dir, ".tmp-b0001.s00.r0", "precious")
	if err := errors.Join(os.Mkdir(filepath.Dir(file), 0o777), os.WriteFile(file, []byte("precious"), 0o666)); err != nil {
		t.Fatal(err)
	}
	return dir, file
}

// Nothing outside the campaign is removed or written, whatever its folders lead to.
func TestRecoverFollowsNoLink(t *testing.T) {
	outside, victim := victimIn(t)
	s := newStore(t)
	instead(t, s.path(invocationsDir), func(path string) error { return os.Symlink(outside, path) })
	_, err := s.Recover()
	damagedAt(t, "recovering", err, s.path(invocationsDir))
	release, err := s.Own()
	damagedAt(t, "owning", err, s.path(invocationsDir))
	if release != nil {
		t.Error("it is owned all the same")
	}

	s = newStore(t)
	instead(t, s.path(machinesDir), func(path string) error { return os.Symlink(outside, path) })
	if err := os.WriteFile(filepath.Join(outside, ".tmp-m.json"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	_, err = s.Recover()
	damagedAt(t, "recovering", err, s.path(machinesDir))
	if _, err := os.Stat(filepath.Join(outside, ".tmp-m.json")); err != nil {
		t.Error(err)
	}

	// A draft that is a link goes, and what it leads to stays.
	s = newStore(t)
	draft := s.path(invocationsDir, ".tmp-b0001.s00.r0")
	if err := os.Symlink(outside, draft); err != nil {
		t.Fatal(err)
	}
	if removed, err := s.Recover(); err != nil || len(removed) != 1 {
		t.Errorf("removed %q, %v", removed, err)
	}
	if text := read(t, victim); string(text) != "precious" {
		t.Errorf("the victim holds %q", text)
	}
}

// Files are not written through links that lie under their temporary names.
func TestWritingFollowsNoLink(t *testing.T) {
	_, victim := victimIn(t)
	s := newStore(t)
	for _, name := range []string{".tmp-campaign.json", "machines/.tmp-m.json", ".tmp-SEALED"} {
		if err := os.Symlink(victim, s.path(name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(s.SaveCampaign(), s.AddMachine(Machine{ID: "m"}), s.Seal()); err != nil {
		t.Error(err)
	}
	if text := read(t, victim); string(text) != "precious" {
		t.Errorf("the victim holds %q", text)
	}
	if sealed, changed := s.Sealed(); !sealed || changed != "" {
		t.Errorf("sealed: %t, %q", sealed, changed)
	}
}
