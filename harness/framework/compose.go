package framework

import (
	"maps"
	"slices"

	"moobench/harness/strict"
)

// framework reads one framework's table and adds its variants to the set.
func (s *Set) framework(r *reader, name string, v strict.Value) {
	top := &layer{}
	v.Table(r.layer(top, atFramework))
	modes := top.modes
	if len(modes) == 0 {
		modes = map[string]*layer{"bci": {}}
	}
	for _, mode := range slices.Sorted(maps.Keys(modes)) {
		m := modes[mode]
		// The stages of the framework, which every mode has, and those of the mode.
		stages := slices.AppendSeq(slices.Collect(maps.Keys(top.stages)), maps.Keys(m.stages))
		if len(stages) == 0 {
			stages = []string{"default"}
		}
		slices.Sort(stages)
		for _, stage := range slices.Compact(stages) {
			layers := []*layer{top, m, top.stages[stage], m.stages[stage]}
			v := Variant{Framework: name, Mode: mode, Stage: stage, Name: name + "/" + mode + "/" + stage}
			s.variants[v.Name] = r.compose(v, slices.DeleteFunc(layers, func(l *layer) bool { return l == nil }))
		}
	}
}

// compose stacks the layers of a variant: lists grow, tables are merged, and the single
// values of a lower layer win.
func (r *reader) compose(v Variant, layers []*layer) entry {
	all := layer{env: map[string]text{}, files: map[string]text{}, artifacts: map[string]placed{}}
	var templates []text
	for _, l := range layers {
		all.proof = l.proof.mergedOver(all.proof)
		for name, a := range l.artifacts {
			if _, twice := all.artifacts[name]; twice { // the argument that loads the first one would load this one too
				a.at.Fail("give it another name", "artifact %q is already named above", name)
			}
			all.artifacts[name] = a
		}
		maps.Copy(all.env, l.env)
		maps.Copy(all.files, l.files)
		for _, t := range l.classPath {
			v.ClassPath = append(v.ClassPath, t.s)
		}
		for _, t := range l.args {
			v.Args = append(v.Args, t.s)
		}
		templates = slices.Concat(templates, l.classPath, l.args, []text{l.attach, l.activate, l.deactivate})
		v.override(l)
	}
	for _, name := range slices.Sorted(maps.Keys(all.env)) {
		v.Env = append(v.Env, name+"="+all.env[name].s)
		templates = append(templates, all.env[name])
	}
	for _, name := range slices.Sorted(maps.Keys(all.files)) {
		v.Files = append(v.Files, File{Name: name, Template: all.files[name].s})
		templates = append(templates, all.files[name])
	}
	v.Artifacts = all.sorted()
	if v.Path == nil {
		v.Body = ""
	} else if v.Body == "" {
		v.Body = v.Mode
	}
	all.proof.prove(&v)
	r.check(&v, templates)
	e := entry{Variant: v}
	if all.proof != nil {
		e.proof = all.proof.Value
	}
	return e
}

// without is the value that undoes what a layer above does to the running JVM.
const without = "none"

// override applies the single values of a layer; its about is appended.
func (v *Variant) override(l *layer) {
	if v.About != "" && l.about.s != "" {
		v.About += ", "
	}
	v.About += l.about.s
	for dst, t := range map[*string]text{
		&v.License: l.license, &v.Target: l.target, &v.Receiver: l.receiver, &v.Body: l.body, &v.Change: l.change,
		&v.Attach: l.attach, &v.Activate: l.activate, &v.Deactivate: l.deactivate,
	} {
		if t.s != "" {
			*dst = t.s
		}
	}
	for _, step := range []*string{&v.Attach, &v.Activate, &v.Deactivate} {
		if *step == without {
			*step = ""
		}
	}
	if l.path != nil {
		v.Path = l.path
	}
	if l.queue != nil {
		v.Queue = *l.queue
	}
	v.JavaMin = max(v.JavaMin, l.javaMin)
	if v.JavaMax == 0 || l.javaMax > 0 && l.javaMax < v.JavaMax { // 0 is no limit
		v.JavaMax = l.javaMax
	}
}
