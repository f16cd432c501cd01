package framework

import (
	"maps"
	"slices"
)

// framework reads one framework's table and adds its variants to the set.
func (s *Set) framework(r *reader, name string, raw map[string]any) {
	path := []string{"framework", name}
	r.label(name, path)
	top := r.layer(raw, path, atFramework)
	modes := top.modes
	if len(modes) == 0 {
		modes = map[string]*layer{"bci": {path: path}}
	}
	for _, mode := range slices.Sorted(maps.Keys(modes)) {
		m := modes[mode]
		stages := stageNames(top, m)
		for _, stage := range stages {
			layers := []*layer{top, m, top.stages[stage], m.stages[stage]}
			v := Variant{Framework: name, Mode: mode, Stage: stage, Name: name + "/" + mode + "/" + stage}
			s.variants[v.Name] = r.compose(v, slices.DeleteFunc(layers, func(l *layer) bool { return l == nil }))
		}
	}
}

// stageNames are those of the framework, which every mode has, and those of
// the mode.
func stageNames(top, mode *layer) []string {
	names := slices.Collect(maps.Keys(top.stages))
	for n := range mode.stages {
		if top.stages[n] == nil {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return []string{"default"}
	}
	slices.Sort(names)
	return names
}

// compose stacks the layers of a variant: lists grow, tables are merged,
// single values of a lower layer win.
func (r *reader) compose(v Variant, layers []*layer) entry {
	var templates []text
	var proof *proofSpec
	env, files, artifacts := map[string]text{}, map[string]text{}, map[string]Artifact{}
	for _, l := range layers {
		r.single(&v, l)
		proof = l.proof.over(proof)
		r.mergeArtifacts(artifacts, l)
		maps.Copy(env, l.env)
		maps.Copy(files, l.files)
		v.ClassPath = append(v.ClassPath, plain(l.classPath)...)
		v.Args = append(v.Args, plain(l.args)...)
		templates = slices.Concat(templates, l.classPath, l.args)
		for _, t := range []text{l.attach, l.activate, l.deactivate} {
			if t.s != "" {
				templates = append(templates, t)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(env)) {
		v.Env = append(v.Env, name+"="+env[name].s)
		templates = append(templates, env[name])
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		v.Files = append(v.Files, File{Name: name, Template: files[name].s})
		templates = append(templates, files[name])
	}
	for _, name := range slices.Sorted(maps.Keys(artifacts)) {
		v.Artifacts = append(v.Artifacts, artifacts[name])
	}
	if v.Path == nil {
		v.Body = ""
	} else if v.Body == "" {
		v.Body = v.Mode
	}
	r.prove(&v, proof)
	r.check(&v, templates)
	e := entry{Variant: v}
	if proof != nil {
		e.proofPath = proof.path
	}
	return e
}

// single takes over the single values of a layer; what it is about is added.
func (r *reader) single(v *Variant, l *layer) {
	if v.About != "" && l.about.s != "" {
		v.About += ", "
	}
	v.About += l.about.s
	override(&v.License, l.license)
	override(&v.Target, l.target)
	overrideStep(&v.Attach, l.attach)
	overrideStep(&v.Activate, l.activate)
	overrideStep(&v.Deactivate, l.deactivate)
	override(&v.Receiver, l.receiver)
	override(&v.Body, l.body)
	override(&v.Change, l.change)
	if l.steps != nil {
		v.Path = l.steps
	}
	r.source("receiver", l.receiver, networkSources)
	if l.queue != nil {
		v.Queue = *l.queue
	}
	v.JavaMin, v.JavaMax = max(v.JavaMin, l.javaMin), atMost(v.JavaMax, l.javaMax)
}

func override(s *string, t text) {
	if t.s != "" {
		*s = t.s
	}
}

// without is the value that leaves out again what a layer above does to the
// running JVM.
const without = "none"

// overrideStep is override for what is done to the running JVM.
func overrideStep(s *string, t text) {
	override(s, t)
	if *s == without {
		*s = ""
	}
}

// atMost is the lower of two limits, of which 0 is none.
func atMost(a, b int) int {
	if a == 0 || b == 0 {
		return a + b
	}
	return min(a, b)
}

// mergeArtifacts refuses a second artifact of the same name: the argument
// that loads the first one would load the second one too.
func (r *reader) mergeArtifacts(all map[string]Artifact, l *layer) {
	for name, a := range l.artifacts {
		if _, twice := all[name]; twice {
			r.fail(l.artifactPaths[name], "give it another name", "artifact %q is already named above", name)
		}
		all[name] = a
	}
}

func plain(ts []text) []string {
	out := make([]string, len(ts))
	for i, t := range ts {
		out[i] = t.s
	}
	return out
}
