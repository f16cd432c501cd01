package safefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// Replace replaces a file with the output of write, whole or not at all: the old file stays until then, and its
// mode is kept. A link is followed, so that its target is replaced. A device, a pipe or anything else that is
// not a regular file is written to; so is a file that this process has open already, such as /dev/stdout.
func Replace(name string, write func(io.Writer) error) error {
	f := opened(name)
	info, err := os.Stat(name)
	if f == nil && err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return refuse(name, "it is a folder")
		}
		if f, err = os.OpenFile(name, os.O_WRONLY, 0); err != nil {
			return err
		}
	}
	if f != nil {
		return errors.Join(write(f), f.Close())
	}
	mode := fs.FileMode(0)
	if err == nil {
		mode = info.Mode().Perm()
		if name, err = filepath.EvalSymlinks(name); err != nil {
			return err
		}
	} else if _, dangling := os.Readlink(name); dangling == nil {
		return refuse(name, "it is a link that leads nowhere")
	}
	return whole(name, 0o666, mode, os.Rename, write)
}

// Renew makes a file with the output of write, whole or not at all, in place of anything of that name: links
// are not followed. The mode is the given one or, if that is 0, 0o666 less the umask.
func Renew(name string, mode fs.FileMode, write func(io.Writer) error) error {
	return whole(name, 0o666, mode, os.Rename, write)
}

// New makes a new file with the output of write, whole or not at all. Anything that has that name already, even
// a link, stays: the error is fs.ErrExist.
func New(name string, perm fs.FileMode, write func(io.Writer) error) error {
	// Unlike Rename, Link never replaces a file.
	return whole(name, perm, 0, os.Link, write)
}

// whole writes a temporary file beside name, which publish then gives that name. Its mode is the given one or,
// if that is 0, perm less the umask.
func whole(
	name string, perm, mode fs.FileMode, publish func(from, to string) error, write func(io.Writer) error,
) error {
	f, err := Create(fmt.Sprintf("%s.tmp-%d", name, os.Getpid()), perm)
	for n := 1; errors.Is(err, fs.ErrExist) && n < 1000; n++ {
		f, err = Create(fmt.Sprintf("%s.tmp-%d-%d", name, os.Getpid(), n), perm)
	}
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		p.Path = name // the name that the user gave
	}
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // already gone if it was renamed
	err = write(f)
	if err == nil && mode != 0 {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return publish(f.Name(), name)
}

// Sync makes the content of a file, or the names in a folder, durable.
func Sync(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// opened returns an open file if name leads to one of this process, such as /dev/stdout or /dev/fd/3; otherwise
// nil. Opening it by that name, or replacing it, would lose the content that a shell's >> preserves.
func opened(name string) *os.File {
	for range 40 {
		dir, err := filepath.EvalSymlinks(filepath.Dir(name))
		if err != nil {
			return nil
		}
		if dir == fmt.Sprintf("/proc/%d/fd", os.Getpid()) {
			fd, err := strconv.Atoi(filepath.Base(name))
			if err == nil {
				fd, err = unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
			}
			if err != nil {
				return nil
			}
			return os.NewFile(uintptr(fd), name)
		}
		target, err := os.Readlink(name)
		if err != nil {
			return nil
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(dir, target)
		}
		name = target
	}
	return nil
}
