// Package promises_test keeps the promises of CONTRIBUTING.md: for each row of its
// table, something to throw away is added to moobench in the promised place alone, and
// used by the command.
//
// testdata has a script for each row. Of its files, "new PATH" is added to the
// sources, and "line PATH" puts one line into a file of them, before or after another
// line, with the import that it needs. All of them are built together, as an overlay:
// the sources stay as they are.
package promises_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"

	"moobench/internal/testmachine"
)

// place is where something is added.
type place struct {
	folder string // that gets one new file, or is new itself
	table  string // the file that gets one line; "" is none
	says   string // what the row says of it
}

// promised are the rows of the table.
var promised = map[string]place{
	"framework":              {"harness/framework/catalogue", "", "a folder `harness/framework/catalogue/<name>/`: `entry.toml`"},
	"scenario":               {"scenarios/throwaway", "scenarios/scenarios.go", "`scenarios/<name>/` and one line in `scenarios/scenarios.go`"},
	"fixture":                {"jvm-fixtures/throwaway", "jvm-fixtures/pom.xml", "a module in `jvm-fixtures/` on top of `kernel`, and a line in its `pom.xml`"},
	"metric":                 {"", "scenarios/command/command.go", "one entry among the metrics of the scenario's `Schema()`"},
	"statistic":              {"analysis/stats", "", "one file in `analysis/stats/`"},
	"chapter":                {"analysis/chapter/throwaway", "analysis/chapters.go", "a folder `analysis/chapter/<name>/` and a line in `analysis/chapters.go`"},
	"kind of test":           {"analysis/infer", "analysis/infer/kinds.go", "one file in `analysis/infer/` and a line in its table (`Kinds` in `kinds.go`)"},
	"knob of the machine":    {"", "harness/machine/knob/table.go", "an entry in `harness/machine/knob/table.go`"},
	"wire format":            {"harness/receiver", "harness/receiver/receiver.go", "one file in `harness/receiver/` and a line in its table (`Formats` in `receiver.go`)"},
	"key of benchmarks.toml": {"", "harness/config/config.go", "a line in the table of its section in `harness/config/`"},
	"paper":                  {"results/published/throwaway", "", "a folder in `results/published/`, no code"},
	"file of another tool":   {"results/importer/throwaway", "cmd/moobench/import.go", "a package in `results/importer/`, and a line in the table of `cmd/moobench/import.go`"},
	"output format":          {"analysis/report", "analysis/report/report.go", "one file in `analysis/report/` and a line in its table (`table` in `report.go`)"},
}

// root is the folder of the module.
const root = "../.."

func TestPromises(t *testing.T) {
	bin := t.TempDir()
	replaced := map[string]string{"cmd/moobench/main.go": "testdata/main.go"}
	for row := range promised {
		for file, text := range added(t, row) {
			if replaced[file] != "" {
				t.Fatalf("%s is in another promise, too", file)
			}
			replaced[file] = filepath.Join(bin, fmt.Sprintf("%d-%s", len(replaced), path.Base(file)))
			write(t, replaced[file], text)
		}
	}
	build(t, bin, replaced)
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", filepath.Join(env.WorkDir, "jdk", "bin")+string(filepath.ListSeparator)+bin+string(filepath.ListSeparator)+env.Getenv("PATH"))
			env.Setenv("JAVA_HOME", filepath.Join(env.WorkDir, "jdk"))
			env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, ".cache"))
			env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, ".state"))
			env.Setenv("MOOBENCH_LOCK", filepath.Join(env.WorkDir, "lock"))
			env.Setenv("MOOBENCH_JOURNAL", filepath.Join(env.WorkDir, "journal"))
			env.Setenv("NO_COLOR", "1")
			return unusable(filepath.Join(env.WorkDir, "jdk"))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"machine": func(ts *testscript.TestScript, neg bool, args []string) {
			if neg || len(args) != 1 {
				ts.Fatalf("usage: machine NAME")
			}
			ts.Check(testmachine.Save(args[0], ts.MkAbs("machine"), ts.MkAbs("rules")))
			ts.Setenv("MOOBENCH_TEST_TREE", ts.MkAbs("machine"))
			ts.Setenv("MOOBENCH_TEST_RULES", ts.MkAbs("rules"))
		}},
	})
}

// unusable is a JDK, and a Maven beside it, that are there and start nothing.
func unusable(jdk string) error {
	bin := filepath.Join(jdk, "bin")
	return errors.Join(
		os.MkdirAll(bin, 0o777),
		os.WriteFile(filepath.Join(jdk, "release"), []byte("JAVA_RUNTIME_VERSION=\"17.0.99+1-unusable\"\n"), 0o666),
		os.WriteFile(filepath.Join(bin, "java"), []byte("#!/bin/sh\nexit 1\n"), 0o777),
		os.WriteFile(filepath.Join(bin, "mvn"), []byte("#!/bin/sh\n"), 0o777),
	)
}

// script is that of a row.
func script(t *testing.T, row string) *txtar.Archive {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("testdata", strings.ReplaceAll(row, " ", "-")+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// added are the files that a row adds or changes, by their paths, and what is in them
// then. No other place than the promised one is touched.
func added(t *testing.T, row string) map[string]string {
	t.Helper()
	p, files, lines := promised[row], map[string]string{}, 0
	for _, f := range script(t, row).Files {
		if name, ok := strings.CutPrefix(f.Name, "new "); ok {
			if _, err := os.Stat(filepath.Join(root, name)); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: %s is there already: %v", row, name, err)
			}
			if p.folder == "" || !strings.HasPrefix(name, p.folder+"/") {
				t.Errorf("%s: %s is added, which is not in %q", row, name, p.folder)
			}
			files[name] = string(f.Data)
		}
		if name, ok := strings.CutPrefix(f.Name, "line "); ok {
			if name != p.table {
				t.Errorf("%s: %s gets a line, and not %q", row, name, p.table)
			}
			files[name] = withLine(t, name, string(f.Data))
			lines++
		}
	}
	_, err := os.Stat(filepath.Join(root, p.folder))
	if known := err == nil && p.folder != ""; known && len(files)-lines != 1 {
		t.Errorf("%s: %d files are added to %s, and one was promised", row, len(files)-lines, p.folder)
	}
	if (lines == 1) != (p.table != "") {
		t.Errorf("%s: %d tables get a line, of %q", row, lines, p.table)
	}
	return files
}

// withLine is a file of the sources with a line more, and the import that it needs.
func withLine(t *testing.T, name, addition string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	lines, put := strings.Split(string(text), "\n"), 0
	all := strings.Split(strings.TrimSuffix(addition, "\n"), "\n")
	for i := 0; i+1 < len(all); i += 2 {
		where, anchor, _ := strings.Cut(all[i], " ")
		at := slices.IndexFunc(lines, func(l string) bool { return strings.TrimSpace(l) == anchor })
		if at < 0 || where != "before" && where != "after" {
			t.Fatalf("%s has no line %q to put another %s", name, anchor, where)
		}
		if where == "after" {
			at++
		}
		lines = slices.Insert(lines, at, all[i+1])
		if !strings.HasPrefix(strings.TrimSpace(all[i+1]), `"moobench/`) {
			put++
		}
	}
	if put != 1 {
		t.Errorf("%s gets %d lines, and one was promised", name, put)
	}
	return strings.Join(lines, "\n")
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// build builds moobench into a folder, with files replaced by others.
func build(t *testing.T, bin string, replaced map[string]string) {
	t.Helper()
	var overlay struct{ Replace map[string]string }
	overlay.Replace = map[string]string{}
	for file, by := range replaced {
		overlay.Replace[abs(t, filepath.Join(root, file))] = abs(t, by)
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(bin, "overlay.json"), string(text))
	cmd := exec.Command("go", "build", "-overlay", filepath.Join(bin, "overlay.json"), "-o", filepath.Join(bin, "moobench"), "./cmd/moobench")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lookAt(t)
}

// lookAt has the test look at whatever is built, so that its result is not taken from
// a cache once something has changed.
func lookAt(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "bin", "target", "testdata", "runs", "tools"}, d.Name()):
			return filepath.SkipDir
		case !d.IsDir() && !strings.HasSuffix(name, "_test.go"):
			_, err = os.Stat(name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func abs(t *testing.T, name string) string {
	t.Helper()
	name, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// TestTable: each row of the table is kept here, and says the place that it is kept in.
func TestTable(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "| I want a new… | I add |\n|---|---|\n")
	if !found {
		t.Fatal("CONTRIBUTING.md has no table of what is added where")
	}
	var rows []string
	for line := range strings.Lines(table) {
		cells := regexp.MustCompile(`^\| ([^|]+) \| ([^|]+) \|\n$`).FindStringSubmatch(line)
		if cells == nil {
			break
		}
		rows = append(rows, cells[1])
		if p, ok := promised[cells[1]]; !ok {
			t.Errorf("nobody keeps the promise of %q", cells[1])
		} else if !strings.Contains(cells[2], p.says) {
			t.Errorf("%s: CONTRIBUTING.md says %q, and not %q", cells[1], cells[2], p.says)
		}
	}
	if len(rows) != len(promised) {
		t.Errorf("the table has %q, and %d are kept", rows, len(promised))
	}
}
