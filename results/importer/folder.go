// Package importer makes campaigns of the measurements of other tools; each tool has a package below this one,
// with a Format. They share this package: reading files within bounds, mistakes with their lines, the builder
// of a campaign, and folders that appear whole or not at all.
//
// An imported campaign is unordered. Anything that its source lacks, such as order, blocks, A/A, warm-up or
// machine, is absent and never invented.
package importer

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"moobench/refusal"
	"moobench/results/safefile"
)

// Folder makes the folder dir, which must be new or empty, whole or not at all: fill writes into a temporary
// folder beside it, which is then renamed. op is the operation in errors: importing, exporting.
func Folder(op, dir string, fill func(tmp string) error) error {
	if old, err := os.ReadDir(dir); len(old) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
		why := fmt.Errorf("%s into %s: %w", op, dir, cmp.Or(err, errors.New("the folder is not empty")))
		return refusal.New(why, "choose another folder with -o")
	}
	tmp, release, err := draft(filepath.Dir(filepath.Clean(dir)))
	whole := filepath.Join(tmp, "whole")
	if err == nil {
		defer release()
		err = os.Mkdir(whole, 0o777) // it has the umask's mode, but lies in a folder that nobody else can enter
	}
	if err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	if err := fill(whole); err != nil {
		return err
	}
	if err := os.Rename(whole, dir); err != nil {
		return fmt.Errorf("%s into %s: %w", op, dir, err)
	}
	return nil
}

// draftName is the prefix of folders that are being filled; digits follow.
const draftName = ".tmp-moobench-"

// draftTries is the number of attempts to make a folder: another process may remove it as stale before it is
// locked.
const draftTries = 10

// draft makes a folder to be filled, with its parents, and removes stale ones beside it. A folder is locked as
// long as the process that fills it lives. release removes and unlocks it.
func draft(parent string) (dir string, release func(), err error) {
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return "", nil, err
	}
	removeStale(parent)
	for range draftTries {
		if dir, err = os.MkdirTemp(parent, draftName); err != nil {
			return "", nil, err
		}
		lock, err := lockFolder(dir)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, safefile.ErrHeld) {
			continue
		}
		return dir, func() {
			os.RemoveAll(dir)
			lock.Close() // nil if folders can't be locked, and so are never taken for stale
		}, nil
	}
	return "", nil, fmt.Errorf("locking a folder in %s: others took them", parent)
}

// lockFolder locks a folder until the returned file is closed, or the process ends.
func lockFolder(dir string) (*os.File, error) {
	return safefile.Hold(dir, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW, 0, 0)
}

// removeStale removes this user's folders that no process fills any more. Folders that can't be removed stay,
// and do no harm.
func removeStale(parent string) {
	entries, _ := os.ReadDir(parent)
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
