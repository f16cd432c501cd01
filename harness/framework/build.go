package framework

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"moobench/harness/strict"
	"moobench/results"
)

// build is [build.x] of a benchmarks.toml: replacement jars for known variants, so that two
// builds of one agent can be measured in the same blocks.
type build struct {
	artifacts jars
	fixtures  []Artifact // named by module, sorted
}

// WithBuilds returns the set with the builds of a benchmarks.toml added, by name: each known
// variant V is then available as V@name too. Relative paths are relative to dir, the folder of
// the TOML. Mistakes are added to the values' document.
func (s *Set) WithBuilds(user map[string]strict.Value, dir string) *Set {
	all := &Set{
		variants: s.variants,
		tables:   s.tables,
		builds:   map[string]build{},
		digests:  s.digests,
		broken:   slices.Clone(s.broken),
		brought:  s.brought,
	}
	maps.Copy(all.builds, s.builds)
	r := newReader(user, dir, s.brought)
	all.read(user, buildMark, func(name string, v strict.Value) {
		b := build{}
		if versionPattern.MatchString(name) {
			v.Fail("begin it with a letter", "%q reads like a version, and V@%s is variant V in that", name, name)
		}
		v.Table(r.build(&b))
		all.builds[name] = b
	})
	return all
}

// WithDigests returns the set with SHA-256 digests, by Maven coordinates, for artifacts that
// are not pinned. Mistakes are added to the values' document.
func (s *Set) WithDigests(user map[string]strict.Value) *Set {
	all := *s
	all.digests = map[string]string{}
	maps.Copy(all.digests, s.digests)
	for coordinates, v := range user {
		sum, _ := v.Raw.(string)
		if _, err := parseCoordinates(coordinates); err != nil {
			v.Fail("", "%v", err)
		}
		checkDigest(sum, v)
		all.digests[coordinates] = sum
	}
	return &all
}

// build describes one build. It shares the keys that name jars with frameworks.
func (r *reader) build(b *build) strict.Table {
	own, modules := jars{}, jars{}
	keys, agents := r.jarKeys(own)
	fixtures := func(v strict.Value) strict.Table { return r.artifact(v, modules) }
	return strict.NewTable("Other jars for known variants, each of which is available as variant@NAME: "+
		"two builds are measured in the same blocks.",
		append(keys, strict.NewKey("fixture", strict.ByName(fixtures),
			"jars in place of those of moobench's fixtures, by module: "+strings.Join(r.modules, ", ")))...,
	).Checked(func(v strict.Value) {
		agents(v)
		*b = build{artifacts: own, fixtures: modules.sorted()}
		for name, m := range modules {
			if !slices.Contains(r.modules, name) {
				m.at.Fail(strict.Hint(name, r.modules), "no fixture has a module %q", name)
			}
		}
		if table, _ := v.Raw.(map[string]any); len(table) == 0 {
			v.Fail(`name a jar: agent = "…"`, "the build puts no other jar in place of one")
		}
	})
}

// fromBuild returns a variant with the jars of a build in place of its own. If another variant
// proves it, that variant is taken from the same build.
func (s *Set) fromBuild(name, base, from string) (Variant, error) {
	v, err := s.Variant(base)
	if err != nil {
		return Variant{}, err
	}
	b, ok := s.builds[from]
	if !ok {
		named := func(b string) string { return v.Name + buildMark + b }
		known := results.Each(slices.Sorted(maps.Keys(s.builds)), named)
		return Variant{}, &unknownVariant{name, strict.Nearest(name, known)}
	}
	if !b.fits(v) {
		names := results.Each(v.Artifacts, func(a Artifact) string { return a.Name })
		all := cmp.Or(strings.Join(names, ", "), "none")
		return Variant{}, fmt.Errorf("build %q has no jar of %s, whose artifacts are %s", from, v.Name, all)
	}
	// The result counts as a separate framework, so that the cost of its stages is computed
	// within the build.
	v.Name += buildMark + from
	if v.Framework != "" {
		v.Framework += buildMark + from
	}
	v.About = strings.TrimPrefix(v.About+", build "+from, ", ")
	v.Artifacts = slices.Clone(v.Artifacts)
	for i, a := range v.Artifacts {
		if other, there := b.artifacts[a.Name]; there {
			v.Artifacts[i] = other.Artifact
		}
	}
	if len(b.fixtures) > 0 {
		v.Fixtures = slices.Clone(b.fixtures)
	}
	if sibling, err := s.Variant(v.Proof.Sibling); v.Proof.Sibling != "" && err == nil && b.fits(sibling) {
		v.Proof.Sibling += buildMark + from
	}
	return v, nil
}

// fits reports whether the build replaces a jar of the variant.
func (b build) fits(v Variant) bool {
	return len(b.fixtures) > 0 || slices.ContainsFunc(v.Artifacts, func(a Artifact) bool {
		_, there := b.artifacts[a.Name]
		return there
	})
}

// FixtureName returns the artifact name of a fixture's jar, by its module: {fixture.probes}, as
// in a command line.
func FixtureName(module string) string { return "{fixture." + module + "}" }

// FixtureModule is the inverse of FixtureName; ok is false for other names.
func FixtureModule(name string) (module string, ok bool) {
	rest, begins := strings.CutPrefix(name, "{fixture.")
	module, ends := strings.CutSuffix(rest, "}")
	return module, begins && ends && module != ""
}
