package fleet

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moobench/results"
)

// file writes a text into a file of a new folder.
func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// bundled is a bundle with a plan, two artifacts and a fixture.
func bundled(t *testing.T) (b *Bundle, path string) {
	t.Helper()
	b = &Bundle{JDK: "21.0.1"}
	from := map[string]string{PlanName: file(t, "p", "plan"), FixturesDir + "/a/b.jar": file(t, "f", "fixture")}
	for _, x := range [][2]string{{"g:b:1", "second"}, {"g:a:1", "first"}, {"g:b:1", "not again"}} {
		if err := b.Bring(x[0], file(t, "agent.jar", x[1]), from); err != nil {
			t.Fatal(err)
		}
	}
	path = filepath.Join(t.TempDir(), "bundle.tar")
	if err := b.Write(t.Context(), path, from); err != nil {
		t.Fatal(err)
	}
	return b, path
}

// TestBundle: what is brought along is unpacked, once, and again if something in the folder is changed.
func TestBundle(t *testing.T) {
	made, path := bundled(t)
	if !IsBundle(path) || IsBundle(file(t, "x", "bundle.json")) || IsBundle(file(t, "x", "bundle.jsonx")) ||
		IsBundle("none") {
		t.Error("a bundle is not told from other files")
	}
	if len(made.Artifacts) != 2 || made.Artifacts[0].Key != "g:a:1" || made.Format != results.Format ||
		len(made.Files) != 4 {
		t.Errorf("%+v", made)
	}
	in := t.TempDir()
	var dirs []string
	for range 3 {
		b, dir, err := Unbundle(t.Context(), path, in)
		if err != nil {
			t.Fatal(err)
		}
		for key, want := range map[string]string{"g:a:1": "first", "g:b:1": "second"} {
			if got := content(t, b.Path(dir, key)); got != want {
				t.Errorf("%s is %q", key, got)
			}
		}
		if b.JDK != "21.0.1" || b.Path(dir, "g:c:1") != "" {
			t.Errorf("%+v", b)
		}
		plan, jar := content(t, filepath.Join(dir, PlanName)), content(t, filepath.Join(dir, FixturesDir, "a", "b.jar"))
		if plan != "plan" || jar != "fixture" {
			t.Errorf("%q, %q", plan, jar)
		}
		dirs = append(dirs, dir)
		// The second time the folder is taken as it is, and the third time made anew.
		_, err = os.Stat(filepath.Join(dir, "beside"))
		if again := err == nil; again != (len(dirs) == 2) {
			t.Errorf("time %d: the folder is taken again: %v", len(dirs), again)
		}
		if err := os.WriteFile(filepath.Join(dir, "beside"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if len(dirs) == 2 {
			if err := os.WriteFile(b.Path(dir, "g:a:1"), []byte("else"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if dirs[0] != dirs[1] || dirs[1] != dirs[2] || filepath.Dir(dirs[0]) != in {
		t.Errorf("folders %q", dirs)
	}
	without := *made
	without.Files = nil
	if got := without.Path("x", "g:a:1"); got != "" {
		t.Errorf("an artifact without a file is at %s", got)
	}
}

// TestHostileBundles: a bundle whose files are not those that it lists is refused, and nothing is left of it.
func TestHostileBundles(t *testing.T) {
	_, path := bundled(t)
	all := entries(t, path)
	for _, c := range []struct {
		name   string
		change func(all []entry) []entry
		want   string
	}{
		{"a file is changed", func(all []entry) []entry {
			all[1].data = []byte(strings.ToUpper(string(all[1].data)))
			return all
		}, "not as it was"},
		{"a file is missing", func(all []entry) []entry { return all[:len(all)-1] }, "not as it was"},
		{"no list", func(all []entry) []entry { return all[1:] }, ""},
		{"a broken list", func(all []entry) []entry {
			all[0].data = []byte("{")
			all[0].Size = 1
			return all
		}, "bundle.json: unexpected end of JSON input"},
		{"of the future", func(all []entry) []entry {
			all[0].data = []byte(`{"format": 1000}`)
			all[0].Size = int64(len(all[0].data))
			return all
		}, "it has format 1000, this moobench reads formats up to"},
	} {
		in, changed := t.TempDir(), filepath.Join(t.TempDir(), "changed.tar")
		copied := make([]entry, len(all))
		for i, e := range all {
			copied[i] = entry{e.Header, append([]byte(nil), e.data...)}
		}
		tarOf(t, changed, c.change(copied))
		if _, _, err := Unbundle(t.Context(), changed, in); err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), "unpacking "+changed) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if left, _ := os.ReadDir(in); len(left) > 0 {
			t.Errorf("%s: %v is left", c.name, left)
		}
	}
}

// TestNamesInABundle: nothing is unpacked beside what a bundle has.
func TestNamesInABundle(t *testing.T) {
	sum := strings.Repeat("a", 64)
	for name, want := range map[string]bool{
		"bundle.json": true, "plan.json": true, "other.json": false, "artifacts/" + sum + "/a.jar": true,
		"artifacts/" + sum:              false,
		"artifacts/" + sum + "/a/b.jar": false, "artifacts/x/a.jar": false, "fixtures/a": true, "fixtures/a/b/c": true,
		"else/a":       false,
		"../plan.json": false, "/plan.json": false, "fixtures/../plan.json": false, "fixtures": false,
	} {
		if got := bundles.fits(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestCopyFile: a file is copied to a name that is free.
func TestCopyFile(t *testing.T) {
	from, to := file(t, "a", "text"), filepath.Join(t.TempDir(), "b")
	if err := copyFile(from, to); err != nil || content(t, to) != "text" {
		t.Errorf("%v", err)
	}
	if err := copyFile(from, to); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a file: %v", err)
	}
	if err := copyFile(from+"x", to); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of no file: %v", err)
	}
	deep := filepath.Join(t.TempDir(), "c", "d")
	if err := linkFile(from, deep); err != nil || content(t, deep) != "text" {
		t.Errorf("into a new folder: %v", err)
	}
}
