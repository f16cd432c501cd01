package framework

import (
	"embed"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

//go:embed catalogue/*.toml
var catalogueFiles embed.FS

// Catalogue returns the frameworks that moobench knows by itself.
func Catalogue() (*Set, error) {
	files, err := catalogueFiles.ReadDir("catalogue")
	if err != nil {
		return nil, fmt.Errorf("reading the catalogue: %w", err)
	}
	tables := map[string]map[string]any{}
	for _, f := range files {
		data, err := catalogueFiles.ReadFile(path.Join("catalogue", f.Name()))
		if err != nil {
			return nil, fmt.Errorf("reading the catalogue: %w", err)
		}
		var table map[string]any
		if err := toml.Unmarshal(data, &table); err != nil {
			return nil, fmt.Errorf("reading the catalogue: %s: %w", f.Name(), err)
		}
		tables[strings.TrimSuffix(f.Name(), ".toml")] = table
	}
	s, wrong := new(Set).With(tables, "")
	var errs []error
	for _, e := range wrong {
		errs = append(errs, fmt.Errorf("reading the catalogue: %w", e))
	}
	return s, errors.Join(errs...)
}

// With returns the set with the frameworks of a benchmarks.toml added, by
// name; one that the set has already is replaced whole. Relative paths are
// relative to dir, the folder of the TOML. Everything that is wrong is
// returned at once; the set is complete only when nothing is.
func (s *Set) With(user map[string]map[string]any, dir string) (*Set, []KeyError) {
	all := &Set{variants: map[string]entry{}, builds: s.builds}
	for name, e := range s.variants {
		if _, replaced := user[e.Framework]; !replaced {
			all.variants[name] = e
		}
	}
	r := &reader{}
	if dir != "" {
		abs, err := filepath.Abs(dir) // the JVM has another working directory
		if err != nil {
			return all, []KeyError{{Path: []string{"framework"}, Msg: fmt.Sprintf("finding the folder %s: %v", dir, err)}}
		}
		r.dir = abs
	}
	for _, name := range slices.Sorted(maps.Keys(user)) {
		all.framework(r, name, user[name])
	}
	if len(r.errs) == 0 {
		all.link(r)
	}
	return all, r.errs
}
