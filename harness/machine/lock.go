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

// LockVar names the environment variable that holds the path of the lock.
const LockVar = "MOOBENCH_LOCK"

const lockName = "moobench.lock"

// longestHolder is the maximum number of bytes read from the lock file.
const longestHolder = 512

// HeldError means that another moobench is measuring on this machine.
type HeldError struct {
	PID      int    // 0: not known yet
	Campaign string // its folder
}

func (e *HeldError) Error() string {
	who := "another moobench"
	if e.PID > 0 {
		who += fmt.Sprintf(" (process %d, campaign %s)", e.PID, e.Campaign)
	}
	return who + " is measuring on this machine, and two would disturb each other"
}

// LockPath returns the path of the lock that all moobench processes on a machine share: $MOOBENCH_LOCK, else
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

// Lock ensures that only one moobench at a time measures on this machine. The kernel releases the lock when the
// process ends, however it ends, so stale file content is harmless. If somebody else holds the lock, the error is
// a *HeldError.
func Lock(path, campaign string) (release func() error, err error) {
	f, err := openLock(path)
	if err != nil {
		return nil, refusal.New(fmt.Errorf("locking the machine: %w", err),
			"set "+LockVar+" to a file that every user of this machine may read")
	}
	err = proc.Restart(func() error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) })
	if err != nil {
		defer f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			// Another user may have written the holder's name. It is believed if the process exists, and cut to
			// one printable line.
			text, _ := io.ReadAll(io.LimitReader(f, longestHolder))
			first, _, _ := strings.Cut(string(text), "\n")
			number, campaign, _ := strings.Cut(first, " ")
			held := &HeldError{PID: kernel.Int(number, 0), Campaign: kernel.Printable(campaign)}
			if there, _ := proc.Running(held.PID); !there {
				held = &HeldError{}
			}
			return nil, refusal.New(held, "wait until it is done (moobench run --wait 2h does), "+
				"or interrupt it and resume it later")
		}
		return nil, fmt.Errorf("locking the machine: %s: %w", path, err)
	}
	// The holder's name is only information for others. It can't be written to another user's file; the lock is
	// held regardless.
	if err := f.Truncate(0); err == nil {
		fmt.Fprintf(f, "%d %s\n", os.Getpid(), kernel.Printable(campaign))
	}
	return func() error {
		f.Truncate(0)
		return f.Close()
	}, nil
}

// openLock opens the file, and creates it only if necessary: kernels refuse to open another user's file with
// O_CREAT in a world-writable folder. A read-only file can be locked as well, without the holder's name.
func openLock(path string) (*os.File, error) {
	const flags = unix.O_NOFOLLOW | unix.O_NONBLOCK
	f, err := os.OpenFile(path, os.O_RDWR|flags, 0)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|flags, 0o644)
		if err == nil {
			f.Chmod(0o644) // other users must be able to read it, whatever our umask is
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
		err = fmt.Errorf("%s is not a regular file", path)
	case s.Nlink != 1: // we will write to it
		err = fmt.Errorf("%s is another file as well: it has %d names", path, s.Nlink)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
