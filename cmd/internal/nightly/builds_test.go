package nightly

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moobench/analysis/history"
	"moobench/harness/framework"
	"moobench/harness/strict"
	"moobench/results"
)

func TestJars(t *testing.T) {
	kept := results.OpenKept(filepath.Join(t.TempDir(), "kept"))
	keep := func(name, content string) results.Artifact {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		a, err := kept.Keep(path)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	was, is := keep("agent.jar", "old"), keep("agent.jar", "new")
	kernelWas, kernelIs := keep("kernel.jar", "old kernel"), keep("kernel.jar", "new kernel")
	kernelWas.Name, kernelIs.Name = framework.FixtureName("kernel"), framework.FixtureName("kernel")
	release := func(version string) results.Artifact {
		return results.Artifact{Name: "g:a:" + version, SHA256: strings.Repeat(version[:1], 64)}
	}
	gone := results.Artifact{Name: "agent.jar", SHA256: strings.Repeat("e", 64)}
	config1, config2 := results.Artifact{Name: "x.conf", SHA256: "1"}, results.Artifact{Name: "x.conf", SHA256: "2"}
	byPath := framework.Variant{Name: "mine/bci/default", Artifacts: []framework.Artifact{{Name: "agent", Path: "agent.jar"}}}
	byMaven := framework.Variant{Name: "theirs/bci/default", Artifacts: []framework.Artifact{{Name: "agent", Maven: "g:a:2"}}}
	all := func(a ...results.Artifact) []results.Artifact { return a }
	for _, c := range []struct {
		name    string
		v       framework.Variant
		was, is []results.Artifact
		want    string // what stands in for old, or what is wrong
	}{
		{"a jar by path", byPath, all(was), all(is), "artifact.agent path"},
		{"a release", byMaven, all(release("1")), all(release("2")), "artifact.agent maven"},
		{"the fixtures", byPath, all(was, kernelWas), all(was, kernelIs), "artifact.agent path, fixture.kernel path"},
		{"a fixture that nobody looked at before", byPath, all(was), all(is, kernelIs), "artifact.agent path"},
		{"the same jar", byPath, all(was), all(was), "started with the same files"},
		{"the same release", byMaven, all(release("2")), all(release("2")), "started with the same files"},
		{"another configuration", byPath, all(was, config1), all(was, config2), "different files of benchmarks.toml: x.conf"},
		{"gone", byPath, all(gone), all(is), "agent.jar of the night n1 is not in"},
		{"nobody looked", byPath, all(results.Artifact{Name: "agent.jar"}), all(is), "the night n1 does not record which agent.jar"},
		{"another number", byPath, all(was), all(is, is), "different files"},
		{"none", framework.Variant{}, nil, nil, "neither night recorded a file"},
	} {
		j := jars{kept: kept, dir: "kept", old: history.Night{ID: "n1", Artifacts: c.was}, new: history.Night{ID: "n2", Artifacts: c.is}}
		older, newer, err := j.builds(c.v)
		if err != nil {
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", c.name, err, c.want)
			}
			continue
		}
		if got := standIns(older); got != c.want || standIns(newer) != got {
			t.Errorf("%s: %s for old, %s for new, want %s", c.name, got, standIns(newer), c.want)
		}
	}
}

// standIns names the jars of a build, and where each comes from.
func standIns(build *strict.Draft) string {
	var all []string
	for _, module := range []string{"artifact.agent", "fixture.kernel"} {
		kind, name, _ := strings.Cut(module, ".")
		for _, jars := range build.Tables(kind) {
			for _, jar := range jars.Tables(name) {
				all = append(all, module+" "+jar.Keys()[0])
			}
		}
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}
