package run

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/fixture"
	"moobench/harness/framework"
	"moobench/harness/plan"
	"moobench/results"
)

// planOf is a plan of one cell that is started from these artifacts.
func planOf(v framework.Variant) *plan.Plan {
	c := plan.Cell{Recipe: v, Cell: results.Cell{ID: "c00", Variant: v.Name, Launch: v.Launch()}}
	c.Launch.Fixture = "calls"
	return &plan.Plan{Campaign: &results.Campaign{Cells: []results.Cell{c.Cell}}, Cells: []plan.Cell{c}}
}

// snapshot puts a jar where Maven would, and returns the repository.
func snapshot(t *testing.T, content string) string {
	t.Helper()
	repository := t.TempDir()
	write(t, filepath.Join(repository, "g", "a", "1-SNAPSHOT", "a-1-SNAPSHOT.jar"), content)
	return repository
}

// helloDigest is what sha256sum says of "hello\n".
const helloDigest = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"

// TestSnapshotIsNoted: which build of a snapshot ran can be told afterwards, and a
// campaign does not go on with another one.
func TestSnapshotIsNoted(t *testing.T) {
	v := framework.Variant{Name: "x/bci/default", Artifacts: []framework.Artifact{{Name: "agent", Maven: "g:a:1-SNAPSHOT"}}}
	p := planOf(v)
	resolve := func(content string) error {
		t.Setenv("MAVEN_ARGS", "-Dmaven.repo.local="+snapshot(t, content))
		_, err := ResolveArtifacts(context.Background(), &framework.Resolver{Offline: true}, p)
		return err
	}
	if err := resolve("hello\n"); err != nil {
		t.Fatal(err)
	}
	want := []results.Artifact{{Name: "g:a:1-SNAPSHOT", SHA256: helloDigest}}
	for what, got := range map[string][]results.Artifact{
		"campaign": p.Campaign.Cells[0].Launch.Artifacts, "cell": p.Cells[0].Launch.Artifacts, "variant": p.Cells[0].Recipe.Launch().Artifacts,
	} {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	if v.Artifacts[0].SHA256 != "" {
		t.Error("the catalogue's own variant was changed")
	}
	p.Cells[0].Recipe = v // as a resumed plan has it
	if err := resolve("hello\n"); err != nil {
		t.Errorf("the same again: %v", err)
	}
	p.Cells[0].Recipe = v
	if err := resolve("other\n"); err == nil || !strings.Contains(err.Error(), "started with another g:a:1-SNAPSHOT") {
		t.Errorf("another one: %v", err)
	}
}

func TestFixturesAreNoted(t *testing.T) {
	own := framework.Variant{
		Name: "x/bci/default", ClassPath: []string{"{fixture.probes}:{fixture.bridge-kieker}"}, Args: []string{"-javaagent:{fixture.hotswap}=x"},
		Files: []framework.File{{Name: "x.conf", Template: "jar={fixture.swappers}"}},
	}
	p := planOf(own)
	digest := func(module string) (string, error) { return "digest of " + module, nil }
	for range 2 { // the second time nothing is added
		if err := NoteFixtures(p, digest); err != nil {
			t.Fatal(err)
		}
	}
	var names []string
	for _, a := range p.Campaign.Cells[0].Launch.Artifacts {
		if module, ok := framework.FixtureModule(a.Name); ok {
			names = append(names, module)
			if a.SHA256 != "digest of "+module {
				t.Errorf("%s: %s", module, a.SHA256)
			}
		}
	}
	if got, want := strings.Join(names, " "), "bridge-kieker calls hotswap kernel probes swappers"; got != want {
		t.Errorf("noted %s, want %s", got, want)
	}
	if err := NoteFixtures(planOf(own), func(string) (string, error) { return "", os.ErrNotExist }); err == nil {
		t.Error("a jar that is not there was noted")
	}
}

// TestStandInForAFixture: a jar that stands in for one of the fixtures is found,
// verified and used, for its variant alone.
func TestStandInForAFixture(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kernel.jar")
	write(t, path, "hello\n")
	built := fixture.Built{Dir: "/built"}
	for _, sum := range []string{helloDigest, strings.Repeat("0", 64)} {
		v := framework.Variant{Name: "x/bci/default@old", Fixtures: []framework.Artifact{{Name: "kernel", Path: path, SHA256: sum}}}
		p := planOf(v)
		all, err := ResolveArtifacts(context.Background(), &framework.Resolver{Offline: true}, p)
		if err != nil {
			t.Fatal(err)
		}
		if wrong := all.wrong[v.Name] != nil; wrong != (sum != helloDigest) {
			t.Errorf("%s: %v", sum, all.wrong)
		} else if wrong {
			continue // nothing of it is started
		}
		if got := all.jar(built, v.Name, "kernel"); got != path {
			t.Errorf("the kernel is %s", got)
		}
		if got, want := all.jar(built, v.Name, "calls"), built.Jar("calls"); got != want {
			t.Errorf("calls is %s, want %s", got, want)
		}
		if got, want := all.jar(built, "none", "kernel"), built.Jar("kernel"); got != want {
			t.Errorf("the kernel of another variant is %s, want %s", got, want)
		}
		if err := NoteFixtures(p, func(m string) (string, error) { return "digest of " + m, nil }); err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprint([]results.Artifact{{Name: "{fixture.kernel}", SHA256: sum}, {Name: "{fixture.calls}", SHA256: "digest of calls"}})
		if got := fmt.Sprint(p.Cells[0].Launch.Artifacts); got != want {
			t.Errorf("noted %s, want %s", got, want)
		}
	}
}
