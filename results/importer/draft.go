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

// draftTries is how often another folder is made, when somebody took one for a
// stale one before it was locked.
const draftTries = 10

// draft makes a folder to be filled, and removes those beside it that were left
// behind: a lock says that the process that fills one lives. release unlocks it,
// and removes it if it still has its name.
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
			lock.Close() // nil where folders can't be locked: nobody takes them for stale there
		}, nil
	}
	return "", nil, fmt.Errorf("locking a folder in %s: others took them", parent)
}

// lockFolder locks a folder until it is closed, or the process ends. It is
// ErrNotExist when it was removed meanwhile.
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

// removeStale removes the folders of this user's that nobody fills any more.
// What can't be removed stays: it is in nobody's way.
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
