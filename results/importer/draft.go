package importer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"moobench/results/safefile"
)

// draftName begins the names of folders that are being filled; digits follow.
const draftName = ".tmp-moobench-"

// draftTries is the number of attempts to make a folder; another process may remove one
// as stale before it is locked.
const draftTries = 10

// draft makes a folder to be filled, and removes stale ones beside it: a folder is
// locked as long as the process that fills it lives. release removes and unlocks it.
func draft(parent string) (dir string, release func(), err error) {
	removeStale(parent)
	for range draftTries {
		if dir, err = os.MkdirTemp(parent, draftName); err != nil {
			return "", nil, err
		}
		lock, err := lockFolder(dir)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.EWOULDBLOCK) {
			continue
		}
		return dir, func() {
			os.RemoveAll(dir)
			lock.Close() // nil where folders can't be locked, and so are never taken for stale
		}, nil
	}
	return "", nil, fmt.Errorf("locking a folder in %s: others took them", parent)
}

// lockFolder locks a folder until the returned file is closed, or the process ends. The
// error is fs.ErrNotExist when the folder was removed meanwhile.
func lockFolder(dir string) (*os.File, error) {
	f, err := os.OpenFile(dir, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == nil && !safefile.HasName(f) {
		err = fs.ErrNotExist
	}
	if err != nil {
		f.Close()
		return nil, &fs.PathError{Op: "lock", Path: dir, Err: err}
	}
	return f, nil
}

// removeStale removes this user's folders that no process fills any more. Folders that
// can't be removed stay; they do no harm.
func removeStale(parent string) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, e := range entries {
		digits, ours := strings.CutPrefix(e.Name(), draftName)
		if !ours || digits == "" || strings.Trim(digits, "0123456789") != "" {
			continue
		}
		path := filepath.Join(parent, e.Name())
		lock, err := lockFolder(path)
		if err != nil {
			continue
		}
		var s unix.Stat_t
		if err := unix.Fstat(int(lock.Fd()), &s); err == nil && int(s.Uid) == os.Geteuid() {
			os.RemoveAll(path)
		}
		lock.Close()
	}
}
