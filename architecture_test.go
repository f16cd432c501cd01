package moobench

import (
	"go/ast"
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
// Who reads what a user writes sees those who know the names in it: frameworks name
// wire formats and fixture modules.
//
// The files are parsed here instead of asking go list, because a cached test
// result would let a violation pass: the test reads every file, so the cache
// knows them all.
var doors = map[string][]string{
	"internal":        {},
	"refusal":         {},
	"results":         {},
	"jvm-fixtures":    {},
	"examples":        {},
	"harness":         {"results"},
	"harness/plan":    {"results", "harness/config", "harness/framework", "harness/strict"},
	"harness/run":     {"results", "harness/plan", "harness/machine", "harness/framework", "harness/jvm", "harness/receiver", "harness/fixture", "harness/proc"},
	"harness/machine": {"results", "harness/proc"},

	"harness/machine/internal": {"harness/proc"},
	"harness/machine/cpu":      {"harness/machine/internal"},
	"harness/machine/facts":    {"results", "harness/machine/internal", "harness/machine/cpu"},
	"harness/machine/knob":     {"results", "harness/machine/internal", "harness/machine/cpu", "harness/proc"},
	"harness/machine/watch":    {"results", "harness/machine/internal", "harness/machine/cpu", "harness/machine/facts", "harness/proc"},

	"harness/framework": {"results", "harness/strict", "harness/maven", "harness/receiver", "harness/fixture"},
	"harness/maven":     {"results", "harness/proc"},
	"harness/jvm":       {"results", "harness/machine/cpu", "harness/machine/knob", "harness/peer", "harness/proc"},
	"harness/peer":      {"harness/proc"},
	"harness/proc":      {},
	"harness/load":      {"results", "harness/proc"},
	"harness/fixture":   {"results", "harness/maven", "jvm-fixtures"},
	"harness/receiver":  {"results", "harness/peer", "harness/proc"},
	"harness/config":    {"results", "harness/pattern", "harness/strict", "harness/peer"},
	"harness/pattern":   {"results/names"},
	"harness/strict":    {},
	"scenarios":         {"results", "harness"},
	"analysis":          {"results"},

	"analysis/evidence": {"results", "analysis/derive", "analysis/steady", "analysis/stats", "analysis/internal"},
	"analysis/proof":    {"results", "analysis/evidence", "analysis/figure", "analysis/stats"},
	"analysis/prose":    {"results", "analysis/infer", "analysis/figure", "analysis/stats"},

	"cmd": {"results", "harness", "scenarios", "analysis", "jvm-fixtures", "examples"},

	"cmd/internal/outcome":  {"analysis"},
	"cmd/internal/console":  {"results", "analysis", "harness/framework", "harness/strict"},
	"cmd/internal/progress": {"results", "analysis/figure", "harness/plan", "harness/run", "cmd/internal/console"},
	"cmd/internal/swap":     {"analysis/figure", "harness/jvm", "harness/pattern", "cmd/internal/console"},
	"cmd/internal/nightly":  {"results", "harness", "scenarios", "analysis", "cmd/internal/console", "cmd/internal/outcome", "cmd/internal/session"},
}

// known are rooms that every other one may import; those below internal are known to
// tests alone.
var known = []string{"refusal", "internal"}

// kits are the rooms below scenarios that several scenarios share.
var kits = []string{"scenarios/calling", "scenarios/changes", "scenarios/programs", "scenarios/serving"}

// topLevel is the house: nothing else stands beside it.
var topLevel = []string{
	".ci", ".git", ".gitignore", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md", "SECURITY.md",
	"analysis", "architecture_test.go", "benchmarks.toml", "bin", "cmd", "docs", "examples", "go.mod", "go.sum", "harness",
	"internal", "jvm-fixtures", "refusal", "results", "scenarios", "tools",
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
			forTests := strings.HasSuffix(file, "_test.go") || strings.HasPrefix(file, "internal/") || isSupport(file)
			if strings.HasPrefix(imported, "internal/") && !forTests {
				t.Errorf("%s imports moobench/%s, which is for tests", file, imported)
			}
		}
	}
}

// TestScenariosStandAlone: no scenario imports another one.
func TestScenariosStandAlone(t *testing.T) {
	for file, imports := range moobenchImports(t) {
		for _, imported := range imports {
			shared := slices.Contains(kits, imported) || isSupport(imported)
			if path.Dir(path.Dir(file)) == "scenarios" && strings.HasPrefix(imported, "scenarios/") && !shared {
				t.Errorf("%s imports moobench/%s: what scenarios share is in a kit", file, imported)
			}
		}
	}
}

// rests are the chapters that rest on another one.
var rests = map[string]string{"sizing": "modes", "locks": "threads"}

// TestChaptersStandAlone: no chapter imports another one, but for those that rest on one.
func TestChaptersStandAlone(t *testing.T) {
	chapter := func(room string) string {
		below, _ := strings.CutPrefix(room, "analysis/chapter/")
		name, _, _ := strings.Cut(below, "/")
		return name
	}
	for file, imports := range moobenchImports(t) {
		if !strings.HasPrefix(file, "analysis/chapter/") || strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, imported := range imports {
			own, other := chapter(path.Dir(file)), chapter(imported)
			if strings.HasPrefix(imported, "analysis/chapter/") && other != own && rests[own] != other {
				t.Errorf("%s imports moobench/%s: a chapter knows no other one", file, imported)
			}
		}
	}
}

// TestCommandSeesOneHalf: what needs both halves has a room of its own below the command,
// where it needs no process to be tested. Tests of the command as a whole see both.
func TestCommandSeesOneHalf(t *testing.T) {
	for file, imports := range moobenchImports(t) {
		if path.Dir(file) != "cmd/moobench" || strings.HasSuffix(file, "_test.go") {
			continue
		}
		below := func(half string) bool {
			return slices.ContainsFunc(imports, func(imported string) bool { return imported == half || strings.HasPrefix(imported, half+"/") })
		}
		if below("harness") && below("analysis") {
			t.Errorf("%s imports harness and analysis: what needs both is not the command's", file)
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

// isSupport says whether a package or a file is for tests: below internal/, with a name that begins with test.
func isSupport(name string) bool { return strings.Contains("/"+name, "/internal/test") }

// Support of tests is imported by tests only.
func TestTestSupport(t *testing.T) {
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
		{"harness/framework", "harness/receiver", true},
		{"harness/receiver", "harness/framework", false},
		{"harness/framework", "jvm-fixtures", false},
		{"harness/config", "harness/framework", false},
		{"analysis", "harness/strict", false},
		{"scenarios/overhead", "harness/run", true},
		{"scenarios/overhead", "analysis", false},
		{"cmd/moobench", "analysis/report", true},
		{"cmd/internal/session", "harness/run", true},
		{"cmd/internal/outcome", "harness/run", false},
		{"cmd/internal/console", "cmd/internal/session", false},
		{"harness/machine", "harness/machine/knob", true},
		{"harness/machine/knob", "harness/machine", false},
		{"harness/proc", "refusal", true},
		{"refusal", "results", false},
	} {
		if got := mayImport(c.room, c.imported); got != c.want {
			t.Errorf("mayImport(%s, %s) = %v, want %v", c.room, c.imported, got, c.want)
		}
	}
}

// TestAdviceIsTyped: what to do about an error is kept beside it, and becomes a
// line of its own where errors are printed, so that nobody has to cut it off again.
func TestAdviceIsTyped(t *testing.T) {
	const printed = "cmd/internal/console/complain.go"
	files, constants := syntax(t, parser.SkipObjectResolution), map[string]map[string]ast.Expr{}
	for file, f := range files {
		room := path.Dir(file)
		if constants[room] == nil {
			constants[room] = map[string]ast.Expr{}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == len(spec.Names) {
				for i, name := range spec.Names {
					constants[room][name.Name] = spec.Values[i]
				}
			}
			return true
		})
	}
	for file, f := range files {
		if file == printed || strings.HasSuffix(file, "_test.go") {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				if text := folded(e, constants[path.Dir(file)], 0); strings.Contains(text, "\n") && strings.Contains(text, "hint:") {
					t.Errorf("%s: %q says what to do in a text: make it a refusal", file, text)
				}
			}
			return true
		})
	}
}

// folded is the text of a string constant, or what is constant of a sum. Names are
// looked up among those that the package gives a value where it declares them; depth is
// how many were on the way here.
func folded(e ast.Expr, constants map[string]ast.Expr, depth int) string {
	const deepest = 10 // a name may stand for itself in an inner block
	switch e := e.(type) {
	case *ast.Ident:
		if value := constants[e.Name]; value != nil && depth < deepest {
			return folded(value, constants, depth+1)
		}
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return text
		}
	case *ast.ParenExpr:
		return folded(e.X, constants, depth)
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return folded(e.X, constants, depth) + folded(e.Y, constants, depth)
		}
	}
	return ""
}

func mayImport(room, imported string) bool {
	key := nearestRoom(room)
	if key == "" {
		return false
	}
	for _, open := range slices.Concat([]string{key}, doors[key], known) {
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
	for p, f := range syntax(t, parser.ImportsOnly) {
		files[p] = []string{}
		for _, spec := range f.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if rest, ok := strings.CutPrefix(name, "moobench/"); ok {
				files[p] = append(files[p], rest)
			}
		}
	}
	return files
}

// syntax parses all Go files of the rooms, by path.
func syntax(t *testing.T, mode parser.Mode) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
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
		files[p], err = parser.ParseFile(token.NewFileSet(), p, nil, mode)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
