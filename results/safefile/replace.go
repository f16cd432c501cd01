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

// Replace replaces a file by what write writes, whole or not at all: the old one stays
// until then, and its mode is kept. A link is followed, so that its target is replaced. A
// device, a pipe or anything else that is not a regular file is written to; so is a file
// that this process has open already, such as /dev/stdout.
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

// Renew makes a file of what write writes, whole or not at all, in place of anything with
// that name: no link is followed. Its mode is 0o666 as far as the umask allows, unless
// one is given.
func Renew(name string, mode fs.FileMode, write func(io.Writer) error) error {
	return whole(name, 0o666, mode, os.Rename, write)
}

// New makes a new file of what write writes, whole or not at all. Anything that has that
// name, be it a link, is left as it is: the error is fs.ErrExist.
func New(name string, perm fs.FileMode, write func(io.Writer) error) error {
	// A link never takes the place of a file, where a renamed file does.
	return whole(name, perm, 0, os.Link, write)
}

// whole writes a temporary file beside name, with the permissions that the umask leaves or,
// if it is not 0, the given mode, which publish then gives that name.
func whole(name string, perm, mode fs.FileMode, publish func(from, to string) error, write func(io.Writer) error) error {
	f, err := Create(fmt.Sprintf("%s.tmp-%d", name, os.Getpid()), perm)
	for n := 1; errors.Is(err, fs.ErrExist) && n < 1000; n++ {
		f, err = Create(fmt.Sprintf("%s.tmp-%d-%d", name, os.Getpid(), n), perm)
	}
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		p.Path = name // the one that the user named
	}
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already when it was renamed
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

// opened returns the file that this process has open if name leads to one, such as
// /dev/stdout or /dev/fd/3; otherwise nil. Opening it by that name, or replacing it, would
// lose what a shell's >> has kept of it.
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
