// Package kept reads and writes the files of what moobench keeps from one campaign to the next.
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

// Place is where such a file is: where somebody named it, or in the user's state.
type Place struct {
	Path string // "" is nowhere
	own  bool   // it is in the user's state, where nobody else may write
}

// At is the place of the file that is named, or else of the user's own of this name; a user
// without a home has none.
func At(named, name string) Place {
	if named != "" {
		return Place{Path: named}
	}
	dir, err := safefile.StateFolder()
	if err != nil {
		return Place{} // and so nothing is kept
	}
	return Place{Path: filepath.Join(dir, name), own: true}
}

// most is how large a file may be, in bytes.
const most = 1 << 20

// Read reads the file into v; one that does not exist leaves v as it is. The formats of file and
// reader are compared by CheckFormat.
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

// CheckFormat returns an error for a file of another format than the reader's.
func CheckFormat(has, reads int) error {
	if has != reads {
		return fmt.Errorf("it has format %d, and this moobench reads %d", has, reads)
	}
	return nil
}

// Save writes v, whole or not at all, where there is a place.
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
