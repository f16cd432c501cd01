package framework

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"moobench/harness/strict"
	"moobench/results"
)

// draft is a variant of which some layers are read: those of the framework, of the mode,
// and of the stage. What a layer says is added to what the ones above it said: lists
// grow, tables are merged, and its single values win.
type draft struct {
	Variant
	artifacts  jars
	env, files map[string]strict.Value // texts
	proven     strict.Value            // where the lowest layer says how; its Raw is nil where none does
	templates  []strict.Value          // texts that hold placeholders, of all layers
	preparing  []strict.Value          // those of what is done before
}

func newDraft() *draft {
	return &draft{artifacts: jars{}, env: map[string]strict.Value{}, files: map[string]strict.Value{}}
}

// framework adds the variants of one framework's table to the set, and returns their names.
// Each is read when it is first asked for.
func (s *Set) framework(r *reader, name string, v strict.Value) []string {
	var all []string
	for _, mode := range names("bci", v.Key("mode")) {
		// The stages of the framework, which every mode has, and those of the mode.
		for _, stage := range names("default", v.Key("stage"), v.Key("mode").Key(mode).Key("stage")) {
			d := newDraft()
			d.Variant = Variant{Framework: name, Mode: mode, Stage: stage, Name: name + "/" + mode + "/" + stage}
			s.variants[d.Name] = sync.OnceValue(func() entry { return d.read(r, v) })
			all = append(all, d.Name)
		}
	}
	return all
}

// read reads the layers of the variant from its framework's table.
func (d *draft) read(r *reader, v strict.Value) entry {
	inMode := v.Key("mode").Key(d.Mode)
	v.Table(r.layer(d, atFramework))
	if inMode.Raw != nil {
		inMode.Table(r.layer(d, atMode))
	}
	for _, layer := range []strict.Value{v.Key("stage").Key(d.Stage), inMode.Key("stage").Key(d.Stage)} {
		if layer.Raw != nil {
			layer.Table(r.layer(d, atStage))
		}
	}
	d.Env = results.Each(slices.Sorted(maps.Keys(d.env)), func(name string) string { return name + "=" + d.env[name].Raw.(string) })
	d.Files = results.Each(slices.Sorted(maps.Keys(d.files)), func(name string) File {
		return File{Name: name, Template: d.files[name].Raw.(string)}
	})
	d.Artifacts = d.artifacts.sorted()
	if d.Body = cmp.Or(d.Body, d.Mode); d.Path == nil {
		d.Body = ""
	}
	d.prove()
	r.check(d)
	return entry{d.Variant, d.proven}
}

// names are the keys of tables, sorted; only the missing one where they have none.
func names(missing string, tables ...strict.Value) []string {
	var all []string
	for _, t := range tables {
		table, _ := t.Raw.(map[string]any)
		all = slices.AppendSeq(all, maps.Keys(table))
	}
	if len(all) == 0 {
		return []string{missing}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
