package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// kindFolder is the failure of a subject that removed or replaced its own folder.
const kindFolder = "folder"

// repairFolder ensures that an invocation's folder can be swept and sealed: the subject works in it, and may have
// removed it, replaced it, or revoked our permissions. lost describes the loss.
func repairFolder(dir string) (lost string, err error) {
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		lost = "removed its folder"
	case err != nil:
		return "", err
	case !info.IsDir():
		lost = "put something else in the place of its folder"
		if err := os.Remove(dir); err != nil {
			return "", err
		}
	case info.Mode().Perm()&0o700 != 0o700:
		return "", os.Chmod(dir, info.Mode().Perm()|0o700)
	default:
		return "", nil
	}
	return lost, os.Mkdir(dir, 0o777)
}

// logKept is the maximum size of a kept log in bytes: a subject that prints without end must not fill the disk for
// good.
const logKept = 1 << 20

// trim truncates a log to its end.
func trim(path string) error {
	info, err := os.Lstat(path)
	if err != nil || filepath.Ext(path) != ".log" || info.Size() <= logKept {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	end := make([]byte, logKept)
	if _, err = f.ReadAt(end, info.Size()-logKept); err == nil {
		_, err = f.WriteAt(end, 0) // allocates nothing, so it works on a full disk too
	}
	if err == nil {
		err = f.Truncate(logKept)
	}
	return errors.Join(err, f.Close())
}

// sweep removes the variant's files from a folder, including folders without permissions, and returns their size
// in bytes: they are not measurements, and can be gigabytes. Files with these suffixes or names are kept, and logs
// are trimmed.
func sweep(dir string, kept ...string) (int64, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0, fmt.Errorf("sweeping the invocation's folder: %w", err)
	}
	var bytes int64
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if !e.IsDir() && slices.ContainsFunc(kept, func(end string) bool { return strings.HasSuffix(path, end) }) {
			if err := trim(path); err != nil {
				return bytes, fmt.Errorf("shortening a log: %w", err)
			}
			continue
		}
		bytes += size(path)
		if err := os.RemoveAll(path); err != nil {
			return bytes, fmt.Errorf("sweeping the invocation's folder: %w", err)
		}
	}
	return bytes, nil
}

// size adds up the files below path, in bytes. It first makes folders accessible to us; a folder for which that
// fails causes an error when it is removed.
func size(path string) int64 {
	var n int64
	filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := d.Info(); err == nil && !d.IsDir() {
			n += info.Size()
		} else if err == nil && info.Mode().Perm()&0o700 != 0o700 {
			os.Chmod(path, info.Mode().Perm()|0o700)
		}
		return nil
	})
	return n
}
