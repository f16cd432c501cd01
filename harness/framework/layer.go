package framework

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// layer is what a framework, a mode or a stage says. The keys are the same at
// every level.
type layer struct {
	path []string

	about, license, target, receiver text
	attach, activate, deactivate     text
	classPath, args                  []text
	env, files                       map[string]text
	artifacts                        map[string]Artifact
	artifactPaths                    map[string][]string
	steps                            []string // nil says nothing
	body, change                     text
	proof                            *proofSpec
	queue                            *int64
	javaMin, javaMax                 int

	modes, stages map[string]*layer
}

// level says which tables may stand in a layer.
type level int

const (
	atStage level = iota
	atMode
	atFramework
)

func (r *reader) layer(v any, path []string, at level) *layer {
	l := &layer{path: path, artifacts: map[string]Artifact{}, artifactPaths: map[string][]string{}}
	var agent, agentPath, maven, sum text
	set := func(t *text) func(any, []string) {
		return func(v any, p []string) { *t = r.text(v, p) }
	}
	keys := map[string]func(any, []string){
		"about": set(&l.about), "license": set(&l.license), "target": set(&l.target),
		"attach": func(v any, p []string) { l.attach = r.agentPath(v, p) }, "activate": set(&l.activate), "deactivate": set(&l.deactivate),
		"receiver": set(&l.receiver),
		"agent":    set(&agent), "agentpath": set(&agentPath), "maven": set(&maven), "sha256": set(&sum),
		"java":      func(v any, p []string) { r.java(l, v, p) },
		"artifact":  func(v any, p []string) { r.artifacts(l, v, p) },
		"classpath": func(v any, p []string) { l.classPath = r.classPath(v, p) },
		"args":      func(v any, p []string) { l.args = r.texts(v, p) },
		"env":       func(v any, p []string) { l.env = r.env(v, p) },
		"files":     func(v any, p []string) { l.files = r.files(v, p) },
		"proof":     func(v any, p []string) { l.proof = r.proof(v, p) },
		"path":      func(v any, p []string) { l.steps = r.steps(v, p) },
		"body":      set(&l.body), "change": func(v any, p []string) { l.change = r.change(v, p) },
		"queue": func(v any, p []string) { n := r.integer(v, p); l.queue = &n },
	}
	if at == atFramework {
		keys["mode"] = func(v any, p []string) { l.modes = r.layers(v, p, atMode) }
	}
	if at >= atMode {
		keys["stage"] = func(v any, p []string) { l.stages = r.layers(v, p, atStage) }
	}
	r.fields(r.table(v, path), path, keys)
	r.agent(l, agent, maven, agentPath, sum)
	return l
}

// labelPattern keeps names out of the way of the slashes of a variant, of
// globs and of shells.
var labelPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]*$`)

func (r *reader) label(name string, path []string) {
	if name == None || !labelPattern.MatchString(name) {
		r.fail(path, "", "%q can't be a name: want letters, digits and . _ + -, and not %q", name, None)
	}
}

func (r *reader) layers(v any, path []string, at level) map[string]*layer {
	out := map[string]*layer{}
	tables := r.table(v, path)
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		r.label(name, under(path, name))
		out[name] = r.layer(tables[name], under(path, name), at)
	}
	return out
}

func (r *reader) java(l *layer, v any, path []string) {
	r.fields(r.table(v, path), path, map[string]func(any, []string){
		"min": func(v any, p []string) { l.javaMin = int(r.integer(v, p)) },
		"max": func(v any, p []string) { l.javaMax = int(r.integer(v, p)) },
	})
	if l.javaMax > 0 && l.javaMax < l.javaMin {
		r.fail(path, "", "max %d is less than min %d", l.javaMax, l.javaMin)
	}
}

// agent is the shorthand: an artifact, and the argument that loads it.
func (r *reader) agent(l *layer, agent, maven, agentPath, sum text) {
	var args []text
	add := func(name, option string, a Artifact, at []string) {
		a.Name = name
		r.addArtifact(l, a, at)
		args = append(args, text{option + ":{jar." + name + "}", at})
	}
	if agent.s != "" && maven.s != "" {
		r.fail(maven.path, "keep one of them", "agent and maven both name the agent")
	} else if agent.s != "" {
		add("agent", "-javaagent", Artifact{Path: r.file(agent.s), SHA256: sum.s}, agent.path)
	} else if maven.s != "" {
		add("agent", "-javaagent", Artifact{Maven: maven.s, SHA256: sum.s}, maven.path)
	} else if sum.s != "" && agentPath.s == "" {
		r.fail(sum.path, "it goes with agent, maven or agentpath", "sha256 of nothing")
	}
	if agentPath.s != "" {
		a := Artifact{Path: r.file(agentPath.s)}
		if len(args) == 0 {
			a.SHA256 = sum.s
		}
		add("agentpath", "-agentpath", a, agentPath.path)
	}
	l.args = append(args, l.args...)
}

// file is a path as seen from the folder of the TOML.
func (r *reader) file(path string) string {
	if r.dir == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(r.dir, path)
}

// classPath leaves absolute paths and placeholders, and puts the folder of
// the TOML before everything else.
func (r *reader) classPath(v any, path []string) []text {
	texts := r.texts(v, path)
	for i, t := range texts {
		texts[i] = r.rooted(t)
	}
	return texts
}

// agentPath is the jar and the options of an agent that is loaded late.
func (r *reader) agentPath(v any, path []string) text {
	t := r.text(v, path)
	if t.s == without {
		return t
	}
	return r.rooted(t)
}

func (r *reader) rooted(t text) text {
	if t.s != "" && r.dir != "" && !filepath.IsAbs(t.s) && (t.s[0] != '{' || strings.HasPrefix(t.s, "{{")) {
		t.s = strings.NewReplacer("{", "{{", "}", "}}").Replace(r.dir) + "/" + t.s
	}
	return t
}

func (r *reader) env(v any, path []string) map[string]text {
	env := r.textMap(v, path)
	for _, name := range slices.Sorted(maps.Keys(env)) {
		t := env[name]
		if strings.ContainsAny(name, "=\x00") || name == "" {
			r.fail(t.path, "", "%q can't be the name of an environment variable", name)
		}
	}
	return env
}

var (
	fileName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)
	// ownFile matches what moobench and the fixtures write into the folder.
	ownFile = regexp.MustCompile(`^(invocation\.json|summary\.json|samples\.parquet|(gc|out|stdout|err|redefine)\.log|records\.count|probe\.bin|.*\.i64)$`)
)

func (r *reader) files(v any, path []string) map[string]text {
	files := r.textMap(v, path)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		t := files[name]
		if !fileName.MatchString(name) {
			r.fail(t.path, "it is written into the invocation's folder", "%q is not a plain file name", name)
		} else if ownFile.MatchString(name) {
			r.fail(t.path, "choose another", "moobench itself writes a file %q", name)
		}
	}
	return files
}
