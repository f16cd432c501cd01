package fleet

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"moobench/results/safefile"
)

// link hard-links all regular files of a folder of moobench's into another one.
func link(from, to string) error {
	return filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case e.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		case !e.Type().IsRegular():
			return nil // no checksum covers it
		}
		return linkFile(path, filepath.Join(to, rel))
	})
}

// linkFile hard-links a file, or copies it if the file system can't. Sharing the content is safe, because
// moobench replaces files and never changes them.
func linkFile(from, to string) error {
	err := os.Link(from, to)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		err = os.Link(from, to)
	}
	if errors.Is(err, unix.EXDEV) || errors.Is(err, unix.EPERM) ||
		errors.Is(err, unix.EMLINK) || errors.Is(err, unix.EOPNOTSUPP) {
		return copyFile(from, to)
	}
	return err
}

// copyFile copies a regular file.
func copyFile(from, to string) error {
	in, err := safefile.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Close()); err != nil {
		return fmt.Errorf("copying %s: %w", from, err)
	}
	return nil
}
