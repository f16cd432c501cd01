package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// ErrHeld is the error for a lock that another process holds.
var ErrHeld = errors.New("another process holds it")

// lockPause is the time after which Hold tries again.
const lockPause = 20 * time.Millisecond

// Hold opens a regular file, which is made if the flags say so, or with O_DIRECTORY a folder, and locks it for
// this process alone. While another process holds it, Hold waits up to the given time, and then returns
// ErrHeld. The lock ends when the file is closed, or the process ends.
//
// A process that waits for a lock may get the lock of a file that was removed or replaced meanwhile, which no
// other process uses. Therefore the name must still lead to the file.
func Hold(name string, flags int, perm fs.FileMode, wait time.Duration) (*os.File, error) {
	end := time.Now().Add(wait)
	for {
		f, err := open(name, flags, perm)
		if err != nil {
			return nil, err
		}
		held, err := hold(f)
		if held {
			return f, nil
		}
		f.Close()
		if err != nil {
			return nil, err
		}
		if !time.Now().Before(end) {
			return nil, fmt.Errorf("locking %s: %w", name, ErrHeld)
		}
		time.Sleep(lockPause)
	}
}

// hold tries to lock an open file; held is false, and err nil, if it may be tried again.
func hold(f *os.File) (held bool, err error) {
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) || errors.Is(err, unix.EINTR) {
		return false, nil
	}
	if err != nil {
		return false, &fs.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
	return HasName(f), nil
}

// HasName reports whether the name that a file was opened by still leads to it.
func HasName(f *os.File) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(f.Name())
	return err == nil && os.SameFile(opened, named)
}
