package safefile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moobench/refusal"
)

func TestCacheFolder(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, c := range []struct{ xdg, home, want string }{
		{"/x", "/h", "/x/moobench"},
		{"", "/h", "/h/.cache/moobench"},
		{"x", "/h", ""},
		{"", "h", ""},
	} {
		t.Setenv("XDG_CACHE_HOME", c.xdg)
		t.Setenv("HOME", c.home)
		got, err := CacheFolder()
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%+v: %q, %v", c, got, err)
		}
		if err != nil && !strings.HasPrefix(refusal.Do(err), "set HOME or XDG_CACHE_HOME") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestStateFolder(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, c := range []struct{ xdg, home, want string }{
		{"/x", "/h", "/x/moobench"},
		{"", "/h", "/h/.local/state/moobench"},
		{"x", "/h", ""},
		{"", "h", ""},
	} {
		t.Setenv("XDG_STATE_HOME", c.xdg)
		t.Setenv("HOME", c.home)
		got, err := StateFolder()
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%+v: %q, %v", c, got, err)
		}
		if err != nil && !strings.HasPrefix(refusal.Do(err), "set HOME or XDG_STATE_HOME") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// Without HOME it is the home that the system has for this user, or none; never a folder that
// all may write to.
func TestCacheFolderWithoutHome(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	t.Setenv("TMPDIR", t.TempDir())
	got, err := CacheFolder()
	if err != nil {
		if !strings.HasPrefix(refusal.Do(err), "set HOME or XDG_CACHE_HOME") {
			t.Error(err)
		}
		return
	}
	if home, err := Home(); err != nil || got != filepath.Join(home, ".cache", "moobench") || strings.HasPrefix(got, os.TempDir()) {
		t.Errorf("%s, with the home %s, %v", got, home, err)
	}
}

func TestCheckCache(t *testing.T) {
	dir := private(t)
	name := filepath.Join(dir, "a", "b")
	if err := CheckCache(name); err != nil {
		t.Error("before it is there:", err)
	}
	if err := MakeCache(name); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "a"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{name, filepath.Join(dir, "a", "new", "one")} {
		for _, err := range []error{CheckCache(name), MakeCache(name)} {
			refused(t, err, "everybody")
			if err != nil && refusal.Do(err) == "" {
				t.Error(err)
			}
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, "a", "new")); err == nil {
		t.Error("something was made where others may write")
	}
}
