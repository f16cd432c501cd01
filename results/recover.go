package results

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Recover removes what a killed moobench left behind: files and drafts under
// temporary names of ours, and nothing else. It returns their paths relative to
// the campaign. Call it only while no other moobench measures into it.
func (s *Store) Recover() ([]string, error) {
	var removed []string
	var errs []error
	for _, place := range []struct {
		dir  string
		ours func(name string) bool
	}{
		{"", func(name string) bool { return slices.Contains([]string{campaignFile, tomlFile, sealedFile}, name) }},
		{machinesDir, func(name string) bool {
			id, ok := strings.CutSuffix(name, ".json")
			return ok && machineID.MatchString(id)
		}},
		{invocationsDir, func(name string) bool { _, err := ParseIdentity(name); return err == nil }},
	} {
		names, err := leftovers(s.path(place.dir), place.ours)
		if err != nil {
			errs = append(errs, diskError("reading", s.path(place.dir), err))
		}
		for _, name := range names {
			rel := filepath.Join(place.dir, name)
			if err := os.RemoveAll(s.path(rel)); err != nil {
				errs = append(errs, diskError("removing", s.path(rel), err))
				continue
			}
			removed = append(removed, rel)
		}
	}
	return removed, errors.Join(errs...)
}

// leftovers names the entries of dir that are temporary names of ours.
func leftovers(dir string, ours func(name string) bool) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutPrefix(e.Name(), tmpPrefix); ok && ours(name) {
			names = append(names, e.Name())
		}
	}
	return names, err
}
