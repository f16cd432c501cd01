package safefile

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// A digest is of the whole file, even if it is as long as it may be, and of nothing but it.
func TestDigestIsOfAll(t *testing.T) {
	for text, most := range map[string]int64{"": 0, "four": 4, "five!": 100} {
		name := write(t, filepath.Join(t.TempDir(), "f"), text)
		if got, err := Digest(t.Context(), name, most, Open); err != nil ||
			got != fmt.Sprintf("%x", sha256.Sum256([]byte(text))) {
			t.Errorf("%q: %s, %v", text, got, err)
		}
	}
	name := write(t, filepath.Join(t.TempDir(), "f"), "four")
	if sum, err := Digest(t.Context(), name, 3, Open); err == nil || sum != "" {
		t.Errorf("a byte too long: %q, %v", sum, err)
	}
}

// Forty links may lead to a folder, as for the kernel.
func TestLinksToAFolder(t *testing.T) {
	dir := private(t)
	to := filepath.Join(dir, "end")
	if err := os.Mkdir(to, 0o700); err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 41; n++ {
		link := filepath.Join(dir, fmt.Sprint(n))
		if err := os.Symlink(filepath.Base(to), link); err != nil {
			t.Fatal(err)
		}
		to = link
		switch err := CheckFolder(link); {
		case n <= 40 && err != nil:
			t.Errorf("%d links: %v", n, err)
		case n > 40:
			refused(t, err, "too many links")
		}
	}
}

// A file that was closed is not held, and has no name.
func TestClosedFile(t *testing.T) {
	name := write(t, filepath.Join(t.TempDir(), "f"), "")
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	if !HasName(f) {
		t.Error("an open file has no name")
	}
	f.Close()
	if held, err := hold(f); held || err == nil {
		t.Errorf("held: %v, %v", held, err)
	}
	if HasName(f) {
		t.Error("a closed file has a name")
	}
}

// What an earlier process of this number left beside a file is in nobody's way, and stays.
func TestLeftBeside(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	old := write(t, fmt.Sprintf("%s.tmp-%d", name, os.Getpid()), "old")
	err := Renew(name, 0, func(w io.Writer) error {
		_, err := io.WriteString(w, "new")
		return err
	})
	for path, want := range map[string]string{name: "new", old: "old"} {
		if text, readErr := os.ReadFile(path); err != nil || readErr != nil || string(text) != want {
			t.Errorf("%s: %q, %v, %v", path, text, err, readErr)
		}
	}
	if left, _ := filepath.Glob(name + "*"); len(left) != 2 {
		t.Errorf("there are %q", left)
	}
}
