package testmachine

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Folder is a machine in a folder, for tests with processes that are killed: each file changes atomically. CPUs
// neither come nor go.
type Folder struct {
	fs.FS
	path  string
	rules Rules
}

// Dir returns the machine whose files are below path. New files are first written beside it, as path.new.
func Dir(path string, rules Rules) Folder { return Folder{os.DirFS(path), path, rules} }

func (d Folder) at(name string) string { return filepath.Join(d.path, filepath.FromSlash(name)) }

// Writable implements machine.Tree.
func (d Folder) Writable(name string) error {
	_, err := fs.Stat(d, name)
	return cmp.Or(err, d.rules.refuses("access", name))
}

// WriteFile implements machine.Tree.
func (d Folder) WriteFile(name string, data []byte) error {
	effects, err := d.rules.write(d, name, data)
	if err != nil {
		return err
	}
	return d.put(effects)
}

func (d Folder) put(effects []effect) error {
	next := d.path + ".new"
	for _, e := range effects {
		if err := os.WriteFile(next, []byte(e.content), 0o644); err != nil {
			return err
		}
		if err := os.Rename(next, d.at(e.path)); err != nil {
			return err
		}
	}
	return nil
}

// Mkdir implements machine.Tree: the folder is made elsewhere, and then moved to its place.
func (d Folder) Mkdir(name string) error {
	if err := d.rules.mayMake(d, name); err != nil {
		return err
	}
	next := d.path + ".newgroup"
	if err := errors.Join(os.RemoveAll(next), os.Mkdir(next, 0o755)); err != nil {
		return err
	}
	for _, e := range group(d, name) {
		if err := os.WriteFile(filepath.Join(next, filepath.Base(e.path)), []byte(e.content), 0o644); err != nil {
			return err
		}
	}
	return os.Rename(next, d.at(name))
}

// Remove implements machine.Tree.
func (d Folder) Remove(name string) error {
	if err := d.rules.mayRemove(d, name); err != nil {
		return err
	}
	gone := d.path + ".gone"
	return errors.Join(os.RemoveAll(gone), os.Rename(d.at(name), gone), os.RemoveAll(gone))
}
