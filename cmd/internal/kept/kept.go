// Package kept reads and writes the files that moobench keeps between campaigns.
package kept

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"moobench/analysis/report"
	"moobench/results/safefile"
)

// Place is the location of such a file: a path given by the user, or a file in the user's state
// folder.
type Place struct {
	Path string // "": nowhere
	own  bool   // in the user's state folder, where nobody else may write
}

// At returns the place of the given file or, if named is "", of the user's own file called name. A
// user without a home has no place.
func At(named, name string) Place {
	if named != "" {
		return Place{Path: named}
	}
	dir, err := safefile.StateFolder()
	if err != nil {
		return Place{} // nothing is kept
	}
	return Place{Path: filepath.Join(dir, name), own: true}
}

// most is the size limit of a file, in bytes.
const most = 1 << 20

// Read reads the file into v; a missing file leaves v unchanged. The caller checks the format with
// CheckFormat.
func (p Place) Read(v any) error {
	if p.Path == "" {
		return nil
	}
	read := safefile.Read
	if p.own {
		read = safefile.ReadOwn
	}
	data, err := read(p.Path, most)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	return err
}

// CheckFormat returns an error if the file's format is not the one that this moobench reads.
func CheckFormat(has, reads int) error {
	if has != reads {
		return fmt.Errorf("it has format %d, and this moobench reads %d", has, reads)
	}
	return nil
}

// Save writes v, whole or not at all; without a place it does nothing.
func (p Place) Save(v any) error {
	if p.Path == "" {
		return nil
	}
	folder := filepath.Dir(p.Path)
	err := os.MkdirAll(folder, 0o777)
	if p.own {
		err = safefile.MakeFolder(folder)
	}
	if err == nil {
		err = safefile.Renew(p.Path, 0, func(w io.Writer) error { return report.WriteJSON(w, v) })
	}
	return err
}
