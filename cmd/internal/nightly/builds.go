package nightly

import (
	"cmp"
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

// table is a table of a benchmarks.toml, as TOML decodes it.
type table = map[string]any

// jars finds the jars that a variant had in the old and in the new night.
type jars struct {
	kept     *results.Kept
	dir      string // of kept, for messages
	old, new history.Night
	err      error // of the first jar that was not found
}

// builds returns two [build.x] that replace the variant's own jars. What did not change and
// can't have changed since is left as the variant has it. It is an error when nothing
// differs: then there is nothing to re-measure.
func (j *jars) builds(v framework.Variant) (older, newer table, err error) {
	was, wasFixtures := splitFixtures(j.old.Artifacts)
	is, isFixtures := splitFixtures(j.new.Artifacts)
	if len(was) != len(is) || len(is) < len(v.Artifacts) {
		return nil, nil, fmt.Errorf("old and new were started with unlike files: %s, and %s", artifactNames(was), artifactNames(is))
	}
	older, newer = table{}, table{}
	before, after := table{}, table{}
	differ := false
	for i, a := range v.Artifacts {
		if was[i] == is[i] && !a.Moves() {
			continue
		}
		differ = differ || was[i].SHA256 != is[i].SHA256
		before[a.Name], after[a.Name] = j.jar(was[i], j.old), j.jar(is[i], j.new)
	}
	if len(before) > 0 {
		older["artifact"], newer["artifact"] = before, after
	}
	for module, now := range isFixtures {
		if then, there := wasFixtures[module]; !there || then.SHA256 == now.SHA256 {
			continue
		}
		// Each side has all of its own: those of two nights need not fit together.
		older["fixture"], newer["fixture"], differ = j.fixtures(wasFixtures, j.old), j.fixtures(isFixtures, j.new), true
		break
	}
	if j.err != nil || differ {
		return older, newer, j.err
	}
	// The rest of the files are those that benchmarks.toml itself holds.
	if was, is = was[len(v.Artifacts):], is[len(v.Artifacts):]; !slices.Equal(was, is) {
		unlike := slices.DeleteFunc(slices.Clone(is), func(a results.Artifact) bool { return slices.Contains(was, a) })
		return nil, nil, refusal.New(fmt.Errorf("old and new have the same jars, and unlike files of benchmarks.toml: %s", artifactNames(unlike)),
			"to compare both, write each as a [framework.x] of one benchmarks.toml")
	}
	if len(j.old.Artifacts)+len(j.new.Artifacts) == 0 {
		return nil, nil, refusal.New(errors.New("neither night wrote down any file that it was started with"),
			"campaigns with a [gate], and run --artifacts, do")
	}
	text := "old and new were started with the same files: it is the machine that changed"
	if j.old.Tool != j.new.Tool {
		text += fmt.Sprintf(", or moobench, which was %s and is %s", j.old.Tool, j.new.Tool)
	}
	return nil, nil, errors.New(text + ", or something that is no artifact (an option, a class path)")
}

// splitFixtures separates the jars of moobench's own fixtures, by module, from the others.
func splitFixtures(all []results.Artifact) (others []results.Artifact, fixtures map[string]results.Artifact) {
	fixtures = map[string]results.Artifact{}
	for _, a := range all {
		if module, ok := framework.FixtureModule(a.Name); ok {
			fixtures[module] = a
		} else {
			others = append(others, a)
		}
	}
	return others, fixtures
}

// fixtures are the jars of a night's fixtures, by module.
func (j *jars) fixtures(modules map[string]results.Artifact, of history.Night) table {
	found := table{}
	for _, module := range slices.Sorted(maps.Keys(modules)) {
		found[module] = j.jar(modules[module], of)
	}
	return found
}

// jar says where to get an artifact of a night.
func (j *jars) jar(a results.Artifact, of history.Night) table {
	found, err := j.find(a, of)
	j.err = cmp.Or(j.err, err)
	return found
}

// find says where an artifact is: a release at Maven's, what may have changed since in the
// folder that it was kept in.
func (j *jars) find(a results.Artifact, of history.Night) (table, error) {
	if release := (framework.Artifact{Maven: a.Name}); strings.Count(a.Name, ":") >= 2 && !release.Moves() {
		jar := table{"maven": a.Name}
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
	return table{"path": path, "sha256": a.SHA256}, nil
}

func artifactNames(all []results.Artifact) string {
	return cmp.Or(strings.Join(results.Each(all, func(a results.Artifact) string { return a.Name }), ", "), "none")
}
