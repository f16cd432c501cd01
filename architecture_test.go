package moobench

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// doors says which rooms a room may import. The longest matching prefix
// counts; a room is its own door to the packages below it.
//
// The files are parsed here instead of asking go list, because a cached test
// result would let a violation pass: the test reads every file, so the cache
// knows them all.
var doors = map[string][]string{
	"results":           {},
	"jvm-fixtures":      {},
	"examples":          {},
	"harness":           {"results"},
	"harness/plan":      {"results", "harness/config", "harness/framework", "harness/suggest"},
	"harness/run":       {"results", "harness/plan", "harness/machine", "harness/framework", "harness/jvm", "harness/receiver", "harness/fixture"},
	"harness/machine":   {"results"},
	"harness/framework": {"results", "harness/suggest", "harness/maven"},
	"harness/maven":     {"results"},
	"harness/jvm":       {"results", "harness/peer", "harness/proc"},
	"harness/peer":      {"harness/proc"},
	"harness/proc":      {},
	"harness/load":      {"results"},
	"harness/fixture":   {"results", "harness/maven"},
	"harness/receiver":  {"results", "harness/peer"},
	"harness/config":    {"results", "harness/suggest"},
	"harness/suggest":   {},
	"scenarios":         {"results", "harness"},
	"analysis":          {"results"},
	"cmd":               {"results", "harness", "scenarios", "analysis", "jvm-fixtures", "examples"},
}

// topLevel is the house: nothing else stands beside it.
var topLevel = []string{
	".ci", ".git", ".gitignore", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md", "SECURITY.md",
	"analysis", "architecture_test.go", "benchmarks.toml", "bin", "cmd", "examples", "go.mod", "go.sum", "harness",
	"jvm-fixtures", "results", "scenarios", "tools",
}

// unwelcome are package names that know nothing in particular.
var unwelcome = []string{"util", "utils", "common", "helpers", "helper", "misc", "shared", "base", "manager"}

func TestDoors(t *testing.T) {
	for file, imports := range moobenchImports(t) {
		room := path.Dir(file)
		for _, imported := range imports {
			if !mayImport(room, imported) {
				t.Errorf("%s imports moobench/%s: no door leads there from %s", file, imported, room)
			}
		}
	}
}

func TestPackagesKnowSomething(t *testing.T) {
	for file := range moobenchImports(t) {
		if name := path.Base(path.Dir(file)); slices.Contains(unwelcome, name) {
			t.Errorf("%s: a package named %q knows nothing; name it for what it knows", file, name)
		}
	}
}

// Packages below internal/ whose names begin with test are imported by tests only.
func TestTestSupport(t *testing.T) {
	isSupport := func(name string) bool { return strings.Contains("/"+name, "/internal/test") }
	for file, imports := range moobenchImports(t) {
		if strings.HasSuffix(file, "_test.go") || isSupport(file) {
			continue
		}
		for _, imported := range imports {
			if isSupport(imported) {
				t.Errorf("%s imports moobench/%s, which is for tests", file, imported)
			}
		}
	}
}

func TestTopLevel(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.Contains(topLevel, e.Name()) {
			t.Errorf("%s stands at the top level, and is no room of the house", e.Name())
		}
	}
}

func TestMayImport(t *testing.T) {
	for _, c := range []struct {
		room, imported string
		want           bool
	}{
		{"analysis", "results", true},
		{"analysis", "harness/run", false},
		{"results", "analysis", false},
		{"results", "results/summary", true},
		{"harness/jvm", "harness/plan", false},
		{"harness/run", "harness/jvm", true},
		{"harness/run", "harness/config", false},
		{"scenarios/overhead", "harness/run", true},
		{"scenarios/overhead", "analysis", false},
		{"cmd/moobench", "analysis/report", true},
	} {
		if got := mayImport(c.room, c.imported); got != c.want {
			t.Errorf("mayImport(%s, %s) = %v, want %v", c.room, c.imported, got, c.want)
		}
	}
}

func mayImport(room, imported string) bool {
	key := nearestRoom(room)
	if key == "" {
		return false
	}
	for _, open := range append([]string{key}, doors[key]...) {
		if imported == open || strings.HasPrefix(imported, open+"/") {
			return true
		}
	}
	return false
}

func nearestRoom(room string) string {
	for key := room; key != "."; key = path.Dir(key) {
		if _, ok := doors[key]; ok {
			return key
		}
	}
	return ""
}

// moobenchImports maps each Go file to the moobench packages it imports.
func moobenchImports(t *testing.T) map[string][]string {
	t.Helper()
	files := map[string][]string{}
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "target" || d.Name() == "testdata" || p == "tools" || p == ".git" || p == "results/runs") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(p, ".go") || !strings.Contains(p, "/") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		files[p] = []string{}
		for _, spec := range f.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if rest, ok := strings.CutPrefix(name, "moobench/"); ok {
				files[p] = append(files[p], rest)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
