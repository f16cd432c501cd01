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
	"moobench/harness/strict"
	"moobench/refusal"
	"moobench/results"
)

// jars finds the jars that a variant had in the old and in the new night.
type jars struct {
	kept     *results.Kept
	dir      string // folder of kept, for messages
	old, new history.Night
	err      error // error of the first jar that was not found
}

// builds returns two [build.x] that replace the variant's own jars. What did not change and
// can't have changed since is left as the variant has it. It is an error when nothing
// differs: then there is nothing to re-measure.
func (j *jars) builds(v framework.Variant) (older, newer *strict.Draft, err error) {
	was, wasFixtures := splitFixtures(j.old.Artifacts)
	is, isFixtures := splitFixtures(j.new.Artifacts)
	if len(was) != len(is) || len(is) < len(v.Artifacts) {
		return nil, nil, fmt.Errorf("old and new were started with different files: %s, and %s",
			artifactNames(was), artifactNames(is))
	}
	older, newer = &strict.Draft{}, &strict.Draft{}
	differ := false
	for i, a := range v.Artifacts {
		if was[i] == is[i] && !a.Moves() {
			continue
		}
		differ = differ || was[i].SHA256 != is[i].SHA256
		older.Table("artifact").Put(a.Name, j.jar(was[i], j.old))
		newer.Table("artifact").Put(a.Name, j.jar(is[i], j.new))
	}
	for module, now := range isFixtures {
		if then, there := wasFixtures[module]; !there || then.SHA256 == now.SHA256 {
			continue
		}
		// Each side has all of its own: those of two nights need not fit together.
		older.Put("fixture", j.fixtures(wasFixtures, j.old))
		newer.Put("fixture", j.fixtures(isFixtures, j.new))
		differ = true
		break
	}
	if j.err != nil || differ {
		return older, newer, j.err
	}
	// The remaining files come from benchmarks.toml itself.
	if was, is = was[len(v.Artifacts):], is[len(v.Artifacts):]; !slices.Equal(was, is) {
		unlike := slices.DeleteFunc(slices.Clone(is), func(a results.Artifact) bool { return slices.Contains(was, a) })
		err = fmt.Errorf("old and new have the same jars, but different files of benchmarks.toml: %s",
			artifactNames(unlike))
		return nil, nil, refusal.New(err, "to compare both, write each as a [framework.x] of one benchmarks.toml")
	}
	if len(j.old.Artifacts)+len(j.new.Artifacts) == 0 {
		return nil, nil, refusal.New(errors.New("neither night recorded a file that it was started with"),
			"campaigns with a [gate], and run --artifacts, do")
	}
	text := "old and new were started with the same files: it is the machine that changed"
	if j.old.Tool != j.new.Tool {
		text += fmt.Sprintf(", or moobench, which was %s and is %s", j.old.Tool, j.new.Tool)
	}
	return nil, nil, errors.New(text + ", or something that is not an artifact (an option, a class path)")
}

// splitFixtures separates the jars of moobench's own fixtures, by module, from other artifacts.
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
func (j *jars) fixtures(modules map[string]results.Artifact, of history.Night) *strict.Draft {
	found := &strict.Draft{}
	for _, module := range slices.Sorted(maps.Keys(modules)) {
		found.Put(module, j.jar(modules[module], of))
	}
	return found
}

// jar says where to get an artifact of a night.
func (j *jars) jar(a results.Artifact, of history.Night) *strict.Draft {
	d := &strict.Draft{}
	key, where, err := j.find(a, of)
	if j.err = cmp.Or(j.err, err); err != nil {
		return d
	}
	d.Set(key, where)
	if a.SHA256 != "" {
		d.Set("sha256", a.SHA256)
	}
	return d
}

// find returns where an artifact is, and the key that says so: the coordinates of a release, and
// the kept file of whatever may have changed since.
func (j *jars) find(a results.Artifact, of history.Night) (key, where string, err error) {
	if release := (framework.Artifact{Maven: a.Name}); strings.Count(a.Name, ":") >= 2 && !release.Moves() {
		return "maven", a.Name, nil
	}
	if a.SHA256 == "" {
		return "", "", fmt.Errorf("the night %[2]s does not record which %[1]s it was measured with", a.Name, of.ID)
	}
	path, err := j.kept.Path(a.SHA256)
	if errors.Is(err, fs.ErrNotExist) {
		return "", "", refusal.New(fmt.Errorf("%s of the night %s is not in %s (SHA-256 %s)", a.Name, of.ID, j.dir, a.SHA256),
			"campaigns with a [gate], and run --artifacts, keep what they start; moobench prune leaves what the history names")
	}
	if err != nil {
		return "", "", err
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", "", fmt.Errorf("finding %s: %w", a.Name, err)
	}
	return "path", path, nil
}

func artifactNames(all []results.Artifact) string {
	return cmp.Or(strings.Join(results.Each(all, func(a results.Artifact) string { return a.Name }), ", "), "none")
}
