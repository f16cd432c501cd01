package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"moobench/analysis/history"
	"moobench/harness/framework"
	"moobench/refusal"
	"moobench/results"
)

// builds are the jars of two nights, as [build.old] and [build.new] of a
// benchmarks.toml.
type builds struct{ old, new map[string]any }

// jars finds those of the old and of the new night for a variant. What did not
// change and can't have changed since is left as the variant says.
type jars struct {
	kept     *results.Kept
	dir      string // of kept, for messages
	old, new history.Night
}

// of says which jars stand in for the variant's own. It is an error when nothing
// differs: then there is nothing to measure again.
func (j jars) of(v framework.Variant) (builds, error) {
	was, wasFixtures := parted(j.old.Artifacts)
	is, isFixtures := parted(j.new.Artifacts)
	if len(was) != len(is) || len(is) < len(v.Artifacts) {
		return builds{}, fmt.Errorf("old and new were started with unlike files: %s, and %s", artifactNames(was), artifactNames(is))
	}
	b := builds{map[string]any{}, map[string]any{}}
	differ, err := j.artifacts(b, v, was, is)
	if err != nil {
		return builds{}, err
	}
	modules, err := j.fixtures(b, wasFixtures, isFixtures)
	if err != nil {
		return builds{}, err
	}
	if !differ && !modules {
		return builds{}, j.same(was[len(v.Artifacts):], is[len(v.Artifacts):])
	}
	return b, nil
}

// artifacts adds those of the variant, and says whether any differs.
func (j jars) artifacts(b builds, v framework.Variant, was, is []results.Artifact) (differ bool, err error) {
	before, after := map[string]any{}, map[string]any{}
	for i, a := range v.Artifacts {
		if was[i] == is[i] && !a.Moves() {
			continue
		}
		differ = differ || was[i].SHA256 != is[i].SHA256
		if before[a.Name], err = j.jar(was[i], j.old); err != nil {
			return false, err
		}
		if after[a.Name], err = j.jar(is[i], j.new); err != nil {
			return false, err
		}
	}
	if len(before) > 0 {
		b.old["artifact"], b.new["artifact"] = before, after
	}
	return differ, nil
}

// fixtures adds the jars of moobench's own fixtures, if any differs, and says so.
// Then each side has all of its own: those of two nights need not fit together.
func (j jars) fixtures(b builds, was, is map[string]results.Artifact) (differ bool, err error) {
	for module, now := range is {
		then, there := was[module]
		differ = differ || there && then.SHA256 != now.SHA256
	}
	if !differ {
		return false, nil
	}
	if b.old["fixture"], err = j.all(was, j.old); err != nil {
		return false, err
	}
	b.new["fixture"], err = j.all(is, j.new)
	return true, err
}

// all are the jars of a night's fixtures, by module.
func (j jars) all(fixtures map[string]results.Artifact, of history.Night) (map[string]any, error) {
	found := map[string]any{}
	for _, module := range slices.Sorted(maps.Keys(fixtures)) {
		jar, err := j.jar(fixtures[module], of)
		if err != nil {
			return nil, err
		}
		found[module] = jar
	}
	return found, nil
}

// jar is where an artifact of a night can be had: a release from Maven, what may
// have changed since from the folder that it was kept in.
func (j jars) jar(a results.Artifact, of history.Night) (map[string]any, error) {
	if release := (framework.Artifact{Maven: a.Name}); strings.Count(a.Name, ":") >= 2 && !release.Moves() {
		jar := map[string]any{"maven": a.Name}
		if a.SHA256 != "" {
			jar["sha256"] = a.SHA256
		}
		return jar, nil
	}
	if a.SHA256 == "" {
		return nil, fmt.Errorf("nobody wrote down which %s the night %s was measured with", a.Name, of.ID)
	}
	path, err := j.kept.Path(a.SHA256)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, refusal.New(fmt.Errorf("%s of the night %s is not in %s (SHA-256 %s)", a.Name, of.ID, j.dir, a.SHA256),
			"campaigns with a [gate], and run --artifacts, keep what they start; moobench prune leaves what the history names")
	}
	if err != nil {
		return nil, err
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, fmt.Errorf("finding %s: %w", a.Name, err)
	}
	return map[string]any{"path": path, "sha256": a.SHA256}, nil
}

// same says what is left when old and new have the same jars; the rest of their
// files are those that benchmarks.toml itself holds.
func (j jars) same(was, is []results.Artifact) error {
	if !slices.Equal(was, is) {
		return refusal.New(fmt.Errorf("old and new have the same jars, and unlike files of benchmarks.toml: %s", artifactNames(unlikeArtifacts(was, is))),
			"to compare both, write each as a [framework.x] of one benchmarks.toml")
	}
	if len(j.old.Artifacts)+len(j.new.Artifacts) == 0 {
		return refusal.New(errors.New("neither night wrote down any file that it was started with"), "campaigns with a [gate], and run --artifacts, do")
	}
	text := "old and new were started with the same files: it is the machine that changed"
	if j.old.Tool != j.new.Tool {
		text += fmt.Sprintf(", or moobench, which was %s and is %s", j.old.Tool, j.new.Tool)
	}
	return errors.New(text + ", or something that is no artifact (an option, a class path)")
}

func unlikeArtifacts(was, is []results.Artifact) []results.Artifact {
	return slices.DeleteFunc(slices.Clone(is), func(a results.Artifact) bool { return slices.Contains(was, a) })
}

// parted tells the jars of moobench's own fixtures, by module, from the others.
func parted(all []results.Artifact) (own []results.Artifact, fixtures map[string]results.Artifact) {
	fixtures = map[string]results.Artifact{}
	for _, a := range all {
		if module, ok := framework.FixtureModule(a.Name); ok {
			fixtures[module] = a
		} else {
			own = append(own, a)
		}
	}
	return own, fixtures
}

func artifactNames(all []results.Artifact) string {
	var names []string
	for _, a := range all {
		names = append(names, a.Name)
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
