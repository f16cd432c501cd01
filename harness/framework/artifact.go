package framework

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"moobench/harness/strict"
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

// path is the jar's place in a repository with Maven's default layout.
func (c coordinates) path() string {
	name := c.artifact + "-" + c.version
	if c.classifier != "" {
		name += "-" + c.classifier
	}
	return strings.Join([]string{strings.ReplaceAll(c.group, ".", "/"), c.artifact, c.version, name + ".jar"}, "/")
}

// get is the jar as dependency:get names it.
func (c coordinates) get() string {
	s := c.group + ":" + c.artifact + ":" + c.version + ":jar"
	if c.classifier != "" {
		s += ":" + c.classifier
	}
	return s
}

// add checks an artifact and puts it into the layer.
func (l *layer) add(a Artifact, at strict.Value) {
	if !aliasPattern.MatchString(a.Name) {
		at.Fail("", "%q can't be an artifact's name: want small letters, digits, - and _", a.Name)
	}
	if a.Maven != "" {
		if _, err := parseCoordinates(a.Maven); err != nil {
			at.Fail("", "%v", err)
		}
	}
	if a.SHA256 != "" && !digestPattern.MatchString(a.SHA256) {
		at.Fail("as sha256sum prints it", "sha256 is not 64 small hexadecimal digits")
	}
	if _, twice := l.artifacts[a.Name]; twice {
		at.Fail("", "artifact %q is named twice", a.Name)
	}
	if a.Path != "" {
		a.Key = at.Path()
		if a.SHA256 == "" {
			// Two builds of one agent may differ in nothing but their content. A file
			// that does not exist yet is reported when it is needed.
			a.SHA256, _ = safefile.Digest(a.Path, safefile.Open)
		}
	}
	if l.artifacts == nil {
		l.artifacts = map[string]placed{}
	}
	l.artifacts[a.Name] = placed{a, at}
}

// jarKeys are the keys that name jars, in a layer and in a build.
func (r *reader) jarKeys(l *layer) []strict.Key {
	return []strict.Key{
		strict.NewKey("agent", line(&l.agent),
			"path of the agent's jar: short for an artifact agent, and -javaagent:{jar.agent} among args"),
		strict.NewKey("maven", line(&l.maven),
			"Maven coordinates of the agent's jar, group:artifact:version or with :classifier, instead of its path"),
		strict.NewKey("agentpath", line(&l.agentPath), "path of a native agent, for -agentpath:"),
		strict.NewKey("sha256", line(&l.sum), "SHA-256 of the agent's file: another one is refused"),
		strict.NewKey("artifact", strict.ByName(func(v strict.Value) strict.Table { return r.artifact(v, l) }),
			"files that go into the JVM, by name: {jar.NAME} is the path"),
	}
}

// artifact describes one artifact of a layer.
func (r *reader) artifact(v strict.Value, l *layer) strict.Table {
	a := Artifact{Name: v.Name()}
	return strict.Table{
		Text: "A file that goes into the JVM.",
		Keys: []strict.Key{
			strict.NewKey("maven", strict.Func("string", &a.Maven, strict.Value.NotEmpty),
				"its Maven coordinates, group:artifact:version or with :classifier"),
			strict.NewKey("path", strict.Func("string", &a.Path, strict.Value.NotEmpty),
				"its path, relative to the file's folder, instead of coordinates"),
			strict.NewKey("sha256", strict.Func("string", &a.SHA256, strict.Value.NotEmpty), "its SHA-256: another file is refused"),
		},
		Check: func(v strict.Value) {
			if (a.Maven == "") == (a.Path == "") {
				v.Fail("", "want either maven or path")
			}
			a.Path = r.fromFolder(a.Path)
			l.add(a, v)
		},
	}
}

// addAgents puts the agents of the short keys among the artifacts of a layer, and the
// arguments that load them before the layer's own.
func (r *reader) addAgents(l *layer) {
	var args []text
	add := func(name, option string, a Artifact, at text) {
		a.Name = name
		l.add(a, at.Value)
		args = append(args, text{option + ":{jar." + name + "}", at.Value})
	}
	switch {
	case l.agent.s != "" && l.maven.s != "":
		l.maven.Fail("keep one of them", "agent and maven both name the agent")
	case l.agent.s != "":
		add("agent", "-javaagent", Artifact{Path: r.fromFolder(l.agent.s), SHA256: l.sum.s}, l.agent)
	case l.maven.s != "":
		add("agent", "-javaagent", Artifact{Maven: l.maven.s, SHA256: l.sum.s}, l.maven)
	case l.sum.s != "" && l.agentPath.s == "":
		l.sum.Fail("it goes with agent, maven or agentpath", "sha256 of nothing")
	}
	if l.agentPath.s != "" {
		a := Artifact{Path: r.fromFolder(l.agentPath.s)}
		if len(args) == 0 {
			a.SHA256 = l.sum.s
		}
		add("agentpath", "-agentpath", a, l.agentPath)
	}
	l.args = append(args, l.args...)
}

// fromFolder is a path relative to the folder of the TOML; "" stays "".
func (r *reader) fromFolder(path string) string {
	if path == "" || r.dir == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(r.dir, path)
}

// Jars are the artifacts of a program that is no framework, sorted by name: a table with
// maven and sha256 each. Mistakes are added to the value's document.
func Jars(v strict.Value) []Artifact {
	if v.Raw == nil {
		return nil
	}
	r, l := &reader{}, &layer{}
	for _, e := range v.Entries() {
		if e.Has("path") {
			e.Key("path").Fail("write the path itself where the jar is needed", "a jar that is there already needs no artifact")
			continue
		}
		e.Table(r.artifact(e, l))
	}
	return l.sorted()
}

// sorted returns the artifacts of a layer by name.
func (l *layer) sorted() []Artifact {
	var all []Artifact
	for _, name := range slices.Sorted(maps.Keys(l.artifacts)) {
		all = append(all, l.artifacts[name].Artifact)
	}
	return all
}
