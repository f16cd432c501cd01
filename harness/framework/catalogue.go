package framework

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"moobench/harness/strict"
	"moobench/results"
)

//go:embed catalogue/*.toml
var catalogueFiles embed.FS

// Catalogue returns the frameworks that moobench comes with.
func Catalogue() (*Set, error) {
	files, err := fs.Glob(catalogueFiles, "catalogue/*.toml")
	var docs []*strict.Document
	tables := map[string]strict.Value{}
	for _, file := range files {
		text, readErr := catalogueFiles.ReadFile(file)
		doc, parseErr := strict.Parse(file, text)
		if err = errors.Join(err, readErr, parseErr); err != nil {
			break
		}
		docs = append(docs, doc)
		tables[strings.TrimSuffix(path.Base(file), ".toml")] = doc.Root()
	}
	s := new(Set).With(tables, "")
	for _, doc := range docs {
		err = errors.Join(err, doc.Err())
	}
	if err != nil {
		return nil, fmt.Errorf("reading the catalogue: %w", err)
	}
	return s, nil
}

// With returns the set with the frameworks of a benchmarks.toml added, by name; one that
// the set has already is replaced as a whole. Relative paths are relative to dir, the
// folder of the TOML. Mistakes are added to the document of the values; the set is
// complete only when there are none.
func (s *Set) With(user map[string]strict.Value, dir string) *Set {
	all := &Set{variants: map[string]entry{}, builds: s.builds, broken: slices.Clone(s.broken)}
	for name, e := range s.variants {
		if _, replaced := user[e.Framework]; !replaced {
			all.variants[name] = e
		}
	}
	all.read(user, dir, "", all.framework)
	if len(all.broken) > 0 {
		return all
	}
	for _, name := range all.Names() { // whose sibling must exist, and count
		e := all.variants[name]
		if other, ok := all.variants[e.Proof.Sibling]; e.Proof.Sibling != "" && !ok {
			e.proof.Fail(strict.Hint(e.Proof.Sibling, all.Names()), "%s is to be proven by %q, which does not exist", name, e.Proof.Sibling)
		} else if ok && other.Proof.Kind != results.ProofCount {
			e.proof.Fail("", "%s is to be proven by %q, whose own proof is not a count", name, e.Proof.Sibling)
		}
	}
	return all
}

// read reads tables by name, and notes, after a mark, the names of those with mistakes.
func (s *Set) read(tables map[string]strict.Value, dir, mark string, one func(r *reader, name string, v strict.Value)) {
	r := newReader(tables, dir)
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		before := tables[name].Mistakes()
		if checkLabel(name, tables[name]); name == None {
			tables[name].Fail("", "%q is the baseline, and can't be a name", name)
		}
		one(r, name, tables[name])
		if tables[name].Mistakes() > before {
			s.broken = append(s.broken, mark+name)
		}
	}
}

// Tables describe, for a reference, the tables of a benchmarks.toml that are read here: a
// framework, a build, and a jar of a program of the user's own.
func Tables() (frameworks, builds, programs func() strict.Table) {
	return func() strict.Table { return newReader(nil, "").layer(newDraft(), atFramework) },
		func() strict.Table { return newReader(nil, "").build(&build{}) },
		func() strict.Table { return new(reader).fetched(strict.Value{}, jars{}) }
}
