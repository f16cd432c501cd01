package framework

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"moobench/harness/strict"
	"moobench/results"
)

var (
	aliasPattern  = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*$`)
	digestPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)
	mavenPattern  = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]*(:[A-Za-z0-9_][A-Za-z0-9._-]*){2,3}$`)
)

// Example values in the descriptions of keys.
const (
	aJar    = "com.acme:my-agent:1.2"
	aDigest = "bbe1dddff45944a37c8d8252fbb8a01337b6257e0df6755da5e3efa22276598b"
)

// coordinates are Maven coordinates; packaging "" means jar.
type coordinates struct{ group, artifact, version, classifier, packaging string }

func parseCoordinates(s string) (coordinates, error) {
	if !mavenPattern.MatchString(s) {
		return coordinates{}, fmt.Errorf("%q are not Maven coordinates: "+
			"want group:artifact:version or group:artifact:version:classifier", s)
	}
	parts := strings.Split(s, ":")
	return coordinates{
		group:      parts[0],
		artifact:   parts[1],
		version:    parts[2],
		classifier: strings.Join(parts[3:], ""),
	}, nil
}

// String is the inverse of parseCoordinates.
func (c coordinates) String() string {
	return strings.TrimSuffix(strings.Join([]string{c.group, c.artifact, c.version, c.classifier}, ":"), ":")
}

// pom returns the coordinates of the artifact's POM.
func (c coordinates) pom() coordinates {
	return coordinates{group: c.group, artifact: c.artifact, version: c.version, packaging: "pom"}
}

// path returns the file's path in a repository with Maven's default layout.
func (c coordinates) path() string {
	name := c.artifact + "-" + c.version
	if c.classifier != "" {
		name += "-" + c.classifier
	}
	return path.Join(strings.ReplaceAll(c.group, ".", "/"), c.artifact, c.version, name+"."+c.kind())
}

// get returns the coordinates in the format of dependency:get.
func (c coordinates) get() string {
	return strings.TrimSuffix(c.group+":"+c.artifact+":"+c.version+":"+c.kind()+":"+c.classifier, ":")
}

func (c coordinates) kind() string { return cmp.Or(c.packaging, "jar") }

// jars are the files that go into a JVM, by artifact name.
type jars map[string]placed

// placed is an artifact and its position in the file.
type placed struct {
	Artifact
	at strict.Value
}

// add checks an artifact and adds it to the jars.
func (r *reader) add(to jars, a Artifact, at strict.Value) {
	if !aliasPattern.MatchString(a.Name) {
		at.Fail("", "%q can't be an artifact's name: want small letters, digits, - and _", a.Name)
	}
	if a.Maven != "" {
		if _, err := parseCoordinates(a.Maven); err != nil {
			at.Fail("", "%v", err)
		}
	}
	if a.SHA256 != "" {
		checkDigest(a.SHA256, at)
	}
	if _, twice := to[a.Name]; twice {
		at.Fail("", "artifact %q is named twice", a.Name)
	}
	if a.Path != "" {
		a.Key = at.Path()
		if a.SHA256 == "" && !strings.HasPrefix(a.Path, atHome) {
			// Two builds of one agent may differ in content alone. A missing file is reported
			// when it is needed.
			a.SHA256 = r.digest(a.Path)
		}
	}
	to[a.Name] = placed{a, at}
}

// checkDigest reports an invalid SHA-256.
func checkDigest(sum string, at strict.Value) {
	if !digestPattern.MatchString(sum) {
		at.Fail("as sha256sum prints it", "sha256 is not 64 small hexadecimal digits")
	}
}

// agentName is the artifact name of a jar given by a short key.
const agentName = "agent"

// jarKeys returns the keys that name jars, in a layer and in a build. Once they are read, agents
// adds the jars of the short keys to the others, and returns the JVM arguments that load them.
func (r *reader) jarKeys(to jars) (keys []strict.Key, agents func(v strict.Value) []string) {
	var agent, maven, agentPath, sum string
	keys = []strict.Key{
		strict.NewKey("agent", line(&agent),
			"path of the agent's jar: short for an artifact agent, and -javaagent:{jar.agent} among args").
			Like("target/my-agent.jar"),
		strict.NewKey("maven", line(&maven),
			"Maven coordinates of the agent's jar, group:artifact:version or with :classifier, instead of its path").
			Like(aJar),
		strict.NewKey("agentpath", line(&agentPath),
			"path of a native agent, for -agentpath:").Like("target/libmine.so"),
		strict.NewKey("sha256", line(&sum), "SHA-256 of the agent's file: another one is refused").Like(aDigest),
		strict.NewKey("artifact", strict.ByName(func(v strict.Value) strict.Table { return r.artifact(v, to) }),
			"files that go into the JVM, by name: {jar.NAME} is the path"),
	}
	return keys, func(v strict.Value) (args []string) {
		add := func(key, option string, a Artifact) {
			r.add(to, a, v.Key(key))
			args = append(args, option+":{jar."+a.Name+"}")
		}
		switch {
		case agent != "" && maven != "":
			v.Key("maven").Fail("keep one of them", "agent and maven both name the agent")
		case agent != "":
			add("agent", "-javaagent", Artifact{Name: agentName, Path: r.fromFolder(agent), SHA256: sum})
		case maven != "":
			add("maven", "-javaagent", Artifact{Name: agentName, Maven: maven, SHA256: sum})
		case sum != "" && agentPath == "":
			v.Key("sha256").Fail("it goes with agent, maven or agentpath", "sha256 of nothing")
		}
		if len(args) > 0 {
			sum = "" // it belongs to that agent
		}
		if agentPath != "" {
			add("agentpath", "-agentpath", Artifact{Name: "agentpath", Path: r.fromFolder(agentPath), SHA256: sum})
		}
		return args
	}
}

// artifact describes one artifact, which is added to the jars.
func (r *reader) artifact(v strict.Value, to jars) strict.Table {
	a := Artifact{Name: v.Name()}
	return strict.NewTable("A file that goes into the JVM.",
		strict.NewKey("maven", line(&a.Maven),
			"its Maven coordinates, group:artifact:version or with :classifier").Like(aJar),
		strict.NewKey("path", line(&a.Path),
			"its path, relative to the file's folder, instead of coordinates").Like("lib/api.jar"),
		strict.NewKey("sha256", line(&a.SHA256), "its SHA-256: another file is refused").Like(aDigest),
	).Checked(func(v strict.Value) {
		if (a.Maven == "") == (a.Path == "") {
			v.Fail("", "want either maven or path")
		}
		a.Path = r.fromFolder(a.Path)
		r.add(to, a, v)
	})
}

// fetched describes a jar of a user's program. It has no key path, because a local jar needs no
// artifact name.
func (r *reader) fetched(v strict.Value, to jars) strict.Table {
	t := r.artifact(v, to)
	t.Text = "A jar that is fetched."
	t.Keys = slices.DeleteFunc(t.Keys, func(k strict.Key) bool { return k.Name == "path" })
	return t
}

// fromFolder resolves a path relative to the folder of the TOML; "" stays "".
func (r *reader) fromFolder(path string) string {
	if path == "" || r.dir == "" || filepath.IsAbs(path) || strings.HasPrefix(path, atHome) {
		return path
	}
	return filepath.Join(r.dir, path)
}

// atHome is the prefix of paths inside the folder where the framework is installed.
const atHome = "{home}"

// settle resolves the paths of an installed framework's artifacts, once its home is known.
func (r *reader) settle(artifacts []Artifact, home string) {
	for i := range artifacts {
		a := &artifacts[i]
		rest, there := strings.CutPrefix(a.Path, atHome)
		if !there || home == "" {
			continue
		}
		if a.Path = filepath.Join(home, rest); a.SHA256 == "" {
			a.SHA256 = r.digest(a.Path) // a missing file is reported when it is needed
		}
	}
}

// Homeless reports whether the variant needs to know where it is installed, and has no home.
func (v Variant) Homeless() bool {
	lies := slices.ContainsFunc(v.Artifacts, func(a Artifact) bool { return strings.HasPrefix(a.Path, atHome) })
	return v.Home == "" && (lies || v.Uses("home"))
}

// Jars returns the artifacts of a user's program, sorted by name. v is a table of tables with
// maven and sha256. Mistakes are added to its document.
func Jars(v strict.Value) []Artifact {
	if v.Raw == nil {
		return nil
	}
	r, all := &reader{}, jars{}
	for _, e := range v.Entries() {
		if e.Has("path") {
			e.Key("path").Fail("write the path itself where the jar is needed",
				"a jar that is there already needs no artifact")
			continue
		}
		e.Table(r.fetched(e, all))
	}
	return all.sorted()
}

// sorted returns the artifacts sorted by name.
func (j jars) sorted() []Artifact {
	return results.Each(slices.Sorted(maps.Keys(j)), func(name string) Artifact { return j[name].Artifact })
}
