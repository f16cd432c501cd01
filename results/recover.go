package results

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Recover removes the files and drafts that a killed moobench left under our temporary
// names, and nothing else. It returns their paths relative to the campaign. Call it
// only while no other moobench measures into it.
//
// Nothing outside the campaign is removed: a folder of it that is a link is an
// error, and links on the way are not followed out of it.
func (s *Store) Recover() ([]string, error) {
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return nil, diskError("reading", s.dir, err)
	}
	defer root.Close()
	var removed []string
	var errs []error
	for _, place := range []struct {
		dir      string
		expected func(name string) bool // whether moobench leaves this temporary name there; without its prefix
	}{
		{".", func(name string) bool {
			return slices.Contains([]string{campaignFile, tomlFile, sealedFile, measuredFile}, name)
		}},
		{machinesDir, func(name string) bool {
			id, ok := strings.CutSuffix(name, ".json")
			return ok && machineID.MatchString(id)
		}},
		{invocationsDir, func(name string) bool { _, err := ParseIdentity(name); return err == nil }},
	} {
		if err := s.isFolder(place.dir); err != nil {
			errs = append(errs, err)
			continue
		}
		names, err := leftovers(root.FS(), place.dir, place.expected)
		errs = append(errs, diskError("reading", s.path(place.dir), err))
		for _, name := range names {
			rel := filepath.Join(place.dir, name)
			if err := root.RemoveAll(rel); err == nil {
				removed = append(removed, rel)
			} else {
				errs = append(errs, diskError("removing", s.path(rel), err))
			}
		}
	}
	return removed, errors.Join(errs...)
}

// isFolder returns an error if a folder of the campaign is there but is a link or a
// file: writing or removing through a link would reach elsewhere.
func (s *Store) isFolder(dir string) error {
	path := s.path(dir)
	if dir == "." {
		return nil // the user decides where the campaign lies
	}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return diskError("looking at", path, err)
	case !info.IsDir():
		return newError(problemDamaged, "looking at", path, "it is not a folder of the campaign, but a link or a file",
			"moobench doesn't write to it: put the folder there that belongs to the campaign")
	}
	return nil
}

// leftovers returns the temporary names in a folder that are expected there.
func leftovers(in fs.FS, dir string, expected func(name string) bool) ([]string, error) {
	entries, err := fs.ReadDir(in, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutPrefix(e.Name(), tmpPrefix); ok && expected(name) {
			names = append(names, e.Name())
		}
	}
	return names, err
}
