package session

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moobench/harness/fixture"
	"moobench/harness/framework"
	"moobench/harness/run"
	"moobench/refusal"
	"moobench/results"
)

// keptTOML is a campaign of a jar that may change, a release, and a jar that is not the one that its file names.
const keptTOML = `
name = "kept"
[[scenario]]
use      = "overhead"
variants = ["none", "changed", "mine", "theirs"]
calls    = 1000
blocks   = 1
[framework.mine]
agent = "mine.jar"
proof = "none"
[framework.theirs]
maven = "org.example:tool:1.0"
proof = "none"
[framework.changed]
proof = "none"
args  = ["-javaagent:{jar.agent}"]
[framework.changed.artifact.agent]
path   = "changed.jar"
sha256 = "1111111111111111111111111111111111111111111111111111111111111111"
`

// keeping has all that keeping jars needs: the files are found, and the fixtures built.
func keeping(t *testing.T) *measuring {
	t.Helper()
	s, _, _ := planned(t, keptTOML, Options{})
	files := map[string]string{"mine.jar": "mine", "theirs.jar": "theirs", "changed.jar": "changed"}
	for _, c := range s.Plan.Cells {
		for _, module := range []string{"kernel", c.Launch.Fixture} {
			files[fixture.Built{Dir: "built"}.Jar(module)] = "fixture " + module
		}
	}
	for name, content := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	brought := func(name string) string {
		if strings.Contains(name, ":") {
			return "theirs.jar"
		}
		return name
	}
	m := &measuring{Session: s, runner: &run.Runner{Plan: s.Plan, Fixtures: fixture.Built{Dir: "built"}}}
	m.resolver = &framework.Resolver{Log: io.Discard, Brought: brought}
	var err error
	if m.runner.Artifacts, err = run.ResolveArtifacts(t.Context(), m.resolver, s.Plan); err != nil {
		t.Fatal(err)
	}
	return m
}

// contents are what the kept files hold, sorted.
func contents(t *testing.T, dir string) (all []string) {
	t.Helper()
	kept := results.OpenKept(dir)
	files, err := kept.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		path, err := kept.Path(f.SHA256)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(text))
	}
	slices.Sort(all)
	return all
}

// TestKeep: the jars that may be others tomorrow are kept, and those of the fixtures, of which the plan says then
// which they are; a release can be fetched again, and a jar that is not started needs not be kept.
func TestKeep(t *testing.T) {
	for _, folder := range []string{"", "jars"} {
		m := keeping(t)
		m.Kept = folder
		if _, err := m.keep(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := []string{"fixture kernel", "fixture " + m.Plan.Cells[0].Launch.Fixture, "mine"}
		slices.Sort(want)
		if folder == "" {
			folder = KeptFolder
		}
		if got := contents(t, folder); !slices.Equal(got, want) {
			t.Errorf("%s has %q, want %q", folder, got, want)
		}
		for _, c := range m.Plan.Campaign.Cells {
			kernel := results.Find(c.Launch.Artifacts, func(a *results.Artifact) bool {
				return a.Name == framework.FixtureName("kernel")
			})
			if kernel == nil || kernel.SHA256 == "" {
				t.Errorf("%s: nobody knows which fixtures it has: %v", c.Label(), c.Launch.Artifacts)
			}
		}
	}
}

// TestKeepRefuses: a jar that is another one since it was found, or gone, stops the campaign.
func TestKeepRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		change     func() error
		want, hint string
	}{
		"rebuilt": {
			func() error { return os.WriteFile("mine.jar", []byte("mine, rebuilt"), 0o666) },
			"mine.jar was rebuilt just now", "start again when the build is done",
		},
		"gone": {
			func() error { return os.Remove("mine.jar") },
			"mine.jar of mine/bci/default: ", "choose another folder with --artifacts",
		},
		"without the fixture": {func() error { return os.RemoveAll("built") }, "the fixtures: ", ""},
	} {
		t.Run(name, func(t *testing.T) {
			m := keeping(t)
			if err := c.change(); err != nil {
				t.Fatal(err)
			}
			_, err := m.keep(t.Context())
			if err == nil || !strings.HasPrefix(err.Error(), "keeping ") || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("%v, want %s", err, c.want)
			}
			if refusal.Do(err) != c.hint {
				t.Errorf("%s: %s, want %s", err, refusal.Do(err), c.hint)
			}
		})
	}
}

// TestKeeps: jars are kept for a gate, or where a folder for them is named.
func TestKeeps(t *testing.T) {
	for _, c := range []struct {
		name, folder string
		want         bool
	}{{"gated", "", true}, {"watched", "", false}, {"watched", "jars", true}} {
		s, _, _ := planned(t, previewed[c.name], Options{Kept: c.folder})
		if s.keeps() != c.want {
			t.Errorf("%s with the folder %q: %t", c.name, c.folder, s.keeps())
		}
	}
}
