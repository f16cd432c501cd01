package machine

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"moobench/harness/machine/internal/kernel"
)

// Tree is a machine's files, rooted at /: /proc, /sys and control groups. Paths have no leading slash.
type Tree interface {
	fs.FS
	// WriteFile writes data to the existing file at path in a single write, as the kernel requires.
	WriteFile(path string, data []byte) error
	// Writable returns why WriteFile would be refused, as far as can be told without writing.
	Writable(path string) error
	// Mkdir and Remove make and remove control groups.
	Mkdir(path string) error
	Remove(path string) error
}

// System returns this machine's files.
func System() Tree { return system{kernel.Root()} }

type system struct{ kernel.Files }

func (s system) WriteFile(path string, data []byte) error {
	release, err := s.HoldOpen(path, data)
	if err != nil {
		return err
	}
	return release()
}

func (system) Writable(path string) error { return unix.Access(absolute(path), unix.W_OK) }

func (system) Mkdir(path string) error  { return os.Mkdir(absolute(path), 0o755) }
func (system) Remove(path string) error { return os.Remove(absolute(path)) }

func absolute(path string) string { return filepath.Join("/", filepath.FromSlash(path)) }

// HoldOpen writes data to a file and keeps the file open, for a knob with Hold.
func (system) HoldOpen(path string, data []byte) (release func() error, err error) {
	f, err := os.OpenFile(absolute(path), os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	if _, err := f.Write(data); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f.Close, nil
}
