package framework

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"moobench/harness/strict"
	"moobench/results"
)

// draft is a variant whose layers are being read: first of the framework, then of the mode and of the
// stage. Each layer adds to the layers above: lists grow, tables are merged, and single values override.
type draft struct {
	Variant
	artifacts  jars
	env, files map[string]strict.Value // strings
	parameters map[string]strict.Value // values of the placeholders with these names
	settings   map[string]string       // values from the variant's name, which override these
	proven     strict.Value            // position of the lowest layer's proof; Raw is nil if no layer has one
	templates  []strict.Value          // strings with placeholders, of all layers
	preparing  []strict.Value          // strings of prepare
	inherited  jars                    // artifacts of inherited tables, which may be replaced
}

func newDraft() *draft {
	return &draft{
		artifacts:  jars{},
		env:        map[string]strict.Value{},
		files:      map[string]strict.Value{},
		parameters: map[string]strict.Value{},
	}
}

// table is the table of a framework in a file.
type table struct {
	name     string
	r        *reader
	v        strict.Value
	replaced *table // the table of the same name that it replaced
}

// chain returns the tables that define a framework: those that it inherits from, and its own as
// the last.
func (s *Set) chain(name string) []*table {
	var all []*table
	for t := s.tables[name]; t != nil; t = s.base(t) {
		if slices.Contains(all, t) {
			all[len(all)-1].v.Key(inherits).Fail("", "%s inherits from itself", name)
			break
		}
		all = slices.Insert(all, 0, t)
	}
	return all
}

// inherits is the key that names the framework to inherit from.
const inherits = "inherits"

// base returns the table that a table inherits from, or nil.
func (s *Set) base(t *table) *table {
	base, named := t.v.Key(inherits).Raw.(string)
	switch {
	case !named:
		return nil
	case base == t.name:
		return t.replaced
	}
	return s.tables[base]
}

// framework adds the variants of one framework to the set, and returns their names. Each is
// read on first use.
func (s *Set) framework(name string) []string {
	var all []string
	chain := s.chain(name)
	own := chain[len(chain)-1]
	if base, named := own.v.Key(inherits).Raw.(string); named && s.base(own) == nil {
		known := slices.Sorted(maps.Keys(s.tables))
		if base == name {
			own.v.Key(inherits).Fail("the catalogue has none of this name", "%s inherits from itself", name)
		} else {
			own.v.Key(inherits).Fail(strict.Hint(base, known), "unknown framework %q", base)
		}
	}
	tables := func(keys func(v strict.Value) []strict.Value) (all []strict.Value) {
		for _, t := range chain {
			all = append(all, keys(t.v)...)
		}
		return all
	}
	modeTables := tables(func(v strict.Value) []strict.Value { return []strict.Value{v.Key("mode")} })
	for _, mode := range names("bci", modeTables...) {
		if !changes(chain, mode) {
			continue
		}
		// The stages of the framework, which every mode has, and those of the mode.
		stages := tables(func(v strict.Value) []strict.Value {
			return []strict.Value{v.Key("stage"), v.Key("mode").Key(mode).Key("stage")}
		})
		for _, stage := range names("default", stages...) {
			d := newDraft()
			d.Variant = Variant{Framework: name, Mode: mode, Stage: stage, Name: name + "/" + mode + "/" + stage}
			s.variants[d.Name] = sync.OnceValue(func() entry { return d.read(chain) })
			all = append(all, d.Name)
		}
	}
	if len(all) == 0 {
		own.v.Fail("", "%s has no jar that one of %s goes with", own.v.Key(inherits).Raw, name)
	}
	return all
}

// changes reports whether an inherited mode is kept. If the inheriting framework brings its own
// jars, the mode is kept only if it had a jar with one of their names.
func changes(chain []*table, mode string) bool {
	own := jarsOf(chain[len(chain)-1].v)
	if len(chain) == 1 || len(own) == 0 || chain[len(chain)-1].v.Key("mode").Has(mode) {
		return true
	}
	for _, t := range chain[:len(chain)-1] {
		had := slices.Concat(jarsOf(t.v), jarsOf(t.v.Key("mode").Key(mode)))
		if slices.ContainsFunc(own, func(name string) bool { return slices.Contains(had, name) }) {
			return true
		}
	}
	return false
}

// jarsOf returns the names of the jars of a layer.
func jarsOf(v strict.Value) []string {
	all := slices.Collect(maps.Keys(tableOf(v.Key("artifact"))))
	if v.Has("agent") || v.Has("maven") {
		all = append(all, agentName)
	}
	return all
}

func tableOf(v strict.Value) map[string]any {
	t, _ := v.Raw.(map[string]any)
	return t
}

// read reads the layers of the variant from the tables of its framework, inherited tables first.
func (d *draft) read(chain []*table) entry {
	own := chain[len(chain)-1]
	for _, t := range chain {
		before := t.v.Mistakes()
		if d.inherited = maps.Clone(d.artifacts); len(jarsOf(t.v)) > 0 {
			d.License = "" // the inherited license belongs to another jar
		}
		d.layers(t)
		if t != own && t.v.Mistakes() > before {
			own.v.Key(inherits).Fail("", "what it says doesn't go with what it inherits")
		}
	}
	d.Env = results.Each(slices.Sorted(maps.Keys(d.env)), func(name string) string {
		return name + "=" + d.env[name].Raw.(string)
	})
	d.Files = results.Each(slices.Sorted(maps.Keys(d.files)), func(name string) File {
		return File{Name: name, Template: d.files[name].Raw.(string)}
	})
	d.fill()
	d.Artifacts = d.artifacts.sorted()
	if d.Body = cmp.Or(d.Body, d.Mode); d.Path == nil {
		d.Body = ""
	}
	own.r.settle(d.Artifacts, d.Home)
	d.AboutAny = d.About
	d.About = d.told()
	d.prove()
	own.r.check(d)
	return entry{d.Variant, d.proven}
}

// layers reads the layers of one table: the framework's, the mode's and the stage's.
func (d *draft) layers(t *table) {
	inMode := t.v.Key("mode").Key(d.Mode)
	t.v.Table(t.r.layer(d, atFramework))
	if inMode.Raw != nil {
		inMode.Table(t.r.layer(d, atMode))
	}
	for _, layer := range []strict.Value{t.v.Key("stage").Key(d.Stage), inMode.Key("stage").Key(d.Stage)} {
		if layer.Raw != nil {
			layer.Table(t.r.layer(d, atStage))
		}
	}
}

// names returns the keys of tables, sorted and without duplicates, or only missing if all
// tables are empty.
func names(missing string, tables ...strict.Value) []string {
	var all []string
	for _, t := range tables {
		all = slices.AppendSeq(all, maps.Keys(tableOf(t)))
	}
	if len(all) == 0 {
		return []string{missing}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
