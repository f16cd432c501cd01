package framework

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"

	"moobench/harness/strict"
	"moobench/results"
)

//go:embed catalogue/*/entry.toml
var catalogueFiles embed.FS

// Catalogue returns the frameworks built into moobench. Their variants are read on demand.
// Reading one panics if it has a mistake; a test reads them all.
func Catalogue() (*Set, error) {
	files, err := fs.Glob(catalogueFiles, "catalogue/*/entry.toml")
	tables := map[string]strict.Value{}
	docs := map[string]*strict.Document{}
	for _, file := range files {
		text, readErr := catalogueFiles.ReadFile(file)
		doc, parseErr := strict.Parse(file, text)
		if err = errors.Join(err, readErr, parseErr); err != nil {
			break
		}
		name := path.Base(path.Dir(file))
		tables[name] = doc.Root()
		docs[name] = doc
	}
	s := &Set{variants: map[string]func() entry{}, tables: map[string]*table{}}
	s.add(tables, "", func(name string) {
		for _, variant := range s.framework(name) {
			s.variants[variant] = faultless(s.variants[variant], docs[name])
		}
		err = errors.Join(err, docs[name].Err())
	})
	if err != nil {
		return nil, fmt.Errorf("reading the catalogue: %w", err)
	}
	return s, nil
}

// faultless returns a reader of a variant of the catalogue that panics on mistakes.
func faultless(read func() entry, doc *strict.Document) func() entry {
	return func() entry {
		e := read()
		if err := doc.Err(); err != nil {
			panic(err) // the catalogue is part of the program
		}
		return e
	}
}

// With returns the set with the frameworks of a benchmarks.toml added, by name. A framework
// that the set already has is replaced as a whole, unless the new one inherits from it.
// Relative paths are relative to dir, the folder of the TOML. Mistakes are added to the values'
// document; they may leave the set incomplete.
func (s *Set) With(user map[string]strict.Value, dir string) *Set {
	all := &Set{
		variants: map[string]func() entry{},
		tables:   map[string]*table{},
		builds:   s.builds,
		digests:  s.digests,
		broken:   slices.Clone(s.broken),
		brought:  s.brought,
	}
	maps.Copy(all.tables, s.tables)
	for name, read := range s.variants {
		if _, replaced := user[frameworkOf(name)]; !replaced {
			all.variants[name] = read
		}
	}
	var added []string
	all.add(user, dir, func(name string) {
		for _, variant := range all.framework(name) {
			all.variants[variant]() // reports its mistakes
			added = append(added, variant)
		}
	})
	if len(all.broken) > 0 {
		return all
	}
	for _, name := range added {
		all.checkSibling(all.variants[name]())
	}
	return all
}

// checkSibling reports a sibling that does not exist, or whose own proof is not a count.
// Siblings in the catalogue belong to the same framework, and are replaced together with it.
func (s *Set) checkSibling(e entry) {
	sibling := e.Proof.Sibling
	if sibling == "" {
		return
	}
	if read := s.variants[sibling]; read == nil {
		e.proof.Fail(strict.Hint(sibling, s.Names()), "%s is to be proven by %q, which does not exist", e.Name, sibling)
	} else if read().Proof.Kind != results.ProofCount {
		e.proof.Fail("", "%s is to be proven by %q, whose own proof is not a count", e.Name, sibling)
	}
}

// add adds the tables of frameworks, which may inherit from one another, and then calls one for each.
func (s *Set) add(tables map[string]strict.Value, dir string, one func(name string)) {
	r := newReader(tables, dir, s.brought)
	for name, v := range tables {
		s.tables[name] = &table{name: name, r: r, v: v, replaced: s.tables[name]}
	}
	s.read(tables, "", func(name string, _ strict.Value) { one(name) })
}

// read calls one for each table, by name, and records the names of those with mistakes,
// prefixed with mark.
func (s *Set) read(tables map[string]strict.Value, mark string, one func(name string, v strict.Value)) {
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		before := tables[name].Mistakes()
		if checkLabel(name, tables[name]); name == None {
			tables[name].Fail("", "%q is the baseline, and can't be a name", name)
		}
		one(name, tables[name])
		if tables[name].Mistakes() > before {
			s.broken = append(s.broken, mark+name)
		}
	}
}

// Tables returns descriptions of the benchmarks.toml tables that this package reads, for the
// generated reference: of a framework, of a build, and of a jar of a user's program.
func Tables() (frameworks, builds, programs func() strict.Table) {
	return func() strict.Table { return newReader(nil, "", nil).layer(newDraft(), atFramework) },
		func() strict.Table { return newReader(nil, "", nil).build(&build{}) },
		func() strict.Table { return new(reader).fetched(strict.Value{}, jars{}) }
}
