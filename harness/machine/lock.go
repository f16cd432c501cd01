package machine

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"moobench/harness/machine/internal/kernel"
	"moobench/harness/proc"
	"moobench/refusal"
)

// LockVar names the environment variable that says where the lock is.
const LockVar = "MOOBENCH_LOCK"

const lockName = "moobench.lock"

// longestHolder is how much of the lock's file is read.
const longestHolder = 512

// HeldError means that another moobench measures on this machine.
type HeldError struct {
	PID      int    // 0: unknown yet
	Campaign string // its folder
}

func (e *HeldError) Error() string {
	who := "another moobench"
	if e.PID > 0 {
		who += fmt.Sprintf(" (process %d, campaign %s)", e.PID, e.Campaign)
	}
	return who + " is measuring on this machine, and two would disturb each other"
}

// LockPath is the lock that all moobenches of a machine share: $MOOBENCH_LOCK, else
// /run/lock/moobench.lock, else a file in the folder for temporary files.
func LockPath() string {
	if path := os.Getenv(LockVar); path != "" {
		return path
	}
	const dir = "/run/lock"
	path := filepath.Join(dir, lockName)
	if _, err := os.Stat(path); err == nil || unix.Access(dir, unix.W_OK) == nil {
		return path
	}
	return filepath.Join(os.TempDir(), lockName)
}

// Lock makes sure that one moobench at a time measures on this machine. The kernel drops
// the lock when the process ends, however it ends: a stale content of the file is
// harmless. A lock that somebody else holds is a *HeldError.
func Lock(path, campaign string) (release func() error, err error) {
	f, err := openLock(path)
	if err != nil {
		return nil, refusal.New(fmt.Errorf("locking the machine: %w", err), "set "+LockVar+" to a file that every user of this machine may read")
	}
	err = proc.Restart(func() error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) })
	if err != nil {
		defer f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			// Another user may have written who holds it: that is believed if there is such a
			// process, and cut to one printable line.
			text, _ := io.ReadAll(io.LimitReader(f, longestHolder))
			first, _, _ := strings.Cut(string(text), "\n")
			number, campaign, _ := strings.Cut(first, " ")
			held := &HeldError{PID: kernel.Int(number, 0), Campaign: kernel.Printable(campaign)}
			if there, _ := proc.Running(held.PID); !there {
				held = &HeldError{}
			}
			return nil, refusal.New(held, "wait until it is done (moobench run --wait 2h does), or interrupt it and resume it later")
		}
		return nil, fmt.Errorf("locking the machine: %s: %w", path, err)
	}
	// The name of the holder is a courtesy to the next one: the lock is taken already,
	// and it can't be written to another user's file.
	if err := f.Truncate(0); err == nil {
		fmt.Fprintf(f, "%d %s\n", os.Getpid(), kernel.Printable(campaign))
	}
	return func() error {
		f.Truncate(0)
		return f.Close()
	}, nil
}

// openLock opens the file, and creates it only if it must: kernels refuse to open another
// user's file for creation in a folder that all may write to. A file that may only be
// read can be locked as well: only its owner has anything to write there.
func openLock(path string) (*os.File, error) {
	const flags = unix.O_NOFOLLOW | unix.O_NONBLOCK
	f, err := os.OpenFile(path, os.O_RDWR|flags, 0)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|flags, 0o644)
		if err == nil {
			f.Chmod(0o644) // the other users have to read it, whatever our umask is
		}
	}
	if errors.Is(err, fs.ErrPermission) {
		f, err = os.OpenFile(path, os.O_RDONLY|flags, 0)
	}
	if err != nil {
		return nil, err
	}
	var s unix.Stat_t
	switch err = unix.Fstat(int(f.Fd()), &s); {
	case err != nil:
	case s.Mode&unix.S_IFMT != unix.S_IFREG:
		err = fmt.Errorf("%s is no regular file", path)
	case s.Nlink != 1: // the holder is written there
		err = fmt.Errorf("%s is another file as well: it has %d names", path, s.Nlink)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
