// Package testimport imports files that tests make up.
package testimport

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"moobench/results"
	"moobench/results/importer"
)

// Importer imports the files of one format.
type Importer func(context.Context, importer.Request) (*results.Store, error)

// Store imports files into a new folder, where nothing may be damaged; r says the rest.
func (read Importer) Store(t testing.TB, r importer.Request, files []importer.File) *results.Store {
	t.Helper()
	r.Dir, r.Files = filepath.Join(t.TempDir(), "campaign"), files
	r.Name, r.Created = "made-up", time.Unix(1_700_000_000, 0).UTC()
	s, err := read(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if damages := s.Damages(t.Context()); len(damages) > 0 {
		t.Error(damages)
	}
	return s
}

// Campaign is what Store imports, with its invocations.
func (read Importer) Campaign(t testing.TB, r importer.Request, files []importer.File) (*results.Campaign, []*results.Invocation) {
	t.Helper()
	s := read.Store(t, r, files)
	return s.Campaign(), Invocations(t, s)
}

// Invocations are those of a store.
func Invocations(t testing.TB, s *results.Store) []*results.Invocation {
	t.Helper()
	list, err := s.Invocations()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Files writes texts into files of a new folder; named is the format of their names, which have a number.
func Files(t testing.TB, named string, texts ...string) []importer.File {
	t.Helper()
	var all []importer.File
	dir := t.TempDir()
	for i, text := range texts {
		path := filepath.Join(dir, fmt.Sprintf(named, i))
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		all = append(all, importer.File{Path: path})
	}
	return all
}
