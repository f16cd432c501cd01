package framework

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"moobench/harness/suggest"
)

// buildMark parts a variant from the build that it is taken from:
// mine/bci/default@old. No name has one in it.
const buildMark = "@"

// build is [build.x] of a benchmarks.toml: other jars for the same variants, so
// that two builds of one agent can be measured in the same blocks.
type build struct {
	artifacts map[string]Artifact // by alias
	fixtures  []Artifact          // by module, sorted
}

// WithBuilds returns the set with the builds of a benchmarks.toml added, by
// name: each known variant V can then be had as V@name as well. Relative paths
// are relative to dir, the folder of the TOML. Everything that is wrong is
// returned at once.
func (s *Set) WithBuilds(user map[string]map[string]any, dir string) (*Set, []KeyError) {
	all := &Set{variants: s.variants, builds: maps.Clone(s.builds)}
	if all.builds == nil {
		all.builds = map[string]build{}
	}
	r := &reader{}
	if dir != "" {
		abs, err := filepath.Abs(dir) // the JVM has another working directory
		if err != nil {
			return all, []KeyError{{Path: []string{"build"}, Msg: fmt.Sprintf("finding the folder %s: %v", dir, err)}}
		}
		r.dir = abs
	}
	for _, name := range slices.Sorted(maps.Keys(user)) {
		path := []string{"build", name}
		r.label(name, path)
		all.builds[name] = r.build(user[name], path)
	}
	return all, r.errs
}

// build reads one build: the keys that name jars are those of a framework.
func (r *reader) build(raw map[string]any, path []string) build {
	jars := &layer{path: path, artifacts: map[string]Artifact{}, artifactPaths: map[string][]string{}}
	modules := &layer{path: path, artifacts: map[string]Artifact{}, artifactPaths: map[string][]string{}}
	var agent, agentPath, maven, sum text
	set := func(t *text) func(any, []string) {
		return func(v any, p []string) { *t = r.text(v, p) }
	}
	r.fields(raw, path, map[string]func(any, []string){
		"agent": set(&agent), "agentpath": set(&agentPath), "maven": set(&maven), "sha256": set(&sum),
		"artifact": func(v any, p []string) { r.artifacts(jars, v, p) },
		"fixture":  func(v any, p []string) { r.artifacts(modules, v, p) },
	})
	r.agent(jars, agent, maven, agentPath, sum)
	b := build{artifacts: jars.artifacts}
	for _, name := range slices.Sorted(maps.Keys(modules.artifacts)) {
		if !slices.Contains(fixtureModules, name) {
			r.fail(modules.artifactPaths[name], suggest.Hint(name, fixtureModules), "no fixture has a module %q", name)
		}
		b.fixtures = append(b.fixtures, modules.artifacts[name])
	}
	if len(raw) == 0 {
		r.fail(path, `name a jar: agent = "…"`, "the build puts no other jar in place of one")
	}
	return b
}

// built is a variant from a build; where its proof is another variant's run,
// that one is from the same build.
func (s *Set) built(name, base, from string) (Variant, error) {
	v, err := s.Variant(base)
	if err != nil {
		return Variant{}, err
	}
	b, ok := s.builds[from]
	if !ok {
		var known []string
		for _, b := range slices.Sorted(maps.Keys(s.builds)) {
			known = append(known, v.Name+buildMark+b)
		}
		return Variant{}, &UnknownVariant{Name: name, Suggest: suggest.Nearest(name, known)}
	}
	if !b.fits(v) {
		return Variant{}, fmt.Errorf("build %q has no jar of %s, whose artifacts are %s", from, v.Name, aliases(v))
	}
	return s.from(v, from, b), nil
}

// fits says whether something of the variant comes from the build.
func (b build) fits(v Variant) bool {
	return len(b.fixtures) > 0 || slices.ContainsFunc(v.Artifacts, func(a Artifact) bool {
		_, there := b.artifacts[a.Name]
		return there
	})
}

// from takes the variant's jars from a build, where that has them. It counts as
// a framework of its own: what its stages cost is told among its own.
func (s *Set) from(v Variant, name string, b build) Variant {
	v.Name += buildMark + name
	if v.Framework != "" {
		v.Framework += buildMark + name
	}
	v.About = strings.TrimPrefix(v.About+", build "+name, ", ")
	v.Artifacts = slices.Clone(v.Artifacts)
	for i, a := range v.Artifacts {
		if other, there := b.artifacts[a.Name]; there {
			v.Artifacts[i] = other
		}
	}
	if len(b.fixtures) > 0 {
		v.Fixtures = slices.Clone(b.fixtures)
	}
	if sibling, err := s.Variant(v.Proof.Sibling); v.Proof.Sibling != "" && err == nil && b.fits(sibling) {
		v.Proof.Sibling += buildMark + name
	}
	return v
}

// aliases are the names of a variant's artifacts, as a message lists them.
func aliases(v Variant) string {
	var names []string
	for _, a := range v.Artifacts {
		names = append(names, a.Name)
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// FixturePrefix begins the name of an artifact that is a jar of moobench's own
// fixtures: {fixture.probes}, as in a command line.
const FixturePrefix = "{fixture."

// FixtureName is how the jar of a module is called among artifacts.
func FixtureName(module string) string { return FixturePrefix + module + "}" }

// FixtureModule is the inverse of FixtureName; ok is false for other names.
func FixtureModule(name string) (module string, ok bool) {
	rest, begins := strings.CutPrefix(name, FixturePrefix)
	module, ends := strings.CutSuffix(rest, "}")
	return module, begins && ends && module != ""
}
