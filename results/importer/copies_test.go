package importer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moobench/results"
)

// A file with the content of another, or named twice, is refused by name, in every format that
// makes its campaign with a Builder; what can't be read is for the format to say.
func TestCopiesAreRefused(t *testing.T) {
	dir := t.TempDir()
	path := func(name, text string) File {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return File{Path: p}
	}
	a, copied, b, empty, void := path("a", "one"), path("copy", "one"), path("b", "two"), path("empty", ""), path("void", "")
	gone, folder := File{Path: filepath.Join(dir, "gone")}, File{Path: dir}
	for name, c := range map[string]struct {
		files []File
		want  string
	}{
		"unlike":      {[]File{a, b, empty, void, gone, gone, folder, folder}, ""},
		"a copy":      {[]File{a, b, copied}, "copy: it has the same content as " + a.Path + " (SHA-256 7692c3ad…): a copy is no other run"},
		"named twice": {[]File{a, b, a}, "a: it is named twice"},
	} {
		builder := NewBuilder(Request{Dir: filepath.Join(dir, "campaign "+name), Files: c.files}, "tool", "", results.Scenario{Label: "x"})
		filled := false
		_, err := builder.Make(func() error {
			filled = true
			return nil
		})
		switch {
		case c.want == "" && (err != nil || !filled):
			t.Errorf("%s: error %v", name, err)
		case c.want != "" && (err == nil || filled || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}
