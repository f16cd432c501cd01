package results

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// jarOf writes a file, and returns its path.
func jarOf(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// helloDigest is what sha256sum says of "hello\n".
const helloDigest = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"

func TestKeep(t *testing.T) {
	k := OpenKept(filepath.Join(t.TempDir(), "results", "artifacts"))
	if all, err := k.All(); len(all) != 0 || err != nil {
		t.Errorf("a folder that is not there: %v, %v", all, err)
	}
	path := jarOf(t, "agent.jar", "hello\n")
	for range 2 {
		if a, err := k.Keep(path); err != nil || a != (Artifact{"agent.jar", helloDigest}) {
			t.Fatalf("kept %+v, %v", a, err)
		}
	}
	if a, err := k.Keep(jarOf(t, "other.jar", "hello\n")); err != nil || a.Name != "other.jar" || a.SHA256 != helloDigest {
		t.Errorf("the same under another name: %+v, %v", a, err)
	}
	if _, err := k.Keep(jarOf(t, "empty.jar", "")); err != nil {
		t.Error(err)
	}
	os.Remove(path)
	got, err := k.Path(helloDigest)
	if want := filepath.Join(k.dir, helloDigest, "agent.jar"); got != want || err != nil {
		t.Errorf("it is at %s, %v, want %s", got, err, want)
	}
	if text, err := os.ReadFile(got); string(text) != "hello\n" || err != nil {
		t.Errorf("it holds %q, %v", text, err)
	}
	all, err := k.All()
	if err != nil || len(all) != 2 || !slices.Contains(all, Artifact{"agent.jar", helloDigest}) {
		t.Errorf("all: %v, %v", all, err)
	}
	if err := errors.Join(k.Remove(helloDigest), k.Remove(helloDigest)); err != nil {
		t.Error(err)
	}
	if _, err := k.Path(helloDigest); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after its removal: %v", err)
	}
}

func TestKeptIsVerified(t *testing.T) {
	k := OpenKept(t.TempDir())
	path := jarOf(t, "agent.jar", "hello\n")
	if _, err := k.Keep(path); err != nil {
		t.Fatal(err)
	}
	copied, err := k.Path(helloDigest)
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func() error{
		"changed":      func() error { return os.WriteFile(copied, []byte("hallo\n"), 0o666) },
		"cut off":      func() error { return os.Truncate(copied, 3) },
		"another file": func() error { return os.WriteFile(filepath.Join(filepath.Dir(copied), "b.jar"), nil, 0o666) },
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		if _, err := k.Path(helloDigest); problemOf(err) != problemDamaged {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := k.Keep(path); err != nil {
			t.Errorf("%s: keeping it again: %v", name, err)
		}
		if _, err := k.Path(helloDigest); err != nil {
			t.Errorf("%s: kept again, and yet: %v", name, err)
		}
	}
}

// TestKeptTakesNoPaths: what a line of a history says is not a path.
func TestKeptTakesNoPaths(t *testing.T) {
	dir := t.TempDir()
	k := OpenKept(filepath.Join(dir, "kept"))
	secret := filepath.Join(dir, "secret", "file")
	if err := errors.Join(os.MkdirAll(k.dir, 0o777), os.MkdirAll(filepath.Dir(secret), 0o777), os.WriteFile(secret, nil, 0o666)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", ".", "..", "../secret", filepath.Join(dir, "secret"), strings.ToUpper(helloDigest), helloDigest + "/..", helloDigest[1:]} {
		if path, err := k.Path(name); err == nil {
			t.Errorf("%q is at %s", name, path)
		}
		if err := k.Remove(name); err == nil {
			t.Errorf("%q was removed", name)
		}
	}
	if _, err := os.Stat(secret); err != nil {
		t.Error(err)
	}
}

func TestKeepFailsAtEachStep(t *testing.T) {
	path := jarOf(t, "agent.jar", "hello\n")
	names := stepsOf(t, func(step steps) {
		k := &Kept{dir: filepath.Join(t.TempDir(), "a"), step: step}
		if _, err := k.Keep(path); err != nil {
			t.Fatal(err)
		}
	})
	if len(names) < 6 {
		t.Fatalf("only %d steps: %v", len(names), names)
	}
	for i, name := range names {
		t.Run(fmt.Sprint(i, " ", name), func(t *testing.T) {
			n := 0
			k := &Kept{dir: filepath.Join(t.TempDir(), "a"), step: func(string) error {
				if n++; n == i+1 {
					return syscall.ENOSPC
				}
				return nil
			}}
			_, err := k.Keep(path)
			if problemOf(err) != problemDisk || !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: %v", problemOf(err), err)
			}
			if _, err := k.Path(helloDigest); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("half a file is there: %v", err)
			}
			if entries, err := os.ReadDir(k.dir); err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), tmpPrefix) }) {
				t.Errorf("left over: %v", entries)
			}
			if _, err := k.Keep(path); err != nil {
				t.Errorf("once there is room: %v", err)
			}
		})
	}
}

func TestKeptRecovers(t *testing.T) {
	k := OpenKept(t.TempDir())
	if _, err := k.Keep(jarOf(t, "agent.jar", "hello\n")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".tmp-12345", ".tmp-mine", "notes"} {
		if err := os.MkdirAll(filepath.Join(k.dir, name, "x"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := k.Recover(); err != nil {
		t.Fatal(err)
	}
	var left []string
	entries, err := os.ReadDir(k.dir)
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if want := []string{".tmp-mine", helloDigest, "notes"}; err != nil || !slices.Equal(left, want) {
		t.Errorf("left %v, %v, want %v", left, err, want)
	}
	if err := OpenKept(filepath.Join(k.dir, "nowhere")).Recover(); err != nil {
		t.Error(err)
	}
}
