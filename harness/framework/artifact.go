package framework

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"moobench/results/safefile"
)

var (
	aliasPattern  = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*$`)
	digestPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)
	mavenPart     = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]*$`)
)

// coordinates are a jar's Maven coordinates.
type coordinates struct{ group, artifact, version, classifier string }

func parseCoordinates(s string) (coordinates, error) {
	parts := strings.Split(s, ":")
	ok := len(parts) == 3 || len(parts) == 4
	for _, p := range parts {
		ok = ok && mavenPart.MatchString(p)
	}
	if !ok {
		return coordinates{}, fmt.Errorf("%q are no Maven coordinates: want group:artifact:version or group:artifact:version:classifier", s)
	}
	c := coordinates{group: parts[0], artifact: parts[1], version: parts[2]}
	if len(parts) == 4 {
		c.classifier = parts[3]
	}
	return c, nil
}

// path is where a repository in Maven's default layout keeps the jar.
func (c coordinates) path() string {
	name := c.artifact + "-" + c.version
	if c.classifier != "" {
		name += "-" + c.classifier
	}
	return strings.Join([]string{strings.ReplaceAll(c.group, ".", "/"), c.artifact, c.version, name + ".jar"}, "/")
}

// get is the jar as dependency:get wants it.
func (c coordinates) get() string {
	s := c.group + ":" + c.artifact + ":" + c.version + ":jar"
	if c.classifier != "" {
		s += ":" + c.classifier
	}
	return s
}

// addArtifact checks an artifact and puts it into the layer.
func (r *reader) addArtifact(l *layer, a Artifact, path []string) {
	if !aliasPattern.MatchString(a.Name) {
		r.fail(path, "", "%q can't be an artifact's name: want small letters, digits, - and _", a.Name)
	}
	if a.Maven != "" {
		if _, err := parseCoordinates(a.Maven); err != nil {
			r.fail(path, "", "%v", err)
		}
	}
	if a.SHA256 != "" && !digestPattern.MatchString(a.SHA256) {
		r.fail(path, "as sha256sum prints it", "sha256 is not 64 small hexadecimal digits")
	}
	if _, twice := l.artifacts[a.Name]; twice {
		r.fail(path, "", "artifact %q is named twice", a.Name)
	}
	if a.Path != "" {
		a.Key = path
	}
	if a.Path != "" && a.SHA256 == "" {
		// Two builds of one agent differ in nothing but their content. A file
		// that is not there yet is told when it is needed.
		a.SHA256, _ = safefile.Digest(a.Path, safefile.Open)
	}
	l.artifacts[a.Name], l.artifactPaths[a.Name] = a, path
}

// Jars are the artifacts of a program that is no framework, sorted by name: a
// table maven and sha256 for each. Everything that is wrong is returned at once,
// its path beginning below raw.
func Jars(raw map[string]any) ([]Artifact, []KeyError) {
	r, l := &reader{}, &layer{artifacts: map[string]Artifact{}, artifactPaths: map[string][]string{}}
	fetched := maps.Clone(raw)
	for name, v := range raw {
		if table, ok := v.(map[string]any); ok && table["path"] != nil {
			r.fail([]string{name, "path"}, "write the path itself where the jar is needed", "a jar that is there already needs no artifact")
			delete(fetched, name)
		}
	}
	r.artifacts(l, fetched, nil)
	all := slices.SortedFunc(maps.Values(l.artifacts), func(a, b Artifact) int { return strings.Compare(a.Name, b.Name) })
	return all, r.errs
}

func (r *reader) artifacts(l *layer, v any, path []string) {
	tables := r.table(v, path)
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		at := under(path, name)
		a := Artifact{Name: name}
		set := func(s *string) func(any, []string) {
			return func(v any, p []string) { *s = r.text(v, p).s }
		}
		r.fields(r.table(tables[name], at), at, map[string]func(any, []string){
			"maven": set(&a.Maven), "path": set(&a.Path), "sha256": set(&a.SHA256),
		})
		if (a.Maven == "") == (a.Path == "") {
			r.fail(at, "", "want either maven or path")
		}
		if a.Path != "" {
			a.Path = r.file(a.Path)
		}
		r.addArtifact(l, a, at)
	}
}

// version is that of Maven coordinates, "" of what are none.
func version(maven string) string {
	c, err := parseCoordinates(maven)
	if err != nil {
		return ""
	}
	return c.version
}
